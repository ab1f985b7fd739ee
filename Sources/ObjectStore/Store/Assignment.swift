infix operator <- : AssignmentPrecedenceOfUpdates

precedencegroup AssignmentPrecedenceOfUpdates {
  lowerThan: TernaryPrecedence
  higherThan: AssignmentPrecedence
}

/// One attribute and its new value, checked by the compiler: `\.completed <- true`.
public struct Assignment<T: Object> {
  // The only field: arrays of assignments are read as arrays of this.
  @usableFromInline let untyped: UntypedAssignment

  @usableFromInline
  init(_ keyPath: AnyKeyPath, _ change: UntypedAssignment.Change) {
    untyped = UntypedAssignment(keyPath: keyPath, change: change)
  }
}

/// An assignment without its class: what the store's side works with, so that it is not generic.
@usableFromInline
struct UntypedAssignment {
  @usableFromInline let keyPath: AnyKeyPath
  @usableFromInline let change: Change

  @usableFromInline
  enum Change {
    /// A number or a Bool: needs no closure, which is half of the cost of an assignment.
    case word(UInt64)
    case export((_BatchExport) throws -> _BatchCell)
    /// A list's new elements, made from the row's present ones.
    case list((StoreHandle, ClassEntry, _ slot: Int?, _BatchExport) throws -> _BatchCell)
  }

  @usableFromInline
  init(keyPath: AnyKeyPath, change: Change) {
    self.keyPath = keyPath
    self.change = change
  }
}

/// Assigns a value: `\.note <- "late"`, `\.note <- nil`.
public func <- <T: Object, V: PersistableValue>(
  keyPath: ReferenceWritableKeyPath<T, V>, value: V
) -> Assignment<T> {
  Assignment(keyPath, .export { try V._storageExport(value, $0) })
}

/// Assigns a number or another single value.
@inlinable
public func <- <T: Object, V: ScalarValue>(
  keyPath: ReferenceWritableKeyPath<T, V>, value: V
) -> Assignment<T> {
  if V.isPlainWord { return Assignment(keyPath, .word(value._encode { $0.word })) }
  return Assignment(keyPath, .export { try V._storageExport(value, $0) })
}

/// Replaces a list's elements.
public func <- <T: Object, E: CollectionElement>(
  keyPath: ReferenceWritableKeyPath<T, List<E>>, elements: [E]
) -> Assignment<T> {
  Assignment(keyPath, .export { try List<E>._storageExport(List(elements), $0) })
}

/// Appends to a list.
public func += <T: Object, E: CollectionElement>(
  keyPath: KeyPath<T, List<E>>, elements: [E]
) -> Assignment<T> {
  listAssignment(keyPath) { $0 + elements }
}

/// Removes all elements of a list that are equal to one of these.
public func -= <T: Object, E: CollectionElement & Equatable>(
  keyPath: KeyPath<T, List<E>>, elements: [E]
) -> Assignment<T> {
  listAssignment(keyPath) { $0.filter { !elements.contains($0) } }
}

private func listAssignment<T: Object, E: CollectionElement>(
  _ keyPath: KeyPath<T, List<E>>, _ change: @escaping ([E]) -> [E]
) -> Assignment<T> {
  Assignment(
    keyPath,
    .list { handle, entry, slot, export in
      let object: T? = slot.map { handle.object(entry, $0) }
      let present = object.map { Array($0[keyPath: keyPath]) } ?? []
      return try List<E>._storageExport(List(change(present)), export)
    })
}

extension ScalarValue {
  /// Whether a cell of it is a word, and every value of it has one.
  @inlinable
  static var isPlainWord: Bool {
    switch _scalarKind {
    case .decimal, .string, .data, .uuid, .url, .json, .date: false
    default: true
    }
  }
}

extension Store {
  /// What a partial update did.
  public enum UpdateOutcome: Sendable, Hashable {
    /// The attributes that changed, in the order they were given.
    case updated([String])
    /// The object holds these values already.
    case unchanged
    /// There is no object with this key.
    case notFound
  }
}

package typealias UpdateOutcome = Store.UpdateOutcome

extension Store {
  /// What to do when a partial update finds no object.
  public enum MissingObject: Sendable, Hashable {
    /// Nothing: the outcome is ``Store/UpdateOutcome/notFound``.
    case ignore
    /// Make one with the key, these values, and defaults for the rest.
    case orInsert
  }
}

package typealias MissingObject = Store.MissingObject

extension Store {
  /// Changes some attributes of the object with this key; the others stay.
  ///
  ///     try store.update(Order.self, key: 7, \.completed <- true, \.note <- nil)
  ///
  /// Opens a write of its own, or joins the open one. Either all assignments are made or none; a
  /// later assignment to the same attribute wins.
  /// - Throws: `typeMismatch` for a key of another type, `noPrimaryKey`, `alreadyWriting`.
  @inlinable @discardableResult
  public func update<T: Object, Key: PrimaryKeyValue>(
    _ type: T.Type, key: Key, _ assignments: Assignment<T>...,
    missing: MissingObject = .ignore
  ) throws -> UpdateOutcome {
    try assignments.withUnsafeBytes { bytes in
      try key._encode {
        try update(type, $0, Key.self, bytes.bindMemory(to: UntypedAssignment.self), missing)
      }
    }
  }

  /// Changes one attribute of the object with this key.
  @inlinable @discardableResult
  public func update<T: Object, V: PersistableValue, Key: PrimaryKeyValue>(
    id key: Key, _ keyPath: ReferenceWritableKeyPath<T, V>, _ value: V
  ) throws -> UpdateOutcome {
    try update(T.self, key: key, keyPath <- value)
  }

  @usableFromInline
  func update(
    _ type: ObjectBase.Type, _ key: _ScalarCell, _ keyType: any PrimaryKeyValue.Type,
    _ assignments: UnsafeBufferPointer<UntypedAssignment>, _ missing: MissingObject
  ) throws -> UpdateOutcome {
    let entry = try handle.entry(type)
    if let error = entry.mismatch(ofKey: keyType) { throw error }
    let kind = keyType._scalarKind
    let isJoining = handle.isWriting
    if !isJoining { try handle.begin() }
    do {
      let outcome = try update(entry, key, kind, assignments, missing)
      if !isJoining { try handle.commit() }
      return outcome
    } catch {
      if !isJoining { handle.cancel() }
      throw error
    }
  }

  private func update(
    _ entry: ClassEntry, _ key: _ScalarCell, _ kind: ScalarKind,
    _ assignments: UnsafeBufferPointer<UntypedAssignment>, _ missing: MissingObject
  ) throws -> UpdateOutcome {
    if let slot = handle.find(key, kind, entry) {
      return try handle.update(entry, slot, assignments)
    }
    guard missing == .orInsert else { return .notFound }
    return try insert(entry, key, kind, assignments)
  }

  /// Makes an object with the key and the assigned values.
  private func insert(
    _ entry: ClassEntry, _ key: _ScalarCell, _ kind: ScalarKind,
    _ assignments: UnsafeBufferPointer<UntypedAssignment>
  ) throws -> UpdateOutcome {
    try handle.withBatch { batch in
      let export = _BatchExport(batch, for: handle)
      let row = batch.makeRow(entry.shape)
      var names: [String] = []
      for assignment in assignments {
        let attribute = entry.attributes[try handle.attribute(assignment.keyPath, entry)]
        row[attribute.index] = try handle.cell(assignment, nil, entry, export)
        if !names.contains(attribute.name) { names.append(attribute.name) }
      }
      let keyAttribute = entry.keyColumn - entry.layout.firstAttribute
      row[keyAttribute] =
        kind.column == .text ? batch.text(copying: key.bytes) : .word(key.word)
      guard kind == entry.keyKind || Self.isInRange(key.word, kind, entry.keyKind) else {
        throw StoreError(
          .outOfRange(
            attribute: "\(entry.schema.className).\(entry.attributes[keyAttribute].name)",
            expected: entry.keyKind.name, found: KeyText.describe(row[keyAttribute], kind)))
      }
      try export.finish()
      batch.complete(row)
      try handle.apply(batch, .modified)
      handle.promoteInstances(of: export)
      return .updated(names)
    }
  }

  /// Whether the integer of one kind is one of the other, too.
  private static func isInRange(_ word: UInt64, _ kind: ScalarKind, _ other: ScalarKind) -> Bool {
    if kind.signedRange != nil, Int64(bitPattern: word) < 0 {
      return other.signedRange?.contains(Int64(bitPattern: word)) ?? false
    }
    guard let signed = other.signedRange else { return word <= other.unsignedMaximum ?? 0 }
    return Int64(exactly: word).map { signed.contains($0) } ?? false
  }
}

extension StoreHandle {
  /// Changes a row that exists: by all assignments, or, if one is refused, by none.
  func update(
    _ entry: ClassEntry, _ slot: Int, _ assignments: UnsafeBufferPointer<UntypedAssignment>
  ) throws -> UpdateOutcome {
    var areWords = true
    let keyAttribute = entry.keyColumn - entry.layout.firstAttribute
    // By index: a copy of an assignment counts two references.
    for index in assignments.indices {
      guard try attribute(assignments[index].keyPath, entry) != keyAttribute else {
        throw StoreError(
          .invalidKeyPath(
            "\(entry.schema.className).\(entry.schema.primaryKeyProperty?.name ?? "") "
              + "is the primary key; use store.rekey(_:to:)"))
      }
      if case .word = assignments[index].change { continue }
      areWords = false
    }
    if areWords, assignments.count <= ChangedNames.Places.limit, entry.attributes.count < 256 {
      let transaction = try writableTransaction()
      let writer = transaction.writer(entry.table)
      var places = ChangedNames.Places()
      for index in assignments.indices {
        guard case .word(let bits) = assignments[index].change else { continue }
        let attribute = try attribute(assignments[index].keyPath, entry)
        if transaction.write(
          writer, slot, writer.firstAttribute + attribute, .word(bits), writesEqual: false)
        {
          places.add(attribute)
        }
      }
      return places.isEmpty
        ? .unchanged : .updated(changedNames.names(places, of: entry))
    }
    var changed: [String] = []
    // A later assignment may build on an earlier one (`+=`), so they are written one by one.
    try begin()
    try finish {
      try withBatch { batch in
        let export = _BatchExport(batch, for: self)
        for assignment in assignments {
          let cell = try cell(assignment, slot, entry, export)
          try applyExported(export)
          let transaction = try writableTransaction()
          let attribute = entry.attributes[try attribute(assignment.keyPath, entry)]
          if transaction.write(
            transaction.writer(entry.table), slot, attribute.column, cell, writesEqual: false),
            !changed.contains(attribute.name)
          {
            changed.append(attribute.name)
          }
        }
      }
    }
    return changed.isEmpty ? .unchanged : .updated(changed)
  }

  fileprivate func cell(
    _ assignment: UntypedAssignment, _ slot: Int?, _ entry: ClassEntry, _ export: _BatchExport
  ) throws -> _BatchCell {
    if case .word(let bits) = assignment.change { return .word(bits) }
    let attribute = entry.attributes[try attribute(assignment.keyPath, entry)]
    export.place = (entry.schema.className, attribute.property)
    switch assignment.change {
    case .word(let bits): return .word(bits)
    case .export(let body): return try body(export)
    case .list(let body): return try body(self, entry, slot, export)
    }
  }

  /// Unmanaged objects that an assignment links to are added.
  private func applyExported(_ export: _BatchExport) throws {
    guard !export.instances.isEmpty else { return export.batch.forgetLinks() }
    try export.finish()
    try apply(export.batch, .error)
    promoteInstances(of: export)
    export.forgetInstances()
  }
}

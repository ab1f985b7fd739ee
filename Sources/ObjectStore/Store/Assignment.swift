infix operator <- : AssignmentPrecedenceOfUpdates

precedencegroup AssignmentPrecedenceOfUpdates {
  lowerThan: TernaryPrecedence
  higherThan: AssignmentPrecedence
}

/// One attribute and its new value, checked by the compiler: `\.completed <- true`.
public struct Assignment<T: Object> {
  let keyPath: AnyKeyPath
  let change: Change

  enum Change {
    case word(UInt64)
    case null
    case export((BatchExport) throws -> BatchCell)
    /// A list's new elements, made from its present ones.
    case list((StoreHandle, T?, BatchExport) throws -> BatchCell)
  }
}

/// Assigns a value: `\.note <- "late"`, `\.note <- nil`.
public func <- <T: Object, V: PersistableValue>(
  keyPath: ReferenceWritableKeyPath<T, V>, value: V
) -> Assignment<T> {
  Assignment(keyPath: keyPath, change: .export { try V.storageExport(value, $0) })
}

/// Assigns a number or another single value.
public func <- <T: Object, V: ScalarValue>(
  keyPath: ReferenceWritableKeyPath<T, V>, value: V
) -> Assignment<T> {
  // Words need no closure, which is half of the cost of an assignment.
  if V.scalarWordKind {
    return Assignment(keyPath: keyPath, change: .word(value.encode { $0.word }))
  }
  return Assignment(keyPath: keyPath, change: .export { try V.storageExport(value, $0) })
}

/// Replaces a list's elements.
public func <- <T: Object, E: CollectionElement>(
  keyPath: ReferenceWritableKeyPath<T, List<E>>, elements: [E]
) -> Assignment<T> {
  Assignment(
    keyPath: keyPath, change: .export { try List<E>.storageExport(List(elements), $0) })
}

/// Appends to a list.
public func += <T: Object, E: CollectionElement>(
  keyPath: KeyPath<T, List<E>>, elements: [E]
) -> Assignment<T> {
  Assignment(
    keyPath: keyPath,
    change: .list { _, object, export in
      let old = object.map { Array($0[keyPath: keyPath]) } ?? []
      return try List<E>.storageExport(List(old + elements), export)
    })
}

/// Removes all elements of a list that are equal to one of these.
public func -= <T: Object, E: CollectionElement & Equatable>(
  keyPath: KeyPath<T, List<E>>, elements: [E]
) -> Assignment<T> {
  Assignment(
    keyPath: keyPath,
    change: .list { _, object, export in
      let old = object.map { Array($0[keyPath: keyPath]) } ?? []
      return try List<E>.storageExport(List(old.filter { !elements.contains($0) }), export)
    })
}

extension ScalarValue {
  /// Whether a cell of it is a word that every value of it fits.
  static var scalarWordKind: Bool {
    let kind = scalarKind
    return kind.column != .text && kind != .date
  }
}

/// What a partial update did.
public enum UpdateOutcome: Sendable, Hashable {
  /// The attributes that changed, in the order they were given.
  case updated([String])
  /// The object holds these values already.
  case unchanged
  /// There is no object with this key.
  case notFound
}

/// What to do when a partial update finds no object.
public enum MissingObject: Sendable, Hashable {
  /// Nothing: the outcome is ``UpdateOutcome/notFound``.
  case ignore
  /// Make one with the key, these values, and defaults for the rest.
  case orInsert
}

extension Store {
  /// Changes some attributes of the object with this key; the others stay.
  ///
  ///     try store.update(Order.self, key: 7, \.completed <- true, \.note <- nil)
  ///
  /// Opens a write of its own, or joins the open one. A later assignment to the same attribute
  /// wins.
  /// - Throws: `typeMismatch` for a key of another type, `noPrimaryKey`, `alreadyWriting`.
  @discardableResult
  public func update<T: Object>(
    _ type: T.Type, key: some PrimaryKeyValue, _ assignments: Assignment<T>...,
    missing: MissingObject = .ignore
  ) throws -> UpdateOutcome {
    try update(type, key, assignments, missing)
  }

  /// Changes one attribute of the object with this key.
  @discardableResult
  public func update<T: Object, V: PersistableValue>(
    id key: some PrimaryKeyValue, _ keyPath: ReferenceWritableKeyPath<T, V>, _ value: V
  ) throws -> UpdateOutcome {
    try update(T.self, key, [keyPath <- value], .ignore)
  }

  private func update<T: Object, Key: PrimaryKeyValue>(
    _ type: T.Type, _ key: Key, _ assignments: [Assignment<T>], _ missing: MissingObject
  ) throws -> UpdateOutcome {
    let entry = try handle.entry(type)
    guard entry.keyColumn >= 0 else {
      throw StoreError(.noPrimaryKey(className: entry.schema.className))
    }
    guard entry.keyKind == Key.scalarKind
      || entry.keyKind.column == .word && Key.scalarKind.column == .word
    else {
      throw StoreError(
        .typeMismatch(
          attribute: "\(entry.schema.className).\(entry.schema.primaryKeyProperty?.name ?? "")",
          expected: entry.keyKind.name, found: "a key of type \(Key.self)"))
    }
    if handle.isWriting {
      let slot = key.encode { handle.find($0, Key.scalarKind, entry) }
      return try update(entry, slot, key, assignments, missing)
    }
    try handle.begin()
    do {
      let slot = key.encode { handle.find($0, Key.scalarKind, entry) }
      let outcome = try update(entry, slot, key, assignments, missing)
      handle.commit()
      return outcome
    } catch {
      handle.cancel()
      throw error
    }
  }

  private func update<T: Object>(
    _ entry: ClassEntry, _ slot: Int?, _ key: some PrimaryKeyValue,
    _ assignments: [Assignment<T>], _ missing: MissingObject
  ) throws -> UpdateOutcome {
    guard let transaction = handle.transaction else { throw StoreError(.notWriting) }
    if slot == nil && missing == .ignore { return .notFound }
    if let slot { return try update(entry, slot, assignments, transaction) }
    return try handle.withBatch { batch in
      let export = BatchExport(batch, for: handle)
      let row = batch.makeRow(entry.shape)
      let conversion = UpdateConversion(handle, batch)
      var names: [String] = []
      for assignment in assignments {
        let attribute = try handle.attribute(assignment.keyPath, entry)
        row[attribute.index] = try cell(assignment, nil, entry, export)
        if !names.contains(attribute.name) { names.append(attribute.name) }
      }
      if let keyProperty = entry.schema.primaryKeyProperty {
        row[keyProperty.column - entry.layout.firstAttribute] = try conversion.cell(
          UpdateValue(key), keyProperty, entry)
      }
      batch.complete(row)
      try handle.apply(batch, .modified)
      handle.promoteInstances(of: export)
      return .updated(names)
    }
  }

  /// Changes a row that exists: by all assignments, or, if one is refused, by none.
  private func update<T: Object>(
    _ entry: ClassEntry, _ slot: Int, _ assignments: [Assignment<T>], _ transaction: Transaction
  ) throws -> UpdateOutcome {
    let writer = transaction.writer(entry.table)
    var changed: [String] = []
    var areWords = true
    for assignment in assignments {
      guard try handle.attribute(assignment.keyPath, entry).column != entry.keyColumn else {
        throw StoreError(
          .invalidKeyPath(
            "\(entry.schema.className).\(entry.schema.primaryKeyProperty?.name ?? "") "
              + "is the primary key; use store.rekey(_:to:)"))
      }
      if case .word = assignment.change { continue }
      areWords = false
    }
    func assign(_ assignment: Assignment<T>, _ cell: BatchCell) throws {
      let attribute = try handle.attribute(assignment.keyPath, entry)
      if transaction.write(writer, slot, attribute.column, cell, writesEqual: false),
        !changed.contains(attribute.name)
      {
        if changed.isEmpty { changed.reserveCapacity(assignments.count) }
        changed.append(attribute.name)
      }
    }
    if areWords {
      for assignment in assignments {
        if case .word(let bits) = assignment.change { try assign(assignment, .word(bits)) }
      }
    } else {
      // A later assignment may build on an earlier one (`+=`), so they are written one by one.
      try write {
        try handle.withBatch { batch in
          let export = BatchExport(batch, for: handle)
          for assignment in assignments {
            let cell = try cell(assignment, slot, entry, export)
            try applyExported(export)
            try assign(assignment, cell)
          }
        }
      }
    }
    return changed.isEmpty ? .unchanged : .updated(changed)
  }

  private func cell<T: Object>(
    _ assignment: Assignment<T>, _ slot: Int?, _ entry: ClassEntry, _ export: BatchExport
  ) throws -> BatchCell {
    switch assignment.change {
    case .word(let bits): return .word(bits)
    case .null: return .null
    case .export(let body): return try body(export)
    case .list(let body):
      let object: T? = slot.map { handle.object(entry, $0) }
      return try body(handle, object, export)
    }
  }

  /// Unmanaged objects that an assignment links to are added.
  private func applyExported(_ export: BatchExport) throws {
    guard !export.instances.isEmpty else { return }
    try export.finish()
    try handle.apply(export.batch, .error)
    handle.promoteInstances(of: export)
    export.forgetInstances()
  }
}

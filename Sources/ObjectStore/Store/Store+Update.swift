extension Store {
  /// The outcome of a partial update.
  public enum UpdateOutcome: Sendable, Hashable {
    /// The object changed, or was inserted. The value contains the names of the changed attributes, or for an inserted
    /// object of the assigned ones, in the order of the assignments.
    case updated([String])
    /// The object already holds these values.
    case unchanged
    /// There is no object with this key.
    case notFound
  }
}

package typealias UpdateOutcome = Store.UpdateOutcome

extension Store {
  /// The behavior of a partial update that finds no object.
  public enum MissingObject: Sendable, Hashable {
    /// Does nothing. The outcome is ``Store/UpdateOutcome/notFound``.
    case ignore
    /// Inserts an object with the key, the assigned values, and defaults for the other attributes.
    case orInsert
  }
}

package typealias MissingObject = Store.MissingObject

extension Store {
  /// Assigns attributes of the object with this key; other attributes keep their values.
  ///
  ///     try store.update(Order.self, key: 7, \.completed <- true, \.note <- nil)
  ///
  /// The call opens a write of its own or joins the open one. If it throws, no assignment takes effect. If an
  /// attribute is assigned twice, the later assignment wins.
  /// - Throws: `typeMismatch` for a key of the wrong type; `noPrimaryKey`; `alreadyWriting`; `invalidKeyPath` as in
  ///   ``Results/update(_:)``; the errors of assigning the values.
  @inlinable @discardableResult
  public func update<T: Object, Key: ObjectKey>(
    _ type: T.Type, key: Key, _ assignments: Assignment<T>...,
    missing: MissingObject = .ignore
  ) throws -> UpdateOutcome {
    try assignments.withUnsafeBytes { bytes in
      try key._encode {
        try update(type, $0, key, bytes.bindMemory(to: UntypedAssignment.self), missing)
      }
    }
  }

  /// Assigns one attribute of the object with this key.
  @inlinable @discardableResult
  public func update<T: Object, V: PersistableValue, Key: ObjectKey>(
    id key: Key, _ keyPath: ReferenceWritableKeyPath<T, V>, _ value: V
  ) throws -> UpdateOutcome {
    try update(T.self, key: key, keyPath <- value)
  }

  /// A variant of ``update(_:key:_:missing:)`` that takes an array of assignments.
  @discardableResult
  package func update<T: Object, Key: ObjectKey>(
    _ type: T.Type, key: Key, _ assignments: [Assignment<T>], missing: MissingObject
  ) throws -> UpdateOutcome {
    try assignments.withUnsafeBytes { bytes in
      try key._encode {
        try update(type, $0, key, bytes.bindMemory(to: UntypedAssignment.self), missing)
      }
    }
  }

  /// Assigns attributes of an object of this store; other attributes keep their values.
  ///
  ///     try store.update(order, \.completed <- true, \.note <- nil)
  ///
  /// Works like ``update(_:key:_:missing:)``, and also accepts an object without a primary key.
  /// - Throws: `objectInvalidated`; `objectOfAnotherStore`; `alreadyWriting`; `invalidKeyPath` as in
  ///   ``Results/update(_:)``; the errors of assigning the values.
  @discardableResult
  public func update<T: Object>(
    _ object: T, _ assignments: Assignment<T>...
  ) throws -> UpdateOutcome {
    try update(object, assignments)
  }

  /// A variant of ``update(_:_:)`` that takes an array of assignments.
  @discardableResult
  package func update<T: Object>(
    _ object: T, _ assignments: [Assignment<T>]
  ) throws -> UpdateOutcome {
    try write {
      let slot = try handle.slot(of: object)
      let entry = try handle.entry(of: object)
      return try assignments.withUnsafeBytes {
        try handle.update(entry, slot, $0.bindMemory(to: UntypedAssignment.self))
      }
    }
  }

  /// Assigns the elements of a list that a server has sent.
  ///
  /// - Parameters:
  ///   - withheld: The elements that were deleted locally, with their indexes among all elements.
  ///   - author: The author of the list.
  ///   - requestVersion: The version at the time of the request; nil if it is unknown. A list whose edit was confirmed since
  ///     is not assigned.
  /// - Returns: The conflict with an unconfirmed edit of the list, resolved.
  package func assign<Owner: Object, T: Object>(
    _ elements: [T], withheld: [(index: Int, tombstone: Int)],
    to list: ReferenceWritableKeyPath<Owner, List<T>>, of owner: Owner, as author: ValueAuthor,
    asOf requestVersion: StoreVersion?
  ) throws -> [Edit.Conflict] {
    let slot = try handle.slot(of: owner)
    let entry = try handle.entry(of: owner)
    let attribute = try handle.attribute(list, entry)
    return try handle.applying(as: author) {
      if let requestVersion {
        let transaction = try handle.writableTransaction()
        let writer = transaction.writer(entry.table)
        let request = RequestState(requestVersion.version, transaction)
        if request.hasConfirmed(attribute, writer, slot) { return }
      }
      try update(owner, list <- elements)
      if !withheld.isEmpty {
        try handle.writableTransaction().noteWithheldElements(withheld, entry, slot, attribute)
      }
    }.conflicts
  }

  @usableFromInline
  func update(
    _ type: ObjectBase.Type, _ cell: _ScalarCell, _ key: any ObjectKey,
    _ assignments: UnsafeBufferPointer<UntypedAssignment>, _ missing: MissingObject
  ) throws -> UpdateOutcome {
    let entry = try handle.entry(type)
    if let error = entry.mismatch(ofKey: key) { throw error }
    let kind = key._keyKind ?? entry.keyKind
    return try handle.joinOrWrite {
      if let slot = handle.find(cell, kind, entry) {
        return try handle.update(entry, slot, assignments)
      }
      guard missing == .orInsert else { return .notFound }
      let compound = entry.hasCompoundKey ? entry.schema.compoundKey(of: key) : nil
      return try insert(entry, cell, kind, compound, assignments)
    }
  }

  /// Inserts an object with the key and the assigned values.
  private func insert(
    _ entry: ClassEntry, _ key: _ScalarCell, _ kind: ScalarKind, _ compound: CompoundKey?,
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
      let assigned = row[keyAttribute]
      row[keyAttribute] =
        kind.column == .bytes ? batch.text(copying: key.bytes) : .word(key.word)
      guard assigned.state == .absent || Self.isSame(assigned, row[keyAttribute], kind) else {
        throw StoreError(.invalidKeyPath(entry.schema.keyAdvice(keyAttribute)))
      }
      if entry.hasCompoundKey { try fillParts(row, compound, entry, batch) }
      guard kind == entry.keyKind || Self.isInRange(key.word, kind, entry.keyKind) else {
        throw StoreError(
          .outOfRange(
            attribute: "\(entry.schema.className).\(entry.attributes[keyAttribute].name)",
            expected: entry.keyKind.name, found: KeyDescription.describe(row[keyAttribute], kind)))
      }
      try export.finish()
      row.setInstance()
      batch.complete(row)
      try handle.apply(batch, .modified)
      handle.attachInstances(of: export)
      return .updated(names)
    }
  }

  /// True if an attribute is the primary key of its class, or a part of it.
  package func isOfKey(_ keyPath: AnyKeyPath, _ type: ObjectBase.Type) throws -> Bool {
    let entry = try handle.entry(type)
    let attribute = try handle.attribute(keyPath, entry)
    return attribute == entry.keyColumn - entry.layout.firstAttribute
      || entry.schema.keyParts.contains(attribute)
  }

  /// Fills in the attributes of a new row that form its compound key. A value assigned to one of them must equal the
  /// corresponding part of the key.
  @inline(never)
  private func fillParts(
    _ row: BatchRow, _ key: CompoundKey?, _ entry: ClassEntry, _ batch: RowBatch
  ) throws {
    let schema = entry.schema
    guard let key else {
      throw StoreError(
        .primaryKeyNotFound(className: schema.className, attribute: schema.compoundKey[0]))
    }
    let known = batch.makeRow(entry.shape)
    let conversion = UpdateConversion(handle, batch)
    try conversion.fillKey(known, key, entry)
    for part in schema.keyParts {
      let (wanted, assigned) = (known[part], row[part])
      if assigned.state != .absent, !Self.isSame(assigned, wanted, entry.attributes[part].kind) {
        throw StoreError(.invalidKeyPath(schema.keyAdvice(part)))
      }
      row[part] = wanted
    }
  }

  private static func isSame(_ a: BatchCell, _ b: BatchCell, _ kind: ScalarKind) -> Bool {
    kind.isBytes ? a.bytes.hasSameBytes(as: b.bytes) : a.bits == b.bits
  }

  /// True if an integer of one kind is in the range of another kind.
  static func isInRange(_ word: UInt64, _ kind: ScalarKind, _ other: ScalarKind) -> Bool {
    if kind.signedRange != nil, Int64(bitPattern: word) < 0 {
      return other.signedRange?.contains(Int64(bitPattern: word)) ?? false
    }
    guard let signed = other.signedRange else { return word <= other.unsignedMaximum ?? 0 }
    return Int64(exactly: word).map { signed.contains($0) } ?? false
  }
}

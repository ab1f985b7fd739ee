// The coder's access to the store beyond the public API.

extension ObjectSchema {
  /// The identity of the schema among those of one store.
  package var schemaID: ObjectIdentifier { ObjectIdentifier(self) }

  /// The current declarations of the JSON mapping. A declared class computes them anew.
  package var currentDeclarations: ClassDeclarations {
    id.objectType.map { ClassDeclarations(of: $0) } ?? declarations
  }

  /// Returns the mistakes in the class if its JSON mapping had these declarations.
  package func mistakes(with declarations: ClassDeclarations) -> [String] {
    if declarations == self.declarations { return mistakes }
    let check = SchemaCheck(className, isEmbedded: isEmbedded, properties, declarations)
    return mistakes + check.codingMistakes.filter { !mistakes.contains($0) }
  }
}

extension Store {
  /// The schemas of a class and of all classes reachable through its attributes, with their errors.
  package func codingSchemas(from type: ObjectBase.Type) -> [ObjectSchema] {
    handle.core.reachable(from: ModelClass.of(type)).map(\.schema)
  }

  /// The schemas of the class with this name and of all classes reachable through its attributes.
  /// - Throws: `unknownClass`.
  package func codingSchemas(from className: String) throws -> [ObjectSchema] {
    handle.core.reachable(from: try handle.entry(named: className).model).map(\.schema)
  }

  /// The schema of an object's class. The object may also be unmanaged or frozen.
  package func schema(of object: ObjectBase) -> ObjectSchema { object.model.schema }

  /// True if the object is unmanaged or belongs to this store, or if this store has the same class and the same classes
  /// reachable through its attributes.
  package func knowsClasses(of object: ObjectBase) -> Bool {
    guard let core = object.handle?.core, core !== handle.core else { return true }
    return core.reachable(from: object.model).allSatisfy { other in
      let known = try? handle.entry(named: other.schema.tableName)
      return known?.schema.isSame(as: other.schema) ?? false
    }
  }

  /// The classes of these schemas in this store.
  /// - Throws: `invalidDeclarations`, `tableNameClash`.
  package func codingClasses(_ schemas: [ObjectSchema]) throws -> [CodingClass] {
    try schemas.map { schema in
      let type = schema.id.objectType
      return CodingClass(
        try type.map { try handle.entry($0) } ?? handle.entry(named: schema.tableName))
    }
  }

  /// Returns the cells of a key from code: one for the primary key, or one for each part of a compound key,
  /// which its string also identifies.
  /// - Throws: `noPrimaryKey`, `typeMismatch`, `outOfRange`, `valueTooLarge`.
  package func keyCells(
    of key: any ObjectKey, _ class: CodingClass, in batch: RowBatch
  ) throws -> [BatchCell] {
    let entry = `class`.entry
    let schema = entry.schema
    if let error = entry.mismatch(ofKey: key) { throw error }
    if entry.hasCompoundKey {
      // Also a plain string, for example of the path of a request.
      let compound = schema.compoundKey(of: key) ?? schema.compoundKey(of: key._updateValue)
      guard let compound else {
        throw schema.mismatch(found: "\(key._updateValue)")
      }
      let row = batch.makeRow(entry.shape)
      try UpdateConversion(handle, batch).fillKey(row, compound, entry)
      return schema.keyParts.map { row[$0] }
    }
    let kind = key._keyKind ?? entry.keyKind
    let attribute = "\(schema.className).\(schema.primaryKeyProperty?.name ?? "")"
    let cell = try key._encode { try batch.cell($0, kind, of: attribute) }
    guard kind == entry.keyKind || Self.isInRange(cell.bits, kind, entry.keyKind) else {
      throw StoreError(
        .outOfRange(
          attribute: attribute, expected: entry.keyKind.name,
          found: KeyDescription.describe(cell, kind)))
    }
    return [cell]
  }

  /// The bytes of an attribute of the stored object with the key of a row; nil without such an object, and for null. They
  /// are valid until the store changes or is refreshed.
  package func storedBytes(
    _ attribute: Int, of row: BatchRow, _ class: CodingClass
  ) -> UnsafeRawBufferPointer? {
    let entry = `class`.entry
    guard entry.keyColumn >= 0, row.key.state == .value else { return nil }
    return handle.withTableVersion(entry.table) { version in
      let slot =
        entry.layout.columns[entry.keyColumn].kind == .bytes
        ? version.find(bytes: row.key.bytes, entry.keyColumn)
        : version.find(word: row.key.bits, entry.keyColumn)
      guard let slot else { return nil }
      let column = version.columns(slot)[entry.layout.firstAttribute + attribute]
      let index = slot & ChunkLayout.mask
      return column.isNull(index) ? nil : column.bytes(ofWord: column.word(index))
    }
  }

  /// Runs `body` with an empty batch.
  ///
  /// The memory of the batch is reused after the call, unless `isKept` is true: then the batch is new and may outlive
  /// the call.
  /// - Throws: `writeInDefault`, and any error of `body`.
  package func withBatch<R>(isKept: Bool = false, _ body: (RowBatch) throws -> R) throws -> R {
    try handle.checkMayWrite()
    return try isKept ? body(RowBatch(handle.evaluation)) : handle.withBatch(body)
  }

  /// Runs `body` with a batch that is not applied, also in a store that must not be written.
  package func withUnappliedBatch<R>(_ body: (RowBatch) throws -> R) rethrows -> R {
    try handle.withBatch(body)
  }

  /// Returns update dictionaries that read the rows of a batch in place.
  ///
  /// - Parameters:
  ///   - batch: The batch, which must not be written afterwards.
  ///   - text: The owner of the immutable bytes that the cells point into.
  package func updates(
    of rows: [BatchRow], _ batch: RowBatch, text: any AnyObject & Sendable
  ) -> [UpdateDictionary] {
    let kept = DecodedRows(batch, text, handle.classes.byTable)
    return rows.map { UpdateDictionary(DecodedUpdate(kept, $0)) }
  }

  /// Applies the batch as one transaction, or as part of the open one.
  ///
  /// - Parameters:
  ///   - depth: The nesting depth of the rows, if it may be too deep for this stack.
  ///   - author: The author of the values.
  ///   - requestVersion: The version at the time of the request that the batch answers. Values that the server has
  ///     changed since are not applied. Nil if it is unknown.
  /// - Returns: The conflicts with unconfirmed edits, resolved.
  /// - Throws: `alreadyWriting`, `objectOfAnotherStore` for a version of another store, and the errors of applying the
  ///   batch and of the commit.
  @discardableResult
  package func apply(
    _ batch: RowBatch, depth: Int = 0, as author: ValueAuthor = .user,
    asOf requestVersion: StoreVersion? = nil
  ) throws -> [Edit.Conflict] {
    if let requestVersion { try requestVersion.check(isOf: handle) }
    let conflicts = try handle.applying(as: author) {
      try applyInWrite(batch, depth: depth, asOf: requestVersion?.version)
    }.conflicts
    showUndeleted(batch, conflicts)
    return conflicts
  }

  /// Gives the rows of a batch the objects that the resolver of conflicts has brought back.
  private func showUndeleted(_ batch: RowBatch, _ conflicts: [Edit.Conflict]) {
    guard conflicts.contains(where: \.isDeletedLocally), !batch.releasesRows else { return }
    for index in 0..<batch.rowCount {
      let row = batch.rows[index]
      guard row.tombstone != nil else { continue }
      let table = Int(row.header.pointee.table)
      guard let column = handle.layout(table).keyColumn else { continue }
      let (version, key) = (handle.tableVersion(table), row.key)
      let isBytes = handle.layout(table).columns[column].kind == .bytes
      guard
        let slot = isBytes
          ? version.find(bytes: key.bytes, column) : version.find(word: key.bits, column)
      else { continue }
      row.header.pointee.slot = slot
      row.header.pointee.flags |= BatchRow.wasChanged
    }
  }

  private func applyInWrite(
    _ batch: RowBatch, depth: Int, asOf requestVersion: Version? = nil
  ) throws {
    if depth > DeepStack.shallowDepth {
      try DeepStack.run(depth: depth) {
        try handle.apply(batch, .modified, asOf: requestVersion)
      }
    } else {
      try handle.apply(batch, .modified, asOf: requestVersion)
    }
  }

  /// The version that the store shows, for payloads that are requested or arrive from now on; nil if no class tracks edits, so
  /// that no payload can undo a confirmed one.
  package var requestVersion: StoreVersion? {
    handle.engine.tablesWithBases.isEmpty ? nil : holdVersion()
  }

  /// Applies the batch and then deletes the objects with these keys, as one transaction or as part of the open one.
  ///
  /// - Returns: For each key, true if an object was deleted; a key that occurs again deletes nothing, nor does one whose
  ///   object remains as the resolver of conflicts chose. The conflicts with unconfirmed edits, resolved.
  /// - Throws: The errors of ``apply(_:depth:as:asOf:)``.
  package func apply(
    _ batch: RowBatch, depth: Int, deleting keys: [(class: CodingClass, key: BatchCell)],
    as author: ValueAuthor, asOf requestVersion: StoreVersion? = nil
  ) throws -> (isDeleted: [Bool], conflicts: [Edit.Conflict]) {
    if let requestVersion { try requestVersion.check(isOf: handle) }
    let outcome = try handle.applying(as: author) {
      try applyInWrite(batch, depth: depth, asOf: requestVersion?.version)
      return try handle.withTransaction { transaction in
        var slots: [Int: Set<Int>] = [:]
        var rows: [(table: Int, slot: Int)] = []
        let deleted = keys.map { codingClass, key -> (table: Int, slot: Int)? in
          let table = codingClass.entry.table
          let writer = transaction.writer(table)
          guard let slot = writer.find(key) else {
            if transaction.edits.phase.isApplying { transaction.endTombstone(writer, key) }
            return nil
          }
          guard slots[table, default: []].insert(slot).inserted else { return nil }
          rows.append((table, slot))
          return (table, slot)
        }
        if transaction.edits.phase.isApplying {
          transaction.deleteForServer(rows)
        } else {
          transaction.delete(rows)
        }
        return deleted
      }
    }
    showUndeleted(batch, outcome.conflicts)
    let isDeleted = outcome.result.map { row in
      row.map { !handle.tableVersion($0.table).isLive($0.slot) } ?? false
    }
    return (isDeleted, outcome.conflicts)
  }

  /// Applies the batch and returns the objects of its top-level rows.
  ///
  /// Rows are freed as they are applied, and the batch is emptied before the first object is created.
  package func applied<T: Object>(
    _ type: T.Type, _ batch: RowBatch, depth: Int, _ class: CodingClass, as author: ValueAuthor
  ) throws -> [T] {
    batch.releasesRows = true
    try apply(batch, depth: depth, as: author)
    // Objects that were deleted locally have a negative slot.
    let slots = batch.topSlots.filter { $0 >= 0 }
    batch.removeAll()
    return slots.map { handle.object(`class`.entry, $0) }
  }

  /// All objects of a class.
  package func objects<T: Object>(of class: CodingClass) -> Results<T> {
    Results(handle, `class`.entry)
  }

  package func object<T: Object>(_ type: T.Type, of row: BatchRow, _ class: CodingClass) -> T {
    handle.object(`class`.entry, row.header.pointee.slot)
  }

  /// The primary key of an applied row.
  package func key(of row: BatchRow, _ class: CodingClass) -> UpdateValue {
    handle.key(of: row, `class`.entry)
  }

  /// The primary key that a cell holds.
  package func key(_ cell: BatchCell, _ class: CodingClass) -> UpdateValue {
    `class`.entry.key(cell)
  }

  /// The object of an applied row; nil if it was deleted.
  package func liveObject(of row: BatchRow, _ class: CodingClass) -> Object? {
    let slot = row.header.pointee.slot
    guard slot >= 0, handle.tableVersion(`class`.entry.table).isLive(slot) else { return nil }
    return handle.accessor(`class`.entry, slot) as? Object
  }
}

extension BatchRow {
  /// Marks the row as dropped, because a later row of the payload replaces it.
  package func drop() { header.pointee.flags |= Self.isDropped }

  /// True if a later row of the payload replaces the row.
  package var isDropped: Bool { has(Self.isDropped) }
}

extension Frozen {
  package var rowView: RowView {
    RowView(handle, table: entry.table, slot: slot)
  }
}

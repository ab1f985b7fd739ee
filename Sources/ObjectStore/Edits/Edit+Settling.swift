// Access to edits for coders and data sources.

extension Edit {
  /// The class of the object; ``DynamicObject`` if only a schema describes it.
  package var modelType: ObjectBase.Type { entry.model.type }

  /// The name of the class's table.
  package var tableName: String { entry.schema.tableName }

  /// The names of the changed attributes of which the server has the base value, as far as can be known.
  package var attributesWithBase: [String] {
    taken.attributes.filter(isBaseCertain).map { entry.attributeNames[$0] }
  }

  /// The names of the changed attributes whose base value is known, although the server may have another one by now.
  package var attributesWithUncertainBase: [String] {
    taken.attributes.filter { isBaseKnown($0) && !isBaseCertain($0) }.map {
      entry.attributeNames[$0]
    }
  }

  /// False if the deleted object of the edit lacked an attribute.
  package func isGiven(_ attribute: Int) -> Bool {
    !handle.tableVersion(base.table).marks(taken.baseSlot, base, attribute).contains(.missing)
  }

  /// The names of the changed attributes that hold one object and whose base value the server may not have.
  package var objectsWithoutBase: [String] {
    taken.attributes.filter { attribute in
      let shape = entry.schema.storedProperties[attribute].shape
      return shape.form == .link && shape.target != nil && !isBaseCertain(attribute)
    }.map { entry.attributeNames[$0] }
  }

  /// True if a merge patch of the object's values since its base values sets each changed attribute. It would omit members
  /// of an embedded object, a map or a JSON value that equal the base value although the server may have another one.
  package var isDifferenceComplete: Bool {
    taken.attributes.allSatisfy { attribute in
      let property = entry.schema.storedProperties[attribute]
      let hasMembers =
        property.shape.form == .map || property.shape.target != nil && property.shape.form == .link
        || property.shape.scalar?.kind == .json
      return hasMembers ? isBaseCertain(attribute) : differsFromBase(attribute)
    }
  }

  /// The names of the edited attributes that are not part of the edit, because they link to objects that the server does not
  /// have yet and that wait for this one.
  package var excludedAttributes: [String] {
    guard kind != .deleted else { return [] }
    let all = handle.tableVersion(base.table).editedAttributes(taken.baseSlot, base)
    return all.filter { !taken.attributes.contains($0) }.map { entry.attributeNames[$0] }
  }

  /// Identifies the object among those with edits, also after its key changed.
  package struct Identity: Hashable, Sendable {
    let table: Int
    let baseSlot: Int
  }

  /// The key of the object when the edit was taken.
  package var objectKey: (any ObjectKey)? {
    let row =
      taken.slot.map { handle.accessor(entry, $0) }
      ?? handle.accessor(handle.entry(ofTable: base.table), taken.baseSlot)
    return entry.schema.key(of: row)
  }

  /// True if an earlier edit of the object was sent whose fate is unknown: the server may have applied it.
  package var isResent: Bool {
    let bases = handle.tableVersion(base.table)
    return base.tracked.contains {
      bases.marks(taken.baseSlot, base, $0).contains(.uncertain)
    }
  }

  /// True if the edit has all attributes that can have edits, as when a deleted object was created again.
  package var isOfAllAttributes: Bool { taken.attributes.count == base.tracked.count }

  package var identity: Identity { Identity(table: base.table, baseSlot: taken.baseSlot) }

  /// The objects in ``waitsFor``.
  package var waitsForIdentities: [Identity] {
    waitsFor.compactMap { prerequisite in
      let entry = try? handle.core.entry(named: prerequisite.tableName)
      guard let entry, let base = entry.base else { return nil }
      let baseSlot = handle.tableVersion(base.table).find(
        keyOf: prerequisite.slot, in: handle.tableVersion(entry.table), entry.layout)
      return baseSlot.map { Identity(table: base.table, baseSlot: $0) }
    }
  }
}

extension Store {
  /// Confirms an edit, and gives the object the key that the server has assigned to it. If another object has the key,
  /// because a refresh was faster, the object is merged into that one.
  ///
  /// - Parameter update: The server's object; nil if its response contains none.
  /// - Returns: False if the edit was settled before, or its object is gone without a deletion to be sent: then the response
  ///   is out of date.
  @discardableResult
  package func confirm(_ edit: Edit, with update: UpdateDictionary?) throws -> Bool {
    try checkTaken(edit)
    let entry = edit.entry
    return try handle.writeBases { transaction in
      if transaction.isSettled(edit.taken) { return false }
      let writer = transaction.writer(entry.table)
      let slot = transaction.row(of: edit.taken.baseSlot, edit.base, in: writer)
      transaction.confirm(edit.taken)
      guard edit.kind == .created, let update else { return true }
      try handle.withBatch { batch in
        guard let row = try keyRow(update, entry, batch) else { return }
        if let slot {
          transaction.adoptKey(of: row, slot, writer, edit.base, entry.schema)
        } else {
          transaction.adoptKey(
            of: row, tombstone: edit.taken.baseSlot, writer, edit.base, entry.schema)
        }
      }
      return true
    }
  }

  /// Runs `body`, which confirms an edit and stores the server's response. If the edit is a creation that was sent again,
  /// the response may be the one to the first request: attributes that have changed since stay edits if it has other values.
  package func keepingSentValues<R>(of edit: Edit, _ body: () throws -> R) throws -> R {
    guard edit.kind == .created, edit.isResent, edit.handle.core === handle.core else {
      return try body()
    }
    let entry = edit.entry
    let bases = handle.tableVersion(edit.base.table)
    let slot = handle.tableVersion(entry.table).find(
      keyOf: edit.taken.baseSlot, in: bases, entry.layout)
    let result = try body()
    guard let slot else { return result }
    let changed = edit.taken.attributes.filter {
      edit.handle.tableVersion(edit.base.table).marks(edit.taken.baseSlot, edit.base, $0)
        .contains(.changed)
    }
    try handle.writeBases {
      $0.keepSentValues(of: edit.taken, changed, slot, edit.base)
    }
    return result
  }

  /// The current key of the object of an edit. If the object was deleted, the key when the edit was taken; nil for a
  /// creation.
  package func currentKey(of edit: Edit) -> (any ObjectKey)? {
    let rows = handle.tableVersion(edit.entry.table)
    let bases = handle.tableVersion(edit.base.table)
    // A base row that was dropped keeps its key.
    guard let slot = rows.find(keyOf: edit.taken.baseSlot, in: bases, edit.entry.layout) else {
      if edit.kind == .created { return nil }
      return edit.key
    }
    return edit.entry.schema.key(of: handle.accessor(edit.entry, slot))
  }

  /// Returns a row with the key of an update; nil if the update has none.
  private func keyRow(
    _ update: UpdateDictionary, _ entry: ClassEntry, _ batch: RowBatch
  ) throws -> BatchRow? {
    let names =
      entry.hasCompoundKey
      ? entry.schema.compoundKey : [entry.schema.primaryKeyProperty?.name ?? ""]
    var key = UpdateDictionary()
    for name in names {
      guard let value = update[name] else { return nil }
      key.append(name, value)
    }
    return try UpdateConversion(handle, batch).row(key, entry, isTop: true)
  }

  /// Records that the server does not have the object of an edit.
  ///
  /// A deletion is confirmed, and a creation is released. An object with edits is kept, created again or deleted, as
  /// `resolve` chooses. An object whose edits were set back since stays, and one that was deleted since is still to be
  /// deleted by the server.
  package func confirmGone(
    _ edit: Edit, _ resolve: @escaping (Edit.Conflict) throws -> Edit.Choice
  ) throws -> Edit.Conflict? {
    try checkTaken(edit)
    if edit.kind == .created {
      try release(edit)
      return nil
    }
    if edit.kind == .deleted {
      try confirm(edit)
      return nil
    }
    return try handle.applying(as: .server(resolve)) {
      let transaction = try handle.writableTransaction()
      guard transaction.isInFlight(edit.taken, edit.base) else { return }
      transaction.releaseUnapplied(edit.taken)
      let writer = transaction.writer(edit.entry.table)
      // A deletion since is still sent: the request for the edit may have been wrong.
      guard transaction.writer(edit.base.table).version.isLive(edit.taken.baseSlot),
        let slot = transaction.row(of: edit.taken.baseSlot, edit.base, in: writer)
      else { return }
      transaction.deleteForServer([(edit.entry.table, slot)])
    }.conflicts.first
  }
}

extension Transaction {
  /// Makes values of a confirmed edit edits again that differ from those of its object.
  fileprivate func keepSentValues(
    of edit: TakenEdit, _ attributes: [Int], _ slot: Int, _ base: BaseLayout
  ) {
    let writer = writer(edit.table)
    // The object may have been merged into the one that a refresh delivered.
    let slot = Int(currentTarget(UInt64(slot) + 1, edit.table, linkedIn: nil)) - 1
    guard let sentSlot = edit.slot, writer.version.isLive(slot) else { return }
    let bases = self.writer(base.table)
    let row = StoredRow(state: nil, table: edit.table, slot: slot)
    let sent = StoredRow(state: edit.state, table: edit.table, slot: sentSlot)
    for attribute in attributes {
      let column = writer.firstAttribute + attribute
      let known = liveBaseRow(writer, slot, base)
      if let known, bases.version.marks(known, base, attribute).contains(.edited) { continue }
      if isEqual(column, row, sent) { continue }
      let baseSlot = known ?? addBaseRow(writer, slot, base, .edited)
      copyValue(column, of: row, to: bases, baseSlot)
      setMarks([.edited, .known, .moved], of: attribute, base, baseSlot)
      copyValue(column, of: sent, to: writer, slot)
    }
  }

  /// Gives a created object the server's key.
  ///
  /// - Parameter row: A batch row with the key.
  fileprivate func adoptKey(
    of row: BatchRow, _ slot: Int, _ writer: TableWriter, _ base: BaseLayout,
    _ schema: ObjectSchema
  ) {
    let existing = writer.find(row.key)
    if existing == slot { return }
    if let existing { return merge(slot, into: existing, writer, base, isConfirming: true) }
    // The object that a refresh delivered was deleted since; this one remains.
    if let tombstone = tombstone(writer, row.key) { dropBaseRow(base, tombstone) }
    moveConfirmations(from: writer.keyCell(slot), to: row.key, writer, all: false)
    rekeyBase(of: slot, writer, to: row.key)
    writer.rekey(slot, to: row.key)
    fillKeyParts(of: slot, writer, schema, row)
    updateBaseKeyParts(of: slot, writer)
  }

  /// Gives the tombstone of a created object the server's key, so that its deletion can be sent.
  fileprivate func adoptKey(
    of row: BatchRow, tombstone: Int, _ writer: TableWriter, _ base: BaseLayout,
    _ schema: ObjectSchema
  ) {
    let bases = self.writer(base.table)
    guard bases.version.isLive(tombstone) else { return }
    let existing = bases.find(row.key)
    if existing == tombstone { return }
    if let slot = writer.find(row.key) {
      if existing != nil {
        // The user has edited the object that a refresh delivered: it stays.
        return dropBaseRow(base, tombstone)
      }
      delete([(writer.table.index, slot)])
    } else if existing != nil {
      // It was deleted, too.
      return dropBaseRow(base, tombstone)
    }
    moveConfirmations(from: bases.keyCell(tombstone), to: row.key, writer, all: false)
    bases.rekey(tombstone, to: row.key)
    fillKeyParts(of: tombstone, bases, schema, row)
  }

  /// Stores the parts of a compound key in a row of a class or its base table.
  fileprivate func fillKeyParts(
    of slot: Int, _ writer: TableWriter, _ schema: ObjectSchema, _ row: BatchRow
  ) {
    for part in schema.keyParts {
      write(writer, slot, writer.firstAttribute + part, row[part], writesEqual: false)
    }
  }
}

// Access to edits for coders and data sources.

extension Edit {
  /// The class of the object; ``DynamicObject`` if only a schema describes it.
  package var modelType: ObjectBase.Type { entry.model.type }

  /// The name of the class's table.
  package var tableName: String { entry.schema.tableName }

  /// The names of the changed attributes whose base values are known.
  package var attributesWithBase: [String] {
    taken.attributes.filter(isBaseKnown).map { entry.attributeNames[$0] }
  }

  /// Identifies the object among those with edits, also after its key changed.
  package struct Identity: Hashable, Sendable {
    let table: Int
    let baseSlot: Int
  }

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
  package func confirm(_ edit: Edit, with update: UpdateDictionary?) throws {
    guard edit.handle.core === handle.core else {
      throw StoreError(.objectOfAnotherStore(className: edit.className))
    }
    let entry = edit.entry
    try handle.writeBases { transaction in
      let writer = transaction.writer(entry.table)
      let bases = transaction.writer(edit.base.table)
      let isPending = bases.version.isLive(edit.taken.baseSlot)
      let slot =
        isPending ? transaction.row(of: edit.taken.baseSlot, edit.base, in: writer) : nil
      transaction.confirm(edit.taken)
      guard edit.kind == .created, isPending, let update else { return }
      try handle.withBatch { batch in
        guard let row = try keyRow(update, entry, batch) else { return }
        let existing = writer.find(row.key)
        if let slot, existing == slot { return }
        guard let slot else {
          // Deleted meanwhile: the deletion needs the server's key.
          if bases.version.isLive(edit.taken.baseSlot) {
            bases.rekey(edit.taken.baseSlot, to: row.key)
            transaction.fillKeyParts(of: edit.taken.baseSlot, bases, entry.schema, row)
          }
          return
        }
        if let existing {
          transaction.merge(slot, into: existing, writer, edit.base)
        } else {
          transaction.rekeyBase(of: slot, writer, to: row.key)
          writer.rekey(slot, to: row.key)
          transaction.fillKeyParts(of: slot, writer, entry.schema, row)
          transaction.updateBaseKeyParts(of: slot, writer)
        }
      }
    }
  }

  /// The current key of the object of an edit; nil if it was deleted.
  package func currentKey(of edit: Edit) -> (any ObjectKey)? {
    let rows = handle.tableVersion(edit.entry.table)
    let bases = handle.tableVersion(edit.base.table)
    // A base row that was dropped keeps its key.
    guard let slot = rows.find(keyOf: edit.taken.baseSlot, in: bases, edit.entry.layout) else {
      return nil
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

  /// Records that the server does not have the object of an edit any more.
  ///
  /// A deletion is confirmed. An object with edits is deleted, unless `resolve` chooses `.local`: then it becomes a created
  /// one.
  package func confirmGone(
    _ edit: Edit, _ resolve: @escaping (EditConflict) throws -> ConflictChoice
  ) throws -> EditConflict? {
    try handle.applying(from: .server(resolve)) {
      let transaction = try handle.writableTransaction()
      let bases = transaction.writer(edit.base.table)
      guard bases.version.isLive(edit.taken.baseSlot) else { return }
      transaction.release(edit.taken)
      let writer = transaction.writer(edit.entry.table)
      guard let slot = transaction.row(of: edit.taken.baseSlot, edit.base, in: writer) else {
        transaction.dropBaseRow(edit.base, edit.taken.baseSlot)
        return
      }
      transaction.deleteForServer([(edit.entry.table, slot)])
    }.conflicts.first
  }
}

extension Transaction {
  /// Stores the parts of a compound key in a row of a class or its base table.
  fileprivate func fillKeyParts(
    of slot: Int, _ writer: TableWriter, _ schema: ObjectSchema, _ row: BatchRow
  ) {
    for part in schema.keyParts {
      write(writer, slot, writer.firstAttribute + part, row[part], writesEqual: false)
    }
  }
}

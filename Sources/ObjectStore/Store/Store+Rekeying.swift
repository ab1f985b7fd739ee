extension Store {
  /// Changes the primary key of an object. Links to the object stay, because they refer to its row.
  ///
  /// A ``CompoundKey`` also changes the attributes that form the key.
  /// - Throws: `duplicatePrimaryKey`, `noPrimaryKey`, `objectInvalidated`, `notWriting`; `typeMismatch`,
  ///   `outOfRange`; `pendingDeletion` if an object with the key was deleted and the server has not confirmed that.
  public func rekey<T: Object>(_ object: T, to key: some ObjectKey) throws {
    // R10
    let transaction = try handle.writableTransaction()
    let slot = try handle.slot(of: object)
    let entry = try handle.entry(of: object)
    guard entry.keyColumn >= 0 else {
      throw StoreError(.noPrimaryKey(className: entry.schema.className))
    }
    let first = entry.layout.firstAttribute
    try handle.withBatch { batch in
      let conversion = UpdateConversion(handle, batch)
      let row = batch.makeRow(entry.shape)
      try conversion.fillKey(row, key, entry)
      let cell = row.key
      let writer = transaction.writer(entry.table)
      let existing = writer.find(cell)
      if existing == slot { return }
      guard existing == nil else {
        throw StoreError(
          .duplicatePrimaryKey(
            className: entry.schema.className,
            key: KeyDescription.describe(cell, entry.keyKind)))
      }
      // The open write may have deleted an object with the key.
      transaction.settlePhase()
      try checkNoTombstone(transaction, writer, cell, entry)
      transaction.moveConfirmations(from: writer.keyCell(slot), to: cell, writer, all: true)
      transaction.rekeyBase(of: slot, writer, to: cell)
      writer.rekey(slot, to: cell)
      for part in entry.schema.keyParts {
        transaction.write(writer, slot, first + part, row[part], writesEqual: false)
      }
      transaction.updateBaseKeyParts(of: slot, writer)
    }
  }

  /// - Throws: `pendingDeletion`.
  private func checkNoTombstone(
    _ transaction: Transaction, _ writer: TableWriter, _ key: BatchCell, _ entry: ClassEntry
  ) throws(StoreError) {
    guard transaction.tombstone(writer, key) != nil else { return }
    throw StoreError(
      .pendingDeletion(
        className: entry.schema.className, key: KeyDescription.describe(key, entry.keyKind)))
  }

  /// Changes the primary key of the object with a given key, for example from a temporary key to the server's.
  ///
  /// Links to the object stay.
  ///
  ///     try store.rekey(Order.self, from: -1, to: 1044)
  ///     try store.rekey(Rating.self, from: CompoundKey(7, "cafe"), to: CompoundKey(7, "diner"))
  ///
  /// The call opens a write of its own or joins the open one.
  /// - Returns: True if there was an object with the key `old`.
  /// - Throws: `typeMismatch` for keys of the wrong type, and the errors of ``rekey(_:to:)``.
  @discardableResult
  public func rekey<T: Object, Key: ObjectKey>(
    _ type: T.Type, from old: Key, to new: Key
  ) throws -> Bool {
    try write {
      let entry = try handle.entry(type)
      if let error = entry.mismatch(ofKey: old) { throw error }
      guard let object: T = handle.object(of: old, entry) else { return false }
      try rekey(object, to: new)
      return true
    }
  }
}

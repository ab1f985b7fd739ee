extension Store {
  /// Gives an object another primary key; links to it follow, since they refer to the row.
  ///
  /// A ``CompoundKey`` changes the attributes that the key is made of, too.
  /// - Throws: `duplicatePrimaryKey`, `noPrimaryKey`, `objectInvalidated`, `notWriting`; `typeMismatch`,
  ///   `outOfRange`.
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
            key: KeyText.describe(cell, entry.keyKind)))
      }
      writer.rekey(slot, to: cell)
      for part in entry.schema.keyParts {
        transaction.write(writer, slot, first + part, row[part], writesEqual: false)
      }
    }
  }

  /// Gives the object with one primary key another one: a temporary key becomes the server's. Links to it
  /// follow.
  ///
  ///     try store.rekey(Order.self, from: -1, to: 1044)
  ///     try store.rekey(Rating.self, from: CompoundKey(7, "cafe"), to: CompoundKey(7, "diner"))
  ///
  /// Opens a write of its own, or joins the open one.
  /// - Returns: Whether there is such an object.
  /// - Throws: `typeMismatch` for keys of another type, and as ``rekey(_:to:)``.
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

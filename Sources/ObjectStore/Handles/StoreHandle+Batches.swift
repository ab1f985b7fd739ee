extension StoreHandle {
  /// Applies a batch in the open write.
  /// - Throws: `duplicatePrimaryKey`, `objectInvalidated` for a row that died since the batch linked to
  ///   it; then nothing of the batch was applied.
  func apply(_ batch: RowBatch, _ policy: UpdatePolicy) throws {
    try checkMayWrite()
    guard let knownTransaction else { throw StoreError(.notWriting) }
    for (table, slot) in batch.linkedRows where !tableVersion(table).isLive(slot) {
      throw StoreError(.objectInvalidated(className: layout(table).name))
    }
    do {
      try knownTransaction._withUnsafeGuaranteedRef { try $0.apply(batch, policy: policy) }
    } catch let duplicate as DuplicateKey {
      throw duplicateKeyError(batch.rows[duplicate.place])
    }
  }

  private func duplicateKeyError(_ row: BatchRow) -> StoreError {
    let table = Int(row.header.pointee.table)
    let layout = layout(table)
    guard let keyColumn = layout.keyColumn else {
      return StoreError(.duplicatePrimaryKey(className: layout.name, key: "?"))
    }
    let cell = row[keyColumn - layout.firstAttribute]
    let kind = entry(ofTable: table).schema.primaryKeyProperty?.shape.scalar?.kind
    return StoreError(
      .duplicatePrimaryKey(className: layout.name, key: KeyText.describe(cell, kind ?? .int)))
  }
}

extension StoreHandle {
  /// Runs `body` with an empty batch.
  func withBatch<R>(_ body: (RowBatch) throws -> R) rethrows -> R {
    let batch = batches.take(evaluation)
    defer { batches.giveBack(batch) }
    return try body(batch)
  }

  /// Applies a batch in the open write.
  ///
  /// - Parameters:
  ///   - policy: The treatment of existing rows.
  ///   - requestVersion: The version at the time of the request that the batch answers; nil if it is unknown.
  /// - Throws: `duplicatePrimaryKey`; `objectInvalidated` if a row was deleted after the batch linked to it. In both
  ///   cases, no row of the batch was applied.
  func apply(
    _ batch: RowBatch, _ policy: UpdatePolicy, asOf requestVersion: Version? = nil
  ) throws {
    try withTransaction { transaction in
      for (table, slot) in batch.linkedRows where !tableVersion(table).isLive(slot) {
        throw StoreError(.objectInvalidated(className: layout(table).name))
      }
      if !batch.mergedMembers.isEmpty { transaction.mergeMembers(batch) }
      if let rowRecorder {
        for (table, slot) in batch.linkedRows { rowRecorder.note(table, slot) }
        // The rows are read once they are applied.
        batch.releasesRows = false
      }
      transaction.edits.request = requestVersion.map { RequestState($0, transaction) }
      defer { transaction.edits.request = nil }
      do {
        try transaction.apply(batch, policy: policy)
      } catch let duplicate as DuplicateKey {
        throw duplicateKeyError(batch.rows[duplicate.index])
      }
      rowRecorder?.note(rowsOf: batch)
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
      .duplicatePrimaryKey(className: layout.name, key: KeyDescription.describe(cell, kind ?? .int))
    )
  }
}

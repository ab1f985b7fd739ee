// Attributes that receive the members of a JSON object instead of being replaced.

extension Transaction {
  /// Completes the cells that merge members with the members of the existing row, or of an earlier row of the batch with
  /// the same key.
  ///
  /// - Complexity: O(size of the cells and of the existing values).
  func mergeMembers(_ batch: RowBatch) {
    struct Key: Hashable {
      let table: Int
      let word: UInt64
      let bytes: [UInt8]
    }
    var latest: [Key: BatchCell] = [:]
    for row in batch.rows where row.isKeyed && !row.has(BatchRow.isDropped) {
      let table = row.table
      guard let merged = batch.mergedMembers[table], row[merged.attribute].mergesMembers else {
        continue
      }
      let (cell, key) = (row[merged.attribute], row.key)
      let isBytes = row.has(BatchRow.hasBytesKey)
      let identity = Key(
        table: table, word: isBytes ? 0 : key.bits, bytes: isBytes ? Array(key.bytes) : [])
      let writer = writer(table)
      if let earlier = latest[identity]?.bytes ?? storedBytes(writer, row, merged.attribute) {
        var value = JSONValue(stored: earlier)
        merged.root.merge(JSONValue(stored: cell.bytes), into: &value)
        var stored = StoredJSON()
        value.store(into: &stored)
        row[merged.attribute] = stored.withBytes { bytes in
          if bytes.count >= BatchExport.sizeLimit {
            failure.note(
              StoreError(
                .valueTooLarge(
                  attribute: writer.layout.attributeName(writer.firstAttribute + merged.attribute),
                  byteCount: bytes.count)))
          }
          return batch.text(copying: bytes)
        }
      }
      row[merged.attribute].mergesMembers = false
      if batch.mayRepeatKeys { latest[identity] = row[merged.attribute] }
    }
  }

  /// The bytes of an attribute of the row with the key of a batch row; nil if there is no row.
  private func storedBytes(
    _ writer: TableWriter, _ row: BatchRow, _ attribute: Int
  ) -> UnsafeRawBufferPointer? {
    guard let slot = writer.find(row.key) else { return nil }
    let column = writer.columns(slot)[writer.firstAttribute + attribute]
    return column.bytes(ofWord: column.word(slot & ChunkLayout.mask))
  }
}

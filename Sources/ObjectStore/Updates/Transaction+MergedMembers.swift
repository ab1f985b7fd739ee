// Attributes that receive the members of a JSON object instead of being replaced.

extension Transaction {
  /// Completes the cells that merge members with the members of the existing row and of earlier rows of the batch with
  /// the same key.
  ///
  /// - Complexity: O(n log n) in the size of the cells and of the existing values.
  func mergeMembers(_ batch: RowBatch) {
    var keys = batch.mayRepeatKeys ? BatchKeys(batch) : nil
    var rows: [[BatchRow]] = []
    /// The index in `rows` of the rows with a key that is repeated, by the index of the first one in the batch.
    var positions: [Int: Int] = [:]
    for (index, row) in batch.rows.enumerated() {
      guard row.isKeyed, !row.has(BatchRow.isDropped), batch.mergedMembers[row.table] != nil else {
        continue
      }
      if keys != nil {
        let first = keys?.insert(index) ?? index
        if let position = positions[first] {
          rows[position].append(row)
          continue
        }
        positions[first] = rows.count
      }
      rows.append([row])
    }
    for rows in rows {
      if let merged = batch.mergedMembers[rows[0].table] { merge(rows, merged, batch) }
    }
  }

  /// Merges the members of rows that have the same key, in order, into the cell of the last of them.
  private func merge(_ rows: [BatchRow], _ merged: MergedMembers, _ batch: RowBatch) {
    let attribute = merged.attribute
    let rows = rows.filter { $0[attribute].state != .absent && !$0[attribute].isDefault }
    guard let last = rows.last, last[attribute].mergesMembers else { return }
    let writer = writer(last.table)
    let replacing = rows.lastIndex { !$0[attribute].mergesMembers }
    let stored =
      replacing == nil
      ? storedBytes(writer, last, attribute).map { JSONValue(stored: $0) } : nil
    let values = rows[(replacing ?? 0)...].filter { $0[attribute].state == .value }.map {
      JSONValue(stored: $0[attribute].bytes)
    }
    let removesMembers = rows.contains { $0[attribute].removesMembers }
    for row in rows.dropLast() { row[attribute] = .absent }
    guard stored != nil || values.count > 1 || removesMembers else { return }
    let value = merged.root.merge((stored.map { [$0] } ?? []) + values)
    if value == [:], replacing == nil, stored?.isObject != true {
      // There is nothing to remove, and nothing to add.
      last[attribute] = .absent
      return
    }
    var json = StoredJSON()
    value.store(into: &json)
    last[attribute] = json.withBytes { bytes in
      if bytes.count >= BatchExport.sizeLimit {
        failure.note(
          StoreError(
            .valueTooLarge(
              attribute: writer.layout.attributeName(writer.firstAttribute + attribute),
              byteCount: bytes.count)))
      }
      return batch.text(copying: bytes)
    }
  }

  /// The bytes of an attribute of the row with the key of a batch row; nil if there is no row.
  private func storedBytes(
    _ writer: TableWriter, _ row: BatchRow, _ attribute: Int
  ) -> UnsafeRawBufferPointer? {
    guard let slot = writer.find(row.key) else { return nil }
    var (source, sourceSlot) = (writer, slot)
    if phase.isApplying, let base = writer.base, let baseSlot = baseRow(writer, slot) {
      let bases = self.writer(base.table)
      // The server's members are added to those that the server had.
      if bases.version.marks(baseSlot, base, attribute).contains([.edited, .known]) {
        (source, sourceSlot) = (bases, baseSlot)
      }
    }
    let column = source.columns(sourceSlot)[source.firstAttribute + attribute]
    return column.bytes(ofWord: column.word(sourceSlot & ChunkLayout.mask))
  }
}

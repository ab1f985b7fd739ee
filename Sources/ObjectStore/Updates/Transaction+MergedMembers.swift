// Attributes that receive the members of a JSON object instead of being replaced.

extension Transaction {
  /// Completes the cells that merge members with the members of the existing row and of earlier rows of the batch with
  /// the same key.
  ///
  /// - Complexity: O(n log n) in the size of the cells and of the existing values.
  func mergeMembers(_ batch: RowBatch) {
    if batch.mergedMembers.keys.contains(where: { writer($0).identity == .embedded }) {
      mergeContent(of: batch)
    }
    var (table, merged): (Int, MergedMembers?) = (-1, nil)
    func merging(_ row: BatchRow) -> MergedMembers? {
      guard row.isKeyed, !row.has(BatchRow.isDropped) else { return nil }
      if row.table != table { (table, merged) = (row.table, batch.mergedMembers[row.table]) }
      return merged
    }
    guard batch.mayRepeatKeys else {
      for row in batch.rows {
        if let merged = merging(row) { merge(row, merged, batch) }
      }
      return
    }
    var keys = BatchKeys(batch)
    var rows: [[BatchRow]] = []
    /// The index in `rows` of the rows with a key that is repeated, by the index of the first one in the batch.
    var positions: [Int: Int] = [:]
    for (index, row) in batch.rows.enumerated() where merging(row) != nil {
      let first = keys.insert(index) ?? index
      if let position = positions[first] {
        rows[position].append(row)
        continue
      }
      positions[first] = rows.count
      rows.append([row])
    }
    for rows in rows {
      guard let merged = batch.mergedMembers[rows[0].table] else { continue }
      if rows.count == 1 {
        merge(rows[0], merged, batch)
      } else {
        merge(rows, merged, batch)
      }
    }
  }

  /// Merges the members of a row into its cell.
  private func merge(_ row: BatchRow, _ merged: MergedMembers, _ batch: RowBatch) {
    guard row[merged.attribute].mergesMembers else { return }
    let writer = writer(row.table)
    merge(row, merged, batch, writer, with: storedBytes(writer, row, merged.attribute))
  }

  /// Completes the cells of content that updates embedded objects of existing rows.
  private func mergeContent(of batch: RowBatch) {
    for row in batch.rows where row.isKeyed && !row.has(BatchRow.isDropped) {
      let writer = writer(row.table)
      let hasContent = writer.contentColumns.contains {
        row[$0 - writer.firstAttribute].row?.has(BatchRow.isInPlace) ?? false
      }
      if hasContent, let slot = writer.find(row.key) { mergeContent(of: row, batch, writer, slot) }
    }
  }

  /// Completes the cells of content that updates the embedded objects of a stored row.
  ///
  /// - Parameter isInPlace: True if the row is itself such content.
  private func mergeContent(
    of row: BatchRow, _ batch: RowBatch, _ writer: TableWriter, _ slot: Int, isInPlace: Bool = false
  ) {
    for column in writer.contentColumns where writer.columnLayout(column).kind == .link {
      let attribute = column - writer.firstAttribute
      guard let content = row[attribute].row,
        content.has(BatchRow.isInPlace) || isInPlace && content.has(BatchRow.isEmbedded)
      else { continue }
      let (source, sourceSlot) = base(of: attribute, writer, slot) ?? (writer, slot)
      let word = source.word(sourceSlot, source.firstAttribute + attribute)
      if word == 0 { continue }
      let (targets, target) = (self.writer(content.table), Int(word) - 1)
      if let merged = batch.mergedMembers[content.table], content[merged.attribute].mergesMembers {
        let column = targets.columns(target)[targets.firstAttribute + merged.attribute]
        let stored = column.bytes(ofWord: column.word(target & ChunkLayout.mask))
        merge(content, merged, batch, targets, with: stored)
      }
      mergeContent(of: content, batch, targets, target, isInPlace: true)
    }
  }

  private func merge(
    _ row: BatchRow, _ merged: MergedMembers, _ batch: RowBatch, _ writer: TableWriter,
    with stored: UnsafeRawBufferPointer?
  ) {
    let cell = row[merged.attribute]
    guard cell.state == .value else { return }
    // A payload that contains the same members again has the same bytes.
    if let stored, stored.hasSameBytes(as: cell.bytes), !cell.removesMembers { return }
    if stored == nil, !cell.removesMembers { return }
    let isObject = stored.map { JSONMembers($0) != nil } ?? false
    var text = merged.root.merged(isObject ? stored : nil, with: cell.bytes)
    if let limit = merged.limit, text.memberCount > limit {
      text = merged.root.merged(nil, with: cell.bytes)
      batch.rowsWithoutEarlierMembers.append(row)
    }
    // There is nothing to remove, and nothing to add.
    if text.memberCount == 0, !isObject { return row[merged.attribute] = .absent }
    setMembers(text.bytes, row, writer, merged, batch)
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
      ? storedBytes(writer, last, attribute).map { JSONValue(stored: $0, keepsNotation: true) }
      : nil
    let values = rows[(replacing ?? 0)...].filter { $0[attribute].state == .value }.map {
      JSONValue(stored: $0[attribute].bytes, keepsNotation: true)
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
    var bytes = Self.stored(value)
    func exceedsLimit() -> Bool {
      guard let limit = merged.limit else { return false }
      return bytes.withUnsafeBytes { merged.root.merged(nil, with: $0).memberCount } > limit
    }
    if exceedsLimit() {
      // First the members of earlier payloads are dropped, then those of earlier elements.
      batch.rowsWithoutEarlierMembers.append(last)
      bytes = Self.stored(merged.root.merge(values))
      if exceedsLimit() { bytes = Self.stored(merged.root.merge(values.suffix(1))) }
    }
    setMembers(bytes, last, writer, merged, batch)
  }

  private static func stored(_ value: JSONValue) -> [UInt8] {
    value.withStored(keepsNotation: true) { Array($0) }
  }

  private func setMembers(
    _ bytes: [UInt8], _ row: BatchRow, _ writer: TableWriter, _ merged: MergedMembers,
    _ batch: RowBatch
  ) {
    if bytes.count >= BatchExport.sizeLimit {
      failure.note(
        StoreError(
          .valueTooLarge(
            attribute: writer.layout.attributeName(writer.firstAttribute + merged.attribute),
            byteCount: bytes.count)))
    }
    row[merged.attribute] = bytes.withUnsafeBytes { batch.text(copying: $0) }
  }

  /// The bytes of an attribute of the row with the key of a batch row, or of its tombstone; nil if there is neither.
  private func storedBytes(
    _ writer: TableWriter, _ row: BatchRow, _ attribute: Int
  ) -> UnsafeRawBufferPointer? {
    guard let slot = writer.find(row.key) else {
      guard edits.phase.isApplying, let base = writer.base,
        let tombstone = tombstone(writer, row.key)
      else { return nil }
      let bases = self.writer(base.table)
      let column = bases.columns(tombstone)[bases.firstAttribute + attribute]
      let index = tombstone & ChunkLayout.mask
      return column.isNull(index) ? nil : column.bytes(ofWord: column.word(index))
    }
    let (source, sourceSlot) = base(of: attribute, writer, slot) ?? (writer, slot)
    let column = source.columns(sourceSlot)[source.firstAttribute + attribute]
    return column.bytes(ofWord: column.word(sourceSlot & ChunkLayout.mask))
  }

  /// The base row of a row, if it holds the server's value of an attribute: the server's members are added to it.
  private func base(
    of attribute: Int, _ writer: TableWriter, _ slot: Int
  ) -> (writer: TableWriter, slot: Int)? {
    guard edits.phase.isApplying, let base = writer.base, let baseSlot = baseRow(writer, slot)
    else { return nil }
    let bases = self.writer(base.table)
    return bases.version.marks(baseSlot, base, attribute).contains([.edited, .known])
      ? (bases, baseSlot) : nil
  }
}

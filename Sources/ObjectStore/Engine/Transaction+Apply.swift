/// A key that stands in the way of `update: .error`: that of the row with this place in the batch.
struct DuplicateKey: Error {
  let place: Int
}

// Applying a batch cannot fail once it began: everything that can is checked before, so a failing
// update leaves nothing behind and needs no savepoint. R6.
//
//     1  (.error) no key may exist or come twice; else rows of one key are folded into the first
//     2  every row with an identity gets its slot: found by key, or inserted
//     3  cells are compared and written; nested rows without an identity are kept, made or
//        replaced as the attribute that holds them changes
//
// Nested rows stand before the row around them, so a payload is applied row by row, while a row is
// in the cache. Two passes take only a graph of objects, whose links may go round in circles, and a
// batch with folded rows, which may link to what stands behind them.

extension Transaction {
  func apply(_ batch: RowBatch, policy: UpdatePolicy) throws(DuplicateKey) {
    self.batch = batch
    defer { self.batch = nil }
    if policy == .error {
      try checkKeysAreNew(batch)
    } else {
      batch.foldRepeatedKeys()
    }
    if batch.hasForwardLinks || batch.hasFoldedRows {
      for row in batch.rows where !row.has(BatchRow.isDropped) {
        resolve(row, writer(Int(row.header.pointee.table)), policy)
      }
      for row in batch.rows where !row.has(BatchRow.isDropped | BatchRow.isFolded) {
        write(row, writer(Int(row.header.pointee.table)), policy)
      }
      for place in 0..<batch.rowCount { batch.didApply(place) }
    } else {
      applyInOrder(batch, policy)
    }
    if !orphans.isEmpty { deleteOrphans() }
  }

  /// Gives each row its slot and its cells at once.
  private func applyInOrder(_ batch: RowBatch, _ policy: UpdatePolicy) {
    for place in 0..<batch.rowCount {
      prefetch(batch, place)
      let row = batch.rows[place]
      if !row.has(BatchRow.isDropped) {
        withWriter(Int(row.header.pointee.table)) { writer in
          resolve(row, writer, policy)
          write(row, writer, policy)
        }
      }
      batch.didApply(place)
    }
  }

  /// Fetches into the cache what applying the rows behind `place` will look at: first the place of a key
  /// in the key index, later the cells of the row that is found there.
  ///
  /// In a table that is larger than the cache a row waits for both in turn. Prefetched twelve and four
  /// rows ahead, decoding 400,000 unchanged books takes 0.8 of the time (2026-11).
  @inline(__always)
  private func prefetch(_ batch: RowBatch, _ place: Int) {
    let (keyDistance, cellDistance) = (12, 4)
    guard place + keyDistance < batch.rowCount else { return }
    let far = batch.rows[place + keyDistance]
    if far.isKeyed {
      withKnownWriter(Int(far.header.pointee.table)) { $0.prefetchKey(far.key) }
    }
    let near = batch.rows[place + cellDistance]
    if near.isKeyed {
      withKnownWriter(Int(near.header.pointee.table)) { $0.prefetchCells(near) }
    }
  }

  /// Writes the cells of a row that has its slot.
  @inline(__always)
  private func write(_ row: BatchRow, _ writer: TableWriter, _ policy: UpdatePolicy) {
    let slot = row.header.pointee.slot
    if row.has(BatchRow.wasInserted) {
      fill(writer, slot, row)
    } else {
      let before = writer.changeTicks
      update(writer, slot, row, writesEqual: policy == .all)
      if writer.changeTicks != before { row.header.pointee.flags |= BatchRow.wasChanged }
    }
    if writer.notesUse { noteUse(writer, slot, row) }
  }

  // MARK: - Keys

  /// The existing row with the key of a batch row; nil if there is none, or no key.
  @inline(__always)
  private func find(_ writer: TableWriter, _ row: BatchRow) -> Int? {
    guard writer.keyColumn >= 0 else { return nil }
    return writer.find(row[writer.keyColumn - writer.firstAttribute])
  }

  private func checkKeysAreNew(_ batch: RowBatch) throws(DuplicateKey) {
    var keys = batch.mayRepeatKeys ? BatchKeys(batch) : nil
    for place in 0..<batch.rowCount {
      let row = batch.rows[place]
      guard row.isKeyed else { continue }
      let isNew = withWriter(Int(row.header.pointee.table)) { find($0, row) == nil }
      guard isNew, keys?.insert(place) == nil else { throw DuplicateKey(place: place) }
    }
  }

  /// Gives the row its slot: that of its key, or a new one.
  private func resolve(_ row: BatchRow, _ writer: TableWriter, _ policy: UpdatePolicy) {
    let keyColumn = writer.keyColumn
    guard keyColumn >= 0 else {
      insert(writer, row)
      return
    }
    // With `error` all keys were looked for: they are new.
    if policy != .error || !row.isKeyed, let slot = find(writer, row) {
      row.header.pointee.slot = slot
      return
    }
    let slot = insert(writer, row)
    writer.setNewKey(slot, row[keyColumn - writer.firstAttribute])
  }

  @discardableResult
  func insert(_ writer: TableWriter, _ row: BatchRow) -> Int {
    // First the defaults: they are the user's code, which must not see half a row.
    fillAllDefaults(writer, row)
    let slot = writer.insertRow()
    row.header.pointee.slot = slot
    row.header.pointee.flags |= BatchRow.wasInserted
    return slot
  }

  /// Gives what is absent its default, evaluated for this row, once.
  @inline(__always)
  func fillDefaults(_ writer: TableWriter, _ row: BatchRow) {
    if !row.has(BatchRow.isFilled), row.lacksCells { evaluateDefaults(writer, row) }
  }

  @inline(never)
  private func evaluateDefaults(_ writer: TableWriter, _ row: BatchRow) {
    guard let batch else { return }
    do throws(StoreError) {
      try writer.table.defaults.fill(row, in: batch)
    } catch {
      failure.note(error)
    }
  }

  /// Gives the row and all content in it its defaults.
  @inline(__always)
  private func fillAllDefaults(_ writer: TableWriter, _ row: BatchRow) {
    fillDefaults(writer, row)
    if !writer.contentColumns.isEmpty, !row.has(BatchRow.isPrepared) {
      row.header.pointee.flags |= BatchRow.isPrepared
      fillDefaultsOfContent(writer, row)
    }
  }

  private func fillDefaultsOfContent(_ writer: TableWriter, _ row: BatchRow) {
    for place in 0..<writer.contentColumns.count {
      let column = writer.contentColumns[place]
      let cell = row[column - writer.firstAttribute]
      let isCollection = writer.columnLayout(column).kind == .collection
      if isCollection, cell.state == .value {
        for element in cell.elements { fillDefaults(ofContent: element) }
      } else {
        fillDefaults(ofContent: cell)
      }
    }
  }

  private func fillDefaults(ofContent cell: BatchCell) {
    // A row with an identity of its own comes by itself.
    guard let row = content(cell), !row.isKeyed, !row.has(BatchRow.isInstance) else { return }
    withWriter(Int(row.header.pointee.table)) { fillAllDefaults($0, row) }
  }

  // MARK: - New rows

  /// Writes the cells of a new row: nothing to compare with, nothing to release, and all in place,
  /// since no version can see the row.
  func fill(_ writer: TableWriter, _ slot: Int, _ row: BatchRow) {
    let first = writer.firstAttribute
    let count = writer.columnCount - first
    let keyAttribute = writer.keyColumn - first
    let rowInChunk = slot & ChunkLayout.mask
    let cells = row.cells
    var columns = writer.columns(slot) + first
    for attribute in 0..<count {
      let cell = cells + attribute
      // A new row is all zero: null where the attribute is optional, empty, no target.
      if cell.pointee.state == .absent || cell.pointee.state == .null { continue }
      let target = columns + attribute
      switch writer.columnLayout(first + attribute).kind {
      case .word:
        target.pointee.values.storeBytes(
          of: cell.pointee.bits, toByteOffset: rowInChunk &* 8, as: UInt64.self)
      case .byte:
        target.pointee.values.storeBytes(
          of: UInt8(truncatingIfNeeded: cell.pointee.bits), toByteOffset: rowInChunk,
          as: UInt8.self)
      case .text:
        // The key was written when the row got its slot.
        if attribute == keyAttribute { continue }
        let bytes = cell.pointee.bytes
        if let start = bytes.baseAddress, bytes.count > 0 {
          guard target.pointee.hasTextRoom(bytes.count) else {
            writer.storeText(slot, first + attribute, bytes)
            columns = writer.columns(slot) + first
            continue
          }
          target.pointee.values.storeBytes(
            of: target.pointee.appendText(start, bytes.count), toByteOffset: rowInChunk &* 8,
            as: UInt64.self)
        }
      case .link, .collection:
        write(writer, slot, first + attribute, cell.pointee, writesEqual: false)
        columns = writer.columns(slot) + first
        continue
      }
      target.pointee.presence?[rowInChunk] = 1
    }
    if writer.identity != .keyed { writer.noteDefaults(slot, row) }
  }

  // MARK: - Existing rows

  /// Writes the cells that differ. Defaults are for new rows.
  func update(_ writer: TableWriter, _ slot: Int, _ row: BatchRow, writesEqual: Bool) {
    let first = writer.firstAttribute
    let keyColumn = writer.keyColumn
    for column in first..<writer.columnCount {
      let cell = row.cells[column - first]
      guard cell.state != .absent, column != keyColumn, !cell.isDefault else { continue }
      write(writer, slot, column, cell, writesEqual: writesEqual)
    }
  }

  /// Writes a cell of a row that exists, with the nested rows of the batch that it refers to.
  func write(
    _ writer: TableWriter, _ slot: Int, _ column: Int, _ cell: BatchCell, of batch: RowBatch
  ) {
    self.batch = batch
    defer { self.batch = nil }
    write(writer, slot, column, cell, writesEqual: false)
    if !orphans.isEmpty { deleteOrphans() }
  }

  /// Writes one cell if it differs; returns whether it did.
  @inline(__always) @discardableResult
  func write(
    _ writer: TableWriter, _ slot: Int, _ column: Int, _ cell: BatchCell, writesEqual: Bool
  ) -> Bool {
    let columnLayout = writer.columnLayout(column)
    let differed: Bool
    switch columnLayout.kind {
    case .word:
      differed =
        cell.state == .null
        ? writer.setNull(slot, column) : writer.setWord(slot, column, cell.bits)
    case .byte:
      differed =
        cell.state == .null
        ? writer.setNull(slot, column)
        : writer.setByte(slot, column, UInt8(truncatingIfNeeded: cell.bits))
    case .text:
      differed =
        cell.state == .null
        ? writer.setNull(slot, column) : writer.setText(slot, column, cell.bytes)
    case .link:
      differed = writeLink(writer, slot, column, cell)
    case .collection:
      differed = writeCollection(writer, slot, column, columnLayout, cell)
    }
    if writesEqual && !differed { writer.noteChange(slot, column) }
    return differed
  }
}

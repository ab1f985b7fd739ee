// Taking over the rows that another process has written to the file of a store that is only read.
//
//     version 7    rows 1 2 3                    as the file had them
//     newer rows   rows 1 3 4, 3 changed         as the file has them now, in the same slots
//     version 8    rows 1 3 4                    only the cells that differ are written
//
// The newer rows are consistent, so nothing follows from a change: links to deleted rows are already cleared in the rows that
// had them, and rows without a key have their reference counts.

/// The rows of a table in a newer state of the file.
struct NewerRows {
  let table: Int
  let rows: TableVersion
  /// The columns of the attributes that the file has. Others keep their values.
  let columns: Set<Int>
  /// The rows that differ, with all columns but the live byte.
  private let difference: TableDifference

  /// The number of rows that the table then has.
  let liveCount: Int

  /// Returns nil if no row differs.
  init?(_ table: Table, _ current: TableVersion, _ rows: TableVersion, columns: Set<Int>) {
    difference = TableDifference(current, rows, table.layout, firstColumn: 1)
    if difference.isEmpty { return nil }
    liveCount = current.liveCount - difference.deleted.count + difference.inserted.count
    self.table = table.index
    self.rows = rows
    self.columns = columns
  }

  var deleted: [Int] { difference.deleted }
  var inserted: [Int] { difference.inserted }
  /// The rows of both states that differ, and the columns that do.
  var changed: some Sequence<(slot: Int, columns: [Int])> {
    difference.changed.lazy.map { ($0.slot, $0.attributes.all.map { $0 + 1 }) }
  }
}

extension Transaction {
  /// Makes the rows of a table those of a newer state of the file. Until all tables are taken over, links may lead to rows
  /// that are missing.
  func takeOver(_ newer: NewerRows) {
    let writer = writer(newer.table)
    writer.reuseSlots()
    for slot in newer.deleted { writer.takeOverDeletion(of: slot) }
    for (slot, columns) in newer.changed {
      for column in columns
      where column >= writer.firstAttribute && column != writer.keyColumn
        && newer.columns.contains(column)
      {
        writer.takeOver(slot, column, from: newer.rows)
      }
      if columns.contains(writer.keyColumn) {
        newer.rows.withKeyCell(slot, writer.layout) { writer.rekey(slot, to: $0) }
      }
      writer.takeOverOwn(slot, from: newer.rows)
    }
    for slot in newer.inserted {
      writer.nextSlot = slot
      _ = writer.insertRow()
      if writer.keyColumn >= 0 {
        newer.rows.withKeyCell(slot, writer.layout) { writer.setNewKey(slot, $0) }
      }
      for column in writer.firstAttribute..<writer.columnCount where column != writer.keyColumn {
        writer.takeOver(slot, column, from: newer.rows)
      }
      writer.takeOverOwn(slot, from: newer.rows)
    }
  }
}

extension TableVersion {
  /// Calls `body` with the cell of a row's primary key.
  fileprivate func withKeyCell(_ slot: Int, _ layout: TableLayout, _ body: (BatchCell) -> Void) {
    guard let keyColumn = layout.keyColumn else { return }
    let column = columns(slot)[keyColumn]
    let word = column.word(slot & ChunkLayout.mask)
    guard layout.columns[keyColumn].kind == .bytes else { return body(.word(word)) }
    let bytes = column.bytes(ofWord: word)
    body(bytes.baseAddress.map { .text($0, bytes.count) } ?? .emptyText)
  }
}

extension TableWriter {
  /// Deletes a row whose incoming links are cleared by the other rows.
  fileprivate func takeOverDeletion(of slot: Int) {
    for (column, layout) in layout.columns.enumerated() where layout.hasLinks {
      moveBacklinks(slot, column, from: targets(slot, column, in: version), to: [])
    }
    killRow(slot)
  }

  /// Copies the cell of an attribute from the same row of a newer state.
  fileprivate func takeOver(_ slot: Int, _ column: Int, from rows: TableVersion) {
    let (layout, row) = (columnLayout(column), slot & ChunkLayout.mask)
    let newer = rows.columns(slot)[column]
    let former = layout.hasLinks ? targets(slot, column, in: version) : []
    switch layout.kind {
    case .link: setWord(slot, column, newer.word(row))
    case .collection:
      let slice = newer.slice(row)
      setElements(slot, column, count: Int(slice.length)) { newer.element(slice, $0, layout) }
    case .word, .byte, .bytes:
      if newer.isNull(row) {
        setNull(slot, column)
      } else if layout.kind == .bytes {
        setText(slot, column, newer.bytes(ofWord: newer.word(row)))
      } else if layout.kind == .byte {
        setByte(slot, column, newer.byte(row))
      } else {
        setWord(slot, column, newer.word(row))
      }
    }
    if layout.hasLinks {
      moveBacklinks(slot, column, from: former, to: targets(slot, column, in: rows))
    }
  }

  /// Copies the engine's own columns of a row. The last step of taking over the row, because giving an attribute a value
  /// changes them.
  fileprivate func takeOverOwn(_ slot: Int, from rows: TableVersion) {
    let row = slot & ChunkLayout.mask
    if let column = table.placeholderColumn { takeOver(slot, column, from: rows) }
    for column in layout.missingColumns where word(slot, column) != rows.word(slot, column) {
      setMissingWord(slot, column, rows.word(slot, column))
      noteKnownChange(slot, column)
    }
    if identity == .keyed { return }
    let references = rows.word(slot, layout.referencesColumn)
    if word(slot, layout.referencesColumn) != references {
      writable(slot, layout.referencesColumn).pointee.values.storeBytes(
        of: references, toByteOffset: row &* 8, as: UInt64.self)
    }
    let nested = rows.columns(slot)[layout.bornNestedColumn].byte(row)
    if columns(slot)[layout.bornNestedColumn].byte(row) != nested {
      writable(slot, layout.bornNestedColumn).pointee.values.storeBytes(
        of: nested, toByteOffset: row, as: UInt8.self)
    }
  }

  private func targets(_ slot: Int, _ column: Int, in rows: TableVersion) -> [Int] {
    var targets: [Int] = []
    rows.forEachTarget(slot, column, columnLayout(column)) { targets.append($0) }
    return targets
  }

  private func moveBacklinks(_ slot: Int, _ column: Int, from old: [Int], to new: [Int]) {
    if old == new { return }
    updateBacklinks(column) { tree, editOwner in
      for target in old { tree.remove(key: UInt64(target), slot: slot, editOwner: editOwner) }
      for target in new { tree.insert(key: UInt64(target), slot: slot, editOwner: editOwner) }
    }
  }
}

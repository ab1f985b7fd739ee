extension TableVersion {
  /// Returns the approximate size of a row in a file, in bytes: its record, its elements and its index entries.
  func estimatedFileBytes(_ slot: Int, _ layout: TableLayout) -> Int {
    // The bytes of the record's length and of the row's number; for a keyless row, also of the engine's own columns.
    var size = layout.identity == .keyed ? 6 : 12
    let columns = columns(slot)
    let row = slot & ChunkLayout.mask
    for index in layout.firstAttribute..<layout.columns.count {
      let column = layout.columns[index]
      let cell = columns[index]
      switch column.kind {
      case .byte: size += 1
      case .word, .link: size += cell.isNull(row) ? 1 : 1 + Self.width(cell.word(row))
      case .text: size += 2 + (cell.isNull(row) ? 0 : cell.bytes(ofWord: cell.word(row)).count)
      case .collection:
        let slice = cell.slice(row)
        for index in 0..<Int(slice.length) {
          let element = cell.element(slice, index, column)
          size += 10 + element.bytes.count + element.key.count + Self.width(element.word)
        }
      }
      let isIndexed = column.index != nil || index == layout.keyColumn
      if isIndexed, column.kind == .word { size += 8 + Self.width(cell.word(row)) }
      if isIndexed, column.kind == .text {
        size += 8 + cell.bytes(ofWord: cell.word(row)).count
      }
    }
    return size
  }

  /// Returns the number of bytes that SQLite uses for an integer. The bits of most Doubles count as 8 bytes.
  private static func width(_ word: UInt64) -> Int {
    let number = Int64(bitPattern: word)
    let bits = 65 - (number < 0 ? ~number : number).leadingZeroBitCount
    return number == 0 || number == 1 ? 0 : bits > 48 ? 8 : bits > 32 ? 6 : (bits + 7) / 8
  }
}

extension TableVersion {
  /// Returns the approximate size of a row in a file, in bytes: its record, its elements and its index entries.
  func estimatedFileBytes(_ slot: Int, _ layout: TableLayout) -> Int {
    // The bytes of the record's length and of the row's number; for a keyless row, also of the engine's own columns.
    var size = layout.identity == .keyed ? 6 : 12
    let columns = columns(slot)
    let row = slot & ChunkLayout.mask
    for index in layout.firstAttribute..<layout.columns.count {
      let columnLayout = layout.columns[index]
      let column = columns[index]
      switch columnLayout.kind {
      case .byte: size += 1
      case .word, .link: size += column.isNull(row) ? 1 : 1 + Self.width(column.word(row))
      case .bytes:
        size += 2 + (column.isNull(row) ? 0 : column.bytes(ofWord: column.word(row)).count)
      case .collection:
        let slice = column.slice(row)
        for index in 0..<Int(slice.length) {
          let element = column.element(slice, index, columnLayout)
          size += 10 + element.bytes.count + element.key.count + Self.width(element.word)
        }
      }
      let isIndexed = columnLayout.index != nil || index == layout.keyColumn
      if isIndexed, columnLayout.kind == .word { size += 8 + Self.width(column.word(row)) }
      if isIndexed, columnLayout.kind == .bytes {
        size += 8 + column.bytes(ofWord: column.word(row)).count
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

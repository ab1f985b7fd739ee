/// A column whose value is part of a compound key.
struct KeyPartColumn: Sendable {
  let column: Int
  let kind: ScalarKind
}

extension TableVersion {
  /// Returns the compound key string made of a row's values.
  func compoundKey(_ slot: Int, of parts: [KeyPartColumn]) -> [UInt8] {
    var text = CompoundKeyString()
    let columns = columns(slot)
    for part in parts {
      let column = columns[part.column]
      let word = column.word(slot & ChunkLayout.mask)
      let bytes =
        part.kind.isBytes
        ? column.bytes(ofWord: word) : UnsafeRawBufferPointer(start: nil, count: 0)
      text.append(word, bytes, part.kind)
    }
    return text.bytes
  }
}

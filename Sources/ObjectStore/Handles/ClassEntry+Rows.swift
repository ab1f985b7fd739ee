import Foundation

extension ClassEntry {
  /// The primary key of a row; null if the class has none.
  func key(of slot: Int, in version: TableVersion) -> UpdateValue {
    guard keyColumn >= 0 else { return .null }
    let column = version.columns(slot)[keyColumn]
    let word = column.word(slot & ChunkLayout.mask)
    return key(word, column.bytes(ofWord: word))
  }

  /// The primary key that a cell holds.
  func key(_ cell: BatchCell) -> UpdateValue { key(cell.bits, cell.bytes) }

  private func key(
    _ word: UInt64, _ bytes: @autoclosure () -> UnsafeRawBufferPointer
  ) -> UpdateValue {
    switch keyKind {
    case .string: .string(String(decoding: bytes(), as: UTF8.self))
    case .uuid: .uuid(UUID(uuid: bytes().loadUnaligned(as: uuid_t.self)))
    default:
      keyKind.unsignedMaximum != nil && word > UInt64(Int64.max)
        ? .uint(word) : .int(Int64(bitPattern: word))
    }
  }
}

extension ClassEntry {
  /// The name of the attribute with this index. Inverse links follow the stored attributes.
  func name(ofAttribute index: Int) -> String {
    if let base, index >= base.editStateAttribute {
      return index == base.editStateAttribute ? "editState" : "rejection"
    }
    return schema.properties.first { $0.column - layout.firstAttribute == index }?.name ?? "?"
  }
}

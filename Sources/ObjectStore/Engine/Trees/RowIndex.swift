/// An index of a table, which assigns each row a key in a tree.
protocol RowIndex {
  associatedtype Key: SlotTreeKey

  /// The columns whose values make the key, in order.
  var columns: [Int] { get }

  func key(_ slot: Int, in version: TableVersion) -> Key
}

extension CompoundIndex: RowIndex {
  var columns: [Int] { parts.map(\.column) }

  func key(_ slot: Int, in version: TableVersion) -> CompoundIndexKey {
    var key = CompoundIndexKey(repeating: 0)
    let columns = version.columns(slot)
    for index in parts.indices {
      let part = parts[index]
      key[index] = columns[part.column].indexKey(slot & ChunkLayout.mask, part.key)
    }
    return key
  }
}

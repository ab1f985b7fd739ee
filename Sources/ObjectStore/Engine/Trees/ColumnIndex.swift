/// The index of one attribute.
struct ColumnIndex: RowIndex {
  let column: Int
  let key: IndexKey

  init(_ column: Int, _ key: IndexKey) {
    self.column = column
    self.key = key
  }

  var columns: [Int] { [column] }

  @inline(__always)
  func key(_ slot: Int, in version: TableVersion) -> UInt64 {
    version.columns(slot)[column].indexKey(slot & ChunkLayout.mask, key)
  }
}

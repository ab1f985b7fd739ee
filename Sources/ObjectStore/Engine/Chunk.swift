/// A chunk holds up to 256 rows of a table, column by column.
///
///     Chunk ─ columns ─▶ [ StorageColumn 0 | StorageColumn 1 | … ]      one per column, side by side
///                              │ values  ─▶ cell 0, cell 1, … cell 255  (width bytes each)
///                              │ presence─▶ one byte per row            (optional columns)
///                              │ text    ─▶ bytes of the texts          (an arena, only grows)
///                              │ elements─▶ words of the collections    (an arena, only grows)
///                              │ editOwner      who may write in place
///                              └ block      keeps the memory alive, counted
///
/// Column 0 is the *live* byte of each row. A version never changes: to write a cell, the writer
/// first makes the chunk its own (copies the column table, not the data), then the column (copies
/// the data of that column), unless both already bear its editOwner. Rows at or past the sealed count
/// are invisible to every version and are written in place.
enum ChunkLayout {
  /// Rows per chunk: the knee between the cost of a small commit and of bulk work.
  static let rows = 256
  static let shift = 8
  static let mask = 255
  /// A table starts with a chunk of this many rows, which doubles until it holds ``rows``.
  static let firstRows = 16
  /// The key index and the backlinks hold slots of 32 bits, one more than the slot.
  static let lastSlot = Int(UInt32.max) - 2
}

final class Chunk {
  let editOwner: UInt64
  /// Number of the first version that can show a row of it.
  let birth: UInt64
  /// Rows it can hold: 256, or less for the first chunk of a small table.
  let capacity: Int
  let columnCount: Int
  let columns: UnsafeMutablePointer<_StorageColumn>

  /// Rows of zeros.
  init(_ layout: TableLayout, capacity: Int, editOwner: UInt64, birth: UInt64) {
    self.editOwner = editOwner
    self.birth = birth
    self.capacity = capacity
    columnCount = layout.columns.count
    columns = .allocate(capacity: columnCount)
    for (index, column) in layout.columns.enumerated() {
      (columns + index).initialize(
        to: _StorageColumn(ColumnBlock(column, capacity: capacity), editOwner: editOwner))
    }
  }

  /// The same columns, owned by `editOwner`; their data stays shared until written.
  init(copying other: Chunk, editOwner: UInt64) {
    self.editOwner = editOwner
    birth = other.birth
    capacity = other.capacity
    columnCount = other.columnCount
    columns = .allocate(capacity: columnCount)
    columns.initialize(from: other.columns, count: columnCount)
    for index in 0..<columnCount { _ = columns[index].block.retain() }
  }

  /// The same rows with room for more.
  init(growing other: Chunk, _ layout: TableLayout, to newCapacity: Int, editOwner: UInt64) {
    self.editOwner = editOwner
    birth = other.birth
    capacity = newCapacity
    columnCount = other.columnCount
    columns = .allocate(capacity: columnCount)
    for (index, column) in layout.columns.enumerated() {
      let block = ColumnBlock(
        copying: other.columns[index].block.takeUnretainedValue(), column,
        count: other.capacity, capacity: newCapacity)
      (columns + index).initialize(to: _StorageColumn(block, editOwner: editOwner))
    }
  }

  deinit {
    for index in 0..<columnCount { columns[index].block.release() }
    columns.deallocate()
  }

  /// Gives column `index` to the writer: copies its data. The chunk already bears `editOwner`.
  @inline(never)
  func ownColumn(_ index: Int, _ layout: ColumnLayout, editOwner: UInt64) {
    let old = columns[index].block
    let copy = ColumnBlock(
      copying: old._withUnsafeGuaranteedRef { $0 }, layout, count: capacity, capacity: capacity)
    columns[index] = _StorageColumn(copy, editOwner: editOwner)
    old.release()
  }

  /// Sets the cells of `rows` to zero in every column, in place. Only for rows no version can see.
  func zero(rows: Range<Int>, _ layout: TableLayout) {
    for (index, column) in layout.columns.enumerated() {
      let start = columns[index].values + rows.lowerBound * column.width
      start.zero(rows.count * column.width)
      columns[index].presence?.advanced(by: rows.lowerBound).update(repeating: 0, count: rows.count)
    }
  }
}

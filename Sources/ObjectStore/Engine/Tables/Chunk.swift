final class Chunk {
  let editOwner: UInt64
  /// The number of the first version that can show a row of the chunk.
  let birth: UInt64
  /// The number of rows that the chunk can hold: 256, or fewer in the first chunk of a small table.
  let capacity: Int
  let columnCount: Int
  let columns: UnsafeMutablePointer<_StorageColumn>

  /// Creates a chunk whose cells are all zero.
  ///
  /// - Parameter empty: The table's chunk of zeros, whose columns of missing attributes the new chunk shares.
  init(
    _ layout: TableLayout, sharing empty: Chunk, capacity: Int, editOwner: UInt64, birth: UInt64
  ) {
    self.editOwner = editOwner
    self.birth = birth
    self.capacity = capacity
    columnCount = layout.columns.count
    columns = .allocate(capacity: columnCount)
    for (index, column) in layout.columns.enumerated() {
      let column =
        layout.missingColumns.contains(index)
        ? _StorageColumn(empty.columns[index].block.takeUnretainedValue(), editOwner: 0)
        : _StorageColumn(ColumnBlock(column, capacity: capacity), editOwner: editOwner)
      (columns + index).initialize(to: column)
    }
  }

  /// Creates a chunk of zeros, which tables never write.
  init(emptyWith layout: TableLayout, capacity: Int = ChunkLayout.rows) {
    editOwner = 0
    birth = 0
    self.capacity = capacity
    columnCount = layout.columns.count
    columns = .allocate(capacity: columnCount)
    for (index, column) in layout.columns.enumerated() {
      let block = ColumnBlock(column, capacity: capacity, isShared: true)
      (columns + index).initialize(to: _StorageColumn(block, editOwner: 0))
    }
  }

  /// Creates a full chunk that no transaction may write in place.
  init(_ blocks: [ColumnBlock]) {
    editOwner = 0
    birth = 0
    capacity = ChunkLayout.rows
    columnCount = blocks.count
    columns = .allocate(capacity: columnCount)
    for (index, block) in blocks.enumerated() {
      (columns + index).initialize(to: _StorageColumn(block, editOwner: 0))
    }
  }

  /// Creates a chunk with the same columns, owned by `editOwner`. Their data stays shared until written.
  init(copying other: Chunk, editOwner: UInt64) {
    self.editOwner = editOwner
    birth = other.birth
    capacity = other.capacity
    columnCount = other.columnCount
    columns = .allocate(capacity: columnCount)
    columns.initialize(from: other.columns, count: columnCount)
    for index in 0..<columnCount { _ = columns[index].block.retain() }
  }

  /// Creates a copy of a chunk with the same or a larger capacity.
  init(growing other: Chunk, _ layout: TableLayout, to newCapacity: Int, editOwner: UInt64) {
    self.editOwner = editOwner
    assert(
      newCapacity >= other.capacity && newCapacity <= ChunkLayout.rows,
      "Chunk of \(other.capacity) rows cannot grow to \(newCapacity)")
    birth = other.birth
    capacity = newCapacity
    columnCount = other.columnCount
    columns = .allocate(capacity: columnCount)
    for (index, column) in layout.columns.enumerated() {
      let old = other.columns[index].block.takeUnretainedValue()
      let block =
        old.isShared
        ? old : ColumnBlock(copying: old, column, count: other.capacity, capacity: newCapacity)
      (columns + index).initialize(
        to: _StorageColumn(block, editOwner: old.isShared ? 0 : editOwner))
    }
  }

  deinit {
    for index in 0..<columnCount { columns[index].block.release() }
    columns.deallocate()
  }

  /// Copies the data of column `index` so that the writer owns it. The chunk already has that edit owner.
  @inline(never)
  func ownColumn(_ index: Int, _ layout: ColumnLayout, editOwner: UInt64) {
    assert(index < columnCount, "Column index \(index) is not below \(columnCount)")
    assert(self.editOwner == editOwner, "The chunk is not owned by the writer")
    let old = columns[index].block
    let copy = ColumnBlock(
      copying: old._withUnsafeGuaranteedRef { $0 }, layout, count: capacity, capacity: capacity)
    columns[index] = _StorageColumn(copy, editOwner: editOwner)
    old.release()
  }

  /// Sets the cells of `rows` to zero in every column, in place. Must be called only for rows that no version can see.
  func zero(rows: Range<Int>, _ layout: TableLayout) {
    assert(rows.upperBound <= capacity, "Rows \(rows) exceed the capacity \(capacity)")
    for (index, column) in layout.columns.enumerated()
    where !columns[index].block._withUnsafeGuaranteedRef(\.isShared) {
      let start = columns[index].values + rows.lowerBound * column.width
      start.zero(rows.count * column.width)
      columns[index].presence?.advanced(by: rows.lowerBound).update(repeating: 0, count: rows.count)
    }
  }
}

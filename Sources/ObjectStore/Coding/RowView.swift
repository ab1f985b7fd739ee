/// A view of the row of a managed or frozen object, read in place.
///
/// The view retains nothing: its user keeps the object, and with it the handle, alive.
@usableFromInline package struct RowView {
  @usableFromInline let columns: UnsafeMutablePointer<_StorageColumn>
  @usableFromInline let row: Int
  private unowned(unsafe) let handle: StoreHandle
  private let read: ReadTable

  /// The index of the table; with `slot` the identity of the row, to detect cycles.
  package let table: Int
  package let slot: Int

  init(_ handle: StoreHandle, table: Int, slot: Int) {
    self.handle = handle
    self.table = table
    self.slot = slot
    read = handle.readTable(table)
    columns = read.version._withUnsafeGuaranteedRef { $0.columns(slot) } + read.firstAttribute
    row = slot & ChunkLayout.mask
  }

  /// Creates a view of the object's row, or nil for an unmanaged object.
  package init?(_ object: ObjectBase) {
    guard let storage = object.storage, let handle = object.handle else { return nil }
    self.init(handle, table: storage.pointee.table, slot: object.slot)
  }

  /// The store of the row. A copy counts no reference, unlike that of a view.
  package struct Owner {
    fileprivate unowned(unsafe) let handle: StoreHandle

    /// Runs user code, which may read the store but not write to it: views point into the memory of a version.
    package func evaluating<R>(_ body: () throws -> R) rethrows -> R {
      try handle.evaluation.run(body)
    }
  }

  package var owner: Owner { Owner(handle: handle) }

  @inline(__always)
  package var isLive: Bool {
    (columns - read.firstAttribute)[TableLayout.liveColumn].byte(row) != 0
  }

  /// True if any attribute is missing, or if the row is whole.
  @inline(__always)
  package var hasMissing: Bool {
    let columns = columns - read.firstAttribute + TableLayout.missingColumn
    for index in 0..<read.missingColumnCount where columns[index].word(row) != 0 { return true }
    return false
  }

  /// True if neither a payload nor code has given the attribute a value.
  @inline(__always)
  package func isMissing(_ attribute: Int) -> Bool {
    let column = TableLayout.missingColumn + attribute / 64 - read.firstAttribute
    return columns[column].word(row) >> UInt64(attribute % 64) & 1 != 0
  }

  @inlinable
  package func isNull(_ attribute: Int) -> Bool { columns[attribute].isNull(row) }

  /// The bits of a number, a link or a collection.
  @inlinable
  package func word(_ attribute: Int) -> UInt64 { columns[attribute].word(row) }

  /// The byte of a Boolean.
  @inlinable
  package func byte(_ attribute: Int) -> UInt8 { columns[attribute].byte(row) }

  /// The bytes of a string, valid while the object is alive.
  @inlinable
  package func bytes(_ attribute: Int) -> UnsafeRawBufferPointer {
    columns[attribute].bytes(ofWord: columns[attribute].word(row))
  }

  /// The row that a link refers to, or nil.
  package func target(_ attribute: Int) -> RowView? {
    let word = columns[attribute].word(row)
    guard word != 0 else { return nil }
    return RowView(handle, table: columnLayout(attribute).targetTable, slot: Int(word) - 1)
  }

  private func columnLayout(_ attribute: Int) -> ColumnLayout {
    read.layouts[read.firstAttribute + attribute]
  }

  /// The number of elements of a collection, or of pairs of a map.
  package func elementCount(_ attribute: Int) -> Int { Int(columns[attribute].slice(row).length) }

  /// An element of a collection: its word or bytes, and in a map its key.
  package func element(_ attribute: Int, _ index: Int) -> (
    word: UInt64, bytes: UnsafeRawBufferPointer, key: UnsafeRawBufferPointer, isNull: Bool
  ) {
    let value = columns[attribute].element(
      columns[attribute].slice(row), index, columnLayout(attribute))
    return (value.word, value.bytes, value.key, value.isNull)
  }

  /// The row that an element of a collection of objects refers to.
  package func elementTarget(_ attribute: Int, word: UInt64) -> RowView? {
    guard word != 0 else { return nil }
    return RowView(handle, table: columnLayout(attribute).targetTable, slot: Int(word) - 1)
  }
}

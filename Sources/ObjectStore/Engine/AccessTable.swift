/// What the accessors of one table share in one handle: read by the property wrapper's inlined code.
///
/// An accessor keeps the columns of its chunk and the epoch it learned them in; while the epoch
/// stands, reading an attribute is four loads. The epoch moves when the handle advances, when a
/// chunk is copied and on rollback. R12.
public struct _AccessTable {
  /// The accessors' cached columns hold while this is the epoch they were learned in; 0 never is.
  @usableFromInline var epoch: UInt64
  /// Column by the byte offset of the wrapper inside the object; 0 where no wrapper stands.
  @usableFromInline let columnOfOffset: UnsafePointer<UInt16>
  /// Offsets below this can be looked up.
  @usableFromInline let offsetLimit: UInt
  /// Whether attributes may be assigned now.
  @usableFromInline var isWritable: Bool
  /// The table's index in the engine; -1 while key paths are recorded.
  let table: Int

  init(
    columnOfOffset: UnsafePointer<UInt16>, offsetLimit: UInt, table: Int, isWritable: Bool
  ) {
    epoch = 1
    self.columnOfOffset = columnOfOffset
    self.offsetLimit = offsetLimit
    self.isWritable = isWritable
    self.table = table
  }
}

typealias AccessTable = _AccessTable

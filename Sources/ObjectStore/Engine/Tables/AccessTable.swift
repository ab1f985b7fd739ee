/// State shared by the accessors of one table in one handle, read by the property wrapper's inlined code.
///
/// An accessor caches the columns of its chunk and the epoch in which it looked them up. While the epoch is unchanged,
/// reading an attribute takes four loads. The epoch changes when the handle advances, when a chunk is replaced, and
/// when the handle's write is sealed or rolled back (R12). While reads are tracked, every read takes the slow path.
public struct _AccessTable {
  /// An accessor with this epoch reads its cached columns without a function call. While reads are tracked, the value
  /// is 0, which is the epoch of no accessor.
  @usableFromInline private(set) var epoch: UInt64
  /// The epoch in which cached columns are valid.
  private(set) var columnEpoch: UInt64
  /// The handle's read tracker; nil if reads are never tracked.
  // Unretained, since retaining it would cost more than the read: the handle owns it and outlives its tables.
  let tracker: Unmanaged<ReadTracker>?
  /// True if every read of an attribute is reported to the tracker.
  var isTracked: Bool {
    didSet { epoch = isTracked ? 0 : columnEpoch }
  }
  /// The column of each wrapper, by the wrapper's byte offset in the object; 0 at offsets without a wrapper.
  @usableFromInline let columnOfOffset: UnsafePointer<UInt16>
  /// The number of entries in `columnOfOffset`; offsets are below it.
  @usableFromInline let offsetLimit: UInt
  /// True if attributes may be assigned.
  @usableFromInline var isWritable: Bool
  /// The table's index in the engine; -1 while key paths are recorded.
  let table: Int
  /// The layouts of the table's columns, which the engine owns; nil while key paths are recorded.
  let layouts: UnsafePointer<ColumnLayout>?

  init(
    columnOfOffset: UnsafePointer<UInt16>, offsetLimit: UInt, table: Int,
    layouts: UnsafePointer<ColumnLayout>? = nil, isWritable: Bool, tracker: ReadTracker? = nil,
    isTracked: Bool = false
  ) {
    self.tracker = tracker.map(Unmanaged.passUnretained)
    columnEpoch = 1
    epoch = isTracked ? 0 : 1
    self.isTracked = isTracked
    self.columnOfOffset = columnOfOffset
    self.offsetLimit = offsetLimit
    self.isWritable = isWritable
    self.table = table
    self.layouts = layouts
  }

  /// Invalidates the columns that accessors have cached.
  mutating func moveEpoch() {
    columnEpoch &+= 1
    if !isTracked { epoch = columnEpoch }
  }
}

typealias AccessTable = _AccessTable

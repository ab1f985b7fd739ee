/// What the accessors of one table share in one handle: read by the property wrapper's inlined code.
///
/// An accessor keeps the columns of its chunk and the epoch it learned them in; while the epoch
/// stands, reading an attribute is four loads. The epoch moves when the handle advances, when a
/// chunk is copied and on rollback. R12. While reads are tracked, each of them goes the slow way.
public struct _AccessTable {
  /// Accessors that learned their columns in this epoch are read without a call; 0, in which nobody did,
  /// while reads are tracked.
  @usableFromInline private(set) var epoch: UInt64
  /// The accessors' cached columns hold while this is the epoch they were learned in.
  private(set) var columnEpoch: UInt64
  /// The handle's; nil where nobody can be told.
  // Not counted, which would cost more than the read: the handle keeps it, and ends after its tables.
  let tracker: Unmanaged<ReadTracker>?
  /// Whether every read of an attribute is told to the tracker.
  var isTracked: Bool {
    didSet { epoch = isTracked ? 0 : columnEpoch }
  }
  /// Column by the byte offset of the wrapper inside the object; 0 where no wrapper stands.
  @usableFromInline let columnOfOffset: UnsafePointer<UInt16>
  /// Offsets below this can be looked up.
  @usableFromInline let offsetLimit: UInt
  /// Whether attributes may be assigned now.
  @usableFromInline var isWritable: Bool
  /// The table's index in the engine; -1 while key paths are recorded.
  let table: Int

  init(
    columnOfOffset: UnsafePointer<UInt16>, offsetLimit: UInt, table: Int, isWritable: Bool,
    tracker: ReadTracker? = nil, isTracked: Bool = false
  ) {
    self.tracker = tracker.map(Unmanaged.passUnretained)
    columnEpoch = 1
    epoch = isTracked ? 0 : 1
    self.isTracked = isTracked
    self.columnOfOffset = columnOfOffset
    self.offsetLimit = offsetLimit
    self.isWritable = isWritable
    self.table = table
  }

  /// Accessors have to look up their columns again.
  mutating func moveEpoch() {
    columnEpoch &+= 1
    if !isTracked { epoch = columnEpoch }
  }
}

typealias AccessTable = _AccessTable

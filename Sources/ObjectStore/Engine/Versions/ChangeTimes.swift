/// The times of the last changes to one table, in ticks of a ``ChangeClock``. The writer of the table owns its memory.
struct ChangeTimes {
  private let ticks: UnsafeMutablePointer<Int>
  /// The time of the last change of any kind.
  private(set) var last = 0
  /// The time at which a row was last inserted or deleted.
  private(set) var ofRows = 0
  /// The time at which each column last changed.
  private let ofColumns: UnsafeMutablePointer<Int>

  init(_ clock: ChangeClock, columnCount: Int) {
    ticks = clock.ticks
    ofColumns = .allocate(capacity: columnCount)
    ofColumns.initialize(repeating: 0, count: columnCount)
  }

  func deallocate() { ofColumns.deallocate() }

  @inline(__always)
  mutating func noteChange(of column: Int) {
    ofColumns[column] = tick()
  }

  /// Records that a column of missing attributes changed, which is no change of the table's values.
  mutating func noteKnown(of column: Int) {
    let (last, time) = (last, tick())
    ofColumns[column] = time
    self.last = last
  }

  mutating func noteRow() {
    ofRows = tick()
  }

  func ofColumn(_ column: Int) -> Int { ofColumns[column] }

  @inline(__always)
  private mutating func tick() -> Int {
    ticks.pointee &+= 1
    last = ticks.pointee
    return last
  }
}

/// Counts the changes of a transaction. Its table writers share the clock, so that the times of changes to different
/// tables can be compared.
final class ChangeClock {
  /// The number of changes recorded, including those that were rolled back. Accessed only by the writer.
  @exclusivity(unchecked) var ticks = 0
}

/// The times of the last changes to one table, in ticks of a ``ChangeClock``.
struct ChangeTimes {
  private let clock: ChangeClock
  /// The time of the last change of any kind.
  private(set) var last = 0
  /// The time at which a row was last inserted or deleted.
  private(set) var ofRows = 0
  /// The time at which each column last changed.
  private var ofColumns: ContiguousArray<Int>

  init(_ clock: ChangeClock, columnCount: Int) {
    self.clock = clock
    ofColumns = ContiguousArray(repeating: 0, count: columnCount)
  }

  @inline(__always)
  mutating func noteChange(of column: Int) {
    ofColumns[column] = tick()
  }

  mutating func noteRow() {
    ofRows = tick()
  }

  func ofColumn(_ column: Int) -> Int { ofColumns[column] }

  @inline(__always)
  private mutating func tick() -> Int {
    clock.ticks &+= 1
    last = clock.ticks
    return last
  }
}

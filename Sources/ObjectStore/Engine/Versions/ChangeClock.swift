/// Counts the changes of a transaction. Its table writers share the clock, so that the times of changes to different
/// tables can be compared.
final class ChangeClock {
  /// The number of changes recorded, including those that were rolled back. Accessed only by the writer.
  // A pointer, through which table writers count without reading the clock itself.
  let ticks: UnsafeMutablePointer<Int>

  init() {
    ticks = .allocate(capacity: 1)
    ticks.initialize(to: 0)
  }

  deinit { ticks.deallocate() }
}

/// Sees what is read through a handle, for `withObservationTracking`.
///
/// On a handle whose reads are tracked each of them asks it. On any other one those do that go a slow way in
/// any case: what finds rows, and the first read of an object in a version. The first one that finds tracking
/// at work makes the handle one whose reads are tracked.
class ReadTracker {
  /// Whether the thread is inside of `withObservationTracking`.
  var isTracking: Bool { false }

  /// Whether anybody waits for what was read to change.
  var isWaiting: Bool { false }

  /// An attribute of a row was read.
  func readAttribute(_ table: Int, _ slot: Int, _ column: Int) {}

  /// It was asked whether the row is there.
  func readRow(_ table: Int, _ slot: Int) {}

  /// Rows of a table were found by what these paths lead to; by none, it was asked which there are.
  func findRows(_ table: Int, by paths: @autoclosure () -> [[String]]) {}

  /// The handle shows another version, or its write was undone.
  func versionMoved() {}
}

/// Observes the reads through a handle, for `withObservationTracking`.
///
/// On a handle with tracked reads, every read calls it. On other handles only reads on a slow path do: queries, and the
/// first read of an object in a version. The first of these that finds tracking active switches the handle to tracked
/// reads.
class ReadTracker {
  /// True if the thread is inside `withObservationTracking`.
  var isTracking: Bool { false }

  /// True if any tracked read awaits a change.
  var isWaiting: Bool { false }

  /// Records that an attribute of a row was read.
  func readAttribute(_ table: Int, _ slot: Int, _ column: Int) {}

  /// Records that the existence of a row was read.
  func readRow(_ table: Int, _ slot: Int) {}

  /// Records a query on a table by the attributes at the ends of these key paths; without paths, by the set of its
  /// rows.
  func findRows(_ table: Int, by paths: @autoclosure () -> [[String]]) {}

  /// Called when the handle shows another version or its write was rolled back.
  func versionMoved() {}
}

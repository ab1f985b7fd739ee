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

  /// Records that the edit state or the rejection of a row was read.
  func readEditState(_ table: Int, _ slot: Int, _ attribute: Int) {}

  /// Records that code read whether an attribute of a row is known.
  func readKnown(_ table: Int, _ slot: Int, _ attribute: Int) {}

  /// Records that the existence of a row was read.
  func readRow(_ table: Int, _ slot: Int) {}

  /// Records that a query on a table depends on the attributes at the ends of these key paths or, without paths, on the
  /// set of the table's rows.
  func findRows(_ table: Int, by paths: @autoclosure () -> [[String]]) {}

  /// Called when the handle moves to another version or rolls back its write.
  func versionMoved() {}
}

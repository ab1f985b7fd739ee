/// The error that prevents the open write from being committed: the error for the first value that could not be stored.
///
/// Setters do not throw. A setter that cannot store its value records the error here and leaves the cell unchanged. The
/// commit then throws the error and rolls the write back.
///
///     write ── note ──▶ commit throws and everything is rolled back
///       └ savepoint ── note ──▶ its release throws and only it is rolled back; rolling it back throws nothing
final class TransactionFailure {
  /// The error of the innermost savepoint; nil while all values could be stored.
  private(set) var error: StoreError?
  /// The errors of the transaction and of the savepoints around the innermost one.
  private var outer: [StoreError?] = []

  /// Records the error, unless there is an earlier one.
  func note(_ error: StoreError) {
    if self.error == nil { self.error = error }
  }

  func beginSavepoint() {
    outer.append(error)
    error = nil
  }

  /// Discards the savepoint's error. A savepoint with an error is always rolled back.
  func endSavepoint() {
    error = outer.popLast() ?? nil
  }
}

/// Why the open write cannot be committed: the first thing in it that could not be stored.
///
/// Setters do not throw. What one of them cannot store it notes here and leaves the cell as it is;
/// the commit throws the error and rolls back instead.
///
///     write ── note ──▶ commit throws, all of it is undone
///       └ savepoint ── note ──▶ its release throws, it alone is undone; so does its rollback, silently
final class TransactionFailure {
  /// Of the innermost savepoint; nil while everything was stored.
  private(set) var error: StoreError?
  /// Of the transaction and the savepoints around the innermost one.
  private var outer: [StoreError?] = []

  /// Keeps the error, unless there is an earlier one.
  func note(_ error: StoreError) {
    if self.error == nil { self.error = error }
  }

  func beginSavepoint() {
    outer.append(error)
    error = nil
  }

  /// What was noted in the savepoint goes with it: nobody releases one that failed.
  func endSavepoint() {
    error = outer.popLast() ?? nil
  }
}

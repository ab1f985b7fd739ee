/// Runs user code that evaluates a declared default during an update, and records that it is running.
///
/// The code runs on the thread and in the isolation of the update. It may read the store but not write to it, since the
/// rows that the update has found must not change. A handle and its batches share one instance, because defaults are
/// evaluated when a class is first used, while a payload is read without an open write, and while a batch is applied.
final class DefaultEvaluation {
  @exclusivity(unchecked) private(set) var isRunning = false

  func run<R, E: Error>(_ body: () throws(E) -> R) throws(E) -> R {
    let outer = isRunning
    isRunning = true
    defer { isRunning = outer }
    return try DeepStack.onCaller(body)
  }
}

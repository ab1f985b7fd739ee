/// Runs the user's code that gives a default, in the middle of an update, and indicates that it runs.
///
/// That code runs on the thread and in the isolation that began the update. It may read the store, but not write to
/// it: what the update found so far must stay. A handle and its batches share one, since defaults are evaluated when
/// a class is met, while a payload is read and no write is open, and while a batch is applied.
final class DefaultEvaluation {
  @exclusivity(unchecked) private(set) var isRunning = false

  func run<R, E: Error>(_ body: () throws(E) -> R) throws(E) -> R {
    let outer = isRunning
    isRunning = true
    defer { isRunning = outer }
    return try DeepStack.onCaller(body)
  }
}

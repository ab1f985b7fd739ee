import Dispatch
import Synchronization

/// The progress of a long operation, and its cancellation.
///
/// The operation runs in phases. Each phase covers a range of the progress and has a number of steps, which may be an
/// estimate. The reported progress never decreases and is 1 only at the end. It is reported on a queue of its own,
/// because the receiver may use the store, which is busy during the operation.
// Sendable: `isCancelled` is atomic; everything else belongs to the thread that does the work.
final class FileProgress: @unchecked Sendable {
  private let report: (@Sendable (Double) -> Void)?
  private let queue: DispatchQueue?
  private let isCancelled = Atomic(false)
  private var phase = 0.0..<1.0
  private var stepCount = 1.0
  private var stepsDone = 0
  private var lastReported = -1.0

  init(_ report: (@Sendable (Double) -> Void)?) {
    self.report = report
    queue = report.map { _ in DispatchQueue(label: "StoreCoder.FileProgress") }
  }

  /// Cancels the operation. May be called on any thread.
  func cancel() {
    isCancelled.store(true, ordering: .relaxed)
  }

  /// Begins a phase, which covers a range of the progress.
  func begin(_ phase: Range<Double>, stepCount: Int) throws(CancellationError) {
    assert(
      phase.lowerBound >= self.phase.lowerBound && phase.upperBound <= 1,
      "Phase \(phase) does not follow \(self.phase)")
    (self.phase, self.stepCount, stepsDone) = (phase, Double(max(1, stepCount)), 0)
    try reportAndCheck()
  }

  /// Counts a step. Every 256th step reports the progress and checks for cancellation.
  @inline(__always)
  func step() throws(CancellationError) {
    stepsDone += 1
    if stepsDone & 0xFF == 0 { try reportAndCheck() }
  }

  /// Counts several steps. Returns false if the operation is cancelled.
  func advance(by count: Int) -> Bool {
    stepsDone += count
    do {
      try reportAndCheck()
      return true
    } catch {
      return false
    }
  }

  /// Waits until all progress is reported, and reports 1 if the operation is done. Must not be called while a lock is
  /// held.
  func end(isDone: Bool) {
    queue?.sync { if isDone { report?(1) } }
  }

  private func reportAndCheck() throws(CancellationError) {
    if isCancelled.load(ordering: .relaxed) { throw CancellationError() }
    let share = min(Double(stepsDone) / stepCount, 1)
    let now = min(phase.lowerBound + share * (phase.upperBound - phase.lowerBound), 0.99)
    guard now >= lastReported + 0.01 || lastReported < 0 else { return }
    lastReported = now
    if let report { queue?.async { report(now) } }
  }
}

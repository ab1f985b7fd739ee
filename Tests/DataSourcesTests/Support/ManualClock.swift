import Synchronization

/// A clock that only advances manually, or that ends each sleep immediately by advancing to its deadline.
final class ManualClock: Clock, Sendable {
  struct Instant: InstantProtocol {
    var offset = Duration.zero

    func advanced(by duration: Duration) -> Instant { Instant(offset: offset + duration) }
    func duration(to other: Instant) -> Duration { other.offset - offset }
    static func < (first: Instant, second: Instant) -> Bool { first.offset < second.offset }
  }

  private struct Sleeper {
    let deadline: Instant
    let continuation: CheckedContinuation<Void, any Error>
  }

  private struct State {
    var now = Instant()
    var sleepers: [Int: Sleeper] = [:]
    var sleeps: [Duration] = []
  }

  private let state = Mutex(State())
  private let skips: Bool

  /// - Parameter skips: True if sleeping takes no time.
  init(skips: Bool = false) {
    self.skips = skips
  }

  var now: Instant { state.withLock { $0.now } }
  var minimumResolution: Duration { .zero }
  /// The requested durations of all sleeps.
  var sleeps: [Duration] { state.withLock { $0.sleeps } }
  /// The number of sleeping tasks.
  var sleeperCount: Int { state.withLock { $0.sleepers.count } }

  func sleep(until deadline: Instant, tolerance: Duration?) async throws {
    let number = state.withLock { state in
      state.sleeps.append(state.now.duration(to: deadline))
      return state.sleeps.count
    }
    try Task.checkCancellation()
    if skips {
      state.withLock { $0.now = max($0.now, deadline) }
      return
    }
    try await withTaskCancellationHandler {
      try await withCheckedThrowingContinuation { continuation in
        let isAwake = state.withLock { state in
          if Task.isCancelled || deadline <= state.now { return true }
          state.sleepers[number] = Sleeper(deadline: deadline, continuation: continuation)
          return false
        }
        if isAwake { continuation.resume(with: Result { try Task.checkCancellation() }) }
      }
    } onCancel: {
      let sleeper = state.withLock { $0.sleepers.removeValue(forKey: number) }
      sleeper?.continuation.resume(throwing: CancellationError())
    }
  }

  func advance(by duration: Duration) {
    let awake = state.withLock { state in
      state.now = state.now.advanced(by: duration)
      let awake = state.sleepers.filter { $0.value.deadline <= state.now }
      for number in awake.keys { state.sleepers[number] = nil }
      return awake.values.map(\.continuation)
    }
    for continuation in awake { continuation.resume() }
  }
}

/// A thread-safe counter.
final class SeenCount: Sendable {
  private let count = Mutex(0)

  var value: Int { count.withLock { $0 } }

  @discardableResult
  func next() -> Int {
    count.withLock {
      $0 += 1
      return $0
    }
  }
}

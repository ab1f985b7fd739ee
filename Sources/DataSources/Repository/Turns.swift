import Synchronization

/// Lets those who come do something one after the other, in the order in which they came. Who is cancelled while
/// he waits leaves.
final class Turns: Sendable {
  private struct State {
    var isTaken = false
    var waiting: [Int: CheckedContinuation<Void, any Error>] = [:]
    /// Those who wait or have left, in the order in which they came; from `next` on they have had no turn.
    var queue: [Int] = []
    var next = 0
    var lastNumber = 0

    /// The one whose turn is next.
    mutating func takeNext() -> CheckedContinuation<Void, any Error>? {
      if next > queue.count / 2 {
        queue.removeFirst(next)
        next = 0
      }
      while next < queue.count {
        defer { next += 1 }
        if let continuation = waiting.removeValue(forKey: queue[next]) { return continuation }
      }
      return nil
    }
  }

  private let state = Mutex(State())

  /// Runs `body` when all who came before are done.
  /// - Throws: `CancellationError` where the task is cancelled before that; what `body` throws.
  func run<R>(_ body: () async throws -> R) async throws -> R {
    try await begin()
    defer { end() }
    return try await body()
  }

  /// How many wait for their turn.
  var waitingCount: Int { state.withLock { $0.waiting.count } }

  private func begin() async throws {
    let number = state.withLock { state in
      state.lastNumber += 1
      return state.lastNumber
    }
    try await withTaskCancellationHandler {
      try await withCheckedThrowingContinuation { wait(number, $0) }
    } onCancel: {
      let left = state.withLock { $0.waiting.removeValue(forKey: number) }
      left?.resume(throwing: CancellationError())
    }
  }

  private func wait(_ number: Int, _ continuation: CheckedContinuation<Void, any Error>) {
    let outcome = state.withLock { state -> Result<Void, any Error>? in
      // Who was cancelled before is not found by his handler.
      if Task.isCancelled { return .failure(CancellationError()) }
      if state.isTaken {
        state.queue.append(number)
        state.waiting[number] = continuation
        return nil
      }
      state.isTaken = true
      return .success(())
    }
    if let outcome { continuation.resume(with: outcome) }
  }

  private func end() {
    let next = state.withLock { state in
      let next = state.takeNext()
      state.isTaken = next != nil
      return next
    }
    next?.resume()
  }
}

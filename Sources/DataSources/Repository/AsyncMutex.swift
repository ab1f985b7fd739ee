import Synchronization

/// A mutex for async code. Waiters are served in order of arrival; a cancelled waiter leaves the queue.
final class AsyncMutex: Sendable {
  private struct State {
    var isLocked = false
    var waiters: [Int: CheckedContinuation<Void, any Error>] = [:]
    /// The numbers of waiters in order of arrival, including those that left. Those before `next` were served or
    /// had left.
    var queue: [Int] = []
    var next = 0
    var lastNumber = 0

    /// Removes and returns the first waiter.
    mutating func takeNext() -> CheckedContinuation<Void, any Error>? {
      if next > queue.count / 2 {
        queue.removeFirst(next)
        next = 0
      }
      while next < queue.count {
        defer { next += 1 }
        if let continuation = waiters.removeValue(forKey: queue[next]) { return continuation }
      }
      return nil
    }
  }

  private let state = Mutex(State())

  /// Runs `body` while holding the mutex.
  /// - Throws: `CancellationError` if the task is cancelled while it waits; the errors of `body`.
  func withLock<R>(_ body: () async throws -> R) async throws -> R {
    try await lock()
    defer { unlock() }
    return try await body()
  }

  /// The number of waiting tasks.
  var waiterCount: Int { state.withLock { $0.waiters.count } }

  private func lock() async throws {
    let number = state.withLock { state in
      state.lastNumber += 1
      return state.lastNumber
    }
    try await withTaskCancellationHandler {
      try await withCheckedThrowingContinuation { wait(number, $0) }
    } onCancel: {
      let left = state.withLock { $0.waiters.removeValue(forKey: number) }
      left?.resume(throwing: CancellationError())
    }
  }

  private func wait(_ number: Int, _ continuation: CheckedContinuation<Void, any Error>) {
    let outcome = state.withLock { state -> Result<Void, any Error>? in
      // A task that is already cancelled has run its handler, which found no waiter to remove.
      if Task.isCancelled { return .failure(CancellationError()) }
      if state.isLocked {
        state.queue.append(number)
        state.waiters[number] = continuation
        return nil
      }
      state.isLocked = true
      return .success(())
    }
    if let outcome { continuation.resume(with: outcome) }
  }

  private func unlock() {
    let next = state.withLock { state in
      let next = state.takeNext()
      state.isLocked = next != nil
      return next
    }
    next?.resume()
  }
}

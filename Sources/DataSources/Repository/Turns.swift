import Synchronization

/// Lets those who come do something one after the other, in the order in which they came.
final class Turns: Sendable {
  private struct State {
    var isTaken = false
    var waiting: [Int: CheckedContinuation<Void, Never>] = [:]
    var next = 0
    var last = 0
  }

  private let state = Mutex(State())

  /// Runs `body` when all who came before are done.
  func run<R>(_ body: () async throws -> R) async rethrows -> R {
    await begin()
    defer { end() }
    return try await body()
  }

  private func begin() async {
    await withCheckedContinuation { continuation in
      let isMine = state.withLock { state in
        if !state.isTaken {
          state.isTaken = true
          return true
        }
        state.waiting[state.last] = continuation
        state.last += 1
        return false
      }
      if isMine { continuation.resume() }
    }
  }

  private func end() {
    let next = state.withLock { state in
      let next = state.waiting.removeValue(forKey: state.next)
      if next == nil { state.isTaken = false } else { state.next += 1 }
      return next
    }
    next?.resume()
  }
}

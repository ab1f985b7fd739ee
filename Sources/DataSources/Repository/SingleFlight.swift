import Synchronization

/// Lets those who want the same at the same time share the work.
///
/// Each waits for himself: one who is cancelled goes at once. The work is cancelled when nobody waits for it
/// any more.
final class SingleFlight<Value: Sendable>: Sendable {
  private struct Flight {
    let number: Int
    let task: Task<Void, Never>
    var waiting: [Int: CheckedContinuation<Value, any Error>]
  }

  private struct State {
    var flights: [QueryIdentity: Flight] = [:]
    var lastNumber = 0
  }

  private let state = Mutex(State())

  /// What `work` gives; work that is under way for the same query is shared. Without an identity nothing is.
  func run(
    _ query: QueryIdentity?, _ work: @escaping @Sendable () async throws -> Value
  ) async throws -> Value {
    guard let query else { return try await work() }
    let number = state.withLock { state in
      state.lastNumber += 1
      return state.lastNumber
    }
    return try await withTaskCancellationHandler {
      try await withCheckedThrowingContinuation { continuation in
        join(query, number, continuation, work)
      }
    } onCancel: {
      leave(query, number)
    }
  }

  /// How many wait for what a query asks for.
  func waitingCount(for query: some Query) -> Int {
    guard let query = QueryIdentity(query) else { return 0 }
    return state.withLock { $0.flights[query]?.waiting.count ?? 0 }
  }

  private func join(
    _ query: QueryIdentity, _ number: Int, _ continuation: CheckedContinuation<Value, any Error>,
    _ work: @escaping @Sendable () async throws -> Value
  ) {
    let isCancelled = state.withLock { state in
      // Who was cancelled before is not found by `leave`.
      if Task.isCancelled { return true }
      if state.flights[query] == nil {
        let task = Task {
          let result: Result<Value, any Error>
          do { result = .success(try await work()) } catch { result = .failure(error) }
          self.land(query, number, result)
        }
        state.flights[query] = Flight(number: number, task: task, waiting: [:])
      }
      state.flights[query]?.waiting[number] = continuation
      return false
    }
    if isCancelled { continuation.resume(throwing: CancellationError()) }
  }

  private func leave(_ query: QueryIdentity, _ number: Int) {
    let (continuation, unwanted) = state.withLock { state in
      let continuation = state.flights[query]?.waiting.removeValue(forKey: number)
      guard continuation != nil, let flight = state.flights[query], flight.waiting.isEmpty else {
        return (continuation, nil as Task<Void, Never>?)
      }
      state.flights[query] = nil
      return (continuation, flight.task)
    }
    unwanted?.cancel()
    continuation?.resume(throwing: CancellationError())
  }

  private func land(_ query: QueryIdentity, _ number: Int, _ result: Result<Value, any Error>) {
    let waiting = state.withLock { state -> [CheckedContinuation<Value, any Error>] in
      // Another may be under way since everybody left this one.
      guard let flight = state.flights[query], flight.number == number else { return [] }
      state.flights[query] = nil
      return Array(flight.waiting.values)
    }
    for continuation in waiting { continuation.resume(with: result) }
  }
}

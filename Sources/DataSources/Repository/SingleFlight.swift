import Synchronization

/// Shares one task among concurrent callers with the same key.
///
/// A cancelled waiter returns immediately. The shared task is cancelled with its last waiter, unless `start` began it
/// or joined it.
final class SingleFlight<Key: Hashable & Sendable, Value: Sendable>: Sendable {
  private struct Flight {
    let number: Int
    let task: Task<Void, Never>
    var waiters: [Int: CheckedContinuation<Value, any Error>] = [:]
    /// True if the task runs to its end without waiters.
    var isDetached = false
  }

  private struct State {
    var flights: [Key: Flight] = [:]
    var lastNumber = 0
  }

  private let state = Mutex(State())

  /// Returns the result of `work`, or of the running task with the same key. Work without a key is not shared.
  func run(
    _ key: Key?, _ work: @escaping @Sendable () async throws -> Value
  ) async throws -> Value {
    guard let key else { return try await work() }
    let number = state.withLock { state in
      state.lastNumber += 1
      return state.lastNumber
    }
    return try await withTaskCancellationHandler {
      try await withCheckedThrowingContinuation { continuation in
        addWaiter(key, number, continuation, work)
      }
    } onCancel: {
      cancelWaiter(key, number)
    }
  }

  /// Starts `work` without waiting for it, unless a task with the same key is running.
  func start(_ key: Key?, _ work: @escaping @Sendable () async throws -> Value) {
    guard let key else {
      Task { try await work() }
      return
    }
    state.withLock { state in
      state.lastNumber += 1
      begin(key, state.lastNumber, work, &state)
      state.flights[key]?.isDetached = true
    }
  }

  /// The number of running tasks.
  var flightCount: Int { state.withLock { $0.flights.count } }

  /// The number of callers that wait for tasks with the keys that satisfy a condition.
  func waiterCount(where isIncluded: (Key) -> Bool) -> Int {
    state.withLock { state in
      state.flights.reduce(0) { isIncluded($1.key) ? $0 + $1.value.waiters.count : $0 }
    }
  }

  private func begin(
    _ key: Key, _ number: Int, _ work: @escaping @Sendable () async throws -> Value,
    _ state: inout State
  ) {
    guard state.flights[key] == nil else { return }
    let task = Task {
      let result: Result<Value, any Error>
      do { result = .success(try await work()) } catch { result = .failure(error) }
      self.finish(key, number, result)
    }
    state.flights[key] = Flight(number: number, task: task)
  }

  private func addWaiter(
    _ key: Key, _ number: Int, _ continuation: CheckedContinuation<Value, any Error>,
    _ work: @escaping @Sendable () async throws -> Value
  ) {
    let isCancelled = state.withLock { state in
      // For a task that is already cancelled, `cancelWaiter` has run and found no waiter.
      if Task.isCancelled { return true }
      begin(key, number, work, &state)
      state.flights[key]?.waiters[number] = continuation
      return false
    }
    if isCancelled { continuation.resume(throwing: CancellationError()) }
  }

  private func cancelWaiter(_ key: Key, _ number: Int) {
    let (continuation, abandoned) = state.withLock { state in
      let continuation = state.flights[key]?.waiters.removeValue(forKey: number)
      guard continuation != nil, let flight = state.flights[key], flight.waiters.isEmpty,
        !flight.isDetached
      else { return (continuation, nil as Task<Void, Never>?) }
      state.flights[key] = nil
      return (continuation, flight.task)
    }
    abandoned?.cancel()
    continuation?.resume(throwing: CancellationError())
  }

  private func finish(_ key: Key, _ number: Int, _ result: Result<Value, any Error>) {
    let waiters = state.withLock { state -> [CheckedContinuation<Value, any Error>] in
      // If all waiters left this flight, a newer one may have its key.
      guard let flight = state.flights[key], flight.number == number else { return [] }
      state.flights[key] = nil
      return Array(flight.waiters.values)
    }
    for continuation in waiters { continuation.resume(with: result) }
  }
}

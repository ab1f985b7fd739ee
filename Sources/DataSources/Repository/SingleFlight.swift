import Synchronization

/// Lets those who want the same at the same time share the work.
///
/// Each waits for himself: one who is cancelled goes at once. The work is cancelled when nobody waits for it
/// any more, unless it was started for nobody.
final class SingleFlight<Key: Hashable & Sendable, Value: Sendable>: Sendable {
  private struct Flight {
    let number: Int
    let task: Task<Void, Never>
    var waiting: [Int: CheckedContinuation<Value, any Error>] = [:]
    var isForNobody = false
  }

  private struct State {
    var flights: [Key: Flight] = [:]
    var lastNumber = 0
  }

  private let state = Mutex(State())

  /// What `work` gives; work that is under way for the same key is shared. Without a key nothing is.
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
        join(key, number, continuation, work)
      }
    } onCancel: {
      leave(key, number)
    }
  }

  /// Has the work done, and does not wait for it; where it is under way, it is not begun again.
  func start(_ key: Key?, _ work: @escaping @Sendable () async throws -> Value) {
    guard let key else {
      Task { try await work() }
      return
    }
    state.withLock { state in
      state.lastNumber += 1
      begin(key, state.lastNumber, work, &state)
      state.flights[key]?.isForNobody = true
    }
  }

  /// How much is under way.
  var underWayCount: Int { state.withLock { $0.flights.count } }

  /// How many wait for what is under way for these keys.
  func waitingCount(where isMeant: (Key) -> Bool) -> Int {
    state.withLock { state in
      state.flights.reduce(0) { isMeant($1.key) ? $0 + $1.value.waiting.count : $0 }
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
      self.land(key, number, result)
    }
    state.flights[key] = Flight(number: number, task: task)
  }

  private func join(
    _ key: Key, _ number: Int, _ continuation: CheckedContinuation<Value, any Error>,
    _ work: @escaping @Sendable () async throws -> Value
  ) {
    let isCancelled = state.withLock { state in
      // Who was cancelled before is not found by `leave`.
      if Task.isCancelled { return true }
      begin(key, number, work, &state)
      state.flights[key]?.waiting[number] = continuation
      return false
    }
    if isCancelled { continuation.resume(throwing: CancellationError()) }
  }

  private func leave(_ key: Key, _ number: Int) {
    let (continuation, unwanted) = state.withLock { state in
      let continuation = state.flights[key]?.waiting.removeValue(forKey: number)
      guard continuation != nil, let flight = state.flights[key], flight.waiting.isEmpty,
        !flight.isForNobody
      else { return (continuation, nil as Task<Void, Never>?) }
      state.flights[key] = nil
      return (continuation, flight.task)
    }
    unwanted?.cancel()
    continuation?.resume(throwing: CancellationError())
  }

  private func land(_ key: Key, _ number: Int, _ result: Result<Value, any Error>) {
    let waiting = state.withLock { state -> [CheckedContinuation<Value, any Error>] in
      // Another may be under way since everybody left this one.
      guard let flight = state.flights[key], flight.number == number else { return [] }
      state.flights[key] = nil
      return Array(flight.waiting.values)
    }
    for continuation in waiting { continuation.resume(with: result) }
  }
}

import Synchronization

/// When answers came from the main source.
final class AnswerAges: Sendable {
  private struct Question: Hashable {
    let query: QueryIdentity
    let isOfList: Bool
  }

  /// How many are known at most.
  private static let limit = 4096

  private let times = Mutex(LeastRecentlyUsed<Question, Duration>(limit: limit))
  private let time: @Sendable () -> Duration

  init(_ clock: any Clock<Duration>) {
    time = Self.stopwatch(clock)
  }

  private static func stopwatch<C: Clock<Duration>>(_ clock: C) -> @Sendable () -> Duration {
    let start = clock.now
    return { start.duration(to: clock.now) }
  }

  /// How long ago the answer to a query came; nil if that is not known.
  func age(_ query: some Query, isOfList: Bool) -> Duration? {
    guard let query = QueryIdentity(query) else { return nil }
    let came = times.withLock { $0[Question(query: query, isOfList: isOfList)] }
    return came.map { time() - $0 }
  }

  /// Notes that an answer has come.
  func begin(_ query: some Query, isOfList: Bool) {
    guard let query = QueryIdentity(query) else { return }
    let now = time()
    times.withLock { $0.insert(now, for: Question(query: query, isOfList: isOfList)) }
  }

  /// Forgets all answers.
  func forgetAll() {
    times.withLock { $0 = LeastRecentlyUsed(limit: Self.limit) }
  }

  /// Forgets the answers to a query.
  func forget(_ query: some Query) {
    guard let query = QueryIdentity(query) else { return }
    times.withLock {
      $0.remove(Question(query: query, isOfList: false))
      $0.remove(Question(query: query, isOfList: true))
    }
  }
}

import Synchronization

/// What a repository knows of the answers that its cache has: where they are, when they were asked for, and
/// whether something that was put or deleted since may have changed them.
///
/// Time is counted in *epochs*. Each write begins one when it begins and another when it ends, for the questions
/// that it reaches: those for its ids and all that are for no id. The epoch of a question is the last
/// that reached it.
///
///     fetch    epoch ──▶ main source ──▶ still the same epoch? ──▶ cache ──▶ note
///     write    begin ──▶ main source and cache ──▶ end: nobody else began or ended one? ──▶ note
///
/// An answer counts in the epoch it is noted with. In a later one it is outdated. What was asked for in an
/// earlier one is not kept, nor shared by those who ask in a later.
final class AnswerLedger: Sendable {
  /// What is known of the cache's answer to a question.
  struct Standing {
    /// By which query the cache has just the main source's answer, and how many values that has.
    var place: (query: any Query, count: Int)?
    /// How old the answer is; nil if nobody knows.
    var age: Duration?
    /// Whether something may have changed it since.
    var isOutdated: Bool
    /// Whether the main source has answered it at all.
    var wasAnswered: Bool
  }

  /// What a write has left in the cache.
  enum Outcome {
    /// What may be older than what the main source has.
    case outdated
    /// What nobody has compared to the main source.
    case unknown
    /// The main source's answer to what was asked at a time.
    case kept(at: (any Query)?, count: Int, asked: Duration)
  }

  private struct Record {
    let query: (any Query)?
    let count: Int
    let asked: Duration?
    let epoch: Int
  }

  private struct State {
    var answers = LeastRecentlyUsed<QuestionKey, Record>(limit: AnswerLedger.limit)
    var last = 0
    /// The last epoch that reached all questions.
    var ofAll = 0
    /// The last ones that reached an id, since then.
    var ofIds: [String: Int] = [:]

    func epoch(of question: Question) -> Int {
      // There is none that did not reach what is asked for by something else than an id.
      question.id.map { ofIds[$0] ?? ofAll } ?? last
    }

    mutating func begin(_ reach: Reach) -> Int {
      last += 1
      if case .ids(let ids) = reach {
        for id in ids { ofIds[id] = last }
        if ofIds.count <= AnswerLedger.idLimit { return last }
      }
      ofAll = last
      ofIds = [:]
      return last
    }

    mutating func note(_ question: Question, _ answer: Record) {
      guard let key = question.key else { return }
      answers.insert(answer, for: key, cost: max(answer.count, AnswerLedger.leastCost))
    }
  }

  /// How many keys of values are known at most.
  private static let limit = 1 << 18
  /// What an answer counts with few keys or none, for all else that is known of it.
  private static let leastCost = 64
  /// How many ids may have epochs of their own.
  private static let idLimit = 4096

  private let state = Mutex(State())
  private let time: @Sendable () -> Duration

  init(_ clock: any Clock<Duration>) {
    time = Self.stopwatch(clock)
  }

  private static func stopwatch<C: Clock<Duration>>(_ clock: C) -> @Sendable () -> Duration {
    let start = clock.now
    return { start.duration(to: clock.now) }
  }

  /// The time, as answers are dated by it.
  var now: Duration { time() }

  // MARK: - Reading

  /// The epoch that a question is in.
  func epoch(of question: Question) -> Int {
    state.withLock { $0.epoch(of: question) }
  }

  /// What is known of the answer to a question.
  func standing(of question: Question) -> Standing {
    let (answer, epoch) = state.withLock { state in
      (question.key.flatMap { state.answers[$0] }, state.epoch(of: question))
    }
    guard let answer else {
      return Standing(place: nil, age: nil, isOutdated: epoch > 0, wasAnswered: false)
    }
    let age = answer.query == nil ? nil : answer.asked.map { time() - $0 }
    return Standing(
      place: answer.query.map { ($0, answer.count) },
      // A clock that goes back says nothing.
      age: age.flatMap { $0 < .zero ? nil : $0 }, isOutdated: answer.epoch < epoch,
      wasAnswered: true)
  }

  // MARK: - Fetching

  /// Notes that the cache has the answer to what was asked in an epoch; in a later one it is not noted.
  func note(
    _ question: Question, at query: (any Query)?, count: Int, asked: Duration, in epoch: Int
  ) {
    state.withLock { state in
      guard state.epoch(of: question) == epoch else { return }
      state.note(question, Record(query: query, count: count, asked: asked, epoch: epoch))
    }
  }

  /// Notes that the main source has nothing, in an epoch: what the cache may have is outdated.
  func noteNothing(_ question: Question, in epoch: Int) {
    state.withLock { state in
      guard state.epoch(of: question) == epoch else { return }
      state.note(question, Record(query: nil, count: 0, asked: nil, epoch: -1))
    }
  }

  // MARK: - Writing

  /// Begins a write.
  /// - Returns: Its epoch.
  func begin(_ reach: Reach) -> Int {
    state.withLock { $0.begin(reach) }
  }

  /// Ends a write that began an epoch. What it left is noted only if no other reached the question meanwhile:
  /// nobody knows which of two the main source took last.
  func end(_ reach: Reach, begun epoch: Int, _ question: Question?, _ outcome: Outcome) {
    state.withLock { state in
      let isAlone = question.map { state.epoch(of: $0) == epoch } ?? false
      let ending = state.begin(reach)
      guard isAlone, let question else { return }
      switch outcome {
      case .outdated: break
      case .unknown:
        state.note(question, Record(query: nil, count: 0, asked: nil, epoch: ending))
      case .kept(let query, let count, let asked):
        state.note(question, Record(query: query, count: count, asked: asked, epoch: ending))
      }
    }
  }
}

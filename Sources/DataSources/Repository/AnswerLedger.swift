import Synchronization

/// What a repository knows of the answers that its cache has: where they are, when they were asked for, and
/// whether something that was put or deleted since may have changed them.
///
/// Time is counted in *epochs*. Each write begins one when it begins and another when it ends, for the questions
/// that it reaches: those for its ids and all that are for no id. The epoch of a question is the last
/// that reached it.
///
///     fetch    epoch ──▶ main source ──▶ still the same epoch, no write under way? ──▶ cache ──▶ note
///     write    begin ──▶ main source and cache ──▶ end: no other began, ended or is under way? ──▶ note
///
/// An answer counts in the epoch it is noted with. In a later one it is outdated, and while a write that
/// reaches it is under way. What was asked for in an earlier one is not kept, nor shared by those who ask in a
/// later.
///
/// Where values contain others that have ids of their own (`isNested`), an answer to one question brings along what
/// others are about. There a fetch counts all epochs, and a write that does not end well outdates all answers; one
/// that does has changed the cache's values wherever they stand.
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
    /// Whether it has answered that there is nothing, and nothing was put since.
    var isNothing = false
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
    var query: (any Query)?
    var count = 0
    var asked: Duration?
    var epoch: Int
    /// Whether the cache may have something else than the main source's answer.
    var isRefuted = false
    /// Whether that was that there is nothing.
    var isNothing = false
  }

  /// Writes to an id that have begun and not ended.
  private struct UnderWay {
    var count = 0
    /// The one that began last.
    var latest = 0
  }

  private struct State {
    var answers = LeastRecentlyUsed<QuestionKey, Record>(limit: AnswerLedger.limit)
    var last = 0
    /// The last epoch that reached all questions.
    var ofAll = 0
    /// The last ones that reached an id, since then.
    var ofIds: [String: Int] = [:]

    /// How many writes are under way, and how many of them reach all questions.
    var underWayCount = 0
    var underWayCountOfAll = 0
    /// The others, by their ids.
    var underWay: [String: UnderWay] = [:]
    /// When the last deletion of who knows what began.
    var lastSweep = 0

    func epoch(of question: Question) -> Int {
      // There is none that did not reach what is asked for by something else than an id.
      question.id.map { ofIds[$0] ?? ofAll } ?? last
    }

    func isBeingWritten(_ question: Question) -> Bool {
      guard let id = question.id else { return underWayCount > 0 }
      return underWayCountOfAll > 0 || underWay[id] != nil
    }

    /// Counts a write that began an epoch, or its end.
    mutating func count(_ reach: Reach, _ step: Int, begun epoch: Int) {
      underWayCount += step
      guard case .ids(let ids) = reach else {
        underWayCountOfAll += step
        return
      }
      for id in ids {
        var writes = underWay[id] ?? UnderWay()
        writes.count += step
        writes.latest = max(writes.latest, epoch)
        underWay[id] = writes.count == 0 ? nil : writes
      }
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
  private let isNested: Bool

  /// - Parameter isNested: whether values may contain others that have ids of their own.
  init(_ clock: any Clock<Duration>, isNested: Bool) {
    self.isNested = isNested
    time = Self.stopwatch(clock)
  }

  private static func stopwatch<C: Clock<Duration>>(_ clock: C) -> @Sendable () -> Duration {
    let start = clock.now
    return { start.duration(to: clock.now) }
  }

  /// The time, as answers are dated by it.
  var now: Duration { time() }

  // MARK: - Reading

  /// What is known of the answer to a question.
  func standing(of question: Question) -> Standing {
    let (answer, epoch, isBeingWritten) = state.withLock { state in
      (
        question.key.flatMap { state.answers[$0] }, state.epoch(of: question),
        state.isBeingWritten(question)
      )
    }
    guard let answer else {
      return Standing(
        place: nil, age: nil, isOutdated: epoch > 0 || isBeingWritten, wasAnswered: false)
    }
    let age = answer.query == nil ? nil : answer.asked.map { time() - $0 }
    return Standing(
      place: answer.query.map { ($0, answer.count) },
      // A clock that goes back says nothing.
      age: age.flatMap { $0 < .zero ? nil : $0 },
      isOutdated: answer.isRefuted || answer.epoch < epoch || isBeingWritten, wasAnswered: true,
      isNothing: answer.isNothing && answer.epoch >= epoch)
  }

  // MARK: - Fetching

  /// The epoch in which a question is asked now.
  func epoch(of question: Question) -> Int {
    state.withLock { isNested ? $0.last : $0.epoch(of: question) }
  }

  /// Whether no write has reached what was asked in an epoch, nor is about to.
  func mayKeep(_ question: Question, in epoch: Int) -> Bool {
    state.withLock { mayKeep(question, in: epoch, $0) }
  }

  private func mayKeep(_ question: Question?, in epoch: Int, _ state: State) -> Bool {
    guard !isNested, let question else {
      return state.last == epoch && state.underWayCount == 0
    }
    return state.epoch(of: question) == epoch && !state.isBeingWritten(question)
  }

  /// Notes that the cache has the answer to what was asked in an epoch; in a later one it is not noted.
  func note(
    _ question: Question, at query: (any Query)?, count: Int, asked: Duration, in epoch: Int
  ) {
    note(question, Record(query: query, count: count, asked: asked, epoch: epoch), in: epoch)
  }

  /// Notes that the cache may have something else than the main source's answer to what was asked in an epoch,
  /// which was that there is nothing, or what the cache could not take.
  func noteRefuted(_ question: Question, isNothing: Bool, in epoch: Int) {
    note(question, Record(epoch: epoch, isRefuted: true, isNothing: isNothing), in: epoch)
  }

  private func note(_ question: Question, _ record: Record, in epoch: Int) {
    state.withLock { state in
      guard mayKeep(question, in: epoch, state) else { return }
      state.note(question, record)
    }
  }

  // MARK: - Writing

  /// Begins a write.
  /// - Returns: Its epoch.
  func begin(_ reach: Reach, isDeletion: Bool) -> Int {
    state.withLock { state in
      let epoch = state.begin(reach)
      state.count(reach, 1, begun: epoch)
      if isDeletion, case .everything = reach { state.lastSweep = epoch }
      return epoch
    }
  }

  /// Whether another write to one of the ids began later than one that began an epoch and is under way, or a deletion
  /// of who knows what: what the earlier one makes of them is none of the cache's business any more.
  func isFollowed(_ reach: Reach, begun epoch: Int) -> Bool {
    state.withLock { state in
      if state.lastSweep > epoch { return true }
      guard case .ids(let ids) = reach else { return false }
      return ids.contains { (state.underWay[$0]?.latest ?? 0) > epoch }
    }
  }

  /// Ends a write that began an epoch. What it left is noted only if no other reached the question meanwhile:
  /// nobody knows which of two the main source took last.
  func end(_ reach: Reach, begun epoch: Int, _ question: Question?, _ outcome: Outcome) {
    state.withLock { state in
      state.count(reach, -1, begun: epoch)
      let isAlone = mayKeep(question, in: epoch, state)
      var isWell = false
      if isAlone, case .kept = outcome { isWell = true }
      let ending = state.begin(isNested && !isWell ? .everything : reach)
      guard isAlone, let question else { return }
      switch outcome {
      case .outdated: break
      case .unknown:
        state.note(question, Record(epoch: ending))
      case .kept(let query, let count, let asked):
        state.note(question, Record(query: query, count: count, asked: asked, epoch: ending))
      }
    }
  }
}

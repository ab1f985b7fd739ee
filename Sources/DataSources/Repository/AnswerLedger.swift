import Synchronization

/// What a repository knows of the answers that its cache has: where they are, when they were asked for, and
/// whether something that was put or deleted since may have changed them.
///
/// All that is asked, put and deleted has a number, and has another when it ends. A write *reaches* the questions
/// for its ids and all that are for no id, when it begins and when it ends. The *epoch* of a question is the last
/// number by which a write reached it.
///
///     fetch    begin ──▶ main source ──▶ may it be kept? ──▶ cache ──▶ note
///     write    begin ──▶ main source ──▶ land: is it followed? ──▶ cache ──▶ end: is it alone? ──▶ note
///
/// Which answers may be kept, and which count:
///
/// - The answer to a fetch is kept if it is of the question's epoch, and no write that reaches it is under way. It is
///   shared by those who ask in that epoch.
/// - The answer to a put is kept if nothing follows it: no write that may concern the same values in the cache, was
///   begun later, and has *landed*: its turn at the cache has come, or the main source alone has done it, or may have.
///   What the main source refused does not land. What the cache does not tell apart may be the same.
/// - An answer counts until its question's next epoch, and not while a write is under way that reaches it. A write's
///   counts from its end, if it was alone.
/// - An answer that is kept after one that was asked for later, and may share values with it, refutes that.
/// - That there is nothing counts until a put lands that reaches it.
///
/// Where values contain others that have ids of their own (`isNested`), an answer to one question brings along what
/// others are about. There all epochs count for a fetch, any two answers may share values, a put concerns all that is
/// in its values, and a write that deletes, or does not end well, outdates all answers; a put that ends well has changed
/// the cache's values wherever they stand.
final class AnswerLedger: Sendable {
  /// What is known of the cache's answer to a question.
  struct Standing {
    /// By which query the cache has just the main source's answer.
    var place: (any Query)?
    /// How many values that answer had; nil if nobody knows.
    var count: Int?
    /// How old the answer is; nil if nobody knows.
    var age: Duration?
    /// Whether something may have changed it since.
    var isOutdated = false
    /// Whether the cache has taken an answer of the main source.
    var wasAnswered = false
    /// Whether the main source has answered that there is nothing, and nothing was put since.
    var isNothing = false
  }

  /// What was found out of the cache's answer to a question.
  enum Finding {
    /// It is the main source's answer to what was asked at a time.
    case kept(at: (any Query)?, count: Int, asked: Duration)
    /// Nobody has compared it to the main source.
    case unknown
    /// It may be another than the main source's, which the cache did not take.
    case refused
    /// The main source has nothing, whatever the cache has.
    case nothing
  }

  /// A write that is under way.
  struct Write {
    /// The number with which it began.
    let number: Int
    let reach: Reach
    let isDeletion: Bool
  }

  private struct Record {
    var finding: Finding
    /// The numbers with which it was asked for, and noted.
    var begun: Int
    var noted: Int
    /// Whether an answer that was asked for before may have overwritten it.
    var isOverwritten = false
  }

  private struct State {
    var answers = LeastRecentlyUsed<QuestionKey, Record>(limit: AnswerLedger.limit)
    /// The last number.
    var last = 0
    /// When writes began and ended.
    var changes = Epochs()
    /// Which writes have landed, by the values that they concern, and which puts, by the questions that they reach.
    var landed = Epochs()
    var landedPuts = Epochs()
    /// Which of the answers that were kept was asked for last.
    var newestKept = 0

    /// How many writes are under way, how many of them reach all questions, and the others by their ids.
    var underWayCount = 0
    var underWayCountOfAll = 0
    var underWay: [String: Int] = [:]

    func isBeingWritten(_ question: Question) -> Bool {
      guard let id = question.id else { return underWayCount > 0 }
      return underWayCountOfAll > 0 || underWay[id] != nil
    }

    mutating func next() -> Int {
      last += 1
      return last
    }

    /// Counts a write as under way, or as ended.
    mutating func count(_ reach: Reach, _ step: Int) {
      underWayCount += step
      guard case .ids(let ids) = reach else {
        underWayCountOfAll += step
        return
      }
      for id in ids {
        let count = (underWay[id] ?? 0) + step
        underWay[id] = count == 0 ? nil : count
      }
    }

    mutating func note(_ question: Question, _ finding: Finding, begun: Int, at number: Int) {
      guard let key = question.key else { return }
      var count = 0
      if case .kept(_, let found, _) = finding { count = found }
      answers.insert(
        Record(finding: finding, begun: begun, noted: number), for: key,
        cost: max(count, question.idCount, AnswerLedger.leastCost))
    }

    /// Counts an answer as kept that has values so far.
    mutating func keep(_ reach: Reach, begun: Int) {
      defer { newestKept = max(newestKept, begun) }
      guard newestKept > begun else { return }
      answers.updateAll { record in
        guard record.begun > begun, case .kept(let query, _, _) = record.finding else { return }
        if reach.meets(query.map(Reach.init) ?? .everything) { record.isOverwritten = true }
      }
    }
  }

  /// How many keys of values are known at most, and ids that were asked for.
  private static let limit = 1 << 18
  /// What an answer counts with few keys or none, for all else that is known of it.
  private static let leastCost = 64

  /// Whether values may contain others that have ids of their own.
  let isNested: Bool
  private let state = Mutex(State())
  private let time: @Sendable () -> Duration

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
    let (record, epoch, isBeingWritten, lastPut) = state.withLock { state in
      (
        question.key.flatMap { state.answers[$0] }, state.changes.last(reaching: question),
        state.isBeingWritten(question), state.landedPuts.last(reaching: question)
      )
    }
    var standing = Standing()
    guard let record else {
      standing.isOutdated = epoch > 0 || isBeingWritten
      return standing
    }
    standing.isOutdated = record.noted < epoch || isBeingWritten || record.isOverwritten
    switch record.finding {
    case .kept(let query, let count, let asked):
      standing.wasAnswered = true
      standing.place = query
      standing.count = count
      let age = time() - asked
      // A clock that goes back says nothing.
      if query != nil, age >= .zero { standing.age = age }
    case .unknown:
      break
    case .refused:
      standing.isOutdated = true
    case .nothing:
      standing.isOutdated = true
      standing.isNothing = lastPut < record.noted
    }
    return standing
  }

  // MARK: - Fetching

  /// The epoch in which a question is asked now.
  func epoch(of question: Question) -> Int {
    state.withLock { isNested ? $0.changes.latest : $0.changes.last(reaching: question) }
  }

  /// Begins a fetch.
  /// - Returns: Its number.
  func beginFetch() -> Int { state.withLock { $0.next() } }

  /// Whether no write has reached what was asked in an epoch, nor is about to.
  func mayKeep(_ question: Question, in epoch: Int) -> Bool {
    state.withLock { mayKeep(question, in: epoch, $0) }
  }

  private func mayKeep(_ question: Question?, in epoch: Int, _ state: State) -> Bool {
    guard !isNested, let question else {
      return state.changes.latest == epoch && state.underWayCount == 0
    }
    return state.changes.last(reaching: question) == epoch && !state.isBeingWritten(question)
  }

  /// Notes what was found out by the fetch with a number, of what was asked in an epoch; in a later one it is not
  /// noted.
  func note(_ question: Question, _ finding: Finding, begun number: Int, in epoch: Int) {
    state.withLock { state in
      guard mayKeep(question, in: epoch, state) else { return }
      note(question, finding, begun: number, at: state.next(), &state)
    }
  }

  private func note(
    _ question: Question, _ finding: Finding, begun: Int, at number: Int, _ state: inout State
  ) {
    if case .kept(let query, _, _) = finding {
      state.keep(isNested ? .everything : query.map(Reach.init) ?? .everything, begun: begun)
    }
    state.note(question, finding, begun: begun, at: number)
  }

  // MARK: - Writing

  /// Begins a write.
  func begin(_ reach: Reach, isDeletion: Bool) -> Write {
    state.withLock { state in
      let number = state.next()
      state.changes.mark(reach, at: number)
      state.count(reach, 1)
      return Write(number: number, reach: reach, isDeletion: isDeletion)
    }
  }

  /// Whether no other write is under way, and none that was begun later has landed.
  func isAlone(_ write: Write) -> Bool {
    state.withLock { $0.underWayCount == 1 && $0.landed.latest <= write.number }
  }

  /// Counts a write as landed; one that has may land again.
  /// - Parameter reach: the values in the cache that it may concern.
  func land(_ write: Write, concerning reach: Reach) {
    state.withLock { state in
      state.landed.mark(reach, at: write.number)
      if !write.isDeletion { state.landedPuts.mark(write.reach, at: write.number) }
    }
  }

  /// Whether a write was begun later and has landed that may concern the same values in the cache: what the earlier
  /// one makes of them is none of the cache's business any more.
  func isFollowed(_ write: Write, concerning reach: Reach) -> Bool {
    state.withLock { $0.landed.last(reaching: reach) > write.number }
  }

  /// Ends a write. What it left is noted only if no other reached the question meanwhile: nobody knows which of
  /// two the main source took last.
  /// - Parameter finding: nil if it did not end well.
  func end(_ write: Write, _ question: Question?, _ finding: Finding?) {
    state.withLock { state in
      state.count(write.reach, -1)
      let isAlone = mayKeep(question, in: write.number, state)
      var isWell = false
      if isAlone, !write.isDeletion, case .kept = finding { isWell = true }
      let number = state.next()
      state.changes.mark(isNested && !isWell ? .everything : write.reach, at: number)
      guard isAlone, let question, let finding else { return }
      note(question, finding, begun: write.number, at: number, &state)
    }
  }
}

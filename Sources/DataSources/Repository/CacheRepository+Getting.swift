/// A question that is under way, and the epoch in which it was asked.
struct FlightKey: Hashable, Sendable {
  let question: QuestionKey
  let epoch: Int

  init?(_ question: Question, in epoch: Int) {
    guard let key = question.key else { return nil }
    self.question = key
    self.epoch = epoch
  }
}

extension SingleFlight where Key == FlightKey {
  /// How many wait for what a query asks for.
  func waitingCount(for query: some Query) -> Int {
    let query = QueryIdentity(query)
    return waitingCount { $0.question.query == query }
  }
}

/// A query, and what getting does with it: for a value and for a list alike.
struct Inquiry<Answer: Sendable>: Sendable {
  let query: any Query
  let question: Question
  let flights: SingleFlight<FlightKey, Fetched<Answer>>
  let main: @Sendable () async throws -> Answer
  /// Asks the cache.
  let read: @Sendable (any Query) async throws -> Answer
  /// Has the cache take the main source's answer.
  let keep: @Sendable (Answer) async throws -> KeptAnswer<Answer>
  let isValid: @Sendable (Answer, Duration?) async -> Bool
  let count: @Sendable (Answer) -> Int
}

/// What the main source gave.
struct Fetched<Answer: Sendable>: Sendable {
  let answer: Answer
  /// Why the cache has not taken it; nil if it has, or was not to.
  var refusal: (any Error)?
}

/// What a cache has.
private struct Cached<Answer> {
  let answer: Answer
  let standing: AnswerLedger.Standing
  let isNothing: Bool
}

extension CacheRepository {
  /// What an operation says.
  func ask<Answer>(
    _ inquiry: Inquiry<Answer>, _ operation: RepositoryOperation
  ) async throws -> Answer {
    switch operation.kind {
    case .main:
      return try await inquiry.main()
    case .mainSync:
      let fetched = try await fetch(inquiry)
      if let refusal = fetched.refusal { throw refusal }
      return fetched.answer
    case .cache(let ignoresValidation):
      let found = try await cached(inquiry)
      if !ignoresValidation, await !isValid(found, inquiry) {
        throw DataSourceError.notValid(query: inquiry.query.nameInMessages)
      }
      return found.answer
    case .standard, .cacheSync, .staleWhileRevalidate:
      guard let found = try await ifFound(inquiry) else {
        return try await fetch(inquiry).answer
      }
      if await isValid(found, inquiry) { return found.answer }
      if case .staleWhileRevalidate = operation.kind {
        let epoch = ledger.epoch(of: inquiry.question)
        inquiry.flights.start(FlightKey(inquiry.question, in: epoch)) {
          try await self.fetch(inquiry, in: epoch)
        }
        return found.answer
      }
      do {
        return try await fetch(inquiry).answer
      } catch DataSourceError.notFound(let query) {
        // An answer, and no failure.
        throw DataSourceError.notFound(query: query)
      } catch {
        try Task.checkCancellation()
        guard case .cacheSync(let fallback) = operation.kind, fallback(error) else { throw error }
        return found.answer
      }
    }
  }

  // MARK: - The main source

  private func fetch<Answer>(_ inquiry: Inquiry<Answer>) async throws -> Fetched<Answer> {
    let epoch = ledger.epoch(of: inquiry.question)
    return try await inquiry.flights.run(FlightKey(inquiry.question, in: epoch)) {
      try await self.fetch(inquiry, in: epoch)
    }
  }

  private func fetch<Answer>(
    _ inquiry: Inquiry<Answer>, in epoch: Int
  ) async throws -> Fetched<Answer> {
    let number = ledger.beginFetch()
    let asked = ledger.now
    let answer: Answer
    do {
      answer = try await inquiry.main()
    } catch DataSourceError.notFound(let query) {
      ledger.note(inquiry.question, .nothing, begun: number, in: epoch)
      throw DataSourceError.notFound(query: query)
    }
    return try await turns.run {
      guard ledger.mayKeep(inquiry.question, in: epoch) else { return Fetched(answer: answer) }
      do {
        let kept = try await inquiry.keep(answer)
        let count = inquiry.count(kept.answer)
        ledger.note(
          inquiry.question, .kept(at: kept.query, count: count, asked: asked), begun: number,
          in: epoch)
        return Fetched(answer: kept.answer)
      } catch {
        try Task.checkCancellation()
        ledger.note(inquiry.question, .refused, begun: number, in: epoch)
        return Fetched(answer: answer, refusal: error)
      }
    }
  }

  // MARK: - The cache

  /// What the cache has, and what is known of it.
  private func cached<Answer>(_ inquiry: Inquiry<Answer>) async throws -> Cached<Answer> {
    // Before it is read: what becomes known meanwhile may be of another answer.
    var standing = ledger.standing(of: inquiry.question)
    let answer: Answer
    if let place = standing.place, !standing.isOutdated || inquiry.question.isOfPage {
      answer = try await inquiry.read(place)
    } else {
      answer = try await inquiry.read(inquiry.query)
      if !inquiry.question.isAnswered(byOwnCount: inquiry.count(answer)) {
        standing.isOutdated = true
      }
    }
    // Some may have been deleted, or, where the cache says no place, be the cache's own.
    if let count = standing.count, inquiry.count(answer) != count { standing.isOutdated = true }
    return Cached(
      answer: answer, standing: standing,
      isNothing: standing.isNothing || !standing.wasAnswered && inquiry.count(answer) == 0)
  }

  /// What the cache has; nil for nothing, for an empty list that the main source never gave, for what it has no
  /// more, and for what cannot be read.
  private func ifFound<Answer>(_ inquiry: Inquiry<Answer>) async throws -> Cached<Answer>? {
    do {
      let found = try await cached(inquiry)
      return found.isNothing ? nil : found
    } catch let error as DataSourceError where error.isMistake {
      throw error
    } catch {
      try Task.checkCancellation()
      return nil
    }
  }

  private func isValid<Answer>(_ found: Cached<Answer>, _ inquiry: Inquiry<Answer>) async -> Bool {
    if found.standing.isNothing { return false }
    return found.standing.isOutdated
      ? await validator.allowsOutdated()
      : await inquiry.isValid(found.answer, found.standing.age)
  }
}

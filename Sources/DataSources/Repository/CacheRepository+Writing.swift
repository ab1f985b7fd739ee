extension CacheRepository: PutRepository where Main: PutDataSource {
  /// Puts a value: by ``RepositoryOperation/mainSync``, which is the default, to the main source and then
  /// what that made of it to the cache; by ``RepositoryOperation/cacheSync`` the other way round.
  /// - Throws: what the sources throw. What the first of two has taken stays, and is valid no more in the cache.
  ///   A query that the cache cannot take is refused before the main source is asked.
  @discardableResult
  public func put(
    _ value: Value, in query: some Query, operation: RepositoryOperation
  ) async throws -> Value {
    try await write(
      Writing(
        verb: .put, query: query, reach: Reach(of: query),
        question: query.isPlace ? Question(query, isOfList: false) : nil,
        main: { try await self.main.put($0, in: query) },
        cache: { try await self.cache.put($0, in: query) },
        keep: { try await self.cache.keepIfItCan($0, answering: query) }, count: { _ in 1 }),
      value, operation)
  }

  /// Puts several values, as ``put(_:in:operation:)`` does one.
  /// - Throws: as ``put(_:in:operation:)``; ``DataSourceError/illegalArgument(_:)`` for another number of
  ///   ids than of values.
  @discardableResult
  public func putAll(
    _ values: [Value], in query: some Query, operation: RepositoryOperation
  ) async throws -> [Value] {
    try (query as? any IdentifiersQuery)?.check(count: values.count)
    return try await write(
      Writing(
        // A list under one id is of values with other ids.
        verb: .putAll, query: query,
        reach: query is any IdentifiersQuery ? Reach(of: query) : .everything,
        question: query.isPlace ? Question(query, isOfList: true) : nil,
        main: { try await self.main.putAll($0, in: query) },
        cache: { try await self.cache.putAll($0, in: query) },
        keep: { try await self.cache.keepAllIfItCan($0, answering: query) }, count: \.count),
      values, operation)
  }
}

extension CacheRepository: DeleteRepository
where Main: DeleteDataSource, Cache: DeleteDataSource {
  /// Deletes what a query asks for, in the order that ``put(_:in:operation:)`` has.
  /// - Throws: what the sources throw. What the first of two has deleted is gone.
  public func delete(_ query: some Query, operation: RepositoryOperation) async throws {
    try await write(
      Writing(
        verb: .delete, query: query, reach: Reach(of: query),
        main: { try await self.main.delete(query) }, cache: { try await self.cache.delete(query) }),
      (), operation)
  }

  /// Deletes all that a query asks for, in the order that ``put(_:in:operation:)`` has.
  /// - Throws: what the sources throw. What the first of two has deleted is gone.
  public func deleteAll(_ query: some Query, operation: RepositoryOperation) async throws {
    try await write(
      Writing(
        verb: .deleteAll, query: query, reach: Reach(of: query),
        main: { try await self.main.deleteAll(query) },
        cache: { try await self.cache.deleteAll(query) }),
      (), operation)
  }
}

/// What putting or deleting does, with a value, with a list and with nothing alike.
private struct Writing<Content: Sendable> {
  let verb: DataSourceError.Verb
  let query: any Query
  let reach: Reach
  /// The question that is answered by what was written; nil for none.
  let question: Question?
  let main: (Content) async throws -> Content
  /// Has the cache take what the caller gives.
  let cache: (Content) async throws -> Content
  /// Has the cache take what the main source made of it.
  let keep: (Content) async throws -> KeptAnswer<Content>
  let count: (Content) -> Int

  var isDeletion: Bool { verb == .delete || verb == .deleteAll }

  init(
    verb: DataSourceError.Verb, query: any Query, reach: Reach, question: Question?,
    main: @escaping (Content) async throws -> Content,
    cache: @escaping (Content) async throws -> Content,
    keep: @escaping (Content) async throws -> KeptAnswer<Content>,
    count: @escaping (Content) -> Int
  ) {
    self.verb = verb
    self.query = query
    self.reach = reach
    self.question = question
    self.main = main
    self.cache = cache
    self.keep = keep
    self.count = count
  }
}

extension Writing<Void> {
  /// A deletion.
  fileprivate init(
    verb: DataSourceError.Verb, query: any Query, reach: Reach,
    main: @escaping () async throws -> Void, cache: @escaping () async throws -> Void
  ) {
    self.init(
      verb: verb, query: query, reach: reach, question: nil, main: main, cache: cache,
      keep: { KeptAnswer(try await cache(), at: nil) }, count: { 0 })
  }
}

extension CacheRepository {
  /// What an operation says. Before anything is sent, and again afterwards, all that it may change is
  /// outdated, so that it is when something fails half way.
  private func write<Content>(
    _ writing: Writing<Content>, _ content: Content, _ operation: RepositoryOperation
  ) async throws -> Content {
    if operation.isMainFirst {
      try (cache as? any CacheDataSource<Value>)?.check(writing.verb, writing.query)
    }
    let epoch = ledger.begin(writing.reach, isDeletion: writing.isDeletion)
    var outcome = AnswerLedger.Outcome.outdated
    defer { ledger.end(writing.reach, begun: epoch, writing.question, outcome) }
    switch operation.kind {
    case .main:
      return try await writing.main(content)
    case .cache:
      let kept = try await turns.run { try await writing.cache(content) }
      outcome = .unknown
      return kept
    case .cacheSync:
      let kept = try await turns.run { try await writing.cache(content) }
      let answer = try await writing.main(kept)
      // The cache has what was sent, and not what the main source made of it.
      outcome = .unknown
      return answer
    case .standard, .mainSync, .staleWhileRevalidate:
      let asked = ledger.now
      let answer = try await writing.main(content)
      let kept = try await turns.run {
        // What is deleted again is at worst asked for anew; what is put again may be there for good.
        if !writing.isDeletion, ledger.isFollowed(writing.reach, begun: epoch) {
          return KeptAnswer(answer, at: nil)
        }
        return try await writing.keep(answer)
      }
      outcome = .kept(at: kept.query, count: writing.count(kept.answer), asked: asked)
      return kept.answer
    }
  }
}

extension RepositoryOperation {
  /// Whether putting and deleting ask the main source first, and then the cache.
  fileprivate var isMainFirst: Bool {
    switch kind {
    case .main, .cache, .cacheSync: false
    case .standard, .mainSync, .staleWhileRevalidate: true
    }
  }
}

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
        keep: { try await self.cache.keepIfItCan($0, answering: query) }, values: { [$0] }),
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
        keep: { try await self.cache.keepAllIfItCan($0, answering: query) }, values: { $0 }),
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
        main: { try await self.main.delete(query) }, cache: { try await self.cache.delete(query) },
        values: Self.values(namedBy: query)),
      (), operation)
  }

  /// Deletes all that a query asks for, in the order that ``put(_:in:operation:)`` has.
  /// - Throws: what the sources throw. What the first of two has deleted is gone.
  public func deleteAll(_ query: some Query, operation: RepositoryOperation) async throws {
    try await write(
      Writing(
        verb: .deleteAll, query: query, reach: Reach(of: query),
        main: { try await self.main.deleteAll(query) },
        cache: { try await self.cache.deleteAll(query) },
        values: Self.values(namedBy: query)),
      (), operation)
  }

  private static func values(namedBy query: any Query) -> [Value]? {
    switch query {
    case let query as ObjectQuery<Value>: [query.value]
    case let query as ObjectsQuery<Value>: query.values
    default: nil
    }
  }
}

/// What putting or deleting does, with a value, with a list and with nothing alike.
private struct Writing<Content: Sendable, Value: Sendable> {
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
  /// The values that are written; nil where the query alone says which.
  let values: (Content) -> [Value]?

  var isDeletion: Bool { verb == .delete || verb == .deleteAll }

  init(
    verb: DataSourceError.Verb, query: any Query, reach: Reach, question: Question?,
    main: @escaping (Content) async throws -> Content,
    cache: @escaping (Content) async throws -> Content,
    keep: @escaping (Content) async throws -> KeptAnswer<Content>,
    values: @escaping (Content) -> [Value]?
  ) {
    self.verb = verb
    self.query = query
    self.reach = reach
    self.question = question
    self.main = main
    self.cache = cache
    self.keep = keep
    self.values = values
  }
}

extension Writing where Content == Void {
  /// A deletion.
  fileprivate init(
    verb: DataSourceError.Verb, query: any Query, reach: Reach,
    main: @escaping () async throws -> Void, cache: @escaping () async throws -> Void,
    values: [Value]?
  ) {
    self.init(
      verb: verb, query: query, reach: reach, question: nil, main: main, cache: cache,
      keep: { KeptAnswer(try await cache(), at: nil) }, values: { values })
  }
}

extension CacheRepository {
  /// What an operation says. Before anything is sent, and again afterwards, all that it may change is
  /// outdated, so that it is when something fails half way.
  private func write<Content>(
    _ writing: Writing<Content, Value>, _ content: Content, _ operation: RepositoryOperation
  ) async throws -> Content {
    if operation.isMainFirst {
      try (cache as? any CacheDataSource<Value>)?.check(writing.verb, writing.query)
    }
    let write = ledger.begin(writing.reach, isDeletion: writing.isDeletion)
    var finding: AnswerLedger.Finding?
    defer { ledger.end(write, writing.question, finding) }
    switch operation.kind {
    case .main:
      let answer = try await send(content, writing, write)
      await land(answer, writing, write)
      return answer
    case .cache:
      let kept = try await place(content, writing, write)
      finding = .unknown
      return kept
    case .cacheSync:
      let kept = try await place(content, writing, write)
      let answer = try await send(kept, writing, write)
      await land(answer, writing, write)
      // The cache has what was sent, and not what the main source made of it.
      finding = .unknown
      return answer
    case .standard, .mainSync, .staleWhileRevalidate:
      let asked = ledger.now
      let answer = try await send(content, writing, write)
      do {
        return try await turns.run {
          // What is deleted again is at worst asked for anew; what is put again may be there for good.
          if await land(answer, writing, write), !writing.isDeletion { return answer }
          let kept = try await writing.keep(answer)
          let count = writing.values(kept.answer)?.count ?? 0
          finding = .kept(at: kept.query, count: count, asked: asked)
          return kept.answer
        }
      } catch {
        await land(answer, writing, write)
        throw error
      }
    }
  }

  /// Has the cache take what the caller gives.
  private func place<Content>(
    _ content: Content, _ writing: Writing<Content, Value>, _ write: AnswerLedger.Write
  ) async throws -> Content {
    try await turns.run {
      let kept = try await writing.cache(content)
      await land(kept, writing, write)
      return kept
    }
  }

  /// Has the main source do it. Where it fails without having refused it, it may have been done.
  private func send<Content>(
    _ content: Content, _ writing: Writing<Content, Value>, _ write: AnswerLedger.Write
  ) async throws -> Content {
    do {
      return try await writing.main(content)
    } catch {
      if (error as? DataSourceError)?.isRefusal != true { await land(content, writing, write) }
      throw error
    }
  }

  /// Counts a write as landed.
  /// - Returns: Whether another follows it, so that its answer came too late for the cache.
  @discardableResult
  private func land<Content>(
    _ content: Content, _ writing: Writing<Content, Value>, _ write: AnswerLedger.Write
  ) async -> Bool {
    let reach = ledger.isAlone(write) ? write.reach : await concerns(content, writing)
    ledger.land(write, concerning: reach)
    return ledger.isFollowed(write, concerning: reach)
  }

  /// The values in the cache that a write may concern.
  private func concerns<Content>(
    _ content: Content, _ writing: Writing<Content, Value>
  ) async -> Reach {
    // By an id it puts one value, with all that is in it, and deletes one.
    if case .ids = writing.reach, writing.isDeletion || !ledger.isNested { return writing.reach }
    guard let values = writing.values(content), let cache = cache as? any CacheDataSource<Value>,
      let keys = try? await cache.keys(of: values, in: writing.query)
    else { return .everything }
    return .ids(keys)
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

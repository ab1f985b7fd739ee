/// A main source, as a server is, and a cache, as a store is, in one.
///
///     let repository = CacheRepository(main: network, cache: storage, validator: AgeValidator(.seconds(60)))
///     let item = try await repository.get("x7")                       // of the cache while it is valid
///     let items = try await repository.getAll(AllObjectsQuery(), operation: .mainSync)
///     try await repository.put(item, forId: "x7")                     // to the server, then to the cache
///
/// It puts if both sources put, and deletes if both delete; what it gets from the main source the cache takes.
/// The cache adds and replaces values: what a list of the main source does not mention any more stays in
/// it, until somebody deletes it.
public final class CacheRepository<
  Main: GetDataSource, Cache: GetDataSource & PutDataSource
>: GetRepository where Main.Value == Cache.Value {
  /// What it gives.
  public typealias Value = Main.Value

  private let main: Main
  private let cache: Cache
  private let validator: any Validator<Value>
  private let ages: AnswerAges
  let flights = SingleFlight<Value>()
  private let listFlights = SingleFlight<[Value]>()

  /// - Parameters:
  ///   - main: where values come from.
  ///   - cache: where they are kept.
  ///   - validator: says what of the cache may still be used.
  ///   - clock: what ages are told by.
  public init(
    main: Main, cache: Cache, validator: some Validator<Value>,
    clock: any Clock<Duration> = ContinuousClock()
  ) {
    self.main = main
    self.cache = cache
    self.validator = validator
    ages = AnswerAges(clock)
  }

  /// With a cache whose values are valid for five minutes.
  public convenience init(main: Main, cache: Cache) {
    self.init(main: main, cache: cache, validator: AgeValidator())
  }

  // MARK: - Getting

  /// The value that a query asks for.
  /// - Throws: what the sources throw; ``DataSourceError/notValid(query:)`` for ``RepositoryOperation/cache``.
  public func get(_ query: some Query, operation: RepositoryOperation) async throws -> Value {
    try await ask(
      operation, query,
      main: { try await self.main.get(query) },
      mainSync: { try await self.mainSync(query) },
      cached: { try await self.cache.get(query) },
      isValid: {
        await self.validator.isValid($0, age: self.ages.age(query, isOfList: false))
      })
  }

  /// The values that a query asks for.
  /// - Throws: as ``get(_:operation:)-(Query,_)``.
  public func getAll(_ query: some Query, operation: RepositoryOperation) async throws -> [Value] {
    try await ask(
      operation, query,
      main: { try await self.main.getAll(query) },
      mainSync: { try await self.mainSyncAll(query) },
      cached: { try await self.cache.getAll(query) },
      isValid: {
        await self.validator.isValid($0, age: self.ages.age(query, isOfList: true))
      })
  }

  private func mainSync(_ query: some Query) async throws -> Value {
    try await flights.run(QueryIdentity(query)) {
      let kept = try await self.cache.put(try await self.main.get(query), in: query)
      self.ages.begin(query, isOfList: false)
      return kept
    }
  }

  private func mainSyncAll(_ query: some Query) async throws -> [Value] {
    try await listFlights.run(QueryIdentity(query)) {
      let kept = try await self.cache.putAll(try await self.main.getAll(query), in: query)
      self.ages.begin(query, isOfList: true)
      return kept
    }
  }

  /// What an operation says, for a value and for a list.
  private func ask<Answer: Sendable>(
    _ operation: RepositoryOperation, _ query: some Query,
    main: () async throws -> Answer,
    mainSync: @escaping @Sendable () async throws -> Answer,
    cached: () async throws -> Answer,
    isValid: (Answer) async -> Bool
  ) async throws -> Answer {
    switch operation.kind {
    case .main:
      return try await main()
    case .mainSync:
      return try await mainSync()
    case .cache(let ignoresValidation):
      let answer = try await cached()
      if !ignoresValidation, await !isValid(answer) {
        throw DataSourceError.notValid(query: query.nameInMessages)
      }
      return answer
    case .standard, .cacheSync, .staleWhileRevalidate:
      guard let answer = try await Self.ifFound(cached) else { return try await mainSync() }
      if await isValid(answer) { return answer }
      if case .staleWhileRevalidate = operation.kind {
        Task { try await mainSync() }
        return answer
      }
      do {
        return try await mainSync()
      } catch {
        try Task.checkCancellation()
        guard case .cacheSync(let fallback) = operation.kind, fallback(error) else { throw error }
        return answer
      }
    }
  }

  /// What the cache has, valid by its own account; nil for nothing.
  private static func ifFound<Answer>(_ cached: () async throws -> Answer) async throws -> Answer? {
    do {
      return try await cached()
    } catch DataSourceError.notFound {
      return nil
    } catch DataSourceError.notValid {
      return nil
    }
  }
}

// MARK: - Putting

extension CacheRepository: PutRepository where Main: PutDataSource {
  /// Puts a value: by ``RepositoryOperation/mainSync``, which is the default, to the main source and then
  /// what that made of it to the cache; by ``RepositoryOperation/cacheSync`` the other way round.
  /// - Throws: what the sources throw. What the first of two has taken stays.
  @discardableResult
  public func put(
    _ value: Value, in query: some Query, operation: RepositoryOperation
  ) async throws -> Value {
    let kept = try await send(
      value, operation,
      main: { try await self.main.put($0, in: query) },
      cache: { try await self.cache.put($0, in: query) })
    if operation.isOfBoth { ages.begin(query, isOfList: false) }
    return kept
  }

  /// Puts several values, as ``put(_:in:operation:)`` does one.
  /// - Throws: as ``put(_:in:operation:)``.
  @discardableResult
  public func putAll(
    _ values: [Value], in query: some Query, operation: RepositoryOperation
  ) async throws -> [Value] {
    let kept = try await send(
      values, operation,
      main: { try await self.main.putAll($0, in: query) },
      cache: { try await self.cache.putAll($0, in: query) })
    if operation.isOfBoth { ages.begin(query, isOfList: true) }
    return kept
  }
}

// MARK: - Deleting

extension CacheRepository: DeleteRepository
where Main: DeleteDataSource, Cache: DeleteDataSource {
  /// Deletes what a query asks for, in the order that ``put(_:in:operation:)`` has.
  /// - Throws: what the sources throw. What the first of two has deleted is gone.
  public func delete(_ query: some Query, operation: RepositoryOperation) async throws {
    forget(query, operation)
    try await send(
      (), operation,
      main: { try await self.main.delete(query) },
      cache: { try await self.cache.delete(query) })
  }

  /// Deletes all that a query asks for, in the order that ``put(_:in:operation:)`` has.
  /// - Throws: what the sources throw. What the first of two has deleted is gone.
  public func deleteAll(_ query: some Query, operation: RepositoryOperation) async throws {
    forget(query, operation)
    try await send(
      (), operation,
      main: { try await self.main.deleteAll(query) },
      cache: { try await self.cache.deleteAll(query) })
  }
}

extension CacheRepository {
  /// What the cache loses alone may be missing in the answer to any other query.
  private func forget(_ query: some Query, _ operation: RepositoryOperation) {
    if case .cache = operation.kind { ages.forgetAll() } else { ages.forget(query) }
  }

  /// What an operation says, for putting and deleting.
  private func send<Value>(
    _ value: Value, _ operation: RepositoryOperation,
    main: (Value) async throws -> Value, cache: (Value) async throws -> Value
  ) async throws -> Value {
    switch operation.kind {
    case .main: try await main(value)
    case .cache: try await cache(value)
    case .cacheSync: try await main(try await cache(value))
    case .standard, .mainSync, .staleWhileRevalidate: try await cache(try await main(value))
    }
  }
}

extension RepositoryOperation {
  /// Whether both sources have the value afterwards.
  fileprivate var isOfBoth: Bool {
    switch kind {
    case .main, .cache: false
    case .standard, .mainSync, .cacheSync, .staleWhileRevalidate: true
    }
  }
}

// MARK: - Observing

extension CacheRepository: ObserveDataSource where Cache: ObserveDataSource {
  /// The values of a query in the cache, now and after each change. The main source is not asked.
  public func observe(_ query: some Query) -> AsyncThrowingStream<[Value], any Error> {
    cache.observe(query)
  }
}

/// A main source, as a server is, and a cache, as a store is, in one.
///
///     let repository = CacheRepository(main: network, cache: storage, validator: AgeValidator(.seconds(600)))
///     let item = try await repository.get("x7")                       // of the cache while it is valid
///     let items = try await repository.getAll(AllObjectsQuery(), operation: .mainSync)
///     try await repository.put(item, forId: "x7")                     // to the server, then to the cache
///
/// It puts if both sources put, and deletes if both delete; what it gets from the main source the cache takes.
/// The cache adds and replaces values: what a list of the main source does not mention any more stays in
/// it, until somebody deletes it.
///
/// A list of a cache that is a ``CacheDataSource`` is the main source's: the same values in the same order, each
/// as new as the cache has it. Of any other cache no list is held valid by its age, nor at all with more or fewer
/// values than the main source gave.
///
/// After something was put or deleted by it, the repository gives nothing older by ``RepositoryOperation/default``:
/// what it may have changed is asked for anew, and what was asked for before, or meanwhile, is not kept. Where the
/// values of the cache may contain others (``CacheDataSource/isNested``), that is so whatever was asked for, and so it is
/// where the cache is no ``CacheDataSource``.
public final class CacheRepository<
  Main: GetDataSource, Cache: GetDataSource & PutDataSource
>: GetRepository where Main.Value == Cache.Value {
  /// What it gives.
  public typealias Value = Main.Value

  let main: Main
  let cache: Cache
  let validator: any Validator<Value>
  let ledger: AnswerLedger
  /// What changes the cache: an answer that is checked to be no older than what was put stays so until it
  /// is kept.
  let turns = Turns()
  let flights = SingleFlight<FlightKey, Fetched<Value>>()
  let listFlights = SingleFlight<FlightKey, Fetched<[Value]>>()

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
    ledger = AnswerLedger(
      clock, isNested: (cache as? any CacheDataSource<Value>)?.isNested ?? true)
  }

  /// With a cache whose values are valid for five minutes.
  public convenience init(main: Main, cache: Cache) {
    self.init(main: main, cache: cache, validator: AgeValidator())
  }

  /// The value that a query asks for.
  /// - Throws: what the sources throw; ``DataSourceError/notValid(query:)`` for ``RepositoryOperation/cache``.
  public func get(_ query: some Query, operation: RepositoryOperation) async throws -> Value {
    try await ask(
      Inquiry(
        query: query, question: Question(query, isOfList: false), flights: flights,
        main: { try await self.main.get(query) },
        read: { try await self.cache.get($0) },
        keep: { try await self.cache.keepIfItCan($0, answering: query) },
        isValid: { await self.validator.isValid($0, age: $1) },
        count: { _ in 1 }),
      operation)
  }

  /// The values that a query asks for.
  /// - Throws: as ``get(_:operation:)-(Query,_)``.
  public func getAll(_ query: some Query, operation: RepositoryOperation) async throws -> [Value] {
    try await ask(
      Inquiry(
        query: query, question: Question(query, isOfList: true), flights: listFlights,
        main: { try await self.main.getAll(query) },
        read: { try await self.cache.getAll($0) },
        keep: { try await self.cache.keepAllIfItCan($0, answering: query) },
        isValid: { await self.validator.isValid($0, age: $1) },
        count: \.count),
      operation)
  }
}

// MARK: - Observing

extension CacheRepository: ObserveDataSource where Cache: ObserveDataSource {
  /// The values of a query in the cache, now and after each change. The main source is not asked.
  public func observe(_ query: some Query) -> AsyncThrowingStream<[Value], any Error> {
    cache.observe(query)
  }
}

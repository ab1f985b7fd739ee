/// A repository that combines a main source, such as a server, with a cache, such as a store.
///
///     let repository = CacheRepository(main: network, cache: storage, validator: AgeValidator(.seconds(600)))
///     let item = try await repository.get("x7")                       // from the cache while it is valid
///     let items = try await repository.getAll(AllObjectsQuery(), operation: .mainSync)
///     try await repository.put(item, forId: "x7")                     // to the server, then to the cache
///
/// It can put if both sources can put, and delete if both can delete. Responses of the main source are stored in the
/// cache. Storing a list adds and replaces values: a value that the main source no longer lists remains in the cache
/// until it is deleted, unless the cache is a ``StoreDataSource`` that prunes.
///
/// A list from a cache that is a ``CacheDataSource`` has the same values in the same order as the main source's
/// list, each as recent as in the cache. A list from any other cache is never valid by age, and is not valid at all
/// if its number of values differs from that of the main source's list.
///
/// After a put or a deletion, ``RepositoryOperation/default`` never returns older values: entries that the write may
/// have changed are fetched again, and responses to requests made before or during the write are not stored. If
/// values in the cache may contain other values (``CacheDataSource/isNested``), or the cache is not a
/// ``CacheDataSource``, this applies to all entries.
public final class CacheRepository<
  Main: GetDataSource, Cache: GetDataSource & PutDataSource
>: GetRepository where Main.Value == Cache.Value {
  /// The type of the values.
  public typealias Value = Main.Value

  let main: Main
  let cache: Cache
  /// The cache if it reports where it stores a response; otherwise nil.
  let reportingCache: (any CacheDataSource<Value>)?
  /// The cache if writes of the user are edits in it; otherwise nil.
  let editCache: (any EditCache<Value>)?
  let validator: any Validator<Value>
  let ledger: CacheEntryLedger
  /// Held from the check that a response may be stored until it is stored, so that no newer put can intervene.
  let cacheMutex = AsyncMutex()
  /// Held during an upload: concurrent uploads would leave out each other's edits.
  let uploadMutex = AsyncMutex()
  let flights = SingleFlight<FlightKey, FetchedResponse<Value>>()
  let listFlights = SingleFlight<FlightKey, FetchedResponse<[Value]>>()

  /// Creates a repository.
  /// - Parameters:
  ///   - main: The source of the values.
  ///   - cache: The source that stores the responses.
  ///   - validator: The rule that determines whether cached values may still be used.
  ///   - clock: The clock that measures the age of responses.
  public init(
    main: Main, cache: Cache, validator: some Validator<Value>,
    clock: any Clock<Duration> = ContinuousClock()
  ) {
    self.main = main
    self.cache = cache
    reportingCache = cache as? any CacheDataSource<Value>
    editCache = (cache as? any EditCache<Value>).flatMap { $0.tracksEdits ? $0 : nil }
    self.validator = validator
    ledger = CacheEntryLedger(clock, isNested: reportingCache?.isNested ?? true)
  }

  /// Creates a repository whose cached values are valid for five minutes.
  public convenience init(main: Main, cache: Cache) {
    self.init(main: main, cache: cache, validator: AgeValidator())
  }

  /// Returns the value of a query.
  /// - Throws: The errors of the sources; ``DataSourceError/notValid(query:)`` for ``RepositoryOperation/cache``.
  public func get(_ query: some Query, operation: RepositoryOperation) async throws -> Value {
    try await read(
      ReadRequest(
        query: query, lookup: Lookup(query, isOfList: false), flights: flights,
        fetch: { try await self.main.get(query) },
        readCache: { try await self.cache.get($0) },
        store: { value, _ in try await self.keep(value, answering: query) },
        isValid: { await self.validator.isValid($0, age: $1) },
        count: { _ in 1 }),
      operation)
  }

  /// Returns the values of a query.
  /// - Throws: The same errors as ``get(_:operation:)-(Query,_)``.
  public func getAll(_ query: some Query, operation: RepositoryOperation) async throws -> [Value] {
    try await read(
      ReadRequest(
        query: query, lookup: Lookup(query, isOfList: true), flights: listFlights,
        fetch: { try await self.main.getAll(query) },
        readCache: { try await self.cache.getAll($0) },
        cacheState: { await self.reportingCache?.state(beforeRequesting: query) },
        store: { try await self.keepAll($0, answering: query, since: $1) },
        isValid: { await self.validator.isValid($0, age: $1) },
        count: \.count),
      operation)
  }

  /// Stores a response of the main source in the cache. A cache that does not report where it stores a value is assumed
  /// to find it by the key under which it was put.
  func keep(_ value: Value, answering query: some Query) async throws -> KeptResponse<Value> {
    if let reportingCache { return try await reportingCache.keep(value, answering: query) }
    return KeptResponse(try await cache.put(value, in: query), at: query.isSingleKey ? query : nil)
  }

  /// Stores a list of the main source in the cache.
  func keepAll(
    _ values: [Value], answering query: some Query, since state: (any Sendable)? = nil
  ) async throws -> KeptResponse<[Value]> {
    guard let reportingCache else {
      return KeptResponse(try await cache.putAll(values, in: query), at: nil)
    }
    return try await reportingCache.keepAll(values, answering: query, since: state)
  }
}

// MARK: - Observing

extension CacheRepository: ObserveDataSource where Cache: ObserveDataSource {
  /// The values of a query in the cache, now and after each change. The main source is not called.
  public func observe(_ query: some Query) -> AsyncThrowingStream<[Value], any Error> {
    cache.observe(query)
  }
}

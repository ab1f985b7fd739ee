import DataSources
import TestSupport
import Testing

/// Fetches, puts and deletions during a write.
@Suite struct `Overlapping writes` {
  let server = ItemServer(["a", "b"])
  let gate = Gate()

  private func repository<Cache: GetDataSource & PutDataSource>(
    _ cache: Cache, _ validator: some Validator<ItemEntity> = AgeValidator()
  ) -> CacheRepository<ItemServer, Cache> where Cache.Value == ItemEntity {
    CacheRepository(main: server, cache: cache, validator: validator)
  }

  private static func item(_ text: String) -> ItemEntity { ItemEntity(id: "a", text: text) }

  /// Starts a request that the server has not executed yet.
  private func waiting<R: Sendable>(_ body: @escaping @Sendable () async throws -> R) async
    -> Task<R, any Error>
  {
    await server.holdNextRequest(at: gate)
    return await gate.firstRequest(body)
  }

  /// Starts a request that the server has executed, but whose response is held back.
  private func respondingLate<R: Sendable>(_ body: @escaping @Sendable () async throws -> R) async
    -> Task<R, any Error>
  {
    await server.holdNext(at: gate)
    return await gate.firstRequest(body)
  }

  // MARK: - Fetches

  @Test func `a fetched list does not restore a value that is being deleted`() async throws {
    let storage = itemSource()
    let repository = repository(storage)
    _ = try await repository.getAll(AllObjectsQuery())
    let deletion = await waiting { try await repository.delete("a", operation: .cacheSync) }
    #expect(try await repository.getAll(AllObjectsQuery()).map(\.id) == ["a", "b"])
    #expect(try await storage.getAll(AllObjectsQuery()).map(\.id) == ["b"])
    gate.open()
    try await deletion.value
    #expect(try await storage.getAll(AllObjectsQuery()).map(\.id) == ["b"])
    #expect(try await repository.getAll(AllObjectsQuery()).map(\.id) == ["b"])
  }

  @Test func `a fetched value does not overwrite one that is being put`() async throws {
    let repository = repository(
      itemSource(), StrategyValidator<ItemEntity>([], otherwise: true))
    let put = await waiting {
      try await repository.put(Self.item("new"), forId: "a", operation: .cacheSync)
    }
    #expect(try await repository.get("a", operation: .mainSync).text == "old")
    gate.open()
    _ = try await put.value
    #expect(try await repository.get("a").text == "new")
    #expect(try await repository.get("a", operation: .cache).text == "new")
  }

  @Test func `a value is not valid while it is being put`() async throws {
    let repository = repository(itemSource())
    _ = try await repository.get("a")
    _ = try await repository.get("b")
    let put = await waiting { try await repository.put(Self.item("new"), forId: "a") }
    #expect(
      await text { _ = try await repository.get("a", operation: .cache) }
        == "the cached value for IdQuery(a) is no longer valid")
    _ = try await repository.get("b", operation: .cache)
    gate.open()
    _ = try await put.value
    #expect(try await repository.get("a", operation: .cache).text == "new")
  }

  // MARK: - Writes

  @Test func `a late response to an older put does not replace a newer put`() async throws {
    let storage = itemSource()
    let cache = FlakyCache(storage)
    let repository = repository(cache)
    let hasEnded = SeenCount()
    let first = await respondingLate {
      try await repository.put(Self.item("1"), forId: "a")
      hasEnded.next()
    }
    try await repository.put(Self.item("2"), forId: "a")
    #expect(try await repository.get("a").text == "2")
    let keeping = Gate()
    cache.holdNext(at: keeping)
    gate.open()
    await waitUntil { keeping.arrivedCount + hasEnded.value > 0 }
    if hasEnded.value > 0 { keeping.open() }
    #expect(try await repository.get("a").text == "2")
    keeping.open()
    _ = try await first.value
    #expect(try await storage.get("a").text == "2")
    #expect(try await repository.get("a").text == "2")
  }

  @Test func `a late response to a put does not restore a deleted value`() async throws {
    let storage = itemSource()
    let repository = repository(storage)
    let put = await respondingLate { try await repository.put(Self.item("1"), forId: "a") }
    try await repository.delete(["a", "b"])
    gate.open()
    _ = try await put.value
    #expect(try await storage.getAll(AllObjectsQuery()).isEmpty)
  }

  @Test func `a late response to a put does not restore a value after all were deleted`()
    async throws
  {
    let storage = itemSource()
    let repository = repository(storage)
    let put = await respondingLate { try await repository.putAll([Self.item("1")]) }
    try await repository.deleteAll(AllObjectsQuery())
    gate.open()
    _ = try await put.value
    #expect(try await storage.getAll(AllObjectsQuery()).isEmpty)
  }

  @Test func `overlapping writes of values with different ids are all applied to the cache`()
    async throws
  {
    let storage = itemSource()
    let repository = repository(storage)
    let put = await respondingLate { try await repository.put(Self.item("1")) }
    try await repository.put(ItemEntity(id: "c", text: "2"))
    try await repository.delete("b")
    gate.open()
    _ = try await put.value
    #expect(try await storage.getAll(AllObjectsQuery()).map(\.text) == ["2", "1"])
  }

  // MARK: - Without ids

  private typealias Put =
    @Sendable (CacheRepository<ItemServer, ItemSource>, ItemEntity) async throws -> Void

  private static let puts: [(String, Put)] = [
    ("under its id", { try await $0.put($1, forId: "a") }),
    ("by itself", { try await $0.put($1) }),
    ("under its ids", { try await $0.putAll([$1], forIds: ["a"]) }),
    ("in a list", { try await $0.putAll([$1]) }),
  ]

  @Test(arguments: puts.indices, puts.indices)
  func `a late response to an older put is discarded for any pair of queries`(
    older: Int, newer: Int
  )
    async throws
  {
    let storage = itemSource()
    let repository = repository(storage)
    let first = await respondingLate { try await Self.puts[older].1(repository, Self.item("1")) }
    try await Self.puts[newer].1(repository, Self.item("2"))
    gate.open()
    try await first.value
    let what = "\(Self.puts[older].0), then \(Self.puts[newer].0)"
    #expect(try await storage.get("a").text == "2", "\(what)")
    #expect(try await repository.get("a").text == "2", "\(what)")
  }

  @Test func `a wrapped cache caches overlapping puts of different values`() async throws {
    func check<Cache: DataSource & CacheDataSource>(_ cache: Cache) async throws
    where Cache.Value == ItemEntity {
      let repository = repository(cache)
      let gate = Gate()
      await server.holdNext(at: gate)
      let first = Task { try await repository.put(Self.item("1")) }
      await waitUntil { gate.arrivedCount == 1 }
      try await repository.put(ItemEntity(id: "b", text: "2"))
      gate.open()
      _ = try await first.value
      #expect(try await cache.getAll(AllObjectsQuery()).map(\.text) == ["2", "1"])
    }
    try await check(RetryDataSource(itemSource()))
    try await check(
      DataSourceMapper(
        dataSource: itemSource(), toInMapper: Mapper<ItemEntity, ItemEntity> { $0 },
        toOutMapper: Mapper<ItemEntity, ItemEntity> { $0 }))
  }

  @Test func `a put only to the server supersedes an older put`() async throws {
    let storage = itemSource()
    let repository = repository(storage)
    let first = await respondingLate { try await repository.put(Self.item("1")) }
    try await repository.put(Self.item("2"), in: VoidQuery(), operation: .main)
    gate.open()
    _ = try await first.value
    #expect(await text { _ = try await storage.get("a") } == "nothing was found for IdQuery(a)")
  }

  @Test func `a put of a list supersedes an older put of the same key`() async throws {
    let memory = InMemoryDataSource<ItemEntity>()
    let repository = repository(memory)
    let first = await respondingLate {
      try await repository.putAll([Self.item("1")], forId: "list")
    }
    try await repository.putAll([ItemEntity(id: "b")], forId: "list")
    gate.open()
    _ = try await first.value
    #expect(try await memory.getAll("list").map(\.id) == ["b"])
  }

  @Test(arguments: ["a", "b"])
  func `a deletion by value supersedes only an older put of that value`(id: String) async throws {
    let storage = itemSource()
    let repository = repository(storage)
    let put = await respondingLate { try await repository.put(Self.item("1"), forId: "a") }
    try await repository.delete(ObjectQuery(ItemEntity(id: id)))
    gate.open()
    _ = try await put.value
    let isKept = id != "a"
    #expect(try await storage.getAll(["a"]).map(\.text) == (isKept ? ["1"] : []))
  }

  // MARK: - Refused

  /// The error of the newer of two puts, and true if the server refused that put, so that the older one is the last.
  private static let failures: [(any Error, Bool)] = [
    (DataSourceError.badStatus(400, request: "PUT a"), true),
    (DataSourceError.badStatus(409, request: "PUT a"), true),
    (DataSourceError.notFound(query: "a"), true),
    (DataSourceError.queryNotSupported(query: "a", verb: .put, source: "server"), true),
    // Errors after which the put may have been executed.
    (DataSourceError.badStatus(408, request: "PUT a"), false),
    (DataSourceError.badStatus(500, request: "PUT a"), false),
    (DataSourceError.notDecodable(request: "PUT a", reason: "no"), false),
    (TestError(text: "lost"), false),
    (CancellationError(), false),
  ]

  @Test(arguments: failures.indices)
  func `a failed put supersedes an older put unless the server refused it`(index: Int) async throws
  {
    let (error, isRefused) = Self.failures[index]
    let storage = itemSource()
    let repository = repository(storage)
    try await repository.put(Self.item("0"), forId: "a")
    let first = await respondingLate { try await repository.put(Self.item("1"), forId: "a") }
    await server.fail(error)
    await #expect(throws: (any Error).self) {
      try await repository.put(Self.item("2"), forId: "a")
    }
    gate.open()
    _ = try await first.value
    #expect(try await storage.get("a").text == (isRefused ? "1" : "0"), "\(error)")
  }

  @Test func `a pending put supersedes an older put only when it completes`() async throws {
    let storage = itemSource()
    let repository = repository(storage)
    try await repository.put(Self.item("0"), forId: "a")
    let first = await respondingLate { try await repository.put(Self.item("1"), forId: "a") }
    let entrance = Gate()
    await server.holdNextRequest(at: entrance)
    let second = Task { try await repository.put(Self.item("2"), forId: "a") }
    await waitUntil { entrance.arrivedCount == 1 }
    gate.open()
    _ = try await first.value
    #expect(try await storage.get("a").text == "1")
    entrance.open()
    _ = try await second.value
    #expect(try await storage.get("a").text == "2")
  }
}

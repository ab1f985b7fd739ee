import DataSources
import TestSupport
import Testing

/// What is asked, put and deleted while a write is under way.
@Suite struct `Writes that overlap` {
  let server = ItemServer(["a", "b"])
  let gate = Gate()

  private func repository<Cache: GetDataSource & PutDataSource>(
    _ cache: Cache, _ validator: some Validator<ItemEntity> = AgeValidator()
  ) -> CacheRepository<ItemServer, Cache> where Cache.Value == ItemEntity {
    CacheRepository(main: server, cache: cache, validator: validator)
  }

  private static func item(_ text: String) -> ItemEntity { ItemEntity(id: "a", text: text) }

  /// A request that the server has not done yet.
  private func held<R: Sendable>(_ body: @escaping @Sendable () async throws -> R) async
    -> Task<R, any Error>
  {
    await server.holdNextRequest(at: gate)
    let task = Task { try await body() }
    await waitUntil { gate.arrivedCount == 1 }
    return task
  }

  /// A request that the server has done, and whose answer is on its way.
  private func answering<R: Sendable>(_ body: @escaping @Sendable () async throws -> R) async
    -> Task<R, any Error>
  {
    await server.holdNext(at: gate)
    let task = Task { try await body() }
    await waitUntil { gate.arrivedCount == 1 }
    return task
  }

  // MARK: - Fetches

  @Test func `a list does not bring back what is being deleted`() async throws {
    let storage = itemSource()
    let repository = repository(storage)
    _ = try await repository.getAll(AllObjectsQuery())
    let deletion = await held { try await repository.delete("a", operation: .cacheSync) }
    #expect(try await repository.getAll(AllObjectsQuery()).map(\.id) == ["a", "b"])
    #expect(try await storage.getAll(AllObjectsQuery()).map(\.id) == ["b"])
    gate.open()
    try await deletion.value
    #expect(try await storage.getAll(AllObjectsQuery()).map(\.id) == ["b"])
    #expect(try await repository.getAll(AllObjectsQuery()).map(\.id) == ["b"])
  }

  @Test func `a value of before does not take the place of one that is being put`() async throws {
    let repository = repository(
      itemSource(), StrategyValidator<ItemEntity>([], otherwise: true))
    let put = await held {
      try await repository.put(Self.item("new"), forId: "a", operation: .cacheSync)
    }
    #expect(try await repository.get("a", operation: .mainSync).text == "old")
    gate.open()
    _ = try await put.value
    #expect(try await repository.get("a").text == "new")
    #expect(try await repository.get("a", operation: .cache).text == "new")
  }

  @Test func `nothing is valid while it is being put`() async throws {
    let repository = repository(itemSource())
    _ = try await repository.get("a")
    _ = try await repository.get("b")
    let put = await held { try await repository.put(Self.item("new"), forId: "a") }
    #expect(
      await text { _ = try await repository.get("a", operation: .cache) }
        == "the cached value for IdQuery(a) is no longer valid")
    _ = try await repository.get("b", operation: .cache)
    gate.open()
    _ = try await put.value
    #expect(try await repository.get("a", operation: .cache).text == "new")
  }

  // MARK: - Writes

  @Test func `an older put's late answer is not given`() async throws {
    let storage = itemSource()
    let cache = FlakyCache(storage)
    let repository = repository(cache)
    let hasEnded = SeenCount()
    let first = await answering {
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

  @Test func `an older put's late answer does not bring back what was deleted`() async throws {
    let storage = itemSource()
    let repository = repository(storage)
    let put = await answering { try await repository.put(Self.item("1"), forId: "a") }
    try await repository.delete(["a", "b"])
    gate.open()
    _ = try await put.value
    #expect(try await storage.getAll(AllObjectsQuery()).isEmpty)
  }

  @Test func `nor when all was deleted`() async throws {
    let storage = itemSource()
    let repository = repository(storage)
    let put = await answering { try await repository.putAll([Self.item("1")]) }
    try await repository.deleteAll(AllObjectsQuery())
    gate.open()
    _ = try await put.value
    #expect(try await storage.getAll(AllObjectsQuery()).isEmpty)
  }

  @Test func `values with other ids are kept however their writes overlap`() async throws {
    let storage = itemSource()
    let repository = repository(storage)
    let put = await answering { try await repository.put(Self.item("1")) }
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
  func `an older put is told from a newer one by the values`(older: Int, newer: Int) async throws {
    let storage = itemSource()
    let repository = repository(storage)
    let first = await answering { try await Self.puts[older].1(repository, Self.item("1")) }
    try await Self.puts[newer].1(repository, Self.item("2"))
    gate.open()
    try await first.value
    let what = "\(Self.puts[older].0), then \(Self.puts[newer].0)"
    #expect(try await storage.get("a").text == "2", "\(what)")
    #expect(try await repository.get("a").text == "2", "\(what)")
  }

  @Test func `a source around a cache tells them`() async throws {
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

  @Test func `so it is from what is put by the server alone`() async throws {
    let storage = itemSource()
    let repository = repository(storage)
    let first = await answering { try await repository.put(Self.item("1")) }
    try await repository.put(Self.item("2"), in: VoidQuery(), operation: .main)
    gate.open()
    _ = try await first.value
    #expect(await text { _ = try await storage.get("a") } == "nothing was found for IdQuery(a)")
  }

  @Test func `and from a list in memory with the same key`() async throws {
    let memory = InMemoryDataSource<ItemEntity>()
    let repository = repository(memory)
    let first = await answering { try await repository.putAll([Self.item("1")], forId: "list") }
    try await repository.putAll([ItemEntity(id: "b")], forId: "list")
    gate.open()
    _ = try await first.value
    #expect(try await memory.getAll("list").map(\.id) == ["b"])
  }

  @Test(arguments: ["a", "b"])
  func `what is deleted by itself is told from what is being put`(id: String) async throws {
    let storage = itemSource()
    let repository = repository(storage)
    let put = await answering { try await repository.put(Self.item("1"), forId: "a") }
    try await repository.delete(ObjectQuery(ItemEntity(id: id)))
    gate.open()
    _ = try await put.value
    let isKept = id != "a"
    #expect(try await storage.getAll(["a"]).map(\.text) == (isKept ? ["1"] : []))
  }

  // MARK: - Refused

  /// How the newer of two puts fails, and whether the older is the last one then.
  private static let failures: [(any Error, Bool)] = [
    (DataSourceError.badStatus(400, request: "PUT a"), true),
    (DataSourceError.badStatus(409, request: "PUT a"), true),
    (DataSourceError.notFound(query: "a"), true),
    (DataSourceError.queryNotSupported(query: "a", verb: .put, source: "server"), true),
    // It may have been done.
    (DataSourceError.badStatus(408, request: "PUT a"), false),
    (DataSourceError.badStatus(500, request: "PUT a"), false),
    (DataSourceError.notDecodable(request: "PUT a", reason: "no"), false),
    (TestError(text: "lost"), false),
    (CancellationError(), false),
  ]

  @Test(arguments: failures.indices)
  func `a put that was refused follows none`(index: Int) async throws {
    let (error, isRefused) = Self.failures[index]
    let storage = itemSource()
    let repository = repository(storage)
    try await repository.put(Self.item("0"), forId: "a")
    let first = await answering { try await repository.put(Self.item("1"), forId: "a") }
    await server.fail(error)
    await #expect(throws: (any Error).self) {
      try await repository.put(Self.item("2"), forId: "a")
    }
    gate.open()
    _ = try await first.value
    #expect(try await storage.get("a").text == (isRefused ? "1" : "0"), "\(error)")
  }

  @Test func `a put that is still under way follows none before it is done`() async throws {
    let storage = itemSource()
    let repository = repository(storage)
    try await repository.put(Self.item("0"), forId: "a")
    let first = await answering { try await repository.put(Self.item("1"), forId: "a") }
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

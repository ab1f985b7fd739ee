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
        == "what the cache has for IdQuery(a) is not valid any more")
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
}

import TestSupport
import Testing

@testable import DataSources

/// Puts and deletions during other requests, and those that fail in one source.
@Suite struct `Writes during fetches` {
  let server = ItemServer(["a", "b"])
  let gate = Gate()

  private func repository<Cache: GetDataSource & PutDataSource>(
    _ cache: Cache
  ) -> CacheRepository<ItemServer, Cache> where Cache.Value == ItemEntity {
    CacheRepository(main: server, cache: cache, validator: AgeValidator(.seconds(600)))
  }

  private static let new = ItemEntity(id: "a", text: "new")

  /// Starts a request whose value the server has read, but whose response is held back.
  private func held<R: Sendable>(_ body: @escaping @Sendable () async throws -> R) async
    -> Task<R, any Error>
  {
    await server.holdNext(at: gate)
    return await gate.firstRequest(body)
  }

  @Test func `a late response does not overwrite a value that was put meanwhile`() async throws {
    let storage = itemSource()
    let repository = repository(storage)
    let older = await held { try await repository.get("a", operation: .mainSync) }
    try await repository.put(Self.new, forId: "a")
    gate.open()
    #expect(try await older.value.text == "old")
    #expect(try await repository.get("a") == Self.new)
    #expect(try await storage.get("a") == Self.new)
    #expect(await server.takeLog() == ["get a", "put a"])
  }

  @Test func `a late list does not overwrite a value that was put meanwhile`() async throws {
    let storage = itemSource()
    let repository = repository(storage)
    let older = await held {
      try await repository.getAll(AllObjectsQuery(), operation: .mainSync)
    }
    try await repository.put(Self.new, forId: "a")
    gate.open()
    #expect(try await older.value.map(\.text) == ["old", "old"])
    #expect(try await repository.get("a") == Self.new)
    #expect(try await repository.getAll(AllObjectsQuery()).map(\.text) == ["new", "old"])
    #expect(await server.takeLog() == ["getAll allObjects", "put a", "getAll allObjects"])
  }

  @Test func `a late response does not restore a value that was deleted meanwhile`() async throws {
    let storage = itemSource()
    let repository = repository(storage)
    let older = await held { try await repository.get("a", operation: .mainSync) }
    try await repository.delete("a")
    gate.open()
    #expect(try await older.value.text == "old")
    #expect(
      await text { _ = try await repository.get("a") } == "nothing was found for IdQuery(a)")
    #expect(try await storage.getAll(AllObjectsQuery()).isEmpty)
  }

  @Test func `a caller after a put does not share a request from before it`() async throws {
    let repository = repository(itemSource())
    let older = await held { try await repository.get("a", operation: .mainSync) }
    try await repository.put(Self.new, forId: "a")
    #expect(try await repository.get("a", operation: .mainSync) == Self.new)
    gate.open()
    #expect(try await older.value.text == "old")
    #expect(await server.takeLog() == ["get a", "put a", "get a"])
  }

  @Test func `a pending request is shared even if another item is put meanwhile`() async throws {
    let repository = repository(itemSource())
    let first = await held { try await repository.get("b", operation: .mainSync) }
    try await repository.put(Self.new, forId: "a")
    let second = Task { try await repository.get("b", operation: .mainSync) }
    await waitUntil { repository.flights.waiterCount(for: IdQuery("b")) == 2 }
    gate.open()
    #expect(try await first.value == second.value)
    #expect(try await repository.get("b").text == "old")
    #expect(await server.takeLog() == ["get b", "put a"])
  }

  /// The order in which the server executed the puts is unknown.
  @Test func `the results of two concurrent puts are not valid`() async throws {
    let repository = repository(itemSource())
    let first = await held { try await repository.put(Self.new, forId: "a") }
    try await repository.put(ItemEntity(id: "a", text: "newer"), forId: "a")
    gate.open()
    _ = try await first.value
    #expect(try await repository.get("a").text == "newer")
    #expect(await server.takeLog() == ["put a", "put a", "get a"])
  }

  // MARK: - Fetches that overlap

  /// The list that showed changes by another client is fetched again, so the late response does not hide them.
  @Test func `a late response outdates a newer list that contains its value`() async throws {
    let repository = repository(itemSource())
    let older = await held { try await repository.get("a", operation: .mainSync) }
    await server.set([Self.new, ItemEntity(id: "b", text: "old")])
    _ = try await repository.get("b")
    #expect(try await repository.getAll(AllObjectsQuery()).map(\.text) == ["new", "old"])
    gate.open()
    #expect(try await older.value.text == "old")
    // The older response is cached; the list is fetched again.
    #expect(try await repository.get("a", operation: .cache).text == "old")
    #expect(try await repository.get("b", operation: .cache).text == "old")
    #expect(try await repository.getAll(AllObjectsQuery()).map(\.text) == ["new", "old"])
    #expect(try await repository.get("a", operation: .cache).text == "new")
    #expect(
      await server.takeLog() == ["get a", "get b", "getAll allObjects", "getAll allObjects"])
  }

  @Test func `a late list outdates a newer response with one of its values`() async throws {
    let repository = repository(itemSource())
    let older = await held {
      try await repository.getAll(AllObjectsQuery(), operation: .mainSync)
    }
    await server.set([Self.new])
    #expect(try await repository.get("a") == Self.new)
    gate.open()
    _ = try await older.value
    #expect(
      await text { _ = try await repository.get("a", operation: .cache) }
        == "the cached value for IdQuery(a) is no longer valid")
    #expect(try await repository.get("a") == Self.new)
  }

  @Test func `a late list does not outdate a list of other values`() async throws {
    let repository = repository(itemSource())
    let first = PaginationOffsetLimitQuery(offset: 0, limit: 1)
    let second = PaginationOffsetLimitQuery(offset: 1, limit: 1)
    let older = await held { try await repository.getAll(first) }
    _ = try await repository.getAll(second)
    gate.open()
    _ = try await older.value
    #expect(try await repository.getAll(first, operation: .cache).map(\.id) == ["a"])
    #expect(try await repository.getAll(second, operation: .cache).map(\.id) == ["b"])
  }

  // MARK: - Partial failures

  @Test func `a cached value is not valid after the cache failed to execute a write`() async throws
  {
    let cache = FlakyCache(itemSource())
    let repository = repository(cache)
    _ = try await repository.get("a")
    cache.fail(true)
    await #expect(throws: TestError(text: "disk full")) {
      try await repository.put(Self.new, forId: "a")
    }
    cache.fail(false)
    #expect(try await repository.get("a") == Self.new)
    cache.fail(true)
    await #expect(throws: TestError(text: "disk full")) { try await repository.delete("a") }
    cache.fail(false)
    #expect(
      await text { _ = try await repository.get("a") } == "nothing was found for IdQuery(a)")
  }

  @Test func `a put cancelled between the server and the cache leaves no valid value`() async throws
  {
    let repository = repository(itemSource())
    _ = try await repository.get("a")
    let put = await held { try await repository.put(Self.new, forId: "a") }
    put.cancel()
    gate.open()
    await #expect(throws: CancellationError.self) { try await put.value }
    #expect(try await repository.get("a") == Self.new)
  }

  @Test func `a value that the server refused is not valid in the cache`() async throws {
    let repository = repository(itemSource())
    _ = try await repository.get("a")
    await server.fail(TestError())
    await #expect(throws: TestError()) {
      try await repository.put(Self.new, forId: "a", operation: .cacheSync)
    }
    #expect(
      await text { _ = try await repository.get("a", operation: .cache) }
        == "the cached value for IdQuery(a) is no longer valid")
    await server.fail(nil)
    #expect(try await repository.get("a").text == "old")
  }

  @Test func `a value missing on the server is not valid in the cache`() async throws {
    let repository = repository(itemSource())
    _ = try await repository.get("a")
    await server.set([])
    let missing = "nothing was found for IdQuery(a)"
    #expect(
      await text { _ = try await repository.get("a", operation: .mainSync) } == missing)
    #expect(await text { _ = try await repository.get("a") } == missing)
  }

  // MARK: - Stale while revalidate

  @Test func `a stale-while-revalidate caller does not wait for the refresh`() async throws {
    let clock = ManualClock()
    let repository = CacheRepository(
      main: server, cache: itemSource(), validator: AgeValidator(.seconds(60)), clock: clock)
    _ = try await repository.get("a")
    clock.advance(by: .seconds(60))
    await server.holdNext(at: gate)
    for _ in 1...100 {
      _ = try await repository.get("a", operation: .staleWhileRevalidate)
    }
    await waitUntil { gate.arrivedCount == 1 }
    #expect(repository.flights.waiterCount(for: IdQuery("a")) == 0)
    // Cancelling a waiter does not cancel the refresh.
    let other = Task { try await repository.get("a") }
    await waitUntil { repository.flights.waiterCount(for: IdQuery("a")) == 1 }
    other.cancel()
    await #expect(throws: CancellationError.self) { try await other.value }
    gate.open()
    await waitUntil { repository.flights.flightCount == 0 }
    _ = try await repository.get("a", operation: .cache)
    #expect(await server.takeLog() == ["get a", "get a"])
  }
}

import Foundation
import TestSupport
import Testing

@testable import DataSources

/// Failures of one of the two sources.
@Suite struct `Repositories with failing sources` {
  let server = ItemServer(["a", "b"])
  let clock = ManualClock()

  private func repository<Cache: GetDataSource & PutDataSource>(
    _ cache: Cache
  ) -> CacheRepository<ItemServer, Cache> where Cache.Value == ItemEntity {
    CacheRepository(
      main: server, cache: cache, validator: AgeValidator(.seconds(60)), clock: clock)
  }

  private static let notValid = "the cached value for IdQuery(a) is no longer valid"

  // MARK: - Failures of the cache

  private static let readingOperations: [RepositoryOperation] = [
    .default, .cacheSync, .cacheSync(fallback: true), .staleWhileRevalidate,
  ]

  @Test(arguments: readingOperations.indices)
  func `a response that the cache cannot store is returned to the caller`(index: Int) async throws {
    let operation = Self.readingOperations[index]
    let cache = FlakyCache(itemSource())
    let repository = repository(cache)
    cache.fail(true)
    #expect(try await repository.get("a", operation: operation).text == "old")
    #expect(try await repository.getAll(AllObjectsQuery(), operation: operation).count == 2)
    cache.fail(false)
    #expect(try await repository.get("a", operation: operation).text == "old")
    #expect(try await repository.get("a", operation: .cache).text == "old")
  }

  @Test func `mainSync throws the error of a cache that cannot store the response`() async throws {
    let cache = FlakyCache(itemSource())
    let repository = repository(cache)
    _ = try await repository.get("a")
    await server.set([ItemEntity(id: "a", text: "new")])
    cache.fail(true)
    await #expect(throws: TestError(text: "disk full")) {
      try await repository.get("a", operation: .mainSync)
    }
    // The server's value has changed, and the cache could not store it.
    #expect(
      await text { _ = try await repository.get("a", operation: .cache) } == Self.notValid)
    #expect(try await repository.get("a").text == "new")
    #expect(
      try await repository.get("a", operation: .cache(ignoreValidation: true)).text == "old")
    cache.fail(false)
    #expect(try await repository.get("a").text == "new")
    #expect(try await repository.get("a", operation: .cache).text == "new")
  }

  @Test func `a response that the cache failed to store is not a fallback`() async throws {
    let cache = FlakyCache(itemSource())
    let repository = repository(cache)
    cache.fail(true)
    for _ in 1...3 {
      let items = try await repository.getAll(
        AllObjectsQuery(), operation: .staleWhileRevalidate)
      #expect(items.count == 2)
    }
    await server.fail(TestError(text: "offline"))
    await #expect(throws: TestError(text: "offline")) {
      try await repository.getAll(AllObjectsQuery(), operation: .cacheSync(fallback: true))
    }
  }

  @Test func `an empty list put only in the cache does not count as the server's list`()
    async throws
  {
    let repository = repository(InMemoryDataSource<ItemEntity>())
    _ = try await repository.putAll([], forId: "list", operation: .cache)
    let list = try await repository.getAll("list", operation: .staleWhileRevalidate)
    #expect(list.count == 2)
  }

  @Test func `a value that the cache cannot read is fetched`() async throws {
    let cache = FlakyCache(itemSource())
    let repository = repository(cache)
    _ = try await repository.get("a")
    cache.failReading(true)
    for operation in Self.readingOperations {
      #expect(try await repository.get("a", operation: operation).text == "old")
      #expect(try await repository.getAll(AllObjectsQuery(), operation: operation).count == 2)
    }
    await #expect(throws: TestError(text: "unreadable")) {
      try await repository.get("a", operation: .cache)
    }
    await server.fail(TestError(text: "offline"))
    await #expect(throws: TestError(text: "offline")) {
      try await repository.get("a", operation: .cacheSync(fallback: true))
    }
    cache.failReading(false)
    #expect(try await repository.get("a", operation: .cache).text == "old")
  }

  @Test func `a query that the cache does not support throws an error`() async throws {
    let repository = repository(itemSource())
    #expect(
      await text { _ = try await repository.get(UnheardQuery()) }
        == "StoreDataSource<ItemEntity, Item> does not support 'get' with UnheardQuery")
    #expect(await server.takeLog() == [])
  }

  // MARK: - Values missing on the server

  private static let missing = "nothing was found for IdQuery(a)"

  @Test func `a value missing on the server is not returned as a fallback`() async throws {
    let repository = repository(itemSource())
    _ = try await repository.get("a")
    clock.advance(by: .seconds(60))
    await server.set([])
    // No response has reported the value as missing yet.
    #expect(try await repository.get("a", operation: .staleWhileRevalidate).text == "old")
    await waitUntil { repository.flights.flightCount == 0 }
    for operation in [
      .cacheSync(fallback: true), .cacheSync { _ in true }, .staleWhileRevalidate, .default,
    ] as [RepositoryOperation] {
      #expect(
        await text { _ = try await repository.get("a", operation: operation) } == Self.missing)
    }
    #expect(
      await text { _ = try await repository.get("a", operation: .cache) } == Self.notValid)
    await server.set([ItemEntity(id: "a", text: "new")])
    #expect(try await repository.get("a", operation: .staleWhileRevalidate).text == "new")
  }

  @Test func `a caller whose request ends with 404 receives no cached value`() async throws {
    let repository = repository(itemSource())
    _ = try await repository.get("a")
    clock.advance(by: .seconds(60))
    await server.set([])
    let operation = RepositoryOperation.cacheSync(fallback: true)
    #expect(await text { _ = try await repository.get("a", operation: operation) } == Self.missing)
  }

  @Test func `a value missing on the server is not valid even if the validator accepts all values`()
    async throws
  {
    let repository = CacheRepository(
      main: server, cache: itemSource(), validator: StrategyValidator<ItemEntity>([.valid]))
    _ = try await repository.get("a")
    await server.set([])
    _ = try? await repository.get("a", operation: .mainSync)
    #expect(
      await text { _ = try await repository.get("a", operation: .cache) } == Self.notValid)
    try await repository.put(ItemEntity(id: "a", text: "new"), forId: "a")
    #expect(try await repository.get("a", operation: .cache).text == "new")
  }

  @Test func `a value put after a 404 can be a fallback`() async throws {
    let repository = repository(itemSource())
    await server.set([])
    #expect(await text { _ = try await repository.get("a") } == Self.missing)
    try await repository.putAll([ItemEntity(id: "a", text: "new")])
    await server.fail(TestError())
    #expect(try await repository.get("a", operation: .cacheSync(fallback: true)).text == "new")
  }

  @Test func `a refused put or a deletion does not make a missing value a fallback`() async throws {
    let repository = repository(itemSource())
    _ = try await repository.get("a")
    await server.set([])
    _ = try? await repository.get("a", operation: .mainSync)
    let new = ItemEntity(id: "a", text: "new")
    let refusal = DataSourceError.badStatus(400, request: "PUT a")
    await server.fail(refusal)
    await #expect(throws: refusal) { try await repository.put(new, forId: "a") }
    await server.fail(nil)
    try await repository.delete("a", operation: .main)
    #expect(
      await text { _ = try await repository.get("a", operation: .staleWhileRevalidate) }
        == Self.missing)
    // A put with an unknown outcome may have succeeded.
    await server.fail(TestError())
    await #expect(throws: TestError()) { try await repository.put(new, forId: "a") }
    #expect(
      try await repository.get("a", operation: .cacheSync(fallback: true)).text == "old")
  }

  // MARK: - Async mutex

  @Test func `a cancelled waiter leaves the queue of the async mutex`() async throws {
    let mutex = AsyncMutex()
    let gate = Gate()
    let order = SeenCount()
    let first = Task { try await mutex.withLock { await gate.pass() } }
    await waitUntil { gate.arrivedCount == 1 }
    let others = (1...3).map { _ in Task { try await mutex.withLock { order.next() } } }
    others[1].cancel()
    await #expect(throws: CancellationError.self) { try await others[1].value }
    #expect(order.value == 0)
    gate.open()
    try await first.value
    #expect(try await others[0].value + others[2].value == 3)
    let late = Task {
      withUnsafeCurrentTask { $0?.cancel() }
      return try await mutex.withLock { order.next() }
    }
    await #expect(throws: CancellationError.self) { try await late.value }
    #expect(try await mutex.withLock { order.next() } == 3)
  }

  @Test func `a put that waits for a slow cache can be cancelled`() async throws {
    let cache = FlakyCache(itemSource())
    let repository = repository(cache)
    let gate = Gate()
    cache.holdNext(at: gate)
    let slow = Task { try await repository.put(ItemEntity(id: "a", text: "new"), forId: "a") }
    await waitUntil { gate.arrivedCount == 1 }
    let put = Task { try await repository.put(ItemEntity(id: "b", text: "new"), forId: "b") }
    await waitUntil { await server.items.allSatisfy { $0.text == "new" } }
    put.cancel()
    await #expect(throws: CancellationError.self) { try await put.value }
    gate.open()
    _ = try await slow.value
    #expect(try await repository.get("b").text == "new")
  }
}

import Foundation
import ObjectStore
import TestSupport
import Testing

@testable import DataSources

/// Lists of a server, which a cache returns unchanged or does not consider valid.
@Suite struct `Cached lists` {
  let server = ItemServer()
  let clock = ManualClock()

  private func repository<Cache: GetDataSource & PutDataSource>(
    _ cache: Cache
  ) -> CacheRepository<ItemServer, Cache> where Cache.Value == ItemEntity {
    CacheRepository(
      main: server, cache: cache, validator: AgeValidator(.seconds(600)), clock: clock)
  }

  private func fill(_ count: Int) async {
    await server.set((0..<count).map { ItemEntity(id: "i\($0)", text: "t") })
  }

  private static func page(_ offset: Int, _ limit: Int) -> PaginationOffsetLimitQuery {
    PaginationOffsetLimitQuery(offset: offset, limit: limit)
  }

  // MARK: - Pages and order

  @Test func `a cached page is the server's page`() async throws {
    await fill(60)
    let repository = repository(itemSource())
    for (offset, limit) in [(20, 20), (10, 3), (0, 3), (58, 5), (70, 5)] {
      let ids = (offset..<offset + limit).filter { $0 < 60 }.map { "i\($0)" }
      for _ in 1...3 {
        #expect(try await repository.getAll(Self.page(offset, limit)).compactMap(\.id) == ids)
      }
    }
    #expect(await server.takeLog().count == 5)
  }

  @Test func `a cached list has the server's order and the newest values`() async throws {
    await server.set(["b", "a"].map { ItemEntity(id: $0, text: "old") })
    let repository = repository(itemSource())
    _ = try await repository.get("a")
    for _ in 1...3 {
      #expect(try await repository.getAll(AllObjectsQuery()).map(\.id) == ["b", "a"])
    }
    await server.set(["b", "a"].map { ItemEntity(id: $0, text: "new") })
    _ = try await repository.get("b", operation: .mainSync)
    #expect(try await repository.getAll(AllObjectsQuery()).map(\.text) == ["new", "old"])
    #expect(await server.takeLog() == ["get a", "getAll allObjects", "get b"])
  }

  @Test func `a value that the server no longer lists is in no valid list`() async throws {
    await fill(3)
    let storage = itemSource()
    let repository = repository(storage)
    _ = try await repository.getAll(AllObjectsQuery())
    await fill(1)
    _ = try await repository.getAll(AllObjectsQuery(), operation: .mainSync)
    #expect(try await repository.getAll(AllObjectsQuery()).map(\.id) == ["i0"])
    #expect(try await storage.getAll(AllObjectsQuery()).count == 3)
    await server.set([])
    #expect(try await repository.getAll(AllObjectsQuery(), operation: .mainSync) == [])
    #expect(try await repository.getAll(AllObjectsQuery(), operation: .cache) == [])
  }

  /// The validator accepts all values.
  @Test func `a plain cache's list is not valid if its length differs from the server's`()
    async throws
  {
    await fill(3)
    let repository = CacheRepository(
      main: server, cache: PlainCache(itemSource()),
      validator: StrategyValidator([], otherwise: true))
    for _ in 1...2 {
      #expect(try await repository.getAll(AllObjectsQuery()).count == 3)
    }
    #expect(await server.takeLog() == ["getAll allObjects"])
    try await repository.delete("i1", operation: .main)
    for _ in 1...2 {
      #expect(try await repository.getAll(AllObjectsQuery()).map(\.id) == ["i0", "i2"])
    }
    #expect(
      await text { _ = try await repository.getAll(AllObjectsQuery(), operation: .cache) }
        == "the cached value for AllObjectsQuery is no longer valid")
  }

  @Test func `a list is not valid after the cache has lost one of its values`() async throws {
    await fill(3)
    let storage = itemSource()
    let repository = repository(storage)
    _ = try await repository.getAll(AllObjectsQuery())
    try await storage.delete("i1")
    let message = "the cached value for AllObjectsQuery is no longer valid"
    #expect(
      await text { _ = try await repository.getAll(AllObjectsQuery(), operation: .cache) }
        == message)
    #expect(try await repository.getAll(AllObjectsQuery()).count == 3)
  }

  /// The cache has other values at these offsets than the server.
  @Test func `a page computed by the cache is never valid`() async throws {
    await fill(9)
    let storage = itemSource()
    try await storage.put(ItemEntity(id: "i7", text: "t", lastUpdate: Date()))
    let repository = CacheRepository(
      main: server, cache: storage,
      validator: StrategyValidator([.timestamp(.seconds(3600)) { $0.lastUpdate }]))
    #expect(
      await text { _ = try await repository.getAll(Self.page(0, 2), operation: .cache) }
        == "the cached value for PaginationOffsetLimitQuery(0, 2) is no longer valid")
    #expect(try await repository.getAll(Self.page(0, 2)).map(\.id) == ["i0", "i1"])
    // The values have recent dates, but cannot show whether the list is complete.
    #expect(try await repository.getAll(["i7"], operation: .cache).count == 1)
    #expect(
      await text { _ = try await repository.getAll(["i7", "i8"], operation: .cache) }
        == "the cached value for IdsQuery of 2 is no longer valid")
  }

  @Test func `a list of values without keys is not valid`() async throws {
    struct Notes: GetDataSource {
      func get(_ query: some Query) async throws -> Note { Note(text: "x") }
      func getAll(_ query: some Query) async throws -> [Note] { [Note(text: "x")] }
    }
    let repository = CacheRepository(
      main: Notes(), cache: StoreDataSource(Note.self, configuration: .inMemory()),
      validator: AgeValidator(.seconds(600)), clock: clock)
    #expect(try await repository.getAll(AllObjectsQuery()) == [Note(text: "x")])
    #expect(
      await text { _ = try await repository.getAll(AllObjectsQuery(), operation: .cache) }
        == "the cached value for AllObjectsQuery is no longer valid")
  }

  @Test func `a get by a search returns the server's first value, not that of the cache`()
    async throws
  {
    struct First: GetDataSource {
      func get(_ query: some Query) async throws -> ItemEntity { ItemEntity(id: "z", text: "t") }
      func getAll(_ query: some Query) async throws -> [ItemEntity] { [try await get(query)] }
    }
    let storage = itemSource()
    try await storage.put(ItemEntity(id: "a", text: "t"))
    let repository = CacheRepository(main: First(), cache: storage)
    for _ in 1...2 {
      #expect(try await repository.get(SearchTextQuery(text: "t"), operation: .mainSync).id == "z")
      #expect(try await repository.get(SearchTextQuery(text: "t")).id == "z")
    }
  }

  // MARK: - Several ids

  @Test func `a list by ids has the server's values in the server's order`() async throws {
    await server.set(["c", "a"].map { ItemEntity(id: $0, text: $0.uppercased()) })
    let repository = repository(itemSource())
    for _ in 1...2 {
      #expect(try await repository.getAll(["a", "b", "c"]).map(\.id) == ["c", "a"])
    }
    #expect(await server.takeLog().count == 1)
    #expect(try await repository.get("a", operation: .cache(ignoreValidation: true)).text == "A")
  }

  @Test func `an in-memory source does not infer ids of values that are not Identifiable`()
    async throws
  {
    await server.set(["c", "a"].map { ItemEntity(id: $0, text: $0.uppercased()) })
    let cache = InMemoryDataSource<ItemEntity>()
    let repository = repository(cache)
    for _ in 1...2 {
      #expect(try await repository.getAll(["a", "c"]).map(\.id) == ["c", "a"])
      #expect(try await repository.getAll(["a", "b", "c"]).map(\.id) == ["c", "a"])
    }
    #expect(try await cache.getAll(["a", "c"]).isEmpty)
    #expect(await server.takeLog().count == 4)
  }

  struct Named: Identifiable, Hashable, Sendable { var id: Int }

  @Test func `an in-memory source uses the ids of Identifiable values`() async throws {
    struct Odd: GetDataSource {
      let seen = SeenCount()
      func get(_ query: some Query) async throws -> Named { throw TestError() }
      func getAll(_ query: some Query) async throws -> [Named] {
        seen.next()
        return [Named(id: 3), Named(id: 1)]
      }
    }
    let main = Odd()
    let cache = InMemoryDataSource<Named>()
    let repository = CacheRepository(main: main, cache: cache)
    for _ in 1...2 {
      #expect(try await repository.getAll([1, 2, 3]).map(\.id) == [3, 1])
    }
    #expect(main.seen.value == 1)
    #expect(try await cache.get(1) == Named(id: 1))
    // A value with another id shows that the server interprets the ids differently.
    for _ in 1...2 {
      #expect(try await repository.getAll([1, 2]).map(\.id) == [3, 1])
    }
    #expect(main.seen.value == 3)
  }

  /// Ids that the server does not have count, too.
  @Test func `requested ids count towards the limit of the repository's ledger`() async throws {
    let repository = repository(itemSource())
    let lists = (0..<3).map { list in (0..<100_000).map { "\(list) \($0)" } }
    for list in lists { _ = try await repository.getAll(list, operation: .mainSync) }
    let known = lists.map { list in
      repository.ledger.entry(for: Lookup(IdsQuery(list), isOfList: true)).hasResponse
    }
    #expect(known == [false, true, true])
  }

  // MARK: - Memory

  @Test func `a cached list in memory has only the server's values`() async throws {
    await server.set(["a", "b"].map { ItemEntity(id: $0, text: "old") })
    let cache = InMemoryDataSource<ItemEntity>()
    let repository = repository(cache)
    _ = try await repository.get("a")
    func all() async throws -> [String] {
      try await repository.getAll(AllObjectsQuery()).map { "\($0.id ?? "")\($0.text)" }
    }
    for _ in 1...3 { #expect(try await all() == ["aold", "bold"]) }
    #expect(await server.takeLog() == ["get a", "getAll allObjects"])
    try await repository.delete("a")
    #expect(try await all() == ["bold"])
    try await repository.put(ItemEntity(id: "b", text: "new"), forId: "b")
    #expect(try await all() == ["bnew"])
    #expect(try await repository.get("b", operation: .cache).text == "new")
  }

  @Test func `a write that the cache does not support is not sent`() async throws {
    let repository = repository(InMemoryDataSource<ItemEntity>())
    let item = ItemEntity(id: "a")
    #expect(
      await text { try await repository.put(item) }
        == "InMemoryDataSource<ItemEntity> does not support 'put' with VoidQuery")
    #expect(
      await text { try await repository.putAll([item]) }
        == "InMemoryDataSource<ItemEntity> does not support 'putAll' with VoidQuery")
    #expect(
      await text { try await repository.deleteAll(SearchTextQuery(text: "t")) }
        == "InMemoryDataSource<ItemEntity> does not support 'deleteAll' with SearchTextQuery")
    #expect(
      await text { try await repository.putAll([item], forIds: ["a", "b"]) }
        == "1 values were passed for 2 ids")
    #expect(await server.takeLog() == [])
    try await repository.put(item, in: VoidQuery(), operation: .main)
    #expect(await server.takeLog() == ["put VoidQuery"])

    let stored = self.repository(itemSource())
    #expect(
      await text { try await stored.put(item, in: IdsQuery(["a"])) }
        == "StoreDataSource<ItemEntity, Item> does not support 'put' with IdsQuery<String> of 1")
    #expect(
      await text { try await stored.putAll([item], forId: "a") }
        == "StoreDataSource<ItemEntity, Item> does not support 'putAll' with IdQuery<String>(a)")
    #expect(await server.takeLog() == [])
  }

  @Test func `a put of some values does not count as the server's whole list`() async throws {
    await server.set([ItemEntity(id: "a", text: "old")])
    let repository = repository(itemSource())
    try await repository.putAll([ItemEntity(id: "b", text: "new")], in: AllObjectsQuery())
    #expect(try await repository.getAll(AllObjectsQuery()).map(\.id) == ["a", "b"])
  }

  // MARK: - Empty lists

  @Test func `an empty store does not count as an empty list of the server`() async throws {
    await fill(2)
    let repository = repository(itemSource())
    #expect(
      try await repository.getAll(AllObjectsQuery(), operation: .staleWhileRevalidate).count == 2)
    await server.fail(TestError())
    let search = SearchTextQuery(text: "none")
    await #expect(throws: TestError()) {
      try await repository.getAll(search, operation: .cacheSync(fallback: true))
    }
    await server.fail(nil)
    #expect(try await repository.getAll(search) == [])
    await server.fail(TestError())
    clock.advance(by: .seconds(600))
    // The empty list is now the server's response.
    #expect(try await repository.getAll(search, operation: .cacheSync(fallback: true)) == [])
    #expect(try await repository.getAll(search, operation: .staleWhileRevalidate) == [])
  }
}

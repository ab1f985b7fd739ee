import ObjectStore
import TestSupport
import Testing

@testable import DataSources

@Suite struct `Repositories after concurrent actions` {
  private static let ids = ["a", "b", "c", "d", "e"]
  private static let lists: [any Query] = [
    AllObjectsQuery(), IdsQuery(["e", "b"]), IdsQuery(ids),
    PaginationOffsetLimitQuery(offset: 0, limit: 2),
    PaginationOffsetLimitQuery(offset: 1, limit: 3),
  ]

  @Test(arguments: 1...12)
  func `a repository over a store agrees with the server after concurrent actions`(seed: UInt64)
    async throws
  {
    try await run(seed, itemSource())
  }

  @Test(arguments: 1...12)
  func `a repository over a store that prunes agrees with the server after concurrent actions`(
    seed: UInt64
  ) async throws {
    try await run(seed, itemSource(pruning: ListGuard(allowsEmpty: true)))
  }

  @Test(arguments: 1...12)
  func `a repository over memory agrees with the server after concurrent actions`(seed: UInt64)
    async throws
  {
    try await run(seed, InMemoryDataSource<ItemEntity>())
  }

  /// Fills, writes and fails the cache while responses are delayed and requests are lost. After all actions have
  /// ended, the repository must return the server's values and lists.
  private func run<Cache: DataSource & CacheDataSource>(
    _ seed: UInt64, _ storage: Cache
  ) async throws where Cache.Value == ItemEntity {
    let server = SlowServer(seed: seed)
    let cache = FlakyCache(storage)
    let repository = CacheRepository(
      main: server, cache: cache, validator: AgeValidator(.seconds(3600)))
    var random = SeededRandom(seed: seed &+ 1000)
    for round in 1...6 {
      await server.calmDown(false)
      await withTaskGroup(of: Void.self) { group in
        for step in 1...30 {
          let action = action(&random, "\(round).\(step)")
          let isLeft = random.once(in: 10)
          let isFailing = random.once(in: 5)
          group.addTask {
            cache.fail(isFailing)
            let task = Task { try await action(repository) }
            if isLeft { task.cancel() }
            _ = await task.result
          }
        }
      }
      await server.calmDown(true)
      cache.fail(false)
      await waitUntil {
        repository.flights.flightCount + repository.listFlights.flightCount == 0
      }
      for id in Self.ids {
        let expected = await text { throw TestError(text: try await server.get(id).text) }
        for _ in 1...2 {
          let found = await text { throw TestError(text: try await repository.get(id).text) }
          #expect(found.replacing("IdQuery(\(id))", with: "server") == expected, "\(round) \(id)")
        }
      }
      for list in Self.lists {
        let expected = try await server.getAll(list)
        for _ in 1...2 {
          #expect(try await repository.getAll(list) == expected, "\(round) \(list)")
        }
      }
    }
  }

  private typealias Items = GetRepository<ItemEntity> & PutRepository<ItemEntity> & DeleteRepository
  private typealias Action = @Sendable (any Items) async throws -> Void

  /// A random action.
  private func action(_ random: inout SeededRandom, _ text: String) -> Action {
    let id = Self.ids[random.below(Self.ids.count)]
    let other = Self.ids[random.below(Self.ids.count)]
    let list = Self.lists[random.below(Self.lists.count)]
    let operations: [RepositoryOperation] = [
      .default, .default, .main, .mainSync, .cacheSync, .cacheSync(fallback: true),
      .staleWhileRevalidate,
    ]
    let operation = operations[random.below(operations.count)]
    let item = ItemEntity(id: id, text: text)
    switch random.below(12) {
    case 0...3: return { _ = try await $0.get(id, operation: operation) }
    case 4...6: return { _ = try await $0.getAll(list, operation: operation) }
    case 7...8: return { try await $0.put(item, forId: id, operation: operation) }
    case 9:
      let items = [item, ItemEntity(id: other, text: text)]
      return { try await $0.putAll(items, forIds: [id, other], operation: operation) }
    case 10: return { try await $0.delete(id, operation: operation) }
    default: return { try await $0.delete([id, other], operation: operation) }
    }
  }
}

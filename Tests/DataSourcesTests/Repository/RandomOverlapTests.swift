import Synchronization
import TestSupport
import Testing

@testable import DataSources

/// No value older than a confirmed write is returned during concurrent actions on the same ids.
@Suite struct `Confirmed writes during concurrent actions` {
  private static let ids = ["a", "b", "c"]

  @Test(arguments: 1...4)
  func `a store with an age validator returns no value older than a confirmed write`(seed: UInt64)
    async throws
  {
    await run(seed, itemSource(), AgeValidator(.seconds(3600)))
  }

  @Test(arguments: 1...4)
  func `a store with a lenient validator returns no value older than a confirmed write`(
    seed: UInt64
  )
    async throws
  {
    await run(seed, itemSource(), StrategyValidator([], otherwise: true))
  }

  @Test(arguments: 1...4)
  func `memory with an age validator returns no value older than a confirmed write`(seed: UInt64)
    async throws
  {
    await run(seed, InMemoryDataSource<ItemEntity>(), AgeValidator(.seconds(3600)))
  }

  @Test(arguments: 1...4)
  func `memory with a lenient validator returns no value older than a confirmed write`(seed: UInt64)
    async throws
  {
    await run(seed, InMemoryDataSource<ItemEntity>(), StrategyValidator([], otherwise: true))
  }

  @Test(arguments: 1...4)
  func `a possibly nested cache returns no value older than a confirmed write`(seed: UInt64)
    async throws
  {
    await run(seed, FlakyCache(itemSource()), StrategyValidator([], otherwise: true))
  }

  @Test(arguments: 1...4)
  func `a cache without nesting information returns no value older than a confirmed write`(
    seed: UInt64
  )
    async throws
  {
    await run(seed, PlainCache(itemSource()), StrategyValidator([], otherwise: true))
  }

  private func run<Cache: DataSource>(
    _ seed: UInt64, _ cache: Cache, _ validator: some Validator<ItemEntity>
  ) async where Cache.Value == ItemEntity {
    // Half of the seeds lose no requests, because lost ones leave fewer responses to compare.
    let isReliable = seed % 2 == 0
    let overlap = Overlap(
      seed: seed, isReliable: isReliable,
      acceptsAnyList: cache is any CacheDataSource<ItemEntity>)
    let repository = CacheRepository(main: overlap.server, cache: cache, validator: validator)
    await withTaskGroup(of: Void.self) { group in
      for worker in 1...6 {
        group.addTask {
          var random = SeededRandom(seed: seed &* 100 &+ UInt64(worker))
          for step in 1...25 {
            let action = Self.action(&random, "\(worker).\(step)")
            let isLeft = !isReliable && random.once(in: 8)
            let task = Task { await overlap.perform(action, repository) }
            if isLeft { task.cancel() }
            await task.value
            for id in Self.ids {
              await overlap.perform(
                .get { [try await $0.get(id, operation: .cache)] }, repository)
            }
          }
        }
      }
    }
    overlap.expectEffect(onIds: Self.ids)
  }

  private static func action(_ random: inout SeededRandom, _ text: String) -> Overlap.Action {
    let operations: [RepositoryOperation] = [.default, .main, .mainSync, .cacheSync]
    let id = ids[random.below(ids.count)]
    let item = ItemEntity(id: id, text: text)
    let operation = operations[random.below(operations.count)]
    let getting = random.once(in: 4) ? .cache : operation
    let lists: [any Query] = [
      AllObjectsQuery(), IdsQuery(ids), PaginationOffsetLimitQuery(offset: 0, limit: 2),
    ]
    let list = lists[random.below(lists.count)]
    switch random.below(10) {
    case 0...3: return .get { [try await $0.get(id, operation: getting)] }
    case 4...5: return .get { try await $0.getAll(list, operation: getting) }
    case 6...7: return .put { [try await $0.put(item, forId: id, operation: operation)] }
    case 8: return .put { try await $0.putAll([item], forIds: [id], operation: operation) }
    default: return .delete(id) { try await $0.delete(id, operation: operation) }
    }
  }
}

/// Concurrent actions on one repository, and the results that were reported to the callers.
private final class Overlap: Sendable {
  typealias Items = GetRepository<ItemEntity> & PutRepository<ItemEntity> & DeleteRepository

  enum Action: Sendable {
    case get(@Sendable (any Items) async throws -> [ItemEntity])
    case put(@Sendable (any Items) async throws -> [ItemEntity])
    case delete(String, @Sendable (any Items) async throws -> Void)
  }

  let server: SlowServer
  private let isReliable: Bool
  /// False if the cache refuses the server's list for a query by ids when it lacks an id or has another order.
  private let acceptsAnyList: Bool
  /// The number of the last confirmed put or deletion of each id.
  private let confirmed = Mutex<[String: Int]>([:])
  /// The number of values that were compared with a confirmed write.
  private let comparedCount = Mutex(0)

  init(seed: UInt64, isReliable: Bool, acceptsAnyList: Bool) {
    server = SlowServer(seed: seed, isReliable: isReliable)
    self.isReliable = isReliable
    self.acceptsAnyList = acceptsAnyList
  }

  /// Expects that writes of each id were confirmed and that values were compared with them.
  func expectEffect(onIds ids: [String]) {
    #expect(confirmed.withLock { $0.keys.sorted() } == ids)
    #expect(comparedCount.withLock { $0 } > 0)
  }

  func perform(_ action: Action, _ items: some Items) async {
    do {
      switch action {
      case .get(let body):
        let oldest = confirmed.withLock { $0 }
        for item in try await body(items) {
          let number = await number(of: item)
          guard let confirmed = oldest[item.id ?? ""] else { continue }
          comparedCount.withLock { $0 += 1 }
          #expect(number >= confirmed, "\(item) is older than \(oldest)")
        }
      case .put(let body):
        for item in try await body(items) { confirm(item.id ?? "", item.serverId) }
      case .delete(let id, let body):
        let number = await server.number
        try await body(items)
        confirm(id, number + 1)
      }
    } catch DataSourceError.notFound, DataSourceError.notValid {
      // The id was deleted, or `.cache` has no current value.
    } catch DataSourceError.illegalArgument where !acceptsAnyList {
    } catch is TestError where !isReliable {
    } catch is CancellationError where Task.isCancelled {
    } catch {
      Issue.record(error)
    }
  }

  /// The number of the put that wrote a value. The put is found by the text of a value that `.cacheSync` stored
  /// before the server numbered it.
  private func number(of item: ItemEntity) async -> Int {
    if item.serverId > 0 { return item.serverId }
    return await server.number(ofText: item.text) ?? .max
  }

  private func confirm(_ id: String, _ number: Int) {
    confirmed.withLock { $0[id] = max($0[id] ?? 0, number) }
  }
}

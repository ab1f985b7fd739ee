import Foundation
import TestSupport
import Testing

@testable import DataSources

@Suite struct `Validity of cached values` {
  private static let now = Date(timeIntervalSince1970: 1_000_000)

  private static let dates: [(Date, Bool)] = [
    (now, true), (now.addingTimeInterval(-299), true), (now.addingTimeInterval(-300), false),
    // Arbitrary dates from a server.
    (now.addingTimeInterval(1), false), (.distantFuture, false), (.distantPast, false),
    (Date(timeIntervalSince1970: -1e30), false), (Date(timeIntervalSince1970: 1e21), false),
    (Date(timeIntervalSince1970: .nan), false), (Date(timeIntervalSince1970: .infinity), false),
  ]

  /// The arguments are indices because some dates cannot be printed.
  @Test(arguments: dates.indices)
  func `a value with a timestamp is valid only for the given time after it`(index: Int) async {
    let (date, isValid) = Self.dates[index]
    let validator = StrategyValidator<ItemEntity>([
      .timestamp(.seconds(300), now: { Self.now }) { $0.lastUpdate }
    ])
    #expect(await validator.isValid(ItemEntity(lastUpdate: date), age: nil) == isValid)
  }

  @Test func `a value is not valid after the clock is set back`() async throws {
    let clock = ManualClock()
    clock.advance(by: .seconds(1000))
    let server = ItemServer(["a"])
    let repository = CacheRepository(
      main: server, cache: itemSource(), validator: AgeValidator(.seconds(60)), clock: clock)
    _ = try await repository.get("a")
    clock.advance(by: .seconds(-1))
    _ = try await repository.get("a")
    #expect(await server.takeLog() == ["get a", "get a"])
  }

  /// The server may have read the value when the request was made.
  @Test func `the age of a response is measured from its request`() async throws {
    let clock = ManualClock()
    let server = ItemServer(["a"])
    let gate = Gate()
    let repository = CacheRepository(
      main: server, cache: itemSource(), validator: AgeValidator(.seconds(60)), clock: clock)
    await server.holdNext(at: gate)
    let task = Task { try await repository.get("a") }
    await waitUntil { gate.arrivedCount == 1 }
    clock.advance(by: .seconds(59))
    gate.open()
    _ = try await task.value
    _ = try await repository.get("a", operation: .cache)
    clock.advance(by: .seconds(1))
    #expect(
      await text { _ = try await repository.get("a", operation: .cache) }
        == "the cached value for IdQuery(a) is no longer valid")
  }

  /// A recent date does not make an outdated value valid; only a strategy that ignores the value does.
  @Test func `an outdated value is valid only for a strategy that ignores the value`()
    async throws
  {
    let server = ItemServer()
    let fresh = ItemEntity(id: "a", text: "old", lastUpdate: Date())
    await server.set([fresh])
    func repository(
      _ strategies: [ValidationStrategy<ItemEntity>]
    ) async throws -> CacheRepository<ItemServer, InMemoryDataSource<ItemEntity>> {
      let repository = CacheRepository(
        main: server, cache: InMemoryDataSource<ItemEntity>(),
        validator: StrategyValidator(strategies, otherwise: true))
      _ = try await repository.get("a", operation: .mainSync)
      try await repository.put(fresh, forId: "a", operation: .main)
      return repository
    }
    let timestamp = ValidationStrategy<ItemEntity>.timestamp(.seconds(3600)) { $0.lastUpdate }
    let message = "the cached value for IdQuery(a) is no longer valid"
    for strategies in [[timestamp], [], [.reachability { true }], [.invalid, .valid]] {
      let repository = try await repository(strategies)
      #expect(await text { _ = try await repository.get("a", operation: .cache) } == message)
    }
    for strategies in [[.valid], [timestamp, .reachability { false }]] {
      let repository = try await repository(strategies)
      #expect(try await repository.get("a", operation: .cache) == fresh)
    }
  }

  // MARK: - Queries that are not equal to themselves

  struct Near: Query, Hashable { var latitude: Double }

  @Test func `a query that is not equal to itself has no identity`() async throws {
    #expect(QueryIdentity(IdQuery(Double.nan)) == nil)
    #expect(QueryIdentity(Near(latitude: .nan)) == nil)
    #expect(QueryIdentity(Near(latitude: 1)) != nil)
    let main = MainSource()
    await main.set("nan", 1)
    let repository = CacheRepository(main: main, cache: InMemoryDataSource<Int>())
    for _ in 1...2 {
      #expect(try await repository.get(Double.nan, operation: .mainSync) == 1)
      #expect(try await repository.getAll(Near(latitude: .nan), operation: .main) == [1])
    }
    for _ in 1...5000 {
      try await repository.put(1, forId: Double.nan)
    }
    await main.close()
    let task = Task { try await repository.get(Double.nan, operation: .mainSync) }
    await waitUntil { await main.waitingCount == 1 }
    task.cancel()
    await #expect(throws: CancellationError.self) { try await task.value }
  }

  @Test func `a key that is not equal to itself is not stored`() {
    var kept = LeastRecentlyUsed<Double, Int>(limit: 2)
    for value in 1...5 { kept.insert(value, for: .nan) }
    kept.insert(1, for: 1)
    kept.insert(2, for: 2)
    #expect(kept[1] == 1 && kept[2] == 2 && kept[.nan] == nil)
  }
}

import Foundation
import ObjectStore
import TestSupport
import Testing

@testable import DataSources

/// A source whose values are set by the test, and whose requests can be held back and counted.
actor MainSource: DataSource {
  private(set) var values: [String: Int] = [:]
  private(set) var log: [String] = []
  private var error: (any Error)?
  private var isClosed = false
  private var waiting: [Int: CheckedContinuation<Void, any Error>] = [:]
  private var lastNumber = 0
  let cancelled = SeenCount()

  func set(_ id: String, _ value: Int?) { values[id] = value }
  func fail(_ error: (any Error)?) { self.error = error }
  /// Holds all requests until ``open()``.
  func close() { isClosed = true }
  func open() {
    isClosed = false
    for continuation in waiting.values { continuation.resume() }
    waiting = [:]
  }
  var waitingCount: Int { waiting.count }
  func takeLog() -> [String] {
    defer { log = [] }
    return log
  }

  private func pass(_ verb: String, _ query: any Query) async throws {
    log.append("\(verb) \((query as? any KeyQuery)?.key ?? "?")")
    if isClosed {
      lastNumber += 1
      let number = lastNumber
      try await withTaskCancellationHandler {
        try await withCheckedThrowingContinuation { waiting[number] = $0 }
      } onCancel: {
        cancelled.next()
        Task { await self.giveUp(number) }
      }
    }
    if let error { throw error }
  }

  private func giveUp(_ number: Int) {
    waiting.removeValue(forKey: number)?.resume(throwing: CancellationError())
  }

  func get(_ query: some Query) async throws -> Int {
    try await pass("get", query)
    guard let key = (query as? any KeyQuery)?.key, let value = values[key] else {
      throw DataSourceError.notFound(query: "main")
    }
    return value
  }

  func getAll(_ query: some Query) async throws -> [Int] {
    try await pass("getAll", query)
    return values.values.sorted()
  }

  func put(_ value: Int, in query: some Query) async throws -> Int {
    try await pass("put", query)
    // The server changes the sent value.
    return value * 10
  }

  func putAll(_ values: [Int], in query: some Query) async throws -> [Int] {
    try await pass("putAll", query)
    return values.map { $0 * 10 }
  }

  func delete(_ query: some Query) async throws { try await pass("delete", query) }

  func deleteAll(_ query: some Query) async throws { try await pass("deleteAll", query) }
}

@Suite struct `Cache repositories` {
  let main = MainSource()
  let cache = InMemoryDataSource<Int>()
  let clock = ManualClock()

  /// A repository whose values are valid for less than a minute.
  private var repository: CacheRepository<MainSource, InMemoryDataSource<Int>> {
    CacheRepository(
      main: main, cache: cache, validator: AgeValidator(.seconds(60)), clock: clock)
  }

  // MARK: - Getting

  @Test func `a value is read from the cache while it is valid`() async throws {
    let repository = repository
    await main.set("a", 1)
    #expect(try await repository.get("a") == 1)
    await main.set("a", 2)
    clock.advance(by: .seconds(59))
    #expect(try await repository.get("a") == 1)
    clock.advance(by: .seconds(1))
    #expect(try await repository.get("a") == 2)
    #expect(await main.takeLog() == ["get a", "get a"])
    #expect(try await cache.get("a") == 2)
  }

  @Test func `an empty list of the main source is valid`() async throws {
    let repository = repository
    for _ in 1...3 { #expect(try await repository.getAll("none") == []) }
    #expect(await main.takeLog() == ["getAll none"])
    clock.advance(by: .seconds(60))
    #expect(try await repository.getAll("none") == [])
    #expect(await main.takeLog() == ["getAll none"])
    // An empty store also returns an empty list, but that is not the server's response.
    #expect(try await repository.getAll(AllObjectsQuery()) == [])
    #expect(await main.takeLog() == ["getAll allObjects"])
  }

  @Test func `each operation reads from its sources`() async throws {
    let repository = repository
    await main.set("a", 1)
    try await cache.put(7, forId: "a")
    #expect(try await repository.get("a", operation: .main) == 1)
    #expect(try await cache.get("a") == 7)
    #expect(
      await text { _ = try await repository.get("a", operation: .cache) }
        == "the cached value for IdQuery(a) is no longer valid")
    #expect(try await repository.get("a", operation: .cache(ignoreValidation: true)) == 7)
    #expect(
      await text { _ = try await repository.get("b", operation: .cache) }
        == "nothing was found for IdQuery(b)")
    #expect(await main.takeLog() == ["get a"])
    #expect(try await repository.get("a", operation: .mainSync) == 1)
    #expect(try await repository.get("a", operation: .cache) == 1)
    #expect(try await repository.get("a", operation: .cacheSync) == 1)
    #expect(await main.takeLog() == ["get a"])

    #expect(try await repository.getAll("l", operation: .main) == [1])
    #expect(
      await text { _ = try await repository.getAll("l", operation: .cache) }
        == "nothing was found for IdQuery(l)")
    #expect(try await repository.getAll("l", operation: .mainSync) == [1])
    #expect(try await repository.getAll("l", operation: .cache) == [1])
    #expect(await main.takeLog() == ["getAll l", "getAll l"])
  }

  @Test func `a failed request returns the cached value only with a fallback`() async throws {
    let repository = repository
    await main.fail(TestError())
    try await cache.put(7, forId: "a")
    await #expect(throws: TestError()) { try await repository.get("a") }
    #expect(try await repository.get("a", operation: .cacheSync(fallback: true)) == 7)
    #expect(try await repository.get("a", operation: .cacheSync { $0 is TestError }) == 7)
    await #expect(throws: TestError()) {
      try await repository.get("a", operation: .cacheSync { $0 is URLError })
    }
    await #expect(throws: TestError()) {
      try await repository.get("b", operation: .cacheSync(fallback: true))
    }
    #expect(try await cache.get("a") == 7)
  }

  @Test func `cache errors are thrown by operations that require the cache`() async throws {
    let broken = CacheRepository(main: main, cache: BrokenCache())
    await main.set("a", 1)
    await #expect(throws: TestError(text: "get")) {
      try await broken.get("a", operation: .cache)
    }
    await #expect(throws: TestError(text: "put")) {
      try await broken.get("a", operation: .mainSync)
    }
  }

  // MARK: - Stale while revalidate

  @Test func `stale-while-revalidate returns a stale value immediately and refreshes it`()
    async throws
  {
    let repository = repository
    await main.set("a", 1)
    #expect(try await repository.get("a", operation: .staleWhileRevalidate) == 1)
    await main.set("a", 2)
    #expect(try await repository.get("a", operation: .staleWhileRevalidate) == 1)
    #expect(await main.takeLog() == ["get a"])
    clock.advance(by: .seconds(60))
    await main.close()
    for _ in 1...3 {
      #expect(try await repository.get("a", operation: .staleWhileRevalidate) == 1)
    }
    await waitUntil { await main.waitingCount == 1 }
    await main.open()
    await waitUntil { repository.flights.flightCount == 0 }
    #expect(try await repository.get("a", operation: .staleWhileRevalidate) == 2)
    #expect(await main.takeLog() == ["get a"])

    clock.advance(by: .seconds(60))
    await main.fail(TestError())
    #expect(try await repository.get("a", operation: .staleWhileRevalidate) == 2)
    await waitUntil { await main.log == ["get a"] }
    #expect(try await repository.get("a", operation: .staleWhileRevalidate) == 2)
    await #expect(throws: TestError()) {
      try await repository.getAll("none", operation: .staleWhileRevalidate)
    }
  }

  // MARK: - Single flight

  @Test func `concurrent callers of one query share a request`() async throws {
    let repository = repository
    await main.set("a", 1)
    await main.close()
    let tasks = (1...20).map { _ in
      Task { try await repository.get("a", operation: .mainSync) }
    }
    let list = Task { try await repository.getAll("a", operation: .mainSync) }
    let other = Task { try await repository.get("b", operation: .mainSync) }
    await waitUntil { await main.waitingCount == 3 }
    await waitUntil { repository.flights.waiterCount(for: IdQuery("a")) == 20 }
    tasks[0].cancel()
    await #expect(throws: CancellationError.self) { try await tasks[0].value }
    await main.open()
    for task in tasks.dropFirst() { #expect(try await task.value == 1) }
    #expect(try await list.value == [1])
    await #expect(throws: DataSourceError.notFound(query: "main")) { try await other.value }
    #expect(await main.takeLog().filter { $0 == "get a" }.count == 1)
    #expect(main.cancelled.value == 0)
  }

  @Test func `a shared request is cancelled only with its last caller`() async throws {
    let repository = repository
    await main.set("a", 1)
    await main.close()
    let first = Task { try await repository.get("a", operation: .mainSync) }
    let second = Task { try await repository.get("a", operation: .mainSync) }
    await waitUntil { await main.waitingCount == 1 }
    await waitUntil { repository.flights.waiterCount(for: IdQuery("a")) == 2 }
    first.cancel()
    await #expect(throws: CancellationError.self) { try await first.value }
    #expect(main.cancelled.value == 0)
    second.cancel()
    await #expect(throws: CancellationError.self) { try await second.value }
    await waitUntil { main.cancelled.value == 1 }
    await waitUntil { await main.waitingCount == 0 }
    #expect(await main.takeLog() == ["get a"])
    await main.open()
    #expect(try await repository.get("a", operation: .mainSync) == 1)
    #expect(await text { _ = try await cache.get("b") } == "nothing was found for IdQuery(b)")
  }

  @Test func `an error is shared by concurrent callers but not with the next caller`() async throws
  {
    let repository = repository
    await main.close()
    await main.fail(TestError())
    let tasks = (1...5).map { _ in
      Task { try await repository.get("a", operation: .mainSync) }
    }
    await waitUntil { repository.flights.waiterCount(for: IdQuery("a")) == 5 }
    await waitUntil { await main.waitingCount == 1 }
    await main.open()
    for task in tasks { await #expect(throws: TestError()) { try await task.value } }
    await main.fail(nil)
    await main.set("a", 3)
    #expect(try await repository.get("a") == 3)
  }

  @Test func `a cancelled task sends no request`() async throws {
    let repository = repository
    await main.set("a", 1)
    try await cache.put(7, forId: "a")
    let task = Task {
      withUnsafeCurrentTask { $0?.cancel() }
      return [
        await text { _ = try await repository.get("a", operation: .mainSync) },
        await text { _ = try await repository.get("a", operation: .cacheSync(fallback: true)) },
      ]
    }
    #expect(await task.value == ["CancellationError()", "CancellationError()"])
    #expect(await main.takeLog() == [])
  }

  @Test func `a caller cancelled during a request receives no stale value`() async throws {
    let repository = repository
    try await cache.put(7, forId: "a")
    await main.close()
    let task = Task { try await repository.get("a", operation: .cacheSync(fallback: true)) }
    await waitUntil { await main.waitingCount == 1 }
    task.cancel()
    await #expect(throws: CancellationError.self) { try await task.value }
  }

  // MARK: - Putting and deleting

  @Test func `a put writes to the sources of its operation`() async throws {
    let repository = repository
    #expect(try await repository.put(1, forId: "a") == 10)
    #expect(try await cache.get("a") == 10)
    // The response to a put is valid.
    #expect(try await repository.get("a") == 10)
    #expect(await main.takeLog() == ["put a"])
    #expect(try await repository.put(2, forId: "a", operation: .cache) == 2)
    #expect(await main.takeLog() == [])
    #expect(try await repository.put(3, forId: "a", operation: .main) == 30)
    #expect(try await cache.get("a") == 2)
    #expect(try await repository.put(4, forId: "a", operation: .cacheSync) == 40)
    #expect(try await cache.get("a") == 4)
    #expect(try await repository.putAll([1, 2], forId: "l") == [10, 20])
    #expect(try await cache.getAll("l") == [10, 20])
    #expect(try await repository.getAll("l") == [10, 20])
    #expect(try await repository.putAll([5], forIds: ["x"], operation: .cache) == [5])
    #expect(await main.takeLog() == ["put a", "put a", "putAll l"])
  }

  @Test func `a write refused by the main source reaches the cache only with cacheSync`()
    async throws
  {
    let repository = repository
    await main.fail(TestError())
    try await cache.put(7, forId: "a")
    await #expect(throws: TestError()) { try await repository.put(1, forId: "a") }
    await #expect(throws: TestError()) { try await repository.delete("a") }
    #expect(try await cache.get("a") == 7)
    await #expect(throws: TestError()) {
      try await repository.put(1, forId: "a", operation: .cacheSync)
    }
    #expect(try await cache.get("a") == 1)
  }

  @Test func `a deletion removes the cached value or makes it invalid`() async throws {
    let repository = repository
    await main.set("a", 1)
    #expect(try await repository.get("a") == 1)
    try await repository.delete("a", operation: .main)
    #expect(
      await text { _ = try await repository.get("a", operation: .cache) }
        == "the cached value for IdQuery(a) is no longer valid")
    try await repository.delete("a")
    #expect(
      await text { _ = try await repository.get("a", operation: .cache) }
        == "nothing was found for IdQuery(a)")
    try await repository.put(1, forId: "b", operation: .cache)
    try await repository.deleteAll(AllObjectsQuery(), operation: .cache)
    #expect(try await cache.getAll(AllObjectsQuery()) == [])
    #expect(await main.takeLog() == ["get a", "delete a", "delete a"])
  }

  @Test func `an emptied cache is filled again`() async throws {
    let storage = itemSource()
    let repository = CacheRepository(main: Reading(), cache: storage)
    let query = SearchTextQuery(text: "apple")
    #expect(try await repository.getAll(query).count == 2)
    // The store's own search finds one value.
    #expect(try await storage.getAll(query).count == 1)
    #expect(try await repository.getAll(query).count == 2)
    try await repository.deleteAll(AllObjectsQuery(), operation: .cache)
    #expect(try await repository.getAll(query).count == 2)
  }

  /// A source with constant values, whose deletions have no effect.
  struct Reading: GetDataSource, DeleteDataSource {
    func delete(_ query: some Query) async throws {}
    func deleteAll(_ query: some Query) async throws {}
    func get(_ query: some Query) async throws -> ItemEntity { ItemEntity(id: "a", text: "apple") }
    func getAll(_ query: some Query) async throws -> [ItemEntity] {
      try await [get(query), ItemEntity(id: "b", text: "bread")]
    }
  }

  @Test func `a repository of a server and a store observes the store`() async throws {
    let storage = itemSource()
    let repository = CacheRepository(main: Reading(), cache: storage)
    var observed = repository.observe(AllObjectsQuery()).makeAsyncIterator()
    #expect(try await observed.next() == [])
    #expect(try await repository.getAll(AllObjectsQuery()).map(\.id) == ["a", "b"])
    #expect(try await observed.next()?.map(\.text) == ["apple", "bread"])
    #expect(try await repository.get("a").text == "apple")
    #expect(
      await text { _ = try await repository.get("other", operation: .mainSync) }
        == "the Item has the key a, but the query has the key other")
    #expect(try await storage.getAll(AllObjectsQuery()).count == 2)
  }

  // MARK: - Validity

  @Test func `the first validation strategy with a result decides`() async {
    let now = Date(timeIntervalSince1970: 1000)
    let timestamp = ValidationStrategy<ItemEntity>.timestamp(.seconds(60), now: { now }) {
      $0.lastUpdate
    }
    let fresh = ItemEntity(lastUpdate: now.addingTimeInterval(-59))
    let old = ItemEntity(lastUpdate: now.addingTimeInterval(-60))
    let undated = ItemEntity()
    func judge(_ value: ItemEntity, _ strategies: [ValidationStrategy<ItemEntity>]) async -> Bool {
      await StrategyValidator(strategies).isValid(value, age: nil)
    }
    #expect(await judge(fresh, [timestamp]))
    #expect(await !judge(old, [timestamp]))
    #expect(await !judge(undated, [timestamp]))
    #expect(await StrategyValidator([timestamp], otherwise: true).isValid(undated, age: nil))
    #expect(await judge(undated, [timestamp, .valid]))
    #expect(await !judge(old, [timestamp, .valid]))
    #expect(await !judge(fresh, [.invalid, timestamp]))
    #expect(await judge(old, [.reachability { false }, timestamp]))
    #expect(await !judge(old, [.reachability { true }, timestamp]))
    let list = StrategyValidator([timestamp])
    #expect(await list.isValid([fresh, fresh], age: nil))
    #expect(await !list.isValid([fresh, old], age: nil))
    #expect(await !list.isValid([], age: nil))
    #expect(await list.isValid([], age: .seconds(1000)))
  }

  @Test func `an age validator accepts only values of a known age below its limit`() async {
    let validator = AgeValidator<Int>(.seconds(1))
    #expect(!validator.isValid(1, age: nil))
    #expect(!validator.isValid([], age: nil))
    #expect(validator.isValid([], age: .milliseconds(999)))
    #expect(!validator.isValid(1, age: .seconds(1)))
  }
}

/// A cache whose operations all fail.
struct BrokenCache: GetDataSource, PutDataSource {
  func get(_ query: some Query) async throws -> Int { throw TestError(text: "get") }
  func getAll(_ query: some Query) async throws -> [Int] { throw TestError(text: "getAll") }
  func put(_ value: Int, in query: some Query) async throws -> Int { throw TestError(text: "put") }
  func putAll(_ values: [Int], in query: some Query) async throws -> [Int] {
    throw TestError(text: "putAll")
  }
}

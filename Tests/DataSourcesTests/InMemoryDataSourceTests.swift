import DataSources
import Testing

@Suite struct `In-memory data sources` {
  @Test func `a key returns the last value or list that was put`() async throws {
    let source = InMemoryDataSource<Int>()
    try await source.put(1, forId: "a")
    #expect(try await source.get("a") == 1)
    try await source.putAll([2, 3], forId: "a")
    #expect(await text { _ = try await source.get("a") } == "nothing was found for IdQuery(a)")
    #expect(try await source.getAll("a") == [2, 3])
    try await source.put(4, forId: "a")
    #expect(await text { _ = try await source.getAll("a") } == "nothing was found for IdQuery(a)")
    try await source.putAll([], forId: "none")
    #expect(try await source.getAll("none") == [])
  }

  @Test func `the query for all objects returns values and elements of lists`() async throws {
    let source = InMemoryDataSource<Int>()
    try await source.put(1, forId: 1)
    try await source.putAll([20, 21], forId: "list")
    try await source.putAll([3, 4], forIds: ["c", "d"])
    try await source.put(10, forId: 1)
    #expect(try await source.getAll(AllObjectsQuery()) == [10, 20, 21, 3, 4])
    #expect(try await source.getAll(["d", "x", "c", "list"]) == [4, 3])
    try await source.delete(IdsQuery(["c", "x"]))
    try await source.delete("list")
    try await source.delete("list")
    #expect(try await source.getAll(AllObjectsQuery()) == [10, 4])
    try await source.deleteAll(AllObjectsQuery())
    #expect(try await source.getAll(AllObjectsQuery()) == [])
  }

  @Test func `a put with different numbers of values and ids is refused`() async throws {
    let source = InMemoryDataSource<Int>()
    #expect(
      await text { try await source.putAll([1, 2], forIds: ["a"]) }
        == "2 values were passed for 1 ids")
    #expect(try await source.getAll(AllObjectsQuery()) == [])
  }

  @Test func `a put of two values under one id stores the last`() async throws {
    let memory = InMemoryDataSource<ItemEntity>()
    let (first, second) = (ItemEntity(id: "a", text: "1"), ItemEntity(id: "a", text: "2"))
    #expect(try await memory.putAll([first, second], forIds: ["a", "a"]) == [second, second])
    #expect(try await itemSource().putAll([first, second]) == [second, second])
  }

  @Test func `a list put with the query for all objects is the result of that query`() async throws
  {
    let source = InMemoryDataSource<Int>()
    try await source.put(1, forId: "a")
    try await source.putAll([3, 2], in: AllObjectsQuery())
    #expect(try await source.getAll(AllObjectsQuery()) == [3, 2])
    #expect(try await source.get("a") == 1)
    try await source.deleteAll(AllObjectsQuery())
    #expect(try await source.getAll(AllObjectsQuery()) == [])
  }

  @Test func `observers receive the values after each change`() async throws {
    let source = InMemoryDataSource<Int>()
    var all = source.observe(AllObjectsQuery()).makeAsyncIterator()
    var one = source.observe(IdQuery("a")).makeAsyncIterator()
    #expect(try await all.next() == [])
    #expect(try await one.next() == [])
    try await source.put(1, forId: "a")
    #expect(try await all.next() == [1])
    #expect(try await one.next() == [1])
    try await source.delete("a")
    #expect(try await all.next() == [])
    #expect(try await one.next() == [])
    #expect(
      await text { for try await _ in source.observe(UnheardQuery()) {} }
        == "InMemoryDataSource<Int> does not support 'observe' with UnheardQuery")
    let task = Task {
      for try await _ in source.observe(AllObjectsQuery()) {
        withUnsafeCurrentTask { $0?.cancel() }
      }
    }
    try await task.value
  }

  @Test func `a cancelled task does not change an in-memory source`() async throws {
    let source = InMemoryDataSource<Int>()
    let task = Task {
      withUnsafeCurrentTask { $0?.cancel() }
      return [
        await text { try await source.put(1, forId: 1) },
        await text { try await source.putAll([1], forId: 1) },
        await text { try await source.delete(1) }, await text { _ = try await source.get(1) },
      ]
    }
    #expect(await task.value == Array(repeating: "CancellationError()", count: 4))
    #expect(try await source.getAll(AllObjectsQuery()) == [])
  }

  // MARK: - Wrapped sources

  @Test func `a mapped source converts values in both directions`() async throws {
    let numbers = InMemoryDataSource<Int>()
    let texts = DataSourceMapper(
      dataSource: numbers,
      toInMapper: Mapper<String, Int> {
        guard let number = Int($0) else { throw TestError() }
        return number
      }, toOutMapper: Mapper<Int, String> { "\($0)" })
    #expect(try await texts.put("7", forId: "a") == "7")
    #expect(try await numbers.get("a") == 7)
    #expect(try await texts.get("a") == "7")
    #expect(try await texts.putAll(["1", "2"], forId: "l") == ["1", "2"])
    #expect(try await texts.getAll("l") == ["1", "2"])
    await #expect(throws: TestError()) { try await texts.putAll(["3", "x"], forId: "l") }
    #expect(try await numbers.getAll("l") == [1, 2])
    try await numbers.put(5, in: ObjectQuery(5))
    try await texts.delete(ObjectQuery("5"))
    #expect(await text { _ = try await numbers.get(ObjectQuery(5)) }.hasPrefix("nothing was"))
    try await texts.deleteAll(AllObjectsQuery())
    #expect(try await numbers.getAll(AllObjectsQuery()) == [])
  }

  @Test func `observing a wrapped source observes the underlying source`() async throws {
    let numbers = InMemoryDataSource<Int>()
    let texts = DataSourceMapper(
      dataSource: RetryDataSource(numbers),
      toInMapper: Mapper<String, Int> { _ in throw TestError() },
      toOutMapper: Mapper<Int, String> { number in
        if number < 0 { throw TestError() }
        return "\(number)"
      })
    var all = texts.observe(AllObjectsQuery()).makeAsyncIterator()
    #expect(try await all.next() == [])
    try await numbers.put(7, forId: "a")
    #expect(try await all.next() == ["7"])
    try await numbers.put(-1, forId: "a")
    await #expect(throws: TestError()) { try await all.next() }
    await #expect(throws: TestError()) {
      for try await _ in texts.observe(ObjectQuery("x")) {}
    }
    let task = Task {
      for try await _ in texts.observe(IdQuery("b")) { withUnsafeCurrentTask { $0?.cancel() } }
    }
    try await task.value
  }

  @Test func `a call is retried only after errors that the retry condition accepts`() async throws {
    let clock = ManualClock(skips: true)
    let flaky = FlakySource(failures: 2)
    let source = RetryDataSource(
      flaky, retry: Retry(attempts: 3, firstDelay: .seconds(1), jitter: 0, clock: clock)
    ) { $0 is TestError }
    #expect(try await source.get("a") == 3)
    #expect(clock.sleeps == [.seconds(1), .seconds(2)])
    let hopeless = RetryDataSource(
      FlakySource(failures: 9), retry: Retry(attempts: 3, clock: ManualClock(skips: true)))
    await #expect(throws: TestError(text: "3")) { try await hopeless.get("a") }
    let picky = RetryDataSource(FlakySource(failures: 2), retry: Retry(attempts: 3)) { _ in false }
    await #expect(throws: TestError(text: "1")) { try await picky.get("a") }
    let cancelled = FlakySource(failures: 1, error: CancellationError())
    await #expect(throws: CancellationError.self) {
      try await RetryDataSource(cancelled, retry: Retry(clock: clock)).get("a")
    }
    let unheard = RetryDataSource(InMemoryDataSource<Int>(), retry: Retry(clock: clock))
    #expect(
      await text { try await unheard.put(1) }
        == "InMemoryDataSource<Int> does not support 'put' with VoidQuery")
    #expect(clock.sleeps.count == 2)
  }

  @Test func `a repository of one source uses it for every operation`() async throws {
    let repository = SingleDataSourceRepository(InMemoryDataSource<Int>())
    try await repository.put(1, forId: "a", operation: .cacheSync)
    #expect(try await repository.get("a", operation: .main) == 1)
    try await repository.putAll([2, 3], forIds: ["b", "c"])
    #expect(try await repository.getAll(AllObjectsQuery()) == [1, 2, 3])
    try await repository.delete("a")
    var values = repository.observe(AllObjectsQuery()).makeAsyncIterator()
    #expect(try await values.next() == [2, 3])
    try await repository.deleteAll(AllObjectsQuery(), operation: .cache)
    #expect(try await values.next() == [])
  }

  @Test func `a repository is a data source that uses the default operation`() async throws {
    let main = MainSource()
    await main.set("a", 1)
    let repository = CacheRepository(main: main, cache: InMemoryDataSource<Int>())
    let source = DataSourceMapper(
      dataSource: RetryDataSource(repository), toInMapper: Mapper<String, Int> { $0.utf8.count },
      toOutMapper: Mapper<Int, String> { "\($0)" })
    #expect(try await source.get("a") == "1")
    #expect(try await source.get("a") == "1")
    #expect(try await source.put("abc", forId: "a") == "30")
    #expect(try await source.get("a") == "30")
    try await source.delete("a")
    #expect(await main.takeLog() == ["get a", "put a", "delete a"])
  }
}

/// A source that fails a number of times, and then returns the number of calls.
actor FlakySource: GetDataSource {
  private var failures: Int
  private var count = 0

  /// Thrown instead of an error with the number of the call.
  private let error: (any Error)?

  init(failures: Int, error: (any Error)? = nil) {
    self.failures = failures
    self.error = error
  }

  func get(_ query: some Query) throws -> Int {
    count += 1
    failures -= 1
    if failures >= 0 { throw error ?? TestError(text: "\(count)") }
    return count
  }

  func getAll(_ query: some Query) throws -> [Int] { [try get(query)] }
}

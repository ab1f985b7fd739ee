import DataSources
import Foundation
import TestSupport
import Testing

/// Unexpected behavior of servers, base URLs and clocks.
@Suite struct `Network data sources with unusual servers` {
  private static let apple = #"{"text":"apple","serverId":1}"#

  private func source(
    _ transport: any Transport, base: String = "http://server/api", path: NetworkPath = "items",
    retry: Retry = .never
  ) throws -> NetworkDataSource<ItemEntity> {
    NetworkDataSource(
      base: try #require(URL(string: base)), transport: transport,
      routes: [.get(VoidQuery.self) { _ in path }, .put(VoidQuery.self) { _ in path }],
      coding: .json(), retry: retry)
  }

  // MARK: - Paths

  @Test func `error messages omit the query string`() async throws {
    let transport = ScriptedTransport([.success(.init(200))])
    let path: NetworkPath = "items/\("")?token=\(verbatim: "SECRET")"
    #expect(
      await text { _ = try await source(transport, path: path).get(VoidQuery()) }
        == "invalid path 'items/': an id must not be empty, '.' or '..'")
    #expect(transport.requests.isEmpty)
  }

  @Test(arguments: [
    ("http://h/a?key=1", "items/a", "http://h/a/items/a?key=1"),
    ("http://h/a/?key=1&b=%20", "items?x=2", "http://h/a/items?key=1&b=%20&x=2"),
    ("http://h?key=1", "/items?x=2?y", "http://h/items?key=1&x=2?y"),
    ("http://h/a#top", "items", "http://h/a/items"),
    ("http://h/a?key=1#top", "items", "http://h/a/items?key=1"),
    ("http://h/a?", "items", "http://h/a/items"),
    ("http://h/a?key=1", "items#part", "http://h/a/items?key=1#part"),
    ("http://h///", "items", "http://h/items"),
  ])
  func `the query string of the base URL is part of each request`(
    base: String, path: String, expected: String
  ) async throws {
    let transport = ScriptedTransport([.success(.init(200, Self.apple))])
    let source = try source(transport, base: base, path: "\(verbatim: path)")
    _ = try await source.get(VoidQuery())
    #expect(transport.requests.map(\.url.absoluteString) == [expected])
  }

  // MARK: - Bodies

  @Test func `a partial response throws an error`() async throws {
    let transport = ScriptedTransport([
      .success(.init(206, Self.apple, ["ETag": "1"])), .success(.init(200, Self.apple)),
    ])
    let source = try source(transport)
    #expect(
      await text { _ = try await source.get(VoidQuery()) }
        == "GET /api/items: the server responded with status 206: \(Self.apple)")
    _ = try await source.get(VoidQuery())
    #expect(transport.requests.allSatisfy { $0.headers["If-None-Match"] == nil })
  }

  @Test func `a truncated body that cannot be decoded is not cached`() async throws {
    let transport = ScriptedTransport([
      .success(.init(200, String(Self.apple.dropLast(3)), ["ETag": "1"])),
      .success(.init(200, Self.apple, ["ETag": "1"])),
    ])
    let source = try source(transport)
    #expect(
      await text { _ = try await source.get(VoidQuery()) }
        .hasPrefix("GET /api/items: the response cannot be decoded: "))
    #expect(try await source.get(VoidQuery()).text == "apple")
    #expect(transport.requests.last?.headers["If-None-Match"] == nil)
  }

  @Test func `a huge body is read but not cached`() async throws {
    let huge = #"{"serverId":1,"text":""# + String(repeating: "x", count: 9 << 20) + #""}"#
    let transport = ScriptedTransport([.success(.init(200, huge, ["ETag": "1"]))])
    let source = try source(transport)
    for _ in 1...2 {
      #expect(try await source.get(VoidQuery()).text.utf8.count == 9 << 20)
    }
    #expect(transport.requests.last?.headers["If-None-Match"] == nil)
  }

  // MARK: - Retries

  @Test func `retry delays stay within bounds for all parameters`() {
    let delays: [(Retry, Int, Duration)] = [
      (Retry(firstDelay: .seconds(1e12), jitter: 0), .max, .seconds(30)),
      (
        Retry(firstDelay: .seconds(1e12), longestDelay: .seconds(1e20), jitter: 0), .max,
        .seconds(1 << 31)
      ),
      (Retry(firstDelay: .zero, jitter: 0), .max, .zero),
      (Retry(firstDelay: .seconds(-5), jitter: 0), 3, .zero),
      (Retry(firstDelay: .seconds(5), longestDelay: .seconds(-1), jitter: 0), 3, .zero),
      (Retry(firstDelay: .seconds(8), jitter: .nan) { 0.5 }, 1, .seconds(8)),
      (Retry(firstDelay: .seconds(8), jitter: 3) { 0.5 }, 1, .seconds(4)),
      (Retry(firstDelay: .seconds(8), jitter: -3) { 0.5 }, 1, .seconds(8)),
      (Retry(firstDelay: .seconds(8), jitter: 1) { .nan }, 1, .seconds(8)),
      (Retry(firstDelay: .seconds(8), jitter: 1) { 7 }, 1, .zero),
      (Retry(firstDelay: .seconds(8), jitter: 0), -1, .seconds(8)),
    ]
    for (index, (retry, count, delay)) in delays.enumerated() {
      #expect(retry.delay(afterFailures: count) == delay, "\(index)")
    }
  }

  @Test(arguments: [
    "99999999999", "99999999999999999999999999", "Fri, 31 Dec 9999 23:59:59 GMT",
  ])
  func `a Retry-After above the longest delay ends the retries`(
    retryAfter: String
  ) async throws {
    let clock = ManualClock(skips: true)
    let transport = ScriptedTransport([.success(.init(503, "", ["Retry-After": retryAfter]))])
    let source = try source(transport, retry: Retry(clock: clock))
    #expect(
      await text { _ = try await source.get(VoidQuery()) }
        == "GET /api/items: the server responded with status 503")
    #expect(clock.sleeps.isEmpty)
  }

  /// RFC 9110 §5.6.7 requires all three formats.
  @Test(arguments: [
    ("Sun, 06 Nov 1994 08:49:37 GMT", "Sun, 06 Nov 1994 08:49:30 GMT"),
    ("Sunday, 06-Nov-94 08:49:37 GMT", "Sunday, 06-Nov-94 08:49:30 GMT"),
    ("Sun Nov  6 08:49:37 1994", "Sun Nov  6 08:49:30 1994"),
    ("Wed Nov 16 08:49:37 1994", "Wed, 16 Nov 1994 08:49:30 GMT"),
  ])
  func `all three HTTP date formats are parsed`(retryAfter: String, date: String) async throws {
    let clock = ManualClock(skips: true)
    let transport = ScriptedTransport([
      .success(.init(503, "", ["Retry-After": retryAfter, "Date": date])),
      .success(.init(200, Self.apple)),
    ])
    _ = try await source(transport, retry: Retry(clock: clock)).get(VoidQuery())
    #expect(clock.sleeps == [.seconds(7)])
  }

  @Test func `a cancelled task throws CancellationError whatever the transport throws`()
    async throws
  {
    let transport = ScriptedTransport { _, _ in
      while !Task.isCancelled { await Task.yield() }
      throw URLError(.cancelled)
    }
    let source = try source(transport)
    let patient = RetryDataSource(source, retry: .never)
    for body: @Sendable () async throws -> ItemEntity in [
      { try await source.get(VoidQuery()) }, { try await patient.get(VoidQuery()) },
      { try await RetryDataSource(Cancelled(), retry: .never).get(VoidQuery()) },
    ] {
      let task = Task { try await body() }
      task.cancel()
      await #expect(throws: CancellationError.self) { try await task.value }
    }
    let closed = try self.source(ScriptedTransport([.failure(URLError(.cancelled))]))
    await #expect(throws: URLError(.cancelled)) { try await closed.get(VoidQuery()) }
  }

  struct Cancelled: GetDataSource {
    func get(_ query: some Query) async throws -> ItemEntity {
      while !Task.isCancelled { await Task.yield() }
      throw URLError(.cancelled)
    }
    func getAll(_ query: some Query) async throws -> [ItemEntity] { [try await get(query)] }
  }
}

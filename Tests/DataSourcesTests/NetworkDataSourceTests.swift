import Foundation
import TestSupport
import Testing

@testable import DataSources

@Suite struct `Network data sources` {
  private static let routes: [NetworkRequest.Route] = [
    .get(IdQuery<String>.self) { "items/\($0.id)" },
    .getAll(AllObjectsQuery.self) { _ in "items" },
    .put(IdQuery<String>.self) { "items/\($0.id)" },
    .put(VoidQuery.self, by: .post) { _ in "items" },
    .putAll(VoidQuery.self) { _ in "items" },
    .delete(IdQuery<String>.self) { "items/\($0.id)" },
  ]

  private func source(
    _ transport: any Transport, retry: Retry = .never, headers: NetworkResponse.Headers = [:],
    cacheByteLimit: Int = 10_000
  ) throws -> NetworkDataSource<ItemEntity> {
    NetworkDataSource(
      base: try nowhere(), transport: transport, routes: Self.routes, coding: .json(),
      headers: headers, retry: retry, cacheByteLimit: cacheByteLimit)
  }

  private static let apple = #"{"text":"apple","serverId":1}"#

  // MARK: - Requests and responses

  @Test func `a get sends the request of its route and decodes the response`() async throws {
    let transport = ScriptedTransport([.success(.init(200, Self.apple))])
    let source = try source(transport, headers: ["X-App": "tests"])
    #expect(try await source.get("a/b ?").text == "apple")
    let request = try #require(transport.requests.first)
    #expect(request.method == .get)
    #expect(request.url.absoluteString == "http://server/api/items/a%2Fb%20%3F")
    #expect(request.headers.fields == ["accept": "application/json", "x-app": "tests"])
    #expect(request.body == nil)
  }

  @Test func `a refused put throws the status and the body of the response`() async throws {
    let reason = #"{"message":"title is too long"}"#
    let source = try source(ScriptedTransport { _, _ in .init(422, reason) })
    let refusal = DataSourceError.badStatus(
      422, request: "PUT /api/items/a", body: Data(reason.utf8))
    await #expect(throws: refusal) { try await source.put(ItemEntity(text: "mine"), forId: "a") }
  }

  @Test func `a put returns the value in the response, or the sent value if there is none`()
    async throws
  {
    let transport = ScriptedTransport { request, _ in
      request.method == .post ? .init(201, Self.apple) : .init(204)
    }
    let source = try source(transport)
    #expect(try await source.put(ItemEntity(text: "mine")).text == "apple")
    #expect(try await source.put(ItemEntity(text: "mine"), forId: "a").text == "mine")
    #expect(try await source.putAll([ItemEntity(text: "l")]).map(\.text) == ["l"])
    try await source.delete("a")
    let requests = transport.requests
    #expect(
      requests.map { "\($0.method.rawValue) \($0.url.path)" } == [
        "POST /api/items", "PUT /api/items/a", "PUT /api/items", "DELETE /api/items/a",
      ])
    #expect(requests[0].headers["content-type"] == "application/json")
    let body = try #require(requests[0].body)
    #expect(try JSONDecoder().decode(ItemEntity.self, from: body) == ItemEntity(text: "mine"))
    #expect(requests[3].body == nil)
  }

  @Test(arguments: [
    (404, "nothing was found for IdQuery(a)"), (410, "nothing was found for IdQuery(a)"),
    (304, "GET /api/items/a: the server responded with status 304: <html>"),
    (401, "GET /api/items/a: the server responded with status 401: <html>"),
    (500, "GET /api/items/a: the server responded with status 500: <html>"),
  ])
  func `a response with an unsuccessful status throws an error`(status: Int, message: String)
    async throws
  {
    let source = try source(ScriptedTransport([.success(.init(status, "<html>"))]))
    #expect(await text { _ = try await source.get("a") } == message)
  }

  @Test func `deleting a missing value succeeds`() async throws {
    try await source(ScriptedTransport([.success(.init(404))])).delete("a")
    let refusing = try source(ScriptedTransport([.success(.init(403))]))
    #expect(
      await text { try await refusing.delete("a") }
        == "DELETE /api/items/a: the server responded with status 403")
  }

  @Test func `errors of the transport, the routes and the coding are thrown`() async throws {
    let failing = try source(ScriptedTransport([.failure(TestError())]))
    await #expect(throws: TestError()) { try await failing.get("a") }
    let silent = ScriptedTransport([.success(.init(200))])
    let source = NetworkDataSource<ItemEntity>(
      base: try nowhere(), transport: silent,
      routes: [
        .get(IdQuery<String>.self) { _ in throw TestError() },
        .put(VoidQuery.self) { _ in "items" },
        .getAll(VoidQuery.self) { _ in "items" },
      ],
      coding: .init(decode: { _ in ItemEntity() }, decodeAll: { _ in throw TestError() }))
    await #expect(throws: TestError()) { try await source.get("a") }
    #expect(
      await text { try await source.put(ItemEntity()) }
        == "the coding of ItemEntity has no closures for encoding")
    #expect(silent.requests.isEmpty)
    #expect(
      await text { _ = try await source.getAll(VoidQuery()) }
        == #"GET /api/items: the response cannot be decoded: TestError(text: "no")"#)
    let html = try self.source(ScriptedTransport([.success(.init(200, "<html>"))]))
    #expect(
      await text { _ = try await html.get("a") }
        .hasPrefix("GET /api/items/a: the response cannot be decoded: "))
  }

  // MARK: - Paths

  @Test(
    arguments: [
      ("items/\("a/b")", "items/a%2Fb"),
      ("items/\(7)/notes", "items/7/notes"),
      ("items?text=\("a&b=c")&n=\("")", "items?text=a%26b%3Dc&n="),
      ("items/\("ä…\u{0}")", "items/%C3%A4%E2%80%A6%00"),
      ("items/\(PlaceCode(rawValue: -7))", "items/-7"),
      ("/items/\(verbatim: "a/b?c")", "items/a/b?c"),
      ("items/\("...")", "items/..."),
    ] as [(NetworkPath, String)])
  func `interpolated values are percent-encoded in paths`(path: NetworkPath, expected: String)
    async throws
  {
    let transport = ScriptedTransport([.success(.init(200, Self.apple))])
    let source = NetworkDataSource<ItemEntity>(
      base: try nowhere(), transport: transport, routes: [.get(VoidQuery.self) { _ in path }],
      coding: .json())
    _ = try await source.get(VoidQuery())
    #expect(transport.requests.map(\.url.absoluteString) == ["http://server/api/" + expected])
  }

  /// `DELETE /items/` would delete more than the item with an empty id.
  @Test(arguments: ["", ".", ".."])
  func `an id that would change the path is not sent`(id: String) async throws {
    let transport = ScriptedTransport([.success(.init(200))])
    let source = try source(transport)
    let message = await text { try await source.delete(id) }
    #expect(
      message
        == "invalid path 'items/\(id)': an id must not be empty, '.' or '..'")
    #expect(transport.requests.isEmpty)
  }

  // MARK: - ETags

  @Test func `a cached response is revalidated by its ETag`() async throws {
    let transport = ScriptedTransport { request, _ in
      request.headers["If-None-Match"] == #""v1""#
        ? .init(304) : .init(200, Self.apple, ["etag": #""v1""#])
    }
    let source = try source(transport)
    for _ in 1...3 { #expect(try await source.get("a").text == "apple") }
    #expect(
      transport.requests.map { $0.headers["If-None-Match"] } == [nil, #""v1""#, #""v1""#])
    _ = try await source.get("b")
    #expect(transport.requests.last?.headers["If-None-Match"] == nil)
  }

  @Test func `a changed response replaces the cached one`() async throws {
    let transport = ScriptedTransport([
      .success(.init(200, Self.apple, ["ETag": "1"])),
      .success(.init(200, #"{"text":"pear","serverId":1}"#, ["ETag": "2"])),
      .success(.init(304)),
      .success(.init(200, Self.apple, ["ETag": "3", "Cache-Control": "private, No-Store"])),
      .success(.init(200, Self.apple)),
    ])
    let source = try source(transport)
    var texts: [String] = []
    for _ in 1...5 { texts.append(try await source.get("a").text) }
    #expect(texts == ["apple", "pear", "pear", "apple", "apple"])
    #expect(transport.requests.map { $0.headers["If-None-Match"] } == [nil, "1", "2", "2", nil])
  }

  @Test func `a full response cache evicts the least recently used response`()
    async throws
  {
    let transport = ScriptedTransport { request, _ in
      request.headers["If-None-Match"] != nil ? .init(304) : .init(200, Self.apple, ["ETag": "1"])
    }
    // The capacity of two responses with their tags and URLs.
    let size =
      ResponseCache.overhead + Self.apple.utf8.count + 1 + "http://server/api/items/a".utf8.count
    let source = try source(transport, cacheByteLimit: 2 * size)
    for id in ["a", "b", "a", "c", "a", "c", "b"] { _ = try await source.get(id) }
    #expect(
      transport.requests.map { $0.headers["If-None-Match"] != nil }
        == [false, false, true, false, true, true, false])
    let none = ScriptedTransport([.success(.init(200, Self.apple, ["ETag": "1"]))])
    let forgetful = try self.source(none, cacheByteLimit: 0)
    for _ in 1...2 { _ = try await forgetful.get("a") }
    #expect(none.requests.allSatisfy { $0.headers["If-None-Match"] == nil })
  }

  /// The byte limit bounds the allocated memory, so the overhead counts even for small responses.
  @Test func `the response cache counts the overhead of small responses`() async throws {
    let transport = ScriptedTransport { request, _ in
      request.headers["If-None-Match"] != nil ? .init(304) : .init(200, Self.apple, ["ETag": "1"])
    }
    let source = try source(transport, cacheByteLimit: 100_000)
    for id in 1...1000 { _ = try await source.get("\(id)") }
    for id in (1...1000).reversed() { _ = try await source.get("\(id)") }
    let keptCount = transport.requests.count { $0.headers["If-None-Match"] != nil }
    #expect((100...200).contains(keptCount), "\(keptCount)")
  }

  // MARK: - Retries

  private func retry(_ clock: ManualClock, attempts: Int = 4) -> Retry {
    Retry(
      attempts: attempts, firstDelay: .seconds(1), longestDelay: .seconds(10), jitter: 0,
      clock: clock)
  }

  @Test func `retry delays double up to the longest, minus the jitter`() {
    let exact = Retry(firstDelay: .seconds(1), longestDelay: .seconds(10), jitter: 0)
    #expect(
      (1...6).map { exact.delay(afterFailures: $0) }
        == [.seconds(1), .seconds(2), .seconds(4), .seconds(8), .seconds(10), .seconds(10)])
    #expect(exact.delay(afterFailures: .max) == .seconds(10))
    let random = Retry(firstDelay: .seconds(8), longestDelay: .seconds(10), jitter: 0.5) { 0.5 }
    #expect(random.delay(afterFailures: 1) == .seconds(6))
    let real = Retry(firstDelay: .seconds(8), jitter: 0.25)
    #expect((.seconds(6)...(.seconds(8))).contains(real.delay(afterFailures: 1)))
  }

  @Test(arguments: [429, 503, 408, 500, 502, 504])
  func `a request that ends with a temporary error status is retried`(status: Int) async throws {
    let clock = ManualClock(skips: true)
    let transport = ScriptedTransport([
      .success(.init(status)), .success(.init(status)), .success(.init(200, Self.apple)),
    ])
    let source = try source(transport, retry: retry(clock))
    #expect(try await source.get("a").text == "apple")
    #expect(clock.sleeps == [.seconds(1), .seconds(2)])
  }

  @Test func `a request to an unreachable server is retried until the attempts are used up`()
    async throws
  {
    let clock = ManualClock(skips: true)
    let transport = ScriptedTransport([.failure(URLError(.networkConnectionLost))])
    let source = try source(transport, retry: retry(clock))
    await #expect(throws: URLError(.networkConnectionLost)) { try await source.get("a") }
    #expect(clock.sleeps == [.seconds(1), .seconds(2), .seconds(4)])
    #expect(transport.requests.count == 4)
  }

  @Test(arguments: [400, 401, 403, 404, 409, 501])
  func `a permanent error status is not retried`(status: Int) async throws {
    let clock = ManualClock(skips: true)
    let transport = ScriptedTransport([.success(.init(status))])
    let source = try source(transport, retry: retry(clock))
    _ = try? await source.get("a")
    #expect(transport.requests.count == 1)
  }

  /// A request that may have been executed is not repeated.
  @Test func `a POST is retried only if the server did not process it`() async throws {
    let clock = ManualClock(skips: true)
    let lost = ScriptedTransport([.failure(URLError(.networkConnectionLost))])
    _ = try? await source(lost, retry: retry(clock)).put(ItemEntity())
    #expect(lost.requests.count == 1)
    let broken = ScriptedTransport([.success(.init(500))])
    _ = try? await source(broken, retry: retry(clock)).put(ItemEntity())
    #expect(broken.requests.count == 1)
    let busy = ScriptedTransport([.success(.init(503)), .success(.init(204))])
    try await source(busy, retry: retry(clock)).put(ItemEntity())
    #expect(busy.requests.count == 2)
    let put = ScriptedTransport([.failure(URLError(.timedOut)), .success(.init(204))])
    try await source(put, retry: retry(clock)).put(ItemEntity(), forId: "a")
    #expect(put.requests.count == 2)
  }

  @Test(
    arguments: [
      (["Retry-After": "7"], .seconds(7)), (["Retry-After": "0"], .zero),
      (["Retry-After": "soon"], .seconds(1)), (["Retry-After": "-5"], .zero),
      (
        [
          "Retry-After": "Fri, 31 Dec 1999 23:59:59 GMT", "Date": "Fri, 31 Dec 1999 23:59:51 GMT",
        ], .seconds(8)
      ),
      (["Retry-After": "Fri, 31 Dec 1999 23:59:59 GMT"], .zero),
    ] as [(NetworkResponse.Headers, Duration)])
  func `a retry waits for the delay in Retry-After`(
    headers: NetworkResponse.Headers, delay: Duration
  )
    async throws
  {
    let clock = ManualClock(skips: true)
    let transport = ScriptedTransport([
      .success(.init(503, "", headers)), .success(.init(200, Self.apple)),
    ])
    _ = try await source(transport, retry: retry(clock)).get("a")
    #expect(clock.sleeps == [delay])
  }

  @Test func `a response whose Retry-After exceeds the longest delay is not retried`() async throws
  {
    let clock = ManualClock(skips: true)
    let transport = ScriptedTransport([.success(.init(503, "", ["Retry-After": "11"]))])
    let source = try source(transport, retry: retry(clock))
    #expect(
      await text { _ = try await source.get("a") }
        == "GET /api/items/a: the server responded with status 503")
    #expect(clock.sleeps.isEmpty)
  }

  @Test func `cancelling a task ends its retry delay`() async throws {
    let clock = ManualClock()
    let transport = ScriptedTransport([.success(.init(503))])
    let source = try source(transport, retry: retry(clock))
    let task = Task { try await source.get("a") }
    await waitUntil { clock.sleeperCount == 1 }
    task.cancel()
    await #expect(throws: CancellationError.self) { try await task.value }
    #expect(transport.requests.count == 1)

    let waiting = Task { try await source.get("a") }
    await waitUntil { clock.sleeperCount == 1 }
    #expect(transport.requests.count == 2)
    clock.advance(by: .seconds(1))
    await waitUntil { transport.requests.count == 3 }
    waiting.cancel()
    _ = await waiting.result
  }
}

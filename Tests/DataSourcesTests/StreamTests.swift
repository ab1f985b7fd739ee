import Foundation
import LoopbackServer
import ObjectStore
import StoreCoding
import Synchronization
import TestSupport
import Testing

@testable import DataSources

#if canImport(FoundationNetworking)
  import FoundationNetworking
#endif

/// Responses that are read while they arrive.
@Suite struct `Streams of a network data source` {
  final class Order: Object {
    @Persisted(primaryKey: true) var id = 0
    @Persisted var total = 0.0
  }

  /// A transport whose requests do not time out while the tests are slow.
  private static let patient: URLSessionTransport = {
    let configuration = URLSessionConfiguration.default
    configuration.timeoutIntervalForRequest = 3_600
    return URLSessionTransport(session: URLSession(configuration: configuration))
  }()

  private func source(
    _ url: URL, _ transport: any Transport = patient, retry: Retry = .never
  ) -> NetworkDataSource<Place> {
    NetworkDataSource(
      base: url, transport: transport, routes: [.getAll(AllObjectsQuery.self) { _ in "orders" }],
      coding: .json(), retry: retry)
  }

  private static func orders(_ ids: Range<Int>) -> String {
    ids.map { #"{"id": \#($0), "total": \#($0).5}"# }.joined(separator: ",")
  }

  // MARK: - Over sockets

  @Test func `a list of 10,000 objects is read in batches while it arrives`() async throws {
    let readCount = Mutex(0)
    let server = try LoopbackServer { _, response in
      response.begin()
      _ = response.send("[" + Self.orders(0..<2_500))
      // The rest is sent after the first batch was read.
      while readCount.withLock({ $0 }) == 0 { usleep(1_000) }
      for start in stride(from: 2_500, to: 10_000, by: 100) {
        _ = response.send("," + Self.orders(start..<(start + 100)))
      }
      _ = response.send("]")
      response.end()
    }
    let store = try Store(isolation: nil)
    let coder = StoreCoder(store: store)
    let response = try await source(server.url).stream(AllObjectsQuery())
    #expect(response.status == 200)
    #expect(response.byteCount == nil)
    var sizes: [Int] = []
    for try await batch in coder.batches(of: Order.self, from: response.chunks) {
      sizes.append(batch.objects.count)
      readCount.withLock { $0 += 1 }
    }
    #expect(sizes == Array(repeating: 1_000, count: 10))
    #expect(store.objects(Order.self).sum(of: \.id) == 49_995_000)
    #expect(server.requests.map(\.url.path) == ["/api/orders"])
    #expect(server.requests[0].headers["Accept"] == "application/json")
  }

  @Test func `the length of a response is known before its body`() async throws {
    let text = "[\(Self.orders(0..<10))]"
    let server = try LoopbackServer { _ in .init(200, text) }
    let coder = StoreCoder(store: try Store(isolation: nil))
    let response = try await source(server.url).stream(AllObjectsQuery())
    #expect(response.byteCount == text.utf8.count)
    let summary = try await coder.readAll([Order].self, from: response.chunks)
    #expect(summary.inserted == 10)
    #expect(summary.byteCount == text.utf8.count)
  }

  @Test func `cancelling the task in the middle of a body ends the request`() async throws {
    let isDisconnected = Mutex(false)
    let server = try LoopbackServer { _, response in
      response.begin()
      guard response.send("[" + Self.orders(0..<1_500)) else { return }
      // Until the client disconnects.
      while response.send(" ") { usleep(1_000) }
      isDisconnected.withLock { $0 = true }
    }
    let batchCount = Mutex(0)
    let source = source(server.url)
    let task = Task {
      let coder = StoreCoder(store: try Store(isolation: nil))
      let response = try await source.stream(AllObjectsQuery())
      for try await _ in coder.batches(of: Order.self, from: response.chunks) {
        batchCount.withLock { $0 += 1 }
      }
    }
    await waitUntil { batchCount.withLock { $0 } == 1 }
    task.cancel()
    await #expect(throws: CancellationError.self) { try await task.value }
    await waitUntil { isDisconnected.withLock { $0 } }
    #expect(batchCount.withLock { $0 } == 1)
  }

  @Test func `leaving the loop ends the request`() async throws {
    let isDisconnected = Mutex(false)
    let server = try LoopbackServer { _, response in
      response.begin()
      while response.send("x") { usleep(1_000) }
      isDisconnected.withLock { $0 = true }
    }
    func readFirst() async throws -> Data? {
      let response = try await source(server.url).stream(AllObjectsQuery())
      for try await chunk in response.chunks { return chunk }
      return nil
    }
    #expect(try await readFirst()?.first == UInt8(ascii: "x"))
    await waitUntil { isDisconnected.withLock { $0 } }
  }

  @Test func `a request whose header does not arrive can be cancelled`() async throws {
    let server = try LoopbackServer { _ in nil }
    let source = source(server.url)
    let task = Task { try await source.stream(AllObjectsQuery()).status }
    await waitUntil { server.requests.count == 1 }
    task.cancel()
    await #expect(throws: CancellationError.self) { try await task.value }
  }

  @Test func `an error status is thrown before the first batch`() async throws {
    let status = Mutex(500)
    let server = try LoopbackServer { _ in
      .init(status.withLock { $0 }, String(repeating: "no ", count: 500_000))
    }
    let source = source(server.url)
    do {
      _ = try await source.stream(AllObjectsQuery())
      Issue.record("the status was accepted")
    } catch DataSourceError.badStatus(500, "GET /api/orders", let body) {
      #expect(body.count == 1 << 20)
    }
    status.withLock { $0 = 404 }
    #expect(
      await text { _ = try await source.stream(AllObjectsQuery()) }
        == "nothing was found for AllObjectsQuery")
    status.withLock { $0 = 206 }
    let problem = await text { _ = try await source.stream(AllObjectsQuery()) }
    #expect(
      problem.hasPrefix("GET /api/orders: the server responded with status 206: no no "))
  }

  @Test func `a truncated body is an error after the complete batches`() async throws {
    let server = try LoopbackServer { _, response in
      response.begin()
      _ = response.send("[" + Self.orders(0..<2_100))
    }
    let store = try Store(isolation: nil)
    let coder = StoreCoder(store: store)
    let response = try await source(server.url).stream(AllObjectsQuery())
    await #expect(throws: URLError.self) {
      try await coder.readAll([Order].self, from: response.chunks)
    }
    #expect(store.objects(Order.self).count == 2_000)
  }

  @Test func `a syntax error after the first batch has its position in the body`() async throws {
    let server = try LoopbackServer { _, response in
      response.begin()
      _ = response.send("[" + Self.orders(0..<1_200) + ",\n" + #"{"id": 1200, "total": x}"#)
      _ = response.send("]" + String(repeating: " ", count: 200))
      response.end()
    }
    let store = try Store(isolation: nil)
    let coder = StoreCoder(store: store)
    let response = try await source(server.url).stream(AllObjectsQuery())
    let problem = await text {
      _ = try await coder.readAll([Order].self, from: response.chunks)
    }
    #expect(
      problem == """
        [1200].total (id 1200): expected a JSON value, found "x" at line 2, column 23; \
        the first 1000 elements were applied
        """)
    #expect(store.objects(Order.self).count == 1_000)
  }

  @Test func `an unreachable server throws URLError`() async throws {
    let server = try LoopbackServer { _ in .init(200) }
    server.stop()
    await #expect(throws: URLError.self) {
      try await source(server.url).stream(AllObjectsQuery())
    }
  }

  @Test func `a body that is read slowly is complete`() async throws {
    let block = String(repeating: "0123456789abcdef", count: 1 << 14)
    let isSent = Mutex(false)
    let server = try LoopbackServer { _, response in
      response.begin()
      for _ in 0..<20 { _ = response.send(block) }
      response.end()
      isSent.withLock { $0 = true }
    }
    let response = try await source(server.url).stream(AllObjectsQuery())
    // 5 MiB, more than is kept in memory.
    await waitUntil { isSent.withLock { $0 } }
    var body = Data()
    for try await chunk in response.chunks { body += chunk }
    #expect(body == Data(String(repeating: block, count: 20).utf8))
  }

  // MARK: - Other transports

  @Test func `a transport without streams delivers the body as one chunk`() async throws {
    let transport = ScriptedTransport([
      .success(.init(200, "[1,2]", ["Content-Length": "5"])), .success(.init(204)),
    ])
    let source = source(try nowhere(), transport)
    for expected in [["[1,2]"], []] {
      var chunks: [String] = []
      for try await chunk in try await source.stream(AllObjectsQuery()).chunks {
        chunks.append(String(decoding: chunk, as: UTF8.self))
      }
      #expect(chunks == expected)
    }
  }

  @Test func `a busy server is asked again before a stream begins`() async throws {
    let clock = ManualClock(skips: true)
    let transport = ScriptedTransport([
      .failure(URLError(.networkConnectionLost)), .success(.init(503, "", ["Retry-After": "20"])),
      .success(.init(200, "[]")),
    ])
    let source = source(
      try nowhere(), transport,
      retry: Retry(attempts: 3, firstDelay: .seconds(1), jitter: 0, clock: clock))
    #expect(try await source.stream(AllObjectsQuery()).status == 200)
    #expect(clock.sleeps == [.seconds(1), .seconds(20)])
  }

  @Test func `a query without a route is not supported`() async throws {
    let problem = await text { _ = try await source(try nowhere()).stream(IdQuery(7)) }
    #expect(
      problem
        == "NetworkDataSource<Place> does not support 'getAll' with IdQuery<Int>(7)")
  }

  @Test(
    arguments: [
      (["Content-Length": "12"], 12), ([:], nil), (["Content-Length": "-1"], nil),
      (["Content-Length": "12", "Content-Encoding": "gzip"], nil),
    ] as [(NetworkResponse.Headers, Int?)])
  func `the size of a compressed or unspecified body is unknown`(
    headers: NetworkResponse.Headers, byteCount: Int?
  ) {
    #expect(NetworkResponse.Stream(.init(status: 200, headers: headers)).byteCount == byteCount)
  }

  @Test func `unread bytes are returned in the order of arrival`() throws {
    var spool = BodySpool()
    var random = SeededRandom(seed: 5)
    var (sent, read) = (Data(), Data())
    for round in 0..<200 {
      let isFilling = round / 20 % 2 == 0
      for _ in 0..<(isFilling ? 4 : 1) {
        let part = Data(repeating: UInt8(round), count: random.below(1 << 17))
        try spool.append(part)
        sent += part
      }
      for _ in 0..<(isFilling ? 1 : 20) { try read += spool.next() ?? Data() }
    }
    while let chunk = try spool.next() { read += chunk }
    #expect(spool.isEmpty)
    #expect(read == sent)
  }
}

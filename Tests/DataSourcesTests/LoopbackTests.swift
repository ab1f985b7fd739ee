import DataSources
import Foundation
import LoopbackServer
import ObjectStore
import StoreCoding
import TestSupport
import Testing

#if canImport(FoundationNetworking)
  import FoundationNetworking
#endif

/// Requests over real sockets.
@Suite struct `The loopback server` {
  private func source(_ server: LoopbackServer, retry: Retry = .never) -> NetworkDataSource<Place> {
    NetworkDataSource(
      base: server.url,
      routes: [
        .get(IdQuery<Int>.self) { "places/\($0.id)" },
        .getAll(AllObjectsQuery.self) { _ in "places?order=\("name & code")" },
        .put(IdQuery<Int>.self) { "places/\($0.id)" },
        .delete(IdQuery<Int>.self) { "places/\($0.id)" },
      ], coding: .json(), retry: retry)
  }

  @Test func `values are sent and received over sockets`() async throws {
    let server = try LoopbackServer { request in
      switch (request.method, request.url.path) {
      case (.get, "/api/places"): .init(200, #"[{"code":7,"name":"Barn"}]"#)
      case (.put, "/api/places/7"): .init(status: 200, body: request.body ?? Data())
      case (.delete, _): .init(204)
      default: .init(404)
      }
    }
    let source = source(server)
    #expect(try await source.getAll(AllObjectsQuery()) == [Place(code: 7, name: "Barn")])
    let mill = Place(code: 7, name: "Mühle")
    #expect(try await source.put(mill, forId: 7) == mill)
    try await source.delete(7)
    #expect(await text { _ = try await source.get(9) } == "nothing was found for IdQuery(9)")
    #expect(
      server.requests.map { "\($0.method.rawValue) \($0.url)" } == [
        "GET /api/places?order=name%20%26%20code", "PUT /api/places/7", "DELETE /api/places/7",
        "GET /api/places/9",
      ])
    #expect(server.requests[1].headers["Content-Type"] == "application/json")
  }

  @Test func `a refused put has the body of the response, from which a rejection is read`()
    async throws
  {
    let server = try LoopbackServer { _ in
      .init(422, #"{"message":"Not saved","errors":{"name":["is taken","is rude"]}}"#)
    }
    do {
      _ = try await source(server).put(Place(code: 7, name: "Barn"), forId: 7)
      Issue.record("the status was accepted")
    } catch DataSourceError.badStatus(422, "PUT /api/places/7", let body) {
      let rejection = StoreCoder(store: try Store(isolation: nil))
        .rejection(of: PlaceObject.self, in: body)
      #expect(rejection.general == ["Not saved"])
      #expect(rejection[\PlaceObject.name] == ["is taken", "is rude"])
    }
  }

  @Test(arguments: [(0, 0), (1 << 20, 1 << 20), (1_500_000, 1 << 20)])
  func `an error has at most one mebibyte of the body of the response`(
    byteCount: Int, keptCount: Int
  ) async throws {
    let server = try LoopbackServer { _ in .init(422, String(repeating: "x", count: byteCount)) }
    do {
      try await source(server).delete(7)
      Issue.record("the status was accepted")
    } catch DataSourceError.badStatus(422, "DELETE /api/places/7", let body) {
      #expect(body == Data(repeating: UInt8(ascii: "x"), count: keptCount))
    }
  }

  @Test func `a response over a socket is revalidated by its ETag`() async throws {
    let server = try LoopbackServer { request in
      request.headers["If-None-Match"] == #""7""#
        ? .init(304) : .init(200, #"{"code":7,"name":"Barn"}"#, ["ETag": #""7""#])
    }
    let source = source(server)
    for _ in 1...3 { #expect(try await source.get(7).name == "Barn") }
    #expect(server.requests.map { $0.headers["If-None-Match"] } == [nil, #""7""#, #""7""#])
  }

  @Test func `a request over a socket is retried after the delay of Retry-After`() async throws {
    let clock = ManualClock(skips: true)
    let seen = SeenCount()
    let server = try LoopbackServer { _ in
      seen.next() < 3
        ? .init(503, "", ["Retry-After": "20"]) : .init(200, #"{"code":7,"name":"Barn"}"#)
    }
    let source = source(server, retry: Retry(attempts: 3, clock: clock))
    #expect(try await source.get(7).code == 7)
    #expect(clock.sleeps == [.seconds(20), .seconds(20)])
  }

  @Test func `a request to an unresponsive server can be cancelled`() async throws {
    let server = try LoopbackServer { _ in nil }
    let source = source(server)
    let task = Task { try await source.get(7) }
    await waitUntil { server.requests.count == 1 }
    task.cancel()
    await #expect(throws: CancellationError.self) { try await task.value }
  }

  @Test func `a server that closes unanswered connections ends a request without a response`()
    async throws
  {
    let server = try LoopbackServer(unanswered: .closed) { _ in nil }
    let error = await #expect(throws: URLError.self) { try await source(server).get(7) }
    #expect(error?.code != .timedOut)
    #expect(!server.requests.isEmpty)
  }

  @Test(arguments: [
    ("TRACE / HTTP/1.1\r\n\r\n", "HTTP/1.1 501"), ("nonsense\r\n\r\n", "HTTP/1.1 400"),
    ("GET / HTTP/1.1\r\nX: \(String(repeating: "a", count: 70_000))", "HTTP/1.1 431"),
    ("POST / HTTP/1.1\r\nContent-Length: 9\r\n\r\n", "HTTP/1.1 413"),
    ("POST / HTTP/1.1\r\nContent-Length: -1\r\n\r\n", "HTTP/1.1 400"),
    ("POST / HTTP/1.1\r\nContent-Length: 8\r\n\r\n12", ""),
    ("GET / HTTP/1.1\r\n\r\n", "HTTP/1.1 200"),
  ]) func `a server refuses requests that are invalid, too large or never end`(
    request: String, answer: String
  ) throws {
    let server = try LoopbackServer(
      limits: LoopbackServer.Limits(bodyByteCount: 8, idleMilliseconds: 50),
      handler: { _ in .init(200) })
    #if canImport(Darwin)
      let stream = SOCK_STREAM
    #else
      let stream = Int32(SOCK_STREAM.rawValue)
    #endif
    let client = socket(AF_INET, stream, 0)
    defer { close(client) }
    var address = sockaddr_in()
    address.sin_family = sa_family_t(AF_INET)
    address.sin_port = server.port.bigEndian
    address.sin_addr.s_addr = UInt32(0x7f00_0001).bigEndian
    let isConnected = withUnsafePointer(to: &address) { pointer in
      pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) {
        connect(client, $0, socklen_t(MemoryLayout<sockaddr_in>.size)) == 0
      }
    }
    try #require(isConnected)
    let bytes = Array(request.utf8)
    #expect(send(client, bytes, bytes.count, 0) == bytes.count)
    var received = [UInt8](repeating: 0, count: 12)
    let count = recv(client, &received, received.count, 0)
    #expect(String(decoding: received.prefix(max(0, count)), as: UTF8.self) == answer)
  }

  @Test func `a request to an unreachable server throws URLError`() async throws {
    var server: LoopbackServer? = try LoopbackServer { _ in .init(200) }
    let source = source(try #require(server))
    server = nil
    await #expect(throws: URLError.self) { try await source.get(7) }
  }

  @Test func `another server can use the port of a stopped server`() async throws {
    let first = try LoopbackServer { _ in .init(200, #"{"code":7,"name":"Barn"}"#) }
    let source = source(first)
    #expect(try await source.get(7).name == "Barn")
    #expect(throws: POSIXError(.EADDRINUSE)) {
      try LoopbackServer(port: first.port) { _ in nil }
    }
    first.stop()
    await #expect(throws: URLError.self) { try await source.get(7) }
    first.stop()
    for _ in 1...20 { try LoopbackServer(port: first.port) { _ in nil }.stop() }
    let second = try LoopbackServer(port: first.port) { _ in
      .init(200, #"{"code":7,"name":"Mill"}"#)
    }
    #expect(try await source.get(7).name == "Mill")
    #expect(first.requests.count == 1 && second.requests.count == 1)
  }

  #if os(Linux)
    /// A child process has such a copy between its fork and the start of its program.
    @Test func `a copy of the socket does not keep the port of a stopped server in use`() throws {
      let server = try LoopbackServer { _ in nil }
      let copies = (3..<Int32(4096)).filter { Self.port(of: $0) == server.port }.map { dup($0) }
      defer { for copy in copies { close(copy) } }
      #expect(copies.count == 1)
      server.stop()
      _ = try LoopbackServer(port: server.port) { _ in nil }
    }

    private static func port(of socket: Int32) -> UInt16? {
      var address = sockaddr_in()
      var length = socklen_t(MemoryLayout<sockaddr_in>.size)
      let isSocket = withUnsafeMutablePointer(to: &address) { pointer in
        pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) { address in
          getsockname(socket, address, &length) == 0
        }
      }
      let isInternet = address.sin_family == sa_family_t(AF_INET)
      return isSocket && isInternet ? UInt16(bigEndian: address.sin_port) : nil
    }
  #endif

  @Test func `stopping a server ends pending requests without a response`() async throws {
    let server = try LoopbackServer { _ in nil }
    let source = source(server)
    let task = Task { try await source.get(7) }
    await waitUntil { server.requests.count == 1 }
    server.stop()
    let error = await #expect(throws: URLError.self) { try await task.value }
    #expect(error?.code != .timedOut)
  }
}

import DataSources
import Foundation
import LoopbackServer
import ObjectStore
import Synchronization
import TestSupport
import Testing

#if canImport(FoundationNetworking)
  import FoundationNetworking
#endif

@Suite struct `Faults of the resource server` {
  static let faults: [(Fault, String, Bool)] = [
    (.none, #"200 {"id":7,"legs":4,"name":"Bella"}"#, true),
    (.lostRequest, "none", false),
    (.lostResponse, "none", true),
    (.status(503), "503", false),
    (.delayed(milliseconds: 1), #"200 {"id":7,"legs":4,"name":"Bella"}"#, true),
    (.staleResponse, #"200 {"id":7,"legs":4,"name":"Bella"}"#, true),
  ]

  @Test(arguments: faults)
  func `a fault affects the next request only`(fault: Fault, expected: String, isApplied: Bool) {
    let server = ResourceServer.farms()
    server.script([fault])
    #expect(server.queuedFaultCount == 1)
    #expect(server.request("PATCH animals/7", #"{"legs":4}"#).line == expected)
    #expect(server.changes.count == (isApplied ? 1 : 0))
    #expect(server.resources["animals"]?[7]?["legs"] == (isApplied ? 4 : JSONValue?.none))
    #expect(server.queuedFaultCount == 0)
    #expect(server.request("GET farms/1").line == #"200 {"id":1,"name":"Hill"}"#)
    #expect(server.requestCount == 2)
  }

  @Test func `a scripted status has the requested delay before a retry`() {
    let server = ResourceServer.farms()
    server.script([.status(503, retryAfterSeconds: 20), .status(429)])
    #expect(server.request("GET animals")?.headers == ["Retry-After": "20"])
    #expect(server.request("GET animals")?.headers == [:])
  }

  @Test func `a delayed response arrives after the delay`() throws {
    let server = ResourceServer.farms()
    server.script([.delayed(milliseconds: 3_600_000), .delayed(milliseconds: 20)])
    let request = try #require(NetworkRequest("GET animals/7"))
    #expect(server.exchange(request).delayMilliseconds == 3_600_000)
    let duration = ContinuousClock().measure { _ = server.respond(to: request) }
    #expect(duration >= .milliseconds(20))
  }

  // MARK: - Stale responses

  @Test func `a stale response has the state before the last change of its collection`() {
    let server = ResourceServer.farms()
    let tags = (server.tag("animals"), server.tag("animals/7"))
    _ = server.request("PATCH animals/7", #"{"name":"Rosa"}"#)
    server.set([:], id: 5, in: "farms")
    server.script([.staleResponse, .staleResponse, .none])
    let (list, bella) = (server.request("GET animals"), server.request("GET animals/7"))
    #expect(list.line == #"200 [{"id":7,"name":"Bella"}]"#)
    #expect(bella.line == #"200 {"id":7,"name":"Bella"}"#)
    #expect((list?.headers["ETag"], bella?.headers["ETag"]) == tags)
    #expect(server.request("GET animals/7").line == #"200 {"id":7,"name":"Rosa"}"#)
  }

  @Test(arguments: [
    ("POST animals", #"{"id":9}"#, "GET animals/9", "404"),
    ("PUT animals/8", "{}", "GET animals/8", "410"),
    ("DELETE animals/7", nil, "GET animals/7", #"200 {"id":7,"name":"Bella"}"#),
    ("DELETE animals/7", nil, "GET animals", #"200 [{"id":7,"name":"Bella"}]"#),
  ])
  func `a stale response precedes a creation or deletion`(
    change: String, body: String?, line: String, expected: String
  ) {
    let server = ResourceServer.farms()
    #expect(server.request(change, body) != nil)
    server.script([.staleResponse])
    #expect(server.request(line).line == expected)
  }

  @Test func `a stale response of an unchanged collection is current`() {
    let server = ResourceServer(ResourceCollection("farms"))
    server.script([.staleResponse, .staleResponse])
    #expect(server.request("GET farms").line == "200 []")
    #expect(server.request("GET owners").line == "404")
  }

  // MARK: - Scripts

  @Test func `queued faults precede chosen ones until the script is cleared`() {
    let server = ResourceServer.farms()
    server.script { $0.method == .get ? .status(503) : .none }
    server.script([.lostRequest, .none])
    server.script([.lostRequest])
    let statuses = (1...4).map { _ in server.request("GET animals/7")?.status }
    #expect(statuses == [nil, 200, nil, 503])
    #expect(server.request("PUT animals/7", "{}").line == #"200 {"id":7}"#)
    server.script([.lostRequest])
    server.clearScript()
    #expect(server.request("GET animals/7").line == #"200 {"id":7}"#)
  }

  @Test func `a script can change the resource before the request is applied`() {
    let server = ResourceServer.farms()
    let tag = server.tag("animals/7") ?? ""
    server.script { [weak server] _ in
      server?.set(["name": "Rosa"], id: 7, in: "animals")
      return .none
    }
    let response = server.request("PATCH animals/7", #"{"legs":4}"#, ["If-Match": tag])
    #expect(response.line == #"412 {"id":7,"name":"Rosa"}"#)
  }

  @Test func `random faults are the same for the same seed`() {
    func statuses(_ seed: UInt64) -> [Int?] {
      let server = ResourceServer.farms()
      server.script(random: SeededRandom(seed: seed)) { _, random in
        [.none, .lostRequest, .lostResponse, .status(503)][random.below(4)]
      }
      return (1...50).map { _ in server.request("GET animals/7")?.status }
    }
    #expect(statuses(1) == statuses(1))
    #expect(statuses(1) != statuses(2))
    #expect(Set(statuses(1)) == [nil, 200, 503])
  }

  /// A client that repeats each request until it has a response.
  @Test(arguments: SeededRandom.seeds(1...5))
  func `idempotent requests that are repeated until they have a response are applied once`(
    seed: UInt64
  ) throws {
    let server = ResourceServer(ResourceCollection("animals", ids: .chosen))
    server.script(random: SeededRandom(seed: seed)) { _, random in
      [.none, .lostRequest, .lostResponse, .status(503)][random.below(4)]
    }
    var random = SeededRandom(seed: seed + 100)
    var model: [ResourceID: JSONObject] = [:]
    var changeCount = 0
    for step in 1...SeededRandom.steps(300) {
      let number = Int64(random.below(20))
      let id = ResourceID.number(number)
      let line: String
      let body = #"{"id":\#(number),"step":\#(step)}"#
      switch random.below(3) {
      case 0 where model[id] == nil: line = "POST animals"
      case 1 where model[id] != nil: line = "DELETE animals/\(number)"
      default: line = "PUT animals/\(number)"
      }
      let isDeleted = line.hasPrefix("DELETE")
      model[id] = isDeleted ? nil : ["id": .int(number), "step": .int(Int64(step))]
      changeCount += 1
      var status = 503
      while status == 503 { status = server.request(line, isDeleted ? nil : body)?.status ?? 503 }
      #expect([200, 201, 204, 410].contains(status))
    }
    #expect(server.resources["animals"] == model)
    #expect(server.changes.count == changeCount)
    #expect(server.requestCount > changeCount)
  }

  // MARK: - Transports

  private func source(
    _ base: URL, _ transport: any Transport = URLSessionTransport(), retry: Retry = .never
  ) -> NetworkDataSource<Place> {
    NetworkDataSource(
      base: base, transport: transport,
      routes: [
        .get(IdQuery<Int>.self) { "places/\($0.id)" },
        .put(IdQuery<Int>.self) { "places/\($0.id)" },
      ], coding: .json(), retry: retry)
  }

  private func places() -> ResourceServer {
    ResourceServer(ResourceCollection("places", ids: .chosen, idMember: "code"))
  }

  @Test func `a transport throws an error for a lost response, after which a put is repeated`()
    async throws
  {
    let server = places()
    server.script([.lostResponse, .lostRequest, .delayed(milliseconds: 1)])
    let barn = Place(code: 7, name: "Barn")
    await #expect(throws: URLError(.networkConnectionLost)) {
      try await source(nowhere(), server).put(barn, forId: 7)
    }
    let retry = Retry(attempts: 3, clock: ManualClock(skips: true))
    #expect(try await source(nowhere(), server, retry: retry).put(barn, forId: 7) == barn)
    #expect(server.changeLines == [#"PUT places/7 {"code":7,"name":"Barn"}"#])
    #expect(server.requestCount == 3)
  }

  @Test func `a delay of a transport ends with the cancellation of its task`() async throws {
    let server = places()
    server.script([.delayed(milliseconds: 3_600_000)])
    let source = try source(nowhere(), server)
    let task = Task { try await source.put(Place(code: 7, name: "Barn"), forId: 7) }
    await waitUntil { server.changes.count == 1 }
    task.cancel()
    await #expect(throws: CancellationError.self) { try await task.value }
  }

  @Test(arguments: [Fault.lostResponse, .lostRequest])
  func `a lost response closes the socket immediately`(fault: Fault) async throws {
    let server = places()
    let loopback = try server.listen()
    server.script([fault, .none])
    let source = source(loopback.url)
    let barn = Place(code: 7, name: "Barn")
    let error = await #expect(throws: URLError.self) { try await source.put(barn, forId: 7) }
    #expect(error?.code != .timedOut)
    #expect(server.changes.count == (fault == .lostResponse ? 1 : 0))
    #expect(try await source.put(barn, forId: 7) == barn)
    #expect(try await source.get(7) == barn)
    #expect(server.changes.count == 1)
    #expect(loopback.requests.map(\.method) == [.put, .put, .get])
  }

  @Test func `a child process changes the resources over a socket`() async throws {
    let server = places()
    let loopback = try server.listen()
    server.script([.lostResponse])
    await #expect(processExitsWith: .success) { [base = loopback.url.absoluteString as String] in
      let request = try #require(
        NetworkRequest("PUT places/7", #"{"name":"Barn"}"#, base: base))
      let transport = URLSessionTransport()
      await #expect(throws: URLError.self) { try await transport.send(request) }
      let response = try await transport.send(request)
      try #require(Optional(response).line == #"200 {"code":7,"name":"Barn"}"#)
    }
    #expect(server.changeLines == [#"PUT places/7 {"name":"Barn"}"#])
    #expect(server.requestCount == 2)
  }
}

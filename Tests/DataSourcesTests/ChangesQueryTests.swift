import DataSources
import Foundation
import LoopbackServer
import ObjectStore
import TestSupport
import Testing

/// Puts that send only what changed.
@Suite struct `Puts of changes` {
  struct Shop: Codable, Hashable, Sendable {
    struct Address: Codable, Hashable, Sendable {
      var street: String?
      var city = "Paris"
    }

    var id = 7
    var name = "Mill"
    var note: String? = "old"
    var tags = ["a", "b"]
    var address: Address? = Address()
    var rating = 0.1
  }

  typealias ShopChanges = ChangesQuery<Int, Shop>

  private func source(
    _ transport: any Transport, retry: Retry = .never,
    coding: NetworkDataSource<Shop>.Coding = .json()
  ) throws -> NetworkDataSource<Shop> {
    NetworkDataSource(
      base: try nowhere(), transport: transport,
      routes: [.put(ShopChanges.self, by: .patch) { "shops/\($0.id)" }], coding: coding,
      retry: retry)
  }

  // MARK: - Bodies

  static let changes: [(@Sendable (inout Shop) -> Void, String)] = [
    ({ $0.name = "Barn" }, #"{"name":"Barn"}"#),
    ({ $0.note = nil }, #"{"note":null}"#),
    ({ $0.tags = ["b"] }, #"{"tags":["b"]}"#),
    ({ $0.address?.street = "Rue/1" }, #"{"address":{"street":"Rue/1"}}"#),
    ({ $0.address = nil }, #"{"address":null}"#),
    ({ $0.rating = 0.3 }, #"{"rating":0.3}"#),
    // The same character with other bytes.
    (
      {
        $0.name = "Mill\u{E9}"; $0.note = "e\u{301}"
      }, "{\"name\":\"Mill\u{E9}\",\"note\":\"e\u{301}\"}"
    ),
  ]

  @Test(arguments: changes.indices)
  func `the body has the members that differ`(index: Int) async throws {
    let transport = ScriptedTransport { _, _ in .init(204) }
    let (change, body) = Self.changes[index]
    var shop = Shop()
    change(&shop)
    #expect(try await source(transport).put(shop, in: ShopChanges(7, since: Shop())) == shop)
    let request = try #require(transport.requests.first)
    #expect(request.method == .patch)
    #expect(request.url.path == "/api/shops/7")
    #expect(String(decoding: request.body ?? Data(), as: UTF8.self) == body)
    #expect(request.headers["Content-Type"] == "application/merge-patch+json")
    #expect(request.headers["Accept"] == "application/json")
  }

  @Test func `null and a missing member are no difference`() async throws {
    let transport = ScriptedTransport { _, _ in .init(204) }
    let json: NetworkDataSource<JSONValue>.Coding = .json()
    let source = NetworkDataSource<JSONValue>(
      base: try nowhere(), transport: transport,
      routes: [.put(ChangesQuery<Int, JSONValue>.self, by: .patch) { _ in "values" }],
      coding: json)
    func body(_ old: JSONValue, _ new: JSONValue) async throws -> String? {
      let count = transport.requests.count
      _ = try await source.put(new, in: ChangesQuery(1, since: old))
      guard transport.requests.count > count else { return nil }
      return transport.requests.last?.body.map { String(decoding: $0, as: UTF8.self) }
    }
    #expect(try await body(["a": nil], [:]) == nil)
    #expect(try await body([:], ["a": nil]) == nil)
    #expect(try await body(["a": ["b": nil]], ["a": [:]]) == nil)
    #expect(try await body(["a": 1], ["a": nil]) == #"{"a":null}"#)
    #expect(try await body([:], ["a": [:]]) == #"{"a":{}}"#)
    #expect(try await body(["a": 1], ["a": ["b": 2]]) == #"{"a":{"b":2}}"#)
    #expect(try await body(["a": ["b": 2, "c": 3]], ["a": ["b": 2]]) == #"{"a":{"c":null}}"#)
    #expect(try await body(["a": [1, nil]], ["a": [1]]) == #"{"a":[1]}"#)
    #expect(try await body(["a": "e\u{301}"], ["a": "\u{E9}"]) == "{\"a\":\"\u{E9}\"}")
    #expect(
      try await body(["e\u{301}": 1], ["\u{E9}": 2]) == "{\"e\u{301}\":null,\"\u{E9}\":2}")
    #expect(try await body(["a": 1], [1]) == "[1]")
    #expect(try await body([1], [1]) == nil)
  }

  @Test func `the encoder determines the form of keys and dates`() async throws {
    struct Visit: Codable, Sendable {
      var lastSeen = Date(timeIntervalSince1970: 0)
      var firstSeen = Date(timeIntervalSince1970: 0)
    }
    let encoder = JSONEncoder()
    encoder.keyEncodingStrategy = .convertToSnakeCase
    encoder.dateEncodingStrategy = .iso8601
    let transport = ScriptedTransport { _, _ in .init(204) }
    let source = NetworkDataSource<Visit>(
      base: try nowhere(), transport: transport,
      routes: [.put(ChangesQuery<Int, Visit>.self, by: .patch) { _ in "visits" }],
      coding: .json(encoder: encoder, changesContentType: "application/json"))
    let visit = Visit(lastSeen: Date(timeIntervalSince1970: 60))
    try await source.put(visit, in: ChangesQuery(1, since: Visit()))
    let request = try #require(transport.requests.first)
    #expect(
      String(decoding: request.body ?? Data(), as: UTF8.self)
        == #"{"last_seen":"1970-01-01T00:01:00Z"}"#)
    #expect(request.headers["Content-Type"] == "application/json")
  }

  @Test func `a coding of closures encodes changes with its closure`() async throws {
    let transport = ScriptedTransport { _, _ in .init(204) }
    let coding = NetworkDataSource<Shop>.Coding(
      decode: { _ in Shop() }, decodeAll: { _ in [] }, changesContentType: "text/plain",
      encodeChanges: { $0 == $1 ? nil : Data("\($0.name) → \($1.name)".utf8) })
    let source = try source(transport, coding: coding)
    try await source.put(Shop(name: "Barn"), in: ShopChanges(7, since: Shop()))
    try await source.put(Shop(), in: ShopChanges(7, since: Shop()))
    #expect(transport.requests.map { $0.body } == [Data("Mill → Barn".utf8)])
    #expect(transport.requests.first?.headers["Content-Type"] == "text/plain")
  }

  @Test func `JSON inside an envelope is decoded, and a response without it is an error`()
    async throws
  {
    let shop = Shop(name: "Mill")
    let json = String(decoding: try JSONEncoder().encode(shop), as: UTF8.self)
    let transport = ScriptedTransport([
      .success(.init(status: 200, body: Data(#"{"data":\#(json)}"#.utf8))),
      .success(.init(status: 200, body: Data(#"{"data":{"items":[\#(json)]},"next":null}"#.utf8))),
      .success(.init(status: 200, body: Data(#"{"data":[]}"#.utf8))),
      .success(.init(status: 200, body: Data("<html>".utf8))),
    ])
    let source = NetworkDataSource<Shop>(
      base: try nowhere(), transport: transport,
      routes: [
        .get(IdQuery<Int>.self) { "shops/\($0.id)" },
        .getAll(AllObjectsQuery.self) { _ in "shops" },
      ], coding: .json(valueAt: "data", listAt: "data.items"))
    #expect(try await source.get(IdQuery(1)) == shop)
    #expect(try await source.getAll(AllObjectsQuery()) == [shop])
    #expect(
      await text { _ = try await source.getAll(AllObjectsQuery()) }
        .contains("the response has no member items on the path data.items"))
    #expect(
      await text { _ = try await source.get(IdQuery(1)) }
        .contains("the response is not JSON, or nests deeper than 512 levels"))
  }

  // MARK: - Errors

  @Test func `changes that cannot be encoded are not sent`() async throws {
    let transport = ScriptedTransport { _, _ in .init(204) }
    let coding = NetworkDataSource<Shop>.Coding(
      decode: { _ in Shop() }, decodeAll: { _ in [] }, encode: { _ in Data() })
    let closures = try source(transport, coding: coding)
    #expect(
      await text { try await closures.put(Shop(), in: ShopChanges(7, since: Shop())) }
        == "NetworkDataSource<Shop> does not support 'put' with ChangesQuery<Int, Shop>(7)")
    let json = NetworkDataSource<Shop>(
      base: try nowhere(), transport: transport,
      routes: [.put(ChangesQuery<Int, String>.self, by: .patch) { _ in "shops" }], coding: .json())
    #expect(
      await text { try await json.put(Shop(), in: ChangesQuery(7, since: "Mill")) }
        == "the previous value of ChangesQuery(7) has the type String; expected Shop")
    #expect(
      await text { try await json.put(Shop(), in: ShopChanges(7, since: Shop())) }
        == "NetworkDataSource<Shop> does not support 'put' with ChangesQuery<Int, Shop>(7)")
    #expect(transport.requests.isEmpty)
  }

  @Test(arguments: [(503, 2), (429, 2), (500, 1), (502, 1), (408, 1)])
  func `a patch is repeated only if the server has not processed it`(status: Int, count: Int)
    async throws
  {
    let transport = ScriptedTransport([.success(.init(status)), .success(.init(204))])
    let retry = Retry(attempts: 3, clock: ManualClock(skips: true))
    let source = try source(transport, retry: retry)
    _ = await text { try await source.put(Shop(name: "B"), in: ShopChanges(7, since: Shop())) }
    #expect(transport.requests.count == count)
  }

  @Test func `a patch that is lost in transit is not repeated`() async throws {
    let transport = ScriptedTransport([.failure(TestError()), .success(.init(204))])
    let retry = Retry(attempts: 3, clock: ManualClock(skips: true))
    let source = try source(transport, retry: retry)
    await #expect(throws: TestError()) {
      try await source.put(Shop(name: "B"), in: ShopChanges(7, since: Shop()))
    }
    #expect(transport.requests.count == 1)
  }

  // MARK: - Other sources

  @Test func `a store, a memory and a mapper store the value under the id`() async throws {
    let old = ItemEntity(id: "a", text: "old")
    let new = ItemEntity(id: "a", text: "new")
    let changes = ChangesQuery("a", since: old)
    let storage = itemSource()
    #expect(try await storage.put(new, in: changes) == new)
    #expect(try await storage.get("a") == new)
    #expect(
      await text { try await storage.put(new, in: ChangesQuery("b", since: old)) }
        == "the Item has the key a, but the query has the key b")
    let memory = InMemoryDataSource<ItemEntity>()
    try await memory.put(new, in: changes)
    #expect(try await memory.get("a") == new)

    let transport = ScriptedTransport { _, _ in .init(204) }
    let mapper = DataSourceMapper(
      dataSource: NetworkDataSource<ItemEntity>(
        base: try nowhere(), transport: transport,
        routes: [.put(ChangesQuery<String, ItemEntity>.self, by: .patch) { "items/\($0.id)" }],
        coding: .json()),
      toInMapper: Mapper<String, ItemEntity> { ItemEntity(text: $0) },
      toOutMapper: Mapper<ItemEntity, String> { $0.text })
    #expect(try await mapper.put("new", in: ChangesQuery("a", since: "old")) == "new")
    #expect(transport.requests.map(\.body) == [Data(#"{"text":"new"}"#.utf8)])
  }

  // MARK: - A cached server

  private func repository(
    _ server: LoopbackServer
  ) -> (CacheRepository<NetworkDataSource<Place>, StoreDataSource<Place, PlaceObject>>) {
    let network = NetworkDataSource<Place>(
      base: server.url,
      routes: [
        .get(IdQuery<Int>.self) { "places/\($0.id)" },
        .put(ChangesQuery<Int, Place>.self, by: .patch) { "places/\($0.id)" },
      ], coding: .json(), retry: .never)
    return CacheRepository(
      main: network, cache: StoreDataSource(Place.self, configuration: .inMemory()),
      validator: AgeValidator(.seconds(86_400)))
  }

  private func sent(_ server: LoopbackServer) -> [String] {
    server.requests.map {
      "\($0.method.rawValue) \($0.url) \(String(decoding: $0.body ?? Data(), as: UTF8.self))"
    }
  }

  private let barn = Place(code: 7, name: "Barn")
  private let mill = Place(code: 7, name: "Mill")

  @Test func `a cached server gets the patch, and the cache gets the value`() async throws {
    let server = try LoopbackServer { _ in .init(204) }
    let repository = repository(server)
    #expect(try await repository.put(mill, in: ChangesQuery(7, since: barn)) == mill)
    #expect(try await repository.get(7, operation: .cache) == mill)
    #expect(try await repository.get(7) == mill)
    #expect(sent(server) == [#"PATCH /api/places/7 {"name":"Mill"}"#])
    #expect(server.requests[0].headers["Content-Type"] == "application/merge-patch+json")
  }

  @Test func `the cache stores the object with which the server responds to a patch`() async throws
  {
    let server = try LoopbackServer { _ in .init(200, #"{"code":7,"name":"The Mill"}"#) }
    let repository = repository(server)
    let whole = Place(code: 7, name: "The Mill")
    #expect(try await repository.put(mill, in: ChangesQuery(7, since: barn)) == whole)
    #expect(try await repository.get(7, operation: .cache) == whole)
  }

  @Test func `a refused patch throws the body of the response and leaves the cache unchanged`()
    async throws
  {
    let server = try LoopbackServer { request in
      request.method == .get
        ? .init(200, #"{"code":7,"name":"Barn"}"#) : .init(422, #"{"errors":{"name":["no"]}}"#)
    }
    let repository = repository(server)
    #expect(try await repository.get(7) == barn)
    let refusal = DataSourceError.badStatus(
      422, request: "PATCH /api/places/7", body: Data(#"{"errors":{"name":["no"]}}"#.utf8))
    await #expect(throws: refusal) {
      try await repository.put(mill, in: ChangesQuery(7, since: barn))
    }
    #expect(try await repository.get(7, operation: .cache(ignoreValidation: true)) == barn)
  }

  @Test func `nothing is sent if nothing changed`() async throws {
    let server = try LoopbackServer { _ in .init(500) }
    let repository = repository(server)
    #expect(try await repository.put(barn, in: ChangesQuery(7, since: barn)) == barn)
    #expect(try await repository.get(7, operation: .cache) == barn)
    #expect(server.requests.isEmpty)
  }

  @Test func `a cache that gets the value first sends the patch afterwards`() async throws {
    let server = try LoopbackServer { _ in .init(204) }
    let repository = repository(server)
    try await repository.put(mill, in: ChangesQuery(7, since: barn), operation: .cacheSync)
    #expect(try await repository.get(7, operation: .cache(ignoreValidation: true)) == mill)
    #expect(sent(server) == [#"PATCH /api/places/7 {"name":"Mill"}"#])
  }
}

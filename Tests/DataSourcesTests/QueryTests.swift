import DataSources
import Foundation
import ObjectStore
import Testing

@testable import DataSources

struct PlainId: Hashable {
  var a = 1
}

@Suite struct `Queries of data sources` {
  struct Pair: Hashable, Encodable {
    var b = "x/y"
    var a = 1
  }

  enum Letter: String { case alpha }

  static let keys: [(any KeyQuery, String)] = [
    (IdQuery("x7"), "x7"),
    (IdQuery(""), ""),
    (IdQuery(-7), "-7"),
    (IdQuery(UInt64.max), "18446744073709551615"),
    (IdQuery(PlaceCode(rawValue: 7)), "7"),
    (IdQuery(Letter.alpha), "alpha"),
    (IdQuery(true), "true"),
    (IdQuery(1.5), "1.5"),
    (IdQuery(Pair()), #"{"a":1,"b":"x/y"}"#),
    (IdQuery(PlainId()), "DataSourcesTests.PlainId(a: 1)"),
    (AllObjectsQuery(), "allObjects"),
    (ObjectQuery(Pair()), #"{"a":1,"b":"x/y"}"#),
    (PaginationOffsetLimitQuery(offset: 40, limit: 20), "page 40+20"),
    (
      PaginationOffsetLimitQuery(
        offset: 0, limit: 5, order: [.init("name"), .init("rank", ascending: false)]),
      "page 0+5 +name -rank"
    ),
  ]

  /// A hash value, in contrast, differs between processes.
  @Test(arguments: keys.indices)
  func `the key of a query is the same string in every process`(index: Int) {
    let (query, key) = Self.keys[index]
    #expect(query.key == key)
  }

  @Test func `the key of a UUID is its uuidString`() throws {
    let id = try #require(UUID(uuidString: "7B0E3A52-4C3C-4B55-9D80-0B4D2F6A1C11"))
    #expect(IdQuery(id).key == "7B0E3A52-4C3C-4B55-9D80-0B4D2F6A1C11")
  }

  @Test func `a query has an identity only if it and its content are Hashable`() {
    #expect(QueryIdentity(IdQuery("1")) == QueryIdentity(IdQuery("1")))
    #expect(QueryIdentity(IdQuery("1")) != QueryIdentity(IdQuery(1)))
    #expect(QueryIdentity(SearchTextQuery(text: "a")) != QueryIdentity(SearchTextQuery(text: "b")))
    #expect(QueryIdentity(UnheardQuery()) == nil)
    #expect(QueryIdentity(ObjectQuery(TestError())) != nil)
    #expect(QueryIdentity(ObjectQuery(Keyless())) == nil)
  }

  struct Keyless: Sendable {}

  @Test func `messages contain ids and page offsets but no other content of queries`() {
    let names = [
      IdQuery("x7").nameInMessages, IdsQuery([1, 2]).nameInMessages,
      AllObjectsQuery().nameInMessages, SearchTextQuery(text: "secret").nameInMessages,
      StorePredicate(Item.self) { $0.text == "secret" }.nameInMessages,
      ObjectQuery(ItemEntity()).nameInMessages,
      PaginationOffsetLimitQuery(offset: 1, limit: 2).nameInMessages,
    ]
    #expect(
      names == [
        "IdQuery(x7)", "IdsQuery of 2", "AllObjectsQuery", "SearchTextQuery", "StorePredicate",
        "ObjectQuery<ItemEntity>", "PaginationOffsetLimitQuery(1, 2)",
      ])
  }

  // MARK: - Optional ids

  @Test func `an optional id is equivalent to its wrapped id`() async throws {
    let id: String? = "a"
    let server = ItemServer(["a", "b"])
    let storage = itemSource()
    let repository = CacheRepository(main: server, cache: storage)
    #expect(try await server.get(id).id == "a")
    #expect(try await repository.get(id).id == "a")
    #expect(try await repository.get(id, operation: .cache).id == "a")
    #expect(try await storage.get(id).id == "a")
    #expect(try await storage.get(IdQuery(id)).id == "a")
    try await repository.put(ItemEntity(id: id, text: "new"), forId: id)
    #expect(try await storage.get("a").text == "new")
    try await storage.put(ItemEntity(id: id, text: "newer"), forId: id)
    try await repository.delete(id)
    try await server.delete(id)
    try await storage.delete(id)
    #expect(
      await server.takeLog() == ["get a", "get a", "put a", "delete a", "delete a"])
    #expect(IdQuery(id).key == "a")
    #expect(try await InMemoryDataSource<Int>().put(1, forId: Optional(7)) == 1)
  }

  private static func path(of id: some Hashable) -> NetworkPath { "items/\(id)" }

  @Test func `an id that is nil is refused`() async throws {
    let id: String? = nil
    let server = ItemServer(["a"])
    let storage = itemSource()
    let memory = InMemoryDataSource<ItemEntity>()
    let repository = CacheRepository(main: server, cache: storage)
    let item = ItemEntity()
    let errors = [
      await text { _ = try await repository.get(id) },
      await text { _ = try await repository.get(id, operation: .main) },
      await text { try await repository.put(item, forId: id) },
      await text { try await repository.delete(id) },
      await text { _ = try await storage.get(id) },
      await text { try await storage.put(item, forId: id) },
      await text { try await storage.delete(id) },
      await text { _ = try await memory.get(IdQuery(id)) },
      await text { try await memory.delete(IdQuery(id)) },
      await text { try await memory.put(item, in: IdQuery(id)) },
      await text { try await memory.putAll([item], in: IdsQuery([id])) },
      await text { _ = try await memory.getAll(IdsQuery([id])) },
    ]
    #expect(errors == Array(repeating: "the id is nil; expected a value of type String", count: 12))
    #expect(await server.takeLog() == [])
    #expect(
      await text { _ = try await storage.get(IdQuery(id)) }
        == "Item.id is a key of type string, but the id has the type Optional<String>")
    let network = NetworkDataSource<ItemEntity>(
      base: try nowhere(), transport: ScriptedTransport([.success(.init(200))]),
      routes: [.get(IdQuery<String?>.self) { Self.path(of: $0.id) }], coding: .json())
    #expect(
      await text { _ = try await network.get(IdQuery(id)) }
        == "invalid path 'items/': an id must not be empty, '.' or '..'")
  }

  @Test func `the error for a missing route contains the type of the id`() async throws {
    let network = NetworkDataSource<ItemEntity>(
      base: try nowhere(), routes: [.get(IdQuery<String>.self) { "items/\($0.id)" }],
      coding: .json())
    #expect(
      await text { _ = try await network.get(7) }
        == "NetworkDataSource<ItemEntity> does not support 'get' with IdQuery<Int>(7)")
    #expect(
      await text { _ = try await network.get(IdQuery(Optional("x"))) }
        == "NetworkDataSource<ItemEntity> does not support 'get' with IdQuery<Optional<String>>(x)")
  }

  @Test func `a deletion by an array of ids deletes each of their values`() async throws {
    let storage = itemSource()
    let memory = InMemoryDataSource<ItemEntity>()
    let server = ItemServer(["a", "b", "c"])
    let repository = CacheRepository(main: server, cache: storage)
    for id in ["a", "b", "c"] {
      try await storage.put(ItemEntity(id: id))
      try await memory.put(ItemEntity(id: id), forId: id)
    }
    try await memory.delete(["a", "b"])
    #expect(try await memory.getAll(AllObjectsQuery()).map(\.id) == ["c"])
    try await storage.delete(["a"])
    #expect(try await storage.getAll(AllObjectsQuery()).map(\.id) == ["b", "c"])
    try await repository.delete(["b", "c"])
    #expect(try await storage.getAll(AllObjectsQuery()).isEmpty)
    #expect(await server.items.map(\.id) == ["a"])
  }

  static let texts: [(DataSourceError, String)] = [
    (.notFound(query: "IdQuery(7)"), "nothing was found for IdQuery(7)"),
    (
      .notValid(query: "IdQuery(7)"), "the cached value for IdQuery(7) is no longer valid"
    ),
    (
      .queryNotSupported(query: "VoidQuery", verb: .getAll, source: "Files"),
      "Files does not support 'getAll' with VoidQuery"
    ),
    (.illegalArgument("2 values were passed for 1 ids"), "2 values were passed for 1 ids"),
    (.notImplemented("nobody did it"), "nobody did it"),
    (.failed("it broke"), "it broke"),
    (
      .badStatus(500, request: "GET /items/7"),
      "GET /items/7: the server responded with status 500"
    ),
    (
      .badStatus(422, request: "PUT /items/7", body: Data(#"{"message":"too long"}"#.utf8)),
      #"PUT /items/7: the server responded with status 422: {"message":"too long"}"#
    ),
    (
      .badStatus(502, request: "GET /items/7", body: Data("<html>\r\n<b>\u{1B}[31mBad\n".utf8)),
      #"GET /items/7: the server responded with status 502: <html>\r\n<b>\u{1B}[31mBad\n"#
    ),
    (
      .badStatus(
        500, request: "GET /items/7", body: Data(String(repeating: "é", count: 5_000).utf8)),
      "GET /items/7: the server responded with status 500: "
        + String(repeating: "é", count: 199) + "…"
    ),
    (
      .badStatus(500, request: "GET /items/7", body: Data([0x1F, 0x8B, 0xFF, 0])),
      "GET /items/7: the server responded with status 500: 4 bytes that are not UTF-8"
    ),
    (
      .notDecodable(request: "GET /items/7", reason: "no JSON"),
      "GET /items/7: the response cannot be decoded: no JSON"
    ),
  ]

  @Test(arguments: texts)
  func `the description of an error is also its localized description`(
    error: DataSourceError, text: String
  ) {
    #expect(error.description == text)
    #expect(error.errorDescription == text)
    #expect(error.localizedDescription == text)
  }
}

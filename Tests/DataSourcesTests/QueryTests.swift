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

  /// A hash value would be another one in each process.
  @Test(arguments: keys.indices)
  func `a key is a text that is the same in every process`(index: Int) {
    let (query, key) = Self.keys[index]
    #expect(query.key == key)
  }

  @Test func `the key of a UUID is its text`() throws {
    let id = try #require(UUID(uuidString: "7B0E3A52-4C3C-4B55-9D80-0B4D2F6A1C11"))
    #expect(IdQuery(id).key == "7B0E3A52-4C3C-4B55-9D80-0B4D2F6A1C11")
  }

  @Test func `a query is recognized if it is Hashable`() {
    #expect(QueryIdentity(IdQuery("1")) == QueryIdentity(IdQuery("1")))
    #expect(QueryIdentity(IdQuery("1")) != QueryIdentity(IdQuery(1)))
    #expect(QueryIdentity(SearchTextQuery(text: "a")) != QueryIdentity(SearchTextQuery(text: "b")))
    #expect(QueryIdentity(UnheardQuery()) == nil)
    #expect(QueryIdentity(ObjectQuery(TestError())) != nil)
    #expect(QueryIdentity(ObjectQuery(Keyless())) == nil)
  }

  struct Keyless: Sendable {}

  @Test func `messages tell what ids are asked for and nothing of other queries`() {
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

  static let texts: [(DataSourceError, String)] = [
    (.notFound(query: "IdQuery(7)"), "nothing was found for IdQuery(7)"),
    (
      .notValid(query: "IdQuery(7)"), "what the cache has for IdQuery(7) is not valid any more"
    ),
    (
      .queryNotSupported(query: "VoidQuery", verb: .getAll, source: "Files"),
      "Files has no 'getAll' for VoidQuery"
    ),
    (.illegalArgument("2 values were given for 1 ids"), "2 values were given for 1 ids"),
    (.notImplemented("nobody did it"), "nobody did it"),
    (.failed("it broke"), "it broke"),
    (
      .badStatus(500, request: "GET /items/7"),
      "GET /items/7: the server answered with status 500"
    ),
    (
      .notDecodable(request: "GET /items/7", reason: "no JSON"),
      "GET /items/7: the answer cannot be read: no JSON"
    ),
  ]

  @Test(arguments: texts)
  func `errors say what is wrong`(error: DataSourceError, text: String) {
    #expect(error.description == text)
    #expect(error.errorDescription == text)
    #expect(error.localizedDescription == text)
  }
}

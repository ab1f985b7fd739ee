import Foundation
import ObjectStore
import StoreCoding
import TestSupport
import Testing

@Suite struct `Coding paths` {
  final class Address: EmbeddedObject {
    @Persisted var city = ""
    @Persisted(json: "geo.lat") var latitude: Double?
    @Persisted(json: "/geo/lng") var longitude: Double?
  }

  final class Customer: Object {
    @Persisted(primaryKey: true) var id: Int
    @Persisted(json: "full_name") var name = ""
    @Persisted var address: Address?
  }

  final class Line: EmbeddedObject {
    @Persisted(json: "quantity", .aliases("qty", "/amount/value")) var count = 0
    @Persisted var extra: JSONValue = [:]
    @Persisted var tags: List<String>
  }

  final class Order: Object {
    @Persisted(primaryKey: true) var id: Int
    @Persisted var note: String?
    @Persisted(json: "profile.born_on", .date(.date)) var born: Date?
    @Persisted(json: "/a~1b/m~0n") var odd: Int?
    @Persisted(json: "/a.b") var dotted: Int?
    @Persisted(json: "/names/0", .aliases("first_name")) var firstName: String?
    @Persisted var secret = ""
    @Persisted(.local) var draft = ""
    @Persisted(.unread) var rest: JSONValue = [:]
    @Persisted var customer: Customer?
    @Persisted(json: "owner_id", .byKey) var owner: Customer?
    @Persisted(json: "helper_ids", .byKey) var helpers: List<Customer>
    @Persisted var lines: List<Line>
    @Persisted(json: "/friends/edges/*/node") var friends: List<Customer>
    @Persisted(.keyed) var users: List<Customer>
    @Persisted var prices: Map<String, Int>
    @Persisted var places: Map<String, Address?>
    @Persisted(originProperty: "order") var parts: LinkingObjects<Part>

    override class var codableIgnoredAttributes: [String] { ["secret"] }
    override class var objectEnvelope: String? { "data.order" }
  }

  final class Part: Object {
    @Persisted var week = 0
    @Persisted var number = 0
    @Persisted(primaryKey: true) var key: String
    @Persisted var order: Order?

    override class var compoundKey: [String] { ["week", "number"] }
  }

  final class Person: Object {
    @Persisted(primaryKey: true) var id: Int
    @Persisted(json: "first-name") var firstName: String?

    override class var codableShape: CodableShape { .jsonAPI(type: "people") }
  }

  final class Article: Object {
    @Persisted(primaryKey: true) var id: String
    @Persisted var title = ""
    @Persisted var author: Person?
    @Persisted var readers: List<Person>

    override class var codableShape: CodableShape { .jsonAPI(type: "articles") }
  }

  final class Wrong: Object {
    @Persisted(json: "a..b") var a = 0
  }

  private let coder: StoreCoder

  init() throws { coder = try makeCoder() }

  @Test func `an attribute has the path of its declaration in the JSON`() throws {
    let table: [(PartialKeyPath<Order>, String?)] = [
      (\.id, "id"), (\.note, "note"), (\.born, "profile.born_on"), (\.odd, "/a~1b/m~0n"),
      (\.dotted, "/a.b"), (\.firstName, "/names/0"), (\.secret, "secret"), (\.draft, nil),
      (\.rest, nil), (\.parts, nil), (\.customer, "customer"),
      (\.customer?.name, "customer.full_name"),
      (\.customer?.address?.city, "customer.address.city"),
      (\.customer?.address?.latitude, "customer.address.geo.lat"),
      (\.customer?.address?.longitude, "/customer/address/geo/lng"),
      (\.owner, "owner_id"), (\.owner?.id, "owner_id"), (\.owner?.name, nil),
      (\.lines, "lines"), (\.friends, "/friends/edges/*/node"), (\.users, "users"),
    ]
    for (keyPath, path) in table {
      #expect(try coder.codingPath(of: keyPath) == path, "\(keyPath)")
    }
  }

  @Test(
    arguments: [
      ("id", "id"), ("note", "note"), ("/note", "note"), ("#/note", "note"), ("$.note", "note"),
      ("profile.born_on", "born"), ("/profile/born_on", "born"), ("profile", nil),
      ("profile.born_on.year", nil), ("/a~1b/m~0n", "odd"), ("#/a~1b/m%7E0n", "odd"),
      ("/a.b", "dotted"),
      ("a.b", nil), ("/names/0", "firstName"), ("names[0]", "firstName"),
      ("names.0", "firstName"), ("first_name", "firstName"), ("names[1]", nil),
      ("secret", "secret"),
      ("draft", nil), ("rest", nil), ("unknown", nil), ("parts", nil),
      ("customer.full_name", "customer.name"), ("customer.name", nil),
      ("/customer/address/geo/lng", "customer.address.longitude"),
      ("owner_id", "owner"), ("owner_id.full_name", "owner.name"), ("helper_ids[1]", "helpers[1]"),
      ("lines", "lines"), ("lines[2]", "lines[2]"), ("lines[2].quantity", "lines[2].count"),
      ("/lines/2/quantity", "lines[2].count"), ("lines.2.quantity", "lines[2].count"),
      ("$.lines[2]['quantity']", "lines[2].count"), ("lines[2][quantity]", "lines[2].count"),
      ("lines[2].qty", "lines[2].count"), ("/lines/2/amount/value", "lines[2].count"),
      ("lines[0].tags[3]", "lines[0].tags[3]"), ("lines[0].tags[3].x", nil),
      ("lines[0].extra.color[2]", "lines[0].extra"),
      ("lines.quantity", nil), ("lines[02].quantity", nil), ("lines[-1].quantity", nil),
      ("/lines/-/quantity", nil), ("lines[99999999999999999999].quantity", nil),
      ("/friends/edges/*/node", "friends"), ("/friends/edges/4/node", "friends[4]"),
      ("/friends/edges/4/node/full_name", "friends[4].name"), ("/friends/edges/4", nil),
      ("/friends/edges/*/node/full_name", nil), ("/lines/*/quantity", nil),
      ("users.7.full_name", "users.7.name"), ("prices.eur", "prices.eur"),
      ("/prices/a.b", #"prices."a.b""#), ("places.home.geo.lat", "places.home.latitude"),
      ("/data/order/note", "note"), ("data.order.lines[1].quantity", "lines[1].count"),
      ("data.note", nil), ("", nil), ("/", nil), ("#", nil), ("$", nil), ("a..b", nil),
      ("/note/", nil),
      ("/no~te", nil), ("#/%ZZ", nil), ("lines[2", nil), ("lines[]", nil),
      ("lines[2]quantity", nil),
      (".note", nil), ("note.", nil),
    ] as [(String, String?)])
  func `a path in the JSON has the attribute whose value is there`(
    path: String, attribute: String?
  ) throws {
    #expect(try coder.attributePath(at: path, of: Order.self) == attribute)
  }

  @Test(arguments: [
    ("/data/attributes/title", "title"), ("attributes.title", "title"), ("title", nil),
    ("/data/id", "id"), ("/data/type", nil), ("/data/relationships/author/data", "author"),
    ("relationships.author.data.id", "author.id"), ("relationships.author", nil),
    ("/data/relationships/readers/data/1/id", "readers[1].id"),
  ])
  func `a path in a resource of JSON API has an attribute`(path: String, attribute: String?) throws
  {
    #expect(try coder.attributePath(at: path, of: Article.self) == attribute)
  }

  @Test func `attributes of a JSON API resource have the paths of resources`() throws {
    #expect(try coder.codingPath(of: \Article.title) == "attributes.title")
    #expect(try coder.codingPath(of: \Article.author) == "relationships.author.data")
    #expect(try coder.codingPath(of: \Article.author?.id) == "relationships.author.data.id")
    #expect(try coder.codingPath(of: \Article.author?.firstName) == nil)
    #expect(try coder.codingPath(of: \Person.firstName) == "attributes.first-name")
  }

  @Test func `a key that is made of other attributes has no path`() throws {
    #expect(try coder.codingPath(of: \Part.key) == nil)
    #expect(try coder.attributePath(at: "key", of: Part.self) == nil)
    #expect(try coder.codingPath(of: \Part.week) == "week")
  }

  @Test func `a path follows the key style, and is a pointer if a key contains a dot`() throws {
    let snake = try makeCoder { $0.keys = .snakeCase }
    #expect(try snake.codingPath(of: \Coding.Goat.imageURL) == "image_url")
    #expect(try snake.attributePath(at: "image_url", of: Coding.Goat.self) == "imageURL")
    let dotted = try makeCoder { $0.keys = .custom { "x.\($0)" } }
    #expect(try dotted.codingPath(of: \Coding.Goat.isOK) == "/x.isOK")
    #expect(try dotted.attributePath(at: "/x.isOK", of: Coding.Goat.self) == "isOK")
    #expect(try dotted.codingPath(of: \Order.customer?.name) == "/x.customer/full_name")
    let slash = try makeCoder { $0.keys = .custom { "/\($0)" } }
    #expect(try slash.codingPath(of: \Coding.Goat.isOK) == "/~1isOK")
    #expect(try slash.attributePath(at: "/~1isOK", of: Coding.Goat.self) == "isOK")
  }

  @Test func `every path of an attribute leads back to it`() throws {
    let store = try Store(configuration: .inMemory())
    let coder = StoreCoder(store: store)
    let schema = try ObjectSchema.of(Order.self)
    try coder.check(Order.self)
    for property in schema.properties {
      guard
        let path = try coder.codingPath(of: property.name, dynamic: "Order")
      else { continue }
      #expect(try coder.attributePath(at: path, of: Order.self) == property.name, "\(path)")
    }
  }

  @Test func `dynamic classes have paths by the names of their attributes`() throws {
    let item = ObjectSchema(
      "Item", [Property("weight", .int, json: "size.weight")], isEmbedded: true)
    let box = ObjectSchema(
      "Box",
      [Property("id", .int, isPrimaryKey: true), Property("items", .list("Item"), json: "content")])
    let coder = StoreCoder(store: try Store(configuration: .inMemory(), schemas: [box, item]))
    #expect(try coder.codingPath(of: "items", dynamic: "Box") == "content")
    #expect(try coder.codingPath(of: "none", dynamic: "Box") == nil)
    #expect(
      try coder.attributePath(at: "content[1].size.weight", dynamic: "Box") == "items[1].weight")
    #expect(message { _ = try coder.attributePath(at: "id", dynamic: "None") }.contains("None"))
  }

  @Test func `paths of a class with mistakes throw them`() {
    let expected = "Wrong.a: 'a..b' is not a valid path"
    #expect(message { _ = try coder.codingPath(of: \Wrong.a) } == expected)
    #expect(message { _ = try coder.attributePath(at: "a", of: Wrong.self) } == expected)
  }

  @Test func `a key path to a computed property throws its mistake`() {
    #expect(
      message { _ = try coder.codingPath(of: \Order.note?.count) }.contains("derived from 'note'"))
  }

  @Test func `a path of a megabyte is read in linear time`() throws {
    let path = String(repeating: "/customer", count: 100_000)
    #expect(try coder.attributePath(at: path, of: Order.self) == nil)
    let dots = String(repeating: "[", count: 1_000_000)
    #expect(try coder.attributePath(at: dots, of: Order.self) == nil)
  }
}

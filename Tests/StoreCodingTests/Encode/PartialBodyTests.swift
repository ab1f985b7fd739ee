import Foundation
import ObjectStore
import StoreCoding
import TestSupport
import Testing

private enum Sales {
  final class Buyer: Object {
    @Persisted(primaryKey: true) var id: Int
    @Persisted var name = ""
  }

  final class Gift: Object {
    @Persisted var order: Order?
  }

  final class Box: EmbeddedObject {
    @Persisted var width: Int?
    @Persisted var buyer: Buyer?
  }

  final class Order: Object {
    @Persisted(primaryKey: true) var id: Int
    @Persisted var note: String?
    @Persisted var total = 0.0
    @Persisted var version = 1
    @Persisted(.date(.date)) var born: Date?
    @Persisted var city: String?
    @Persisted var first: String?
    @Persisted var second: String?
    @Persisted(.omitsEmpty) var tags: List<String>
    @Persisted var buyer: Buyer?
    @Persisted(.byKey) var owner: Buyer?
    @Persisted var buyers: List<Buyer>
    @Persisted var box: Box?
    @Persisted var extra: JSONValue = nil
    @Persisted(.raw()) var raw = ""
    @Persisted var isFavourite = false
    @Persisted(originProperty: "order") var gifts: LinkingObjects<Gift>
    override class var codableKeys: [String: String] {
      [
        "born": "profile.born_on", "city": "profile.city", "first": "/names/0",
        "second": "/names/1",
      ]
    }
    override class var codableIgnoredAttributes: [String] { ["isFavourite"] }
    override class var codableAlwaysEncoded: [String] { ["version"] }
    override class var objectEnvelope: String? { "order" }
    override class var listEnvelope: String? { "orders" }
  }

  /// A class whose key is below a path, without attributes in every body.
  final class Nested: Object {
    @Persisted(primaryKey: true) var id: String
    @Persisted var label: String?
    @Persisted var other: Nested?
    override class var codableKeys: [String: String] { ["id": "meta.id"] }
  }

  final class Visit: Object {
    @Persisted(primaryKey: true) var id: String
    @Persisted var user: Int
    @Persisted var place: String
    @Persisted var rating: Int?
    override class var compoundKey: [String] { ["user", "place"] }
  }

  final class Article: Object {
    @Persisted(primaryKey: true) var id: String
    @Persisted var title: String?
    @Persisted var body: String?
    override class var codableShape: CodableShape { .jsonAPI(type: "articles") }
  }

  static func order() -> Order {
    let buyer = Buyer()
    buyer.id = 3
    buyer.name = "Ann"
    let order = Order()
    order.id = 7
    order.note = "late"
    order.first = "a"
    order.second = "b"
    order.buyer = buyer
    order.owner = buyer
    order.buyers.append(buyer)
    order.box = Box()
    return order
  }
}

@Suite struct `Bodies with some attributes` {
  private typealias Order = Sales.Order

  /// Calls `body` with an unmanaged object, then with a managed one, and encodes it also in its frozen state.
  private func check(
    _ names: [String], _ expected: String, includesKey: Bool = true,
    linkedObjects: CodingConfiguration.LinkedObjects = .key, useEnvelope: Bool = false,
    _ change: (Order) -> Void = { _ in }
  ) throws {
    let coder = try makeCoder()
    let order = Sales.order()
    change(order)
    func body(_ order: Order) throws -> String {
      try coder.encode(
        order, only: names, includesKey: includesKey, linkedObjects: linkedObjects,
        useEnvelope: useEnvelope
      ).text
    }
    #expect(try body(order) == expected)
    try coder.store.write { try coder.store.add(order) }
    #expect(order.isManaged)
    #expect(try body(order) == expected)
    #expect(
      try coder.encode(
        order.frozen(), only: names, includesKey: includesKey, linkedObjects: linkedObjects,
        useEnvelope: useEnvelope
      ).text == expected)
    let dynamic = try #require(coder.store.objects(dynamic: "Order").first)
    #expect(
      try coder.encode(
        dynamic, only: names, includesKey: includesKey, linkedObjects: linkedObjects,
        useEnvelope: useEnvelope
      ).text == expected)
  }

  @Test func `a body contains the named attributes, the key and those in every body`() throws {
    try check(["note"], #"{"id":7,"note":"late","version":1}"#)
    try check(["total", "note"], #"{"id":7,"note":"late","total":0,"version":1}"#)
    try check([], #"{"id":7,"version":1}"#)
    try check(["note", "version", "id"], #"{"id":7,"note":"late","version":1}"#)
  }

  @Test(arguments: [
    (["note"], #"[{"id":7,"note":null},{"id":8,"note":null,"version":2}]"#),
    (["total", "version"], #"[{"id":7,"total":0,"version":1},{"id":8,"total":0,"version":2}]"#),
  ])
  func `a missing attribute is written only if it is named`(
    _ names: [String], _ expected: String
  ) throws {
    let coder = try makeCoder()
    let orders = try coder.decodeArray(
      Order.self, from: Data(#"{"orders":[{"id":7},{"id":8,"version":2}]}"#.utf8))
    #expect(try coder.encodeArray(orders, only: names).text == expected)
    let bodies = try orders.map { try coder.encode($0, only: names).text }
    #expect("[\(bodies.joined(separator: ","))]" == expected)
    #expect(try orders.map { try coder.encode($0.frozen(), only: names).text } == bodies)
  }

  @Test func `key paths name the attributes`() throws {
    let coder = try makeCoder()
    let order = Sales.order()
    #expect(
      try coder.encode(order, only: \.note, \.total).text
        == #"{"id":7,"note":"late","total":0,"version":1}"#)
    try coder.store.write { try coder.store.add(order) }
    #expect(
      try coder.encode(order.frozen(), only: \.total, includesKey: false).text
        == #"{"total":0,"version":1}"#)
  }

  @Test func `the key may be left out`() throws {
    try check(["note"], #"{"note":"late","version":1}"#, includesKey: false)
    try check(["id"], #"{"id":7,"version":1}"#, includesKey: false)
  }

  @Test func `nil is null, an empty collection an empty array, and empty raw JSON an empty string`()
    throws
  {
    try check(
      ["note", "tags", "buyer", "owner", "box", "raw", "extra", "born"],
      #"{"id":7,"note":null,"version":1,"profile":{"born_on":null},"tags":[],"buyer":null,"#
        + #""owner":null,"box":null,"extra":null,"raw":""}"#
    ) {
      $0.note = nil
      $0.buyer = nil
      $0.owner = nil
      $0.box = nil
    }
  }

  @Test func `of attributes below one path only the named ones are written`() throws {
    try check(
      ["born"], #"{"id":7,"version":1,"profile":{"born_on":"1970-01-02"}}"#
    ) { $0.born = Date(timeIntervalSince1970: 86_400) }
    try check(["city"], #"{"id":7,"version":1,"profile":{"city":null}}"#)
  }

  @Test func `an array that pointers lead to is written whole`() throws {
    try check(["second"], #"{"id":7,"version":1,"names":["a","b"]}"#)
    try check(["second"], #"{"id":7,"version":1,"names":[null,"b"]}"#) { $0.first = nil }
  }

  @Test func `linked objects are written as their keys and owned objects in full`() throws {
    try check(
      ["buyer", "owner", "buyers", "box"],
      #"{"id":7,"version":1,"buyer":{"id":3},"owner":3,"buyers":[{"id":3}],"#
        + #""box":{"width":null,"buyer":{"id":3}}}"#
    ) { $0.box?.buyer = $0.buyer }
  }

  @Test func `linked objects are written in full on request`() throws {
    try check(
      ["buyer", "owner"],
      #"{"id":7,"version":1,"buyer":{"id":3,"name":"Ann"},"owner":3}"#, linkedObjects: .full)
  }

  @Test func `an object may be wrapped in its envelope`() throws {
    try check(["note"], #"{"order":{"id":7,"note":"late","version":1}}"#, useEnvelope: true)
  }

  @Test func `attributes of several objects are written as an array`() throws {
    let coder = try makeCoder()
    let orders = [Sales.order(), Sales.order()]
    orders[1].id = 8
    orders[1].note = nil
    #expect(
      try coder.encodeArray(orders, only: \.note).text
        == #"[{"id":7,"note":"late","version":1},{"id":8,"note":null,"version":1}]"#)
    #expect(
      try coder.encodeArray(orders[1...], only: ["total"], includesKey: false, useEnvelope: true)
        .text == #"{"orders":[{"total":0,"version":1}]}"#)
    #expect(try coder.encodeArray([Order](), only: \.note).text == "[]")
    #expect(
      try coder.encodeArray([Order](), only: ["note"], useEnvelope: true).text == #"{"orders":[]}"#)
    #expect(kind { _ = try coder.encodeArray([Order](), only: ["nota"]) } == .notEncoded)
    #expect(
      message { _ = try coder.encodeArray(orders, only: ["nota"]) }
        == "[0] (Order): 'nota' is not an attribute; did you mean 'note'?")
  }

  @Test func `a key below a path and a compound key are written where they belong`() throws {
    let coder = try makeCoder()
    let nested = Sales.Nested()
    nested.id = "x"
    nested.other = Sales.Nested()
    #expect(
      try coder.encode(nested, only: \.label, \.other).text
        == #"{"meta":{"id":"x"},"label":null,"other":{"meta":{"id":""}}}"#)
    let visit = Sales.Visit()
    visit.user = 7
    visit.place = "cafe"
    #expect(
      try coder.encode(visit, only: \.rating).text == #"{"user":7,"place":"cafe","rating":null}"#)
  }

  @Test func `a resource of JSON:API has its type and its identifier`() throws {
    let coder = try makeCoder()
    let article = Sales.Article()
    article.id = "1"
    article.title = "T"
    #expect(
      try coder.encode(article, only: \.title, useEnvelope: true).text
        == #"{"data":{"type":"articles","id":"1","attributes":{"title":"T"}}}"#)
  }

  @Test(
    arguments: [
      ("nota", "(Order): 'nota' is not an attribute; did you mean 'note'?"),
      ("zzz", "(Order): 'zzz' is not an attribute"),
      ("gifts", "(Order.gifts): inverse links are never encoded"),
      ("isFavourite", "(Order.isFavourite): the attribute is never encoded"),
    ])
  func `a name that is not in bodies is refused`(name: String, text: String) throws {
    let coder = try makeCoder()
    #expect(message { _ = try coder.encode(Sales.order(), only: ["note", name]) } == text)
    #expect(kind { _ = try coder.encode(Sales.order(), only: [name]) } == .notEncoded)
  }

  @Test func `a deleted object is refused`() throws {
    let coder = try makeCoder()
    let order = Sales.order()
    try coder.store.write { try coder.store.add(order) }
    try coder.store.write { coder.store.delete(order) }
    #expect(
      message { _ = try coder.encode(order, only: \.note) } == "(Order): the object was deleted")
  }

  private final class Undeclared: Object {
    @Persisted(primaryKey: true) var id: Int
    @Persisted var name = ""
    @Persisted(.local) var mark = false
    @Persisted var secret = ""
    override class var codableIgnoredAttributes: [String] { ["secret"] }
    override class var codableAlwaysEncoded: [String] { ["nam", "secret", "mark"] }
  }

  @Test func `an attribute in every body must be one that is encoded`() throws {
    #expect(
      message { try makeCoder().check(Undeclared.self) }
        == """
        Undeclared.codableAlwaysEncoded: 'mark' is never encoded
        Undeclared.codableAlwaysEncoded: 'nam' is not an attribute; did you mean 'name'?
        Undeclared.codableAlwaysEncoded: 'secret' is never encoded
        """)
  }

  @Test(arguments: SeededRandom.seeds(1...5))
  func `bodies with random attributes decode to objects with these values`(seed: UInt64) throws {
    var random = SeededRandom(seed: seed)
    let coder = try makeCoder()
    let names = ["note", "total", "born", "city", "first", "second", "tags", "buyer", "owner"]
    for _ in 0..<30 {
      let order = Sales.order()
      order.note = random.below(2) == 0 ? nil : "n"
      order.total = Double(random.below(5))
      order.city = random.below(2) == 0 ? nil : "Rome"
      order.first = random.below(2) == 0 ? nil : "f"
      if random.below(2) == 0 { order.owner = nil }
      if random.below(2) == 0 { order.tags.append("t") }
      let some = names.filter { _ in random.below(2) == 0 }
      let other = try makeCoder()
      try other.store.write {
        let old = Sales.order()
        old.city = "Oslo"
        old.tags.append("old")
        try other.store.add(old)
      }
      let result = try other.decode(
        Order.self, from: coder.encode(order, only: some), at: "")
      for name in some {
        let value = try other.encode(result, only: [name], includesKey: false)
        #expect(try value == coder.encode(order, only: [name], includesKey: false), "\(some)")
      }
    }
  }
}

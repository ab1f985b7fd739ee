import Foundation
import ObjectStore
import TestSupport
import Testing

@Suite struct `Codable attributes` {
  struct Hours: CodablePersistable {
    var from = ""
    var to: String?
    var days: [Int] = []
  }

  struct Everything: CodablePersistable {
    var int8: Int8 = -3
    var uint64: UInt64 = .max
    var double = 0.1
    var whole = 2.0
    var float: Float = 0.1
    var decimal = Decimal(string: "12345678901234567890.123") ?? 0
    var date = Date(timeIntervalSinceReferenceDate: 700_000_000.123456)
    var data = Data([1, 2, 255])
    var url = URL(string: "https://example.org/a?b=c")
    var uuid = UUID(uuidString: "E621E1F8-C36C-495A-93FC-0C247A3E6E5F") ?? UUID()
    var flag = true
    var none: Int?
    var json: JSONValue = ["a": [1, nil, "x"]]
    var map: [String: [Int]] = ["b": [2], "a": []]
    var numbers: [Int: String] = [7: "x"]
    var kind = Kind.large
    var shape = Shape.circle(radius: 2)
  }

  enum Kind: String, Codable, Sendable { case small, large }
  enum Shape: Codable, Hashable, Sendable { case circle(radius: Double), empty }

  struct Picky: CodablePersistable {
    struct Refusal: Error, CustomStringConvertible { var description: String { "refused" } }
    var isBad = false
    func encode(to encoder: any Encoder) throws {
      if isBad { throw Refusal() }
      var container = encoder.singleValueContainer()
      try container.encode("good")
    }
    init() {}
    init(from decoder: any Decoder) throws {
      guard try decoder.singleValueContainer().decode(String.self) == "good" else {
        throw Refusal()
      }
    }
  }

  final class Shop: Object {
    @Persisted(primaryKey: true) var id: Int
    @Persisted var hours = Hours(from: "8")
    @Persisted var other: Hours?
    @Persisted var list: List<Hours>
    @Persisted var set: MutableSet<Hours>
    @Persisted var map: Map<String, Hours?>
    @Persisted var rings: Coded<[[[Double]]]>
    @Persisted var everything: Everything
    @Persisted var picky: Picky
  }

  private func shop(_ store: Store) throws -> Shop {
    try store.write { try store.create(Shop.self, value: ["id": 1]) }
  }

  @Test func `every type that Codable supports is stored and read back`() throws {
    let store = try Store()
    let shop = try shop(store)
    #expect(shop.hours == Hours(from: "8"))
    #expect(shop.everything == Everything())
    var other = Everything()
    other.date = Date(timeIntervalSinceReferenceDate: 700_000_001.000001)
    other.numbers = [:]
    other.none = 4
    other.shape = .empty
    try store.write { shop.everything = other }
    #expect(shop.everything == other)
  }

  @Test func `values are stored in files`() throws {
    let folder = try TemporaryFolder()
    let url = folder.file("shop.store")
    do {
      let store = try Store(configuration: .file(url))
      let shop = try shop(store)
      try store.write {
        shop.other = Hours(from: "9", to: "17", days: [1, 2])
        shop.list.append(Hours(from: "1"))
        shop.set.insert(Hours(from: "2"))
        shop.map["x"] = Hours(from: "3")
        shop.map["y"] = .some(nil)
        shop.rings.value = [[[8.5, 49], []]]
      }
    }
    let store = try Store(configuration: .file(url))
    let shop = try #require(store.object(ofType: Shop.self, forPrimaryKey: 1))
    #expect(shop.other == Hours(from: "9", to: "17", days: [1, 2]))
    #expect(Array(shop.list) == [Hours(from: "1")])
    #expect(shop.set.contains(Hours(from: "2")))
    #expect(shop.map["x"] == Hours(from: "3"))
    #expect(shop.map["y"] == .some(.none))
    #expect(shop.rings.value == [[[8.5, 49], []]])
    #expect(shop.everything == Everything())
  }

  @Test func `a value that did not change creates no version`() throws {
    let store = try Store()
    let shop = try shop(store)
    let version = store.version
    try store.write {
      shop.everything = Everything()
      shop.hours = Hours(from: "8")
    }
    #expect(store.version == version)
  }

  @Test func `queries compare Codable values by their JSON`() throws {
    let store = try Store()
    let shop = try shop(store)
    try store.write { shop.other = Hours(from: "9", days: [1]) }
    let shops = store.objects(Shop.self)
    #expect(shops.where { $0.hours == Hours(from: "8") }.count == 1)
    #expect(shops.where { $0.hours != Hours(from: "8") }.isEmpty)
    #expect(shops.where { $0.other == Hours(from: "9", days: [1]) }.count == 1)
    #expect(shops.where { $0.other == nil }.isEmpty)
    #expect(shops.where { $0.hours.in([Hours(), Hours(from: "8")]) }.count == 1)
  }

  @Test func `update dictionaries are checked by the type`() throws {
    let store = try Store()
    let shop = try shop(store)
    try store.write { shop["hours"] = Hours(from: "7") }
    #expect((shop["hours"] as? Hours)?.from == "7")
    try store.write {
      try store.create(
        Shop.self, value: ["id": 1, "hours": ["from": "5", "days": [3]]], update: .modified)
    }
    #expect(shop.hours == Hours(from: "5", days: [3]))
    let error = #expect(throws: StoreError.self) {
      try store.write {
        try store.create(
          Shop.self, value: ["id": 1, "hours": ["from": 5, "days": [3]]], update: .modified)
      }
    }
    #expect(
      error?.description
        == "Shop.hours: expected Hours, found from: expected String")
    #expect(throws: StoreError.self) {
      try store.write {
        try store.create(Shop.self, value: ["id": 1, "hours": nil], update: .modified)
      }
    }
    #expect(shop.hours == Hours(from: "5", days: [3]))
  }

  @Test func `a value that cannot be encoded fails the write`() throws {
    let store = try Store()
    let shop = try shop(store)
    var bad = Picky()
    bad.isBad = true
    let text = "Shop.picky: expected Picky that can be encoded, found refused"
    let error = #expect(throws: StoreError.self) { try store.write { shop.picky = bad } }
    #expect(error?.description == text)
    #expect(!shop.picky.isBad)
    let alone = Shop()
    alone.id = 2
    alone.picky = bad
    let second = #expect(throws: StoreError.self) { try store.write { try store.add(alone) } }
    #expect(second?.description == text)
    var infinite = Everything()
    infinite.double = .infinity
    let third = #expect(throws: StoreError.self) { try store.write { shop.everything = infinite } }
    #expect(third?.description.hasSuffix("inf is not a JSON number") == true)
    #expect(store.objects(Shop.self).count == 1)
  }

  struct Maybe: CodablePersistable {
    var value: Double?
    init() {}
    init(_ value: Double?) { self.value = value }
    init(from decoder: any Decoder) throws {
      value = try decoder.singleValueContainer().decode(Double?.self)
    }
    func encode(to encoder: any Encoder) throws {
      var container = encoder.singleValueContainer()
      try container.encode(value)
    }
  }

  final class Meter: Object {
    @Persisted(primaryKey: true) var id: Int
    @Persisted var reading: Maybe
    @Persisted var log: List<Maybe>
    @Persisted var json: JSONValue?
  }

  @Test func `a value that cannot be encoded fails an update dictionary, and equals no other`()
    throws
  {
    let store = try Store()
    try store.write { try store.create(Meter.self, value: ["id": 1]) }
    let bad = Maybe(.infinity)
    let updates: [(String, UpdateDictionary)] = [
      ("reading", ["id": 1, "reading": .init(bad)]), ("log", ["id": 1, "log": .init([bad])]),
      ("json", ["id": 1, "json": .init(bad)]),
    ]
    for (name, update) in updates {
      let error = #expect(throws: StoreError.self) {
        try store.write { _ = try store.create(Meter.self, value: update, update: .modified) }
      }
      #expect(
        error?.description
          == "Meter.\(name): expected Maybe that can be encoded, found inf is not a JSON number")
    }
    let error = #expect(throws: StoreError.self) {
      try store.write {
        _ = try store.create(
          Meter.self, value: ["id": 1, "reading": bad] as [String: Any], update: .modified)
      }
    }
    #expect(error?.description.hasPrefix("Meter.reading: expected Maybe that can be") == true)
    let meters = store.objects(Meter.self)
    #expect(meters.where { $0.reading == bad }.isEmpty)
    #expect(meters.where { $0.reading != bad }.count == 1)
    #expect(meters.where { $0.reading == Maybe(nil) }.count == 1)
  }

  @Test func `JSON that the type cannot read is kept and reads as the initial value`() throws {
    let folder = try TemporaryFolder()
    let url = folder.file("shop.store")
    let old = ObjectSchema(
      "Item", [Property("id", .int, isPrimaryKey: true), Property("hours", .json)])
    do {
      let store = try Store(configuration: .file(url), schemas: [old])
      try store.write {
        try store.create(
          dynamic: "Item", value: ["id": 1, "hours": ["from": 5, "more": true]])
      }
    }
    let store = try Store(configuration: .file(url))
    let item = try #require(store.object(ofType: Item.self, forPrimaryKey: 1))
    #expect(item.hours == Hours())
    try store.write { item.note = "x" }
    let json: JSONValue = ["from": 5, "more": true]
    #expect(try store.objects(Item.self).filter("hours == %@", json).count == 1)
    try store.write { item.hours = Hours(from: "6") }
    #expect(item.hours.from == "6")
  }

  final class Item: Object {
    @Persisted(primaryKey: true) var id: Int
    @Persisted var hours: Hours
    @Persisted var note: String?
  }

  struct Tree: CodablePersistable {
    var children: [Tree] = []

    static func nested(_ depth: Int) -> Tree {
      (1..<max(depth, 1)).reduce(Tree()) { tree, _ in Tree(children: [tree]) }
    }
  }

  @Test func `values may be nested 128 levels deep`() throws {
    // Each tree is an object and an array.
    let json = try JSONValue(encoding: [Tree.nested(63)])
    #expect(try json.decode([Tree].self) == [Tree.nested(63)])
    #expect(throws: EncodingError.self) { try JSONValue(encoding: [Tree.nested(70)]) }
    let deep = (0..<200).reduce(JSONValue.object(["children": []] as [String: JSONValue])) {
      tree, _ in
      ["children": [tree]]
    }
    #expect(throws: (any Error).self) { try deep.decode(Tree.self) }
  }
}

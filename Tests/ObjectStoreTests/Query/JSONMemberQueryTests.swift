import Foundation
import ObjectStore
import TestSupport
import Testing

@Suite struct `Queries of values inside JSON` {
  struct Hours: CodablePersistable {
    var from = ""
    var days: [Int] = []
  }

  final class Shop: Object {
    @Persisted(primaryKey: true) var id: Int
    @Persisted var name: String?
    @Persisted var limit = 0.0
    @Persisted var isOpen = false
    @Persisted var extra: JSONValue
    @Persisted var maybe: JSONValue?
    @Persisted var hours = Hours()
    @Persisted var log: List<JSONValue>
    @Persisted var branches: List<Shop>
    @Persisted var next: Shop?
  }

  /// Four shops. With a URL, they are read from the file.
  private func makeStore(inFile url: URL? = nil) throws -> Store {
    guard let url else { return try makeStore(.inMemory()) }
    _ = try makeStore(.file(url))
    return try ObjectStore.Store(configuration: .file(url))
  }

  private func makeStore(_ configuration: StoreConfiguration) throws -> Store {
    let store = try ObjectStore.Store(configuration: configuration)
    try store.write {
      let first = try store.create(Shop.self, value: ["id": 1])
      first.extra = [
        "from": "09:00", "rank": 1, "open": true, "tags": ["a", 2, nil], "é.": ["x": 1.0],
        "none": nil,
      ]
      (first.name, first.limit, first.isOpen) = ("09:00", 1, true)
      first.hours = Hours(from: "8", days: [1, 2])
      first.log = [["level": 3], "text"]
      let second = try store.create(Shop.self, value: ["id": 2])
      second.extra = ["from": "Ähre", "rank": 1.5, "open": "yes", "tags": [], "é.": 3]
      (second.maybe, second.next) = (["rank": 1.5], first)
      second.log = [["level": 1], ["level": "high"]]
      second.branches = [first]
      let third = try store.create(Shop.self, value: ["id": 3])
      third.extra = ["from": 9, "rank": .number("12345678901234567890.5"), "tags": "a"]
      third.branches = [first, second]
      try store.create(Shop.self, value: ["id": 4])
    }
    return store
  }

  @Test(arguments: [false, true])
  func `the closure form compares values inside JSON`(inFile: Bool) throws {
    let folder = try TemporaryFolder()
    defer { folder.remove() }
    let store = try makeStore(inFile: inFile ? folder.file("shops.store") : nil)
    func ids(_ condition: (QueryPath<Shop>) -> some _QueryCondition) throws -> [Int] {
      let found = store.objects(Shop.self).where(condition)
      // The format form and the coded form have the same result.
      let predicate = StorePredicate(Shop.self, condition)
      let copy = try StorePredicate(predicate.description)
      #expect(copy == predicate)
      #expect(try store.objects(Shop.self).filter(copy).map(\.id) == found.map(\.id))
      let data = try JSONEncoder().encode(predicate)
      #expect(try JSONDecoder().decode(StorePredicate.self, from: data) == predicate)
      return found.map(\.id)
    }
    let from = "09:00"
    let noRank: Int? = nil
    #expect(try ids { $0.extra["from"] == from } == [1])
    #expect(try ids { $0.extra["from"] != from } == [2, 3, 4])
    #expect(try ids { $0.extra["from"] > "0" } == [1, 2])
    #expect(try ids { $0.extra["from"] >= 9 } == [3])
    #expect(try ids { $0.extra["from"] == nil } == [4])
    #expect(try ids { $0.extra["none"] == nil } == [1, 2, 3, 4])
    #expect(try ids { $0.extra["none"] != nil } == [])
    #expect(try ids { $0.extra["tags"] != nil } == [1, 2, 3])
    #expect(try ids { $0.extra["rank"] == 1.0 } == [1])
    #expect(try ids { $0.extra["rank"] == JSONValue.double(1) } == [1])
    #expect(try ids { $0.extra["rank"] < 2 } == [1, 2])
    #expect(try ids { $0.extra["rank"] > UInt64.max / 2 } == [3])
    #expect(try ids { $0.extra["rank"] == Decimal(string: "12345678901234567890.5") } == [3])
    #expect(try ids { $0.extra["rank"] == JSONValue.number("123456789012345678905e-1") } == [3])
    #expect(try ids { $0.extra["rank"] == 12345678901234567890 as UInt64 } == [])
    #expect(try ids { $0.extra["rank"] == noRank } == [4])
    #expect(try ids { $0.extra["rank"] < noRank } == [])
    #expect(try ids { $0.extra["rank"].between(1...1.5) } == [1, 2])
    #expect(try ids { $0.extra["rank"].in([1, 7]) } == [1])
    #expect(try ids { $0.extra["open"].in([true, "yes", nil]) } == [1, 2, 3, 4])
    #expect(try ids { $0.extra["open"] == true } == [1])
    #expect(try ids { $0.extra["open"] == 1 } == [])
    #expect(try ids { $0.extra["tags"] == ["a", 2, nil] } == [1])
    #expect(try ids { $0.extra["tags"] == [] } == [2])
    #expect(try ids { $0.extra["tags"][0] == "a" } == [1])
    #expect(try ids { $0.extra["tags"][2] == nil && $0.extra["tags"][1] != nil } == [1])
    #expect(try ids { $0.extra["tags"][3] != nil } == [])
    #expect(try ids { $0.extra["tags"]["a"] != nil } == [])
    #expect(try ids { $0.extra["é."]["x"] == 1 } == [1])
    #expect(try ids { $0.extra["e\u{301}."]["x"] == 1 } == [])
    #expect(try ids { $0.extra[0] != nil } == [])
    #expect(try ids { $0.maybe["rank"] == 1.5 } == [2])
    #expect(try ids { $0.extra["from"].contains(":") } == [1])
    #expect(try ids { $0.extra["from"].starts(with: "ä", options: .caseInsensitive) } == [2])
    #expect(try ids { $0.extra["from"].ends(with: "e") } == [2])
    #expect(try ids { $0.extra["from"].like("0?:*") } == [1])
    #expect(
      try ids {
        $0.extra["from"].equals("ahre", options: [.caseInsensitive, .diacriticInsensitive])
      } == [2])
    #expect(try ids { $0.hours["from"] == "8" && $0.hours["days"][1] == 2 } == [1])
    #expect(try ids { $0.next.extra["rank"] == 1 } == [2])
    #expect(try ids { $0.log.any { $0["level"] > 2 } } == [1])
    #expect(try ids { $0.log.any { $0["level"] == "high" } } == [2])
    #expect(try ids { $0.branches.any { $0.extra["rank"] > 1 } } == [3])
    #expect(try ids { $0.branches.all { $0.extra["rank"] == 1 } && $0.id < 3 } == [1, 2])
    #expect(try ids { $0.branches.none { $0.extra["rank"].in([1.5]) } } == [1, 2, 4])
    #expect(try ids { $0.branches.any { $0.log.any { $0["level"].between(2...3) } } } == [2, 3])
    #expect(try ids { $0.branches.any { $0.extra["rank"] == 1 && $0.id == 1 } } == [2, 3])
    #expect(try ids { $0.extra["from"] == $0.name } == [1, 4])
    #expect(try ids { $0.extra["from"] != $0.name } == [2, 3])
    #expect(try ids { $0.extra["rank"] >= $0.limit } == [1, 2, 3])
    #expect(try ids { $0.extra["rank"] > $0.limit } == [2, 3])
    #expect(try ids { $0.extra["rank"] < $0.limit || $0.extra["rank"] <= $0.limit } == [1])
    #expect(try ids { $0.extra["open"] == $0.isOpen } == [1])
    #expect(try ids { $0.extra["rank"] == $0.maybe["rank"] } == [2, 4])
    #expect(try ids { $0.extra["rank"] != $0.maybe["rank"] } == [1, 3])
    #expect(try ids { $0.extra["none"] == $0.extra } == [4])
    #expect(
      try ids { shop in
        (1..<20).map { shop.extra["rank"] == $0 }.reduce(shop.extra["from"] == 9) { $0 || $1 }
      } == [1, 3])
  }

  @Test func `the format form compares values inside JSON`() throws {
    let store = try makeStore()
    func ids(_ format: String, _ arguments: Any?...) throws -> [Int] {
      try store.objects(Shop.self).filter(StorePredicate(format, arguments: arguments)).map(\.id)
    }
    #expect(try ids("extra['from'] > '0'") == [1, 2])
    #expect(try ids("extra[\"é.\"][ 'x' ] == 1") == [1])
    #expect(try ids("extra[%@] == %@", "rank", 1) == [1])
    #expect(try ids("extra['tags'][%@] == %@", 1, 2) == [1])
    #expect(try ids("'09:00' == extra['from']") == [1])
    #expect(try ids("1 < extra['rank']") == [2, 3])
    #expect(try ids("extra['from'] CONTAINS[c] 'HRE'") == [2])
    #expect(try ids("extra['rank'] IN {1, 1.5, 'x', nil}") == [1, 2, 4])
    #expect(try ids("extra['rank'] BETWEEN {1, 2}") == [1, 2])
    #expect(try ids("extra['tags'] == CAST('[\"a\", 2, null]', 'JSON')") == [1])
    #expect(try ids("ANY branches.extra['rank'] == 1.5") == [3])
    #expect(try ids("NONE log['level'] == 3") == [2, 3, 4])
    #expect(try ids("SUBQUERY(log, $x, $x['level'] < 3 OR $x == 'text').@count == 1") == [1, 2])
    #expect(try ids("next.extra['from'] == '09:00'") == [2])
    #expect(try ids("name == extra['from']") == [1, 4])
    #expect(try ids("limit < extra['rank']") == [2, 3])
  }

  @Test(arguments: [
    (
      "extra['a'] CONTAINS 3",
      "Shop.extra[\"a\"] is compared with a number, which does not support CONTAINS"
    ),
    ("extra['a'] < true", "Shop.extra[\"a\"] is compared with a Bool, which does not support <"),
    (
      "extra['a'] < extra['b']",
      "Shop.extra[\"a\"] is a value inside JSON, which does not support <"
    ),
    (
      "extra['a'] ==[c] 3",
      "Shop.extra[\"a\"] is compared with a number: [c] applies only to strings"
    ),
    (
      "extra['a'] TEXT 'x'", "Shop.extra[\"a\"] is a value inside JSON, which does not support TEXT"
    ),
    ("name['a'] == 1", "Shop.name is a string, not JSON: [\"a\"] cannot be read"),
    ("next['a'] == 1", "Shop.next is an object, not JSON: [\"a\"] cannot be read"),
    ("ANY extra['a'] == 1", "Shop.extra is JSONValue, not a collection"),
    ("1 IN extra['a']", "Shop.extra[\"a\"] is a value inside JSON, not a collection"),
    (
      "extra[-1] == 1",
      "the query \"extra[-1] == 1\": expected a name in quotes or an index at column 7"
    ),
    (
      "extra[a] == 1",
      "the query \"extra[a] == 1\": expected a name in quotes or an index at column 7"
    ),
    (
      "`edited == true",
      "the query \"`edited == true\": expected a name at column 1"
    ),
    ("extra['a' == 1", "the query \"extra['a' == 1\": expected ']' at column 11"),
    ("extra['a'].b == 1", "the query \"extra['a'].b == 1\": expected an operator at column 11"),
    ("extra['a'] == CAST(0, 'NSDate')", "Shop.extra[\"a\"]: expected JSON, found a Date"),
  ])
  func `mistakes in paths inside JSON throw an error`(
    _ format: String, _ message: String
  ) throws {
    let error = #expect(throws: StoreError.self) {
      try Store().objects(Shop.self).filter(format)
    }
    #expect(error?.description == message)
  }

  @Test func `sorting by a value inside JSON throws an error`() throws {
    let error = #expect(throws: StoreError.self) {
      try Store().objects(Shop.self).sorted(by: [StoreSortDescriptor("extra['a']")])
    }
    #expect(error?.description == "Shop: 'extra['a']' is not an attribute")
  }

  @Test func `a negative index of an array finds no value`() throws {
    let store = try Store()
    try store.write { try store.create(Shop.self, value: ["id": 1, "extra": .json([1, [2]])]) }
    let shops = store.objects(Shop.self)
    #expect(shops.where { $0.extra[0] == 1 && $0.extra[1][0] == 2 }.count == 1)
    for index in [-1, .min] {
      #expect(shops.where { $0.extra[index] == 1 || $0.extra[1][index] == 2 }.isEmpty)
      #expect(shops.where { $0.extra[index] == nil }.count == 1)
      let predicate = StorePredicate(Shop.self) { $0.extra[index] == nil }
      #expect(try StorePredicate(predicate.description) == predicate)
    }
  }

  @Test func `live results follow changes inside JSON`() throws {
    let store = try makeStore()
    let shops = store.objects(Shop.self).where { $0.extra["rank"] == 1 }
    #expect(shops.map(\.id) == [1])
    try store.write { try store.update(Shop.self, key: 4, \.extra <- ["rank": 1.0]) }
    #expect(shops.map(\.id) == [1, 4])
    try store.write { try store.update(Shop.self, key: 1, \.extra <- ["rank": "1"]) }
    #expect(shops.map(\.id) == [4])
    #expect(
      shops.explainQuery() == """
        Shop: every row: 4 candidates
          where extra["rank"] == 1: 1 found
        """)
  }

  // MARK: - Random

  @Test(arguments: SeededRandom.seeds(1...4))
  func `random conditions match the same objects as a model in Swift`(seed: UInt64) throws {
    var random = SeededRandom(seed: seed)
    let store = try ObjectStore.Store(configuration: .inMemory())
    let values = (0..<120).map { _ in Self.value(&random, depth: 3) }
    try store.write {
      for (id, value) in values.enumerated() {
        try store.create(Shop.self, value: ["id": .init(id), "extra": .json(value)])
      }
    }
    for _ in 0..<SeededRandom.steps(300) {
      let path = (0..<1 + random.below(3)).map { _ in
        random.once(in: 3) ? Step.index(random.below(3)) : .name(Self.name(&random))
      }
      let constant = Self.value(&random, depth: random.below(2))
      let operations: [Operation]
      switch constant {
      case .int, .double: operations = Operation.allCases
      case .string: operations = Operation.allCases
      default: operations = [.equal, .notEqual]
      }
      let operation = operations[random.below(operations.count)]
      let predicate = try StorePredicate(
        "extra\(path.map(\.text).joined()) \(operation.rawValue) %@", constant)
      let expected = values.indices.filter {
        operation.holds(path.reduce(values[$0]) { value, step in step.apply(value) }, constant)
      }
      #expect(
        try store.objects(Shop.self).filter(predicate).map(\.id) == expected, "\(predicate)")
      #expect(try StorePredicate(predicate.description) == predicate)
    }
  }

  private enum Step {
    case name(String), index(Int)

    var text: String {
      switch self {
      case .name(let name): "['\(name)']"
      case .index(let index): "[\(index)]"
      }
    }

    func apply(_ value: JSONValue?) -> JSONValue? {
      switch self {
      case .name(let name): value?[name]
      case .index(let index): value?[index]
      }
    }
  }

  private enum Operation: String, CaseIterable {
    case equal = "=="
    case notEqual = "!="
    case less = "<"
    case lessOrEqual = "<="
    case greater = ">"
    case greaterOrEqual = ">="

    func holds(_ value: JSONValue?, _ constant: JSONValue) -> Bool {
      let value = value.flatMap { $0.isNull ? JSONValue?.none : $0 }
      let constant = constant.isNull ? JSONValue?.none : constant
      switch self {
      case .equal: return Self.order(value, constant) == 0 || value == constant
      case .notEqual: return !Operation.equal.holds(value, constant ?? .null)
      case .less: return Self.order(value, constant).map { $0 < 0 } ?? false
      case .lessOrEqual: return Self.order(value, constant).map { $0 <= 0 } ?? false
      case .greater: return Self.order(value, constant).map { $0 > 0 } ?? false
      case .greaterOrEqual: return Self.order(value, constant).map { $0 >= 0 } ?? false
      }
    }

    /// The order of two numbers or two strings; nil for other values.
    private static func order(_ a: JSONValue?, _ b: JSONValue?) -> Int? {
      if let a = a?.decimalValue, let b = b?.decimalValue { return a < b ? -1 : a > b ? 1 : 0 }
      guard let a = a?.stringValue, let b = b?.stringValue else { return nil }
      if a.utf8.elementsEqual(b.utf8) { return 0 }
      return a.utf8.lexicographicallyPrecedes(b.utf8) ? -1 : 1
    }
  }

  private static func name(_ random: inout SeededRandom) -> String {
    ["a", "b", "B", "é", "", "aa"][random.below(6)]
  }

  private static func value(_ random: inout SeededRandom, depth: Int) -> JSONValue {
    switch random.below(depth > 0 ? 12 : 8) {
    case 0: return .null
    case 1: return .bool(random.once(in: 2))
    case 2, 3: return .int(Int64(random.below(5)) - 2)
    case 4, 5: return .double(Double(random.below(9)) / 2 - 2)
    case 6: return .string(["", "a", "aa", "é", "B", "1"][random.below(6)])
    case 7: return .string("0")
    case 8: return .array((0..<random.below(4)).map { _ in value(&random, depth: depth - 1) })
    default:
      return .object(
        JSONObject(
          (0..<random.below(6)).map { _ in (name(&random), value(&random, depth: depth - 1)) }))
    }
  }
}

import Foundation
import ObjectStore
import StoreCoding
import Synchronization
import TestSupport
import Testing

@Suite struct `Codable attributes in JSON` {
  struct Hours: CodablePersistable {
    var from = ""
    var to: String?
    var days: [Day] = []
  }

  struct Day: Codable, Hashable, Sendable {
    var number: Int
    var date: Date?
  }

  struct Price: CodablePersistable {
    var amount: Decimal = 0
    var count: Int8?
  }

  final class Shop: Object {
    @Persisted(primaryKey: true) var id: Int
    @Persisted var hours: Hours
    @Persisted(.mismatch(.skipAttribute)) var other: Hours?
    @Persisted(.mismatch(.skipElement), .omitsEmpty) var list: List<Hours>
    @Persisted(.omitsEmpty) var map: Map<String, Hours?>
    @Persisted(.omitsEmpty) var rings: List<Coded<[[Double]]>>
    @Persisted var price: Price?
  }

  private let text =
    #"{"id":1,"hours":{"days":[{"date":"2018-05-18T14:53:37.250Z","number":2}],"from":"8","new":1.50},"#
    + #""other":{"days":[],"from":"9"},"list":[{"days":[],"from":"1"}],"#
    + #""map":{"a":{"days":[],"from":"2"},"b":null},"rings":[[[1,2.5],[]]]}"#

  @Test func `values are decoded, and encoded with the keys that the type does not read`() throws {
    let coder = try makeCoder()
    let shop = try coder.decode(Shop.self, text)
    #expect(shop.hours.days.first?.date == Date(timeIntervalSince1970: 1_526_655_217.25))
    #expect(shop.other?.from == "9")
    #expect(shop.list.map(\.from) == ["1"])
    #expect(shop.map["b"] == .some(nil))
    #expect(shop.rings.first?.value == [[1, 2.5], []])
    let body = try coder.text(shop)
    #expect(body == text)
    #expect(try coder.read(Shop.self, from: Data(body.utf8)).unchanged == 1)
    #expect(try coder.encode(shop.frozen()).text == body)
  }

  struct Level: CodablePersistable {
    var value = 0.0
  }

  final class Gauge: Object {
    @Persisted(primaryKey: true) var id: Int
    @Persisted var level: Level
    @Persisted(.acceptsSingleValue, .emptyAsNil) var log: List<Level>
  }

  @Test func `an unmanaged object with a value that cannot be encoded is an error`() throws {
    let gauge = Gauge()
    gauge.level = Level(value: .infinity)
    #expect(
      message { _ = try makeCoder().text(gauge) }
        == "level (Gauge.level): expected Level that can be encoded, found inf is not a JSON number"
    )
  }

  @Test func `empty values in place of a list of Codable values are read as null`() throws {
    let coder = try makeCoder()
    for empty in [#""""#, "false", "[]"] {
      let gauge = try coder.decode(Gauge.self, #"{"id":1,"log":{"value":1}}"#)
      #expect(Array(gauge.log) == [Level(value: 1)])
      #expect(try coder.decode(Gauge.self, #"{"id":1,"log":\#(empty)}"#).log.isEmpty)
    }
  }

  @Test func `unmanaged objects are encoded in the same form`() throws {
    let coder = try makeCoder()
    let shop = Shop()
    shop.id = 1
    shop.hours = Hours(
      from: "8", days: [Day(number: 2, date: Date(timeIntervalSince1970: 1_526_655_217.25))])
    shop.rings.append(Coded([[1, 2.5], []]))
    #expect(
      try coder.text(shop)
        == #"{"id":1,"hours":{"days":[{"date":"2018-05-18T14:53:37.250Z","number":2}],"from":"8"},"#
        + #""rings":[[[1,2.5],[]]]}"#)
  }

  @Test(arguments: [
    (
      #"{"id": 1, "hours": {"from": "8", "days": [{"number": 1}, {"number": "x"}]}}"#,
      #"hours.days[1].number (Shop.hours, id 1): expected Int, found string "x" at line 1, column 69"#
    ),
    (
      #"{"id": 1, "hours": {"from": "8"}}"#,
      "hours (Shop.hours, id 1): expected the key 'days', found an object at line 1, column 20"
    ),
    (
      #"{"id": 1, "hours": {"days": [{"date": "soon", "number": 1}], "from": "8"}}"#,
      #"hours.days[0].date (Shop.hours, id 1): expected a date (ISO 8601), found string "soon" at line 1, column 39"#
    ),
    (
      #"{"id": 1, "hours": []}"#,
      "hours (Shop.hours, id 1): expected an object, found an array at line 1, column 20"
    ),
    (
      #"{"id": 1, "hours": null}"#,
      "hours (Shop.hours, id 1): null for a Hours that is not optional at line 1, column 20"
    ),
    (
      #"{"id": 1, "price": {"amount": 1e-129}}"#,
      "price.amount (Shop.price, id 1): number 1e-129 is outside the range of Decimal at line 1, column 31"
    ),
    (
      #"{"id": 1, "price": {"amount": 1, "count": 300}}"#,
      "price.count (Shop.price, id 1): number 300 is outside the range of Int8 at line 1, column 43"
    ),
    (
      #"{"id": 1, "price": {"amount": 1, "count": 1e30}}"#,
      "price.count (Shop.price, id 1): number 1e30 is outside the range of Int8 at line 1, column 43"
    ),
    (
      #"{"id": 1, "price": {"amount": 1, "count": 1.5}}"#,
      "price.count (Shop.price, id 1): expected Int8, found number 1.5 at line 1, column 43"
    ),
    (
      #"{"id": 1, "rings": [[[1], [1e400]]]}"#,
      "rings[0][1][0] (Shop.rings, id 1): number 1e400 is outside the range of Double at line 1, column 28"
    ),
    (
      #"{"id": 1, "rings": [[[1], ["x"]]]}"#,
      #"rings[0][1][0] (Shop.rings, id 1): expected Double, found string "x" at line 1, column 28"#
    ),
  ])
  func `a value that the type refuses is an error at the inner value`(
    text: String, expected: String
  ) throws {
    #expect(message { try makeCoder().decode(Shop.self, text) } == expected)
  }

  @Test func `policies apply to values that the type refuses`() throws {
    let coder = try makeCoder()
    try coder.decode(Shop.self, text)
    let result = try coder.read(
      Shop.self,
      from: Data(
        #"{"id":1,"other":{"from":5,"days":[]},"list":[{"from":"1"},{"from":"2","days":[]}]}"#.utf8)
    )
    #expect(result.objects.first?.other?.from == "9")
    #expect(result.objects.first?.list.map(\.from) == ["2"])
    #expect(result.issues.map(\.path) == ["other.from", "list[0]"])
  }

  /// Counts how often a value is decoded.
  struct Counted: CodablePersistable {
    static let count = Mutex(0)
    var value = 0

    init() {}

    init(from decoder: any Decoder) throws {
      Self.count.withLock { $0 += 1 }
      value = try decoder.singleValueContainer().decode(Int.self)
    }

    func encode(to encoder: any Encoder) throws {
      var container = encoder.singleValueContainer()
      try container.encode(value)
    }
  }

  final class Counter: Object {
    @Persisted(primaryKey: true) var id: String
    @Persisted var counted: Counted
  }

  @Test func `a value that equals the stored one is not decoded again`() throws {
    let coder = try makeCoder()
    func decodings(_ text: String) throws -> Int {
      let before = Counted.count.withLock { $0 }
      try coder.decodeArray(Counter.self, text)
      return Counted.count.withLock { $0 } - before
    }
    let page = #"[{"id":"a","counted":1},{"id":"b","counted":2}]"#
    // The first use of the class reads its defaults.
    _ = try decodings("[]")
    #expect(try decodings(page) == 2)
    let version = coder.store.version
    #expect(try decodings(page) == 0)
    #expect(coder.store.version == version)
    #expect(try decodings(page.replacing("2", with: "3")) == 1)
    #expect(try decodings(#"[{"counted":1,"id":"a"}]"#) == 1)
    #expect(coder.store.objects(Counter.self).map(\.counted.value) == [1, 3])
    #expect(kind { try coder.decode(Counter.self, #"{"id":"a","counted":"x"}"#) } == .typeMismatch)
  }

  @Test func `explain shows the Codable type`() throws {
    #expect(try makeCoder().explain(Shop.self).contains("Hours?"))
  }
}

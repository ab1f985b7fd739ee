import Foundation
import ObjectStore
import Testing

@testable import StoreCoding
import TestSupport

@Suite struct `Audits of payloads` {
  enum Role: String, PersistableEnum {
    case guest, admin
  }

  final class Order: Object {
    @Persisted(primaryKey: true) var id: Int
    @Persisted var total: Double?
    @Persisted var note: String?
    @Persisted(json: "ship_to.city") var city: String?
    @Persisted var customer: Customer?
    @Persisted var lines: List<Line>
    @Persisted(.mismatch(.useDefault)) var level = 3
    @Persisted(.mismatch(.skipElement)) var codes: List<Int>
    @Persisted(json: "genre_ids", .aliases("genres")) var genreIds: List<Int>
    @Persisted var ratings: Map<String, Line?>
  }

  final class Customer: Object {
    @Persisted(primaryKey: true) var id: String
    @Persisted var role: Role?
    @Persisted(.unknown(.guest)) var rank = Role.guest
  }

  final class Line: EmbeddedObject {
    @Persisted var sku = ""
    @Persisted var count = 0
  }

  final class Keeper: Object {
    @Persisted(primaryKey: true) var id: Int
    @Persisted var line: Line?
    @Persisted(.unread) var rest: JSONValue = [:]
  }

  private func audit(_ text: String) throws -> Audit {
    try makeCoder().audit([Order].self, from: Data(text.utf8))
  }

  @Test func `an audit prints keys, values and attributes that do not match the mapping`() throws {
    let audit = try audit(
      #"""
      [
        {"id": 1, "total": 2.5, "nick": "Jo", "ship_to": {"city": "Bern", "zip": 3000},
         "customer": {"id": "a", "role": "owner", "rank": "boss", "vip": true},
         "lines": [{"sku": "x", "count": "2", "tax": 0.5}, {"sku": "y", "count": 1, "tax": 1}]},
        {"id": 2, "note": null, "nick": null, "level": "high", "codes": [1, "2", null],
         "ship_to": "Bern", "customer": "a", "lines": [7, {"sku": null}]},
        {"note": null, "genres": [1, 2], "ratings": {"a": {"sku": "z", "old": []}}},
        4
      ]
      """#)
    #expect(
      "\(audit)" == """
        1 payload, 3 objects

        keys that no attribute reads:
          path           class     count  kinds                first value  first place
          customer.vip   Customer  1      1 bool               true         [0].customer.vip, line 3, column 68
          lines.tax      Line      2      1 integer, 1 number  number 0.5   [0].lines[0].tax, line 4, column 48
          nick           Order     2      1 string, 1 null     string "Jo"  [0].nick, line 2, column 35
          ratings.*.old  Line      1      1 array              an array     [2].ratings.a.old, line 7, column 73
          ship_to.zip    Order     1      1 integer            number 3000  [0].ship_to.zip, line 2, column 76

        values that do not fit their attributes:
          path          attribute       count  outcome   expected                                      first value           first place
          .             –               1      refused   Order                                         number 4              [3], line 8, column 3
          codes         Order.codes     1      skipped   an element of List<Int> that is not optional  null                  [1].codes[2], line 5, column 76
          codes         Order.codes     1      skipped   Int                                           string "2"            [1].codes[1], line 5, column 71
          customer      Order.customer  1      refused   Customer?                                     string "a"            [1].customer, line 6, column 35
          id            Order.id        1      refused   a primary key                                 an object without it  [2], line 7, column 3
          level         Order.level     1      replaced  Int                                           string "high"         [1].level, line 5, column 50
          lines         Order.lines     1      refused   Line                                          number 7              [1].lines[0], line 6, column 50
          lines.count   Line.count      1      refused   Int                                           string "2"            [0].lines[0].count, line 4, column 36
          lines.sku     Line.sku        1      refused   a String that is not optional                 null                  [1].lines[1].sku, line 6, column 61
          ship_to.city  Order.city      1      refused   an object                                     string "Bern"         [1].ship_to, line 6, column 15

        raw values that no enum case has:
          path           attribute      count  outcome   raw values  expected             first place
          customer.rank  Customer.rank  1      replaced  1 boss      Role (guest, admin)  [0].customer.rank, line 3, column 53
          customer.role  Customer.role  1      refused   1 owner     Role (guest, admin)  [0].customer.role, line 3, column 36

        attributes never seen:
          path             attribute   objects
          ratings.*.count  Line.count  1

        attributes always null:
          path  attribute   nulls  objects
          note  Order.note  2      3
        """)
  }

  @Test func `suggestions declare attributes for the keys, by class`() throws {
    let audit = try audit(
      #"""
      [{"id": 1, "nick": "Jo", "class": 1, "Note": true, "a.b": {"c": 1}, "tags": ["x", null],
        "ship_to": {"zip": 3000}, "any": [1, "x"], "size": [1, 2.5], "none": null,
        "customer": {"id": "a", "vip": true}, "lines": [{"tax": 0.5}, {"tax": 1}],
        "ratings": {"a": {"tax": "high", "old": []}}}]
      """#)
    #expect(
      audit.suggestions == """
        // Customer
        @Persisted var vip: Bool?

        // Line
        @Persisted var tax: JSONValue?
        @Persisted(.omitsEmpty) var old: List<JSONValue>

        // Order
        @Persisted(json: "/a.b") var aB: JSONValue?
        @Persisted(json: "Note") var note2: Bool?
        @Persisted(.omitsEmpty) var any: List<JSONValue>
        @Persisted var `class`: Int?
        @Persisted var nick: String?
        @Persisted var none: JSONValue?
        @Persisted(json: "ship_to.zip") var shipToZip: Int?
        @Persisted(.omitsEmpty) var size: List<Double>
        @Persisted(.omitsEmpty) var tags: List<String?>
        """)
  }

  @Test func `a class that keeps unread keys has kept keys`() throws {
    let audit = try makeCoder().audit(
      Keeper.self, from: Data(#"{"id": 1, "x": 1, "line": {"y": 2}}"#.utf8))
    #expect(audit.keptKeys.map(\.path) == ["x"])
    #expect(audit.unreadKeys.map(\.path) == ["line.y"])
    #expect(!audit.isClean)
  }

  @Test func `keys inside elements of an array along a path are not kept`() throws {
    final class Shelf: Object {
      @Persisted(primaryKey: true) var id: Int
      @Persisted(json: "/boxes/0/size") var size: Int?
      @Persisted(json: "owner.name") var owner: String?
      @Persisted(.unread) var rest: JSONValue = [:]
    }
    let data = Data(
      #"{"id": 1, "boxes": [{"size": 2, "color": 3}], "owner": {"name": "a", "age": 4}, "x": 5}"#
        .utf8)
    let coder = try makeCoder()
    let audit = try coder.audit(Shelf.self, from: data)
    #expect(audit.keptKeys.map(\.path) == ["owner.age", "x"])
    #expect(audit.unreadKeys.map(\.path) == ["boxes.color"])
    #expect(try coder.decode(Shelf.self, from: data).rest == ["owner": ["age": 4], "x": 5])
    let other = try coder.audit(
      Shelf.self, from: Data(#"{"id": 1, "boxes": {"0": {"size": 2, "color": 3}, "x": 5}}"#.utf8))
    #expect(other.keptKeys.map(\.path) == ["boxes.0.color", "boxes.x"])
    #expect(other.unreadKeys.isEmpty)
    #expect(
      audit.suggestions == """
        // Shelf
        @Persisted(json: "/boxes/0/color") var boxes0Color: Int?
        """)
  }

  @Test func `keys of two classes at one path are counted separately`() throws {
    let coder = try makeCoder()
    var audit = try audit(#"[{"id": 1, "x": 1}]"#)
    audit.formUnion(try coder.audit(Customer.self, from: Data(#"{"id": "a", "x": "b"}"#.utf8)))
    #expect(audit.unreadKeys.map(\.path) == ["x", "x"])
    #expect(audit.unreadKeys.map(\.className) == ["Customer", "Order"])
    #expect(audit.unreadKeys.map(\.kinds) == [[.string: 1], [.integer: 1]])
  }

  @Test func `a payload that fits the mapping has a clean audit`() throws {
    let audit = try audit(#"[{"id": 1, "total": 1, "customer": {"id": "a"}, "genres": [1]}]"#)
    #expect(audit.isClean)
    #expect(audit.suggestions == "")
    #expect(
      "\(audit)".hasPrefix("1 payload, 1 object: each key is read, and each value is accepted\n\n"))
    #expect(
      audit.unseenAttributes.map(\.path) == [
        "codes", "customer.rank", "customer.role", "level", "lines", "note", "ratings",
        "ship_to.city",
      ])
  }

  @Test func `an audit does not change the store`() throws {
    let coder = try makeCoder()
    let version = coder.store.version
    _ = try coder.audit([Order].self, from: Data(#"[{"id": 1}]"#.utf8))
    #expect(coder.store.version == version)
    #expect(coder.store.objects(Order.self).isEmpty)
  }

  @Test func `the first alias in declared order counts, as in decoding`() throws {
    let clean = try audit(#"[{"id": 1, "genres": "x", "genre_ids": [1]}]"#)
    #expect(clean.isClean)
    #expect(try audit(#"[{"id": 1, "genre_ids": [1], "genres": "x"}]"#) == clean)
    let bad = try audit(#"[{"id": 1, "genres": [1, "x"]}]"#)
    #expect(bad.mismatches.map(\.path) == ["genre_ids"])
    #expect(bad.mismatches.first?.first.location == "[0].genres[1]")
  }

  @Test func `an envelope or a list that is missing is a mismatch`() throws {
    let coder = try makeCoder()
    func found(_ text: String, at path: String?) throws -> [String] {
      try coder.audit([Order].self, from: Data(text.utf8), at: path).mismatches.map {
        "\($0.expected), \($0.found), \($0.first)"
      }
    }
    #expect(
      try found(#"{"data": {"rows": []}}"#, at: "data.items") == [
        "the envelope 'data.items', an object, data, line 1, column 10"
      ])
    #expect(
      try found(#"{"data": 7}"#, at: "data") == [
        "an array of objects, number 7, data, line 1, column 10"
      ])
    #expect(
      try found(#"[{"node": {"id": 1}}, {"edge": 1}]"#, at: "/*/node") == [
        "the element at node, an object, [1], line 1, column 23"
      ])
  }

  @Test func `only text that is not JSON throws an error`() throws {
    #expect(
      message { _ = try audit(#"[{"id": "x"}, {"id": 1,, }]"#) }
        == #"expected a quoted key in an object, found ", }]" at line 1, column 24"#)
    #expect(
      message { _ = try audit(#"[{"id": 1, "note": tru}]"#) }
        == #"expected a JSON value, found "tru" at line 1, column 23"#)
    #expect(
      message { _ = try audit("[] x") }
        == #"unexpected text after the JSON value, found "x" at line 1, column 4"#)
    let deep = String(repeating: "[", count: 600)
    #expect(
      message { _ = try audit(#"[{"x": \#(deep)"#) }
        == "the limit of 512 nested arrays and objects is exceeded at line 1, column 518")
    #expect(
      message {
        _ = try makeCoder { $0.limits.byteCount = 3 }.audit(Order.self, from: Data("[   ]".utf8))
      } == "the limit of 3 bytes is exceeded: found 5 bytes")
  }

  // MARK: - Merging

  @Test func `a merged audit keeps the first places of the receiver`() throws {
    var audit = try audit(#"[{"id": 1, "x": 1}]"#)
    audit.formUnion(try self.audit(#"[{"id": 1}, {"id": 2, "x": "a", "y": 1}]"#))
    #expect(audit.payloadCount == 2)
    #expect(audit.objectCount == 3)
    #expect(audit.unreadKeys.map(\.count) == [2, 1])
    #expect(audit.unreadKeys[0].kinds == [.integer: 1, .string: 1])
    #expect(audit.unreadKeys.map(\.first.location) == ["[0].x", "[1].y"])
  }

  @Test func `the form of an encoded audit is stable`() throws {
    let audit = try audit(#"[{"id": 1, "x": [1], "customer": {"id": "a", "role": "b"}}, 2]"#)
    let encoder = JSONEncoder()
    encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
    let data = try encoder.encode(audit)
    #expect(try JSONDecoder().decode(Audit.self, from: data) == audit)
    #expect(
      data.text.contains(
        #""unreadKeys":{"entries":[{"className":"Order","count":1,"declaredPath":"x","elementKinds":{"integer":1},"first":{"column":17,"line":1,"location":"[0].x"},"found":"an array","kinds":{"array":1},"path":"x"}],"omittedCount":0}"#
      ))
    #expect(
      data.text.contains(
        #""unknownRawValues":{"entries":[{"attribute":"Customer.role","count":1,"expected":"Role (guest, admin)","first":{"column":54,"line":1,"location":"[0].customer.role"},"outcome":"refused","path":"customer.role","values":{"counts":{"b":1},"otherCount":0}}],"omittedCount":0}"#
      ))
  }

  // MARK: - Limits

  @Test func `the paths that sort first are listed, and others are counted`() throws {
    let keys = (0..<2_500).map { "k\(10_000 + $0 * 7_919 % 2_500)" }
    let members = keys.map { "\"\($0)\": 1" }.joined(separator: ", ")
    let audit = try audit("[{\"id\": 1, \(members)}, {\"id\": 1, \(members)}]")
    #expect(audit.unreadKeys.map(\.path) == Array(keys.sorted().prefix(1_000)))
    #expect(audit.unreadKeys.allSatisfy { $0.count == 2 })
    #expect(audit.omittedCount == 3_000)
    #expect("\(audit)".hasSuffix("3000 values at further paths, which are not listed"))
    #expect(!audit.isClean)
    var twice = audit
    twice.formUnion(audit)
    #expect(twice.omittedCount == 6_000)
    #expect(twice.unreadKeys.map(\.path) == audit.unreadKeys.map(\.path))
  }

  @Test func `raw values that sort first are listed, and others are counted`() throws {
    let roles = (0..<100).map { "r\(100 + $0 * 37 % 100)" }
    let elements = (roles + roles.reversed()).map {
      #"{"id": 1, "customer": {"id": "a", "role": "\#($0)"}}"#
    }
    let values = try audit("[\(elements.joined(separator: ", "))]").unknownRawValues[0]
    #expect(values.count == 200)
    #expect(values.counts.keys.sorted() == Array(roles.sorted().prefix(20)))
    #expect(values.counts.values.allSatisfy { $0 == 2 })
    #expect(values.otherCount == 160)
  }

  @Test func `the limit of elements and refused duplicates apply to audits`() throws {
    let limited = try makeCoder { $0.limits.elementCount = 2 }
    let list = Data(#"[{"id": 1}, {"id": 2}, {"id": 3}]"#.utf8)
    #expect(
      message { _ = try limited.audit([Order].self, from: list) }
        == "the limit of 2 elements is exceeded at line 1, column 24")
    let strict = try makeCoder { $0.duplicateKeys = .fail }
    let audit = try strict.audit(Order.self, from: Data(#"{"id": 1, "x": 1, "x": 2}"#.utf8))
    #expect(
      audit.mismatches.map { "\($0.expected) \($0.count) \($0.first)" }
        == ["each key once 1 line 1, column 19"])
  }

  @Test func `long keys with equal ends are separate entries`() throws {
    let keys = [1, 2, 3].map { "https://example.com/organisations/users/\($0)/name" }
    let members = keys.map { "\"\($0)\": 1" }.joined(separator: ",")
    let audit = try makeCoder().audit(Order.self, from: Data(#"{"id": 1, \#(members)}"#.utf8))
    #expect(audit.unreadKeys.map(\.count) == [1, 1, 1])
  }

  @Test func `array elements that no pointer reads are unread keys`() throws {
    final class Place: Object {
      @Persisted(json: "/at/0") var longitude = 0.0
      @Persisted(json: "/at/1") var latitude = 0.0
      @Persisted(.unread) var rest: JSONValue = [:]
    }
    let audit = try makeCoder().audit(
      Place.self, from: Data(#"{"at": [1, 2, 3, 4], "x": 1}"#.utf8))
    #expect(
      audit.unreadKeys.map { "\($0.path) \($0.count) \($0.first)" } == [
        "at.* 2 at[2], line 1, column 15"
      ])
    #expect(audit.keptKeys.map(\.path) == ["x"])
    #expect(!audit.isClean)
  }

  @Test func `hostile numbers of unknown keys take linear time and bounded memory`() throws {
    let coder = try makeCoder()
    func payload(_ keys: some Sequence<Int>) -> Data {
      let members = keys.map { "\"k\($0)\": 1" }
      return Data("{\"id\": 1, \(members.joined(separator: ", "))}".utf8)
    }
    func seconds(_ data: Data) throws -> Double {
      try threadSeconds { _ = try coder.audit(Order.self, from: data) }
    }
    // In descending order, each key replaces another.
    let small = try seconds(payload((20_000..<23_000).reversed()))
    let large = try seconds(payload((20_000..<32_000).reversed()))
    #expect(large < small * 12, "\(small) s for 3,000 keys, \(large) s for 12,000")
    let audit = try coder.audit(Order.self, from: payload(10_000..<14_000))
    #expect(audit.unreadKeys.count == 1_000)
    #expect(audit.omittedCount == 3_000)
    #expect(try JSONEncoder().encode(audit).count < 400_000)
  }

  @Test func `paths remain correct after more than 10,000 unknown keys in an object`() throws {
    let keys = (10_000..<22_000).map { #""k\#($0)": 1"# }.joined(separator: ", ")
    let customer = #"{"id": "a", \#(keys), "rank": 7}"#
    let audit = try audit(#"[{"id": 1, "customer": \#(customer), "zip": 1, "level": "x"}]"#)
    #expect(audit.unreadKeys.first?.path == "customer.k10000")
    #expect(audit.unreadKeys.allSatisfy { $0.path.hasPrefix("customer.k") })
    #expect(audit.omittedCount == 11_001)
    #expect(audit.mismatches.map(\.path) == ["customer.rank", "level"])
    #expect(
      audit.attributes.map(\.path).prefix(4) == [
        "codes", "customer", "customer.id", "customer.rank",
      ])
  }

  @Test func `the text of a path takes the same time at any depth`() {
    func seconds(depth: Int) -> Double {
      var paths = AuditPaths()
      for _ in 0..<depth { paths.append(.key("next")) }
      return threadSeconds {
        for _ in 0..<2_000 {
          paths.append(.key("value"))
          #expect(paths.text.hasSuffix("value"))
          paths.removeLast()
        }
      }
    }
    let (flat, deep) = (seconds(depth: 2), seconds(depth: 400))
    #expect(deep < flat * 3, "\(flat) s at a depth of 2, \(deep) s at 400")
  }

  @Test func `deeply nested objects are audited to the limit of the coder`() throws {
    final class Node: Object {
      @Persisted var next: Node?
      @Persisted var value = 0
    }
    let depth = 800
    let text =
      String(repeating: #"{"next": "#, count: depth) + #"{"value": "x", "y": 1}"#
      + String(repeating: "}", count: depth)
    let audit = try makeCoder { $0.limits.depth = 900 }
      .audit(Node.self, from: Data(text.utf8))
    #expect(audit.mismatches.map(\.count) == [1])
    #expect(audit.unreadKeys.map(\.count) == [1])
    #expect(audit.attributes.count < 400)
  }

  @Test func `values at aliases inside values at aliases take linear time`() throws {
    final class Node: Object {
      @Persisted(json: "next", .aliases("n")) var next: Node?
      @Persisted var value = 0
    }
    let coder = try makeCoder()
    func payload(depth: Int) -> Data {
      let text =
        String(repeating: #"{"n": "#, count: depth) + #"{"value": "x", "pad": [\#(pad)]}"#
        + String(repeating: "}", count: depth)
      return Data(text.utf8)
    }
    let pad = Array(repeating: #"{"a": [1, 2]}"#, count: 8_000).joined(separator: ", ")
    func seconds(_ data: Data) throws -> Duration {
      try ContinuousClock().measure {
        let audit = try coder.audit(Node.self, from: data)
        #expect(audit.mismatches.map(\.count) == [1])
        #expect(audit.unreadKeys.map(\.count) == [1])
      }
    }
    let (flat, deep) = try (seconds(payload(depth: 1)), seconds(payload(depth: 400)))
    // Reading the values again at each level takes 400 times as long.
    #expect(deep < flat * 150, "\(flat) for one level, \(deep) for 400")
  }
}

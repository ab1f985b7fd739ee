import Foundation
import ObjectStore
import StoreCoding
import TestSupport
import Testing

/// The strictest policy among the bad values of an object applies, regardless of the order of keys.
@Suite struct `Policies and the order of keys` {
  final class Part: EmbeddedObject {
    @Persisted var plain = 1
    @Persisted(.mismatch(.skipAttribute)) var skipped = 1
    @Persisted(.mismatch(.useDefault)) var defaulted = 1
    @Persisted(.mismatch(.skipElement)) var element = 1
    @Persisted(.mismatch(.throw)) var strict = 1
    @Persisted(.null(.fail)) var never: Int?
    @Persisted(json: "in.plain") var inner = 1
    @Persisted(json: "in.element", .mismatch(.skipElement)) var innerElement = 1
    @Persisted(json: "/at/1") var second = 1
    @Persisted(json: "/at/2", .mismatch(.skipElement)) var third = 1
    @Persisted var parts: List<Part>
    @Persisted var byName: Map<String, Part>
  }

  final class Whole: Object {
    @Persisted(primaryKey: true) var id: Int
    @Persisted var plain: Part?
    @Persisted(.mismatch(.skipAttribute)) var lenient: Part?
    @Persisted(.mismatch(.skipElement)) var element: Part?
    @Persisted(.mismatch(.throw)) var strict: Part?
    @Persisted var list: List<Part>
    @Persisted(.mismatch(.skipAttribute)) var lenientList: List<Part>
    @Persisted(.mismatch(.skipElement)) var elements: List<Part>
    @Persisted(.mismatch(.skipElement)) var elementMap: Map<String, Part>
  }

  /// Members of a `Part` with one bad value each, for different policies and locations.
  private static let bad = [
    #""plain":"x""#, #""skipped":"x""#, #""element":"x""#, #""strict":"x""#, #""never":null"#,
    #""in":{"plain":1,"element":"x"}"#, #""at":[0,"x",1]"#,
    #""parts":[{"plain":2},{"element":"x"}]"#, #""byName":{"a":{"strict":"x"},"b":{}}"#,
    #""byName":{"b":{},"a":{"plain":"x"}}"#,
  ]

  /// The locations of a `Part` in a `Whole`.
  private static let locations: [(open: String, close: String)] = [
    (#""plain":"#, ""), (#""lenient":"#, ""), (#""strict":"#, ""), (#""lenientList":[{},"#, ",{}]"),
    (#""elementMap":{"a":{},"b":"#, "}"), (#""lenient":{"parts":[{"parts":["#, "]}]}"),
    (#""elements":[{"byName":{"a":{"parts":["#, "]}}}]"),
  ]

  /// The result of a payload: an error, or the objects and the issues without their positions.
  private struct Outcome: Equatable {
    var isRejected = false
    var bodies = ""
    var issues: [String] = []
    /// True if the `Whole` was skipped.
    var isSkipped: Bool { !isRejected && !bodies.contains(#""id":1"#) }
  }

  private func outcome(_ text: String, _ coder: StoreCoder) throws -> Outcome {
    var outcome = Outcome(isRejected: true)
    if let result = try? coder.read([Whole].self, from: Data("[\(text)]".utf8)) {
      outcome.isRejected = false
      outcome.issues = result.issues.map {
        "\($0.path) \($0.attribute ?? "") \($0.key ?? "") \($0.expected ?? "") \($0.found ?? "")"
      }.sorted()
    }
    let store = coder.store
    outcome.bodies = try coder.encodeArray(store.objects(Whole.self)).text
    try store.write { store.delete(store.objects(Whole.self)) }
    return outcome
  }

  private static func whole(_ location: (open: String, close: String), _ members: [String])
    -> String
  {
    "{\"id\":1,\(location.open){\(members.joined(separator: ","))}\(location.close)},{\"id\":2}"
  }

  @Test(arguments: [AttributePolicy.Mismatches.throw, .useDefault, .skipElement])
  func `two bad values have the result of the stricter one in either order`(
    policy: AttributePolicy.Mismatches
  ) throws {
    let coder = try makeCoder { $0.mismatches = policy }
    for location in Self.locations {
      let alone = try Self.bad.map { try outcome(Self.whole(location, [$0]), coder) }
      for first in Self.bad.indices {
        for second in Self.bad.indices where first < second {
          let members = [Self.bad[first], Self.bad[second]]
          // Members with the same key are not combined.
          if members[0].prefix(4) == members[1].prefix(4) { continue }
          let one = try outcome(Self.whole(location, members), coder)
          let other = try outcome(Self.whole(location, members.reversed()), coder)
          #expect(one == other, "\(policy) \(Self.whole(location, members))")
          let both = [alone[first], alone[second]]
          let isRejected = both.contains(where: \.isRejected)
          #expect(one.isRejected == isRejected, "\(policy) \(Self.whole(location, members))")
          #expect(
            one.isSkipped == (!isRejected && both.contains(where: \.isSkipped)),
            "\(policy) \(Self.whole(location, members))")
        }
      }
    }
  }

  // MARK: - Every permutation

  final class Row: Object {
    @Persisted(primaryKey: true) var id: Int
    @Persisted var n = 0
    @Persisted var m = 0
    @Persisted(.mismatch(.skipAttribute)) var left = 0
    @Persisted(.mismatch(.skipElement)) var tag = 0
    @Persisted(.mismatch(.throw)) var must = 0
    @Persisted(.null(.fail)) var never: Int?
    @Persisted(.mismatch(.skipAttribute)) var link: Row?
    @Persisted(.mismatch(.skipElement)) var rows: List<Row>
  }

  /// All permutations of the members of one object.
  private static func permutations(_ members: [String]) -> [[String]] {
    guard let last = members.last else { return [[]] }
    return permutations(Array(members.dropLast())).flatMap { rest in
      (0...rest.count).map { rest[..<$0] + [last] + rest[$0...] }
    }
  }

  @Test(
    arguments: [
      (
        AttributePolicy.Mismatches.skipElement,
        [#""id":1"#, #""n":"x""#, #""must":"y""#, #""tag":"z""#], nil
      ),
      (.skipElement, [#""id":1"#, #""n":"x""#, #""never":null"#, #""left":"w""#], nil),
      (.throw, [#""id":1"#, #""tag":"x""#, #""n":"y""#, #""left":"w""#], nil),
      (.skipElement, [#""id":1"#, #""tag":"x""#, #""n":"y""#, #""left":"w""#], ["[0].n"]),
      (.throw, [#""id":1"#, #""tag":"x""#, #""link":{"n":1}"#, #""left":"w""#], ["[0].tag"]),
      (.throw, [#""id":1"#, #""link":{"id":2,"n":"x","must":"y"}"#, #""n":1"#], nil),
      (.throw, [#""id":1"#, #""rows":[{"n":"x","id":2,"never":null}]"#, #""left":"w""#], nil),
      (
        .throw, [#""id":1"#, #""rows":[{"n":"x"},{"id":2}]"#, #""left":"w""#],
        ["[0].left", "[0].rows[0].n"]
      ),
      (
        .throw, [#""id":1"#, #""link":{"n":"x"}"#, #""rows":[{"tag":"x"}]"#],
        ["[0].link.n", "[0].rows[0].tag"]
      ),
      (.skipElement, [#""id":"x""#, #""tag":"x""#, #""n":"y""#, #""left":"w""#], ["[0].id"]),
    ] as [(AttributePolicy.Mismatches, [String], [String]?)])
  func `every order of the members of an object has the same result`(
    policy: AttributePolicy.Mismatches, members: [String], issues: [String]?
  ) throws {
    for members in Self.permutations(members) {
      let coder = try makeCoder { $0.mismatches = policy }
      let data = Data("[{\(members.joined(separator: ","))}]".utf8)
      var found: [String]?
      do {
        found = try coder.read([Row].self, from: data).issues.map(\.path).sorted()
      } catch {
        #expect(error is StoreCodingError, "\(error)")
      }
      #expect(found == issues, "\(members)")
      #expect(
        coder.store.objects(Row.self).count { $0.id == 2 }
          == (data.text.contains("[{\"n\":\"x\"},{\"id\":2}]") ? 1 : 0))
    }
  }

  @Test
  func `a bad value that rejects the payload is reported even after one that skips its object`()
    throws
  {
    let coder = try makeCoder { $0.mismatches = .skipElement }
    #expect(
      message {
        try coder.decodeArray(Row.self, #"[{"id":1,"n":"x","link":{"id":7,"n":"x","must":"y"}}]"#)
      } == #"[0].link.must (Row.must, id 7): expected Int, found string "y" at line 1, column 48"#)
    #expect(
      message {
        try coder.decodeArray(Row.self, #"[{"id":1,"n":"x","left":}]"#)
      }.hasPrefix("[0].left (id 1): "))
  }

  /// Nested links, each with a bad value before and after the next.
  private static func nested(_ depth: Int) -> Data {
    let open = String(repeating: #"{"id":1,"n":"x","link":"#, count: depth)
    let close = String(repeating: #","m":"y"}"#, count: depth)
    return Data("[\(open){\"id\":2}\(close)]".utf8)
  }

  @Test(arguments: [AttributePolicy.Mismatches.throw, .skipElement])
  func `bad values at every level are decoded in linear time`(policy: AttributePolicy.Mismatches)
    throws
  {
    let coder = try makeCoder { $0.mismatches = policy }
    func seconds(_ depth: Int, _ count: Int) throws -> Double {
      let data =
        Data("{\"id\":1,\"rows\":[".utf8)
        + Data(
          Array(repeating: Self.nested(depth).dropFirst().dropLast(), count: count).joined(
            separator: [0x2C])) + Data("]}".utf8)
      return try (0..<3).map { _ in
        try threadSeconds { _ = try coder.decode(Row.self, from: data) }
      }.min() ?? 0
    }
    #expect(try seconds(300, 3) < seconds(4, 225) * 6)
  }
}

import Foundation
import ObjectStore
import StoreCoding
import TestSupport
import Testing

/// JSON values whose objects have their keys in any order, some duplicated, compared with values created in
/// code.
@Suite struct `Random JSON values` {
  final class Box: Object {
    @Persisted(primaryKey: true) var id = 1
    @Persisted var json: JSONValue = .null
  }

  /// A document of the value, with shuffled members and sometimes with an earlier duplicate of a member, which
  /// decoding replaces.
  private func text(_ value: JSONValue, _ random: inout SeededRandom) -> String {
    switch value {
    case .array(let elements):
      return "[" + elements.map { text($0, &random) }.joined(separator: ",") + "]"
    case .object(let members):
      var parts = members.shuffled(using: &random).map {
        #""\#($0.key)":"# + text($0.value, &random)
      }
      if let key = members.randomElement(using: &random)?.key,
        Int.random(in: 0..<3, using: &random) == 0
      {
        parts.insert(#""\#(key)":"# + text(tree(&random, depth: 6), &random), at: 0)
      }
      return "{" + parts.joined(separator: ",") + "}"
    case .string(let value): return #""\#(value)""#
    case .number(let value): return value
    case .double(let value): return "\(value)"
    case .int(let value): return "\(value)"
    case .bool(let value): return "\(value)"
    case .null: return "null"
    }
  }

  private func tree(_ random: inout SeededRandom, depth: Int = 0) -> JSONValue {
    switch Int.random(in: (depth > 7 ? 0 : depth)..<12, using: &random) {
    case 8...: break
    case 0..<3 where depth < 8:
      return .array((0..<random.next() % 4).map { _ in tree(&random, depth: depth + 1) })
    case 3..<8 where depth < 8:
      // Keys that are prefixes of each other, and keys of more than eight bytes.
      let keys = ["", "a", "ab", "b", "abcdefgh", "abcdefghi", "abcdefghj", "é", "z"]
      let count = Int.random(in: 0...5, using: &random)
      return .object(
        JSONObject(
          keys.shuffled(using: &random).prefix(count).map { ($0, tree(&random, depth: depth + 1)) })
      )
    default: break
    }
    let scalars: [JSONValue] = [
      .null, .bool(true), .bool(false), .int(-7), .int(.max), .double(2.5), .double(-0.0),
      .number("-65.613616999999977"), .number("1e400"), .string(""), .string("text"),
      .number("12345678901234567890"), .double(43.42027300000001), .double(1e22), .int(0),
    ]
    return scalars[Int(random.next() % UInt64(scalars.count))]
  }

  @Test(arguments: [1, 2, 3, 4] as [UInt64])
  func `decoded JSON values equal those created in code`(_ seed: UInt64) throws {
    var random = SeededRandom(seed: seed)
    let coder = try makeCoder()
    var deepest = 0
    for _ in 0..<400 {
      let value = tree(&random)
      let document = text(value, &random)
      deepest = max(deepest, document.utf8.count)
      let box = try coder.decode(Box.self, #"{"id":1,"json":\#(document)}"#)
      guard box.json == value else {
        Issue.record("\(document) became \(box.json), not \(value)")
        continue
      }
      let version = coder.store.version
      try coder.store.write { box.json = value }
      let body = try coder.text(box)
      _ = try coder.decode(Box.self, body)
      #expect(coder.store.version == version, "\(document), then \(body)")
    }
    #expect(deepest > 500)
  }

  @Test func `deep JSON values with unsorted keys are decoded in linear time`() throws {
    // The members of each level are in reverse order, and one is a long string.
    let coder = try makeCoder()
    let long = String(repeating: "x", count: 2000)
    func document(_ depth: Int) -> String {
      (0..<depth).map { _ in #"{"b":"\#(long)","a":"# }.joined() + "1"
        + String(repeating: "}", count: depth)
    }
    func seconds(_ depth: Int) throws -> Double {
      let text = #"{"id":1,"json":\#(document(depth))}"#
      return try threadSeconds {
        for _ in 0..<(400 / depth) * 2 { _ = try coder.read(Box.self, from: Data(text.utf8)) }
      }
    }
    // Two deep documents have as much content as forty shallow ones. Quadratic time would take twenty times as
    // long.
    #expect(try seconds(400) < 6 * seconds(20))
  }
}

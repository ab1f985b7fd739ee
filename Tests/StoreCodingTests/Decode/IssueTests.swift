import Foundation
import ObjectStore
@testable import StoreCoding
import TestSupport
import Testing

/// The issues of a result, and their cost.
@Suite struct `Issues of decoding` {
  private static func page(_ count: Int) -> Data {
    Data(#"{"id":1,"numbers":[\#((0..<count).map { #""\#($0)""# }.joined(separator: ","))]}"#.utf8)
  }

  @Test func `a result has the first 10,000 issues and the total count`() throws {
    let coder = try makeCoder()
    let result = try coder.read(Coding.Page.self, from: Self.page(10_001))
    #expect(result.issues.count == 10_000)
    #expect(result.issueCount == 10_001)
    // After 10 strings of four bytes with their commas, 90 of five, 900 of six and 8,999 of seven.
    #expect(
      result.issues[9_999].description
        == #"numbers[9999] (Page.numbers, id 1): expected Int, found string "9999" "#
        + "at line 1, column 68903")
    #expect(try coder.read(Coding.Page.self, from: Self.page(3)).issueCount == 3)
  }

  @Test func `removed issues are not counted, whether or not they were kept`() throws {
    let coder = try makeCoder()
    let bad = Array(repeating: #""x""#, count: 6_000).joined(separator: ",")
    let text =
      #"[{"id":1,"numbers":[\#(bad)]},{"id":2,"numbers":[\#(bad)],"numbers":["y"]},"#
      + #"{"id":3,"numbers":["z"]}]"#
    let result = try coder.read([Coding.Page].self, from: Data(text.utf8))
    #expect(result.issueCount == 6_003)
    // Issues that were kept before being removed count against the limit.
    #expect(result.issues.count == 6_000)
  }

  @Test
  func
    `20,000 issues are counted without affecting the position of an error`()
    throws
  {
    let page = Self.page(20_000)
    let coder = try makeCoder()
    #expect(try coder.decode(Coding.Page.self, from: page).numbers.isEmpty)
    #expect(try coder.read(Coding.Page.self, from: page).issueCount == 20_000)
    let end = #"],"id":"x"}"#
    let data = page.dropLast(2) + Data(end.utf8)
    #expect(
      message { _ = try coder.read(Coding.Page.self, from: data) }
        == #"id (Page.id): expected Int, found string "x" at line 1, column 148916"#)
  }

  final class Noted: Object {
    @Persisted(primaryKey: true) var id: Int
    @Persisted var members: Map<String, JSONValue>
    @Persisted var x: JSONValue
    @Persisted var y: JSONValue
  }

  @Test(arguments: [
    #""x":{"z":1,"z":2},"y":{"z":1,"z":2},"y":0,"x":0"#,
    #""x":{"z":1,"z":2},"y":{"z":1,"z":2},"x":0,"y":0"#,
    #""members":{"a":{"z":1,"z":2},"b":{"z":1,"z":2},"b":0,"a":0}"#,
    #""x":[{"z":1,"z":2},{"z":1,"z":2}],"y":{"z":{"z":1,"z":2},"z":2},"y":0,"x":{},"x":1"#,
  ])
  func `issues are counted once in any order of removal`(_ members: String) throws {
    let coder = try makeCoder()
    let result = try coder.read(Noted.self, from: Data("{\"id\":1,\(members)}".utf8))
    #expect(result.issueCount == result.issues.count)
    #expect(result.issues.allSatisfy { $0.kind == .duplicateKey })
  }

  /// Compares the log with a list of the remaining issues.
  @Test(arguments: 0..<50 as Range<UInt64>)
  func `the issue log counts the issues that were not removed`(seed: UInt64) {
    var random = SeededRandom(seed: seed)
    var log = IssueLog(limit: 100)
    var model: [Bool] = []
    for _ in 0..<200 {
      switch random.below(4) {
      case 0, 1:
        for _ in 0...random.below(70) {
          log.append(StoreCodingError(.duplicateKey))
          model.append(true)
        }
      case 2:
        let start = random.below(model.count + 1)
        let end = start + random.below(model.count - start + 1)
        log.remove(start..<end)
        for index in start..<end { model[index] = false }
      default:
        let count = model.count - random.below(min(model.count, 90) + 1)
        log.removeAll(from: count)
        model.removeLast(model.count - count)
      }
      #expect(log.count == model.count)
      #expect(log.reportedCount == model.count { $0 })
    }
  }

  final class Lenient: Object {
    @Persisted(primaryKey: true) var id: Int
    @Persisted(.mismatch(.skipAttribute)) var next: Lenient?
  }

  /// Nested links around a long string. Only the outermost object has a key.
  private static func nested(_ depth: Int) -> Data {
    let text = String(repeating: "x", count: 4_000_000)
    let open = String(repeating: #"{"next":"#, count: depth)
    let close = String(repeating: "}", count: depth)
    return Data(#"{"id":1,"next":\#(open){"x":"\#(text)"}\#(close)}"#.utf8)
  }

  @Test func `objects without a key are read once at any depth`() throws {
    let coder = try makeCoder()
    func seconds(_ depth: Int) throws -> Double {
      let data = Self.nested(depth)
      return try threadSeconds {
        let result = try coder.read(Lenient.self, from: data)
        #expect(result.issues.map(\.path) == ["next"])
      }
    }
    // Rereading the remainder at each level would take four hundred times as long.
    #expect(try seconds(400) < seconds(1) * 20)
  }
}

import Foundation
import ObjectStore
import StoreCoding
import TestSupport
import Testing

/// Errors stay short and on one line for any payload.
@Suite struct `Messages about payloads` {
  // MARK: - Keys in paths

  @Test(arguments: [
    (#""#, #"intMap."" (AllTypes.intMap, id 1): expected Int, found string "x""#),
    ("[0]", #"intMap."[0]" (AllTypes.intMap, id 1): expected Int, found string "x""#),
    ("a.b", #"intMap."a.b" (AllTypes.intMap, id 1): expected Int, found string "x""#),
    (#"a\"b"#, #"intMap."a\"b" (AllTypes.intMap, id 1): expected Int, found string "x""#),
    (
      #"x\nERROR admin logged in"#,
      #"intMap."x\nERROR admin logged in" (AllTypes.intMap, id 1): expected Int, found string "x""#
    ),
    (
      #"\u0000\u001b\u007f\u2028\u202e"#,
      #"intMap."\u{0}\u{1B}\u{7F}\u{2028}\u{202E}" (AllTypes.intMap, id 1): expected Int, found string "x""#
    ),
    ("größe-1_$", #"intMap.größe-1_$ (AllTypes.intMap, id 1): expected Int, found string "x""#),
  ])
  func `keys in paths are quoted only if they are ambiguous`(_ key: String, _ text: String) throws {
    let found = message {
      try makeCoder().decode(
        AllTypes.self, #"{"id":1,"intMap":{"\#(key)":"x"}}"#)
    }
    #expect(found.hasPrefix(text + " at line 1, column "))
  }

  @Test func `a key of one megabyte is clipped in messages`() throws {
    let key = String(repeating: "k", count: 1 << 20)
    let start = String(repeating: "k", count: 39) + "…"
    #expect(
      message {
        try makeCoder().decode(AllTypes.self, #"{"id":1,"intMap":{"\#(key)":"x"}}"#)
      }
        == "intMap.\(start) (AllTypes.intMap, id 1): expected Int, "
        + #"found string "x" at line 1, column 1048598"#)
    let twice = try makeCoder().read(
      AllTypes.self, from: Data(#"{"id":1,"intMap":{"\#(key)":1,"\#(key)":2}}"#.utf8))
    #expect(
      twice.issues.map(\.description) == [
        "intMap.\(start) (AllTypes.intMap, id 1): the key '\(String(repeating: "k", count: 41))…' "
          + "occurs twice in one object at line 1, column 1048600"
      ])
  }

  @Test func `values and primary keys are clipped at character boundaries`() throws {
    let flag = "👩‍👩‍👧‍👦"
    let found = message {
      try makeCoder().decode(
        Leaf.self,
        #"{"id":"\#(String(repeating: flag, count: 90))","name":{}}"#)
    }
    #expect(
      found
        == #"name (Leaf.name, id "\#(flag)\#(flag)\#(flag)…"): expected String, found an object "#
        + "at line 1, column 647")
    let marks = "e" + String(repeating: "\u{301}", count: 10_000)
    let other = message {
      try makeCoder().decode(Coding.Policies.self, #"{"id":1,"plain":"\#(marks)"}"#)
    }
    #expect(other.utf8.count < 300)
    #expect(!other.unicodeScalars.contains("\u{FFFD}"))
  }

  // MARK: - Large payloads

  @Test func `the error for a missing envelope lists ten keys and the number of others`() throws {
    let text = "{" + (0..<100_000).map { "\"k\($0)\":1" }.joined(separator: ",") + "}"
    #expect(
      message { try makeCoder().decodeArray(Coding.User.self, text) }
        == "expected the envelope 'users', found the keys 'k0', 'k1', 'k2', 'k3', 'k4', 'k5', 'k6', "
        + "'k7', 'k8', 'k9' and 99,990 more at line 1, column 1")
    let long =
      "{"
      + (0..<11).map { "\"\(String(repeating: "\u{0}é", count: 99))\($0)\":1" }
      .joined(separator: ",").replacingOccurrences(of: "\u{0}", with: "\\u0000") + "}"
    let found = message { try makeCoder().decodeArray(Coding.User.self, long) }
    #expect(found.utf8.count <= 1024)
    #expect(found.hasSuffix(" and 1 more at line 1, column 1"))
  }

  @Test func `a long path is shortened in the middle`() throws {
    let text =
      #"{"id":1,"next":{"links":["# + String(repeating: #"{"id":1,"next":"#, count: 300)
      + #"{"id":"x"}"# + String(repeating: "}", count: 300) + "]}}"
    let error = #expect(throws: StoreCodingError.self) {
      try makeCoder().decode(Coding.KeyedLink.self, text)
    }
    let path = try #require(error?.path)
    #expect(path.hasPrefix("next.links[0].next.next.next."))
    #expect(path.hasSuffix(".next.next.id"))
    #expect(path.contains(".next.….next."))
    #expect(path.utf8.count < 300)
  }

  @Test(
    arguments: [
      ("[]", "an array at line 1, column 1"), ("5", "number 5 at line 1, column 1"),
      (#"{"data":5}"#, "number 5 at line 1, column 9"),
      (#"{"data":{"items":"x"}}"#, #"string "x" at line 1, column 18"#),
      (#"{"data":{"items":[]}}"#, "an array of 0 at line 1, column 18"),
      (#"{"data":{"items":[1,2]}}"#, "an array of 2 at line 1, column 18"),
      (#"{"data":{}}"#, "no keys at line 1, column 9"),
    ])
  func `the value found instead of an envelope is described`(text: String, found: String) throws {
    final class Deep: Object {
      @Persisted(primaryKey: true) var id: Int
      override class var objectEnvelope: String? { "/data/items/2" }
    }
    let coder = try makeCoder()
    let failure = message { try coder.decode(Deep.self, text) }
    #expect(failure.hasSuffix("expected the envelope '/data/items/2', found \(found)"))
  }

  // MARK: - Positions

  @Test(.timeLimit(.minutes(10)))
  func `each of 10,000 issues has its line and column`() throws {
    let coder = try makeCoder { $0.mismatches = .skipAttribute }
    let elements = (0..<10_000).map { "{\"id\":\($0),\r\n\"plain\":\"é\"}" }
    let text = "[" + elements.joined(separator: ",") + "]"
    let result = try coder.read([Coding.Policies].self, from: Data(text.utf8))
    #expect(result.issues.count == 10_000)
    let texts = result.issues.map(\.description)
    #expect(
      texts[0]
        == "[0].plain (Policies.plain, id 0): expected Int, found string \"é\" at line 2, column 9")
    #expect(
      texts[9_999]
        == "[9999].plain (Policies.plain, id 9999): expected Int, found string \"é\" "
        + "at line 10001, column 9")
    // On a single line, columns are counted incrementally and not from the beginning each time.
    let line = try coder.read(
      [Coding.Policies].self, from: Data(text.replacingOccurrences(of: "\r\n", with: "").utf8))
    #expect(line.issues.map { $0.position?.line } == Array(repeating: 1, count: 10_000))
  }

  @Test func `issues that are recorded out of order are sorted and have correct positions`()
    throws
  {
    // Duplicate keys of a map are detected at its end, after the issue inside it.
    let coder = try makeCoder { $0.mismatches = .skipAttribute }
    let result = try coder.read(
      AllTypes.self,
      from: Data(
        """
        {"id":1,"leafMap":{"k":{"id":"a"},
        "k":{"id":"b"},"l":{"id":"c",
        "name":3}}}
        """.utf8))
    #expect(
      result.issues.map(\.description) == [
        "leafMap.k (AllTypes.leafMap, id 1): the key 'k' occurs twice in one object "
          + "at line 2, column 1",
        #"leafMap.l.name (Leaf.name, id "c"): expected String, found number 3 at line 3, column 8"#,
      ])
  }

  @Test(.timeLimit(.minutes(10)))
  func `2,000 issues at a depth of 400 have their own paths and keys`() throws {
    let coder = try makeCoder { $0.mismatches = .skipAttribute }
    let leaves = (0..<2_000).map { "{\"id\":\($0),\"next\":1}" }.joined(separator: ",")
    let text =
      String(repeating: #"{"id":-1,"next":"#, count: 400) + #"{"id":-2,"links":[\#(leaves)]}"#
      + String(repeating: "}", count: 400)
    let issues = try coder.read(Coding.KeyedLink.self, from: Data(text.utf8)).issues
    #expect(issues.count == 2_000)
    #expect(issues[1_999].path.hasSuffix(".next.next.links[1999].next"))
    #expect(issues[1_999].path.hasPrefix("next.next."))
    #expect(issues[1_999].key == "id 1999")
  }

  @Test func `the localized description of an error equals its description`() throws {
    let error = #expect(throws: StoreCodingError.self) {
      try makeCoder().decode(Leaf.self, #"{"id":"a","name":3}"#)
    }
    #expect(
      error?.localizedDescription
        == #"name (Leaf.name, id "a"): expected String, found number 3 at line 1, column 18"#)
    #expect(error?.localizedDescription == error?.description)
  }

  @Test func `an error about a dictionary has a path but no position`() throws {
    let coder = try makeCoder()
    let error = #expect(throws: StoreCodingError.self) {
      try coder.decode(Leaf.self, from: ["id": "a", "name": 3])
    }
    #expect(
      error.map { "\($0)" } == #"name (Leaf.name, id "a"): expected String, found number 3"#)
    #expect(error?.byteOffset == nil)
    #expect(error?.position == nil)
    #expect(
      message { try coder.decodeArray(Leaf.self, from: [["id": "a"], ["name": "b"]]) }
        == "[1] (Leaf.id): no value for the primary key 'id', found the key 'name'")
  }

  // MARK: - Random payloads

  private static let pieces = [
    "\\n", "\\u0000", "\\u001b[31m", "\u{7F}", "\u{85}", "\u{2028}", "\u{202E}", "👩‍👩‍👧", "e\u{301}",
    "é",
    ".", "[0]", "\\\"", "\\\\", " ", "", "a", "中", "\\ud83d\\ude00", "id", "'", "…",
  ]

  private func hostileText(_ generator: inout SeededRandom) -> String {
    let count = [0, 1, 2, 5, 60, 3000].randomElement(using: &generator) ?? 0
    return (0..<count).map { _ in Self.pieces.randomElement(using: &generator) ?? "" }.joined()
  }

  private func hostileValue(_ generator: inout SeededRandom, depth: Int) -> String {
    let keys = [
      "id", "name", "json", "exact", "leafMap", "intMap", "strings", "leaves", "next", "links",
      "user", "users", "data", "rank", "publisher", "decimals", "urls", "allSpecies",
    ]
    switch Int.random(in: 0..<(depth > 0 ? 10 : 6), using: &generator) {
    case 0: return "null"
    case 1: return "true"
    case 2: return String(repeating: "9", count: Int.random(in: 1...400, using: &generator))
    case 3, 4: return "\"\(hostileText(&generator))\""
    case 5:
      return ["1e999", "-", "01", "\"", "tru", "{", "}"].randomElement(using: &generator) ?? ""
    case 6:
      return "["
        + (0..<Int.random(in: 0...4, using: &generator)).map { _ in
          hostileValue(&generator, depth: depth - 1)
        }.joined(separator: ",") + "]"
    default:
      return "{"
        + (0..<Int.random(in: 0...5, using: &generator)).map { _ in
          let key =
            Bool.random(using: &generator)
            ? keys.randomElement(using: &generator) ?? "" : hostileText(&generator)
          return "\"\(key)\":\(hostileValue(&generator, depth: depth - 1))"
        }.joined(separator: ",") + "}"
    }
  }

  @Test(arguments: 0..<4) func `error descriptions are at most 1 KB and have no control characters`(
    _ seed: Int
  ) throws {
    var generator = SeededRandom(seed: 700 + UInt64(seed))
    var count = 0
    for _ in 0..<120 {
      var members = #""id":\#(hostileValue(&generator, depth: 0))"#
      for _ in 0..<3 {
        members +=
          #","\#(["intMap", "leafMap", "json", "next", "strings", "name"].randomElement(using: &generator) ?? "")"#
        members += #"":\#(hostileValue(&generator, depth: 4))"#
      }
      let text =
        Bool.random(using: &generator) ? "{\(members)}" : hostileValue(&generator, depth: 5)
      let configurations = [.default, .strict, StoreCoder.Configuration.realmCoder]
      for configuration in configurations {
        let coder = try StoreCoder(store: Store(), configuration: configuration)
        let data = Data(text.utf8)
        var errors: [StoreCodingError] = []
        errors += problems(AllTypes.self, data, coder)
        errors += problems(Coding.User.self, data, coder)
        errors += problems(Leaf.self, data, coder)
        errors += problems(Coding.KeyedLink.self, data, coder)
        for error in errors {
          count += 1
          let description = error.description
          #expect(description.utf8.count <= 1024)
          #expect(
            !description.unicodeScalars.contains { $0.properties.generalCategory == .control })
          #expect(
            !description.unicodeScalars.contains { "\u{2028}\u{202E}".unicodeScalars.contains($0) })
        }
      }
    }
    #expect(count > 1_000)
  }

  private func problems<T: Object>(
    _ type: T.Type, _ data: Data, _ coder: StoreCoder
  ) -> [StoreCodingError] {
    do {
      return try coder.read(type, from: data).issues
    } catch {
      return (error as? StoreCodingError).map { [$0] } ?? []
    }
  }
}

/// Errors show the invalid text and suggest the intended key.
@Suite struct `Messages about keys and text` {
  final class Item: Object {
    @Persisted(primaryKey: true) var id: Int
    @Persisted(json: "first_name") var name = ""
    @Persisted var child: Item?
  }

  final class Listed: Object {
    @Persisted(primaryKey: true) var id: Int
    override class var listEnvelope: String? { "items" }
  }

  @Test(arguments: [
    (
      #"{"error":{"code":401}}"#,
      "no key of the object belongs to Item, found the key 'error' at line 1, column 1"
    ),
    (
      #"{"ID":1,"x":2}"#,
      "no key of the object belongs to Item, found the keys 'ID', 'x' at line 1, column 1; "
        + "is 'ID' meant to be 'id'?"
    ),
    (
      #"{"_id":1,"first_name":"A"}"#,
      "(Item.id): no value for the primary key 'id', found the keys '_id', 'first_name' "
        + "at line 1, column 1; is '_id' meant to be 'id'?"
    ),
    (
      #"{"id":1,"child":{"first_name":"B","iD":{"id":2}}}"#,
      "child (Item.id): no value for the primary key 'id', found the keys 'first_name', 'iD' "
        + "at line 1, column 17; is 'iD' meant to be 'id'?"
    ),
    (#"{}"#, "no key of the object belongs to Item, found no keys at line 1, column 1"),
    (
      #"{"a":1,"b":1,"c":1,"D4":1,"e":1,"f":1,"g":1,"h":1,"q\n":1,"\#(String(repeating: "k", count: 99))":1,"l":1,"m":1}"#,
      "no key of the object belongs to Item, found the keys 'a', 'b', 'c', 'D4', 'e', 'f', 'g', 'h', "
        + #"'q\n', '\#(String(repeating: "k", count: 23))…' and 2 more at line 1, column 1"#
    ),
  ])
  func `the error for an object without known keys lists the keys found`(
    payload: String, text: String
  ) throws {
    #expect(message { try makeCoder().decode(Item.self, payload) } == text)
  }

  @Test(arguments: [
    ("{'id':1}", "expected a quoted key in an object, found \"'id':1}\" at line 1, column 2"),
    (#"{"id":1"#, "the text ends in the middle of a value at line 1, column 8"),
    (#"{"items":[{"id":1},"#, "the text ends in the middle of a value at line 1, column 20"),
  ])
  func `the error for a malformed object in place of a list is that of its syntax`(
    payload: String, text: String
  ) throws {
    #expect(message { try makeCoder().decodeArray(Item.self, payload) } == text)
  }

  @Test(arguments: ["[1,", "[{]", #"{"items":[1,2"#])
  func `the error for malformed JSON of another type is that of its syntax`(payload: String) throws
  {
    #expect(kind { try makeCoder().decode(Item.self, payload) } == .syntax)
    #expect(
      kind { try makeCoder().decode(Item.self, from: Data(payload.utf8), at: "items.x") } == .syntax
    )
  }

  @Test
  func `the error for a list in an undeclared envelope lists its keys and suggests listEnvelope`()
    throws
  {
    let payload = #"{"total_count":1,"items":[{"id":1}]}"#
    #expect(
      message { try makeCoder().decodeArray(Item.self, payload) }
        == "expected an array of objects, found an object with the keys 'total_count', 'items' "
        + "at line 1, column 1; a list in an object needs a 'listEnvelope' or an 'at:'")
    #expect(
      message { try makeCoder().decodeArray(Listed.self, #"{"items":{"id":1}}"#) }
        == "items: expected an array of objects, found an object with the key 'id' "
        + "at line 1, column 10")
  }

  @Test func `the issue for an object without known keys lists the keys found`() throws {
    let coder = try makeCoder { $0.mismatches = .skipElement }
    let result = try coder.read(
      [Item].self, from: Data(#"[{"id":1},{"ref":{"id":2}},{"_id":3,"child":null}]"#.utf8))
    #expect(
      result.issues.map(\.description) == [
        "[1]: no key of the object belongs to Item, found the key 'ref' at line 1, column 11",
        "[2] (Item.id): no value for the primary key 'id', found the keys '_id', 'child' "
          + "at line 1, column 28; is '_id' meant to be 'id'?",
      ])
  }

  @Test(arguments: [
    ("<html><body>502 Bad Gateway</body></html>", #"found "<html><body>502 Bad Gat…""#),
    ("NaN", #"found "NaN""#), ("undefined", #"found "undefined""#), ("nan", #"found "nan""#),
    ("True", #"found "True""#), ("-Infinity", #"found "-Infinity""#), ("'a'", #"found "'a'""#),
    ("\u{1B}[31m\u{202E}\n<", #"found "\u{1B}[31m\u{202E}""#),
  ])
  func `text that is not JSON is shown escaped and clipped`(text: String, found: String) throws {
    let whole = message { try makeCoder().decode(Item.self, text) }
    #expect(whole.contains(", \(found) at line 1, column "), "\(whole)")
    let inside = message { try makeCoder().decode(Item.self, #"{"id":\#(text)}"#) }
    #expect(inside.hasPrefix("id: "))
    #expect(inside.contains(", \(found.dropLast(2))"), "\(inside)")
  }

  @Test(arguments: [
    (#"{"id":1} x"#, #"unexpected text after the JSON value, found "x" at line 1, column 10"#),
    (#"{id:1}"#, #"expected a quoted key in an object, found "id" at line 1, column 2"#),
    (#"{"id" 1}"#, #"expected a colon after a key, found "1" at line 1, column 7"#),
    (
      #"{"id":1 "x":2}"#,
      "(id 1): expected a comma or the end of the array or object after a value, "
        + #"found "\"x\":2}" at line 1, column 9"#
    ),
    (#"{"id":01}"#, #"id: a malformed number, found "01" at line 1, column 8"#),
    (#"{"id":1"#, "(id 1): the text ends in the middle of a value at line 1, column 8"),
    (
      #"{"id":NaN,"first_name":"x"}"#,
      #"id: expected a JSON value, found "NaN" at line 1, column 7"#
    ),
  ])
  func `the invalid text is shown in a syntax error`(text: String, expected: String) throws {
    #expect(message { try makeCoder().decode(Item.self, text) } == expected)
  }

  @Test func `compressed data is identified in a syntax error`() throws {
    let data = Data([0x1F, 0x8B, 8, 0, 0, 0, 0, 0, 0, 3, 0xAB, 0x56])
    #expect(
      message { try makeCoder().decode(Item.self, from: data) }
        == "expected a JSON value, found gzip-compressed data at line 1, column 1")
  }
}

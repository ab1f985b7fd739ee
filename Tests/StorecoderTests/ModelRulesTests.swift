import Foundation
import ObjectStore
import StoreCoding
import TestSupport
import Testing

@testable import storecoder

@Suite struct `Rules of storecoder model` {
  @Test(arguments: [
    ("2024-03-01", DateForm.day), ("2024-02-30", nil), ("2024-3-01", nil), ("20240301", nil),
    (
      "2024-03-01T14:53:37Z",
      .time(separator: UInt8(ascii: "T"), fractionDigits: 0, zone: .letter)
    ),
    (
      "2024-03-01 14:53:37.5+0000",
      .time(separator: UInt8(ascii: " "), fractionDigits: 1, zone: .digits)
    ),
    ("2024-03-01T14:53:37", nil), ("2024-03-01T14:53Z", nil), ("2024-03-01T14:53:60Z", nil),
    ("2024-03-01T14:53:37+02:00", nil), ("2024-03-01T14:53:37-00:00", nil),
    ("2024-03-01t14:53:37Z", nil), ("2024-03-01T14:53:37z", nil), ("2024-03-01T24:00:00Z", nil),
    ("2024-03-01T14:53:37.1234567Z", nil), ("1700-03-01T14:53:37.123456Z", nil),
    ("2024-03-01T14:53:37.Z", nil), ("24-03-01", nil), ("", nil), ("version 12", nil),
  ])
  func `dates are strings in a notation that is reproduced`(text: String, form: DateForm?) {
    #expect(DateForm(Array(text.utf8)) == form)
  }

  @Test(arguments: [
    ("2024-03-01T14:53:37Z", DateFormat.iso8601),
    ("2024-03-01T14:53:37.000Z", "yyyy-MM-dd'T'HH:mm:ss.SSSX"),
    ("2024-03-01T14:53:37+00:00", "yyyy-MM-dd'T'HH:mm:ssxxx"),
    ("2024-03-01 14:53:37Z", "yyyy-MM-dd HH:mm:ssX"),
  ])
  func `only the notation in which a coder writes whole seconds needs no pattern`(
    text: String, format: DateFormat
  ) {
    #expect(DateForm(Array(text.utf8))?.format == format)
  }

  @Test(arguments: [
    ("created_at", "[1709281800]", "Date"), ("createdAt", "[1709281800123]", "Date"),
    ("timestamp", "[1709281800, 1709281800123]", "Int"), ("timestamp", "[0, 1709281800]", "Int"),
    ("timestamp", "[1709281800.5]", "Double"), ("atoms", "[1709281800]", "Int"),
    ("phone", "[1709281800]", "Int"), ("at", "[\"2024-03-01T14:53:37.000Z\"]", "Date"),
    ("note", "[\"2024-03-01T14:53:37.000Z\", \"\"]", "String"),
    ("note", "[\"2024-03-01\", \"2024-03-01\"]", "String"),
    ("note", "[\"2024-03-01\", \"2024-03-01\", \"2024-03-02\"]", "Date"),
    ("born_on", "[\"2024-03-01\"]", "Date"), ("price", "[\"1.50\", \"-12.00\"]", "Decimal"),
    ("price", "[\"1.50\", \"2\"]", "String"), ("price", "[\"1.5\", \"2.25\"]", "String"),
    ("price", "[\"01.50\"]", "String"), ("price", "[\"-0.00\"]", "String"),
    ("price", "[\"1.5e3\"]", "String"), ("firmware", "[\"1.10\", \"1.20\"]", "String"),
    ("rings", "[[[1, 2.5]], []]", "Coded<[[Double]]>"),
    ("rings", "[[[1, null]]]", "List<JSONValue>"),
    ("rings", "[[[1], 2]]", "List<JSONValue>"), ("rings", "[[[1.5e400]]]", "List<JSONValue>"),
    ("rings", "[[[\"a\"], []]]", "Coded<[[String]]>"), ("rings", "[[[]]]", "List<JSONValue>"),
    ("point", "[[0.1234567890123456789, 1]]", "Coded<[Double]>"),
  ])
  func `types follow from the values and the key`(key: String, values: String, type: String) throws
  {
    let tool = try StorecoderTool()
    let schema = try Model.schema(of: [source(key, values, tool)])
    let property = try #require(schema.root[key])
    #expect(schema.typeName(of: property, in: schema.root.className) == type)
  }

  /// Returns a file with an object per element of the values.
  private func source(_ key: String, _ values: String, _ tool: StorecoderTool) throws -> JSONSource
  {
    var parts: [String] = []
    var depth = 0
    for character in values.dropFirst().dropLast() {
      if character == ",", depth == 0 {
        parts.append("")
      } else {
        if parts.isEmpty { parts.append("") }
        parts[parts.count - 1].append(character)
      }
      depth += character == "[" ? 1 : character == "]" ? -1 : 0
    }
    let objects = parts.enumerated().map { "{\"id\": \($0), \"\(key)\": \($1)}" }
    return try JSONSource(
      tool.file("things.json", "[\(objects.joined(separator: ", "))]"), envelope: nil)
  }

  @Test(arguments: [
    ("genre_ids", ["genre", "ids"]), ("genreIds", ["genre", "ids"]),
    ("genreIDs", ["genre", "ids"]),
    ("GenreIDs", ["genre", "ids"]), ("genre-ids", ["genre", "ids"]), ("URLPath", ["url", "path"]),
    ("urlPath", ["url", "path"]), ("genreids", ["genreids"]), ("line1", ["line1"]), ("ID", ["id"]),
    ("", []), ("__", []),
  ])
  func `keys consist of words`(key: String, words: [String]) {
    #expect(NameWords.words(key) == words)
  }

  @Test(arguments: [
    ("2024-03-01", true), ("2024-13-01", false), ("abcdefabcdef", false),
    ("5f2d1c0a9b8e7d6c5b4a3f2e", true), ("123e4567-e89b-12d3-a456-426614174000", true),
    ("123e4567_e89b-12d3-a456-426614174000", false), ("-NxTq3vGkW1aBcDeFgHi", true),
    ("name", false), ("", false),
  ])
  func `names of members may be identifiers`(name: String, isIdentifier: Bool) {
    #expect(NameWords.isIdentifier(Array(name.utf8)) == isIdentifier)
  }

  @Test(arguments: [
    #"{"a": {"x": {"id": "x"}}}"#, #"{"a": {"x": {"id": "x"}, "y": {"id": "z"}}}"#,
    #"{"a": {"x": {"id": "x"}, "y": 1}}"#, #"{"a": {"x": {"id": "x"}, "y": null}}"#,
    #"{"a": {"x": {"id": 1}, "y": {"id": 2}}}"#,
  ])
  func `an object with other names than the keys in it is a class`(json: String) throws {
    let tool = try StorecoderTool()
    let schema = try Model.schema(
      of: [JSONSource(tool.file("things.json", json), envelope: nil)])
    #expect(schema.root["a"]?.shape.form == .link)
  }

  @Test(arguments: [
    #"[{"a": {"edges": [{"node": {"id": 1}}]}}, {"a": null}]"#,
    #"[{"a": {"edges": [{"node": {"id": 1}}]}}, {}]"#,
    #"[{"a": {"edges": [{"node": {"id": 1}}]}}, {"a": {}}]"#,
    #"[{"a": {"edges": [{"node": {"id": 1}, "cursor": "x"}]}}]"#,
    #"[{"a": {"edges": [{"node": {"id": 1}}, {"node": null}]}}]"#,
    #"[{"a": {"edges": [{"node": {"id": 1}}, {}]}}]"#,
    #"[{"a": {"edges": [{"node": 1}]}}]"#, #"[{"a": {"edges": [{"7": {"id": 1}}]}}]"#,
    #"[{"a": {"edges": [{"*": {"id": 1}}]}}]"#, #"[{"a": {"0": [{"node": {"id": 1}}]}}]"#,
  ])
  func `an object that is more than a wrapper has no path`(json: String) throws {
    let tool = try StorecoderTool()
    let source = try JSONSource(tool.file("things.json", json), envelope: nil)
    let schema = try Model.schema(of: [source])
    #expect(schema.root["a"]?.declaredKey == nil)
    try ModelRoundTrip(schema).check(json)
  }

  @Test func `objects in wrappers of equal form have their own classes`() throws {
    let tool = try StorecoderTool()
    let json = #"""
      {"cats": {"edges": [{"node": {"id": 1, "name": "Mia"}}]},
       "dogs": {"edges": [{"node": {"id": 1, "barks": true}}], "totalCount": 1},
       "walks": [{"node": {"km": 2}}], "a/b": [{"c~d": {"e": 1}}]}
      """#
    let schema = try Model.schema(
      of: [JSONSource(tool.file("things.json", json), envelope: nil)])
    #expect(
      schema.classes.map(\.className) == ["Thing", "CD", "Node", "Dogs", "Dog", "Cat"])
    #expect(schema.root["a/b"]?.declaredKey == "/a~1b/*/c~0d")
    try ModelRoundTrip(schema).check(json)
  }

  @Test(arguments: [
    (#"{"genre_id": 1}"#, #"{"genreId": "1"}"#), (#"{"genre_id": 1}"#, #"{"genreid": 1}"#),
    (#"{"genre_id": 1, "genreId": 1}"#, #"{"genreId": 1}"#), (#"{"_type": 1}"#, #"{"type": 1}"#),
    (#"{"ID": 1, "a": 1}"#, #"{"id": 1, "a": 1}"#), (#"{"genre_id": null}"#, #"{"genreId": 1}"#),
  ])
  func `keys of other words, types or of the same file are no aliases`(
    first: String, second: String
  ) throws {
    let tool = try StorecoderTool()
    let sources = try [first, second].enumerated().map {
      try JSONSource(tool.file("\($0).json", $1), envelope: nil)
    }
    let schema = try Model.schema(of: sources)
    #expect(!schema.root.properties.contains { !$0.options.isEmpty })
  }
}

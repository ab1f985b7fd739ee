import Foundation
import StoreTesting
import Testing

@Suite struct `JSON differences` {
  private func lines(_ expected: String, _ found: String) throws -> [String] {
    try JSONDifference(expected: Data(expected.utf8), found: Data(found.utf8)).lines
  }

  @Test(arguments: [
    ("{}", "{}"), ("[1, 2.50]", "[1.0,25e-1]"), (#"{"a": 1, "b": null}"#, #"{"b":null,"a":1}"#),
    ("12345678901234567890", "12345678901234567890.0"), (#""é""#, #""\u00e9""#), ("-0", "0"),
    (#"{"a": 1, "a": 2}"#, #"{"a": 2}"#),
  ])
  func `documents with the same values have no differences`(one: String, other: String) throws {
    #expect(try lines(one, other) == [])
    #expect(try lines(other, one) == [])
  }

  @Test(arguments: [
    ("1", "2", ["the document: expected 1, found 2"]),
    ("null", "false", ["the document: expected null, found false"]),
    ("[]", "{}", ["the document: expected [], found {}"]),
    (#"{"a": {"b c": [1]}}"#, #"{"a": {"b c": [2]}}"#, [#"a["b c"][0]: expected 1, found 2"#]),
    ("[1, 2]", "[1]", ["[1]: missing; expected 2"]),
    ("[]", #"[{"x": 1, "y": []}]"#, ["[0]: not expected; found an object of x, y"]),
    (#"{"a": null}"#, "{}", ["a: missing; expected null"]),
    (#""é""#, "\"e\u{301}\"", [#"the document: expected "\u{e9}", found "e\u{301}""#]),
    (
      "12345678901234567890", "12345678901234567891",
      ["the document: expected 12345678901234567890, found 12345678901234567891"]
    ),
  ])
  func `each difference is reported with its path`(
    expected: String, found: String, differences: [String]
  ) throws {
    #expect(try lines(expected, found) == differences)
  }

  @Test(arguments: [
    (
      "{\"\u{e9}\": 1}", "{\"e\u{301}\": 1}",
      [#"["\u{e9}"]: missing; expected 1"#, #"["e\u{301}"]: not expected; found 1"#]
    ),
    (
      "{\"\u{e9}\": 1, \"e\u{301}\": 2}", "{\"\u{e9}\": 9, \"e\u{301}\": 2}",
      ["\u{e9}: expected 1, found 9"]
    ),
    (
      "1e99999999999999999999", "1e99999999999999999998",
      ["the document: expected 1e99999999999999999999, found 1e99999999999999999998"]
    ),
    (#"{"a\"\n": 1}"#, "{}", [#"["a\"\n"]: missing; expected 1"#]),
    ("[]", #"[{"a\nb": 1}]"#, [#"[0]: not expected; found an object of "a\nb""#]),
  ])
  func `keys and numbers are compared exactly`(
    expected: String, found: String, differences: [String]
  ) throws {
    #expect(try lines(expected, found) == differences)
  }

  @Test func `long values are shown around their first difference`() throws {
    func x(_ count: Int) -> String { String(repeating: "x", count: count) }
    #expect(
      try lines("\"\(x(100))a\(x(100))\"", "\"\(x(100))b\"")
        == ["the document: expected …\(x(20))a\(x(39))…, found …\(x(20))b\""])
    #expect(
      try lines("\"ab\(x(100))\"", "\"ac\(x(100))\"")
        == ["the document: expected \"ab\(x(57))…, found \"ac\(x(57))…"])
    #expect(
      try lines("1\(String(repeating: "0", count: 70))1", "1\(String(repeating: "0", count: 70))2")
        == [
          "the document: expected …\(String(repeating: "0", count: 20))1, "
            + "found …\(String(repeating: "0", count: 20))2"
        ])
  }

  @Test func `only the first twenty differences are listed, with the number of others`() throws {
    let numbers = (0..<1_000).map { "\($0)" }.joined(separator: ",")
    let found = try lines("[\(numbers)]", "[-1,\(numbers)]")
    #expect(found.count == 21)
    #expect(found.first == "[0]: expected 0, found -1")
    #expect(found.last == "and 981 more")
  }

  @Test func `a document that is not valid JSON throws an error with line and column`() throws {
    let error = #expect(throws: StoreTestFailure.self) {
      try JSONDifference(expected: Data("[1,\n }".utf8), found: Data("[]".utf8))
    }
    #expect(
      error?.description
        == "the expected document is not valid JSON: line 2, column 2: expected a JSON value"
    )
    #expect(error?.file == nil && error?.line == nil)
  }

  @Test func `long values of different types are truncated`() throws {
    let long = String(repeating: "x", count: 100)
    #expect(
      try lines("\"\(long)\"", "1")
        == ["the document: expected \"\(String(repeating: "x", count: 59))…, found 1"])
  }
}

import Foundation
import ObjectStore
import StoreCoding
import TestSupport
import Testing

@Suite struct `Metadata of a payload` {
  final class Issue: Object {
    @Persisted(primaryKey: true) var id: Int

    override class var listEnvelope: String? { "data.issues" }
  }

  private func read(
    _ text: String, at path: String? = nil,
    _ change: (inout StoreCoder.Configuration) -> Void = { _ in }
  ) throws -> ReadResult<Issue> {
    try makeCoder(change).read([Issue].self, from: Data(text.utf8), at: path)
  }

  private let page = #"""
    {"total": 2, "data": {"next": "/issues?page=2", "issues": [{"id": 1, "total": 9}], "size": 1.50},
     "links": [{"rel": "next"}], "empty": null}
    """#

  @Test(
    arguments: [
      ("total", 2), ("data.next", "/issues?page=2"), ("/data/size", 1.5),
      ("links", [["rel": "next"]]),
      ("/links/0/rel", "next"), ("empty", .null),
    ] as [(String, JSONValue)])
  func `a value outside the envelope is returned by its path`(
    path: String, value: JSONValue
  ) throws {
    #expect(try read(page).metadata(path) == value)
  }

  @Test(arguments: [
    "missing", "data.issues", "data.issues.0", "/data/issues/0/id", "links.0.rel", "/links/1",
    "total.x", "/links/rel",
  ])
  func `a path without a value outside the envelope returns nil`(path: String) throws {
    #expect(try read(page).metadata(path) == nil)
  }

  @Test func `an empty path returns all values outside the envelope`() throws {
    let all: JSONValue = [
      "total": 2, "data": ["next": "/issues?page=2", "size": 1.5],
      "links": [["rel": "next"]], "empty": nil,
    ]
    #expect(try read(page).metadata("") == all)
  }

  @Test func `metadata is decoded as a Codable type`() throws {
    struct Page: Decodable, Equatable {
      struct Link: Decodable, Equatable { var rel: String }
      var total: Int
      var links: [Link]
    }
    let result = try read(page)
    #expect(try result.metadata(Page.self) == Page(total: 2, links: [.init(rel: "next")]))
    #expect(try result.metadata(String.self, at: "data.next") == "/issues?page=2")
    #expect(try result.metadata(Page.self, at: "missing") == nil)
    #expect(throws: DecodingError.self) { try result.metadata(Page.self, at: "data") }
  }

  @Test func `the metadata of one object is returned as well`() throws {
    let result = try makeCoder().read(
      Issue.self, from: Data(#"{"ok": true, "issue": {"id": 4}}"#.utf8), at: "issue")
    #expect(try result.metadata("ok") == true)
    #expect(result.objects.map(\.id) == [4])
  }

  @Test func `an array that contains the list keeps its indices`() throws {
    let result = try read(#"[[{"id": 1}], {"page": 3}]"#, at: "/0")
    #expect(try result.metadata("/1/page") == 3)
    #expect(try result.metadata("/0") == .null)
  }

  @Test func `a payload without envelope has no metadata`() throws {
    let result = try read(#"[{"id": 1}]"#, at: "")
    #expect(try result.metadata("") == nil)
    #expect(try result.metadata("0.id") == nil)
  }

  @Test func `all lists of a duplicate envelope key are left out`() throws {
    let result = try read(#"{"a": [{"id": 1}], "n": 1, "a": [{"id": 2}]}"#, at: "a")
    #expect(result.objects.map(\.id) == [2])
    #expect(try result.metadata("") == ["n": 1])
  }

  @Test func `a lenient payload has metadata by the same rules`() throws {
    let trailing = try read(#"{"a": [{"id": 1},], "n": [1,],}"#, at: "a")
    #expect(try trailing.metadata("n") == [1])
    let repaired = try read(#"{"a": [], "n": "\ud800"}"#, at: "a") { $0.invalidUnicode = .repair }
    #expect(try repaired.metadata("n") == "\u{FFFD}")
  }

  @Test func `metadata above the limit is an error of the call and not of the payload`() throws {
    let text = #"{"items": [{"id": 1}], "included": ["0123456789"]}"#
    let result = try read(text, at: "items") { $0.limits.metadataByteCount = 38 }
    #expect(result.inserted == 1)
    #expect(
      message { _ = try result.metadata("included") }
        == "the limit of 38 bytes outside the envelope is exceeded: found 39 bytes")
    let whole = try read(text, at: "items") { $0.limits.metadataByteCount = nil }
    #expect(try whole.metadata("/included/0") == "0123456789")
  }

  @Test func `metadata that is nested too deeply for a JSON value is an error of the call`() throws
  {
    let deep = String(repeating: "[", count: 600) + String(repeating: "]", count: 600)
    let result = try read(#"{"items": [], "deep": \#(deep)}"#, at: "items") {
      $0.limits.depth = 700
    }
    #expect(
      message { _ = try result.metadata("deep") }
        == "the limit of 512 nested arrays and objects in a JSONValue is exceeded")
  }

  @Test func `the metadata of many nested sections is read in linear time`() throws {
    func seconds(_ count: Int) throws -> Double {
      let names = (0..<count).map { "s\($0)" }
      let sections = Dictionary(
        uniqueKeysWithValues: names.map { ("data.\($0)", DocumentSection.list(Issue.self)) })
      let members = names.map { #""\#($0)": []"# }.joined(separator: ",")
      let document = try makeCoder().read(
        sections, from: Data(#"{"data": {"total": 2, \#(members)}}"#.utf8))
      return try threadSeconds {
        for _ in 0..<1600 / count {
          let metadata = try document.metadata("")
          #expect(metadata == ["data": ["total": 2]])
        }
      }
    }
    // Both have the same content. Quadratic time would take 16 times as long.
    #expect(try seconds(1600) < 5 * seconds(100))
  }

  @Test func `sections inside arrays and beside other values are left out of the metadata`() throws
  {
    let text = #"{"a": [[{"id": 1}], {"x": [{"id": 2}], "y": 1}], "b": {"c": {"d": []}, "e": 2}}"#
    let list = DocumentSection.list(Issue.self)
    let document = try makeCoder().read(
      ["/a/0": list, "/a/1/x": list, "b.c.d": list], from: Data(text.utf8))
    #expect(try document.metadata("") == ["a": [nil, ["y": 1]], "b": ["c": [:], "e": 2]])
  }

  @Test func `an invalid path is an error`() throws {
    #expect(
      message { _ = try read(page).metadata("a..b") }
        == "metadata: 'a..b' is not a valid path")
  }

  @Test func `metadata of a payload in UTF-16 is returned`() throws {
    let data = try #require(#"{"n": "ä", "items": [{"id": 1}]}"#.data(using: .utf16))
    let result = try makeCoder().read([Issue].self, from: data, at: "items")
    #expect(try result.metadata("n") == "ä")
  }
}

import Foundation
import ObjectStore
import StoreCoding
import TestSupport
import Testing

@Suite struct `Envelopes of calls` {
  final class Issue: Object {
    @Persisted(primaryKey: true) var id: Int
    @Persisted var title: String

    override class var objectEnvelope: String? { "issue" }
    override class var listEnvelope: String? { "issues" }
  }

  private let coder: StoreCoder
  private let search = Data(
    #"{"total_count": 2, "items": [{"id": 1, "title": "a"}, {"id": 2, "title": "b"}]}"#.utf8)

  init() throws { coder = StoreCoder(store: try Store()) }

  @Test func `a path replaces the declared list envelope in every call`() throws {
    let titles = try coder.decodeArray(Issue.self, from: search, at: "items").map(\.title)
    #expect(titles == ["a", "b"])
    #expect(try coder.decode([Issue].self, from: search, at: "items").map(\.id) == [1, 2])
    #expect(try coder.read([Issue].self, from: search, at: "/items").unchanged == 2)
    let updates = try coder.updateDictionaries(for: Issue.self, from: search, at: "items")
    #expect(updates.map { $0["title"] } == ["a", "b"])
    let dynamic = try coder.decodeArray(dynamic: "Issue", from: search, at: "items")
    #expect(dynamic.map { $0["id"] as? Int } == [1, 2])
    let again = try coder.read([DynamicObject].self, dynamic: "Issue", from: search, at: "items")
    #expect(again.unchanged == 2)
    #expect(
      try coder.updateDictionaries(dynamic: "Issue", from: search, at: "items").count == 2)
  }

  @Test func `a path replaces the declared object envelope in every call`() throws {
    #expect(try coder.decode(Issue.self, from: search, at: "/items/1").title == "b")
    #expect(try coder.read(Issue.self, from: search, at: "/items/0").inserted == 1)
    let update = try coder.updateDictionary(for: Issue.self, from: search, at: "/items/1")
    #expect(update["id"] == 2)
    #expect(try coder.decode(dynamic: "Issue", from: search, at: "/items/0")["id"] as? Int == 1)
    #expect(try coder.read(dynamic: "Issue", from: search, at: "/items/0").unchanged == 1)
    #expect(
      try coder.updateDictionary(dynamic: "Issue", from: search, at: "/items/0")["id"] == 1)
  }

  @Test func `an empty path means the payload itself`() throws {
    let bare = Data(#"{"id": 7, "title": "x"}"#.utf8)
    #expect(try coder.decode(Issue.self, from: bare, at: "").id == 7)
    #expect(try coder.decodeArray(Issue.self, from: Data("[]".utf8), at: "").isEmpty)
  }

  @Test func `without a path the declared envelope applies`() throws {
    let declared = Data(#"{"issues": [{"id": 3}], "items": [{"id": 4}]}"#.utf8)
    #expect(try coder.decodeArray(Issue.self, from: declared).map(\.id) == [3])
  }

  @Test(arguments: [
    ("a..b", "at: 'a..b' is not a valid path"),
    ("/a~2", "at: '/a~2' is not a valid path"),
    ("/10000", "at: '/10000' has an index above 9999"),
    (
      Array(repeating: "a", count: 101).joined(separator: "."),
      "at: a path of 101 names is deeper than the limit of 100"
    ),
    (
      "entries",
      "expected the envelope 'entries', found the keys 'total_count', 'items' at line 1, column 1"
    ),
    (
      "total_count",
      "total_count: expected an array of objects, found number 2 at line 1, column 17"
    ),
  ])
  func `a path that is invalid or not in the payload is refused and changes nothing`(
    path: String, text: String
  ) throws {
    let error = #expect(throws: StoreCodingError.self) {
      try coder.decodeArray(Issue.self, from: search, at: path)
    }
    #expect(error?.description == text)
    #expect(coder.store.objects(Issue.self).isEmpty)
  }

  @Test func `the paths of errors and issues include the path of the call`() throws {
    let wrong = Data(#"{"items": [{"id": 1, "title": 2}]}"#.utf8)
    let error = #expect(throws: StoreCodingError.self) {
      try coder.decodeArray(Issue.self, from: wrong, at: "items")
    }
    #expect(error?.path == "items[0].title")
    let twice = Data(#"{"items": [{"id": 1}, {"id": 1}]}"#.utf8)
    let issue = try coder.read([Issue].self, from: twice, at: "items").issues.first
    #expect(issue?.path == "items[1]")
  }

  @Test
  func `the list of a duplicate key reports its issues in place of those of the earlier list`()
    throws
  {
    let coder = try makeCoder { $0.mismatches = .skipElement }
    let bad = Array(repeating: #"{"id": "x"}"#, count: 10_000).joined(separator: ",")
    let text = #"{"items": [\#(bad)], "items": [{"id": 1, "title": "a"}, {"id": "y"}]}"#
    let result = try coder.read([Issue].self, from: Data(text.utf8), at: "items")
    #expect(result.issues.count == 2 && result.issueCount == 2)
    #expect(try coder.read(Issue.self, from: Data(#"{"id": 1}"#.utf8), at: "").elementCount == 0)
  }
}

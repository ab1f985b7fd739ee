import Foundation
import ObjectStore
import StoreCoding
import TestSupport
import Testing

@Suite struct `Lists of keys` {
  final class Story: Object {
    @Persisted(primaryKey: true) var id: Int
    @Persisted var title = "untitled"
    @Persisted(.placeholder) var isPlaceholder = false
  }

  final class Tag: Object {
    @Persisted(primaryKey: true) var slug: String
    @Persisted var count = 0

    override class var listEnvelope: String? { "tags" }
  }

  final class Device: Object {
    @Persisted(primaryKey: true) var id: UUID
  }

  final class Page: Object {
    @Persisted(primaryKey: true) var name: String
    @Persisted var stories: List<Story>
  }

  final class Team: Object {
    @Persisted var city = 0
    @Persisted var number = 0
    @Persisted(primaryKey: true) var id: String
    override class var compoundKey: [String] { ["city", "number"] }
  }

  final class Stone: Object {
    @Persisted var weight = 1
  }

  final class Draft: Object {
    @Persisted(primaryKey: true) var id: Int
    @Persisted var text = ""
    override class var tracksEdits: Bool { true }
  }

  final class Person: Object {
    @Persisted(primaryKey: true) var id: Int
    override class var codableShape: CodableShape { .jsonAPI(type: "people") }
  }

  private let coder: StoreCoder

  init() throws { coder = try makeCoder() }

  private func keys<T: Object>(
    _ type: T.Type, _ text: String, at path: String? = nil
  ) throws -> ReadResult<T> {
    try coder.readKeys(type, from: Data(text.utf8), at: path)
  }

  @Test func `keys become objects of which only the key is known, in order`() throws {
    try coder.decode(Story.self, #"{"id": 2, "title": "two"}"#)
    let version = coder.store.version
    let result = try keys(Story.self, "[3, 2, 1]")
    #expect(coder.store.version == version + 1)
    #expect(result.objects.map(\.id) == [3, 2, 1])
    #expect(result.objects.map(\.title) == ["untitled", "two", "untitled"])
    #expect(result.objects.map(\.isPlaceholder) == [true, false, true])
    #expect(result.outcomes == [.inserted, .unchanged, .inserted])
    #expect(result.elementCount == 3)
    let again = try keys(Story.self, "[3, 2, 1]")
    #expect(again.unchanged == 3 && coder.store.version == version + 1)
    #expect(try keys(Story.self, "[]").objects.isEmpty)
  }

  @Test func `a repeated key has its object again and is an issue, as a repeated object`() throws {
    let result = try keys(Story.self, "[7, 8, 7]")
    #expect(result.objects.map(\.id) == [7, 8, 7])
    #expect((result.inserted, result.merged) == (2, 1))
    #expect(
      result.issues.map(\.description) == [
        "[2] (id 7): merged into an earlier element with the same primary key at line 1, column 8"
      ])
  }

  @Test func `keys are strings, UUIDs, and in place of them objects`() throws {
    let tags = try keys(Tag.self, #"{"tags": ["a", {"slug": "b", "count": 2}]}"#)
    #expect(tags.objects.map { "\($0.slug) \($0.count)" } == ["a 0", "b 2"])
    let id = "E621E1F8-C36C-495A-93FC-0C247A3E6E5F"
    #expect(try keys(Device.self, #"["\#(id)"]"#).objects.map(\.id.uuidString) == [id])
    let people = try keys(Person.self, #"{"data": [{"type": "people", "id": "7"}, "8", 9]}"#)
    #expect(people.objects.map(\.id) == [7, 8, 9])
  }

  @Test func `the list may be at a path, inside its elements, and of a class given by its name`()
    throws
  {
    let text = #"{"top": {"ids": [1, 2]}, "edges": [{"node": {"id": 3}}], "next": "/2"}"#
    #expect(try keys(Story.self, text, at: "top.ids").objects.map(\.id) == [1, 2])
    #expect(try keys(Story.self, text, at: "top.ids").metadata("next") == "/2")
    #expect(try keys(Story.self, text, at: "/edges/*/node/id").objects.map(\.id) == [3])
    #expect(try keys(Tag.self, #"["x"]"#, at: "").objects.map(\.slug) == ["x"])
    let members = try keys(Story.self, #"{"ids": {"a": 6, "b": 5}}"#, at: "/ids/*")
    #expect(members.objects.map(\.id) == [6, 5])
    let dynamic = try coder.readKeys(dynamic: "Story", from: Data("[4]".utf8))
    #expect(dynamic.objects.map { $0["id"] as? Int } == [4])
  }

  @Test(arguments: [
    (
      "{\"ids\":\n [1,\"x\"]}", "ids",
      #"ids[1]: expected the key of a Story (Int), or an object, found string "x" at line 2, column 5"#
    ),
    (
      "[1, null]", nil,
      "[1]: expected the key of a Story (Int), or an object, found null at line 1, column 5"
    ),
    (
      "[[1]]", nil,
      "[0]: expected the key of a Story (Int), or an object, found an array at line 1, column 2"
    ),
    (
      "[1e40]", nil, "[0] (Story.id): number 1e40 is outside the range of Int at line 1, column 2"
    ),
    (
      #"[1, {"ID": 2}]"#, nil,
      "[1]: no key of the object belongs to Story, found the key 'ID' at line 1, column 5; "
        + "is 'ID' meant to be 'id'?"
    ),
    (
      #"{"ids": [1]}"#, nil,
      "expected an array of keys of Story objects, found an object with the key 'ids' "
        + "at line 1, column 1; a list in an object needs a 'listEnvelope' or an 'at:'"
    ),
    ("7", nil, "expected an array of keys of Story objects, found number 7 at line 1, column 1"),
    ("[1, 2", nil, "the text ends in the middle of a value at line 1, column 6"),
  ])
  func `a value that is not a key is an error with its position and changes nothing`(
    text: String, path: String?, expected: String
  ) {
    #expect(message { _ = try keys(Story.self, text, at: path) } == expected)
    #expect(coder.store.objects(Story.self).isEmpty)
  }

  @Test func `bad keys are skipped by the policy of the coder`() throws {
    let coder = try makeCoder { $0.mismatches = .skipElement }
    let result = try coder.readKeys(Story.self, from: Data(#"[1, "x", null, {}, 2]"#.utf8))
    #expect(result.objects.map(\.id) == [1, 2])
    #expect(result.issues.map(\.path) == ["[1]", "[2]", "[3]"])
    #expect(result.elementCount == 5)
  }

  @Test func `a class needs a primary key of one attribute`() {
    #expect(
      message { _ = try keys(Team.self, "[]") }
        == "'readKeys' needs a primary key of one attribute, but that of Team is made of city, number"
    )
    #expect(
      message { _ = try keys(Stone.self, "[]") }
        == "'readKeys' needs a primary key, which Stone does not have")
    #expect(
      message {
        _ = try coder.read(
          ["a": .keys(Team.self), "b": .keys(Stone.self), "/c/*": .keys(Story.self)],
          from: Data("{}".utf8))
      } == """
        section 'a': 'keys' needs a primary key of one attribute, but that of Team is made of city, number
        section 'b': 'keys' needs a primary key, which Stone does not have
        """)
  }

  // MARK: - Complete lists

  @Test func `the keys become the list of an object`() throws {
    let page = Page()
    page.name = "top"
    try coder.store.write { try coder.store.add(page) }
    func read(_ text: String) throws -> ReadResult<Story> {
      try coder.readKeys(Story.self, from: Data(text.utf8), complete: .of(page, \.stories))
    }
    #expect(try read("[3, 1, 2]").deleted == 0)
    #expect(page.stories.map(\.id) == [3, 1, 2])
    #expect(try read("[2, 4]").deleted == 2)
    #expect(page.stories.map(\.id) == [2, 4])
    #expect(coder.store.objects(Story.self).map(\.id).sorted() == [2, 4])
  }

  @Test func `objects whose keys a complete list lacks are removed`() throws {
    try coder.decodeArray(Story.self, #"[{"id": 1}, {"id": 2, "title": "two"}, {"id": 3}]"#)
    let result = try coder.readKeys(Story.self, from: Data("[2, 9]".utf8), complete: .all)
    #expect((result.inserted, result.unchanged, result.deleted) == (1, 1, 2))
    #expect(coder.store.objects(Story.self).map(\.title).sorted() == ["two", "untitled"])
    #expect(
      kind { try coder.readKeys(Story.self, from: Data("[]".utf8), complete: .all) }
        == .incompleteList)
  }

  @Test func `the key of an object that was deleted locally does not create it again`() throws {
    try coder.store.write(as: .server) {
      for id in [1, 2] { try coder.store.create(Draft.self, value: ["id": id]) }
    }
    try coder.store.write {
      coder.store.delete(coder.store.objects(Draft.self).where { $0.id == 1 })
    }
    let result = try keys(Draft.self, "[2, 1]")
    #expect(result.objects.map(\.id) == [2])
    #expect(result.deletedLocally == [1])
  }

  // MARK: - Sections

  @Test func `a section of keys refers to objects of other sections`() throws {
    let document = try coder.read(
      ["top": .keys(Story.self), "items": .list(Story.self), "old": .keys(Story.self).optional],
      from: Data(#"{"top": [3, 9, 3], "items": [{"id": 9, "title": "nine"}], "old": null}"#.utf8))
    let top = document[Story.self, at: "top"]
    #expect(top.objects.map(\.title) == ["untitled", "nine", "untitled"])
    #expect((top.inserted, top.merged) == (2, 1))
    #expect(document[Story.self, at: "items"].merged == 1)
    #expect(
      document.issues.map(\.description) == [
        "top[2] (id 3): merged into an earlier element with the same primary key "
          + "at line 1, column 16"
      ])
    #expect(
      "\(document)"
        == "DecodedDocument(items: 1 object, old: 0 objects, top: 3 objects; 1 issue, 70 bytes)")
  }

  @Test(arguments: [
    (
      #"{"top": {"a": 1}}"#,
      "top: expected an array of keys of Story objects, found an object with the key 'a' "
        + "at line 1, column 9"
    ),
    (
      #"{"top": null}"#,
      "top: expected an array of keys of Story objects, found null at line 1, column 9; "
        + "a section that may be absent or null needs '.optional'"
    ),
    (
      #"{"top": [true]}"#,
      "top[0]: expected the key of a Story (Int), or an object, found true at line 1, column 10"
    ),
  ])
  func `an invalid section of keys is an error with its position`(
    text: String, expected: String
  ) {
    #expect(
      message { _ = try coder.read(["top": .keys(Story.self)], from: Data(text.utf8)) } == expected)
  }

  @Test func `a plan of a section of keys has the objects that it would create`() throws {
    let plan = try coder.plan(["": .keys(Story.self)], from: Data("[5]".utf8))
    #expect(coder.store.objects(Story.self).isEmpty)
    #expect(try plan.apply()[Story.self].objects.map(\.id) == [5])
  }
}

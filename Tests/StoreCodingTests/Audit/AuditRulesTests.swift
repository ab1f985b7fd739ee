import Foundation
import ObjectStore
import StoreCoding
import Testing

/// Attributes with options for collections and keys: an audit has a mismatch exactly where decoding refuses a value.
@Suite struct `Audits of collections and keys` {
  final class User: Object {
    @Persisted(primaryKey: true) var id: Int
    @Persisted var name = ""
  }

  final class Made: Object {
    @Persisted(primaryKey: true) var id = UUID()
    @Persisted var name = ""
  }

  final class Post: Object {
    @Persisted(primaryKey: true) var id: Int
    @Persisted(.acceptsSingleValue) var tags: List<Int>
    @Persisted(.acceptsSingleValue) var likes: List<User>
    @Persisted(json: "/friends/edges/*/node") var friends: List<User>
    @Persisted(json: "/points/1/x") var x: Double?
    @Persisted(.keyed) var members: List<User>
    @Persisted(.byKey) var owner: User?
    @Persisted(.byKey) var readers: List<User>
    @Persisted(.mismatch(.skipAttribute)) var editor: User?
    @Persisted(.mismatch(.skipElement)) var guests: List<User>
    @Persisted var made: Made?
    @Persisted var any: JSONValue?
    @Persisted(.asString(fractionDigits: 2)) var price: Decimal?
    @Persisted(json: "place.city", .aliases("town"), .null(.fail)) var city = ""
    @Persisted(json: "home.city", .emptyAsNil) var home: String?
  }

  @Test(arguments: [
    (#""tags": 1, "likes": {"id": 1}"#, []),
    (#""tags": "x", "likes": {"name": "a"}"#, ["likes.id refused", "tags refused"]),
    (#""likes": [{"nick": 1}]"#, ["likes.id refused"]),
    (#""friends": {"edges": [{"node": {"id": 1}}]}"#, []),
    (#""friends": {"edges": [null, {"edge": 1}, {"node": 2}, 3]}"#, ["friends.edges refused 4"]),
    (#""friends": {"edges": {"node": {"id": 1}}}"#, ["friends.edges refused"]),
    (#""friends": [1]"#, ["friends.edges refused"]),
    (#""points": [{"x": "a"}, {"x": 1.5}]"#, []),
    (#""points": [0, {"x": "a"}]"#, ["points[1].x refused"]),
    (#""points": {"1": {"x": true}}"#, ["points[1].x refused"]),
    (#""points": 7"#, ["points[1].x refused"]),
    (#""points": null"#, []),
    (#""members": {"7": {"name": "a"}}"#, []),
    (#""members": {"7": {}, "8": 1}"#, ["members refused"]),
    (#""members": {"7": {"zzz": 1}, "8": 1}"#, ["members refused", "members.*.id refused"]),
    (#""members": [{"id": 7}]"#, ["members refused"]),
    (#""members": {"a": {"name": "b"}}"#, ["members refused"]),
    (#""owner": 7, "readers": [1, {"id": 2}]"#, []),
    (
      #""owner": "x", "readers": [null, true, {"name": "a"}]"#,
      ["owner refused", "readers refused 2", "readers.id refused"]
    ),
    (#""editor": {"name": "a"}"#, ["editor.id skipped"]),
    (#""editor": 3"#, ["editor skipped"]),
    (#""guests": [{"name": "a"}, 1, {"id": 1}]"#, ["guests skipped", "guests.id skipped"]),
    (#""made": {"name": "a"}"#, []),
    (#""made": {}"#, ["made.id refused"]),
    (#""any": {"deep": [1, null]}, "price": "1.50""#, []),
    (#""price": "one""#, ["price refused"]),
    (#""place": {"city": "a"}, "town": 1"#, []),
    (#""place": 7, "town": "a""#, []),
    (#""town": "a", "place": null"#, []),
    (#""place": 7"#, ["place.city refused"]),
    (#""place": null"#, ["place.city refused"]),
    (#""place": null, "town": 1"#, ["place.city refused"]),
    (#""home": """#, []),
    (#""home": 7"#, ["home.city refused"]),
  ])
  func `an audit has a mismatch for each value that decoding does not accept`(
    members: String, mismatches: [String]
  ) throws {
    let data = Data("{\"id\": 1, \(members)}".utf8)
    let coder = try makeCoder()
    let audit = try coder.audit(Post.self, from: data)
    var counts: [String: Int] = [:]
    for mismatch in audit.mismatches {
      counts["\(mismatch.path) \(mismatch.outcome)", default: 0] += mismatch.count
    }
    let found = counts.map { $0.value == 1 ? $0.key : "\($0.key) \($0.value)" }.sorted()
    #expect(found == mismatches, "\(audit)")
    let result = try? coder.read(Post.self, from: data)
    #expect(result.map { $0.issues.isEmpty } == true || !mismatches.isEmpty)
    #expect((result == nil) == mismatches.contains { $0.contains("refused") })
  }

  @Test func `a key from the call replaces the key in the payload`() throws {
    let coder = try makeCoder()
    let data = Data(#"{"name": "a"}"#.utf8)
    #expect(try coder.audit(User.self, from: data).mismatches.map(\.path) == ["id"])
    #expect(try coder.audit(User.self, from: data, key: 7).isClean)
    coder.audits = .every(1)
    try coder.decode(User.self, from: data, key: 7)
    #expect(coder.audit.payloadCount == 1 && coder.audit.isClean)
  }

  @Test func `a coder that skips elements has skipped mismatches at the top of a list`() throws {
    let data = Data(#"[1, {"name": "a"}]"#.utf8)
    let audit = try makeCoder { $0.mismatches = .skipElement }.audit([User].self, from: data)
    #expect(audit.mismatches.map(\.outcome) == [.skipped, .skipped])
    let object = try makeCoder { $0.mismatches = .skipElement }
      .audit(User.self, from: Data(#"{"name": "a"}"#.utf8))
    #expect(object.mismatches.map(\.outcome) == [.refused])
  }

  final class Person: Object {
    @Persisted(primaryKey: true) var id: Int
    @Persisted var name: String?

    override class var codableShape: CodableShape { .jsonAPI(type: "people") }
  }

  final class Article: Object {
    @Persisted(primaryKey: true) var id: String
    @Persisted var title = ""
    @Persisted var author: Person?

    override class var codableShape: CodableShape { .jsonAPI(type: "articles") }
  }

  @Test func `resources of JSON:API have types, and identifiers have no attributes`() throws {
    let coder = try makeCoder()
    let data = Data(
      #"""
      {"data": [
        {"type": "articles", "id": "1", "attributes": {"title": "a", "extra": 1}, "links": {"self": "x"},
         "relationships": {
           "author": {"links": true, "data": {"type": "people", "id": "9", "meta": 1}},
           "topic": {"data": null}}},
        {"type": "posts", "id": "2", "relationships": {"author": {"data": {"type": 1, "id": "3"}}}}
      ]}
      """#.utf8)
    let audit = try coder.audit([Article].self, from: data)
    #expect(
      audit.mismatches.map { "\($0.path), \($0.attribute ?? ""), \($0.expected), \($0.found)" } == [
        "relationships.author.data.type, Person.codableShape, the type people, number 1",
        "type, Article.codableShape, the type articles, string \"posts\"",
      ])
    #expect(kind { try coder.decodeArray(Article.self, from: data) } == .typeMismatch)
    #expect(audit.unseenAttributes.isEmpty)
    #expect(
      audit.suggestions == """
        // Article
        @Persisted var extra: Int?
        @Persisted(json: "/links") var links: JSONValue?
        @Persisted(json: "/relationships/author/links") var relationshipsAuthorLinks: Bool?
        @Persisted(json: "/relationships/topic") var relationshipsTopic: JSONValue?

        // Person
        @Persisted(json: "/meta") var meta: Int?
        """)
  }

  @Test func `keys around the values of a collection have no suggestion`() throws {
    let data = Data(
      #"{"id": 1, "friends": {"total": 2, "edges": [{"cursor": "x", "node": {"id": 1}}]}}"#.utf8)
    let audit = try makeCoder().audit(Post.self, from: data)
    #expect(audit.unreadKeys.map(\.path) == ["friends.edges.cursor", "friends.total"])
    #expect(
      audit.suggestions == """
        // Post
        @Persisted(json: "friends.total") var friendsTotal: Int?
        """)
  }

  @Test func `a value in place of a repeated object along a path is a mismatch despite aliases`()
    throws
  {
    let data = Data(#"{"id": 1, "place": {"city": "x"}, "place": true}"#.utf8)
    let coder = StoreCoder(store: try Store())
    #expect(throws: StoreCodingError.self) { try coder.decode(Post.self, from: data) }
    #expect(try coder.audit(Post.self, from: data).mismatches.map(\.path) == ["place.city"])
  }

  @Test func `keys in two normal forms are two keys in each order of merging`() throws {
    let coder = StoreCoder(store: try Store())
    let audits = try ["\u{e9}", "e\u{301}"].map {
      try coder.audit(User.self, from: Data("{\"id\": 1, \"\($0)\": 1}".utf8))
    }
    let (one, other) = (audits[0].union(audits[1]), audits[1].union(audits[0]))
    #expect(
      one.unreadKeys.map { Array($0.path.utf8) } == [Array("e\u{301}".utf8), Array("\u{e9}".utf8)])
    #expect(one.unreadKeys.map(\.count) == [1, 1])
    #expect(other.unreadKeys.map(\.count) == [1, 1])
  }
}

/// Documents with sections: an audit has a mismatch exactly where decoding refuses or skips a value.
@Suite struct `Audits of documents` {
  final class Post: Object {
    @Persisted(primaryKey: true) var id: Int
    @Persisted var title: String?
  }

  final class Tag: Object {
    @Persisted(primaryKey: true) var name: String
  }

  private let sections: [String: DocumentSection] = [
    "data.posts": .list(Post.self).optional, "top": .one(Post.self).optional,
    "byID": .keyed(Post.self).optional, "gone": .deleted(Post.self).optional,
    "ids": .keys(Post.self).optional, "/map/*": .list(Post.self).optional,
    "/all/*/node": .mixed(by: "type", ["post": Post.self, "tag": Tag.self]).optional,
  ]

  @Test(arguments: [
    (#"{}"#, []),
    (#"{"data": {"posts": [{"id": 1}, {"title": 2}]}}"#, ["id refused", "title refused"]),
    (#"{"data": {"posts": 1}}"#, [" refused"]),
    (#"{"data": 1}"#, [" refused"]),
    (#"{"data": null, "top": null}"#, []),
    (#"{"top": []}"#, [" refused"]),
    (#"{"byID": {"7": {"title": "a"}, "8": {}}}"#, []),
    (#"{"byID": {"7": {"title": "a"}, "8": {"zzz": 1}}}"#, ["id refused"]),
    (#"{"byID": {"x": {"title": "a"}}}"#, [" refused"]),
    (#"{"byID": [1]}"#, [" refused"]),
    (#"{"gone": [1, {"id": 2}]}"#, []),
    (#"{"gone": ["x"]}"#, ["id refused"]),
    (#"{"gone": [null]}"#, [" refused"]),
    (#"{"ids": [1, {"id": 2}]}"#, []),
    (#"{"ids": [1, true]}"#, ["id refused"]),
    (#"{"ids": [null]}"#, [" refused"]),
    (#"{"ids": {"a": 1}}"#, [" refused"]),
    (#"{"map": {"a": {"id": 1}, "b": {"id": 2, "title": null}}}"#, []),
    (#"{"map": [{"id": 1}]}"#, []),
    (#"{"map": {"a": {"id": "x"}, "b": 1}}"#, [" refused", "id refused"]),
    (#"{"map": 1}"#, [" refused"]),
    (
      #"{"all": [{"node": {"type": "post", "id": 1}}, {"node": {"type": "tag", "name": "a"}}]}"#, []
    ),
    (#"{"all": [{"node": {"type": "user", "id": 1}}]}"#, ["type skipped"]),
    (#"{"all": [{"node": {"id": 1}}]}"#, ["type refused"]),
    (#"{"all": [{"edge": 1}]}"#, [" refused"]),
  ])
  func `an audit has a mismatch for each value in a section that decoding does not accept`(
    text: String, mismatches: [String]
  ) throws {
    let coder = try makeCoder()
    let audit = try coder.audit(sections, from: Data(text.utf8))
    #expect(audit.mismatches.map { "\($0.path) \($0.outcome)" } == mismatches, "\(audit)")
    let document = try? coder.read(sections, from: Data(text.utf8))
    #expect((document == nil) == mismatches.contains { $0.hasSuffix("refused") })
    #expect(document.map { $0.issues.isEmpty } == true || !mismatches.isEmpty)
  }

  @Test func `an absent section that is not optional is a mismatch`() throws {
    let coder = try makeCoder()
    let audit = try coder.audit(
      ["a.b": .list(Post.self), "c": .one(Post.self)], from: Data(#"{"a": null}"#.utf8))
    #expect(audit.mismatches.map(\.expected) == ["the section 'a.b'", "the section 'c'"])
  }

  @Test func `keys of all sections are counted by class, and deleted objects have no attributes`()
    throws
  {
    let coder = try makeCoder()
    let data = Data(
      #"{"top": {"id": 1, "x": 1}, "gone": [{"id": 2, "x": 1}], "all": [{"node": {"type": "tag", "name": "a", "x": 1}}]}"#
        .utf8)
    let audit = try coder.audit(sections, from: data)
    #expect(
      audit.unreadKeys.map { "\($0.path) \($0.className) \($0.count)" } == [
        "x Post 2", "x Tag 1",
      ])
    #expect(
      audit.attributes.map { "\($0.name) \($0.objectCount)" } == [
        "Post.id 2", "Tag.name 1", "Post.title 1",
      ])
    coder.audits = .every(1)
    _ = try coder.read(sections, from: data)
    #expect(coder.audit == audit)
  }

  @Test func `only the members next to a tag in an object are unread keys`() throws {
    let coder = try makeCoder()
    func keys(_ element: String, tag: String = "meta.type") throws -> [String] {
      try coder.audit(
        ["": .mixed(by: tag, ["tag": Tag.self])], from: Data("[\(element)]".utf8)
      ).unreadKeys.map { "\($0.path) \($0.count)" }
    }
    #expect(try keys(#"{"name": "a", "meta": {"type": "tag"}}"#).isEmpty)
    #expect(
      try keys(#"{"name": "a", "meta": {"x": 1, "type": "tag", "y": {"z": 1}}, "n": 1}"#)
        == ["meta.x 1", "meta.y 1", "n 1"])
    #expect(
      try keys(
        #"{"name": "a", "meta": {"in": {"type": "tag", "x": 1}, "y": 1}}"#, tag: "meta.in.type")
        == ["meta.in.x 1", "meta.y 1"])
    #expect(
      try keys(#"{"name": "a", "meta": [1, {"type": "tag", "x": 1}]}"#, tag: "/meta/1/type")
        == ["meta.* 1", "meta.*.x 1"])
  }
}

import Foundation
import ObjectStore
import StoreCoding
import TestSupport
import Testing

@Suite struct `Paths with a wildcard` {
  final class User: Object {
    @Persisted(primaryKey: true) var id: Int
    @Persisted var name = ""
    @Persisted(json: "/friends/edges/*/node", .omitsEmpty) var friends: List<User>

    override class var listEnvelope: String? { "/data/users/edges/*/node" }
  }

  final class Post: Object {
    @Persisted(primaryKey: true) var id: Int
    @Persisted(json: "/tags/*/name") var tags: List<String>
    @Persisted(json: "/sizes/*/1") var sizes: MutableSet<Int>
    @Persisted(json: "/cited/*/post/id", .byKey, .omitsEmpty) var cited: List<Post>
    @Persisted(json: "/stars/*/value", .omitsEmpty) var stars: List<Int?>
    @Persisted(json: "/likes/*/user", .mismatch(.skipElement), .acceptsSingleValue, .omitsEmpty)
    var likes: List<User>
    @Persisted(json: "/marks/*", .omitsEmpty) var marks: List<Int>
  }

  private func post(_ members: String) throws -> (StoreCoder, Post) {
    let coder = try makeCoder()
    return (coder, try coder.decode(Post.self, #"{"id": 1, \#(members)}"#))
  }

  @Test func `the nodes of connections are the elements, at every depth`() throws {
    let coder = try makeCoder()
    let text =
      #"{"id":1,"name":"a","friends":{"edges":[{"node":{"id":2,"name":"b","#
      + #""friends":{"edges":[{"node":{"id":3,"name":"c"}}]}}},{"node":{"id":4,"name":"d"}}]}}"#
    let user = try coder.decode(User.self, text)
    #expect(user.friends.map(\.name) == ["b", "d"])
    #expect(user.friends[0].friends.map(\.name) == ["c"])
    #expect(try coder.text(user) == text)
    #expect(try coder.encode(user.frozen()).text == text)
    #expect(try coder.read(User.self, from: Data(text.utf8)).unchanged == 1)
  }

  @Test func `keys beside the value are ignored, and null elements are null values`() throws {
    let (coder, post) = try post(
      #""tags": [{"id": 7, "name": "x", "on": [{}]}, {"name": "y"}], "sizes": [["w", 3], [0, 4, 5]], "#
        + #""cited": [{"post": {"id": 9, "t": 1}}], "marks": [1, 2], "#
        + #""stars": [{"value": 1}, null, {"value": null}]"#)
    #expect(Array(post.tags) == ["x", "y"])
    #expect(Set(post.sizes) == [3, 4])
    #expect(post.cited.map(\.id) == [9])
    #expect(Array(post.stars) == [1, nil, nil])
    #expect(Array(post.marks) == [1, 2])
    let text =
      #"{"id":1,"tags":[{"name":"x"},{"name":"y"}],"sizes":[[null,3],[null,4]],"#
      + #""cited":[{"post":{"id":9}}],"stars":[{"value":1},{"value":null},{"value":null}],"#
      + #""marks":[1,2]}"#
    #expect(try coder.text(post) == text)
    #expect(try coder.read(Post.self, from: Data(text.utf8)).unchanged == 1)
    let update = try coder.updateDictionary(for: Post.self, from: Data(text.utf8))
    #expect(update["tags"] == .array([.string("x"), .string("y")]))
  }

  @Test func `unmanaged objects are written in the same form`() throws {
    let (user, friend) = (User(), User())
    (user.id, friend.id, friend.name) = (1, 2, "b")
    user.friends.append(friend)
    #expect(
      try makeCoder().text(user)
        == #"{"id":1,"name":"","friends":{"edges":[{"node":{"id":2,"name":"b"}}]}}"#)
  }

  @Test func `the list of a payload may be a connection`() throws {
    let text =
      #"{"data":{"users":{"edges":[{"node":{"id":1,"name":"a"}},{"node":{"id":2,"name":"b"}}],"#
      + #""pageInfo":{"endCursor":"x"}}}}"#
    let coder = try makeCoder()
    #expect(try coder.decodeArray(User.self, text).map(\.name) == ["a", "b"])
    let result = try coder.read(
      [User].self, from: Data(text.utf8), at: "/data/users/edges/*/node")
    #expect(result.unchanged == 2)
    #expect(try result.metadata("data.users.pageInfo.endCursor")?.stringValue == "x")
    #expect(
      try coder.encodeArray(result.objects, useEnvelope: true).text
        == text.replacing(#","pageInfo":{"endCursor":"x"}"#, with: ""))
    let bare = #"[{"n":{"id":3}},{"x":1,"n":{"id":4}}]"#
    #expect(
      try coder.decodeArray(User.self, from: Data(bare.utf8), at: "/*/n").map(\.id) == [3, 4])
  }

  @Test func `elements of a payload are merged and skipped with their paths`() throws {
    let coder = try makeCoder { $0.mismatches = .skipElement }
    let text = #"[{"n": {"id": 3}}, {"m": 1}, {"n": {"id": "x"}}, {"n": {"id": 3}}, 5, {"n": 6}]"#
    let result = try coder.read([User].self, from: Data(text.utf8), at: "/*/n")
    #expect(result.objects.map(\.id) == [3, 3])
    #expect(
      result.issues.map(\.description) == [
        "[1]: expected the key 'n', found the key 'm' at line 1, column 20",
        #"[2].n.id (User.id): expected Int, found string "x" at line 1, column 43"#,
        "[3].n (id 3): merged into an earlier element with the same primary key at line 1, "
          + "column 56",
        "[4]: expected an object, found number 5 at line 1, column 68",
        "[5].n: expected User, found number 6 at line 1, column 77",
      ])
  }

  @Test(arguments: [
    (
      #""tags": [{"name": "x"}, {"title": "y", "id": 1}]"#,
      "tags[1] (Post.tags, id 1): expected the key 'name', found the keys 'title', 'id'"
    ),
    (
      #""tags": [{}]"#,
      "tags[0] (Post.tags, id 1): expected the key 'name', found no keys"
    ),
    (
      #""tags": ["x"]"#,
      #"tags[0] (Post.tags, id 1): expected an object, found string "x""#
    ),
    (
      #""tags": [null]"#,
      "tags[0] (Post.tags, id 1): null for an element of List<String> that is not optional"
    ),
    (
      #""tags": [{"name": 5}]"#,
      "tags[0].name (Post.tags, id 1): expected String, found number 5"
    ),
    (
      #""sizes": [[1]]"#,
      "sizes[0] (Post.sizes, id 1): expected an element 1, found an array of 1"
    ),
    (
      #""sizes": [true]"#,
      "sizes[0] (Post.sizes, id 1): expected an array, found true"
    ),
    (
      #""cited": [{"post": 4}]"#,
      "cited[0].post (Post.cited, id 1): expected an object, found number 4"
    ),
    (
      #""cited": [{"post": {"id": {}}}]"#,
      "cited[0].post.id (Post.cited, id 1): no key of the object belongs to Post, found no keys"
    ),
  ])
  func `an element without its value is an error with its path`(
    members: String, text: String
  ) throws {
    let found = message { _ = try post(members) }
    #expect(found.hasPrefix(text), "\(found)")
  }

  @Test func `bad elements are skipped by the policy of the attribute`() throws {
    let result = try makeCoder().read(
      Post.self,
      from: Data(
        #"{"id": 1, "likes": [{"user": {"id": 1}}, {}, {"user": {"id": "x"}}, 4, {"user": {"id": 2}}]}"#
          .utf8))
    #expect(result.objects[0].likes.map(\.id) == [1, 2])
    #expect(result.issues.map(\.path) == ["likes[1]", "likes[2].user.id", "likes[3]"])
  }

  @Test func `a single value is an element`() throws {
    let (_, post) = try post(#""likes": {"user": {"id": 8}}"#)
    #expect(post.likes.map(\.id) == [8])
  }

  @Test func `the last of two values with the same key counts`() throws {
    let coder = try makeCoder()
    let text =
      #"{"id": 1, "friends": {"edges": [{"node": {"id": 2, "name": "b"}, "node": {"id": 3}}]}}"#
    let result = try coder.read(User.self, from: Data(text.utf8))
    #expect(result.objects[0].friends.map(\.id) == [3])
    #expect(coder.store.objects(User.self).count == 2)
    #expect(
      result.issues.map(\.description) == [
        "friends.edges[0].node (User.friends, id 1): the key 'node' occurs twice in one object "
          + "at line 1, column 66"
      ])
    let strict = try makeCoder { $0.duplicateKeys = .fail }
    #expect(
      message { try strict.decode(User.self, text) }
        == "friends.edges[0].node (User.friends, id 1): the key 'node' occurs twice in one object "
        + "at line 1, column 66")
    let list = #"[{"n": {"id": 5}, "n": {"id": 6}}]"#
    #expect(
      try coder.read([User].self, from: Data(list.utf8), at: "/*/n").objects.map(\.id) == [6])
    #expect(coder.store.object(ofType: User.self, forPrimaryKey: 5) == nil)
  }

  @Test func `each repetition of a key along the path of an element is an issue`() throws {
    let coder = try makeCoder()
    let text = #"[{"n": {"id": 5}, "n": {"id": 6}, "n": {"id": 7}}]"#
    let result = try coder.read([User].self, from: Data(text.utf8), at: "/*/n")
    #expect(result.objects.map(\.id) == [7])
    #expect(result.issues.map(\.kind) == [.duplicateKey, .duplicateKey])
  }

  @Test func `keys that no attribute reads are found in elements and values`() throws {
    let data = Data(
      #"[{"id": 1, "tags": [{"name": "x", "id": 7}], "likes": [{"user": {"id": 1, "nick": 2}}]}]"#
        .utf8)
    #expect(
      try makeCoder().audit([Post].self, from: data).unreadKeys.map(\.first.location)
        == ["[0].likes[0].user.nick", "[0].tags[0].id"])
  }

  final class Mistaken: Object {
    @Persisted(primaryKey: true) var id: Int
    @Persisted(json: "/a/*/b") var name = ""
    @Persisted(json: "/c/*/d/*") var numbers: List<Int>
    @Persisted(json: "/e/*/f", .keyed) var users: List<User>
    @Persisted(json: "/*/g") var words: List<String>
    @Persisted(.aliases("/*/i")) var others: List<Int>
    @Persisted(json: "*") var star = 0

    override class var objectEnvelope: String? { "/j/*" }
  }

  @Test func `a wildcard where there are no elements is a mistake in the declaration`() throws {
    let coder = try makeCoder()
    #expect(
      message { try coder.check(Mistaken.self) }
        == """
        Mistaken.name: '/a/*/b' has a '*', which only the path of a list or set may have
        Mistaken.numbers: '/c/*/d/*' has more than one '*'
        Mistaken.words: '/*/g' needs a key before the '*'
        Mistaken.others.aliases: '/*/i' needs a key before the '*'
        Mistaken.objectEnvelope: '/j/*' has a '*', which only the path of a list or set may have
        Mistaken.users: 'keyed' cannot be combined with a '*' in the path
        """)
    #expect(
      message { _ = try coder.decode(User.self, from: Data("{}".utf8), at: "/a/*") }
        == "at: '/a/*' has a '*', which only the path of a list or set may have")
  }

  @Test(arguments: 0..<200)
  func `wrapped elements are read and skipped like bare ones`(seed: Int) throws {
    var random = SeededRandom(seed: UInt64(seed))
    func value(_ depth: Int) -> (bare: String, wrapped: String) {
      switch Int.random(in: 0..<8, using: &random) {
      case 0: return ("5", "5")
      case 1: return ("{}", "{}")
      case 2: return (#"{"id": "x"}"#, #"{"id": "x"}"#)
      default:
        let id = Int.random(in: 0..<20, using: &random)
        guard depth > 0 else { return (#"{"id": \#(id)}"#, #"{"id": \#(id)}"#) }
        let inner = (0..<Int.random(in: 0..<4, using: &random)).map { _ in value(depth - 1) }
        let bare = inner.map(\.bare).joined(separator: ", ")
        let wrapped = inner.map { #"{"c": [[]], "n": \#($0.wrapped)}"# }.joined(separator: ", ")
        return (#"{"id": \#(id), "l": [\#(bare)]}"#, #"{"l": [\#(wrapped)], "id": \#(id)}"#)
      }
    }
    let (bare, wrapped) = value(5)
    let policy: AttributePolicy.Mismatches =
      Bool.random(using: &random) ? .skipElement : .skipAttribute
    let plain = try makeCoder { $0.mismatches = policy }
    let nested = try makeCoder { $0.mismatches = policy }
    let expected = try? plain.read(Bare.self, from: Data(bare.utf8))
    let found = try? nested.read(Wrapped.self, from: Data(wrapped.utf8))
    #expect(expected?.issueCount == found?.issueCount)
    let expectedLists = plain.store.objects(Bare.self).map { "\($0.id): \($0.l.map(\.id))" }
    let foundLists = nested.store.objects(Wrapped.self).map { "\($0.id): \($0.l.map(\.id))" }
    #expect(expectedLists.sorted() == foundLists.sorted())
  }

  final class Bare: Object {
    @Persisted(primaryKey: true) var id: Int
    @Persisted var l: List<Bare>
  }

  final class Wrapped: Object {
    @Persisted(primaryKey: true) var id: Int
    @Persisted(json: "/l/*/n") var l: List<Wrapped>
  }

  // MARK: - Aliases

  final class Reader: Object {
    @Persisted(primaryKey: true) var id: Int
    @Persisted(json: "/books/edges/*/node", .aliases("books_list", "/shelf/*/book"), .omitsEmpty)
    var books: List<Int>
    @Persisted(json: "friends", .aliases("/friendships/*/friend"), .omitsEmpty)
    var friends: List<User>
  }

  @Test(arguments: [
    #""books_list": [1, 2]"#, #""shelf": [{"book": 1}, {"book": 2}]"#,
    #""books": {"edges": [{"node": 1}, {"node": 2}]}"#,
    #""books_list": [7], "books": {"edges": [{"node": 1}, {"node": 2}]}, "shelf": [{"book": 9}]"#,
    #""shelf": [{"book": 9}], "books_list": [1, 2]"#,
  ])
  func `each alias has a wildcard of its own`(members: String) throws {
    let coder = try makeCoder()
    let reader = try coder.decode(Reader.self, #"{"id": 1, \#(members)}"#)
    #expect(Array(reader.books) == [1, 2])
    let text = #"{"id":1,"books":{"edges":[{"node":1},{"node":2}]}}"#
    #expect(try coder.text(reader) == text)
    #expect(try coder.read(Reader.self, from: Data(text.utf8)).unchanged == 1)
  }

  @Test func `nested objects of an alias with a wildcard are read by their own paths`() throws {
    let coder = try makeCoder()
    let reader = try coder.decode(
      Reader.self,
      #"{"id": 1, "friendships": [{"friend": {"id": 2, "friends": {"edges": [{"node": {"id": 3}}]}}}]}"#
    )
    #expect(reader.friends.map(\.id) == [2])
    #expect(reader.friends[0].friends.map(\.id) == [3])
    #expect(
      message {
        try coder.decode(Reader.self, #"{"id": 1, "friendships": [{"friend": 4}]}"#)
      }
        == "friendships[0].friend (Reader.friends, id 1): expected User, found number 4 at line 1, column 38"
    )
  }

  // MARK: - Limits

  final class Far: Object {
    @Persisted(primaryKey: true) var id: Int
    @Persisted(json: "/a/*/100") var values: List<Int>
  }

  final class First: Object {
    @Persisted(primaryKey: true) var id: Int
    @Persisted(json: "/a/*/0") var values: List<Int>
  }

  @Test func `an index after a wildcard has a lower limit`() throws {
    #expect(
      message { try makeCoder().check(Far.self) }
        == "Far.values: '/a/*/100' has an index above 99 after the '*'")
  }

  @Test func `an empty array has no element at an index`() throws {
    #expect(
      message { try makeCoder().decode(First.self, #"{"id": 1, "a": [[]]}"#) }
        == "a[0] (First.values, id 1): expected an element 0, found an array of 0 at line 1, column 17"
    )
  }

  @Test func `a single value in place of wrappers has unread keys`() throws {
    let data = Data(
      #"[{"id": 1, "likes": {"user": {"id": 1, "nick": 2}, "at": 3}, "cited": []}]"#.utf8)
    #expect(
      try makeCoder().audit([Post].self, from: data).unreadKeys.map(\.first.location)
        == ["[0].likes.at", "[0].likes.user.nick"])
    let users = Data(
      #"{"data": {"users": {"edges": [{"cursor": 1, "node": {"id": 1, "nick": 2}}]}}}"#.utf8)
    let keys = try makeCoder().audit([User].self, from: users).unreadKeys
    #expect(keys.map(\.first.location) == ["data.users.edges[0].node.nick"])
    #expect(keys.map(\.path) == ["nick"])
  }
}

@Suite struct `Paths with a wildcard into the members of an object` {
  final class Entity: Object {
    @Persisted(primaryKey: true) var id: String
    @Persisted var type = ""

    override class var listEnvelope: String? { "/entities/*" }
  }

  final class Redirect: Object {
    @Persisted(primaryKey: true) var id: String
  }

  private let coder: StoreCoder
  private let entities = Data(
    #"{"entities": {"Q32": {"id": "Q10", "type": "item"}, "Q1": {"id": "Q1"}}, "success": 1}"#
      .utf8)

  init() throws { coder = try makeCoder() }

  @Test func `the members are the elements in document order`() throws {
    #expect(try coder.decodeArray(Entity.self, from: entities).map(\.id) == ["Q10", "Q1"])
    let result = try coder.read([Entity].self, from: entities, at: "/entities/*")
    #expect(result.unchanged == 2 && result.elementCount == 2)
    #expect(try result.metadata("success") == 1)
    #expect(
      try coder.updateDictionaries(for: Entity.self, from: entities).map { $0["id"] }
        == ["Q10", "Q1"])
    let array = Data(#"{"entities": [{"id": "Q2"}]}"#.utf8)
    #expect(try coder.decodeArray(Entity.self, from: array).map(\.id) == ["Q2"])
    #expect(try coder.decodeArray(Entity.self, from: Data(#"{"entities": {}}"#.utf8)).isEmpty)
    #expect(
      try coder.encodeArray(result.objects, useEnvelope: true).text
        == #"{"entities":[{"id":"Q10","type":"item"},{"id":"Q1"}]}"#)
  }

  @Test func `a complete list may be an object`() throws {
    try coder.decode(Entity.self, from: Data(#"{"id": "old"}"#.utf8))
    let result = try coder.read([Entity].self, from: entities, complete: .all)
    #expect(result.deleted == 1)
    #expect(coder.store.objects(Entity.self).map(\.id).sorted() == ["Q1", "Q10"])
  }

  @Test func `sections of all kinds enter the members`() throws {
    let document = try coder.read(
      [
        "/entities/*": .list(Entity.self), "/gone/*/node": .deleted(Entity.self),
        "/redirects/*": .list(Redirect.self),
        "/mixed/*": .mixed(by: "type", ["item": Entity.self, "redirect": Redirect.self]),
      ],
      from: Data(
        #"""
        {"gone": {"a": {"node": "Q1"}}, "redirects": {"a": {"id": "r1"}, "b": {"id": "r2"}},
         "mixed": {"x": {"type": "redirect", "id": "r3"}, "y": {"type": "other"},
                   "z": {"type": "item", "id": "Q4"}},
         "entities": {"Q32": {"id": "Q10"}, "Q1": {"id": "Q1"}, "Q33": {"id": "Q10"}}}
        """#.utf8))
    #expect(document[Entity.self].objects.map(\.id) == ["Q4", "Q10", "Q10"])
    #expect(document[Redirect.self].objects.map(\.id) == ["r1", "r2", "r3"])
    #expect(document[Entity.self].deleted == 1)
    #expect(
      document.issues.map(\.description) == [
        "mixed.y.type: expected one of 'item', 'redirect', found string \"other\" at line 2, column 65",
        "entities.Q33 (id \"Q10\"): merged into an earlier element with the same primary key "
          + "at line 4, column 64",
      ])
  }

  @Test func `members with the same name are one element, the last one`() throws {
    let text =
      #"{"a": {"n": {"id": 5}}, "b": {"n": {"id": "y"}}, "\u0061": {"n": {"id": "x"}}, "#
      + #""c": {"n": {"id": "y"}}, "a": {"n": {"id": "z"}}}"#
    let issues = [
      "a: the key 'a' occurs twice in one object at line 1, column 50",
      "c.n (id \"y\"): merged into an earlier element with the same primary key at line 1, column 91",
      "a: the key 'a' occurs twice in one object at line 1, column 105",
    ]
    let result = try coder.read([Entity].self, from: Data(text.utf8), at: "/*/n")
    #expect(result.objects.map(\.id) == ["y", "y", "z"])
    #expect(result.elementCount == 3)
    #expect(result.issues.map(\.description).sorted() == issues.sorted())
    let document = try coder.read(["/*/n": .list(Entity.self)], from: Data(text.utf8))
    #expect(document[Entity.self].objects.map(\.id) == ["y", "y", "z"])
    #expect(document.issues.map(\.description).sorted() == issues.sorted())
    let strict = try makeCoder { $0.duplicateKeys = .fail }
    #expect(
      kind { _ = try strict.read([Entity].self, from: Data(text.utf8), at: "/*/n") }
        == .typeMismatch)
    let twice = #"{"a": {"n": {"id": "x"}}, "a": {"n": {"id": "z"}}}"#
    #expect(
      message { _ = try strict.read([Entity].self, from: Data(twice.utf8), at: "/*/n") }
        == "a: the key 'a' occurs twice in one object at line 1, column 27")
  }

  @Test(arguments: [
    (
      #"{"entities": {"a": {"id": "x"}, "b.c": 5}}"#,
      #"entities."b.c": expected Entity, found number 5 at line 1, column 40"#
    ),
    (
      #"{"entities": {"a": {"id": 7}}}"#,
      "entities.a.id (Entity.id): expected String, found number 7 at line 1, column 27"
    ),
    (
      #"{"entities": 5}"#,
      "entities: expected an array or an object, found number 5 at line 1, column 14"
    ),
    (
      #"{"entities": {"a": {"id": "x"}, "a": nul}}"#,
      #"entities.a: expected a JSON value, found "nul" at line 1, column 41"#
    ),
  ])
  func `a bad member is an error with its path and changes nothing`(
    text: String, expected: String
  ) {
    #expect(message { _ = try coder.decodeArray(Entity.self, text) } == expected)
    #expect(coder.store.objects(Entity.self).isEmpty)
  }

  @Test func `bad members are skipped by the policy of the coder`() throws {
    let coder = try makeCoder { $0.mismatches = .skipElement }
    let text = #"{"entities": {"a": 5, "b": {"id": "x"}, "c": {"id": 1}, "d": {"id": "x"}}}"#
    let result = try coder.read([Entity].self, from: Data(text.utf8))
    #expect(result.objects.map(\.id) == ["x", "x"])
    #expect(result.issues.map(\.path) == ["entities.a", "entities.c.id", "entities.d"])
  }

  @Test func `the limit of elements applies to members`() throws {
    let coder = try makeCoder { $0.limits.elementCount = 1 }
    #expect(
      message { _ = try coder.decodeArray(Entity.self, from: entities) }
        == "entities: the limit of 1 elements is exceeded at line 1, column 53")
  }

  @Test func `an audit walks the members`() throws {
    let data = Data(#"{"entities": {"a": {"id": 7}, "b": {"id": "8", "u": 1}, "c": 3}}"#.utf8)
    let audit = try coder.audit([Entity].self, from: data)
    #expect(audit.objectCount == 2)
    #expect(audit.unreadKeys.map(\.first.location) == ["entities.b.u"])
    #expect(
      audit.mismatches.map(\.first.location).sorted() == ["entities.a.id", "entities.c"])
  }

  @Test func `a stream cannot enter the members of an object`() async throws {
    let error = await #expect(throws: StoreCodingError.self) {
      try await coder.readAll([Entity].self, from: CutBytes(entities, every: 7))
    }
    #expect(
      error?.description
        == "entities: expected an array of objects, found an object with the keys 'Q32', 'Q1' "
        + "at line 1, column 14; a stream cannot enter the members of an object")
  }

  @Test(arguments: SeededRandom.seeds(1...20))
  func `the members of an object are read as the elements of an array`(seed: UInt64) throws {
    var random = SeededRandom(seed: seed)
    let lenient: (inout StoreCoder.Configuration) -> Void = { $0.mismatches = .skipElement }
    let (first, second) = (try makeCoder(lenient), try makeCoder(lenient))
    for _ in 0..<10 {
      let elements = (0..<random.below(8)).map { _ in
        ["5", #"{"id": \#(random.below(3))}"#, #"{"id": "\#(random.below(4))", "type": "t"}"#][
          random.below(3)]
      }
      let members = elements.enumerated().map { #""m\#(elements.count - $0)": \#($1)"# }
      let array = Data("[\(elements.joined(separator: ","))]".utf8)
      let object = Data("{\(members.joined(separator: ","))}".utf8)
      let expected = try first.read([Entity].self, from: array, at: "")
      let found = try second.read([Entity].self, from: object, at: "/*")
      #expect(found.objects.map(\.id) == expected.objects.map(\.id))
      #expect(found.outcomes == expected.outcomes)
      #expect(found.elementCount == expected.elementCount)
      #expect(found.issues.map(\.kind) == expected.issues.map(\.kind))
    }
  }
}

import Foundation
import ObjectStore
import StoreCoding
import TestSupport
import Testing

@Suite struct `Documents with several sections` {
  final class User: Object {
    @Persisted(primaryKey: true) var id: String
    @Persisted var name = ""
  }

  final class Post: Object {
    @Persisted(primaryKey: true) var id: Int
    @Persisted var title = ""
    @Persisted(.byKey) var author: User?
  }

  class Event: Object {
    @Persisted(primaryKey: true) var id: Int
    @Persisted var kind = ""
  }

  final class Push: Event {
    @Persisted var commits = 0
  }

  final class Fork: Event {
    @Persisted var forkee = ""
  }

  final class Member: Object {
    @Persisted var team = 0
    @Persisted var user = 0
    override class var compoundKey: [String] { ["team", "user"] }
    @Persisted(primaryKey: true) var id: String
  }

  final class Device: Object {
    @Persisted(primaryKey: true) var id: UUID
    @Persisted var name = ""
  }

  final class Keyless: Object {
    @Persisted var text = ""
  }

  private static let feed: [String: DocumentSection] = [
    "posts": .list(Post.self), "data.users": .keyed(User.self), "viewer": .one(User.self).optional,
    "removed.post_ids": .deleted(Post.self).optional,
    "events": .mixed(by: "kind", ["push": Push.self, "fork": Fork.self]).optional,
  ]

  private let coder: StoreCoder

  init() throws { coder = try makeCoder() }

  private func read(
    _ text: String, _ sections: [String: DocumentSection] = feed
  ) throws -> DecodedDocument {
    try coder.read(sections, from: Data(text.utf8))
  }

  @Test func `all sections are stored in one transaction`() throws {
    try coder.decode(Post.self, #"{"id": 9}"#)
    let version = coder.store.version
    let document = try read(
      #"""
      {"posts": [{"id": 1, "title": "a", "author": "jo"}, {"id": 2}],
       "removed": {"post_ids": [9, 10]},
       "data": {"users": {"jo": {"name": "Jo"}}, "count": 1},
       "events": [{"id": 1, "kind": "push", "commits": 3}, {"kind": "fork", "id": 2, "forkee": "x"}],
       "viewer": {"id": "al", "name": "Al"}, "paging": {"next": "/2"}}
      """#)
    #expect(coder.store.version == version + 1)
    #expect(document[Post.self].objects.map(\.id) == [1, 2])
    #expect(document[Post.self].objects.first?.author?.name == "Jo")
    #expect(document[Post.self].inserted == 2)
    #expect(document[Post.self].deleted == 1)
    #expect(document[User.self].objects.map(\.id) == ["jo", "al"])
    #expect(document[User.self, at: "viewer"].objects.map(\.id) == ["al"])
    #expect(document[Push.self].objects.map(\.commits) == [3])
    #expect(document[Fork.self].objects.map(\.forkee) == ["x"])
    #expect(document[Event.self].objects.map(\.kind) == ["push", "fork"])
    #expect(coder.store.objects(Post.self).count == 2)
    #expect(document.issues.isEmpty)
    #expect(try document.metadata("paging.next") == "/2")
    #expect(
      try document.metadata("") == ["data": ["count": 1], "removed": [:], "paging": ["next": "/2"]])
  }

  @Test func `the same document again changes nothing`() throws {
    let text = #"{"posts": [{"id": 1, "author": "jo"}], "data": {"users": {"jo": {"name": "Jo"}}}}"#
    _ = try read(text)
    let version = coder.store.version
    let again = try read(text)
    #expect(coder.store.version == version)
    #expect(again[Post.self].unchanged == 1)
    #expect(again[User.self].unchanged == 1)
  }

  @Test func `an object in two sections is counted once and is no issue`() throws {
    let document = try read(
      #"{"posts": [], "data": {"users": {"jo": {"name": "Jo"}}}, "viewer": {"id": "jo", "name": "J"}}"#
    )
    let users = document[User.self]
    #expect((users.inserted, users.unchanged, users.merged) == (1, 0, 1))
    #expect(users.objects.map(\.name) == ["J", "J"])
    #expect(document.issues.isEmpty)
  }

  @Test func `elements of one section with the same key are an issue of its class`() throws {
    let document = try read(
      #"{"posts": [{"id": 1}, {"id": 1}], "data": {"users": {}}, "events": [{"id": 1, "kind": "x"}]}"#
    )
    #expect(
      document[Post.self].issues.map(\.description) == [
        "posts[1] (id 1): merged into an earlier element with the same primary key at line 1, column 23"
      ])
    #expect(document[Post.self].issueCount == 1)
    #expect(document[User.self].issues.isEmpty)
    #expect(document.issueCount == 2)
  }

  @Test func `an element with an unknown tag is skipped and reported`() throws {
    let document = try read(
      #"{"events": [{"id": 1, "kind": "star"}, {"id": 2, "kind": "push"}]}"#,
      ["events": .mixed(by: "kind", ["push": Push.self, "fork": Fork.self])])
    #expect(document[Event.self].objects.map(\.id) == [2])
    #expect(
      document[Push.self].issues.map(\.description) == [
        "events[0].kind: expected one of 'fork', 'push', found string \"star\" at line 1, column 31"
      ])
  }

  @Test func `elements with an unknown tag or without one have the class that is given for them`()
    throws
  {
    let document = try read(
      #"[{"id": 1, "kind": "star"}, {"id": 2, "kind": "push", "commits": 4}, {"id": 3}]"#,
      ["": .mixed(by: "kind", ["push": Push.self], otherwise: Event.self)])
    #expect(document[Event.self].objects.map(\.id) == [1, 2, 3])
    #expect(document[Push.self].objects.map(\.commits) == [4])
    #expect(document.issues.isEmpty)
    #expect(try document.metadata("x") == nil)
  }

  @Test func `a tag may be a number, a Boolean or nested, and the last of duplicates counts`()
    throws
  {
    let text = #"""
      [{"meta": {"v": 1}, "id": 1}, {"id": 2, "meta": {"v": true}},
       {"meta": {"v": 1}, "id": 3, "meta": {"v": true}}, {"id": 4, "meta": {"v": "1"}}]
      """#
    let document = try read(text, ["": .mixed(by: "meta.v", ["1": Push.self, "true": Fork.self])])
    #expect(document[Push.self].objects.map(\.id) == [1, 4])
    #expect(document[Fork.self].objects.map(\.id) == [2, 3])
  }

  @Test func `a deleted section has keys or objects with keys`() throws {
    for id in 1...6 { try coder.decode(Post.self, #"{"id": \#(id)}"#) }
    for user in 1...3 { try coder.decode(Member.self, #"{"team": 1, "user": \#(user)}"#) }
    let document = try read(
      #"""
      {"gone": [1, {"id": 2, "deleted": true}, 1, 77], "edges": [{"node": {"id": 3}}],
       "members": [{"team": 1, "user": 2}]}
      """#,
      [
        "gone": .deleted(Post.self), "/edges/*/node": .deleted(Post.self),
        "members": .deleted(Member.self),
      ])
    #expect(document[Post.self].deleted == 3)
    #expect(document[Post.self, at: "gone"].deleted == 2)
    #expect(document[Member.self].deleted == 1)
    #expect(coder.store.objects(Post.self).map(\.id) == [4, 5, 6])
    #expect(coder.store.objects(Member.self).map(\.user) == [1, 3])
  }

  @Test func `an object that is stored and deleted does not exist afterwards`() throws {
    let document = try read(
      #"{"posts": [{"id": 1}, {"id": 2}], "data": {"users": {}}, "removed": {"post_ids": [1]}}"#)
    #expect(document[Post.self].objects.map(\.id) == [2])
    #expect(document[Post.self].deleted == 1)
    #expect(coder.store.objects(Post.self).map(\.id) == [2])
  }

  @Test func `an optional section may be absent or null`() throws {
    let document = try read(
      #"{"posts": [], "data": {"users": {}}, "viewer": null, "removed": null, "events": null}"#)
    #expect(document[Event.self].objects.isEmpty)
    #expect(try document.metadata("") == ["data": [:], "removed": .null])
  }

  @Test func `sections in elements of arrays are read by index`() throws {
    let document = try read(
      #"[{"users": {"a": {"name": "A"}}}, [{"id": 1}], 3]"#,
      ["/0/users": .keyed(User.self), "/1": .list(Post.self), "/7": .one(User.self).optional])
    #expect(document[User.self].objects.map(\.name) == ["A"])
    #expect(document[Post.self].objects.map(\.id) == [1])
    #expect(try document.metadata("/2") == 3)
  }

  @Test func `the last of duplicate sections counts and nothing of the first is stored`() throws {
    let document = try read(
      #"""
      {"posts": [{"id": 1, "author": "x"}], "data": {"users": {"a": {"name": "A"}, "a": {"name": "B"}}},
       "posts": [{"id": 2}], "viewer": {"id": "v"}, "viewer": null}
      """#)
    #expect(document[Post.self].objects.map(\.id) == [2])
    #expect(coder.store.objects(Post.self).map(\.id) == [2])
    #expect(coder.store.objects(User.self).map { "\($0.id) \($0.name)" } == ["a B"])
    #expect(
      document.issues.map(\.description) == [
        "data.users.a: the key 'a' occurs twice in one object at line 1, column 78",
        "posts: the key 'posts' occurs twice in one object at line 2, column 2",
        "viewer: the key 'viewer' occurs twice in one object at line 2, column 47",
      ])
  }

  @Test func `names of a keyed section that are one UUID are duplicates`() throws {
    let id = "E621E1F8-C36C-495A-93FC-0C247A3E6E5F"
    let text =
      #"{"d": {"\#(id)": {"name": "a"}, "\#(id.lowercased())": {"name": "b"}}}"#
    let document = try read(text, ["d": .keyed(Device.self)])
    #expect(document[Device.self].objects.map(\.name) == ["b"])
    #expect(document.issueCount == 1)
    let strict = try makeCoder { $0.duplicateKeys = .fail }
    #expect(
      message { _ = try strict.read(["d": .keyed(Device.self)], from: Data(text.utf8)) }
        == "d.e621e1f8-c36c-495a-93fc-0c247a3e6e5f: the key 'e621e1f8-c36c-495a-93fc-0c247a3e6e5f' "
        + "occurs twice in one object at line 1, column 63")
  }

  @Test func `the coder's policy skips bad elements of all sections that are lists`() throws {
    let coder = try makeCoder { $0.mismatches = .skipElement }
    let document = try coder.read(
      Self.feed,
      from: Data(
        #"""
        {"posts": [{"id": 1, "title": 5}, {"id": 2}], "data": {"users": {"a": 7, "b": {"name": "B"}}},
         "removed": {"post_ids": ["x", 2]}, "events": [{"id": 1}, {"id": "y", "kind": "push"}]}
        """#.utf8))
    #expect(document[Post.self].objects.isEmpty)
    #expect(document[Post.self].deleted == 1)
    #expect(document[User.self].objects.map(\.id) == ["b"])
    #expect(
      document.issues.map(\.description) == [
        "posts[0].title (Post.title, id 1): expected String, found number 5 at line 1, column 31",
        "data.users.a: expected User, found number 7 at line 1, column 71",
        "removed.post_ids[0] (Post.id): expected Int, found string \"x\" at line 2, column 27",
        "events[0]: expected the key 'kind', found the key 'id' at line 2, column 48",
        "events[1].id (Push.id): expected Int, found string \"y\" at line 2, column 66",
      ])
  }

  @Test func `a document without any of its optional sections has metadata`() throws {
    let sections: [String: DocumentSection] = ["data.users": .list(User.self).optional]
    let document = try read(#"{"next": "/2", "data": {"count": 0}}"#, sections)
    #expect(try document.metadata("next") == "/2")
    #expect(try document.metadata("data.count") == 0)
    #expect(try read("[]", ["": .list(User.self)]).metadata("") == nil)
  }

  @Test func `a value on the path of an optional section is refused with the path of the section`()
    throws
  {
    #expect(
      message { _ = try read(#"{"data": 5}"#, ["data.users": .list(User.self).optional]) }
        == "data: expected the envelope 'data.users', found number 5 at line 1, column 10")
  }

  @Test func `an error for a short array on the path of a section suggests to make it optional`() {
    #expect(
      message { _ = try read(#"{"a": []}"#, ["/a/0": .one(User.self)]) }
        == "a: expected the envelope '/a/0', found an array of 0 at line 1, column 7; "
        + "a section that may be absent or null needs '.optional'")
  }

  @Test func `an empty array is an empty keyed section`() throws {
    let document = try read(#"{"posts": [], "data": {"users": [ ], "count": 1}}"#)
    #expect(document[User.self].objects.isEmpty)
    #expect(document.issues.isEmpty)
    #expect(try document.metadata("") == ["data": ["count": 1]])
    let top = try read("[]", ["": .keyed(User.self)])
    #expect(top[User.self].objects.isEmpty)
    let audit = try coder.audit(["users": .keyed(User.self)], from: Data(#"{"users": []}"#.utf8))
    #expect(audit.mismatches.isEmpty)
    let bad = try coder.audit(["users": .keyed(User.self)], from: Data(#"{"users": [1]}"#.utf8))
    #expect(bad.mismatches.map(\.expected) == ["an object"])
  }

  @Test func `an empty array replaces an earlier keyed section with the same key`() throws {
    let document = try read(
      #"{"users": {"a": {"name": "A"}}, "users": []}"#, ["users": .keyed(User.self)])
    #expect(document[User.self].objects.isEmpty)
    #expect(coder.store.objects(User.self).isEmpty)
  }

  @Test func `a document describes itself with its sections and counts`() throws {
    let document = try read(
      #"{"posts": [{"id": 1}, {"id": 2}], "data": {"users": {"jo": {"name": "J"}}}, "removed": {"post_ids": [2, 3]}}"#
    )
    let text =
      "DecodedDocument(data.users: 1 object, events: 0 objects, posts: 1 object, "
      + "removed.post_ids: 1 deleted, viewer: 0 objects; 0 issues, 108 bytes)"
    #expect("\(document)" == text)
    #expect(String(reflecting: document) == text)
    #expect(
      "\(document[Post.self])"
        == "ReadResult<Post>(1 object: 1 inserted, 0 updated, 0 unchanged, 0 merged; 1 deleted; "
        + "0 issues, 108 bytes)")
    var dumped = ""
    dump(document, to: &dumped)
    #expect(!dumped.contains("onfiguration"))
    dumped = ""
    dump(document[Post.self], to: &dumped)
    #expect(!dumped.contains("onfiguration"))
  }

  @Test func `a pointer with an index and a path with the same number are one location`() throws {
    let sections: [String: DocumentSection] = [
      "a.0.posts": .list(Post.self), "/a/0/users": .list(User.self),
    ]
    let content = #"{"posts": [{"id": 1}], "users": [{"id": "u"}]}"#
    for text in [#"{"a": [\#(content)]}"#, #"{"a": {"0": \#(content)}}"#] {
      let document = try read(text, sections)
      #expect(document[Post.self].objects.map(\.id) == [1])
      #expect(document[User.self].objects.map(\.id) == ["u"])
    }
  }

  @Test(
    arguments: [
      (
        #"{"data": {"users": {}}}"#,
        "expected the envelope 'posts', found the key 'data' at line 1, column 1; a section that may be absent or null needs '.optional'"
      ),
      (
        #"{"posts": [], "data": {"people": {}}}"#,
        "data: expected the envelope 'data.users', found the key 'people' at line 1, column 23; a section that may be absent or null needs '.optional'"
      ),
      (
        #"{"posts": [], "data": 5}"#,
        "data: expected the envelope 'data.users', found number 5 at line 1, column 23"
      ),
      (
        #"{"posts": {}, "data": {"users": {}}}"#,
        "posts: expected an array of objects, found an object with no keys at line 1, column 11"
      ),
      (
        #"{"posts": null}"#,
        "posts: expected an array of objects, found null at line 1, column 11; a section that may be absent or null needs '.optional'"
      ),
      (
        #"{"posts": nul}"#,
        #"posts: expected a JSON value, found "nul" at line 1, column 14"#
      ),
      (
        #"{"posts": [], "data": null}"#,
        "data: expected the envelope 'data.users', found null at line 1, column 23; a section that may be absent or null needs '.optional'"
      ),
      (
        #"{"posts": [], "data": {"users": null}}"#,
        "data.users: expected an object, found null at line 1, column 33; a section that may be absent or null needs '.optional'"
      ),
      (
        #"{"posts": [7]}"#,
        "posts[0]: expected Post, found number 7 at line 1, column 12"
      ),
      (
        #"{"posts": [{"id": "x"}]}"#,
        #"posts[0].id (Post.id): expected Int, found string "x" at line 1, column 19"#
      ),
      (
        #"{"data": {"users": [1]}}"#,
        "data.users: expected an object, found an array at line 1, column 20"
      ),
      (
        #"{"data": {"users": {"a": {"id": "b"}}}}"#,
        #"data.users.a.id (User.id, id "b"): expected "a", the name of the member, found string "b" at line 1, column 33"#
      ),
      (
        #"{"viewer": [1]}"#,
        "viewer: expected an object, found an array at line 1, column 12"
      ),
      (
        #"{"events": [{"id": 1}]}"#,
        "events[0]: expected the key 'kind', found the key 'id' at line 1, column 13"
      ),
      (
        #"{"events": [{"kind": {}}]}"#,
        "events[0].kind: expected one of 'fork', 'push', found an object at line 1, column 22"
      ),
      (
        #"{"events": ["push"]}"#,
        #"events[0]: expected an object, found string "push" at line 1, column 13"#
      ),
      (
        #"{"events": [{"kind": "x", "a": }]}"#,
        #"events[0]: expected a JSON value, found "}]}" at line 1, column 32"#
      ),
      (
        #"{"removed": {"post_ids": [null]}}"#,
        "removed.post_ids[0]: expected the key of a Post (Int), or an object, found null at line 1, column 27"
      ),
      (
        #"{"removed": {"post_ids": [{"ID": 1}]}}"#,
        "removed.post_ids[0]: no key of the object belongs to Post, found the key 'ID' at line 1, column 27; is 'ID' meant to be 'id'?"
      ),
      (
        #"{"posts": [], "data": {"users": {}}} x"#,
        #"unexpected text after the JSON value, found "x" at line 1, column 38"#
      ),
    ])
  func `an invalid document is refused with its position and changes nothing`(
    text: String, expected: String
  ) throws {
    try coder.decode(User.self, #"{"id": "a", "name": "A"}"#)
    let version = coder.store.version
    #expect(message { _ = try read(text) } == expected)
    #expect(coder.store.version == version)
  }

  @Test func `all mistakes of the sections are reported at once`() throws {
    #expect(
      message {
        _ = try read(
          "{}",
          [
            "a..b": .one(User.self), "/a/*/b": .one(User.self), "k": .keyed(Keyless.self),
            "d": .deleted(Keyless.self), "m": .keyed(Member.self),
            "t": .mixed(by: "/~", ["x": User.self]),
            "u": .mixed(by: "x", [:]),
          ])
      } == """
        section '/a/*/b': '/a/*/b' has a '*', which only the path of a list or set may have
        section 'a..b': 'a..b' is not a valid path
        section 'd': 'deleted' needs a primary key, which Keyless does not have
        section 'k': 'keyed' needs a primary key, which Keyless does not have
        section 'm': 'keyed' needs a primary key of one attribute, but that of Member is made of team, user
        section 't': '/~' is not a valid path
        section 'u': it has no classes
        """)
    #expect(
      message {
        _ = try read("{}", ["a": .list(User.self), "a.b": .one(User.self), "": .one(User.self)])
      }
        == """
        the section '' contains the section 'a'
        the section '' contains the section 'a.b'
        """)
    #expect(
      message {
        _ = try read(
          "{}",
          [
            "/a/0": .one(User.self), "a": .list(User.self), "/b": .one(User.self),
            "b": .one(User.self),
          ])
      }
        == """
        the section 'a' contains the section '/a/0'
        the section '/b' contains the section 'b'
        """)
    #expect(message { _ = try read("{}", [:]) } == "a document needs at least one section")
  }

  @Test func `a path that belongs to no section is misuse`() async {
    await #expect(processExitsWith: .failure) {
      let coder = try makeCoder()
      let document = try coder.read(["": .list(Post.self)], from: Data("[]".utf8))
      _ = document[Post.self, at: "posts"]
    }
  }

  /// Compares documents of random content, with their sections in random order, with one call for each section.
  @Test(arguments: SeededRandom.seeds(1...40))
  func `a document has the effect of one call for each section`(seed: UInt64) throws {
    var random = SeededRandom(seed: seed)
    let oracle = try makeCoder()
    for _ in 0..<10 {
      let posts = (0..<random.below(6)).map { _ in
        #"{"id": \#(random.below(9)), "title": "\#(random.below(3))", "author": "u\#(random.below(5))"}"#
      }
      let users = Set((0..<random.below(5)).map { _ in "u\(random.below(5))" }).map {
        (id: $0, object: #"{"name": "\#(random.below(3))"}"#)
      }
      let members = users.map { #""\#($0.id)": \#($0.object)"# }
      let events = (0..<random.below(5)).map { _ in
        random.once(in: 2)
          ? #"{"kind": "push", "id": \#(random.below(5)), "commits": \#(random.below(3))}"#
          : #"{"id": \#(random.below(5)), "forkee": "\#(random.below(3))", "kind": "fork"}"#
      }
      let removed = (0..<random.below(3)).map { _ in "\(random.below(9))" }
      var sections = [
        #""posts": [\#(posts.joined(separator: ","))]"#,
        #""data": {"x": [{}], "users": {\#(members.joined(separator: ","))}}"#,
        #""events": [\#(events.joined(separator: ","))]"#,
        #""removed": {"post_ids": [\#(removed.joined(separator: ","))]}"#,
        #""other": {"posts": 3}"#,
      ]
      sections.shuffle(using: &random)
      let document = try read("{" + sections.joined(separator: ",") + "}")

      let before = Set(oracle.store.objects(Post.self).map(\.id))
      try oracle.decodeArray(Post.self, "[\(posts.joined(separator: ","))]")
      for user in users {
        try oracle.decode(User.self, from: Data(user.object.utf8), key: user.id)
      }
      for event in events where event.contains("push") { try oracle.decode(Push.self, event) }
      for event in events where event.contains("fork") { try oracle.decode(Fork.self, event) }
      let isRemoved = Set(removed.compactMap { Int($0) })
      try oracle.store.write {
        oracle.store.delete(oracle.store.objects(Post.self).where { $0.id.in(Array(isRemoved)) })
      }
      let inserted = Set(oracle.store.objects(Post.self).map(\.id)).subtracting(before)
      #expect(document[Post.self].inserted == inserted.count)
      #expect(document[Event.self].objects.count == events.count)
      #expect(try contents(of: coder) == contents(of: oracle))
    }
  }

  private func contents(of coder: StoreCoder) throws -> [String] {
    [
      try coder.encodeArray(coder.store.objects(Post.self).sorted { $0.id < $1.id }).text,
      try coder.encodeArray(coder.store.objects(User.self).sorted { $0.id < $1.id }).text,
      try coder.encodeArray(coder.store.objects(Push.self).sorted { $0.id < $1.id }).text,
      try coder.encodeArray(coder.store.objects(Fork.self).sorted { $0.id < $1.id }).text,
    ]
  }

  @Test func `an element that is skipped because of a duplicate key deletes nothing`() throws {
    let coder = try makeCoder { $0.mismatches = .skipElement }
    try coder.decode(Post.self, from: Data(#"{"id": 1}"#.utf8))
    let document = try coder.read(
      ["/gone/*/node": .deleted(Post.self)],
      from: Data(#"{"gone": [{"node": 1, "node": null}, {"node": null, "node": 1}]}"#.utf8))
    #expect(document[Post.self].deleted == 0 && coder.store.objects(Post.self).count == 1)
  }

  @Test func `an element after one that is skipped because of a duplicate key has its class`()
    throws
  {
    let coder = try makeCoder { $0.mismatches = .skipElement }
    let text = #"""
      {"all": [{"node": {"kind": "push", "id": "bad"}, "node": {"kind": "push", "id": 1}},
               {"node": {"kind": "fork", "id": 7, "forkee": "f"}}]}
      """#
    let document = try coder.read(
      ["/all/*/node": .mixed(by: "kind", ["push": Push.self, "fork": Fork.self])],
      from: Data(text.utf8))
    #expect(document[Fork.self].objects.map(\.forkee) == ["f"])
    #expect(document[Push.self].objects.isEmpty)
  }
}

import Foundation
import ObjectStore
import StoreCoding
import TestSupport
import Testing

@Suite struct `Placeholders of objects that are linked by key` {
  final class User: Object {
    @Persisted(primaryKey: true) var id: Int
    @Persisted var name = ""
    @Persisted var tags: List<String>
    @Persisted(.unread) var rest: JSONValue = [:]
    @Persisted(indexed: true, .placeholder) var isPlaceholder = false
  }

  final class Issue: Object {
    @Persisted(primaryKey: true) var id: Int
    @Persisted(.byKey) var author: User?
    @Persisted(.byKey) var readers: List<User>
    @Persisted var owner: User?
  }

  final class Board: Object {
    @Persisted(primaryKey: true) var id: Int
    @Persisted var roles: Map<String, User?>
    @Persisted(.keyed) var keyed: List<User>
  }

  final class Team: Object {
    @Persisted(primaryKey: true) var id: Int
    @Persisted var members: List<User>
    @Persisted var next: Team?
    @Persisted var last: Team?
    @Persisted(.placeholder) var isPlaceholder = false
  }

  final class Seat: Object {
    @Persisted(primaryKey: true) var key: String
    @Persisted var row: Int
    @Persisted var number: Int
    @Persisted var isFree = true
    @Persisted(.placeholder) var isPlaceholder = false
    override class var compoundKey: [String] { ["row", "number"] }
  }

  final class Person: Object {
    @Persisted(primaryKey: true) var id: Int
    @Persisted var name: String?
    @Persisted(.placeholder) var isPlaceholder = false
    override class var codableShape: CodableShape { .jsonAPI(type: "people") }
  }

  final class Article: Object {
    @Persisted(primaryKey: true) var id: Int
    @Persisted var author: Person?
    override class var codableShape: CodableShape { .jsonAPI(type: "articles") }
  }

  private let coder: StoreCoder
  private var store: Store { coder.store }

  init() throws { coder = try makeCoder() }

  private func user(_ id: Int, in store: Store? = nil) throws -> User {
    try #require((store ?? self.store).object(ofType: User.self, forPrimaryKey: id))
  }

  @Test func `an object that a link by key creates is a placeholder until a payload sets more`()
    throws
  {
    let issue = try coder.decode(Issue.self, #"{"id": 1, "author": 7, "readers": [7, 8]}"#)
    let known = store.objects(User.self).where { !$0.isPlaceholder }
    #expect(issue.author?.isPlaceholder == true && known.isEmpty)
    #expect(store.objects(User.self).count == 2)
    let result = try coder.read(User.self, from: Data(#"{"id": 7, "name": ""}"#.utf8))
    #expect(result.outcomes == [.updated])
    #expect(known.map(\.id) == [7] && issue.author?.isPlaceholder == false)
    let version = store.version
    try coder.decode(Issue.self, #"{"id": 1, "author": 7, "readers": [7, 8]}"#)
    #expect(store.version == version && known.count == 1)
    #expect(try coder.text(try user(7)) == #"{"id":7,"name":""}"#)
  }

  @Test(
    arguments: [
      (#"{"id": 1, "owner": {"id": 7}}"#, true), (#"{"id": 1, "owner": {"id": 7, "x": 1}}"#, true),
      (#"{"id": 1, "owner": {"id": 7, "tags": []}}"#, false),
      (#"{"id": 1, "author": 7, "owner": {"id": 7, "name": "A"}}"#, false),
      (#"{"id": 1, "owner": {"id": 7, "name": "A"}, "author": 7}"#, false),
      (#"{"id": 1, "owner": {"id": 7}, "author": 7}"#, true),
    ])
  func `a JSON object without another attribute than the key is a placeholder`(
    text: String, isPlaceholder: Bool
  ) throws {
    try coder.decode(Issue.self, text)
    #expect(try user(7).isPlaceholder == isPlaceholder)
  }

  @Test func `an update or an assignment in code ends a placeholder`() throws {
    try coder.decode(Issue.self, #"{"id": 1, "readers": [1, 2, 3, 4, 5]}"#)
    try store.write {
      try user(1).name = "A"
      try store.create(User.self, value: ["id": 2, "name": "B"], update: .modified)
      let third = User()
      third.id = 3
      try store.add(third, update: .modified)
      // An object of the user has all attributes.
      try store.create(User.self, value: ["id": 6])
    }
    try store.write(as: .server) { try store.create(User.self, value: ["id": 7]) }
    try store.update(User.self, key: 4, \.name <- "D")
    try store.write { try user(5).name = "" }
    let placeholders = store.objects(User.self).where { $0.isPlaceholder }
    #expect(placeholders.map(\.id) == [7])
  }

  @Test func `an edit of a collection or a link ends a placeholder`() throws {
    try coder.decode(Issue.self, #"{"id": 1, "author": 7}"#)
    try coder.decode(Team.self, #"{"id": 1, "next": {"id": 2}, "last": {"id": 3}}"#)
    try store.write {
      try user(7).tags.append("a")
      try #require(store.object(ofType: Team.self, forPrimaryKey: 2)).next = nil
    }
    #expect(try user(7).isPlaceholder == false)
    #expect(store.objects(Team.self).where { $0.isPlaceholder }.map(\.id) == [3])
  }

  @Test func `a placeholder is encoded as its key at every depth`() throws {
    let issue = try coder.decode(Issue.self, #"{"id": 1, "owner": {"id": 7}, "readers": [8]}"#)
    let team = try coder.decode(
      Team.self, #"{"id": 1, "next": {"id": 2, "members": [{"id": 7}, {"id": 9, "name": "A"}]}}"#)
    #expect(try coder.text(issue) == #"{"id":1,"readers":[8],"owner":{"id":7}}"#)
    #expect(
      try coder.text(team)
        == #"{"id":1,"next":{"id":2,"members":[{"id":7},{"id":9,"name":"A"}]}}"#
    )
    #expect(try coder.text(try user(7)) == #"{"id":7}"#)
    let seat = try coder.decode(Seat.self, #"{"row": 1, "number": 2}"#)
    #expect(try coder.text(seat) == #"{"row":1,"number":2}"#)
    try store.write { try user(7).name = "B" }
    #expect(try coder.text(try user(7)) == #"{"id":7,"name":"B"}"#)
  }

  @Test func `a merge patch with whole links says nothing about a placeholder`() throws {
    let issue = try coder.decode(
      Issue.self, #"{"id": 1, "owner": {"id": 8, "name": "A"}, "author": 9}"#)
    let before = issue.frozen()
    try store.write { issue.owner = issue.author }
    let patch = try coder.patch(
      from: before, to: issue, as: .mergePatch, linkedObjects: .full)
    #expect(patch.map { String(decoding: $0, as: UTF8.self) } == #"{"owner":{"id":9}}"#)
  }

  @Test func `a merge patch says nothing about placeholders in maps and keyed lists`() throws {
    let board = try coder.decode(
      Board.self,
      #"{"id": 1, "roles": {"a": {"id": 7, "name": "A"}, "b": {"id": 8}}, "keyed": {"7": {"name": "A"}}}"#
    )
    let keys = #"{"id": 1, "roles": {"a": {"id": 7}, "b": {"id": 8}}, "keyed": {"7": {}}}"#
    func patch(_ change: () throws -> Void) throws -> String? {
      let before = board.frozen()
      try store.write(change)
      return try coder.patch(from: before, to: board, as: .mergePatch, linkedObjects: .full)
        .map { String(decoding: $0, as: UTF8.self) }
    }
    let new = try store.write(as: .server) { try store.create(User.self, value: ["id": 9]) }
    #expect(try patch { board.roles["a"] = new } == #"{"roles":{"a":{"id":9}}}"#)
    #expect(
      try patch { board.roles["a"] = try user(7) }
        == #"{"roles":{"a":{"id":7,"name":"A"}}}"#)
    let isReplaced = try patch {
      store.delete(try user(7))
      try coder.decode(Board.self, keys)
    }
    #expect(isReplaced == nil)
    #expect(try patch { board.roles["b"] = nil } == #"{"roles":{"b":null}}"#)
  }

  @Test func `a rolled back payload leaves a placeholder`() throws {
    try coder.decode(Issue.self, #"{"id": 1, "author": 7}"#)
    struct Failure: Error {}
    #expect(throws: Failure.self) {
      try store.write {
        try coder.decode(User.self, #"{"id": 7, "name": "A"}"#)
        #expect(try user(7).isPlaceholder == false)
        throw Failure()
      }
    }
    #expect(try user(7).isPlaceholder)
  }

  @Test func `placeholders are stored in files`() throws {
    let folder = try TemporaryFolder()
    let configuration = StoreConfiguration.file(folder.file("a.store"))
    do {
      let coder = StoreCoder(store: try Store(configuration: configuration))
      try coder.decode(Issue.self, #"{"id": 1, "readers": [7, 8]}"#)
      try coder.decode(User.self, #"{"id": 8, "name": "B"}"#)
    }
    let store = try Store(configuration: configuration)
    #expect(try user(7, in: store).isPlaceholder)
    #expect(try user(8, in: store).isPlaceholder == false)
  }

  @Test func `the parts of a compound key are no other attributes`() throws {
    #expect(try coder.decode(Seat.self, #"{"row": 1, "number": 2}"#).isPlaceholder)
    #expect(
      try coder.decode(Seat.self, #"{"row": 1, "number": 2, "isFree": true}"#).isPlaceholder
        == false)
  }

  @Test func `an identifier of JSON API makes a placeholder until its resource arrives`() throws {
    let text = #"""
      {"data": {"type": "articles", "id": "1",
        "relationships": {"author": {"data": {"type": "people", "id": "9"}}}}}
      """#
    let article = try coder.decode(Article.self, text)
    #expect(article.author?.isPlaceholder == true)
    try coder.decode(
      Person.self, #"{"data": {"type": "people", "id": "9", "attributes": {"name": "Ann"}}}"#)
    #expect(article.author?.isPlaceholder == false)
  }

  @Test func `an update dictionary marks placeholders when it is applied`() throws {
    let update = try coder.updateDictionary(
      for: Issue.self, from: Data(#"{"id": 1, "author": 7, "owner": {"id": 8, "name": "B"}}"#.utf8))
    #expect(store.objects(User.self).isEmpty)
    try store.write { _ = try store.create(Issue.self, value: update, update: .modified) }
    #expect(try user(7).isPlaceholder)
    #expect(try user(8).isPlaceholder == false)
  }

  /// Decodes random payloads and compares with a set of the keys of which more is known.
  @Test(arguments: SeededRandom.seeds(1...20))
  func `random payloads mark the objects of which only the key is known`(seed: UInt64) throws {
    var random = SeededRandom(seed: seed)
    var (all, known): (Set<Int>, Set<Int>) = ([], [])
    for _ in 0..<20 {
      let objects = (0..<1 + random.below(3)).map { index -> String in
        let ids = (0..<3).map { _ in random.below(12) }
        all.formUnion(ids)
        guard random.once(in: 2) else { return #"{"id": \#(index), "readers": \#(ids)}"# }
        known.insert(ids[0])
        return #"{"id": \#(index), "author": \#(ids[1]), "readers": [\#(ids[2])], "#
          + #""owner": {"name": "\#(random.below(3))", "id": \#(ids[0])}}"#
      }
      try coder.decodeArray(Issue.self, "[\(objects.joined(separator: ","))]")
      #expect(Set(store.objects(User.self).map(\.id)) == all)
      #expect(Set(store.objects(User.self).where { !$0.isPlaceholder }.map(\.id)) == known)
    }
  }

  final class Wrong: Object {
    @Persisted(json: "a", .placeholder) var a = false
    @Persisted(.placeholder) var b = false
  }

  @Test func `wrong declarations are reported`() throws {
    #expect(
      message { try coder.check(Wrong.self) } == """
        Wrong: more than one attribute is 'placeholder': a, b
        Wrong.a: 'placeholder' needs a class with a primary key
        Wrong.b: 'placeholder' needs a class with a primary key
        Wrong.a: a placeholder attribute has no JSON key
        """)
    let schema = ObjectSchema(
      "User",
      [Property("id", .int, isPrimaryKey: true), Property("is", .int, options: [.placeholder])])
    #expect(
      message { _ = try Store(configuration: .inMemory(), schemas: [schema]) }
        == "User.is: the type is Int, but the option requires a Bool")
    #expect(coder.explain(User.self).contains("–          Bool          placeholder"))
  }
}

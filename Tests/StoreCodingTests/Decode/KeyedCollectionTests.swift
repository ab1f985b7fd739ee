import Foundation
import ObjectStore
import StoreCoding
import TestSupport
import Testing

@Suite struct `Keyed collections` {
  final class User: Object {
    @Persisted(primaryKey: true) var id: Int
    @Persisted var name = ""
  }

  final class Note: Object {
    @Persisted(primaryKey: true) var id: UUID
  }

  final class Tag: Object {
    @Persisted(primaryKey: true) var slug: String
  }

  final class Byte: Object {
    @Persisted(primaryKey: true) var id: UInt8
  }

  final class Room: Object {
    @Persisted(primaryKey: true) var id: Int
    @Persisted(.keyed, .omitsEmpty) var users: List<User>
    @Persisted(.keyed, .omitsEmpty, .mismatch(.skipElement)) var guests: MutableSet<User>
    @Persisted(.keyed, .omitsEmpty) var seats: Map<String, User?>
    @Persisted(.keyed, .omitsEmpty) var notes: Map<String, Note?>
    @Persisted(.keyed, .omitsEmpty) var tags: List<Tag>
    @Persisted(.keyed, .omitsEmpty) var bytes: List<Byte>
  }

  private func room(_ members: String) throws -> (StoreCoder, Room) {
    let coder = try makeCoder()
    return (coder, try coder.decode(Room.self, #"{"id": 1, \#(members)}"#))
  }

  @Test func `the names of the members are the keys of the objects`() throws {
    let (coder, room) = try room(
      #""users": {"8": {"name": "b"}, "-7": {"id": -7, "name": "a"}}, "tags": {"x.y": {"slug": "x.y"}}"#
    )
    #expect(room.users.map(\.id) == [8, -7])
    #expect(room.users.map(\.name) == ["b", "a"])
    #expect(room.tags.map(\.slug) == ["x.y"])
    let text =
      #"{"id":1,"users":{"8":{"id":8,"name":"b"},"-7":{"id":-7,"name":"a"}},"#
      + #""tags":{"x.y":{"slug":"x.y"}}}"#
    #expect(try coder.text(room) == text)
    #expect(try coder.encode(room.frozen()).text == text)
    #expect(try coder.read(Room.self, from: Data(text.utf8)).unchanged == 1)
  }

  @Test func `unmanaged objects are written in the same form`() throws {
    let coder = try makeCoder { $0.outputFormatting = [.sortedKeys] }
    let (room, user, other) = (Room(), User(), User())
    (room.id, user.id, other.id) = (1, 20, 3)
    room.users.append(contentsOf: [user, other])
    room.seats["3"] = other
    room.seats["4"] = .some(nil)
    #expect(
      try coder.text(room)
        == #"{"id":1,"seats":{"3":{"id":3,"name":""},"4":null},"#
        + #""users":{"20":{"id":20,"name":""},"3":{"id":3,"name":""}}}"#)
  }

  @Test func `a map has the same names as its JSON`() throws {
    let id = "e621e1f8-c36c-495a-93fc-0c247a3e6e5f"
    let (coder, room) = try room(
      #""seats": {"7": {}, "9": null}, "notes": {"\#(id)": {"x": 1}}"#.replacing(
        "{}", with: #"{"name": "c"}"#
      ).replacing(#"{"x": 1}"#, with: #"{"id": "\#(id.uppercased())"}"#))
    #expect(room.seats.keys.sorted() == ["7", "9"])
    #expect(room.seats["7"]??.name == "c")
    #expect(room.notes[id]??.id == UUID(uuidString: id))
    let text = try coder.text(room)
    #expect(try coder.read(Room.self, from: Data(text.utf8)).unchanged == 1)
  }

  @Test func `the names of a map of objects with UUIDs are in lower case`() throws {
    let id = "e621e1f8-c36c-495a-93fc-0c247a3e6e5f"
    let (coder, room) = try room(#""notes": {"\#(id.uppercased())": {"id": "\#(id)"}}"#)
    #expect(room.notes.keys == [id])
    // Names that code assigns can be in upper case.
    try coder.store.write {
      room.notes[id.uppercased()] = room.notes[id]
      room.notes[id] = nil
    }
    let text = try coder.text(room)
    #expect(text == #"{"id":1,"notes":{"\#(id)":{"id":"\#(id)"}}}"#)
    try coder.decode(Room.self, text)
    #expect(room.notes.keys == [id])
    #expect(coder.store.objects(Note.self).count == 1)
    try coder.store.write { room.notes[id.uppercased()] = room.notes[id] }
    #expect(
      message { _ = try coder.text(room) }
        == "notes (Room.notes): the key '\(id)' occurs twice in one object")
  }

  @Test(arguments: [
    (
      #""users": {"7": {"id": 8, "name": "x"}}"#,
      "users.7.id (User.id, id 8): expected 7, the name of the member, found number 8"
    ),
    (
      #""users": {"x": {"name": "x"}}"#,
      #"users.x (Room.users, id 1): expected an Int as the name of the member, found "x""#
    ),
    (
      #""users": {"07": {"name": "x"}}"#,
      #"users.07 (Room.users, id 1): expected an Int as the name of the member, found "07""#
    ),
    (
      #""bytes": {"256": {"id": 0}}"#,
      #"bytes.256 (Room.bytes, id 1): expected a UInt8 as the name of the member, found "256""#
    ),
    (
      #""users": [{"id": 7}]"#,
      "users (Room.users, id 1): expected an object whose names are the keys of User objects, "
        + "found an array"
    ),
    (
      #""users": {"7": 5}"#,
      "users.7 (Room.users, id 1): expected User, found number 5"
    ),
    (
      #""users": {"7": null}"#,
      "users.7 (Room.users, id 1): null for an element of List<User> that is not optional"
    ),
  ])
  func `a member that does not fit its name is an error with its path`(
    members: String, text: String
  ) throws {
    let found = message { _ = try room(members) }
    #expect(found.hasPrefix(text + " at line 1, column"), "\(found)")
  }

  @Test func `a name that is no key is reported at its own position`() throws {
    let text = #"{"id":1,"users":{"x" : {"name":"a"}}}"#
    #expect(
      message { try makeCoder().decode(Room.self, text) }
        == #"users.x (Room.users, id 1): expected an Int as the name of the member, found "x" "#
        + "at line 1, column 18")
    let audit = try makeCoder().audit(Room.self, from: Data(text.utf8))
    #expect(audit.mismatches.map(\.first.column) == [18])
  }

  @Test func `bad elements are skipped by the policy of the attribute`() throws {
    let result = try makeCoder().read(
      Room.self,
      from: Data(
        #"{"id": 1, "guests": {"1": {"name": 5}, "x": {}, "2": {"name": "b"}, "3": {"id": 4}}}"#
          .utf8))
    #expect(result.objects.first?.guests.map(\.id) == [2])
    #expect(result.issues.map(\.path) == ["guests.1.name", "guests.x", "guests.3.id"])
  }

  @Test func `the last of several members with the same name counts`() throws {
    let (_, room) = try room(
      #""users": {"7": {"name": "a"}, "8": {"name": "b"}, "7": {"name": "c"}}"#)
    #expect(room.users.map(\.id) == [8, 7])
    #expect(room.users.last?.name == "c")
  }

  final class Notes: Object {
    @Persisted(primaryKey: true) var id: Int
    @Persisted(.keyed, .emptyAsNil) var notes: List<Note>
  }

  @Test func `the names of a list of objects with UUIDs are compared without case`() throws {
    let id = "e621e1f8-c36c-495a-93fc-0c247a3e6e5f"
    let coder = try makeCoder()
    let text =
      #"{"id": 1, "notes": {"\#(id)": {"id": "\#(id)"}, "\#(id.uppercased())": {"id": "\#(id)"}}}"#
    let notes = try coder.decode(Notes.self, text)
    #expect(notes.notes.count == 1)
    #expect(try coder.decode(Notes.self, coder.text(notes)).notes.count == 1)
    #expect(try coder.decode(Notes.self, #"{"id": 1, "notes": []}"#).notes.isEmpty)
  }

  @Test func `a strict coder refuses names that are the same UUID`() throws {
    let id = "e621e1f8-c36c-495a-93fc-0c247a3e6e5f"
    let coder = try makeCoder { $0.duplicateKeys = .fail }
    let text =
      #"{"id": 1, "notes": {"\#(id)": {"id": "\#(id)"}, "\#(id.uppercased())": {"id": "\#(id)"}}}"#
    #expect(
      message { try coder.decode(Notes.self, text) }
        == "notes.\(id) (Notes.notes, id 1): the key '\(id)' occurs twice in one object "
        + "at line 1, column 109")
  }

  final class Nest: Object {
    @Persisted(primaryKey: true) var id: Int
    @Persisted(.keyed, .mismatch(.skipElement), .aliases("k2")) var k: List<Nest>
  }

  @Test(arguments: [(60, 0, "number -1"), (240, 20_000, "-1")])
  func `an object that contradicts its name is located, unless too much text was searched`(
    depth: Int, unreadCount: Int, found: String
  ) throws {
    // Searching each object for its key would take O(depth × bytes).
    let unread = Array(repeating: "[]", count: unreadCount).joined(separator: ",")
    var text = #"{"unread":[\#(unread)],"id":-1}"#
    for id in (0..<depth).reversed() { text = #"{"k":{"\#(id)":\#(text)},"id":-1}"# }
    let result = try makeCoder().read(Nest.self, from: Data(text.utf8))
    #expect(result.objects[0].k.isEmpty)
    // `,"id":-1}}},"id":-1}` ends the text.
    let column = found == "-1" ? 11 : text.utf8.count - 12
    #expect(
      result.issues.map(\.description) == [
        "k.0.id (Nest.id, id -1): expected 0, the name of the member, found \(found) "
          + "at line 1, column \(column)"
      ])
  }

  @Test func `sorted keys keep the order of a keyed list`() throws {
    let coder = try makeCoder { $0.outputFormatting = [.sortedKeys] }
    let room = try coder.decode(
      Room.self, #"{"id": 1, "tags": {"b": {"slug": "b"}, "a": {"slug": "a"}}}"#)
    #expect(try coder.encode(room).text == #"{"id":1,"tags":{"b":{"slug":"b"},"a":{"slug":"a"}}}"#)
    #expect(try coder.read(Room.self, from: coder.encode(room)).outcomes == [.unchanged])
  }

  final class Shelf: Object {
    @Persisted(primaryKey: true) var id: Int
    @Persisted(.keyed) var tags: Map<String, Tag?>
  }

  @Test func `a map's key in another normal form than its object's key cannot be encoded`() throws {
    let coder = try makeCoder()
    let shelf = try coder.decode(Shelf.self, #"{"id": 1, "tags": {}}"#)
    try coder.store.write {
      shelf.tags["e\u{301}"] = try coder.store.create(Tag.self, value: ["slug": "\u{e9}"])
    }
    let error = #expect(throws: StoreCodingError.self) { try coder.encode(shelf) }
    #expect(error?.kind == .typeMismatch)
    #expect(error?.attribute == "Shelf.tags")
  }

  @Test func `an object twice in a keyed list cannot be encoded`() throws {
    let (coder, room) = try room(#""users": {"7": {"name": "a"}}"#)
    try coder.store.write { room.users.append(room.users[0]) }
    #expect(kind { _ = try coder.text(room) } == .duplicateKey)
  }

  @Test func `an object under another name than its key cannot be encoded`() throws {
    let (coder, room) = try room(#""seats": {"7": {"name": "a"}}"#)
    try coder.store.write { room.seats["9"] = room.seats["7"]! }
    #expect(
      message { _ = try coder.text(room) }
        == "seats.9 (Room.seats): expected the object with this key, found an object with the key 7"
    )
  }

  @Test func `keys of members that no attribute reads are found in keyed objects`() throws {
    let data = Data(#"[{"id": 1, "users": {"7": {"name": "a", "nick": "b"}}}]"#.utf8)
    let keys = try makeCoder().audit([Room].self, from: data).unreadKeys
    #expect(keys.map(\.first.location) == ["[0].users.7.nick"])
  }

  final class Stone: Object {
    @Persisted var weight = 1
  }

  final class Wall: Object {
    @Persisted(primaryKey: true) var id: Int
    @Persisted(.keyed) var stones: List<Stone>
    @Persisted(.keyed, .byKey) var users: List<User>
    @Persisted(.keyed, .acceptsSingleValue) var others: List<User>
  }

  @Test func `a keyed collection needs objects with a primary key and excludes other forms`() throws
  {
    let text = message { try makeCoder().check(Wall.self) }
    #expect(text.contains("Wall.stones: 'keyed' needs a primary key, which Stone does not have"))
    #expect(text.contains("Wall.users: 'keyed' cannot be combined with 'byKey'"))
    #expect(text.contains("Wall.others: 'keyed' cannot be combined with 'acceptsSingleValue'"))
  }
}

@Suite struct `Keyed collections with any names` {
  final class Entity: Object {
    @Persisted(primaryKey: true) var id: String
    @Persisted var type = ""
  }

  final class Note: EmbeddedObject {
    @Persisted var text = ""
  }

  final class Stone: Object {
    @Persisted var weight = 1
  }

  final class Box: Object {
    @Persisted(primaryKey: true) var id: Int
    @Persisted(.keyed(.anyName)) var entities: List<Entity>
    @Persisted(.keyed(.anyName)) var distinct: MutableSet<Entity>
    @Persisted(.keyed(.anyName), .emptyAsNil, .mismatch(.skipElement)) var notes: List<Note>
    @Persisted(.keyed(.anyName)) var stones: List<Stone>
    @Persisted var name = ""
    @Persisted(.unread) var rest: JSONValue = [:]
    override class var tracksEdits: Bool { true }
  }

  private let coder: StoreCoder

  init() throws { coder = try makeCoder() }

  private func read(_ members: String) throws -> ReadResult<Box> {
    try coder.read(Box.self, from: Data(#"{"id": 1, \#(members)}"#.utf8))
  }

  @Test func `the objects are read in document order, whatever the names`() throws {
    let members =
      #""entities": {"Q3": {"id": "Q1", "type": "item"}, "2": {"id": "Q2"}, "": {"id": "Q1"}}, "#
      + #""distinct": {"a": {"id": "Q2"}, "b": {"id": "Q2"}}, "#
      + #""notes": {"-Nx2": {"text": "b"}, "-Nx1": {"text": "a"}}, "stones": {"x": {"weight": 3}}"#
    let box = try #require(try read(members).objects.first)
    #expect(box.entities.map(\.id) == ["Q1", "Q2", "Q1"])
    #expect(box.entities.first?.type == "item")
    #expect(box.distinct.map(\.id) == ["Q2"])
    #expect(box.notes.map(\.text) == ["b", "a"])
    #expect(box.stones.map(\.weight) == [3])
    #expect(box.rest == [:])
    let version = coder.store.version
    #expect(try read(members).unchanged == 1)
    #expect(coder.store.version == version)
  }

  @Test func `no body contains the collection, and its changes are not edits`() throws {
    let box = try #require(
      try read(#""entities": {"x": {"id": "a"}}, "name": "n""#).objects.first)
    let frozen = box.frozen()
    #expect(try coder.text(box) == #"{"id":1,"name":"n"}"#)
    #expect(try coder.encode(frozen).text == #"{"id":1,"name":"n"}"#)
    try coder.store.write { box.entities.removeAll() }
    #expect(try coder.store.takeEdit(of: box) == nil)
    #expect(try coder.patch(from: frozen, to: box, as: .mergePatch) == nil)
    #expect(try coder.patch(from: frozen, to: box, as: .jsonPatch()) == nil)
    #expect(
      message { _ = try coder.encode(box, only: ["entities"]) }
        == "(Box.entities): the attribute is never encoded")
    let unmanaged = Box()
    unmanaged.entities.append(Entity())
    #expect(try coder.text(unmanaged) == #"{"id":0,"name":""}"#)
    #expect(
      coder.explain(Box.self).contains(
        "notes      notes      List<Note>          not encoded, mismatch: skipElement, "
          + "empty as nil, keyed by any name  name"))
  }

  @Test func `the last of several members with the same name counts`() throws {
    let result = try read(
      #""entities": {"a": {"id": "x"}, "b": {"id": "y"}, "a": {"id": "z"}}, "notes": []"#)
    #expect(result.objects.first?.entities.map(\.id) == ["y", "z"])
    #expect(result.issues.map(\.path) == ["entities.a"])
    #expect(coder.store.objects(Entity.self).map(\.id).sorted() == ["y", "z"])
  }

  @Test(arguments: [
    (
      #""entities": [{"id": "a"}]"#,
      "entities (Box.entities, id 1): expected an object whose members are Entity objects, "
        + "found an array at line 1, column 23"
    ),
    (
      #""entities": {"a": 5}"#,
      "entities.a (Box.entities, id 1): expected Entity, found number 5 at line 1, column 29"
    ),
    (
      #""entities": {"a": {"type": "x"}}"#,
      "entities.a (Entity.id): no value for the primary key 'id', found the key 'type' "
        + "at line 1, column 29"
    ),
  ])
  func `a member that is not an object of the class is an error with its path`(
    members: String, text: String
  ) {
    #expect(message { _ = try read(members) } == text)
  }

  @Test func `a bad member is skipped by the policy of the attribute`() throws {
    let result = try read(#""notes": {"a": 1, "b": {"text": "x"}, "c": {"text": 2}}"#)
    #expect(result.objects.first?.notes.map(\.text) == ["x"])
    #expect(result.issues.map(\.path) == ["notes.a", "notes.c.text"])
  }

  @Test func `an audit requires the key in the object`() throws {
    let data = Data(#"{"id": 1, "entities": {"a": {"id": "x", "u": 1}, "b": {"type": "t"}}}"#.utf8)
    let audit = try coder.audit(Box.self, from: data)
    #expect(audit.keptKeys.isEmpty && audit.unreadKeys.map(\.path) == ["entities.*.u"])
    #expect(audit.mismatches.map(\.first.location) == ["entities.b"])
  }

  final class Mistaken: Object {
    @Persisted(primaryKey: true) var id: Int
    @Persisted(.keyed(.anyName), .omitsEmpty) var a: List<Entity>
    @Persisted(.keyed(.anyName), .byKey) var b: List<Entity>
    @Persisted(.keyed(.anyName), .acceptsSingleValue) var c: List<Entity>
    @Persisted(json: "/d/*/x", .keyed(.anyName)) var d: List<Entity>
    override class var codableAlwaysEncoded: [String] { ["c"] }
  }

  @Test func `a declaration that needs the collection in a body is a mistake`() {
    #expect(
      message { try coder.check(Mistaken.self) } == """
        Mistaken.codableAlwaysEncoded: 'c' is never encoded
        Mistaken.a: 'omitsEmpty' cannot be combined with 'keyed(.anyName)', which is never encoded
        Mistaken.b: 'keyed' cannot be combined with 'byKey'
        Mistaken.c: 'keyed' cannot be combined with 'acceptsSingleValue'
        Mistaken.d: 'keyed' cannot be combined with a '*' in the path
        """)
  }
}

import Foundation
import ObjectStore
import StoreCoding
import TestSupport
import Testing

@Suite struct `The case of UUIDs` {
  final class Note: Object {
    @Persisted(primaryKey: true) var id: UUID
    @Persisted var text: String?
  }

  struct Visit: CodablePersistable {
    var id: UUID?
    var count = 0
  }

  final class Room: Object {
    @Persisted(primaryKey: true) var id: UUID
    @Persisted var code: UUID?
    @Persisted var next: Room?
    @Persisted(.omitsEmpty) var codes: List<UUID>
    @Persisted(.omitsEmpty) var named: Map<String, UUID>
    @Persisted(.byKey) var main: Note?
    @Persisted(.byKey, .omitsEmpty) var others: MutableSet<Note>
    @Persisted(.keyed, .omitsEmpty) var list: List<Note>
    @Persisted(.keyed, .omitsEmpty) var map: Map<String, Note?>
    @Persisted var visit: Visit?
    override class var tracksEdits: Bool { true }
  }

  final class Article: Object {
    @Persisted(primaryKey: true) var id: UUID
    @Persisted var source: Article?
    override class var codableShape: CodableShape { .jsonAPI(type: "articles") }
  }

  private let lower = "e621e1f8-c36c-495a-93fc-0c247a3e6e5f"
  private var upper: String { lower.uppercased() }

  private func body(_ id: String) -> String {
    #"{"id":"\#(id)","code":"\#(id)","next":{"id":"\#(id.dropLast())0"},"#
      + #""codes":["\#(id)"],"named":{"a":"\#(id)"},"main":"\#(id)","others":["\#(id)"],"#
      + #""list":{"\#(id)":{"id":"\#(id)","text":"x"}},"map":{"\#(id)":{"id":"\#(id)","text":"x"}}}"#
  }

  @Test(arguments: [false, true])
  func `a body has all UUIDs in the case of the configuration`(isUppercase: Bool) throws {
    let coder = try makeCoder { $0.uppercaseUUIDs = isUppercase }
    let room = try coder.decode(Room.self, body(isUppercase ? lower : upper))
    let body = body(isUppercase ? upper : lower)
    #expect(try coder.text(room) == body)
    #expect(try coder.encode(room.frozen()).text == body)
  }

  @Test func `the body of an unmanaged object has all UUIDs in lower case`() throws {
    let (room, note) = (Room(), Note())
    let id = try #require(UUID(uuidString: upper))
    (room.id, room.code, room.main, note.id) = (id, id, note, id)
    room.list.append(note)
    room.map[upper] = note
    #expect(
      try makeCoder().text(room)
        == #"{"id":"\#(lower)","code":"\#(lower)","main":"\#(lower)","#
        + #""list":{"\#(lower)":{"id":"\#(lower)"}},"map":{"\#(lower)":{"id":"\#(lower)"}}}"#)
  }

  @Test func `values and names in either case are the same objects`() throws {
    let coder = try makeCoder()
    try coder.decode(Room.self, body(upper))
    let version = coder.store.version
    #expect(try coder.read(Room.self, from: Data(body(lower).utf8)).unchanged == 1)
    #expect(try coder.read(Room.self, from: Data(body(upper).utf8)).unchanged == 1)
    #expect(coder.store.version == version)
    #expect(coder.store.objects(Note.self).count == 1)
  }

  @Test func `an edit has its key and its body in lower case`() throws {
    let coder = try makeCoder()
    let room = try coder.decode(Room.self, body(upper))
    try coder.store.write {
      room.code = nil
      room.visit = Visit(id: room.id, count: 1)
    }
    let edit = try #require(try coder.store.takeEdit())
    #expect(edit.keyText == lower)
    #expect(edit.description.hasPrefix("edited Room \(lower): code \(lower) → null"))
    #expect(
      try coder.encode(edit, as: .changes).text
        == #"{"id":"\#(lower)","code":null,"visit":{"count":1,"id":"\#(lower)"}}"#)
    #expect(
      try coder.encode(edit, as: .jsonPatch(tests: .none)).text
        == #"[{"op":"remove","path":"/code"},"#
        + #"{"op":"add","path":"/visit","value":{"count":1,"id":"\#(lower)"}}]"#)
  }

  @Test func `the ids of resources are in lower case`() throws {
    let coder = try makeCoder()
    let article = try coder.decode(
      Article.self,
      #"{"data":{"type":"articles","id":"\#(upper)","relationships":{"source":{"data":"#
        + #"{"type":"articles","id":"\#(lower)"}}}}}"#)
    #expect(article.source == article)
    #expect(
      try coder.text(article)
        == #"{"type":"articles","id":"\#(lower)","relationships":{"source":{"data":"#
        + #"{"type":"articles","id":"\#(lower)"}}}}"#)
  }

  @Test func `a message names a key in lower case`() throws {
    #expect(
      message { try makeCoder().decode(Note.self, #"{"id":"\#(upper)","text":5}"#) }
        == "text (Note.text, id \(lower)): expected String?, found number 5 at line 1, column 53")
  }

  @Test func `the preset of RealmCoder writes upper case`() throws {
    let coder = try StoreCoder(store: Store(), configuration: .realmCoder)
    let note = try coder.decode(Note.self, #"{"id":"\#(lower)"}"#)
    #expect(try coder.text(note) == "{\n  \"id\" : \"\(upper)\"\n}")
  }
}

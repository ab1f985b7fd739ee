import Foundation
import ObjectStore
import StoreCoding
import TestSupport
import Testing

private enum Pointers {
  final class Point: Object {
    @Persisted(primaryKey: true) var id: Int
    @Persisted(json: "/names/0") var first: String?
    @Persisted(json: "/names/1") var second: String?
    @Persisted(json: "/p/q/0") var width: Int?
    @Persisted(json: "/p/q/1/z") var depth: Int?
    @Persisted(json: "profile.title") var title: String?
    @Persisted(json: "profile.nick") var nick: String?
    @Persisted var version: JSONValue = .null
    @Persisted(.unread) var rest: JSONValue = .null
    override class var tracksEdits: Bool { true }
    override class var codableAlwaysEncoded: [String] { ["version"] }
  }

  final class Part: EmbeddedObject {
    @Persisted(json: "q.r") var size: Int?
  }

  final class Gap: Object {
    @Persisted(primaryKey: true) var id: Int
    @Persisted(json: "/co/1") var second: Int?
    @Persisted(json: "/far/0/b/1") var far: Int?
    @Persisted var part: Part?
    override class var tracksEdits: Bool { true }
  }
}

@Suite struct `Bodies of edits` {
  private let bed: EditBed
  private var store: Store { bed.store }

  init() throws { bed = try EditBed() }

  private func body(_ edit: Edit, _ format: CodingConfiguration.BodyFormat) throws -> String {
    String(decoding: try bed.coder.encode(edit, as: format), as: UTF8.self)
  }

  @Test func `a body has only the edited attributes`() throws {
    let order = try bed.order(#"{"id":7,"note":"a","address":{"street":"A","city":"B"}}"#)
    try store.write {
      order.note = nil
      order.address?.street = "C"
    }
    let edit = try #require(try store.takeEdit(of: order))
    #expect(
      try body(edit, .changes) == #"{"id":7,"note":null,"address":{"street":"C","city":"B"}}"#)
    #expect(try body(edit, .mergePatch) == #"{"address":{"street":"C"},"note":null}"#)
    #expect(
      try body(edit, .jsonPatch())
        == #"[{"op":"test","path":"/note","value":"a"},{"op":"test","path":"/address/city","value":"B"},{"op":"test","path":"/address/street","value":"A"},{"op":"remove","path":"/note"},{"op":"add","path":"/address","value":{"city":"B","street":"C"}}]"#
    )
  }

  @Test func `an attribute with an unknown base value is set as a whole`() throws {
    let order = try bed.order(#"{"id":7,"address":{"street":"A"}}"#)
    try store.markEdited(order, \.note, \.address)
    let edit = try #require(try store.takeEdit(of: order))
    #expect(try body(edit, .changes) == #"{"id":7,"note":null,"address":{"street":"A"}}"#)
    #expect(try body(edit, .mergePatch) == #"{"address":{"street":"A"},"note":null}"#)
    #expect(
      try body(edit, .jsonPatch())
        == #"[{"op":"add","path":"/address","value":{"street":"A"}},{"op":"add","path":"/note","value":null}]"#
    )
  }

  @Test func `a merge patch that is sent again clears the members of an embedded object`() throws {
    let order = try bed.order(#"{"id":7,"address":{"street":"A"}}"#)
    try store.write { order.address?.city = "B" }
    // The server may have the city.
    try store.settle(try #require(try store.takeEdit(of: order)), .later)
    try store.write { order.address?.city = nil }
    let edit = try #require(try store.takeEdit(of: order))
    #expect(try body(edit, .mergePatch) == #"{"address":{"city":null,"street":"A"}}"#)
  }

  @Test func `a JSON Patch that is sent again removes a member that may be gone`() throws {
    let order = try bed.order(#"{"id":7,"note":"a"}"#)
    try store.write { order.note = nil }
    try store.settle(try #require(try store.takeEdit(of: order)), .later)
    let edit = try #require(try store.takeEdit(of: order))
    #expect(
      try body(edit, .jsonPatch())
        == #"[{"op":"add","path":"/note","value":null},{"op":"remove","path":"/note"}]"#)
  }

  @Test func `a merge patch that is sent again removes the members that the base value has`() throws
  {
    let order = try bed.order(
      #"{"id":7,"prices":{"a":1,"b":2},"extra":{"x":{"y":1,"z":2},"v":[1]}}"#)
    try store.write {
      order.prices["b"] = nil
      order.extra = .object(["x": .object(["y": .int(1)])])
    }
    let edit = try #require(try store.takeEdit(of: order))
    #expect(
      try body(edit, .mergePatch) == #"{"extra":{"v":null,"x":{"z":null}},"prices":{"b":null}}"#)
    try store.settle(edit, .later)
    let again = try #require(try store.takeEdit(of: order))
    #expect(
      try body(again, .mergePatch)
        == #"{"extra":{"v":null,"x":{"y":1,"z":null}},"prices":{"a":1,"b":null}}"#)
  }

  @Test func `a JSON Patch keeps elements of a pointer's array that no attribute reads`() throws {
    let point = try bed.coder.decode(
      Pointers.Point.self,
      from: Data(#"{"id":1,"names":["A","B","kept"],"p":{"q":[5,{"z":3,"y":1}]}}"#.utf8))
    try store.write {
      point.first = "C"
      point.depth = 4
    }
    let edit = try #require(try store.takeEdit(of: point))
    #expect(
      try body(edit, .jsonPatch())
        == #"[{"op":"test","path":"/names/0","value":"A"},{"op":"test","path":"/p/q/1/z","value":3},{"op":"replace","path":"/names/0","value":"C"},{"op":"add","path":"/p/q/1/z","value":4}]"#
    )
    try store.settle(edit, .later)
    let again = try #require(try store.takeEdit(of: point))
    #expect(
      try body(again, .jsonPatch())
        == #"[{"op":"replace","path":"/names/0","value":"C"},{"op":"add","path":"/p/q/1/z","value":4}]"#
    )
  }

  @Test func `a JSON Patch never inserts into an array with elements that no attribute reads`()
    throws
  {
    let gap = try bed.coder.decode(Pointers.Gap.self, from: Data(#"{"id":1,"co":[1,null,3]}"#.utf8))
    try store.write { gap.second = 5 }
    let edit = try #require(try store.takeEdit(of: gap))
    #expect(
      try body(edit, .jsonPatch()) == #"[{"op":"replace","path":"/co/1","value":5}]"#)
    try store.settle(edit, .confirmed)
    try store.write { gap.second = nil }
    let clearing = try #require(try store.takeEdit(of: gap))
    let replacing =
      #"[{"op":"test","path":"/co/1","value":5},{"op":"replace","path":"/co/1","value":null}]"#
    #expect(try body(clearing, .jsonPatch()) == replacing)
    try store.settle(clearing, .later)
    let again = try #require(try store.takeEdit(of: gap))
    #expect(
      try body(again, .jsonPatch())
        == #"[{"op":"replace","path":"/co/1","value":null}]"#)
  }

  @Test func `a JSON Patch replaces the element of an array that is below others`() throws {
    let gap = try bed.coder.decode(
      Pointers.Gap.self, from: Data(#"{"id":1,"far":[{"b":[7,null,9],"u":1},4]}"#.utf8))
    try store.write { gap.far = 5 }
    let edit = try #require(try store.takeEdit(of: gap))
    #expect(
      try body(edit, .jsonPatch())
        == #"[{"op":"replace","path":"/far/0/b/1","value":5}]"#)
  }

  @Test func `a JSON Patch adds an array that the server does not have`() throws {
    let point = try bed.coder.decode(Pointers.Point.self, from: Data(#"{"id":1}"#.utf8))
    try store.write { point.first = "A" }
    let edit = try #require(try store.takeEdit(of: point))
    #expect(
      try body(edit, .jsonPatch())
        == #"[{"op":"add","path":"/names","value":["A"]}]"#
    )
  }

  @Test func `a JSON Patch that is sent again keeps the members of an object on a path`() throws {
    let point = try bed.coder.decode(
      Pointers.Point.self,
      from: Data(#"{"id":1,"profile":{"title":"s","u":2},"p":{"q":[5,{"z":3,"y":1}]}}"#.utf8))
    try store.write {
      (point.title, point.nick) = ("t", "n")
      point.depth = nil
    }
    let edit = try #require(try store.takeEdit(of: point))
    #expect(
      try body(edit, .jsonPatch())
        == #"[{"op":"test","path":"/p/q/1/z","value":3},{"op":"test","path":"/profile/title","value":"s"},{"op":"remove","path":"/p/q/1/z"},{"op":"add","path":"/profile/nick","value":"n"},{"op":"add","path":"/profile/title","value":"t"}]"#
    )
    try store.settle(edit, .later)
    let again = try #require(try store.takeEdit(of: point))
    #expect(
      try body(again, .jsonPatch())
        == #"[{"op":"add","path":"/p/q/1/z","value":null},{"op":"remove","path":"/p/q/1/z"},{"op":"add","path":"/profile/nick","value":"n"},{"op":"add","path":"/profile/title","value":"t"}]"#
    )
  }

  @Test func `a merge patch keeps members of an embedded object that no attribute reads`() throws {
    let gap = try bed.coder.decode(
      Pointers.Gap.self, from: Data(#"{"id":1,"part":{"q":{"r":1,"u":2}}}"#.utf8))
    try store.write { gap.part?.size = nil }
    let edit = try #require(try store.takeEdit(of: gap))
    #expect(try body(edit, .mergePatch) == #"{"part":{"q":{"r":null}}}"#)
  }

  @Test func `a JSON Patch adds an object on a path that the server does not have`() throws {
    let point = try bed.coder.decode(Pointers.Point.self, from: Data(#"{"id":1}"#.utf8))
    try store.write { point.title = "t" }
    let edit = try #require(try store.takeEdit(of: point))
    #expect(
      try body(edit, .jsonPatch())
        == #"[{"op":"add","path":"/profile","value":{"title":"t"}}]"#
    )
    try store.settle(edit, .later)
    let again = try #require(try store.takeEdit(of: point))
    #expect(
      try body(again, .jsonPatch())
        == #"[{"op":"add","path":"/profile","value":{"title":"t"}}]"#
    )
  }

  @Test func `attributes that are always encoded remove no members of the server`() throws {
    let point = try bed.coder.decode(
      Pointers.Point.self, from: Data(#"{"id":1,"version":{"rev":3,"lock":null}}"#.utf8))
    try store.write { point.title = "t" }
    let edit = try #require(try store.takeEdit(of: point))
    #expect(try body(edit, .mergePatch) == #"{"profile":{"title":"t"},"version":{"rev":3}}"#)
  }

  @Test func `members that no attribute reads are no edits`() throws {
    let point = try bed.coder.decode(Pointers.Point.self, from: Data(#"{"id":1,"new":2}"#.utf8))
    try store.write { point.rest = .object(["new": .int(3)]) }
    #expect(point.editState == .clean)
  }

  @Test func `an edit has its key as text and as a value`() throws {
    let task = try bed.coder.decode(EditTask.self, from: Data(#"{"id":"a/b"}"#.utf8))
    try store.write { task.value = 2 }
    let edit = try #require(try store.takeEdit(of: task))
    #expect(edit.keyText == "a/b")
    #expect(edit.value(of: "id") == .string("a/b"))
    let order = try bed.order(#"{"id":-7}"#)
    try store.write { store.delete(order) }
    let deletion = try #require(try store.takeEdits(of: EditOrder.self).first)
    #expect(deletion.keyText == "-7")
    #expect(deletion.value(of: "id") == .int(-7))
  }

  @Test func `a created object is encoded in full, and a deleted one as its key`() throws {
    let task = try store.write {
      try store.create(EditTask.self, value: ["id": "k", "value": 3])
    }
    let creation = try #require(try store.takeEdit(of: task))
    #expect(
      String(decoding: try bed.coder.encode(creation), as: UTF8.self) == #"{"id":"k","value":3}"#)
    try store.settle(creation, .confirmed)
    try store.write { store.delete(task) }
    let deletion = try #require(try store.takeEdits().first)
    #expect(String(decoding: try bed.coder.encode(deletion), as: UTF8.self) == #"{"id":"k"}"#)
    #expect(throws: StoreCodingError.self) {
      try bed.coder.encode(deletion, as: .jsonPatch(tests: .none))
    }
  }
}

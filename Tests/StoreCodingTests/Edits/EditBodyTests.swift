import Foundation
import ObjectStore
import StoreCoding
import TestSupport
import Testing

@Suite struct `Bodies of edits` {
  private let bed: EditBed
  private var store: Store { bed.store }

  init() throws { bed = try EditBed() }

  private func body(_ edit: Edit, _ format: BodyFormat) throws -> String {
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
      try body(edit, .jsonPatch(tests: true))
        == #"[{"op":"test","path":"/note","value":"a"},{"op":"test","path":"/address","value":{"city":"B","street":"A"}},{"op":"remove","path":"/note"},{"op":"add","path":"/address","value":{"city":"B","street":"C"}}]"#
    )
  }

  @Test func `an attribute with an unknown base value is set as a whole`() throws {
    let order = try bed.order(#"{"id":7,"address":{"street":"A"}}"#)
    try store.markEdited(order, \.note, \.address)
    let edit = try #require(try store.takeEdit(of: order))
    #expect(
      try body(edit, .changes) == #"{"id":7,"note":null,"address":{"street":"A","city":null}}"#)
    #expect(try body(edit, .mergePatch) == #"{"address":{"city":null,"street":"A"},"note":null}"#)
    #expect(
      try body(edit, .jsonPatch(tests: true))
        == #"[{"op":"add","path":"/address","value":{"street":"A"}},{"op":"add","path":"/note","value":null}]"#
    )
  }

  @Test func `a merge patch that is sent again clears the members of an embedded object`() throws {
    let order = try bed.order(#"{"id":7,"address":{"street":"A"}}"#)
    try store.write { order.address?.city = "B" }
    // The server may have the city.
    try store.release(try #require(try store.takeEdit(of: order)))
    try store.write { order.address?.city = nil }
    let edit = try #require(try store.takeEdit(of: order))
    #expect(try body(edit, .mergePatch) == #"{"address":{"city":null,"street":"A"}}"#)
  }

  @Test func `a created object is encoded in full, and a deleted one as its key`() throws {
    let task = try store.write {
      try store.create(EditTask.self, value: ["id": "k", "value": 3])
    }
    let creation = try #require(try store.takeEdit(of: task))
    #expect(
      String(decoding: try bed.coder.encode(creation), as: UTF8.self) == #"{"id":"k","value":3}"#)
    try store.confirm(creation)
    try store.write { store.delete(task) }
    let deletion = try #require(try store.takeEdits().first)
    #expect(String(decoding: try bed.coder.encode(deletion), as: UTF8.self) == #"{"id":"k"}"#)
    #expect(throws: StoreCodingError.self) {
      try bed.coder.encode(deletion, as: .jsonPatch(tests: false))
    }
  }
}

import Foundation
import ObjectStore
import StoreCoding
import TestSupport
import Testing

/// Sequences that could lose an edit: lost responses, objects that a refresh delivers before the response to their
/// creation, deletions during a request, and links that the server clears.
@Suite struct `Edits that could be lost` {
  private let bed: EditBed
  private var store: Store { bed.store }

  init() throws { bed = try EditBed() }

  private func text(_ edit: Edit, _ format: CodingConfiguration.BodyFormat) throws -> String {
    String(decoding: try bed.coder.encode(edit, as: format), as: UTF8.self)
  }

  private func created(_ id: Int = -1) throws -> EditOrder {
    try store.write { try store.create(EditOrder.self, value: ["id": .int(Int64(id))]) }
  }

  @Test func `a value that returns to its base value after a lost response is sent`() throws {
    let order = try bed.order(#"{"id":7,"note":"a","address":{"street":"A","city":"B"}}"#)
    try store.write {
      order.note = "b"
      order.address?.street = "C"
    }
    try store.settle(try #require(try store.takeEdit(of: order)), .later)
    try store.write {
      order.note = "a"
      order.address?.street = "A"
      order.address?.city = "D"
    }
    let edit = try #require(try store.takeEdit(of: order))
    #expect(try text(edit, .mergePatch) == #"{"address":{"city":"D","street":"A"},"note":"a"}"#)
    #expect(
      try text(edit, .jsonPatch())
        == #"[{"op":"add","path":"/address","value":{"city":"D","street":"A"}},{"op":"add","path":"/note","value":"a"}]"#
    )
  }

  @Test func `a value with which a refresh agrees is sent`() throws {
    let order = try bed.order(#"{"id":7,"note":"a"}"#)
    try store.write { order.note = "b" }
    try bed.order(#"{"id":7,"note":"b"}"#)
    let edit = try #require(try store.takeEdit(of: order))
    #expect(try text(edit, .mergePatch) == #"{"note":"b"}"#)
  }

  @Test func `a creation that was deleted in flight is deleted although a refresh was faster`()
    throws
  {
    let order = try created()
    let creation = try #require(try store.takeEdit(of: order))
    try store.write { store.delete(order) }
    try bed.orders(#"[{"id":44,"note":"x"}]"#)
    try bed.coder.settle(creation, .confirmed(Data(#"{"id":44}"#.utf8)))
    #expect(store.objects(EditOrder.self).isEmpty)
    #expect(try store.pendingEdits().map(\.description) == ["deleted EditOrder 44"])
  }

  @Test func `an object that the user edited after a refresh was faster stays`() throws {
    let order = try created()
    let creation = try #require(try store.takeEdit(of: order))
    try store.write { store.delete(order) }
    let delivered = try bed.order(#"{"id":44,"note":"x"}"#)
    try store.write { delivered.note = "y" }
    try bed.coder.settle(creation, .confirmed(Data(#"{"id":44,"note":"x"}"#.utf8)))
    #expect(
      try store.pendingEdits().map(\.description) == [#"edited EditOrder 44: note "x" → "y""#])
  }

  @Test func `a delivered object that was deleted does not keep the created one from its key`()
    throws
  {
    let order = try created()
    let creation = try #require(try store.takeEdit(of: order))
    let delivered = try bed.order(#"{"id":44}"#)
    try store.write {
      store.delete(delivered)
      order.note = "later"
    }
    try bed.coder.settle(creation, .confirmed(Data(#"{"id":44}"#.utf8)))
    #expect(order.id == 44)
    #expect(order.editedAttributes == ["note"])
    #expect(try store.pendingEdits().count == 1)
  }

  @Test func `a response to a settled creation does not change the key`() throws {
    let order = try created()
    let first = try #require(try store.takeEdit(of: order))
    try store.settle(first, .later)
    let second = try #require(try store.takeEdit(of: order))
    try bed.coder.settle(second, .confirmed(Data(#"{"id":45}"#.utf8)))
    try bed.coder.settle(first, .confirmed(Data(#"{"id":44}"#.utf8)))
    #expect(store.objects(EditOrder.self).map(\.id) == [45])
  }

  @Test func `a response after everything was deleted brings nothing back`() throws {
    let order = try created()
    let edit = try #require(try store.takeEdit(of: order))
    try store.write { store.deleteAll() }
    try bed.coder.settle(edit, .confirmed(Data(#"{"id":44}"#.utf8)))
    #expect(store.objects(EditOrder.self).isEmpty)
  }

  @Test func `a list that loses an object deleted by the server keeps its base value`() throws {
    try bed.orders(#"[{"id":1},{"id":2},{"id":3},{"id":9,"related":[{"id":1}]}]"#)
    let order = try #require(store.object(ofType: EditOrder.self, forPrimaryKey: 9))
    let others = [2, 3].map { store.object(ofType: EditOrder.self, forPrimaryKey: $0)! }
    try store.write { order.related.append(contentsOf: others) }
    try store.write(as: .server) { store.delete(others[1]) }
    #expect(order.related.map(\.id) == [1, 2])
    try store.revertEdits(of: order)
    #expect(order.related.map(\.id) == [1])
  }

  @Test func `a reverted deletion of a creation that was sent is a creation again`() throws {
    let order = try created()
    try store.settle(try #require(try store.takeEdit(of: order)), .later)
    try store.write { store.delete(order) }
    let restored = try #require(try store.revertDeletion(of: EditOrder.self, key: -1))
    #expect(restored.editState == .created)
    let edit = try #require(try store.takeEdit(of: restored))
    try bed.coder.settle(edit, .confirmed(Data(#"{"id":44}"#.utf8)))
    #expect(store.objects(EditOrder.self).map(\.id) == [44])
  }

  @Test func `a rejection does not hide that an earlier edit may have arrived`() throws {
    let order = try bed.order(#"{"id":7,"note":"a"}"#)
    try store.write { order.note = "b" }
    try store.settle(try #require(try store.takeEdit(of: order)), .later)
    try store.write { order.note = "c" }
    try store.settle(
      try #require(try store.takeEdit(of: order)), .rejected(Edit.Rejection(general: ["no"])))
    try store.write { order.note = "a" }
    #expect(order.editState == .edited)

    let task = try store.write { try store.create(EditTask.self, value: ["id": "k"]) }
    try store.settle(try #require(try store.takeEdit(of: task)), .later)
    try store.settle(
      try #require(try store.takeEdit(of: task)), .rejected(Edit.Rejection(general: ["exists"])))
    try store.write { store.delete(task) }
    #expect(try store.pendingEdits().last?.description == #"deleted EditTask "k""#)
  }

  @Test func `a late confirmation of an older deletion keeps the newer one`() throws {
    func task() throws -> EditTask {
      try store.write { try store.create(EditTask.self, value: ["id": "k"]) }
    }
    try bed.coder.decode(EditTask.self, from: Data(#"{"id":"k"}"#.utf8))
    try store.write { store.delete(store.objects(EditTask.self)) }
    let first = try #require(try store.takeEdits().first)
    try store.settle(first, .later)
    try store.settle(try #require(try store.takeEdit(of: task())), .later)
    try store.write { store.delete(store.objects(EditTask.self)) }
    try store.settle(first, .confirmed)
    #expect(try store.pendingEdits().map(\.kind) == [.deleted])
  }

  @Test func `a change inside an object without a key is an edit of its owner`() throws {
    let order = try bed.order(#"{"id":7,"remarks":[{"text":"r1"},{"text":"r2"}]}"#)
    try store.write { order.remarks[0].text = "changed" }
    #expect(order.editedAttributes == ["remarks"])
    try bed.order(#"{"id":7,"remarks":[{"text":"r1"},{"text":"r2"}]}"#)
    #expect(order.remarks.map(\.text) == ["changed", "r2"])
    try store.revertEdits(of: order)
    #expect(order.remarks.map(\.text) == ["r1", "r2"])
  }

  @Test func `new objects that link to each other are sent, and their links follow`() async throws {
    let (first, second) = (try created(-1), try created(-2))
    try store.write {
      first.related.append(second)
      second.related.append(first)
    }
    var bodies: [String] = []
    var next = 40
    let summary = try await bed.coder.upload { edit in
      bodies.append("\(edit.kind) \(edit.key): \(try text(edit, .mergePatch))")
      next += 1
      let key = edit.kind == .created ? "\(next)" : "\(edit.key)"
      return .confirmed(Data(#"{"id":\#(key)}"#.utf8))
    }
    #expect(summary.confirmed == 3)
    #expect(try store.pendingEdits().isEmpty)
    #expect(
      bodies.last == #"edited 42: {"related":[{"id":41}]}"#
        || bodies.last == #"edited 41: {"related":[{"id":42}]}"#)
    #expect(
      store.objects(EditOrder.self).map { $0.related.map(\.id) } == [[42], [41]]
        || store.objects(EditOrder.self).map { $0.related.map(\.id) } == [[41], [42]])
  }
}

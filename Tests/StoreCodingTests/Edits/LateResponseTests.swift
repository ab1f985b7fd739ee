import Foundation
import ObjectStore
import StoreCoding
import Testing

/// Responses that the server made before it knew an edit, and that arrive after the edit was confirmed.
@Suite struct `Late responses` {
  private let bed: EditBed
  private var store: Store { bed.store }

  init() throws { bed = try EditBed() }

  private func read(_ json: String, asOf version: StoreVersion) throws -> ReadResult<EditOrder> {
    try bed.coder.read([EditOrder].self, from: Data(json.utf8), asOf: version)
  }

  private func confirm(
    _ order: EditOrder, with response: String? = nil, _ change: () -> Void
  ) throws {
    try store.write(change)
    let edit = try #require(try store.takeEdit(of: order))
    if let response {
      try bed.coder.settle(edit, .confirmed(Data(response.utf8)))
    } else {
      try store.settle(edit, .confirmed)
    }
  }

  @Test func `a late response does not undo an edit that was confirmed since the request`() throws {
    let order = try bed.order(#"{"id":7,"note":"a","count":1}"#)
    let requested = store.holdVersion()
    try confirm(order) { order.note = "b" }
    let result = try read(#"[{"id":7,"note":"a","count":2}]"#, asOf: requested)
    #expect(result.objects == [order])
    #expect(order.note == "b")
    #expect(order.count == 2)
    #expect(order.editState == .clean)
    // A later request shows what the server has.
    _ = try read(#"[{"id":7,"note":"c"}]"#, asOf: store.holdVersion())
    #expect(order.note == "c")
  }

  @Test(arguments: [
    ("created", "created EditOrder 7: note b"), ("created and deleted", ""), ("refreshed", ""),
  ])
  func `a response from before a deletion says nothing about another object with the key`(
    next: String, expected: String
  ) throws {
    let order = try bed.order(#"{"id":7,"note":"a"}"#)
    let requested = store.holdVersion()
    try store.write { store.delete(order) }
    let deletion = try #require(try store.takeEdit())
    func create() throws -> EditOrder {
      try store.write { try store.create(EditOrder.self, value: ["id": 7, "note": "b"]) }
    }
    switch next {
    case "refreshed":
      try store.settle(deletion, .confirmed)
      try bed.order(#"{"id":7,"note":"c"}"#)
    default:
      let new = try create()
      try store.settle(deletion, .confirmed)
      if next != "created" { try store.write { store.delete(new) } }
    }
    _ = try read(#"[{"id":7,"note":"a"}]"#, asOf: requested)
    let note = store.object(EditOrder.self, key: 7)?.note
    #expect(note == (next == "created" ? "b" : next == "refreshed" ? "c" : nil))
    #expect(try store.pendingEdits().map(\.kind) == (next == "created" ? [.created] : []))
  }

  @Test func `a response does not change an object that arrived after its request and was edited`()
    throws
  {
    let requested = store.holdVersion()
    let order = try bed.order(#"{"id":7,"note":"a","count":1}"#)
    try confirm(order, with: #"{"id":7,"note":"b","count":9}"#) { order.note = "b" }
    _ = try read(#"[{"id":7,"note":"a","count":2}]"#, asOf: requested)
    #expect(order.note == "b" && order.count == 9)
  }

  @Test func `a confirmation is known after a merge and after a deletion was reverted`() throws {
    let order = try store.write {
      try store.create(EditOrder.self, value: ["id": -1, "note": "b"])
    }
    let creation = try #require(try store.takeEdit(of: order))
    let other = try bed.order(#"{"id":44,"note":"a"}"#)
    let requested = store.holdVersion()
    try bed.coder.settle(creation, .confirmed(Data(#"{"id":44,"note":"b"}"#.utf8)))
    _ = try read(#"[{"id":44,"note":"a"}]"#, asOf: requested)
    #expect(other.note == "b")

    try store.write { store.delete(other) }
    _ = try read(#"[{"id":44,"note":"a"}]"#, asOf: requested)
    let restored = try #require(try store.revertDeletion(of: EditOrder.self, key: 44))
    _ = try read(#"[{"id":44,"note":"a"}]"#, asOf: requested)
    #expect(restored.note == "b")
  }

  @Test func `a late response without a version undoes the edit`() throws {
    let order = try bed.order(#"{"id":7,"note":"a"}"#)
    try confirm(order) { order.note = "b" }
    try bed.order(#"{"id":7,"note":"a"}"#)
    #expect(order.note == "a")
  }

  @Test func `an edit that was made before the request and confirmed after it stays`() throws {
    let order = try bed.order(#"{"id":7,"note":"a"}"#)
    try store.write { order.note = "b" }
    let requested = store.holdVersion()
    let edit = try #require(try store.takeEdit(of: order))
    try store.settle(edit, .confirmed)
    _ = try read(#"[{"id":7,"note":"a"}]"#, asOf: requested)
    #expect(order.note == "b")
  }

  @Test func `an attribute that was changed and changed back since keeps its value`() throws {
    let order = try bed.order(#"{"id":7,"note":"a"}"#)
    let requested = store.holdVersion()
    try confirm(order) { order.note = "b" }
    try confirm(order) { order.note = "a" }
    _ = try read(#"[{"id":7,"note":"b"}]"#, asOf: requested)
    #expect(order.note == "a")
  }

  @Test func `a late response does not move the base value of a later edit`() throws {
    let order = try bed.order(#"{"id":7,"note":"a"}"#)
    let requested = store.holdVersion()
    try confirm(order) { order.note = "b" }
    try store.write { order.note = "c" }
    let result = try read(#"[{"id":7,"note":"a"}]"#, asOf: requested)
    #expect(result.conflicts.isEmpty)
    try store.revertEdits(of: order)
    #expect(order.note == "b")
  }

  @Test func `values of the response that confirmed an edit stay, too`() throws {
    let order = try bed.order(#"{"id":7,"note":"a","count":1,"prices":{"a":1}}"#)
    let requested = store.holdVersion()
    try confirm(order, with: #"{"id":7,"note":"b","count":2}"#) { order.note = "b" }
    _ = try read(
      #"[{"id":7,"note":"a","count":1,"prices":{"b":2},"address":{"street":"A"}}]"#,
      asOf: requested)
    #expect(order.note == "b")
    #expect(order.count == 2)
    #expect(order.prices["b"] == 2)
    #expect(order.address?.street == "A")
  }

  @Test func `attributes of every kind stay`() throws {
    let json = """
      {"id":7,"address":{"street":"A"},"stops":[{"street":"B"}],"tags":["t"],"prices":{"p":1},
      "extra":{"x":1},"customer":{"id":1,"name":"C"},"related":[{"id":8}]}
      """
    let order = try bed.order(json)
    let requested = store.holdVersion()
    try confirm(order) {
      order.address = nil
      order.stops.removeAll()
      order.tags.insert("u")
      order.prices["p"] = 2
      order.extra = nil
      order.customer = nil
      order.related.removeAll()
    }
    _ = try read("[\(json)]", asOf: requested)
    #expect(order.address == nil)
    #expect(order.stops.isEmpty)
    #expect(order.tags.sorted() == ["t", "u"])
    #expect(order.prices["p"] == 2)
    #expect(order.extra == .null)
    #expect(order.customer == nil)
    #expect(order.related.isEmpty)
  }

  @Test func `an object whose deletion was confirmed since does not return`() throws {
    let order = try bed.order(#"{"id":7,"customer":{"id":1,"name":"A"},"related":[{"id":8}]}"#)
    let requested = store.holdVersion()
    try store.write {
      store.delete(try #require(order.customer))
      store.delete(try #require(order.related.first))
    }
    for edit in try store.takeEdits() { try store.settle(edit, .confirmed) }
    let result = try read(
      #"[{"id":7,"customer":{"id":1,"name":"A"},"related":[{"id":9},{"id":8}]},{"id":8,"note":"x"}]"#,
      asOf: requested)
    #expect(result.objects == [order])
    #expect(result.deletedLocally == [.int(8)])
    #expect(order.customer == nil)
    #expect(order.related.map(\.id) == [9])
    #expect(store.object(ofType: EditCustomer.self, forPrimaryKey: 1) == nil)
    #expect(store.object(ofType: EditOrder.self, forPrimaryKey: 8) == nil)
    // A later response has them again.
    _ = try read(#"[{"id":8}]"#, asOf: store.holdVersion())
    #expect(store.object(ofType: EditOrder.self, forPrimaryKey: 8) != nil)
  }

  @Test func `an object that was created again after its deletion keeps its values`() throws {
    let order = try bed.order(#"{"id":7,"note":"a"}"#)
    let requested = store.holdVersion()
    try store.write { store.delete(order) }
    try store.settle(try #require(try store.takeEdits().first), .confirmed)
    let new = try store.write { try store.create(EditOrder.self, value: ["id": 7, "note": "b"]) }
    try store.settle(try #require(try store.takeEdit(of: new)), .confirmed)
    _ = try read(#"[{"id":7,"note":"a"}]"#, asOf: requested)
    #expect(new.note == "b")
  }

  @Test func `a late complete list does not remove an object created since`() throws {
    try bed.order(#"{"id":1}"#)
    try bed.order(#"{"id":2}"#)
    let requested = store.holdVersion()
    let new = try store.write { try store.create(EditOrder.self, value: ["id": 3]) }
    try store.settle(try #require(try store.takeEdit(of: new)), .confirmed)
    let result = try bed.coder.read(
      [EditOrder].self, from: Data(#"[{"id":1}]"#.utf8), complete: .all, asOf: requested)
    #expect(result.deleted == 1)
    #expect(store.objects(EditOrder.self).map(\.id).sorted() == [1, 3])
  }

  @Test func `overlapping requests without edits apply in the order of their responses`() throws {
    let order = try bed.order(#"{"id":7,"note":"a"}"#)
    let (first, second) = (store.holdVersion(), store.holdVersion())
    _ = try read(#"[{"id":7,"note":"b"}]"#, asOf: first)
    _ = try read(#"[{"id":7,"note":"c"}]"#, asOf: second)
    #expect(order.note == "c")
  }

  @Test func `a confirmation that was rolled back leaves out nothing`() throws {
    let order = try bed.order(#"{"id":7,"note":"a","count":1}"#)
    let requested = store.holdVersion()
    try store.write { order.note = "b" }
    let edit = try #require(try store.takeEdit(of: order))
    struct Undo: Error {}
    #expect(throws: Undo.self) {
      try store.write {
        try store.settle(edit, .confirmed)
        throw Undo()
      }
    }
    let result = try read(#"[{"id":7,"note":"x"}]"#, asOf: requested)
    #expect(result.conflicts.map(\.attribute) == ["note"])
    try store.settle(edit, .reverted)
    #expect(order.note == "x")
  }

  @Test func `a late response inside the write that confirms an edit is recognized`() throws {
    let order = try bed.order(#"{"id":7,"note":"a"}"#)
    let requested = store.holdVersion()
    try store.write { order.note = "b" }
    let edit = try #require(try store.takeEdit(of: order))
    try store.write {
      try store.settle(edit, .confirmed)
      _ = try read(#"[{"id":7,"note":"a"}]"#, asOf: requested)
    }
    #expect(order.note == "b")
  }

  @Test func `a response for another handle of the store is recognized`() throws {
    let configuration = StoreConfiguration.inMemory(identifier: "late responses")
    let (first, second) = (try EditBed(configuration), try EditBed(configuration))
    let order = try first.order(#"{"id":7,"note":"a","count":1}"#)
    second.store.refresh()
    let requested = second.store.holdVersion()
    try first.store.write { order.note = "b" }
    try first.store.settle(try #require(try first.store.takeEdit(of: order)), .confirmed)
    _ = try second.coder.read(
      EditOrder.self, from: Data(#"{"id":7,"note":"a","count":2}"#.utf8), asOf: requested)
    first.store.refresh()
    #expect(order.note == "b")
    #expect(order.count == 2)
  }

  @Test func `repeated elements of deleted objects do not count as merged`() throws {
    _ = try bed.coder.decodeArray(
      EditOrder.self, from: Data(#"[{"id":1},{"id":2},{"id":3},{"id":4}]"#.utf8))
    let requested = store.holdVersion()
    let deleted = store.objects(EditOrder.self).where { $0.id < 4 }
    try store.write { for order in Array(deleted) { store.delete(order) } }
    let repeated = #"[{"id":1},{"id":1,"note":"a"},{"id":2},{"id":4},{"id":4}]"#
    // First the deletions are edits, then they are confirmed.
    for _ in 0..<2 {
      let result = try read(repeated, asOf: requested)
      #expect(result.merged == 1 && result.unchanged == 1 && result.elementCount == 5)
      #expect(result.issues.map(\.kind) == [.mergedObject])
      #expect(result.deletedLocally == [1, 1, 2])
      for edit in try store.takeEdits() { try store.settle(edit, .confirmed) }
    }
  }

  @Test func `a version of another store is refused`() throws {
    let other = try EditBed()
    let error = #expect(throws: StoreError.self) {
      try bed.coder.read(
        [EditOrder].self, from: Data("[]".utf8), asOf: other.store.holdVersion())
    }
    #expect(
      error?.description
        == "StoreVersion: the object is unmanaged or frozen, or belongs to another store")
  }

  @Test func `a late document does not undo an edit that was confirmed since the request`() throws {
    let order = try bed.order(#"{"id":7,"note":"a","count":1}"#)
    let requested = store.holdVersion()
    try confirm(order) { order.note = "b" }
    let document = Data(#"{"orders":[{"id":7,"note":"a","count":2}]}"#.utf8)
    _ = try bed.coder.read(["orders": .list(EditOrder.self)], from: document, asOf: requested)
    #expect(order.note == "b" && order.count == 2)
    _ = try bed.coder.read(["orders": .list(EditOrder.self)], from: document)
    #expect(order.note == "a")
  }

  @Test func `a document of another store's version is refused`() throws {
    let other = try EditBed()
    let error = #expect(throws: StoreError.self) {
      try bed.coder.read(
        ["orders": .list(EditOrder.self)], from: Data(#"{"orders":[]}"#.utf8),
        asOf: other.store.holdVersion())
    }
    #expect(
      error?.description
        == "StoreVersion: the object is unmanaged or frozen, or belongs to another store")
  }

  @Test func `pages do not undo edits that were confirmed since they began`() throws {
    let order = try bed.order(#"{"id":7,"note":"a","count":1}"#)
    let created = try store.write { try store.create(EditOrder.self, value: ["id": 9]) }
    let pages = try bed.coder.pages(of: EditOrder.self, complete: .all)
    try confirm(order) { order.note = "b" }
    try store.settle(try #require(try store.takeEdit(of: created)), .confirmed)
    try pages.read(Data(#"[{"id":7,"note":"a","count":2}]"#.utf8))
    #expect(order.note == "b" && order.count == 2)
    #expect(try pages.finish() == 0)
    #expect(!created.isInvalidated)
  }

  @Test func `batches do not undo edits that were confirmed since they began`() async throws {
    let order = try bed.order(#"{"id":7,"note":"a","count":1}"#)
    let text = Data(#"[{"id":8},{"id":7,"note":"a","count":2}]"#.utf8)
    let batches = bed.coder.batches(
      of: EditOrder.self, from: CutBytes(text, every: 5), size: 1)
    try confirm(order) { order.note = "b" }
    for try await _ in batches {}
    #expect(order.note == "b" && order.count == 2)
  }
}

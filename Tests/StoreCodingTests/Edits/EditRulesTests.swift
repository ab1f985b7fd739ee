import Foundation
import ObjectStore
import StoreCoding
import TestSupport
import Testing

@Suite struct `Edits of attributes` {
  private let bed: EditBed
  private var store: Store { bed.store }

  init() throws { bed = try EditBed() }

  @Test func `a class that does not track edits has none`() throws {
    let order = try bed.coder.decode(PlainOrder.self, from: Data(#"{"id":7,"note":"a"}"#.utf8))
    try store.write { order.note = "b" }
    try bed.coder.decode(PlainOrder.self, from: Data(#"{"id":7,"note":"c"}"#.utf8))
    #expect(order.note == "c")
    #expect(order.editState == .clean)
    #expect(store.pendingEdits().isEmpty)
  }

  @Test func `tracking a class without a primary key is a mistake in its declarations`() throws {
    final class Keyless: Object {
      @Persisted var name = ""
      override class var tracksEdits: Bool { true }
    }
    let error = #expect(throws: StoreError.self) { try ObjectSchema.of(Keyless.self) }
    #expect(
      error?.description == "Keyless: it has no primary key, which a class that tracks edits needs")
  }

  @Test func `an edited attribute survives a refresh that changes the others`() throws {
    let order = try bed.order(#"{"id":7,"note":"a","count":1}"#)
    try store.write { order.note = "no onions" }
    try bed.order(#"{"id":7,"note":"a","count":2}"#)
    #expect(order.note == "no onions")
    #expect(order.count == 2)
    #expect(order.editState == .edited)
    #expect(order.editedAttributes == ["note"])
  }

  @Test func `assigning the key, a local and an ignored attribute is no edit`() throws {
    let order = try bed.order(#"{"id":7}"#)
    try store.write {
      order.id = 7
      order.isSelected = true
      order.views = 3
    }
    #expect(order.editState == .clean)
    try bed.order(#"{"id":7,"views":4}"#)
    #expect(order.views == 4)
    #expect(order.isSelected)
  }

  @Test func `a change inside an embedded object edits the attribute of its owner`() throws {
    let order = try bed.order(#"{"id":7,"address":{"street":"A","city":"B"}}"#)
    try store.write { order.address?.street = "C" }
    #expect(order.editedAttributes == ["address"])
    try bed.order(#"{"id":7,"address":{"street":"A","city":"D"}}"#)
    #expect(order.address?.street == "C")
    #expect(order.address?.city == "B")
    try store.revertEdits(of: order)
    #expect(order.address?.street == "A")
    #expect(order.address?.city == "D")
    #expect(order.editState == .clean)
  }

  @Test func `a value that returns to its base value is no edit any more`() throws {
    let order = try bed.order(#"{"id":7,"note":"a"}"#)
    try store.write { order.note = "b" }
    try store.write { order.note = "a" }
    #expect(order.editState == .clean)
    #expect(store.pendingEdits().isEmpty)
  }

  @Test func `a sent attribute stays edited when it returns to its base value`() throws {
    let order = try bed.order(#"{"id":7,"note":"a"}"#)
    try store.write { order.note = "b" }
    let edit = try #require(try store.takeEdit(of: order))
    try store.write { order.note = "a" }
    #expect(order.editedAttributes == ["note"])
    try store.confirm(edit)
    // The server has "b" now.
    #expect(order.editedAttributes == ["note"])
    #expect(try #require(try store.takeEdit(of: order)).baseValue(of: "note") == .string("b"))
  }

  @Test func `an attribute whose base moved stays edited when it gets the new base value`() throws {
    let order = try bed.order(#"{"id":7,"note":"a"}"#)
    try store.write { order.note = "b" }
    try bed.order(#"{"id":7,"note":"c"}"#)
    try store.write { order.note = "c" }
    #expect(order.editState == .edited)
  }

  @Test func `a refresh that agrees with an edit does not end it`() throws {
    let order = try bed.order(#"{"id":7,"note":"a"}"#)
    try store.write { order.note = "b" }
    try bed.order(#"{"id":7,"note":"b"}"#)
    #expect(order.editState == .edited)
    try bed.order(#"{"id":7,"note":"a"}"#)
    #expect(order.note == "b")
  }

  @Test func `an object in flight is left out until its edit is settled`() throws {
    let order = try bed.order(#"{"id":7,"note":"a"}"#)
    try store.write { order.note = "b" }
    let edits = try store.takeEdits()
    #expect(edits.map(\.description) == [#"edited EditOrder 7: note "a" → "b""#])
    #expect(try store.takeEdits().isEmpty)
    #expect(store.pendingEdits().map(\.isInFlight) == [true])
    try store.release(edits[0])
    #expect(try store.takeEdits().count == 1)
  }

  @Test func `confirming an edit keeps later changes of the same attribute pending`() throws {
    let order = try bed.order(#"{"id":7,"note":"a","count":0}"#)
    try store.write {
      order.note = "b"
      order.count = 1
    }
    let edit = try #require(try store.takeEdit(of: order))
    try store.write { order.note = "c" }
    try store.confirm(edit)
    #expect(order.editedAttributes == ["note"])
    let next = try #require(try store.takeEdit(of: order))
    #expect(next.description == #"edited EditOrder 7: note "b" → "c""#)
  }

  @Test func `an edit that is older than a confirmed one changes nothing`() throws {
    let order = try bed.order(#"{"id":7,"note":"a"}"#)
    try store.write { order.note = "b" }
    let first = try #require(try store.takeEdit(of: order))
    try store.release(first)
    try store.write { order.note = "c" }
    let second = try #require(try store.takeEdit(of: order))
    try store.confirm(second)
    #expect(order.editState == .clean)
    let version = store.version
    try store.confirm(first)
    try store.confirm(second)
    try store.revert(first)
    #expect(store.version == version)
    #expect(order.note == "c")
  }

  @Test func `reverting an edit keeps what changed since it was sent`() throws {
    let order = try bed.order(#"{"id":7,"note":"a","count":0}"#)
    try store.write {
      order.note = "b"
      order.count = 1
    }
    let edit = try #require(try store.takeEdit(of: order))
    try store.write { order.count = 2 }
    try store.revert(edit)
    #expect(order.note == "a")
    #expect(order.count == 2)
    #expect(order.editedAttributes == ["count"])
  }

  @Test func `a rejected edit is offered again once one of its attributes changes`() throws {
    let order = try bed.order(#"{"id":7,"note":"a"}"#)
    try store.write { order.note = "b" }
    let edit = try #require(try store.takeEdit(of: order))
    try store.reject(edit, with: Rejection(attributes: ["note": ["is too short"]]))
    #expect(order.editState == .rejected)
    #expect(order.rejection?[\EditOrder.note] == ["is too short"])
    #expect(store.objects(EditOrder.self).rejected.count == 1)
    #expect(try store.takeEdits().isEmpty)
    try store.write { order.note = "better" }
    #expect(order.editState == .edited)
    #expect(order.rejection == nil)
    #expect(try store.takeEdits().count == 1)
  }

  @Test func `an attribute that changed since it was sent is offered after a rejection`() throws {
    let order = try bed.order(#"{"id":7,"note":"a"}"#)
    try store.write { order.note = "b" }
    let edit = try #require(try store.takeEdit(of: order))
    try store.write { order.note = "better" }
    try store.reject(edit, with: Rejection(attributes: ["note": ["is too short"]]))
    #expect(order.editState == .edited)
    #expect(order.rejection == nil)
    #expect(try store.takeEdit(of: order)?.value(of: "note") == .string("better"))
  }

  @Test func `an attribute edited after another one was sent is offered after a rejection`() throws
  {
    let order = try bed.order(#"{"id":7,"note":"a","count":0}"#)
    try store.write { order.note = "b" }
    let edit = try #require(try store.takeEdit(of: order))
    try store.write { order.count = 1 }
    try store.reject(edit, with: Rejection(general: ["no"]))
    #expect(order.editState == .edited)
    #expect(try store.takeEdit(of: order)?.attributes == ["note", "count"])
  }

  @Test func `rejecting twice and reverting then leaves the server's value`() throws {
    let order = try bed.order(#"{"id":7,"note":"a"}"#)
    for note in ["b", "c"] {
      try store.write { order.note = note }
      let edit = try #require(try store.takeEdit(of: order))
      try store.reject(edit, with: Rejection(general: ["no"]))
    }
    try store.revertEdits(of: order, \.note)
    #expect(order.note == "a")
    #expect(order.editState == .clean)
  }

  @Test func `an edit with an unknown base value keeps its value when it is reverted`() throws {
    let order = try bed.order(#"{"id":7,"note":"a"}"#)
    try store.markEdited(order, \.note)
    #expect(order.editedAttributes == ["note"])
    #expect(store.pendingEdits()[0].baseValue(of: "note") == nil)
    try store.revertEdits(of: order)
    #expect(order.note == "a")
    #expect(order.editState == .clean)
  }

  @Test func `deleting everything makes no edits`() throws {
    let order = try bed.order(#"{"id":7,"note":"a"}"#)
    try store.write { order.note = "b" }
    try store.write { store.deleteAll() }
    #expect(store.pendingEdits().isEmpty)
    try bed.order(#"{"id":7,"note":"a"}"#)
    #expect(store.objects(EditOrder.self).count == 1)
  }

  @Test func `an assignment in a write of the server is no edit`() throws {
    let order = try bed.order(#"{"id":7,"note":"a","count":0}"#)
    try store.write { order.note = "b" }
    try store.write(as: .server) {
      order.note = "c"
      order.count = 5
    }
    #expect(order.note == "b")
    #expect(order.count == 5)
    #expect(order.editedAttributes == ["note"])
    try store.revertEdits(of: order)
    #expect(order.note == "c")
  }

  @Test func `what a coder for the user decodes is an edit`() throws {
    try bed.order(#"{"id":7,"note":"a"}"#)
    var configuration = CodingConfiguration()
    configuration.decodesAs = .user
    let coder = StoreCoder(store: store, configuration: configuration)
    let order = try coder.decode(EditOrder.self, from: Data(#"{"id":7,"note":"b"}"#.utf8))
    #expect(order.editedAttributes == ["note"])
  }

  @Test func `authors alternate within one write`() throws {
    let order = try bed.order(#"{"id":7,"note":"a","count":0}"#)
    try store.write {
      order.note = "b"
      try bed.order(#"{"id":7,"note":"s","count":9}"#)
      order.count = 10
      try store.write(as: .server) { order.isPaid = true }
      #expect(order.editedAttributes == ["note", "count"])
    }
    #expect(order.note == "b")
    #expect(order.editedAttributes == ["note", "count"])
    #expect(store.pendingEdits()[0].baseValue(of: "count") == .int(9))
  }

  @Test func `a rolled back savepoint leaves no base value`() throws {
    struct Failure: Error {}
    let order = try bed.order(#"{"id":7,"note":"a","count":0}"#)
    try store.write {
      order.note = "b"
      try? store.write {
        order.count = 1
        #expect(order.editedAttributes == ["note", "count"])
        throw Failure()
      }
      #expect(order.editedAttributes == ["note"])
    }
    try? store.write {
      order.count = 3
      #expect(order.editState == .edited)
      throw Failure()
    }
    #expect(order.editedAttributes == ["note"])
  }

  @Test func `evicted objects are those without edits, and linked ones stay`() throws {
    try bed.orders(#"[{"id":1,"note":"a","customer":{"id":5}},{"id":2},{"id":3}]"#)
    let order = try #require(store.object(ofType: EditOrder.self, forPrimaryKey: 1))
    try store.write {
      order.note = "b"
      order.customer = nil
    }
    try store.evict(
      by: [
        .policy(CachePolicy(maximumCount: 0), of: EditOrder.self),
        .policy(.whileLinked, of: EditCustomer.self),
      ])
    #expect(store.objects(EditOrder.self).map(\.id) == [1])
    try store.revertEdits(of: order)
    #expect(order.customer?.id == 5)
  }
}

@Suite struct `Edits that create and delete objects` {
  private let bed: EditBed
  private var store: Store { bed.store }

  init() throws { bed = try EditBed() }

  private func create(_ id: Int, _ change: (EditOrder) -> Void = { _ in }) throws -> EditOrder {
    try store.write {
      let order = try store.create(EditOrder.self, value: ["id": .int(Int64(id))])
      change(order)
      return order
    }
  }

  @Test func `a created object has an edit of all encoded attributes`() throws {
    let order = try create(-1) { $0.note = "a" }
    #expect(order.editState == .created)
    let edit = try #require(try store.takeEdit(of: order))
    #expect(edit.kind == .created)
    #expect(
      edit.attributes == [
        "note", "count", "isPaid", "address", "stops", "tags", "prices", "extra", "customer",
        "related", "remarks",
      ])
    #expect(edit.baseValue(of: "note") == nil)
    #expect(edit.value(of: "note") == .string("a"))
  }

  @Test func `a created object that is not confirmed survives a complete list`() throws {
    let order = try create(-1)
    try bed.orders(#"[{"id":1}]"#)
    let result = try bed.coder.read(
      [EditOrder].self, from: Data(#"[{"id":1}]"#.utf8), complete: .all)
    #expect(result.deleted == 0)
    #expect(result.kept == [.int(-1)])
    #expect(!order.isInvalidated)
  }

  @Test func `a payload with the key of a created object makes it an edited one`() throws {
    let order = try create(9) { $0.note = "a" }
    try bed.order(#"{"id":9,"note":"a","count":4}"#)
    #expect(order.editState == .edited)
    #expect(order.count == 0)
    #expect(order.editedAttributes.contains("note"))
    let edit = try #require(try store.takeEdit(of: order))
    #expect(edit.baseValue(of: "note") == .string("a"))
    #expect(edit.baseValue(of: "count") == .int(4))
    #expect(edit.baseValue(of: "isPaid") == nil)
  }

  @Test func `a deleted object stays deleted when lists contain it, and they make no version`()
    throws
  {
    try bed.orders(#"[{"id":1,"note":"a"},{"id":2}]"#)
    let order = try #require(store.object(ofType: EditOrder.self, forPrimaryKey: 1))
    try store.write { store.delete(order) }
    let list = #"[{"id":1,"note":"b"},{"id":2}]"#
    let result = try bed.orders(list)
    #expect(result.objects.map(\.id) == [2])
    #expect(result.deletedLocally == [.int(1)])
    #expect(store.objects(EditOrder.self).map(\.id) == [2])
    let version = store.version
    try bed.orders(list)
    #expect(try bed.coder.decodeArray(EditOrder.self, from: Data(list.utf8)).map(\.id) == [2])
    #expect(store.version == version)
    let edit = try #require(try store.takeEdits().first)
    #expect(edit.kind == .deleted)
    #expect(edit.baseValue(of: "note") == .string("b"))
  }

  @Test func `decoding a deleted object alone throws`() throws {
    let order = try bed.order(#"{"id":1}"#)
    try store.write { store.delete(order) }
    let error = #expect(throws: StoreError.self) { try bed.order(#"{"id":1}"#) }
    #expect(
      error?.description
        == "EditOrder 1: the object was deleted locally, and the server has not confirmed the deletion"
    )
  }

  @Test func `links and lists of a payload leave out deleted objects`() throws {
    try bed.orders(#"[{"id":1},{"id":2,"related":[{"id":1},{"id":3}],"customer":{"id":5}}]"#)
    try store.write {
      store.delete(store.object(ofType: EditOrder.self, forPrimaryKey: 1)!)
      store.delete(store.object(ofType: EditCustomer.self, forPrimaryKey: 5)!)
    }
    let order = try bed.order(
      #"{"id":2,"related":[{"id":3},{"id":1},{"id":4}],"customer":{"id":5}}"#)
    #expect(order.related.map(\.id) == [3, 4])
    #expect(order.customer == nil)
    #expect(order.editState == .clean)
  }

  @Test func `a confirmed deletion ends, and a reverted one brings the object back where it was`()
    throws
  {
    try bed.orders(
      #"[{"id":1,"note":"a","address":{"street":"S"},"stops":[{"street":"T"}]},{"id":2,"related":[{"id":3},{"id":1},{"id":4}]}]"#
    )
    let other = try #require(store.object(ofType: EditOrder.self, forPrimaryKey: 2))
    try store.write { store.delete(store.object(ofType: EditOrder.self, forPrimaryKey: 1)!) }
    #expect(other.related.map(\.id) == [3, 4])
    #expect(other.editState == .clean)
    let restored = try #require(try store.revertDeletion(of: EditOrder.self, key: 1))
    #expect(restored.note == "a")
    #expect(restored.address?.street == "S")
    #expect(restored.stops.map(\.street) == ["T"])
    #expect(other.related.map(\.id) == [3, 1, 4])
    #expect(restored.editState == .clean)
    #expect(store.pendingEdits().isEmpty)

    try store.write { store.delete(restored) }
    let edit = try #require(try store.takeEdits().first)
    try store.confirm(edit)
    #expect(store.pendingEdits().isEmpty)
    try bed.order(#"{"id":1}"#)
    #expect(store.objects(EditOrder.self).contains { $0.id == 1 })
  }

  @Test func `an object that is created and deleted without being sent leaves nothing`() throws {
    let order = try create(-1)
    try store.write { store.delete(order) }
    #expect(store.pendingEdits().isEmpty)
  }

  @Test func `an object that is deleted while its creation is sent is deleted on the server`()
    throws
  {
    let order = try create(-1)
    let creation = try #require(try store.takeEdit(of: order))
    try store.write { store.delete(order) }
    #expect(try store.takeEdits().isEmpty)
    try bed.coder.confirm(creation, with: Data(#"{"id":44}"#.utf8))
    let deletion = try #require(try store.takeEdits().first)
    #expect(deletion.kind == .deleted)
    #expect(deletion.key == .int(44))
  }

  @Test func `an object that is deleted while an edit is sent is offered after a rejection`() throws
  {
    let order = try bed.order(#"{"id":1,"note":"a"}"#)
    try store.write { order.note = "b" }
    let edit = try #require(try store.takeEdit(of: order))
    try store.write { store.delete(order) }
    try store.reject(edit, with: Rejection(general: ["no"]))
    #expect(try store.takeEdits().map(\.kind) == [.deleted])
  }

  @Test func `an object created again while its deletion is sent is offered after a rejection`()
    throws
  {
    let order = try bed.order(#"{"id":1,"note":"a"}"#)
    try store.write { store.delete(order) }
    let edit = try #require(try store.takeEdits().first)
    let again = try create(1) { $0.note = "b" }
    try store.reject(edit, with: Rejection(general: ["no"]))
    #expect(again.editState == .edited)
    #expect(try store.takeEdits().map(\.kind) == [.edited])
  }

  @Test func `a rejected deletion is not offered again`() throws {
    let order = try bed.order(#"{"id":1,"note":"a"}"#)
    try store.write { store.delete(order) }
    let edit = try #require(try store.takeEdits().first)
    try store.reject(edit, with: Rejection(general: ["no"]))
    #expect(try store.takeEdits().isEmpty)
    #expect(store.pendingEdits().map(\.kind) == [.deleted])
  }

  @Test func `an object that is created again over its deletion is an edit of all attributes`()
    throws
  {
    let order = try bed.order(#"{"id":1,"note":"a"}"#)
    try store.write { store.delete(order) }
    let again = try create(1) { $0.note = "a" }
    #expect(again.editState == .edited)
    let edit = try #require(try store.takeEdit(of: again))
    #expect(edit.attributes.count == 11)
    #expect(edit.baseValue(of: "note") == .string("a"))
  }

  @Test func `an object that the server deleted is deleted, and its edits are a conflict`() throws {
    let order = try bed.order(#"{"id":1,"note":"a"}"#)
    try store.write { order.note = "b" }
    let document = try bed.coder.read(
      ["removed": .deleted(EditOrder.self)], from: Data(#"{"removed":[1]}"#.utf8))
    #expect(order.isInvalidated)
    #expect(document.conflicts.map(\.key) == [.int(1)])
    #expect(document.conflicts.map(\.attribute) == [nil])
    #expect(store.pendingEdits().isEmpty)
  }

  @Test func `an object that the server deleted can be created again`() throws {
    let order = try bed.order(#"{"id":1,"note":"a"}"#)
    try store.write { order.note = "b" }
    var configuration = CodingConfiguration()
    configuration.resolveConflict = { _ in .local }
    let coder = StoreCoder(store: store, configuration: configuration)
    _ = try coder.read(["removed": .deleted(EditOrder.self)], from: Data(#"{"removed":[1]}"#.utf8))
    #expect(order.editState == .created)
    #expect(order.note == "b")
  }

  @Test func `the server's key replaces a temporary one`() throws {
    let order = try create(-1) { $0.note = "a" }
    let other = try create(-2) { $0.related.append(order) }
    let edit = try #require(try store.takeEdit(of: order))
    try bed.coder.confirm(edit, with: Data(#"{"id":44,"note":"A"}"#.utf8))
    #expect(order.id == 44)
    #expect(order.note == "A")
    #expect(order.editState == .clean)
    #expect(other.related.map(\.id) == [44])
  }

  @Test func `a refresh that is faster than the response leaves one object`() throws {
    let order = try create(-1) { $0.note = "a" }
    let other = try bed.order(#"{"id":2}"#)
    try store.write { other.related.append(order) }
    let edit = try #require(try store.takeEdit(of: order))
    try store.write { order.count = 8 }
    try bed.order(#"{"id":44,"note":"a"}"#)
    try bed.coder.confirm(edit, with: Data(#"{"id":44,"note":"a","count":0}"#.utf8))
    #expect(store.objects(EditOrder.self).map(\.id).sorted() == [2, 44])
    let merged = try #require(store.object(ofType: EditOrder.self, forPrimaryKey: 44))
    #expect(other.related.map(\.id) == [44])
    #expect(merged.count == 8)
    #expect(merged.editedAttributes == ["count"])
  }

  @Test func `creations precede what links to them, and deletions are last`() throws {
    let known = try bed.order(#"{"id":1}"#)
    let old = try bed.order(#"{"id":2}"#)
    try store.write { store.delete(old) }
    try store.write { known.note = "b" }
    let customer = try store.write {
      try store.create(EditCustomer.self, value: ["id": -5])
    }
    try store.write { known.customer = customer }
    let edits = try store.takeEdits()
    #expect(edits.map(\.kind) == [.created, .edited, .deleted])
    #expect(edits.map(\.className) == ["EditCustomer", "EditOrder", "EditOrder"])
    #expect(edits[1].waitsFor.map(\.key) == [.int(-5)])
  }
}

@Suite struct `Conflicts of edits` {
  private let bed: EditBed
  private var store: Store { bed.store }

  init() throws { bed = try EditBed() }

  @Test func `a third value of the server is reported, and the local one stays`() throws {
    let order = try bed.order(#"{"id":7,"note":"a"}"#)
    try store.write { order.note = "b" }
    let result = try bed.coder.read(EditOrder.self, from: Data(#"{"id":7,"note":"c"}"#.utf8))
    let conflict = try #require(result.conflicts.first)
    #expect(conflict.className == "EditOrder")
    #expect(conflict.key == .int(7))
    #expect(conflict.attribute == "note")
    #expect(conflict.base == .string("a"))
    #expect(conflict.local == .string("b"))
    #expect(conflict.server == .string("c"))
    #expect(!conflict.isInFlight)
    #expect(order.note == "b")
    // The same value again is no conflict.
    #expect(try bed.orders(#"[{"id":7,"note":"c"}]"#).conflicts.isEmpty)
  }

  @Test(arguments: [#"{"id":7,"note":"a"}"#, #"{"id":7,"note":"b"}"#])
  func `a value that is known or equal to the local one is no conflict`(_ json: String) throws {
    let order = try bed.order(#"{"id":7,"note":"a"}"#)
    try store.write { order.note = "b" }
    #expect(try bed.orders("[\(json)]").conflicts.isEmpty)
  }

  @Test func `the server's value can be chosen, or another one`() throws {
    let order = try bed.order(#"{"id":7,"note":"a","count":1,"isPaid":true}"#)
    try store.write {
      order.note = "b"
      order.count = 2
      order.isPaid = false
    }
    var configuration = CodingConfiguration()
    configuration.resolveConflict = { conflict in
      switch conflict.attribute {
      case "note": .server
      case "count": .value(.int(42))
      default: .local
      }
    }
    let coder = StoreCoder(store: store, configuration: configuration)
    let result = try coder.read(
      EditOrder.self, from: Data(#"{"id":7,"note":"c","count":3,"isPaid":null}"#.utf8))
    #expect(result.conflicts.count == 3)
    #expect(order.note == "c")
    #expect(order.count == 42)
    #expect(order.isPaid == false)
    #expect(order.editedAttributes == ["count", "isPaid"])
  }

  @Test func `an attribute in flight is reported but not resolved`() throws {
    let order = try bed.order(#"{"id":7,"note":"a"}"#)
    try store.write { order.note = "b" }
    _ = try store.takeEdits()
    var configuration = CodingConfiguration()
    configuration.resolveConflict = { _ in .server }
    let coder = StoreCoder(store: store, configuration: configuration)
    let result = try coder.read(EditOrder.self, from: Data(#"{"id":7,"note":"c"}"#.utf8))
    #expect(result.conflicts.map(\.isInFlight) == [true])
    #expect(order.note == "b")
  }

  @Test func `a resolver that writes rejects the payload`() throws {
    let order = try bed.order(#"{"id":7,"note":"a"}"#)
    try store.write { order.note = "b" }
    let version = store.version
    let coder = StoreCoder(
      store: store,
      configuration: {
        var configuration = CodingConfiguration()
        configuration.resolveConflict = { _ in throw CancellationError() }
        return configuration
      }())
    #expect(throws: CancellationError.self) {
      try coder.decode(EditOrder.self, from: Data(#"{"id":7,"note":"c","count":5}"#.utf8))
    }
    #expect(store.version == version)
    #expect(order.count == 0)
  }
}

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
    #expect(try body(edit, .mergePatch) == #"{"address":{"street":"A"},"note":null}"#)
    #expect(
      try body(edit, .jsonPatch(tests: true))
        == #"[{"op":"add","path":"/address","value":{"street":"A"}},{"op":"add","path":"/note","value":null}]"#
    )
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

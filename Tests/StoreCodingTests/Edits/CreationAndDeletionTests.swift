import Foundation
import ObjectStore
import StoreCoding
import TestSupport
import Testing

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

  @Test func `a payload with many links to a deleted object takes linear time`() throws {
    func seconds(_ count: Int) throws -> Double {
      let bed = try EditBed()
      let orders = (1...count).map { #"{"id":\#($0),"customer":{"id":1}}"# }
      let json = "[\(orders.joined(separator: ","))]"
      let customer = try #require(try bed.orders(json).objects[0].customer)
      try bed.store.write { bed.store.delete(customer) }
      let seconds = try threadSeconds { try bed.orders(json) }
      try bed.store.revertDeletion(of: EditCustomer.self, key: 1)
      #expect(bed.store.objects(EditOrder.self).allSatisfy { $0.customer?.id == 1 })
      return seconds
    }
    // Linear is 8 times as long, quadratic 64 times.
    let (small, large) = (try seconds(250), try seconds(2_000))
    #expect(large < 25 * small)
  }

  @Test func `links of rows that were deleted since do not return with a deleted object`() throws {
    let order = try bed.order(#"{"id":7,"customer":{"id":1}}"#)
    try store.write { store.delete(try #require(order.customer)) }
    for id in 8..<12 {
      let other = try bed.order(#"{"id":\#(id),"customer":{"id":1}}"#)
      try store.write(as: .server) { store.delete(other) }
    }
    try store.revertDeletion(of: EditCustomer.self, key: 1)
    #expect(order.customer?.id == 1)
    #expect(store.objects(EditOrder.self).map(\.id) == [7])
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
    #expect(try store.pendingEdits().isEmpty)

    try store.write { store.delete(restored) }
    let edit = try #require(try store.takeEdits().first)
    try store.settle(edit, .confirmed)
    #expect(try store.pendingEdits().isEmpty)
    try bed.order(#"{"id":1}"#)
    #expect(store.objects(EditOrder.self).contains { $0.id == 1 })
  }

  @Test func `an object that is created and deleted without being sent leaves nothing`() throws {
    let order = try create(-1)
    try store.write { store.delete(order) }
    #expect(try store.pendingEdits().isEmpty)
  }

  @Test func `an object that is deleted while its creation is sent is deleted on the server`()
    throws
  {
    let order = try create(-1)
    let creation = try #require(try store.takeEdit(of: order))
    try store.write { store.delete(order) }
    #expect(try store.takeEdits().isEmpty)
    try bed.coder.settle(creation, .confirmed(Data(#"{"id":44}"#.utf8)))
    let deletion = try #require(try store.takeEdits().first)
    #expect(deletion.kind == .deleted)
    #expect(deletion.key == .int(44))
  }

  @Test(arguments: [true, false])
  func `an object whose deletion was sent returns as a created one`(isReleased: Bool) throws {
    try bed.orders(#"[{"id":1,"note":"a"},{"id":2}]"#)
    try store.write { store.delete(store.object(ofType: EditOrder.self, forPrimaryKey: 1)!) }
    let deletion = try #require(try store.takeEdits().first)
    if isReleased { try store.settle(deletion, .later) }
    let restored = try #require(try store.revertDeletion(of: EditOrder.self, key: 1))
    #expect(restored.editState == .created)
    #expect(restored.note == "a")
    // The server has executed the deletion.
    let kept = try bed.coder.read(
      [EditOrder].self, from: Data(#"[{"id":2}]"#.utf8), complete: .all
    ).kept
    #expect(kept == [.int(1)])
    if isReleased {
      #expect(try store.takeEdits().map(\.kind) == [.created])
    } else {
      try store.settle(deletion, .confirmed)
      let creation = try #require(try store.takeEdits().first)
      #expect(creation.description.hasPrefix(#"created EditOrder 1: note "a""#))
    }
  }

  @Test func `an object whose deletion was refused once and not answered once returns as created`()
    throws
  {
    try bed.orders(#"[{"id":1,"note":"a"}]"#)
    try store.write { store.delete(store.object(ofType: EditOrder.self, forPrimaryKey: 1)!) }
    try store.settle(try #require(try store.takeEdits().first), .later)
    try store.settle(try #require(try store.takeEdits().first), .reverted)
    #expect(store.object(ofType: EditOrder.self, forPrimaryKey: 1)?.editState == .created)
  }

  @Test
  func `an edit of all attributes that was sent does not make a reverted deletion a creation`()
    throws
  {
    let task = try bed.coder.decode(EditTask.self, from: Data(#"{"id":"a","value":1}"#.utf8))
    try store.write { task.value = 2 }
    try store.settle(try #require(try store.takeEdit(of: task)), .later)
    try store.write { store.delete(task) }
    let restored = try #require(try store.revertDeletion(of: EditTask.self, key: "a"))
    #expect(restored.value == 1)
    // The server may have the value that was sent.
    #expect(try store.takeEdit(of: restored)?.description == #"edited EditTask "a": value 1 → 1"#)
  }

  @Test func `an object without attributes is created, deleted and created again`() throws {
    func add() throws -> EditFavorite {
      try store.write { try store.create(EditFavorite.self, value: ["id": 1]) }
    }
    // The server has it.
    var favorite = try bed.coder.decode(EditFavorite.self, from: Data(#"{"id":1}"#.utf8))
    try store.write { store.delete(favorite) }
    favorite = try add()
    #expect(favorite.editState == .clean)
    // A deletion is sent.
    try store.write { store.delete(favorite) }
    let deletion = try #require(try store.takeEdits().first)
    favorite = try add()
    try store.settle(deletion, .confirmed)
    #expect(favorite.editState == .created)
    // A creation is sent.
    let creation = try #require(try store.takeEdits().first)
    try store.write { store.delete(favorite) }
    try store.settle(creation, .confirmed)
    #expect(try store.takeEdits().map(\.kind) == [.deleted])
  }

  @Test func `an older deletion that the server refused leaves the newer one in flight`() throws {
    try bed.orders(#"[{"id":1,"note":"a"}]"#)
    try store.write { store.delete(store.object(ofType: EditOrder.self, forPrimaryKey: 1)!) }
    let older = try #require(try store.takeEdits().first)
    try store.settle(older, .later)
    let newer = try #require(try store.takeEdits().first)
    try store.settle(older, .reverted)
    #expect(store.object(ofType: EditOrder.self, forPrimaryKey: 1) == nil)
    try store.settle(newer, .confirmed)
    #expect(try store.pendingEdits().isEmpty)
  }

  @Test func `a refused creation whose earlier request may have arrived is deleted on the server`()
    throws
  {
    let order = try create(-1) { $0.note = "b" }
    try store.settle(try #require(try store.takeEdit(of: order)), .later)
    try store.settle(try #require(try store.takeEdit(of: order)), .reverted)
    #expect(order.isInvalidated)
    let deletion = try #require(try store.pendingEdits().first)
    #expect(deletion.kind == .deleted)
    let restored = try #require(try store.revertDeletion(of: EditOrder.self, key: -1))
    #expect(restored.note == "b")
    #expect(restored.editState == .created)
  }

  @Test func `an object that is deleted while an edit is sent is offered after a rejection`() throws
  {
    let order = try bed.order(#"{"id":1,"note":"a"}"#)
    try store.write { order.note = "b" }
    let edit = try #require(try store.takeEdit(of: order))
    try store.write { store.delete(order) }
    try store.settle(edit, .rejected(Edit.Rejection(general: ["no"])))
    #expect(try store.takeEdits().map(\.kind) == [.deleted])
  }

  @Test func `an object created again while its deletion is sent is offered after a rejection`()
    throws
  {
    let order = try bed.order(#"{"id":1,"note":"a"}"#)
    try store.write { store.delete(order) }
    let edit = try #require(try store.takeEdits().first)
    let again = try create(1) { $0.note = "b" }
    try store.settle(edit, .rejected(Edit.Rejection(general: ["no"])))
    #expect(again.editState == .edited)
    #expect(try store.takeEdits().map(\.kind) == [.edited])
  }

  @Test func `an object that is created again after its creation was sent is a created one`() throws
  {
    let order = try store.write { try store.create(EditOrder.self, value: ["id": 1, "note": "a"]) }
    try store.settle(try #require(try store.takeEdit(of: order)), .later)
    try store.write { store.delete(order) }
    let new = try store.write { try store.create(EditOrder.self, value: ["id": 1]) }
    #expect(new.editState == .created)
    let edit = try #require(try store.takeEdit(of: new))
    #expect(edit.kind == .created)
    // The server may have the note.
    let body = try bed.coder.encode(edit)
    #expect(
      String(decoding: body, as: UTF8.self) == """
        {"id":1,"note":null,"count":0,"isPaid":null,"address":null,"stops":[],"tags":[],"prices":{},\
        "extra":null,"customer":null,"related":[],"remarks":[]}
        """)
    try bed.coder.settle(edit, .confirmed(body))
    #expect(new.editState == .clean)
  }

  @Test func `an object that is created again after its deletion was sent precedes its links`()
    throws
  {
    let order = try bed.order(#"{"id":1,"customer":{"id":2,"name":"A"}}"#)
    try store.write { store.delete(try #require(order.customer)) }
    try store.settle(try #require(try store.takeEdits().first), .later)
    try store.write {
      order.customer = try store.create(EditCustomer.self, value: ["id": 2, "name": "B"])
    }
    #expect(order.customer?.editState == .created)
    let edits = try store.takeEdits()
    #expect(edits.map(\.className) == ["EditCustomer", "EditOrder"])
    #expect(edits.map(\.kind) == [.created, .edited])
    #expect(edits[1].waitsFor.map(\.key) == [.int(2)])
  }

  @Test func `a creation that is sent for the first time omits nil`() throws {
    let order = try store.write { try store.create(EditOrder.self, value: ["id": 1]) }
    let edit = try #require(try store.takeEdit(of: order))
    let body = String(decoding: try bed.coder.encode(edit), as: UTF8.self)
    #expect(
      body
        == #"{"id":1,"count":0,"stops":[],"tags":[],"prices":{},"extra":null,"related":[],"remarks":[]}"#
    )
  }

  @Test(
    arguments: [
      Edit.Outcome.unapplied, .rejected(Edit.Rejection(general: ["no"])), .reverted,
    ], [false, true])
  func `an object that is back before the server refuses its deletion is edited by later changes`(
    outcome: Edit.Outcome, isRefreshed: Bool
  ) throws {
    let order = try bed.order(#"{"id":7,"note":"a","count":1}"#)
    try store.write { store.delete(order) }
    let edit = try #require(try store.takeEdit())
    let restored = try #require(try store.revertDeletion(of: EditOrder.self, key: 7))
    try store.write { restored.note = "b" }
    if isRefreshed { try bed.orders(#"[{"id":7,"note":"a","count":2}]"#) }
    try store.settle(edit, outcome)
    #expect(
      try store.pendingEdits().map(\.description) == [#"edited EditOrder 7: note "a" → "b""#])
    // The list may show the object whose deletion was under way; the next one counts.
    #expect(restored.count == 1)
    try bed.orders(#"[{"id":7,"note":"a","count":2}]"#)
    #expect(restored.count == 2)
    try store.revertEdits(of: restored)
    #expect(restored.note == "a" && restored.editState == .clean)
  }

  @Test func `a deletion that was not applied leaves the fate of an earlier creation open`() throws
  {
    let order = try store.write { try store.create(EditOrder.self, value: ["id": 7]) }
    try store.settle(try #require(try store.takeEdit()), .later)
    try store.write { store.delete(order) }
    let deletion = try #require(try store.takeEdit())
    let restored = try #require(try store.revertDeletion(of: EditOrder.self, key: 7))
    try store.settle(deletion, .unapplied)
    try store.write { store.delete(restored) }
    // The server may have the object.
    #expect(try store.pendingEdits().map(\.kind) == [.deleted])
  }

  @Test func `a refused deletion returns the values of the object that was deleted first`() throws {
    let order = try bed.order(#"{"id":7,"note":"a"}"#)
    try store.write { store.delete(order) }
    let deletion = try #require(try store.takeEdit())
    let new = try store.write {
      try store.create(EditOrder.self, value: ["id": 7, "note": "b"])
    }
    try store.write { store.delete(new) }
    try store.settle(deletion, .reverted)
    let restored = try #require(store.object(EditOrder.self, key: 7))
    #expect(restored.note == "a" && restored.editState == .clean)
  }

  @Test func `an object that the user names by its key over a sent deletion is no creation`() throws
  {
    _ = try bed.coder.read([EditCustomer].self, from: Data(#"[{"id":5,"name":"k"}]"#.utf8))
    try store.write { store.delete(try #require(store.object(EditCustomer.self, key: 5))) }
    try store.settle(try #require(try store.takeEdit()), .later)
    try store.write {
      try store.create(EditOrder.self, value: ["id": 9, "customer": ["id": 5]])
    }
    #expect(
      try store.pendingEdits().map { "\($0.kind) \($0.className)" } == ["created EditOrder"])
  }

  @Test func `a rejected deletion is not offered again`() throws {
    let order = try bed.order(#"{"id":1,"note":"a"}"#)
    try store.write { store.delete(order) }
    let edit = try #require(try store.takeEdits().first)
    try store.settle(edit, .rejected(Edit.Rejection(general: ["no"])))
    #expect(try store.takeEdits().isEmpty)
    let pending = try #require(try store.pendingEdits().first)
    #expect(pending.kind == .deleted)
    // A program that was started since has no other edit.
    try store.settle(pending, .later)
    #expect(try store.takeEdits().map(\.kind) == [.deleted])
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

  @Test func `an edited object that the server deleted stays, and is a conflict`() throws {
    let order = try bed.order(#"{"id":1,"note":"a"}"#)
    try store.write { order.note = "b" }
    let document = try bed.coder.read(
      ["removed": .deleted(EditOrder.self)], from: Data(#"{"removed":[1]}"#.utf8))
    #expect(order.note == "b" && order.editState == .rejected)
    #expect(document.conflicts.map(\.key) == [.int(1)])
    #expect(document.conflicts.map(\.attribute) == [nil])
  }

  @Test func `the results of a document have the conflicts and deletions of their class`() throws {
    try bed.orders(#"[{"id":1,"note":"a"},{"id":2},{"id":3}]"#)
    let customers = Data(#"[{"id":5,"name":"Jo"}]"#.utf8)
    let customer = try bed.coder.decodeArray(EditCustomer.self, from: customers)[0]
    try store.write {
      store.object(ofType: EditOrder.self, forPrimaryKey: 1)?.note = "b"
      store.object(ofType: EditOrder.self, forPrimaryKey: 3)?.note = "b"
      store.delete(store.object(ofType: EditOrder.self, forPrimaryKey: 2)!)
      customer.name = "Joe"
    }
    var configuration = CodingConfiguration()
    configuration.resolveConflict = { _ in .local }
    let document = try StoreCoder(store: store, configuration: configuration).read(
      [
        "orders": .list(EditOrder.self), "removed": .deleted(EditOrder.self),
        "customers": .list(EditCustomer.self),
      ],
      from: Data(
        #"{"orders":[{"id":1,"note":"c"},{"id":2}],"removed":[3],"customers":[{"id":5,"name":"J"}]}"#
          .utf8))
    let orders = document[EditOrder.self]
    #expect(
      orders.conflicts.map(\.description) == [
        #"EditOrder 1: note is "b", was "a" on the server, now "c""#,
        "EditOrder 3: not on the server",
      ])
    #expect(orders.deletedLocally == [.int(2)])
    #expect(orders.deleted == 0)
    #expect(document[EditOrder.self, at: "orders"].conflicts.map(\.key) == [.int(1)])
    #expect(document[EditOrder.self, at: "removed"].conflicts.map(\.key) == [.int(3)])
    #expect(document[EditCustomer.self].conflicts.map(\.className) == ["EditCustomer"])
    #expect(document.conflicts.count == 3)
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

  @Test func `an object created and deleted again during a refused deletion is on the server`()
    throws
  {
    let order = try bed.order(#"{"id":1,"note":"a"}"#)
    try store.write { store.delete(order) }
    let deletion = try #require(try store.takeEdits().first)
    let again = try create(1) { $0.note = "b" }
    try store.write { store.delete(again) }
    try store.settle(deletion, .reverted)
    let restored = try #require(store.object(ofType: EditOrder.self, forPrimaryKey: 1))
    #expect(restored.editState != .created)
  }

  @Test func `a revert of single attributes leaves a created object as it is`() throws {
    let (order, customer) = try store.write {
      let order = try store.create(EditOrder.self, value: ["id": -1, "note": "a"])
      let customer = try store.create(EditCustomer.self, value: ["id": -7])
      order.customer = customer
      return (order, customer)
    }
    try store.revertEdits(of: order, \.customer, \.note)
    #expect(order.customer == customer && order.note == "a")
    #expect(order.editedAttributes.contains("customer"))
    // The customer is sent first, so that no temporary key is sent.
    #expect(try store.pendingEdits().map(\.className) == ["EditCustomer", "EditOrder"])
    #expect(try store.pendingEdits()[1].waitsFor.map(\.key) == [.int(-7)])
  }

  @Test func `an object that links to itself waits for its own key`() throws {
    let order = try create(-1) { $0.related.append($0) }
    #expect(try #require(try store.pendingEdits().first).waitsFor.map(\.key) == [.int(-1)])
    let edit = try #require(try store.takeEdit())
    #expect(!edit.attributes.contains("related"))
    try bed.coder.settle(edit, .confirmed(Data(#"{"id":44}"#.utf8)))
    let link = try #require(try store.takeEdit())
    #expect(link.description.hasPrefix("edited EditOrder 44: related"))
    #expect(order.related.map(\.id) == [44])
  }

  @Test func `the server's key replaces a temporary one`() throws {
    let order = try create(-1) { $0.note = "a" }
    let other = try create(-2) { $0.related.append(order) }
    let edit = try #require(try store.takeEdit(of: order))
    try bed.coder.settle(edit, .confirmed(Data(#"{"id":44,"note":"A"}"#.utf8)))
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
    try bed.coder.settle(edit, .confirmed(Data(#"{"id":44,"note":"a","count":0}"#.utf8)))
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

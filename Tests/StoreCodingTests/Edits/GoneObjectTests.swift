import Foundation
import ObjectStore
import StoreCoding
import TestSupport
import Testing

@Suite struct `Edited objects that the server does not have` {
  private let bed: EditBed
  private var store: Store { bed.store }

  init() throws { bed = try EditBed() }

  /// Returns an object with the note "a" of the server and the note "b" of the user.
  private func editedOrder(_ id: Int = 1) throws -> EditOrder {
    let order = try bed.order(#"{"id":\#(id),"note":"a"}"#)
    try store.write { order.note = "b" }
    return order
  }

  private func coder(choosing choice: Edit.Choice) -> StoreCoder {
    var configuration = CodingConfiguration()
    configuration.resolveConflict = { _ in choice }
    return StoreCoder(store: store, configuration: configuration)
  }

  @Test func `an upload to a wrong path loses no work`() async throws {
    try bed.orders("[\((1...20).map { #"{"id":\#($0),"note":"a"}"# }.joined(separator: ","))]")
    let customer = try bed.coder.decode(EditCustomer.self, from: Data(#"{"id":5}"#.utf8))
    try store.write {
      for order in store.objects(EditOrder.self) { order.note = "b" }
      customer.name = "Jo"
    }
    let summary = try await bed.coder.upload { _ in .gone }
    #expect(
      summary.gone.map(\.description).prefix(2) == [
        "EditOrder 1: not on the server", "EditOrder 2: not on the server",
      ])
    #expect(summary.gone.count == 21 && summary.postponed == 0)
    #expect(
      store.objects(EditOrder.self).allSatisfy { $0.note == "b" && $0.editState == .rejected })
    #expect(customer.name == "Jo" && customer.rejection?.isGone == true)
    #expect(customer.rejection?.description == "the server does not have the object")
    #expect(try await bed.coder.upload { _ in .confirmed }.confirmed == 0)
    for edit in try store.pendingEdits() { try store.settle(edit, .later) }
    #expect(try await bed.coder.upload { _ in .confirmed }.confirmed == 21)
    #expect(store.objects(EditOrder.self).allSatisfy { $0.note == "b" && $0.editState == .clean })
  }

  @Test func `a creation that is gone stays for the next upload`() async throws {
    let order = try store.write {
      try store.create(EditOrder.self, value: ["id": -1, "note": "b"])
    }
    var count = 0
    let summary = try await coder(choosing: .server).upload { _ in
      count += 1
      return .gone
    }
    #expect(count == 1 && summary.gone.isEmpty && summary.postponed == 1)
    #expect(order.editState == .created && order.note == "b")
    #expect(try await bed.coder.upload { _ in .confirmed }.confirmed == 1)
  }

  @Test func `a deletion that is gone is confirmed`() async throws {
    let order = try bed.order(#"{"id":1}"#)
    try store.write { store.delete(order) }
    let summary = try await bed.coder.upload { _ in .gone }
    #expect(try summary.confirmed == 1 && summary.gone.isEmpty && store.pendingEdits().isEmpty)
  }

  @Test(arguments: [
    (Edit.Choice.keep, "b rejected"), (.local, "b created"), (.server, "-"),
    (.value(.string("c")), "b created"),
  ]) func `the resolver chooses whether the object stays`(choice: Edit.Choice, outcome: String)
    throws
  {
    let order = try editedOrder()
    let edit = try #require(try store.takeEdit(of: order))
    let conflict = try coder(choosing: choice).settle(edit, .gone).first
    #expect(conflict?.attribute == nil && conflict?.key == .int(1))
    #expect(
      store.objects(EditOrder.self).map { "\($0.note ?? "") \($0.editState)" }
        == (outcome == "-" ? [] : [outcome]))
  }

  @Test func `an edit offers the object again as an edited one`() throws {
    let order = try editedOrder()
    try bed.coder.settle(try #require(try store.takeEdit(of: order)), .gone)
    #expect(try store.takeEdit() == nil)
    try store.write { order.count = 2 }
    #expect(order.rejection == nil)
    let edit = try #require(try store.takeEdit())
    #expect(edit.kind == .edited && edit.attributes == ["note", "count"])
  }

  @Test func `a payload that names the object ends the rejection`() throws {
    let order = try editedOrder()
    try bed.coder.settle(try #require(try store.takeEdit(of: order)), .gone)
    try bed.orders(#"[{"id":1,"note":"a"}]"#)
    #expect(order.editState == .edited && order.note == "b")
    try store.revertEdits(of: order)
    #expect(order.editState == .clean && order.note == "a")
  }

  @Test func `a payload that names the object does not end a rejection of its values`() throws {
    let order = try editedOrder()
    try store.settle(
      try #require(try store.takeEdit(of: order)), .rejected(Edit.Rejection(general: ["no"])))
    try bed.orders(#"[{"id":1,"note":"a"}]"#)
    #expect(order.rejection?.general == ["no"])
  }

  @Test(arguments: [true, false])
  func `a write of the server that names the object ends the rejection`(isEqual: Bool) throws {
    let order = try editedOrder()
    try bed.coder.settle(try #require(try store.takeEdit(of: order)), .gone)
    try store.write(as: .server) {
      try store.create(
        EditOrder.self, value: ["id": 1, "note": isEqual ? "b" : "c", "count": 0],
        update: .modified)
    }
    #expect(order.editState == .edited && order.note == "b")
    try store.revertEdits(of: order)
    #expect(!order.isInvalidated)
  }

  @Test func `a value that is assigned for the server ends the rejection`() throws {
    let order = try editedOrder()
    try bed.coder.settle(try #require(try store.takeEdit(of: order)), .gone)
    try store.write(as: .server) { order.count = 9 }
    #expect(order.editState == .edited && order.rejection == nil)
    #expect(order.note == "b" && order.count == 9)
  }

  @Test func `an object that was deleted while its edit was in flight is still to be deleted`()
    async throws
  {
    let order = try editedOrder()
    var sent: [Edit.Kind] = []
    let summary = try await bed.coder.upload { edit in
      sent.append(edit.kind)
      if edit.kind == .edited { try store.write { store.delete(order) } }
      return edit.kind == .edited ? .gone : .unapplied
    }
    #expect(sent == [.edited, .deleted])
    #expect(summary.gone.isEmpty && summary.confirmed == 0 && summary.postponed == 1)
    try bed.orders(#"[{"id":1,"note":"a"}]"#)
    #expect(store.objects(EditOrder.self).isEmpty)
    #expect(try store.pendingEdits().map(\.kind) == [.deleted])
  }

  @Test(arguments: [true, false])
  func `reverting all edits after a request whose fate is unknown deletes the object`(
    namesAttribute: Bool
  ) throws {
    let order = try editedOrder()
    try store.settle(try #require(try store.takeEdit(of: order)), .later)
    try bed.coder.settle(try #require(try store.takeEdit(of: order)), .gone)
    if namesAttribute {
      try store.revertEdits(of: order, \.note)
    } else {
      try store.revertEdits(of: order)
    }
    #expect(try order.isInvalidated && store.pendingEdits().isEmpty)
  }

  @Test func `reverting one attribute after the other deletes the object with the last`() throws {
    let order = try editedOrder()
    try store.write { order.count = 3 }
    try bed.coder.settle(try #require(try store.takeEdit(of: order)), .gone)
    try store.revertEdits(of: order, \.note)
    #expect(order.rejection?.isGone == true)
    try store.revertEdits(of: order, \.count)
    #expect(order.isInvalidated)
  }

  @Test func `an edit that is settled is not gone again`() throws {
    let order = try editedOrder()
    let edit = try #require(try store.takeEdit(of: order))
    try bed.coder.settle(edit, .gone)
    try store.write { order.count = 5 }
    #expect(try bed.coder.settle(edit, .gone).isEmpty)
    #expect(order.editState == .edited)
  }

  @Test func `reverting all edits deletes the object`() throws {
    let (whole, single) = (try editedOrder(1), try editedOrder(2))
    try store.write { single.count = 3 }
    for order in [whole, single] {
      try bed.coder.settle(try #require(try store.takeEdit(of: order)), .gone)
    }
    try store.revertEdits(of: whole)
    #expect(whole.isInvalidated)
    try store.revertEdits(of: single, \.note)
    #expect(single.note == "a" && single.editedAttributes == ["count"])
    #expect(try store.pendingEdits().count == 1 && store.objects(EditOrder.self).count == 1)
  }

  @Test func `an object that was edited since its edit was taken is kept`() throws {
    let order = try editedOrder()
    let edit = try #require(try store.takeEdit(of: order))
    try store.write { order.note = "c" }
    try bed.coder.settle(edit, .gone)
    #expect(order.note == "c" && order.editState == .rejected)
  }

  @Test func `an object whose edit was set back since it was taken stays`() throws {
    let order = try editedOrder()
    let edit = try #require(try store.takeEdit(of: order))
    try store.write { order.note = "a" }
    #expect(try bed.coder.settle(edit, .gone).isEmpty)
    #expect(order.note == "a" && order.editState == .clean)
  }

  @Test func `an object in a section of deletions is kept`() throws {
    let order = try editedOrder()
    let task = try store.write { try store.create(EditTask.self, value: ["id": "x", "value": 2]) }
    let document = try bed.coder.read(
      ["orders": .deleted(EditOrder.self), "tasks": .deleted(EditTask.self)],
      from: Data(#"{"orders":[1],"tasks":["x"]}"#.utf8))
    #expect(document[EditOrder.self].deleted == 0 && document.conflicts.count == 2)
    #expect(order.rejection?.isGone == true && task.rejection?.isGone == true)
    #expect(order.note == "b" && task.value == 2)
  }

  @Test func `the rejection survives a restart`() throws {
    let folder = try TemporaryFolder()
    let configuration = StoreConfiguration.file(folder.file("a.store"))
    do {
      let store = try Store(configuration: configuration)
      let coder = StoreCoder(store: store)
      let order = try coder.decode(EditOrder.self, from: Data(#"{"id":1,"note":"a"}"#.utf8))
      try store.write { order.note = "b" }
      try coder.settle(try #require(try store.takeEdit(of: order)), .gone)
    }
    let store = try Store(configuration: configuration)
    let order = try #require(store.object(ofType: EditOrder.self, forPrimaryKey: 1))
    #expect(order.note == "b" && order.rejection?.isGone == true)
  }

  @Test func `attributes that nobody knows are no edits of an object that is created again`() throws
  {
    let order = try bed.order(#"{"id":1,"count":1}"#)
    try store.write { order.count = 2 }
    try coder(choosing: .local).settle(try #require(try store.takeEdit()), .gone)
    #expect(order.editState == .created && order.editedAttributes == ["count"])
    let result = try bed.coder.read(
      EditOrder.self, from: Data(#"{"id":1,"note":"s","tags":["x"]}"#.utf8))
    #expect(result.conflicts.isEmpty)
    #expect(order.note == "s" && Array(order.tags) == ["x"])
    #expect(order.editedAttributes == ["count"])
  }
}

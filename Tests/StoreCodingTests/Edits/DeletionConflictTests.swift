import Foundation
import ObjectStore
import StoreCoding
import TestSupport
import Testing

/// Objects that the user deletes and somebody else changes.
@Suite struct `Conflicts of deletions` {
  private let bed: EditBed
  private var store: Store { bed.store }

  init() throws { bed = try EditBed() }

  /// Deletes an order and takes its edit.
  private func deletion() throws -> Edit {
    let order = try bed.order(#"{"id":7,"note":"a","count":1,"address":{"street":"s"}}"#)
    try store.write { store.delete(order) }
    return try #require(try store.takeEdit())
  }

  private func coder(choosing choice: Edit.Choice) -> StoreCoder {
    var configuration = CodingConfiguration()
    configuration.resolveConflict = { _ in choice }
    return StoreCoder(store: store, configuration: configuration)
  }

  @Test func `another value for a deleted object is a conflict once`() throws {
    let deletion = try deletion()
    let fresh = Data(#"[{"id":7,"note":"x","count":1,"address":{"street":"s"}}]"#.utf8)
    let result = try bed.coder.read([EditOrder].self, from: fresh)
    #expect(
      result.conflicts.map(\.description) == ["EditOrder 7: deleted here, changed on the server"])
    let conflict = try #require(result.conflicts.first)
    #expect(conflict.isDeletedLocally && conflict.attribute == nil && conflict.key == .int(7))
    #expect(conflict.isInFlight)
    #expect(result.deletedLocally == [.int(7)])
    #expect(try bed.coder.read([EditOrder].self, from: fresh).conflicts.isEmpty)
    // After 412, the app sees that somebody else has changed what the user deletes.
    let newer = Data(#"{"note":"y"}"#.utf8)
    #expect(try bed.coder.decode(deletion, from: newer).count == 1)
    try store.settle(deletion, .reverted)
    let order = try #require(store.object(ofType: EditOrder.self, forPrimaryKey: 7))
    #expect(order.note == "y" && order.editState == .clean)
  }

  @Test(arguments: [
    #"[{"id":7,"note":"a","count":1,"address":{"street":"s"}}]"#, #"[{"id":7}]"#,
    // Never encoded, so nobody has changed it.
    #"[{"id":7,"views":3}]"#,
    // Not known before.
    #"[{"id":7,"isPaid":true}]"#,
  ]) func `a payload that says nothing else is no conflict`(payload: String) throws {
    _ = try deletion()
    #expect(try bed.coder.read([EditOrder].self, from: Data(payload.utf8)).conflicts.isEmpty)
  }

  @Test(arguments: [true, false])
  func `the value that the user has sent before the deletion is no conflict`(isInFlight: Bool)
    throws
  {
    let order = try bed.order(#"{"id":7,"note":"a"}"#)
    try store.write { order.note = "b" }
    let edit = try #require(try store.takeEdit())
    if !isInFlight { try store.settle(edit, .later) }
    try store.write { store.delete(order) }
    let coder = coder(choosing: .server)
    let fresh = Data(#"[{"id":7,"note":"b"}]"#.utf8)
    #expect(try coder.read([EditOrder].self, from: fresh).conflicts.isEmpty)
    #expect(store.objects(EditOrder.self).isEmpty)
  }

  @Test func `an edit that was not sent before the deletion hides no change of others`() throws {
    let order = try bed.order(#"{"id":7,"note":"a"}"#)
    try store.write { order.note = "b" }
    try store.write { store.delete(order) }
    let deletion = try #require(try store.takeEdit())
    #expect(try bed.coder.decode(deletion, from: Data(#"{"note":"x"}"#.utf8)).count == 1)
    try store.settle(deletion, .reverted)
    let back = try #require(store.object(ofType: EditOrder.self, forPrimaryKey: 7))
    #expect(back.note == "x" && back.editState == .clean)
  }

  @Test func `a created object that was sent and deleted has no conflict`() throws {
    let order = try store.write {
      try store.create(EditOrder.self, value: ["id": 9, "note": "a"])
    }
    try store.settle(try #require(try store.takeEdit()), .later)
    try store.write { order.note = "b" }
    try store.write { store.delete(order) }
    let fresh = Data(#"[{"id":9,"note":"a"}]"#.utf8)
    #expect(try coder(choosing: .server).read([EditOrder].self, from: fresh).conflicts.isEmpty)
    #expect(try store.pendingEdits().map(\.description) == ["deleted EditOrder 9"])
  }

  @Test func `the rejection of a deletion does not concern the object that is back`() throws {
    let order = try store.write { try store.create(EditOrder.self, value: ["id": 9]) }
    try store.settle(try #require(try store.takeEdit()), .later)
    try store.write { store.delete(order) }
    let deletion = try #require(try store.takeEdit())
    let back = try #require(try store.revertDeletion(of: EditOrder.self, key: 9))
    try store.settle(deletion, .rejected(Edit.Rejection(general: ["cannot delete"])))
    #expect(back.editState != .rejected)
    #expect(try store.takeEdit() != nil)
  }

  @Test func `another value inside an embedded object is a conflict`() throws {
    _ = try deletion()
    let fresh = Data(#"[{"id":7,"address":{"street":"t"}}]"#.utf8)
    #expect(try bed.coder.read([EditOrder].self, from: fresh).conflicts.count == 1)
  }

  @Test(arguments: [true, false])
  func `the server's values bring the object back, and the outcome of its deletion is ignored`(
    isInFlight: Bool
  ) throws {
    let deletion = try deletion()
    if !isInFlight { try store.settle(deletion, .unapplied) }
    let coder = coder(choosing: .server)
    let order = try coder.decode(EditOrder.self, from: Data(#"{"id":7,"note":"x"}"#.utf8))
    #expect(order.note == "x" && order.count == 1 && order.editState == .clean)
    #expect(order.address?.street == "s")
    try store.settle(deletion, .confirmed)
    #expect(!order.isInvalidated)
    #expect(try store.pendingEdits().isEmpty)
  }

  @Test(arguments: [Edit.Choice.keep, .local, .value(.string("z"))])
  func `other choices leave the object deleted`(choice: Edit.Choice) throws {
    let deletion = try deletion()
    let fresh = Data(#"[{"id":7,"note":"x"}]"#.utf8)
    #expect(try coder(choosing: choice).read([EditOrder].self, from: fresh).conflicts.count == 1)
    #expect(store.objects(EditOrder.self).isEmpty)
    try store.settle(deletion, .confirmed)
    #expect(try store.pendingEdits().isEmpty)
  }

  @Test func `the server's values bring back links to the object`() throws {
    let order = try bed.order(#"{"id":1,"customer":{"id":5,"name":"k"}}"#)
    try store.write { store.delete(try #require(order.customer)) }
    let deletion = try #require(try store.takeEdit())
    let customer = try coder(choosing: .server).decode(
      EditCustomer.self, from: Data(#"{"id":5,"name":"l"}"#.utf8))
    #expect(order.customer == customer && order.editState == .clean)
    try store.settle(deletion, .gone)
    #expect(!customer.isInvalidated)
  }

  @Test(arguments: [false, true])
  func `the server's object ends its deletion and earlier edits whose fate is unknown`(
    isInFlight: Bool
  ) throws {
    let order = try bed.order(#"{"id":7,"note":"a","count":1}"#)
    try store.write { order.note = "b" }
    try store.settle(try #require(try store.takeEdit()), .later)
    try store.write { store.delete(order) }
    let deletion = isInFlight ? try store.takeEdit() : nil
    _ = try coder(choosing: .server).read(
      [EditOrder].self, from: Data(#"[{"id":7,"note":"c","count":2}]"#.utf8))
    let back = try #require(store.object(EditOrder.self, key: 7))
    #expect(back.note == "c" && back.count == 2 && back.editState == .clean)
    if let deletion { try store.settle(deletion, .confirmed) }
    #expect(back.editState == .clean)
    #expect(try store.pendingEdits().isEmpty)
  }
}

import Foundation
import ObjectStore
import StoreCoding
import TestSupport
import Testing

private final class Place: EmbeddedObject {
  @Persisted var title = ""
  @Persisted var owner: EditCustomer?
}

/// An object without a key, which links to a customer.
private final class Mention: Object {
  @Persisted var text = ""
  @Persisted var author: EditCustomer?
}

private final class Letter: Object {
  @Persisted(primaryKey: true) var id: Int
  @Persisted var mentions: List<Mention>
  override class var tracksEdits: Bool { true }
}

private final class Shop: Object {
  @Persisted(primaryKey: true) var id: Int
  @Persisted var place: Place?
  override class var tracksEdits: Bool { true }
}

/// Links to objects that are deleted, and may return, while an edit is in flight or the deletion is not confirmed.
@Suite struct `Links lost by deletions` {
  private let bed: EditBed
  private var store: Store { bed.store }

  init() throws { bed = try EditBed() }

  private func customer() throws -> EditCustomer {
    try #require(store.object(ofType: EditCustomer.self, forPrimaryKey: 5))
  }

  private var pending: [String] {
    get throws { try store.pendingEdits().map(\.description) }
  }

  /// Stores an order and a customer, links them, and takes the edit of the order.
  private func linkedOrder() throws -> (order: EditOrder, edit: Edit) {
    let order = try bed.order(#"{"id":1,"note":"a","customer":null,"related":[]}"#)
    _ = try bed.coder.read([EditCustomer].self, from: Data(#"[{"id":5,"name":"k"}]"#.utf8))
    try store.write { order.customer = try customer() }
    return (order, try #require(try store.takeEdit(of: order)))
  }

  @Test func `a link that the server lacks after a confirmation returns as an edit`() throws {
    let order = try bed.order(#"{"id":1,"related":[{"id":3}]}"#)
    try bed.order(#"{"id":2}"#)
    try store.write {
      order.related.append(try #require(store.object(EditOrder.self, key: 2)))
    }
    // The fate of the edit is unknown, so reverting it is an edit.
    try store.settle(try #require(try store.takeEdit()), .later)
    try store.write { store.delete(try #require(store.object(EditOrder.self, key: 3))) }
    try store.revertEdits(of: order)
    let edit = try #require(try store.takeEdit(of: order))
    try bed.coder.settle(edit, .confirmed(Data(#"{"id":1,"related":[]}"#.utf8)))
    try store.revertDeletion(of: EditOrder.self, key: 3)
    #expect(order.related.map(\.id) == [3] && order.editedAttributes == ["related"])
  }

  @Test func `a link inside an object without a key returns as an edit if the server lacks it`()
    throws
  {
    let list = #"[{"id":1,"mentions":[{"text":"a","author":{"id":5,"name":"k"}}]}]"#
    let letter = try bed.coder.read([Letter].self, from: Data(list.utf8)).objects[0]
    try store.write { store.delete(try customer()) }
    try store.write { letter.mentions[0].text = "b" }
    let edit = try #require(try store.takeEdit(of: letter))
    let response = #"{"id":1,"mentions":[{"text":"b","author":null}]}"#
    try bed.coder.settle(edit, .confirmed(Data(response.utf8)))
    try store.revertDeletion(of: EditCustomer.self, key: 5)
    #expect(letter.mentions[0].author?.id == (letter.editState == .edited ? 5 : nil))
  }

  @Test func `a link inside an object without a key returns if the server has it`() throws {
    let list = #"[{"id":1,"mentions":[{"text":"a","author":{"id":5,"name":"k"}}]}]"#
    let letter = try bed.coder.read([Letter].self, from: Data(list.utf8)).objects[0]
    try store.write { store.delete(try customer()) }
    try store.revertDeletion(of: EditCustomer.self, key: 5)
    #expect(letter.mentions[0].author?.id == 5 && letter.editState == .clean)
  }

  @Test(arguments: [true, false])
  func `a link inside an embedded object returns after a merge`(isEdited: Bool) throws {
    _ = try bed.coder.read([EditCustomer].self, from: Data(#"[{"id":5,"name":"k"}]"#.utf8))
    let shop = try store.write {
      let shop = try store.create(Shop.self, value: ["id": -1, "place": ["title": "t"]])
      shop.place?.owner = try customer()
      return shop
    }
    let edit = try #require(try store.takeEdit(of: shop))
    _ = try bed.coder.read(
      [Shop].self, from: Data(#"[{"id":44,"place":{"title":"t","owner":{"id":5}}}]"#.utf8))
    if isEdited { try store.write { shop.place?.title = "u" } }
    try store.write { store.delete(try customer()) }
    try bed.coder.settle(edit, .confirmed(Data(#"{"id":44}"#.utf8)))
    try store.revertDeletion(of: EditCustomer.self, key: 5)
    let merged = try #require(store.object(Shop.self, key: 44))
    #expect(merged.place?.title == (isEdited ? "u" : "t") && merged.place?.owner?.id == 5)
  }

  // MARK: - Confirmations

  @Test(arguments: ["deletion", "complete list", "eviction"])
  func `a link cleared while its edit is in flight does not return with a confirmation`(
    cause: String
  ) throws {
    let (order, edit) = try linkedOrder()
    try store.write { order.customer = nil }
    let list = Data(#"[{"id":5,"name":"k"}]"#.utf8)
    switch cause {
    case "deletion":
      try store.write { store.delete(try customer()) }
      try store.revertDeletion(of: EditCustomer.self, key: 5)
    case "complete list":
      _ = try bed.coder.read(
        [EditCustomer].self, from: Data("[]".utf8), complete: .all,
        guard: ListGuard(allowsEmpty: true))
      _ = try bed.coder.read([EditCustomer].self, from: list)
    default:
      try store.evict(by: [.policy(CachePolicy.whileLinked, of: EditCustomer.self)])
      #expect(store.objects(EditCustomer.self).isEmpty)
      _ = try bed.coder.read([EditCustomer].self, from: list)
    }
    try store.settle(edit, .confirmed)
    #expect(order.customer == nil)
    #expect(try pending == ["edited EditOrder 1: customer 5 → null"])
  }

  @Test func `a link lost by a complete list returns with the confirmation`() throws {
    let (order, edit) = try linkedOrder()
    _ = try bed.coder.read(
      [EditCustomer].self, from: Data("[]".utf8), complete: .all,
      guard: ListGuard(allowsEmpty: true))
    #expect(order.customer == nil)
    _ = try bed.coder.read([EditCustomer].self, from: Data(#"[{"id":5,"name":"k"}]"#.utf8))
    try store.settle(edit, .confirmed)
    #expect(order.customer?.id == 5 && order.editState == .clean)
  }

  @Test func `a cleared link stays an edit if its object is gone at the confirmation`() throws {
    let (order, edit) = try linkedOrder()
    try store.write { order.customer = nil }
    _ = try bed.coder.read(
      [EditCustomer].self, from: Data("[]".utf8), complete: .all,
      guard: ListGuard(allowsEmpty: true))
    try store.settle(edit, .confirmed)
    // The server still has the link.
    #expect(try pending == ["edited EditOrder 1: customer null"])
    let next = try #require(try store.takeEdit())
    #expect(
      String(decoding: try bed.coder.encode(next, as: .mergePatch), as: UTF8.self)
        == #"{"customer":null}"#)
    try store.settle(next, .confirmed)
    #expect(try pending.isEmpty)
  }

  @Test func `an edit that was sent twice ends although the linked object was evicted meanwhile`()
    throws
  {
    let (order, first) = try linkedOrder()
    try store.settle(first, .later)
    try store.write { order.note = "b" }
    let second = try #require(try store.takeEdit(of: order))
    try store.write(as: .server) { store.delete(try customer()) }
    _ = try bed.coder.read([EditCustomer].self, from: Data(#"[{"id":5,"name":"k"}]"#.utf8))
    try store.settle(second, .confirmed)
    #expect(order.customer?.id == 5 && order.editState == .clean)
  }

  @Test func `a link that returns after an edit without it was sent stays an edit`() throws {
    let order = try bed.order(#"{"id":1,"related":[{"id":2},{"id":3}]}"#)
    try store.write { store.delete(order.related[0]) }
    try store.write { order.related.append(try #require(order.related.first)) }
    let edit = try #require(try store.takeEdit(of: order))
    #expect(edit.value(of: "related") == .array([.int(3), .int(3)]))
    try store.revertDeletion(of: EditOrder.self, key: 2)
    try store.settle(edit, .confirmed)
    #expect(order.related.map(\.id) == [2, 3, 3])
    #expect(try pending == ["edited EditOrder 1: related [3,3] → [2,3,3]"])
  }

  // MARK: - Deletions that were sent

  @Test(arguments: [true, false])
  func
    `links that return after a deletion was sent are edits, because the server may have lost them`(
      isRecreated: Bool
    ) throws
  {
    let order = try bed.order(#"{"id":1,"note":"a","customer":{"id":5,"name":"k"}}"#)
    try store.write { store.delete(try customer()) }
    try store.settle(try #require(try store.takeEdit()), .later)
    if isRecreated {
      try store.write { try store.create(EditCustomer.self, value: ["id": 5, "name": "n"]) }
    } else {
      try store.revertDeletion(of: EditCustomer.self, key: 5)
    }
    #expect(order.customer?.id == 5)
    #expect(
      try pending == [
        #"created EditCustomer 5: name \#(isRecreated ? #""n""# : #""k""#)"#,
        "edited EditOrder 1: customer 5",
      ])
    // The server has cascaded.
    let name = isRecreated ? "n" : "k"
    try bed.coder.settle(
      try #require(try store.takeEdit()), .confirmed(Data(#"{"id":5,"name":"\#(name)"}"#.utf8)))
    try bed.order(#"{"id":1,"note":"a","customer":null}"#)
    #expect(order.customer?.id == 5)
    #expect(try pending == ["edited EditOrder 1: customer null → 5"])
  }

  @Test func `a link inside an embedded object that returns is an edit of its owner`() throws {
    let shop = try bed.coder.decode(
      Shop.self, from: Data(#"{"id":1,"place":{"owner":{"id":5}}}"#.utf8))
    try store.write { store.delete(try customer()) }
    try store.settle(try #require(try store.takeEdit()), .later)
    try store.revertDeletion(of: EditCustomer.self, key: 5)
    #expect(shop.place?.owner?.id == 5)
    #expect(shop.editedAttributes == ["place"])
  }

  @Test func `links of an object that was deleted first are edits once both are back`() throws {
    let order = try bed.order(#"{"id":1,"customer":{"id":5,"name":"k"}}"#)
    try store.write { store.delete(order) }
    try store.write { store.delete(try customer()) }
    let deletions = try store.takeEdits()
    try store.settle(deletions[0], .unapplied)
    try store.settle(deletions[1], .later)
    try store.revertDeletion(of: EditCustomer.self, key: 5)
    let back = try #require(try store.revertDeletion(of: EditOrder.self, key: 1))
    #expect(back.customer?.id == 5)
    #expect(back.editedAttributes == ["customer"])
  }

  @Test func `the base value of a list that is edited after a deletion gets its link back`() throws
  {
    let order = try bed.order(#"{"id":1,"related":[{"id":2},{"id":3},{"id":4}]}"#)
    try store.write { store.delete(order.related[1]) }
    try store.write { order.related.removeLast() }
    try store.revertDeletion(of: EditOrder.self, key: 3)
    #expect(order.related.map(\.id) == [2, 3])
    try store.revertEdits(of: order)
    #expect(order.related.map(\.id) == [2, 3, 4] && order.editState == .clean)
  }

  @Test(arguments: ["revert first", "undo first", "owner deleted"])
  func `a link inside an embedded object returns after each order of undoing`(order: String) throws
  {
    var shop = try bed.coder.decode(
      Shop.self, from: Data(#"{"id":1,"place":{"title":"t","owner":{"id":5}}}"#.utf8))
    try store.write { store.delete(try customer()) }
    if order == "owner deleted" {
      try store.write { store.delete(shop) }
      shop = try #require(try store.revertDeletion(of: Shop.self, key: 1))
      try store.revertDeletion(of: EditCustomer.self, key: 5)
    } else {
      try store.write { shop.place?.title = "new" }
      if order == "undo first" { try store.revertDeletion(of: EditCustomer.self, key: 5) }
      try store.revertEdits(of: shop)
      if order == "revert first" { try store.revertDeletion(of: EditCustomer.self, key: 5) }
    }
    #expect(shop.place?.title == "t" && shop.place?.owner?.id == 5)
    #expect(try store.pendingEdits().isEmpty)
  }

  @Test func `links that return after a deletion that was not sent are no edits`() throws {
    let order = try bed.order(#"{"id":1,"customer":{"id":5,"name":"k"}}"#)
    try store.write { store.delete(try customer()) }
    try store.revertDeletion(of: EditCustomer.self, key: 5)
    #expect(order.customer?.id == 5 && order.editState == .clean)
    #expect(try pending.isEmpty)
  }

  // MARK: - Keys that are created again

  @Test
  func `a collection stays empty that the write which creates a deleted object again empties`()
    throws
  {
    let order = try bed.order(#"{"id":1,"related":[{"id":2},{"id":3},{"id":4}]}"#)
    func recreate(_ body: () throws -> Void) throws -> [Int] {
      try store.write { store.delete(try #require(store.object(EditOrder.self, key: 3))) }
      try store.write {
        try store.create(EditOrder.self, value: ["id": 3])
        try body()
      }
      return order.related.map(\.id)
    }
    #expect(try recreate {} == [2, 3, 4])
    #expect(try recreate { order.count = 1 } == [2, 3, 4])
    #expect(try recreate { order.related.removeAll() } == [])
  }

  @Test(arguments: [true, false])
  func `an object created over its deletion is linked from where it was`(isOneWrite: Bool) throws {
    let order = try bed.order(
      #"{"id":1,"customer":{"id":5,"name":"k"},"related":[{"id":2},{"id":3},{"id":4}]}"#)
    func delete() throws {
      store.delete(try customer())
      store.delete(try #require(store.object(ofType: EditOrder.self, forPrimaryKey: 3)))
    }
    func create() throws {
      try store.create(EditCustomer.self, value: ["id": 5, "name": "n"])
      try store.create(EditOrder.self, value: ["id": 3])
    }
    if isOneWrite {
      try store.write {
        try delete()
        try create()
      }
    } else {
      try store.write { try delete() }
      try store.write { try create() }
    }
    #expect(order.customer?.name == "n" && order.related.map(\.id) == [2, 3, 4])
    #expect(order.editState == .clean)
  }

  @Test func `an object that a link names over its deletion is linked from where it was`() throws {
    let order = try bed.order(#"{"id":1,"customer":{"id":5,"name":"k"}}"#)
    try store.write { store.delete(try customer()) }
    try store.write { try store.create(EditOrder.self, value: ["id": 9, "customer": ["id": 5]]) }
    #expect(order.customer?.id == 5)
    #expect(order.editState == .clean)
  }

  @Test(arguments: [false, true])
  func `a link that is confirmed while the deletion of its object is sent stays an edit`(
    isAssigned: Bool
  ) throws {
    let customer = try bed.coder.decode(EditCustomer.self, from: Data(#"{"id":7,"name":"a"}"#.utf8))
    let order = try bed.order(#"{"id":1,"note":"a","customer":null}"#)
    try store.write { order.customer = customer }
    let edit = try #require(try store.takeEdit(of: order))
    try store.write { store.delete(customer) }
    let deletion = try #require(try store.takeEdit())
    let restored = try #require(try store.revertDeletion(of: EditCustomer.self, key: 7))
    if isAssigned {
      try store.write { order.customer = nil }
      try store.write { order.customer = restored }
    }
    // The server has applied the edit, but not the deletion.
    try bed.order(#"{"id":1,"note":"a","customer":{"id":7}}"#)
    try store.settle(edit, .confirmed)
    // The server deletes the customer now, and the link to it.
    try store.settle(deletion, .confirmed)
    #expect(order.customer == restored)
    #expect(order.editedAttributes == ["customer"])
  }

  @Test func `an object cannot get the key of one whose deletion is not confirmed`() throws {
    try bed.orders(#"[{"id":1},{"id":2}]"#)
    try store.write {
      store.delete(try #require(store.object(ofType: EditOrder.self, forPrimaryKey: 1)))
    }
    let error = #expect(throws: StoreError.self) {
      try store.rekey(EditOrder.self, from: 2, to: 1)
    }
    #expect(
      error?.description
        == "EditOrder 1: the object was deleted locally, and the server has not confirmed the deletion"
    )
  }
}

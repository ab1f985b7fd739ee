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
    #expect(try store.pendingEdits().isEmpty)
  }

  @Test(arguments: 0..<7)
  func `edits of a class that does not track them cannot be requested`(_ call: Int) throws {
    let order = try bed.coder.decode(PlainOrder.self, from: Data(#"{"id":7}"#.utf8))
    let other = try bed.coder.decode(PlainOrder.self, from: Data(#"{"id":8}"#.utf8))
    let calls: [() throws -> Void] = [
      { _ = try store.takeEdits(of: PlainOrder.self) },
      { _ = try store.takeEdit(of: order) },
      { try store.revertEdits(of: order) },
      { try store.revertDeletion(of: PlainOrder.self, key: 9) },
      { try store.markEdited(order, \.note) },
      { try store.merge(order, into: other) },
      { _ = try store.objects(PlainOrder.self).filter("@edited") },
    ]
    let error = #expect(throws: StoreError.self) { try calls[call]() }
    let expected =
      "PlainOrder: the class does not track edits; add 'override class var tracksEdits: Bool { true }'"
    #expect(error?.description == (call == 6 ? "@edited: \(expected)" : expected))
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

  @Test(arguments: ["confirm", "confirm with a response", "reject", "revert"])
  func `settling an edit that was not taken throws`(call: String) throws {
    let order = try bed.order(#"{"id":7,"note":"a"}"#)
    try store.write { order.note = "b" }
    let edit = try #require(try store.pendingEdits().first)
    let error = #expect(throws: StoreError.self) {
      switch call {
      case "confirm": try store.settle(edit, .confirmed)
      case "confirm with a response":
        try bed.coder.settle(edit, .confirmed(Data(#"{"id":7}"#.utf8)))
      case "reject": try store.settle(edit, .rejected(Edit.Rejection(general: ["no"])))
      default: try store.settle(edit, .reverted)
      }
    }
    #expect(
      error?.description
        == "EditOrder 7: the edit was not taken, so it cannot be settled; use takeEdit() to send edits"
    )
    #expect(order.editState == .edited)
  }

  @Test func `releasing an edit that was not taken keeps it in flight`() throws {
    let order = try bed.order(#"{"id":7,"note":"a"}"#)
    try store.write { order.note = "b" }
    let edit = try #require(try store.takeEdit(of: order))
    try store.settle(try #require(try store.pendingEdits().first), .later)
    #expect(try store.takeEdit(of: order) == nil)
    try store.settle(edit, .confirmed)
    #expect(order.editState == .clean)
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
    #expect(try store.pendingEdits().isEmpty)
  }

  @Test func `a sent attribute stays edited when it returns to its base value`() throws {
    let order = try bed.order(#"{"id":7,"note":"a"}"#)
    try store.write { order.note = "b" }
    let edit = try #require(try store.takeEdit(of: order))
    try store.write { order.note = "a" }
    #expect(order.editedAttributes == ["note"])
    try store.settle(edit, .confirmed)
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
    #expect(try store.pendingEdits().map(\.isInFlight) == [true])
    try store.settle(edits[0], .later)
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
    try store.settle(edit, .confirmed)
    #expect(order.editedAttributes == ["note"])
    let next = try #require(try store.takeEdit(of: order))
    #expect(next.description == #"edited EditOrder 7: note "b" → "c""#)
  }

  @Test func `an edit that is older than a confirmed one changes nothing`() throws {
    let order = try bed.order(#"{"id":7,"note":"a"}"#)
    try store.write { order.note = "b" }
    let first = try #require(try store.takeEdit(of: order))
    try store.settle(first, .later)
    try store.write { order.note = "c" }
    let second = try #require(try store.takeEdit(of: order))
    try store.settle(second, .confirmed)
    #expect(order.editState == .clean)
    let version = store.version
    try store.settle(first, .confirmed)
    try store.settle(second, .confirmed)
    try store.settle(first, .reverted)
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
    try store.settle(edit, .reverted)
    #expect(order.note == "a")
    #expect(order.count == 2)
    #expect(order.editedAttributes == ["count"])
  }

  @Test func `a rejected edit is offered again once one of its attributes changes`() throws {
    let order = try bed.order(#"{"id":7,"note":"a"}"#)
    try store.write { order.note = "b" }
    let edit = try #require(try store.takeEdit(of: order))
    try store.settle(edit, .rejected(Edit.Rejection(attributes: ["note": ["is too short"]])))
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
    try store.settle(edit, .rejected(Edit.Rejection(attributes: ["note": ["is too short"]])))
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
    try store.settle(edit, .rejected(Edit.Rejection(general: ["no"])))
    #expect(order.editState == .edited)
    #expect(try store.takeEdit(of: order)?.attributes == ["note", "count"])
  }

  @Test func `rejecting twice and reverting then leaves the server's value`() throws {
    let order = try bed.order(#"{"id":7,"note":"a"}"#)
    for note in ["b", "c"] {
      try store.write { order.note = note }
      let edit = try #require(try store.takeEdit(of: order))
      try store.settle(edit, .rejected(Edit.Rejection(general: ["no"])))
    }
    try store.revertEdits(of: order, \.note)
    #expect(order.note == "a")
    #expect(order.editState == .clean)
  }

  @Test func `an edit with an unknown base value keeps its value when it is reverted`() throws {
    let order = try bed.order(#"{"id":7,"note":"a"}"#)
    try store.markEdited(order, \.note)
    #expect(order.editedAttributes == ["note"])
    #expect(try store.pendingEdits()[0].baseValue(of: "note") == nil)
    try store.revertEdits(of: order)
    #expect(order.note == "a")
    #expect(order.editState == .clean)
  }

  @Test func `deleting everything makes no edits`() throws {
    let order = try bed.order(#"{"id":7,"note":"a"}"#)
    try store.write { order.note = "b" }
    try store.write { store.deleteAll() }
    #expect(try store.pendingEdits().isEmpty)
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
    #expect(try store.pendingEdits()[0].baseValue(of: "count") == .int(9))
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

  /// Calls that change nothing in an empty collection.
  private static let idleCalls: [@Sendable (EditOrder) -> Void] = [
    { $0.prices["absent"] = nil }, { $0.prices.removeValue(forKey: "absent") },
    { $0.prices.merge([:]) { $1 } }, { $0.tags.remove("absent") },
    { $0.tags.insert(contentsOf: []) }, { $0.tags.subtract(["absent"]) },
    { $0.related.append(contentsOf: []) }, { $0.related.removeAll { _ in true } },
    { $0.related.reverse() }, { $0.stops.reverse() },
  ]

  @Test(arguments: idleCalls.indices)
  func `a call that changes nothing does not say that an unknown collection is empty`(
    _ index: Int
  ) throws {
    let order = try bed.order(#"{"id":7}"#)
    try store.write { Self.idleCalls[index](order) }
    #expect(order.editState == .clean && order.unknownAttributes.contains("tags"))
    #expect(try store.pendingEdits().isEmpty)
  }

  @Test func `emptying an unknown collection is an edit`() throws {
    let order = try bed.order(#"{"id":7}"#)
    try store.write {
      order.prices.removeAll()
      order.tags.removeAll()
      order.related.removeAll()
    }
    #expect(order.editedAttributes == ["tags", "prices", "related"])
  }
}

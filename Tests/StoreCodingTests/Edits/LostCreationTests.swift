import Foundation
import ObjectStore
import StoreCoding
import TestSupport
import Testing

/// Creations that reached the server, and whose responses were lost.
@Suite struct `Creations whose response was lost` {
  private let bed: EditBed
  private var store: Store { bed.store }

  init() throws { bed = try EditBed() }

  private func created(_ values: UpdateDictionary = ["id": 9, "note": "a"]) throws -> EditOrder {
    try store.write { try store.create(EditOrder.self, value: values) }
  }

  /// Creates an order and takes its edit, whose response is lost.
  private func sent() throws -> EditOrder {
    let order = try created()
    try store.settle(try #require(try store.takeEdit(of: order)), .later)
    return order
  }

  @Test func `a repeated creation that is rejected ends what a payload has named`() throws {
    let order = try bed.store.write {
      try bed.store.create(EditOrder.self, value: ["id": 9, "note": "a", "count": 1])
    }
    try bed.store.settle(try #require(try bed.store.takeEdit()), .later)
    try bed.store.write { order.note = "b" }
    let again = try #require(try bed.store.takeEdit())
    // After 412: another client has changed the count.
    try bed.coder.decode(again, from: Data(#"{"id":9,"note":"a","count":7}"#.utf8))
    try bed.store.settle(again, .rejected(Edit.Rejection(general: ["it exists"])))
    #expect(order.count == 7 && order.note == "b")
    #expect(order.editedAttributes == ["note"])
  }

  @Test(arguments: [
    (#"{"id":9}"#, #"note ? → "b", customer ? → 5"#),
    (#"{"id":9,"note":"a","customer":null}"#, #"note "a" → "b", customer null → 5"#),
    (#"{"id":9,"note":"b","customer":5}"#, ""),
  ]) func `what was set before a repeated creation stays an edit unless the response has it`(
    response: String, expected: String
  ) throws {
    _ = try bed.coder.read([EditCustomer].self, from: Data(#"[{"id":5,"name":"k"}]"#.utf8))
    let order = try sent()
    try store.write {
      order.note = "b"
      order.customer = store.object(EditCustomer.self, key: 5)
    }
    let again = try #require(try store.takeEdit())
    let json = response.replacing(#""customer":5"#, with: #""customer":{"id":5}"#)
    #expect(try bed.coder.settle(again, .confirmed(Data(json.utf8))).isEmpty)
    #expect(order.note == "b" && order.customer?.id == 5)
    let edits = try store.pendingEdits().flatMap { edit in
      edit.attributes.map { name in
        func text(_ value: UpdateValue?) -> String { value.map { "\($0)" } ?? "?" }
        let base = edit.attributesWithBase.contains(name) ? text(edit.baseValue(of: name)) : "?"
        return "\(name) \(base) → \(text(edit.value(of: name)))"
      }
    }
    #expect(edits.joined(separator: ", ") == expected)
  }

  @Test func `a payload with the values of a repeated creation ends their edits`() throws {
    let order = try sent()
    try store.write { order.note = "b" }
    try store.settle(try #require(try store.takeEdit()), .confirmed)
    // Which of the requests was executed is unknown.
    let change = try #require(try store.takeEdit())
    #expect(change.attributes == ["note"])
    try store.settle(change, .unapplied)
    let result = try bed.orders(#"[{"id":9,"note":"b"}]"#)
    #expect(order.editState == .clean && result.conflicts.isEmpty)
  }

  @Test func `a payload that contains the object confirms its creation`() throws {
    let order = try sent()
    let result = try bed.orders(#"[{"id":9,"note":"another client's","count":4}]"#)
    #expect(order.note == "another client's" && order.count == 4)
    #expect(order.editState == .clean)
    #expect(try store.pendingEdits().isEmpty)
    #expect(result.conflicts.isEmpty)
  }

  @Test func `attributes that were changed since stay edits over the server's values`() throws {
    let order = try sent()
    try store.write { order.note = "b" }
    let result = try bed.orders(#"[{"id":9,"note":"another client's","count":4}]"#)
    #expect(order.note == "b" && order.count == 4)
    #expect(
      try store.pendingEdits().map(\.description)
        == [#"edited EditOrder 9: note "another client's" → "b""#])
    #expect(result.conflicts.map(\.attribute) == ["note"])
  }

  @Test func `an attribute that was changed back since is sent`() throws {
    let order = try sent()
    try store.write { order.note = "b" }
    try store.settle(try #require(try store.takeEdit(of: order)), .later)
    try store.write { order.note = "a" }
    try bed.orders(#"[{"id":9,"note":"b"}]"#)
    #expect(order.note == "a")
    #expect(
      try store.pendingEdits().map(\.description) == [#"edited EditOrder 9: note "b" → "a""#])
  }

  @Test func `a payload that is faster than the response leaves what the response contains`()
    throws
  {
    let order = try created()
    let edit = try #require(try store.takeEdit(of: order))
    try bed.orders(#"[{"id":9,"note":"a"}]"#)
    #expect(order.editState == .edited)
    try bed.coder.settle(edit, .confirmed(Data(#"{"id":9,"note":"a","count":4}"#.utf8)))
    #expect(order.count == 4)
    #expect(order.editState == .clean)
    #expect(try store.pendingEdits().isEmpty)
  }

  @Test func `an edit after a payload that is faster than the response waits for the response`()
    throws
  {
    let order = try created()
    let edit = try #require(try store.takeEdit(of: order))
    try bed.orders(#"[{"id":9,"note":"a"}]"#)
    try store.write { order.note = "b" }
    #expect(try store.takeEdits().isEmpty)
    try bed.coder.settle(edit, .confirmed(Data(#"{"id":9,"note":"a"}"#.utf8)))
    #expect(
      try store.takeEdits().map(\.description) == [#"edited EditOrder 9: note "a" → "b""#])
  }

  @Test(arguments: ["released", "reverted", "gone"])
  func `an object that a payload named while its creation was sent has the server's values`(
    outcome: String
  ) throws {
    let order = try created()
    let edit = try #require(try store.takeEdit(of: order))
    try bed.orders(#"[{"id":9,"note":"another client's"}]"#)
    #expect(order.note == "a")
    switch outcome {
    case "released": try store.settle(edit, .later)
    case "reverted": try store.settle(edit, .reverted)
    default: try bed.coder.settle(edit, .gone)
    }
    #expect(order.note == "another client's")
    #expect(order.editState == .clean)
    #expect(try store.pendingEdits().isEmpty)
  }

  @Test func `a creation that the server refused for an existing object keeps the user's values`()
    throws
  {
    let order = try created()
    let edit = try #require(try store.takeEdit(of: order))
    // 409: another client has chosen the same key. The app reads the object.
    try bed.orders(#"[{"id":9,"note":"another client's"}]"#)
    try store.settle(edit, .unapplied)
    #expect(order.note == "a" && order.editedAttributes.contains("note"))
    let again = try #require(try store.takeEdit(of: order))
    #expect(again.baseValue(of: "note") == .string("another client's"))
  }

  @Test func `a creation that is refused after its first response was lost has been applied`()
    throws
  {
    let order = try sent()
    let edit = try #require(try store.takeEdit(of: order))
    // 412: the object exists, because the first request created it.
    try bed.orders(#"[{"id":9,"note":"another client's"}]"#)
    try store.settle(edit, .unapplied)
    #expect(order.note == "another client's" && order.editState == .clean)
    #expect(try store.pendingEdits().isEmpty)
  }

  @Test func `an object that is created again over a sent deletion keeps its values`() throws {
    let order = try bed.order(#"{"id":9,"note":"old"}"#)
    try store.write { store.delete(order) }
    try store.settle(try #require(try store.takeEdits().first), .later)
    let again = try created()
    // The server has not executed the deletion yet.
    try bed.orders(#"[{"id":9,"note":"old"}]"#)
    #expect(again.note == "a")
    #expect(again.editedAttributes.contains("note"))
  }

  @Test(arguments: [false, true])
  func `an object created again stays one if a list shows it while its deletion is sent`(
    isApplied: Bool
  ) throws {
    let order = try bed.order(#"{"id":9,"note":"a","count":0}"#)
    try store.write { store.delete(order) }
    let deletion = try #require(try store.takeEdit())
    let again = try created()
    // The server may execute the deletion after this list.
    try bed.orders(#"[{"id":9,"note":"a","count":0}]"#)
    #expect(again.editState == .created)
    #expect(try store.takeEdit() == nil)
    try store.settle(deletion, isApplied ? .confirmed : .later)
    #expect(again.editState == .created)
    try bed.coder.read([EditOrder].self, from: Data(#"[{"id":1}]"#.utf8), complete: .all)
    #expect(!again.isInvalidated)
  }

  @Test func `a payload from before the deletion of an object does not confirm a new one`() throws {
    let order = try bed.order(#"{"id":9,"note":"old"}"#)
    let requested = store.holdVersion()
    try store.write { store.delete(order) }
    try store.settle(try #require(try store.takeEdits().first), .confirmed)
    let again = try sent()
    _ = try bed.coder.read(
      [EditOrder].self, from: Data(#"[{"id":9,"note":"old"}]"#.utf8), asOf: requested)
    #expect(again.note == "a")
    #expect(again.editState == .created)
  }

  @Test func `a late complete list keeps an object whose creation a payload confirmed`() throws {
    try bed.orders(#"[{"id":1}]"#)
    let requested = store.holdVersion()
    let order = try sent()
    try bed.orders(#"[{"id":1},{"id":9,"note":"a"}]"#)
    let list = Data(#"[{"id":1}]"#.utf8)
    _ = try bed.coder.read([EditOrder].self, from: list, complete: .all, asOf: requested)
    #expect(!order.isInvalidated)
    _ = try bed.coder.read([EditOrder].self, from: list, complete: .all)
    #expect(order.isInvalidated)
  }

  @Test func `an object without attributes is confirmed, too`() throws {
    let favorite = try store.write { try store.create(EditFavorite.self, value: ["id": 1]) }
    try store.settle(try #require(try store.takeEdit(of: favorite)), .later)
    _ = try bed.coder.decodeArray(EditFavorite.self, from: Data(#"[{"id":1}]"#.utf8))
    #expect(favorite.editState == .clean)
    #expect(try store.pendingEdits().isEmpty)
  }

  @Test func `a creation is confirmed after a restart`() throws {
    let folder = try TemporaryFolder()
    let configuration = StoreConfiguration.file(
      folder.file("orders.store"), classes: [EditOrder.self])
    do {
      let bed = try EditBed(configuration)
      let order = try bed.store.write {
        try bed.store.create(EditOrder.self, value: ["id": 9, "note": "a"])
      }
      _ = try #require(try bed.store.takeEdit(of: order))
    }
    let bed = try EditBed(configuration)
    try bed.orders(#"[{"id":9,"note":"c"}]"#)
    let order = try #require(bed.store.object(ofType: EditOrder.self, forPrimaryKey: 9))
    #expect(order.note == "c" && order.editState == .clean)
    #expect(try bed.store.pendingEdits().isEmpty)
  }

  // MARK: - Merges, deletions and late outcomes

  @Test func `a merge of a creation that was sent keeps the values of the server`() throws {
    let new = try created(["id": -1, "note": "a"])
    _ = try #require(try store.takeEdit(of: new))
    let delivered = try bed.order(#"{"id":44,"note":"another's","count":7}"#)
    try store.write {
      new.isPaid = true
      try store.merge(new, into: delivered)
    }
    #expect(delivered.note == "another's" && delivered.count == 7)
    #expect(delivered.editedAttributes == ["isPaid"])
  }

  @Test func `a link in a payload confirms no creation`() throws {
    let order = try sent()
    let other = try bed.order(#"{"id":2,"related":[]}"#)
    try store.write { other.note = "x" }
    let edit = try #require(try store.takeEdit(of: other))
    try bed.coder.settle(edit, .confirmed(Data(#"{"id":2,"related":[{"id":9}]}"#.utf8)))
    #expect(order.editState == .created && order.note == "a")
    #expect(other.related.map(\.id) == [9])
  }

  @Test func `a payload from before a deletion confirms no creation over it`() throws {
    try bed.order(#"{"id":9,"note":"a"}"#)
    let version = store.holdVersion()
    try store.write { store.delete(try #require(store.object(EditOrder.self, key: 9))) }
    try store.settle(try #require(try store.takeEdit()), .later)
    let order = try #require(try store.revertDeletion(of: EditOrder.self, key: 9))
    let payload = Data(#"{"id":9,"note":"z"}"#.utf8)
    _ = try bed.coder.read(EditOrder.self, from: payload, asOf: version)
    #expect(order.editState == .created && order.note == "a")
    _ = try bed.coder.read(EditOrder.self, from: payload)
    #expect(order.editState == .edited)
  }

  @Test func `an object whose deletion was undone keeps its edits if the server lacks its key`()
    throws
  {
    let new = try created(["id": -1, "note": "a"])
    try store.settle(try #require(try store.takeEdit()), .later)
    try store.write { store.delete(new) }
    let deletion = try #require(try store.takeEdit())
    let order = try #require(try store.revertDeletion(of: EditOrder.self, key: -1))
    try store.write { order.note = "mine" }
    try store.settle(deletion, .gone)
    // The server recognizes the repeated creation.
    let again = try #require(try store.takeEdit())
    try bed.coder.settle(again, .confirmed(Data(#"{"id":44,"note":"a"}"#.utf8)))
    #expect(order.id == 44 && order.note == "mine" && order.editedAttributes.contains("note"))
  }

  @Test func `a late confirmation of a deletion says nothing of the object created since`() throws {
    try bed.order(#"{"id":9,"note":"a"}"#)
    try store.write { store.delete(try #require(store.object(EditOrder.self, key: 9))) }
    let deletion = try #require(try store.takeEdit())
    try store.settle(deletion, .later)
    let order = try created(["id": 9, "note": "new"])
    let creation = try #require(try store.takeEdit())
    try store.settle(deletion, .confirmed)
    try store.write { store.delete(order) }
    try store.settle(creation, .confirmed)
    #expect(try store.pendingEdits().map(\.description) == [#"deleted EditOrder 9"#])
  }

  @Test func `a late confirmation of a change says nothing of the object created since`() throws {
    let order = try bed.order(#"{"id":9,"note":"a"}"#)
    try store.write { order.note = "b" }
    let edit = try #require(try store.takeEdit())
    try store.settle(edit, .later)
    try store.write { store.delete(order) }
    try store.settle(try #require(try store.takeEdit()), .later)
    let new = try created(["id": 9, "note": "c"])
    try store.settle(edit, .confirmed)
    #expect(new.editState == .created)
  }

  @Test func `a creation that was sent twice is clean if the first request was applied`() throws {
    let task = try store.write {
      try store.create(EditTask.self, value: ["id": "k", "value": 1])
    }
    let first = try #require(try store.takeEdit())
    try store.settle(first, .later)
    let second = try #require(try store.takeEdit())
    try store.settle(first, .confirmed)
    try store.settle(second, .unapplied)
    #expect(task.editState == .clean)
    #expect(try store.pendingEdits().isEmpty)
  }

  @Test func `a merge gives the attributes that a summary lacks`() throws {
    let new = try created(["id": -1, "note": "a"])
    _ = try #require(try store.takeEdit(of: new))
    let summary = try bed.order(#"{"id":44,"count":7}"#)
    try store.write { try store.merge(new, into: summary) }
    #expect(summary.note == "a" && summary.count == 7 && summary.editState == .clean)
  }

  @Test func `a creation that a payload has shown and that was set back ends with its request`()
    throws
  {
    let order = try created()
    let edit = try #require(try store.takeEdit(of: order))
    try bed.order(#"{"id":9,"note":"a","count":0}"#)
    try store.revertEdits(of: order)
    try store.settle(edit, .later)
    try bed.order(#"{"id":9,"note":"a","count":7}"#)
    #expect(order.count == 7 && !(order.editedAttributes.contains("count")))
  }

  @Test func `another client's change after a repeated creation is a conflict`() throws {
    let order = try created(["id": -1, "count": 24])
    try store.settle(try #require(try store.takeEdit()), .later)
    try store.write { order.count = 41 }
    let again = try #require(try store.takeEdit())
    try bed.order(#"{"id":3,"count":24}"#)
    try bed.coder.settle(again, .confirmed(Data(#"{"id":3,"count":24}"#.utf8)))
    let result = try bed.orders(#"[{"id":3,"count":62}]"#)
    #expect(result.conflicts.map(\.attribute) == ["count"])
  }

  @Test func `a late list does not bring back what a section of deleted keys has ended`() throws {
    try bed.order(#"{"id":9,"note":"a"}"#)
    let version = store.holdVersion()
    try store.write { store.delete(try #require(store.object(EditOrder.self, key: 9))) }
    try store.settle(try #require(try store.takeEdit()), .later)
    _ = try bed.coder.read(
      ["gone": .deleted(EditOrder.self)], from: Data(#"{"gone":[9]}"#.utf8))
    #expect(try store.pendingEdits().isEmpty)
    _ = try bed.coder.read(
      [EditOrder].self, from: Data(#"[{"id":9,"note":"a"}]"#.utf8), asOf: version)
    #expect(store.object(EditOrder.self, key: 9) == nil)
  }
}

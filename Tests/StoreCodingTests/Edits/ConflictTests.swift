import Foundation
import ObjectStore
import StoreCoding
import TestSupport
import Testing

@Suite struct `Conflicts of edits` {
  private let bed: EditBed
  private var store: Store { bed.store }

  init() throws { bed = try EditBed() }

  @Test func `the counts of a stream have its conflicts`() async throws {
    let bed = try EditBed()
    let order = try bed.order(#"{"id":7,"note":"a"}"#)
    try bed.store.write { order.note = "b" }
    let data = Data(#"[{"id":6},{"id":7,"note":"c"}]"#.utf8)
    let chunks = AsyncStream { continuation in
      continuation.yield(data)
      continuation.finish()
    }
    let counts = try await bed.coder.readAll([EditOrder].self, from: chunks)
    #expect(
      counts.conflicts.map(\.description)
        == [#"EditOrder 7: note is "b", was "a" on the server, now "c""#])
  }

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

  @Test func `another notation of a number is neither a conflict nor an edit`() throws {
    let order = try bed.order(#"{"id":7,"extra":{"x":0.40}}"#)
    try store.write { order.extra = ["x": 0.5] }
    #expect(try bed.orders(#"[{"id":7,"extra":{"x":0.4}}]"#).conflicts.isEmpty)
    #expect(try bed.orders(#"[{"id":7,"extra":{"x":0.400}}]"#).conflicts.isEmpty)
    try store.write { order.extra = ["x": 0.4] }
    #expect(order.editedAttributes == [])
    try bed.order(#"{"id":7,"extra":{"x":4e-1}}"#)
    try store.write { order.extra = ["x": .number("0.40")] }
    #expect(order.editedAttributes == [])
  }

  @Test func `an update of missing objects concerns the attributes without edits`() throws {
    try bed.orders(
      #"[{"id":1,"isPaid":true,"count":1},{"id":2,"isPaid":true},{"id":3,"isPaid":true}]"#)
    let orders = store.objects(EditOrder.self).sorted(by: \.id)
    try store.write {
      orders[0].count = 9
      orders[1].isPaid = nil
      try store.create(EditOrder.self, value: ["id": -1, "isPaid": true])
    }
    let result = try bed.coder.read(
      [EditOrder].self, from: Data(#"[{"id":3}]"#.utf8), complete: .all,
      missing: .update([\.isPaid <- false]))
    #expect(result.deleted == 2)
    #expect(result.kept == [.int(-1)])
    #expect(
      orders.map { "\($0.id) \($0.isPaid.map { "\($0)" } ?? "nil") \($0.count) \($0.editState)" }
        == ["-1 true 0 created", "1 false 9 edited", "2 nil 0 edited", "3 true 0 clean"])
    try store.revertEdits(of: orders[2])
    #expect(orders[2].isPaid == false)
  }

  @Test func `a complete list of an object becomes the base value of its edited list`() throws {
    let order = try bed.order(#"{"id":7,"related":[{"id":1},{"id":2},{"id":3}]}"#)
    try store.write { order.related.remove(at: 0) }
    func read(asOf version: StoreVersion? = nil) throws -> ReadResult<EditOrder> {
      try bed.coder.read(
        [EditOrder].self, from: Data(#"[{"id":2},{"id":1}]"#.utf8),
        complete: .of(order, \.related), asOf: version)
    }
    let result = try read()
    #expect(
      result.conflicts.map(\.description) == [
        "EditOrder 7: related is [2,3], was [1,2,3] on the server, now [2,1]"
      ])
    #expect(order.related.map(\.id) == [2, 3])
    // Object 3 is in the user's list.
    #expect(result.deleted == 0)
    let version = store.version
    #expect(try read().conflicts.isEmpty)
    #expect(store.version == version)
    let request = store.holdVersion()
    let edit = try #require(try store.takeEdit(of: order))
    try store.settle(edit, .confirmed)
    #expect(try read(asOf: request).conflicts.isEmpty)
    #expect(order.related.map(\.id) == [2, 3])
    try store.write { order.related.removeAll() }
    try bed.coder.read(
      [EditOrder].self, from: Data(#"[{"id":2}]"#.utf8), complete: .of(order, \.related))
    try store.revertEdits(of: order)
    #expect(order.related.map(\.id) == [2])
  }

  @Test(arguments: [false, true])
  func `a deleted element of a complete list returns to it`(isEdited: Bool) throws {
    let order = try bed.order(#"{"id":7,"related":[{"id":1},{"id":2},{"id":3}]}"#)
    try store.write {
      store.delete(order.related[1])
      if isEdited { order.related.removeAll() }
    }
    let result = try bed.coder.read(
      [EditOrder].self, from: Data(#"[{"id":3},{"id":2},{"id":1}]"#.utf8),
      complete: .of(order, \.related))
    #expect(result.deletedLocally == [.int(2)])
    try store.revertDeletion(of: EditOrder.self, key: 2)
    if isEdited { try store.revertEdits(of: order) }
    #expect(order.related.map(\.id) == [3, 2, 1])
    #expect(try store.pendingEdits().isEmpty)
  }

  @Test func `the resolver chooses between an edited list and a complete list`() throws {
    let order = try bed.order(#"{"id":7,"related":[{"id":1},{"id":2}]}"#)
    try store.write { order.related.remove(at: 0) }
    var configuration = CodingConfiguration()
    configuration.resolveConflict = { _ in .server }
    let coder = StoreCoder(store: store, configuration: configuration)
    try coder.read(
      [EditOrder].self, from: Data(#"[{"id":1}]"#.utf8), complete: .of(order, \.related))
    #expect(order.related.map(\.id) == [1])
    #expect(order.editState == .clean)
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

  @Test func `an object that a document contains and deletes is deleted`() throws {
    let order = try bed.order(#"{"id":1,"note":"a"}"#)
    try store.write { order.note = "b" }
    var configuration = CodingConfiguration()
    configuration.resolveConflict = { _ in .server }
    let document = try StoreCoder(store: store, configuration: configuration).read(
      ["orders": .list(EditOrder.self), "removed": .deleted(EditOrder.self)],
      from: Data(#"{"orders":[{"id":1,"note":"c"}],"removed":[1]}"#.utf8))
    #expect(order.isInvalidated)
    #expect(document[EditOrder.self, at: "removed"].deleted == 1)
  }

  @Test func `an edit that was not applied is sent with tests again`() async throws {
    let order = try bed.order(#"{"id":7,"note":"a"}"#)
    try store.write { order.note = "b" }
    var bodies: [String] = []
    func upload() async throws {
      let summary = try await bed.coder.upload { edit in
        bodies.append(
          String(decoding: try bed.coder.encode(edit, as: .jsonPatch()), as: UTF8.self))
        return .unapplied
      }
      #expect(summary.postponed == 1)
    }
    try await upload()
    try bed.order(#"{"id":7,"note":"c"}"#)
    try await upload()
    #expect(
      bodies == [
        #"[{"op":"test","path":"/note","value":"a"},{"op":"add","path":"/note","value":"b"}]"#,
        #"[{"op":"test","path":"/note","value":"c"},{"op":"add","path":"/note","value":"b"}]"#,
      ])
    // Setting the value back ends the edit, because no request was applied.
    try store.revertEdits(of: order)
    #expect(order.editState == .clean)
    #expect(order.note == "c")
  }

  @Test func `a resolver that throws inside a write undoes the whole payload`() throws {
    struct Refused: Error {}
    let order = try bed.order(#"{"id":1,"note":"a","count":1}"#)
    try store.write { order.note = "b" }
    var configuration = CodingConfiguration()
    configuration.resolveConflict = { _ in throw Refused() }
    let coder = StoreCoder(store: store, configuration: configuration)
    let edit = try #require(try store.takeEdit())
    try store.settle(edit, .later)
    let again = try #require(try store.takeEdit())
    try store.write {
      #expect(throws: Refused.self) { try coder.settle(again, .gone) }
    }
    #expect(try store.pendingEdits().map(\.isInFlight) == [true])
    try store.settle(again, .unapplied)
    try store.settle(edit, .unapplied)
    try store.write {
      #expect(throws: Refused.self) {
        try coder.read(
          [EditOrder].self, from: Data(#"[{"id":1,"note":"c","count":2},{"id":2}]"#.utf8))
      }
    }
    #expect(order.count == 1 && order.note == "b")
    #expect(store.object(EditOrder.self, key: 2) == nil)
    #expect(try bed.orders(#"[{"id":1,"note":"c"}]"#).conflicts.count == 1)
  }
}

import Foundation
import ObjectStore
import StoreCoding
import TestSupport
import Testing

@Suite struct `Settled edits` {
  private let bed: EditBed
  private var store: Store { bed.store }

  init() throws { bed = try EditBed() }

  /// Takes the edit of an order whose note was `a` and is `b`.
  private func takenEdit() throws -> (order: EditOrder, edit: Edit) {
    let order = try bed.order(#"{"id":7,"note":"a","count":1}"#)
    try store.write { order.note = "b" }
    return (order, try #require(try store.takeEdit(of: order)))
  }

  @Test(arguments: [
    (Edit.Outcome.confirmed, "b clean"), (.rejected(Edit.Rejection(general: ["no"])), "b rejected"),
    (.reverted, "a clean"), (.gone, "b rejected"), (.later, "b edited"), (.unapplied, "b edited"),
  ]) func `a store settles an edit by each outcome`(outcome: Edit.Outcome, expected: String) throws
  {
    let (order, edit) = try takenEdit()
    try store.settle(edit, outcome)
    #expect("\(order.note ?? "") \(order.editState)" == expected)
  }

  @Test(arguments: [
    Edit.Outcome.unapplied, .rejected(Edit.Rejection(general: ["no"])), .reverted,
  ]) func `an edit that is set back in flight and not applied ends`(outcome: Edit.Outcome) throws {
    let (order, edit) = try takenEdit()
    try store.write { order.note = "a" }
    try store.settle(edit, outcome)
    #expect(order.editState == .clean)
    try bed.order(#"{"id":7,"note":"c"}"#)
    #expect(order.note == "c")
  }

  @Test(arguments: [
    Edit.Outcome.later, .unapplied, .rejected(Edit.Rejection(general: ["no"])), .reverted,
  ]) func `a repeated creation that a payload has shown ends with each outcome`(
    outcome: Edit.Outcome
  ) throws {
    let order = try store.write { try store.create(EditOrder.self, value: ["id": 7, "note": "a"]) }
    try store.settle(try #require(try store.takeEdit()), .later)
    let again = try #require(try store.takeEdit())
    try bed.order(#"{"id":7,"note":"c","count":4}"#)
    try store.settle(again, outcome)
    #expect("\(order.note ?? "") \(order.count) \(order.editState)" == "c 4 clean")
  }

  @Test func `a store refuses a response, and leaves the edit in flight`() throws {
    let (order, edit) = try takenEdit()
    let error = #expect(throws: StoreError.self) {
      try store.settle(edit, .confirmed(Data(#"{"id":7}"#.utf8)))
    }
    #expect(
      error?.description
        == "EditOrder 7: a store cannot decode the response to an edit; call settle of a StoreCoder"
    )
    #expect(try store.pendingEdits().map(\.isInFlight) == [true])
    try store.settle(edit, .confirmed(Data()))
    #expect(order.editState == .clean)
  }

  @Test(arguments: [
    Edit.Outcome.confirmed, .rejected(Edit.Rejection()), .reverted, .gone, .unapplied,
  ]) func `an edit that was not taken accepts no outcome but later`(outcome: Edit.Outcome) throws {
    let (order, edit) = try takenEdit()
    try store.settle(edit, .rejected(Edit.Rejection(general: ["no"])))
    let pending = try #require(try store.pendingEdits().first)
    let error = #expect(throws: StoreError.self) { try bed.coder.settle(pending, outcome) }
    #expect(
      error?.description
        == "EditOrder 7: the edit was not taken, so it cannot be settled; use takeEdit() to send edits"
    )
    try bed.coder.settle(pending, .later)
    #expect(order.editState == .edited)
  }

  @Test func `a repeated response to a creation that was sent again changes nothing`() throws {
    let order = try store.write { try store.create(EditOrder.self, value: ["id": 7, "note": "a"]) }
    try store.settle(try #require(try store.takeEdit(of: order)), .later)
    try store.write { order.note = "b" }
    let edit = try #require(try store.takeEdit(of: order))
    let response = Edit.Outcome.confirmed(Data(#"{"id":7,"note":"b"}"#.utf8))
    try bed.coder.settle(edit, response)
    try bed.order(#"{"id":7,"note":"c"}"#)
    try bed.coder.settle(edit, response)
    #expect("\(order.note ?? "") \(order.editState)" == "c clean")
  }

  @Test func `a confirmation finds the object at the path of the outcome`() throws {
    let (order, edit) = try takenEdit()
    let response = Data(#"{"status":"ok","data":{"order":{"id":7,"note":"b","count":5}}}"#.utf8)
    try bed.coder.settle(edit, .confirmed(response, at: "data.order"))
    #expect(order.count == 5 && order.editState == .clean)
  }

  @Test func `attributes that the response lacks are cleared if the caller says so`() throws {
    let (order, edit) = try takenEdit()
    try bed.coder.settle(edit, .confirmed(Data(#"{"id":7,"note":"b"}"#.utf8)), absent: .clear)
    #expect(order.count == 0 && order.editState == .clean)
  }

  // MARK: - Reading an edit back

  @Test func `the fresh state of an edit's object is decoded without naming its class`() throws {
    let (order, edit) = try takenEdit()
    #expect(edit.type == EditOrder.self)
    // A response without the key.
    let conflicts = try bed.coder.decode(edit, from: Data(#"{"note":"c","count":2}"#.utf8))
    #expect(
      conflicts.map(\.description) == [#"EditOrder 7: note is "b", was "a" on the server, now "c""#]
    )
    #expect(conflicts.map(\.isInFlight) == [true])
    #expect(order.note == "b" && order.count == 2)
    try bed.coder.settle(edit, .unapplied)
    let patch = try bed.coder.encode(
      try #require(try store.takeEdit()), as: .jsonPatch(tests: .all))
    #expect(
      String(decoding: patch, as: UTF8.self)
        == #"[{"op":"test","path":"/note","value":"c"},{"op":"add","path":"/note","value":"b"}]"#)
  }

  @Test func `the fresh state of another object is refused`() throws {
    let (order, edit) = try takenEdit()
    let error = #expect(throws: StoreCodingError.self) {
      try bed.coder.decode(edit, from: Data(#"{"id":8,"note":"c"}"#.utf8))
    }
    #expect(error?.description.contains("expected 7, the key of the call") == true)
    #expect(order.note == "b" && store.objects(EditOrder.self).count == 1)
  }

  @Test func `the fresh state of a deleted object does not bring it back`() throws {
    let order = try bed.order(#"{"id":7,"note":"a"}"#)
    try store.write { store.delete(order) }
    let deletion = try #require(try store.takeEdit())
    try bed.coder.decode(deletion, from: Data(#"{"id":7,"note":"c"}"#.utf8))
    #expect(store.objects(EditOrder.self).isEmpty)
    #expect(try store.pendingEdits().map(\.description) == ["deleted EditOrder 7"])
  }

  // MARK: - One class

  @Test func `edits of one class are taken and listed alone`() throws {
    try store.write {
      try store.create(EditCustomer.self, value: ["id": 1])
      try store.create(EditOrder.self, value: ["id": 2])
      try store.create(EditOrder.self, value: ["id": 3])
    }
    #expect(try store.pendingEdits(of: EditOrder.self).map(\.keyText) == ["2", "3"])
    #expect(try store.takeEdit(of: EditOrder.self)?.keyText == "2")
    #expect(try store.takeEdits(of: EditOrder.self).map(\.keyText) == ["3"])
    #expect(try store.takeEdit()?.keyText == "1")
  }
}

@Suite @MainActor struct `Concurrent uploads` {
  private let bed: EditBed
  private var store: Store { bed.store }

  init() throws { bed = try EditBed() }

  /// Requests that end when the test says so.
  @MainActor private final class Requests {
    private(set) var sent: [String] = []
    private(set) var maximum = 0
    private var open: [String: CheckedContinuation<Edit.Outcome, any Error>] = [:]
    private var isCancelled: Set<String> = []

    func send(_ edit: Edit) async throws -> Edit.Outcome {
      sent.append(edit.keyText)
      return try await withTaskCancellationHandler {
        try await withCheckedThrowingContinuation {
          open[edit.keyText] = $0
          maximum = max(maximum, open.count)
        }
      } onCancel: {
        Task { @MainActor in self.end(edit.keyText, .failure(CancellationError())) }
      }
    }

    func end(_ key: String, _ outcome: Result<Edit.Outcome, any Error> = .success(.confirmed)) {
      open.removeValue(forKey: key)?.resume(with: outcome)
    }

    /// Waits until exactly these requests are open.
    func wait(for keys: [String]) async {
      while open.keys.sorted() != keys.sorted() { await Task.yield() }
    }
  }

  @Test func `an upload sends as many edits at once as it may`() async throws {
    try store.write {
      for id in 1...5 { try store.create(EditOrder.self, value: ["id": .init(id)]) }
    }
    let requests = Requests()
    let upload = Task {
      try await bed.coder.upload(EditOrder.self, concurrency: 2) { edit in
        _ = try bed.coder.encode(edit)
        return try await requests.send(edit)
      }
    }
    await requests.wait(for: ["1", "2"])
    requests.end("2")
    await requests.wait(for: ["1", "3"])
    requests.end("1", .success(.later))
    await requests.wait(for: ["3", "4"])
    requests.end("3")
    requests.end("4", .success(.rejected(Edit.Rejection(general: ["no"]))))
    await requests.wait(for: ["5"])
    requests.end("5")
    let summary = try await upload.value
    #expect(summary.confirmed == 3 && summary.rejected == 1 && summary.postponed == 1)
    #expect(requests.sent.sorted() == ["1", "2", "3", "4", "5"] && requests.maximum == 2)
  }

  @Test func `an edit that waits for a creation is sent after its response`() async throws {
    try store.write {
      let order = try store.create(EditOrder.self, value: ["id": -1])
      order.customer = try store.create(EditCustomer.self, value: ["id": -5])
      try store.create(EditOrder.self, value: ["id": -2])
    }
    let requests = Requests()
    let upload = Task { try await bed.coder.upload(concurrency: 8) { try await requests.send($0) } }
    await requests.wait(for: ["-2", "-5"])
    requests.end("-2")
    requests.end("-5", .success(.confirmed(Data(#"{"id":5}"#.utf8))))
    await requests.wait(for: ["-1"])
    requests.end("-1")
    let summary = try await upload.value
    #expect(summary.confirmed == 3)
    #expect(store.object(ofType: EditOrder.self, forPrimaryKey: -1)?.customer?.id == 5)
  }

  @Test func `an edit waits for a creation that waits itself`() async throws {
    try store.write {
      let first = try store.create(EditOrder.self, value: ["id": -1])
      first.customer = try store.create(EditCustomer.self, value: ["id": -5])
      let second = try store.create(EditOrder.self, value: ["id": -2])
      second.related.append(first)
    }
    let requests = Requests()
    var related: [UpdateValue?] = []
    let upload = Task {
      try await bed.coder.upload(concurrency: 8) { edit in
        MainActor.assertIsolated()
        if edit.keyText == "-2" { related.append(edit.value(of: "related")) }
        return try await requests.send(edit)
      }
    }
    for key in ["-5", "-1", "-2"] {
      await requests.wait(for: [key])
      requests.end(key)
    }
    #expect(try await upload.value.confirmed == 3)
    #expect(related == [.array([.int(-1)])])
  }

  @Test func `an edit whose creation fails is postponed`() async throws {
    try store.write {
      let order = try store.create(EditOrder.self, value: ["id": -1])
      order.customer = try store.create(EditCustomer.self, value: ["id": -5])
    }
    let requests = Requests()
    let upload = Task { try await bed.coder.upload(concurrency: 8) { try await requests.send($0) } }
    await requests.wait(for: ["-5"])
    requests.end("-5", .success(.later))
    let summary = try await upload.value
    #expect(requests.sent == ["-5"] && summary.postponed == 2)
  }

  @Test func `deletions are sent last and one at a time`() async throws {
    try bed.orders(#"[{"id":1},{"id":2},{"id":3}]"#)
    try store.write {
      for order in store.objects(EditOrder.self) where order.id < 3 { store.delete(order) }
      store.objects(EditOrder.self).first?.note = "b"
    }
    let requests = Requests()
    let upload = Task { try await bed.coder.upload(concurrency: 8) { try await requests.send($0) } }
    await requests.wait(for: ["3"])
    requests.end("3")
    await requests.wait(for: ["1"])
    requests.end("1")
    await requests.wait(for: ["2"])
    requests.end("2")
    #expect(try await upload.value.confirmed == 3)
  }

  @Test func `an error cancels the other requests and releases their edits`() async throws {
    try store.write {
      for id in 1...4 { try store.create(EditOrder.self, value: ["id": .init(id)]) }
    }
    let requests = Requests()
    let upload = Task {
      try await bed.coder.upload(concurrency: 3) { try await requests.send($0) }
    }
    await requests.wait(for: ["1", "2", "3"])
    requests.end("2", .failure(URLError(.notConnectedToInternet)))
    await #expect(throws: URLError.self) { try await upload.value }
    #expect(requests.sent.sorted() == ["1", "2", "3"])
    #expect(try store.pendingEdits().map(\.isInFlight) == [false, false, false, false])
  }

  @Test func `an edit that cannot be encoded does not stop the others`() async throws {
    try bed.orders(#"[{"id":1},{"id":2},{"id":3}]"#)
    try store.write {
      for order in store.objects(EditOrder.self) { order.note = "b" }
      let order = try #require(store.object(ofType: EditOrder.self, forPrimaryKey: 2))
      order.extra = .object(["a": .null])
    }
    await #expect(throws: StoreCodingError.self) {
      try await bed.coder.upload(concurrency: 2) { edit in
        _ = try bed.coder.encode(edit, as: .mergePatch)
        return .confirmed
      }
    }
    #expect(try store.pendingEdits().map(\.keyText) == ["2"])
  }

  @Test func `an object that changes during its request is sent again`() async throws {
    let order = try bed.order(#"{"id":7,"note":"a"}"#)
    try store.write { order.note = "b" }
    var notes: [String] = []
    try await bed.coder.upload(concurrency: 4) { edit in
      notes.append("\(edit.value(of: "note") ?? .null)")
      if notes.count == 1 { try store.write { order.note = "c" } }
      return .confirmed
    }
    #expect(notes == [#""b""#, #""c""#] && order.editState == .clean)
  }
}

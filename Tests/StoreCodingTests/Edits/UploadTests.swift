import Foundation
import ObjectStore
import StoreCoding
import TestSupport
import Testing

@Suite struct `Uploads of edits` {
  private let bed: EditBed
  private var store: Store { bed.store }

  init() throws { bed = try EditBed() }

  @Test func `an upload sends each object with the keys that the server has assigned before`()
    async throws
  {
    try store.write {
      let customer = try store.create(EditCustomer.self, value: ["id": -5, "name": "Jo"])
      let order = try store.create(EditOrder.self, value: ["id": -1, "note": "a"])
      order.customer = customer
    }
    var bodies: [String] = []
    var next = 40
    let summary = try await bed.coder.upload { edit in
      let body = String(decoding: try bed.coder.encode(edit, as: .mergePatch), as: UTF8.self)
      bodies.append("\(edit.className) \(body)")
      next += 1
      return .confirmed(Data(#"{"id":\#(next)}"#.utf8))
    }
    #expect(summary.confirmed == 2)
    #expect(summary.postponed == 0)
    #expect(bodies[0] == #"EditCustomer {"id":-5,"name":"Jo"}"#)
    #expect(bodies[1].contains(#""customer":{"id":41}"#))
    let order = try #require(store.object(ofType: EditOrder.self, forPrimaryKey: 42))
    #expect(order.customer?.id == 41)
    #expect(store.pendingEdits().isEmpty)
  }

  @Test func `what waits for an object that could not be sent is not sent`() async throws {
    try store.write {
      let customer = try store.create(EditCustomer.self, value: ["id": -5])
      let order = try store.create(EditOrder.self, value: ["id": -1])
      order.customer = customer
      try store.create(EditOrder.self, value: ["id": -2])
    }
    var sent: [String] = []
    let summary = try await bed.coder.upload { edit in
      sent.append("\(edit.key)")
      return edit.className == "EditCustomer" ? .later : .confirmed
    }
    #expect(sent == ["-5", "-2"])
    #expect(summary.confirmed == 1)
    #expect(summary.postponed == 2)
  }

  @Test func `an upload of one class leaves edits that wait for another class`() async throws {
    try store.write {
      let order = try store.create(EditOrder.self, value: ["id": -1])
      order.customer = try store.create(EditCustomer.self, value: ["id": -5])
      try store.create(EditOrder.self, value: ["id": -2])
      try store.create(EditOrder.self, value: ["id": -3])
    }
    var sent: [String] = []
    let summary = try await store.upload(of: EditOrder.self) { edit in
      sent.append("\(edit.key)")
      return .confirmed
    } confirm: { edit, _ in
      try store.confirm(edit)
    } resolve: { _ in
      .server
    } while: {
      sent.isEmpty
    }
    #expect(sent == ["-2"])
    #expect(summary.confirmed == 1 && summary.postponed == 2)
  }

  @Test func `each outcome settles its edit`() async throws {
    try bed.orders((1...5).map { #"{"id":\#($0),"note":"a"}"# }.joined(separator: ",").wrapped)
    try store.write { for order in store.objects(EditOrder.self) { order.note = "b" } }
    let outcomes: [String: UploadOutcome] = [
      "1": .confirmed, "2": .rejected(Rejection(general: ["no"])), "3": .reverted, "4": .gone,
      "5": .later,
    ]
    let summary = try await bed.coder.upload { outcomes["\($0.key)"] ?? .later }
    #expect(summary.confirmed == 1)
    #expect(summary.rejected == 1)
    #expect(summary.reverted == 1)
    #expect(summary.gone == 1)
    #expect(summary.postponed == 1)
    let states = store.objects(EditOrder.self).map { "\($0.id) \($0.note ?? "") \($0.editState)" }
    #expect(states == ["1 b clean", "2 b rejected", "3 a clean", "5 b edited"])
  }

  @Test func `an error of a request releases its edit and ends the upload`() async throws {
    try bed.orders((1...3).map { #"{"id":\#($0)}"# }.joined(separator: ",").wrapped)
    try store.write { for order in store.objects(EditOrder.self) { order.note = "b" } }
    var count = 0
    await #expect(throws: URLError.self) {
      try await bed.coder.upload { _ in
        count += 1
        if count == 2 { throw URLError(.notConnectedToInternet) }
        return .confirmed
      }
    }
    #expect(count == 2)
    #expect(try store.takeEdits().count == 2)
  }

  @Test func `edits made during an upload are sent by it`() async throws {
    let order = try bed.order(#"{"id":7,"note":"a"}"#)
    try store.write { order.note = "b" }
    var bodies: [String] = []
    try await bed.coder.upload { edit in
      bodies.append(String(decoding: try bed.coder.encode(edit), as: UTF8.self))
      if bodies.count == 1 { try store.write { order.note = "c" } }
      return .confirmed
    }
    #expect(bodies == [#"{"id":7,"note":"b"}"#, #"{"id":7,"note":"c"}"#])
    #expect(order.editState == .clean)
  }

  @Test func `a response that cannot be decoded releases the edit`() async throws {
    let order = try bed.order(#"{"id":7,"note":"a"}"#)
    try store.write { order.note = "b" }
    await #expect(throws: StoreCodingError.self) {
      try await bed.coder.upload { _ in .confirmed(Data("<html>".utf8)) }
    }
    #expect(order.editedAttributes == ["note"])
    #expect(try store.takeEdits().count == 1)
  }

  @Test func `a created object that is gone is sent only once`() async throws {
    try store.write { _ = try store.create(EditOrder.self, value: ["id": -1]) }
    var configuration = CodingConfiguration()
    configuration.resolveConflict = { _ in .local }
    let coder = StoreCoder(store: store, configuration: configuration)
    var count = 0
    try await coder.upload { _ in
      count += 1
      return .gone
    }
    #expect(count == 1)
  }
}

extension String {
  fileprivate var wrapped: String { "[\(self)]" }
}

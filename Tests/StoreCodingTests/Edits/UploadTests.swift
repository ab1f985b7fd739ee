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
    #expect(try store.pendingEdits().isEmpty)
  }

  @Test func `an upload inside a write sends nothing`() async throws {
    try store.write { try store.create(EditOrder.self, value: ["id": -1]) }
    try store.beginWrite()
    await #expect(throws: StoreError(.unbalancedWrite)) {
      try await bed.coder.upload { _ in .confirmed }
    }
    #expect(store.isInWriteTransaction)
    store.cancelWrite()
    #expect(try store.pendingEdits().count == 1)
  }

  @Test func `a write that the closure of an upload leaves open is undone, and the edit stays`()
    async throws
  {
    try store.write { try store.create(EditOrder.self, value: ["id": -1, "note": "a"]) }
    await #expect(throws: StoreError(.unbalancedWrite)) {
      try await bed.coder.upload { _ in
        try store.beginWrite()
        store.object(EditOrder.self, key: -1)?.note = "b"
        return .confirmed
      }
    }
    #expect(!store.isInWriteTransaction)
    #expect(store.object(EditOrder.self, key: -1)?.note == "a")
    #expect(try store.takeEdit()?.kind == .created)
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
    let summary = try await bed.coder.upload(EditOrder.self) { edit in
      sent.append("\(edit.key)")
      return .confirmed
    }
    #expect(sent == ["-2", "-3"])
    #expect(summary.confirmed == 2 && summary.postponed == 1)
  }

  @Test func `each outcome settles its edit`() async throws {
    try bed.orders((1...5).map { #"{"id":\#($0),"note":"a"}"# }.joined(separator: ",").wrapped)
    try store.write { for order in store.objects(EditOrder.self) { order.note = "b" } }
    let outcomes: [String: Edit.Outcome] = [
      "1": .confirmed, "2": .rejected(Edit.Rejection(general: ["no"])), "3": .reverted, "4": .gone,
      "5": .later,
    ]
    let summary = try await bed.coder.upload { outcomes["\($0.key)"] ?? .later }
    #expect(summary.confirmed == 1)
    #expect(summary.rejected == 1)
    #expect(summary.reverted == 1)
    #expect(summary.gone.map(\.key) == [.int(4)])
    #expect(summary.postponed == 1)
    let states = store.objects(EditOrder.self).map { "\($0.id) \($0.note ?? "") \($0.editState)" }
    #expect(states == ["1 b clean", "2 b rejected", "3 a clean", "4 b rejected", "5 b edited"])
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

  @Test func `an edit that cannot be encoded, or its response decoded, does not stop the others`()
    async throws
  {
    try bed.orders((1...4).map { #"{"id":\#($0)}"# }.joined(separator: ",").wrapped)
    try store.write {
      for order in store.objects(EditOrder.self) { order.note = "b" }
      let order = try #require(store.object(ofType: EditOrder.self, forPrimaryKey: 2))
      order.extra = .object(["a": .null])
    }
    var sent: [String] = []
    let error = await #expect(throws: StoreCodingError.self) {
      try await bed.coder.upload { edit in
        _ = try bed.coder.encode(edit, as: .mergePatch)
        sent.append(edit.keyText)
        return .confirmed(edit.key == .int(1) ? Data(#"{"id":1,"count":"x"}"#.utf8) : nil)
      }
    }
    #expect(
      error?.description
        == #"count (EditOrder.count, id 1): expected Int, found string "x" at line 1, column 17"#)
    #expect(sent == ["1", "3", "4"])
    #expect(try store.pendingEdits().map(\.keyText) == ["1", "2"])
    #expect(try store.takeEdits().count == 2)
  }

  @Test func `an object that changes during each request does not keep the upload from ending`()
    async throws
  {
    let order = try bed.order(#"{"id":7}"#)
    try store.write { order.count = 1 }
    let summary = try await bed.coder.upload { _ in
      try store.write { order.count += 1 }
      return .confirmed
    }
    #expect(summary.confirmed == 8)
    #expect(summary.postponed == 1)
    #expect(order.count == 9)
  }

  @Test func `edits are taken one by one after those that they wait for`() throws {
    try store.write {
      let customer = try store.create(EditCustomer.self, value: ["id": -5])
      let order = try store.create(EditOrder.self, value: ["id": -1])
      order.customer = customer
      let other = try store.create(EditOrder.self, value: ["id": -2])
      order.related.append(other)
      other.related.append(order)
    }
    func take() throws -> Edit? { try store.takeEdit() }
    let customer = try #require(try take())
    #expect(customer.keyText == "-5")
    try bed.coder.settle(customer, .confirmed(Data(#"{"id":5}"#.utf8)))
    // The orders link to each other: the first one is sent without its link.
    let second = try #require(try take())
    #expect(second.keyText == "-2")
    #expect(!second.attributes.contains("related"))
    #expect(try take() == nil)
    try bed.coder.settle(second, .confirmed(Data(#"{"id":2}"#.utf8)))
    let first = try #require(try take())
    #expect(first.keyText == "-1")
    #expect(first.value(of: "customer") == .int(5))
    #expect(first.value(of: "related") == .array([.int(2)]))
    #expect(try take() == nil)
    try bed.coder.settle(first, .confirmed(Data(#"{"id":1}"#.utf8)))
    let links = try #require(try take())
    #expect(links.description == "edited EditOrder 2: related [] → [1]")
    try store.settle(links, .rejected(Edit.Rejection(general: ["no"])))
    #expect(try take() == nil)
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

  @Test func `a response with the key of another object confirms no change`() async throws {
    try bed.orders(#"[{"id":7,"note":"a"},{"id":8,"note":"c"}]"#)
    let order = try #require(store.object(ofType: EditOrder.self, forPrimaryKey: 7))
    try store.write { order.note = "b" }
    for response in [#"{"id":5001,"note":"queued"}"#, #"{"id":8,"note":"queued"}"#] {
      let error = await #expect(throws: StoreCodingError.self) {
        try await bed.coder.upload { _ in .confirmed(Data(response.utf8)) }
      }
      #expect(error.map { "\($0)" }?.contains("expected 7, the key of the call") == true)
    }
    #expect(order.note == "b" && order.editState == .edited)
    #expect(store.objects(EditOrder.self).map { $0.note ?? "" } == ["b", "c"])
  }

  @Test func `a response with the key of another object confirms no change of a deleted object`()
    async throws
  {
    try bed.orders(#"[{"id":7,"note":"a"},{"id":8,"note":"c"}]"#)
    let order = try #require(store.object(ofType: EditOrder.self, forPrimaryKey: 7))
    try store.write { order.note = "b" }
    let error = await #expect(throws: StoreCodingError.self) {
      try await bed.coder.upload { edit in
        if edit.kind == .deleted { return .unapplied }
        try store.write { store.delete(order) }
        return .confirmed(Data(#"{"id":8,"note":"queued"}"#.utf8))
      }
    }
    #expect(error.map { "\($0)" }?.contains("expected 7, the key of the call") == true)
    #expect(store.objects(EditOrder.self).map { $0.note ?? "" } == ["c"])
    #expect(try store.pendingEdits().map(\.kind) == [.deleted])
  }

  @Test(arguments: ["", " ", "\r\n\t"])
  func `a response that is empty or white space confirms an edit`(_ response: String) async throws {
    try store.write { try store.create(EditOrder.self, value: ["id": 7, "note": "a"]) }
    let summary = try await bed.coder.upload { _ in .confirmed(Data(response.utf8)) }
    #expect(try summary.confirmed == 1 && store.pendingEdits().isEmpty)
  }

  @Test func `an object that is deleted while others are sent is deleted last`() async throws {
    try bed.orders(#"[{"id":1},{"id":2},{"id":3}]"#)
    try store.write { for order in store.objects(EditOrder.self) { order.note = "b" } }
    var sent: [String] = []
    try await bed.coder.upload { edit in
      sent.append("\(edit.kind) \(edit.keyText)")
      if sent.count == 1 {
        try store.write {
          store.delete(try #require(store.object(ofType: EditOrder.self, forPrimaryKey: 2)))
        }
      }
      return .confirmed
    }
    #expect(sent == ["edited 1", "edited 3", "deleted 2"])
  }

  @Test func `edits that end while others are taken are not offered`() throws {
    try bed.orders((1...5).map { #"{"id":\#($0),"count":1}"# }.joined(separator: ",").wrapped)
    try store.write { for order in store.objects(EditOrder.self) { order.count = 2 } }
    for _ in 0..<2 { try store.settle(try #require(try store.takeEdit()), .confirmed) }
    try store.write { store.deleteAll() }
    try bed.orders(#"[{"id":3,"count":99},{"id":4,"count":99}]"#)
    #expect(try store.takeEdit() == nil)
  }

  @Test func `an edit is taken inside the write that makes it, and others after it`() throws {
    try bed.orders((1...5).map { #"{"id":\#($0)}"# }.joined(separator: ",").wrapped)
    func order(_ id: Int) throws -> EditOrder {
      try #require(store.object(ofType: EditOrder.self, forPrimaryKey: id))
    }
    try store.write { for id in 1...2 { try order(id).count = 2 } }
    while let edit = try store.takeEdit() { try store.settle(edit, .confirmed) }
    let inside = try store.write {
      try order(3).count = 2
      return try store.takeEdit()
    }
    #expect(inside?.keyText == "3")
    let first = try store.write {
      let edit = try store.takeEdit()
      try order(4).count = 2
      return edit
    }
    #expect(try first == nil && store.takeEdit()?.keyText == "4")
  }

  @Test func `an upload of a store that has not advanced sends the newest edits`() async throws {
    let store = store
    let configuration = store.configuration
    let sent = try await Task.detached {
      // Without isolation, a store advances only when it is asked to.
      let editing = try Store(configuration: configuration, isolation: nil)
      let uploading = try Store(configuration: configuration, isolation: nil)
      let coder = StoreCoder(store: uploading)
      var sent: [String] = []
      for id in 1...3 {
        try editing.write { try editing.create(EditOrder.self, value: ["id": .int(Int64(id))]) }
        #expect(try uploading.pendingEdits().map(\.keyText).last == "\(id)")
        try await coder.upload {
          sent.append($0.keyText)
          return .confirmed
        }
        try editing.write { try editing.create(EditOrder.self, value: ["id": .int(Int64(-id))]) }
        let order = editing.object(ofType: EditOrder.self, forPrimaryKey: -id)
        #expect(order?.editState == .created)
        sent += try uploading.takeEdits().map(\.keyText)
      }
      return sent
    }.value
    #expect(sent == ["1", "-1", "2", "-2", "3", "-3"])
  }

}

extension String {
  fileprivate var wrapped: String { "[\(self)]" }
}

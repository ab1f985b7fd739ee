import Foundation
import ObjectStore
import StoreCoding
import TestSupport
import Testing

private enum Article {
  final class Customer: Object {
    @Persisted(primaryKey: true) var id: Int
  }

  final class Order: Object {
    @Persisted(primaryKey: true) var id: Int
    @Persisted var note: String?
    @Persisted var total = 0.0
    @Persisted var customer: Customer?
    override class var tracksEdits: Bool { true }
  }
}

/// A client whose server accepts everything except orders with negative totals.
private final class Client {
  struct Response {
    let status: Int
    let body: Data
  }

  var sent: [String] = []
  /// Runs after the server has made a response and before it arrives.
  var beforeResponse: () throws -> Void = {}

  func get(_ path: String) async throws -> Data {
    try beforeResponse()
    return Data(#"[{"id":7,"note":"a"}]"#.utf8)
  }

  func send(_ kind: Edit.Kind, _ path: [String], _ body: Data) async throws -> Response {
    let body = String(decoding: body, as: UTF8.self)
    sent.append("\(kind) \(path.joined(separator: "/")) \(body)")
    if body.contains(#""total":-1"#) {
      return Response(status: 422, body: Data(#"{"errors":{"total":["is negative"]}}"#.utf8))
    }
    return Response(status: 200, body: Data(kind == .created ? #"{"id":44}"#.utf8 : "".utf8))
  }

  func send(_ edit: Edit, _ body: Data) async throws -> Response {
    try await send(edit.kind, [], body)
  }
}

@Suite struct `The article Edits` {
  private typealias Order = Article.Order
  private let store: Store
  private let coder: StoreCoder

  init() throws {
    coder = try makeCoder()
    store = coder.store
  }

  private func printed(_ body: ((String) -> Void) throws -> Void) rethrows -> [String] {
    var lines: [String] = []
    try body { lines.append($0) }
    return lines
  }

  @Test func `an edit survives a refresh and is reverted`() throws {
    let lines = try printed { note in
      func print(_ items: Any...) { note(items.map { "\($0)" }.joined(separator: " ")) }
      let order = try coder.decode(Order.self, from: Data(#"{"id":7,"note":"a","total":12}"#.utf8))
      try store.write { order.note = "no onions" }
      try coder.decode(Order.self, from: Data(#"{"id":7,"note":"a","total":13}"#.utf8))
      print(order.note ?? "", order.total, order.editState)  // no onions 13.0 edited
      try store.revertEdits(of: order)
      print(order.note ?? "", order.editState)  // a clean
    }
    #expect(lines == ["no onions 13.0 edited", "a clean"])
  }

  @Test func `an upload settles each edit`() async throws {
    let client = Client()
    try coder.decodeArray(Order.self, from: Data(#"[{"id":7},{"id":8}]"#.utf8))
    try store.write {
      for order in store.objects(Order.self) {
        order.note = "b"
        if order.id == 8 { order.total = -1 }
      }
      try store.create(Order.self, value: ["id": -1])
    }
    let summary = try await coder.upload(Order.self) { edit in
      let isNew = edit.kind == .created
      let path = isNew ? ["orders"] : ["orders", edit.keyText]
      let body = try coder.encode(edit, as: .mergePatch, includesKey: !isNew)
      let response = try await client.send(edit.kind, path, body)
      switch response.status {
      case 200..<300: return .confirmed(response.body)
      case 404, 410: return .gone  // the object and its edits stay
      case 400, 422: return .rejected(coder.rejection(of: edit, in: response.body))
      case 408, 500...: return .later  // the server may have applied it
      default: return .unapplied  // 401, 403, 409, 412, 429: it has not
      }
    }
    print(summary.confirmed, summary.postponed)
    #expect(summary.confirmed == 2)
    #expect(summary.rejected == 1)
    #expect(
      client.sent == [
        #"created orders {"total":0}"#, #"edited orders/7 {"note":"b"}"#,
        #"edited orders/8 {"note":"b","total":-1}"#,
      ])
    #expect(store.objects(Order.self).map(\.id).sorted() == [7, 8, 44])
    let badge = store.objects(Order.self).edited.count
    let refused = store.objects(Order.self).rejected.first?.rejection?.description
    let large = try store.objects(Order.self).filter("@edited AND total > 100")
    let all = try store.pendingEdits()  // also deletions
    #expect(badge == 1)
    #expect(refused == "total: is negative")
    #expect(large.isEmpty)
    #expect(all.count == 1)
  }

  @Test func `edits are taken and confirmed one by one`() async throws {
    let client = Client()
    let order = try coder.decode(Order.self, from: Data(#"{"id":7}"#.utf8))
    try store.write { order.note = "b" }
    while let edit = try store.takeEdit() {
      do {
        let response = try await client.send(edit, try coder.encode(edit))
        try coder.settle(edit, .confirmed(response.body))
      } catch {
        try coder.settle(edit, .later)
        throw error
      }
    }
    #expect(order.editState == .clean)
  }

  @Test func `a conflict is resolved by the configuration`() throws {
    let order = try coder.decode(Order.self, from: Data(#"{"id":7,"note":"a","total":1}"#.utf8))
    try store.write { (order.note, order.total) = ("b", 2) }
    var configuration = CodingConfiguration()
    configuration.resolveConflict = { conflict in
      switch conflict.attribute {
      case "total": .server
      case nil where conflict.isDeletedLocally: .server  // changed by others: it comes back
      case nil: .server  // deleted on the server; .local creates it again, .keep rejects the edits
      default: .keep
      }
    }
    let coder = StoreCoder(store: store, configuration: configuration)
    try coder.decode(Order.self, from: Data(#"{"id":7,"note":"c","total":3}"#.utf8))
    #expect(order.note == "b")
    #expect(order.total == 3)
  }

  @Test func `the fresh state of an edit's object shows whether it conflicts`() throws {
    try coder.decode(Order.self, from: Data(#"{"id":7,"note":"a","total":1}"#.utf8))
    try store.write { store.objects(Order.self).first?.note = "b" }
    let edit = try #require(try store.takeEdit())
    func outcome(_ fresh: Data) throws -> Edit.Outcome {
      let conflicts = try coder.decode(edit, from: fresh)
      return conflicts.isEmpty ? .unapplied : .rejected(Edit.Rejection(conflicts))
    }
    guard case .unapplied = try outcome(Data(#"{"id":7,"note":"a","total":2}"#.utf8)) else {
      Issue.record("another attribute conflicts")
      return
    }
    guard case .rejected(let rejection) = try outcome(Data(#"{"id":7,"note":"c"}"#.utf8)) else {
      Issue.record("another value does not conflict")
      return
    }
    #expect(rejection[\Order.note] == [#"is now "c" on the server"#])
  }

  @Test func `a late response does not undo an edit`() async throws {
    let client = Client()
    let order = try coder.decode(Order.self, from: Data(#"{"id":7,"note":"a"}"#.utf8))
    try store.write { order.note = "b" }
    let edit = try #require(try store.takeEdit(of: order))
    client.beforeResponse = { [store] in try store.settle(edit, .confirmed) }
    let requested = store.holdVersion()
    let data = try await client.get("/orders")
    let result = try coder.read([Order].self, from: data, asOf: requested)
    #expect(result.objects == [order])
    #expect(order.note == "b")
  }

  @Test func `a created object gets the server's key`() throws {
    let lines = try printed { note in
      func print(_ items: Any...) { note(items.map { "\($0)" }.joined(separator: " ")) }
      let order = try store.write { try store.create(Order.self, value: ["id": -1, "note": "b"]) }
      let edit = try store.takeEdit(of: order)!
      try coder.settle(edit, .confirmed(Data(#"{"id":44,"note":"b"}"#.utf8)))
      print(order.id, order.editState)  // 44 clean
    }
    #expect(lines == ["44 clean"])
  }
}

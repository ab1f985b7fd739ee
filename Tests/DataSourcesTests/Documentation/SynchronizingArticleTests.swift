import DataSources
import Foundation
import ObjectStore
import StoreCoding
import Testing

private enum Shop {
  final class Line: Object {
    @Persisted(primaryKey: true) var id: Int
    @Persisted var count = 0
  }

  final class Order: Object {
    @Persisted(primaryKey: true) var id: Int
    @Persisted var title = ""
    @Persisted var note: String?
    @Persisted var isOpen = true
    @Persisted var lines: List<Line>
    /// The ETag of the state that the server sent last.
    @Persisted(.local) var tag: String?
  }
}

private typealias Order = Shop.Order
private typealias Line = Shop.Line

private enum ClientError: Error {
  case status(Int), conflict, rejected(Edit.Rejection)
}

@MainActor private final class Client {
  let store: Store
  let coder: StoreCoder
  let server = URL(filePath: "/api")
  let transport: any Transport

  init(_ store: Store, _ transport: any Transport) {
    self.store = store
    self.transport = transport
    coder = StoreCoder(store: store)
  }

  func send(
    _ method: NetworkRequest.Method, _ path: String, _ body: Data? = nil,
    _ headers: NetworkResponse.Headers = [:]
  ) async throws -> NetworkResponse {
    let url = server.appending(path: path)
    return try await transport.send(NetworkRequest(method, url, headers: headers, body: body))
  }

  func refreshList() async throws {
    let list = try coder.pages(of: Order.self, complete: .where { $0.id > 0 })
    let response = try await send(.get, "orders")
    guard response.status == 200 else { throw ClientError.status(response.status) }
    try store.write {
      try list.read(response.body)
      _ = try list.finish()
    }
  }

  func refreshInPages() async throws {
    let pages = try coder.pages(
      of: Order.self, at: "items", complete: .where { $0.isOpen && $0.id > 0 },
      missing: .update([\.isOpen <- false]))
    var path: String? = "pages/1"
    while let next = path {
      let response = try await send(.get, next)
      guard response.status == 200 else { throw ClientError.status(response.status) }
      path = try pages.read(response.body).metadata("next")?.stringValue
    }
    let closed = try pages.finish()
    print("\(closed) orders are no longer open")
  }

  func refreshDetail(_ id: Int) async throws {
    let response = try await send(.get, "orders/\(id)")
    try store.write {
      switch response.status {
      case 200:
        let order = try coder.decode(Order.self, from: response.body, key: id)
        try store.update(order, \.tag <- response.headers["ETag"])
      case 404, 410:
        if let order = store.object(ofType: Order.self, forPrimaryKey: id) { store.delete(order) }
      default: throw ClientError.status(response.status)
      }
    }
  }

  func refreshLines(of order: Order) async throws {
    let response = try await send(.get, "orders/\(order.id)/lines")
    guard response.status == 200 else { throw ClientError.status(response.status) }
    if order.isInvalidated { return }
    try coder.read(
      [Line].self, from: response.body, complete: .of(order, \.lines),
      guard: ListGuard(allowsEmpty: true))
  }

  func review(_ data: Data) throws -> Bool {
    let plan = try coder.plan([Order].self, from: data, complete: .all)
    print(plan)
    if plan.changes.deleted > 100 { return false }
    try plan.apply()
    return true
  }

  func edit(_ order: Order, _ change: (Order) throws -> Void) async throws {
    let before = order.frozen()
    try store.write { try change(order) }
    let edited = order.frozen()
    guard let body = try coder.patch(from: before, to: edited, as: .mergePatch) else { return }
    do {
      try await send(body, for: order, tag: before.tag)
    } catch {
      try revert(order, from: edited, to: before)
      throw error
    }
  }

  func send(_ patch: Data, for order: Order, tag: String?) async throws {
    var headers: NetworkResponse.Headers = [
      "Content-Type": StoreCoder.BodyFormat.mergePatch.contentType
    ]
    headers["If-Match"] = tag
    let response = try await send(.patch, "orders/\(order.id)", patch, headers)
    switch response.status {
    case 200..<300: break
    case 412: throw ClientError.conflict
    case 400, 409, 422:
      throw ClientError.rejected(coder.rejection(of: Order.self, in: response.body))
    default: throw ClientError.status(response.status)
    }
    if order.isInvalidated { return }
    try store.write {
      // A response without content, such as 204, changes nothing.
      if !response.body.isEmpty {
        try coder.decode(Order.self, from: response.body, key: order.id)
      }
      if let tag = response.headers["ETag"] { try store.update(order, \.tag <- tag) }
    }
  }

  func revert(_ order: Order, from edited: Frozen<Order>, to before: Frozen<Order>) throws {
    if order.isInvalidated { return }
    guard let body = try coder.patch(from: edited, to: before) else { return }
    try coder.decode(Order.self, from: body, at: "")
  }

  func create(_ title: String) async throws -> Order {
    let temporary = min(0, store.objects(Order.self).min(of: \.id) ?? 0) - 1
    let order = try store.write {
      try store.create(Order.self, value: ["id": .init(temporary), "title": .init(title)])
    }
    let body = try coder.encode(order, only: \.title, includesKey: false)
    let response = try await send(.post, "orders", body)
    guard response.status == 201 else { throw ClientError.status(response.status) }
    try store.write {
      let values = try coder.updateDictionary(for: Order.self, from: response.body)
      guard case .int(let id)? = values["id"] else { throw ClientError.status(response.status) }
      // A list that was read meanwhile may already contain the order.
      if let read = store.object(ofType: Order.self, forPrimaryKey: Int(id)) { store.delete(read) }
      try store.rekey(order, to: Int(id))
      try coder.decode(Order.self, from: response.body)
    }
    return order
  }

  func delete(_ order: Order) async throws {
    let response = try await send(.delete, "orders/\(order.id)")
    guard [200, 202, 204, 404, 410].contains(response.status) else {
      throw ClientError.status(response.status)
    }
    if !order.isInvalidated { try store.write { store.delete(order) } }
  }
}

/// A server whose responses are scripted by method and path. It records the requests.
private actor ScriptedServer: Transport {
  private var responses: [String: NetworkResponse] = [:]
  /// Called when a request arrives.
  private var actions: [String: @MainActor @Sendable () -> Void] = [:]
  private(set) var requests: [NetworkRequest] = []

  func respond(
    to request: String, _ body: String = "", status: Int = 200,
    headers: NetworkResponse.Headers = [:],
    action: (@MainActor @Sendable () -> Void)? = nil
  ) {
    actions[request] = action
    responses[request] = NetworkResponse(status: status, headers: headers, body: Data(body.utf8))
  }

  func send(_ request: NetworkRequest) async -> NetworkResponse {
    requests.append(request)
    let name =
      "\(request.method.rawValue) \(request.url.path.replacing("/api/", with: ""))"
    await actions[name]?()
    return responses[name] ?? NetworkResponse(status: 404)
  }

  /// The last request: its method, path, body and `If-Match`.
  var last: String {
    guard let request = requests.last else { return "–" }
    let body = request.body.map { String(decoding: $0, as: UTF8.self) } ?? ""
    let parts = [
      request.method.rawValue, request.url.path, body, request.headers["If-Match"] ?? "",
    ]
    return parts.filter { !$0.isEmpty }.joined(separator: " ")
  }
}

/// The code of the article Synchronizing with a REST server.
@MainActor @Suite struct `The article Synchronizing` {
  private let server = ScriptedServer()
  private let client: Client
  private var store: Store { client.store }

  init() throws {
    client = Client(try Store(configuration: .inMemory()), server)
    try client.coder.decodeArray(
      Order.self,
      from: Data(
        #"""
        [{"id":4,"title":"four","isOpen":false},{"id":7,"title":"seven","note":"a",
          "lines":[{"id":1},{"id":2}]},{"id":8,"title":"eight"}]
        """#.utf8))
  }

  private var ids: [Int] { store.objects(Order.self).map(\.id) }

  private var seven: Order {
    get throws { try #require(store.object(ofType: Order.self, forPrimaryKey: 7)) }
  }

  @Test func `a list removes what the server no longer has and keeps details`() async throws {
    await server.respond(to: "GET orders", #"[{"id":7,"title":"VII"},{"id":9,"title":"nine"}]"#)
    try await client.refreshList()
    #expect(ids == [7, 9])
    #expect(try seven.note == "a")
    #expect(try seven.title == "VII")
  }

  @Test func `pages remove objects of their scope at the end`() async throws {
    await server.respond(to: "GET pages/1", #"{"items":[{"id":8}],"next":"pages/2"}"#)
    await server.respond(to: "GET pages/2", #"{"items":[{"id":9}],"next":null}"#)
    try await client.refreshInPages()
    #expect(store.objects(Order.self).where { $0.isOpen }.map(\.id) == [8, 9])
    await server.respond(to: "GET pages/2", status: 500)
    await #expect(throws: ClientError.self) { try await client.refreshInPages() }
    #expect(store.objects(Order.self).where { $0.isOpen }.map(\.id) == [8, 9])
  }

  @Test func `an order created during the request of a list stays`() async throws {
    await server.respond(to: "GET orders", #"[{"id":7}]"#) { [client] in
      _ = try? client.coder.decode(Order.self, from: Data(#"{"id":9}"#.utf8))
    }
    try await client.refreshList()
    #expect(ids == [7, 9])
  }

  @Test func `a detail adds attributes, and a missing one is deleted`() async throws {
    await server.respond(to: "GET orders/8", #"{"note":"late"}"#, headers: ["ETag": "v1"])
    try await client.refreshDetail(8)
    let order = try #require(store.object(ofType: Order.self, forPrimaryKey: 8))
    #expect((order.title, order.note, order.tag) == ("eight", "late", "v1"))
    try await client.refreshDetail(7)
    #expect(ids == [4, 8])
  }

  @Test func `a list of children becomes what the server says`() async throws {
    await server.respond(to: "GET orders/7/lines", #"[{"id":3,"count":2},{"id":1}]"#)
    try await client.refreshLines(of: seven)
    #expect(try seven.lines.map(\.id) == [3, 1])
    #expect(store.objects(Line.self).map(\.id) == [1, 3])
    await server.respond(to: "GET orders/7/lines", "[]")
    try await client.refreshLines(of: seven)
    #expect(store.objects(Line.self).isEmpty)
  }

  @Test func `a plan shows a change before it is made`() throws {
    #expect(try client.review(Data(#"[{"id":7},{"id":8}]"#.utf8)))
    #expect(ids == [7, 8])
  }

  @Test func `an edit sends what changed and the tag of the state that it changes`() async throws {
    let order = try seven
    try store.write { order.tag = "v1" }
    await server.respond(
      to: "PATCH orders/7", #"{"id":7,"note":"b","title":"Seven"}"#, headers: ["ETag": "v2"])
    try await client.edit(order) { $0.note = "b" }
    #expect(await server.last == #"PATCH /api/orders/7 {"note":"b"} v1"#)
    #expect((order.title, order.note, order.tag) == ("Seven", "b", "v2"))
    await server.respond(to: "PATCH orders/7", status: 204)
    try await client.edit(order) { $0.note = nil }
    #expect(await server.last == #"PATCH /api/orders/7 {"note":null} v2"#)
    #expect(order.note == nil)
    try await client.edit(order) { _ in }
    #expect(await server.requests.count == 2)
  }

  @Test func `a rejected edit is reverted, and its messages are those of attributes`() async throws
  {
    await server.respond(
      to: "PATCH orders/7", #"{"errors":{"title":["must not be empty"]}}"#, status: 422)
    let order = try seven
    var titleMessage: String?
    do {
      try await client.edit(order) { $0.title = "" }
    } catch ClientError.rejected(let rejection) {
      titleMessage = rejection[\Order.title].first
    }
    #expect(titleMessage == "must not be empty")
    #expect(order.title == "seven")
    await server.respond(to: "PATCH orders/7", status: 500)
    await #expect(throws: ClientError.self) { try await client.edit(order) { $0.note = nil } }
    #expect(order.note == "a")
  }

  @Test func `an edit of an old state is refused, and the new state is read`() async throws {
    await server.respond(to: "PATCH orders/7", status: 412)
    await server.respond(to: "GET orders/7", #"{"note":"theirs"}"#, headers: ["ETag": "v9"])
    let order = try seven
    do {
      try await client.edit(order) { $0.note = "mine" }
    } catch ClientError.conflict {
      try await client.refreshDetail(order.id)
    }
    #expect((order.note, order.tag) == ("theirs", "v9"))
  }

  @Test func `a new object gets the key of the server`() async throws {
    await server.respond(to: "POST orders", #"{"id":12,"title":"new","isOpen":true}"#, status: 201)
    let order = try await client.create("new")
    #expect(await server.last == #"POST /api/orders {"title":"new"}"#)
    #expect(order.id == 12)
    #expect(ids == [4, 7, 8, 12])
    await server.respond(
      to: "POST orders", #"{"id":12,"title":"again","isOpen":true}"#, status: 201)
    let again = try await client.create("again")
    #expect((order.isInvalidated, again.id, again.title) == (true, 12, "again"))
  }

  @Test func `a deletion is complete if the server lacks the object`() async throws {
    try await client.delete(seven)
    #expect(ids == [4, 8])
    await server.respond(to: "DELETE orders/8", status: 500)
    let eight = try #require(store.object(ofType: Order.self, forPrimaryKey: 8))
    await #expect(throws: ClientError.self) { try await client.delete(eight) }
    #expect(ids == [4, 8])
  }
}

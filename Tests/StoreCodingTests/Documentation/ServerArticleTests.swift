import Foundation
import ObjectStore
import StoreCoding
import TestSupport
import Testing

/// The code of the article On a server.
@Suite struct `The article On a server` {
  final class Order: Object {
    @Persisted(primaryKey: true) var id: Int
    @Persisted var customer = ""
    @Persisted(indexed: true) var total = 0.0
    @Persisted var note: String?
  }

  /// A request, as the HTTP framework delivers it.
  struct Request: Sendable {
    var method = "GET"
    var path: [String]
    var query: [String: String] = [:]
    var body = Data()
  }

  struct Response: Sendable {
    var status: Int
    var body: Data

    init(_ status: Int, _ body: Data = Data()) {
      self.status = status
      self.body = body
    }

    init(_ status: Int, problem: any Error) throws {
      self.init(status, try JSONEncoder().encode(["detail": "\(problem)"]))
    }
  }

  /// Responds to requests. The services of one configuration share one store.
  actor OrderService {
    private let store: Store
    private let coder: StoreCoder

    init(_ configuration: StoreConfiguration) throws {
      store = try Store(configuration: configuration)
      coder = StoreCoder(store: store)
      try coder.check(Order.self)
    }

    func respond(to request: Request) async throws -> Response {
      store.follow()  // has an effect once: the `init` of an actor has no actor to follow
      store.refresh()  // shows the commits of the other services
      do {
        switch (request.path.first, request.path.count) {
        case ("orders", 1): return try await respondWithList(to: request)
        case ("orders", 2):
          guard let id = Int(request.path[1]) else { return Response(404) }
          return try await respond(to: request, about: id)
        default: return Response(404)
        }
      } catch let error as StoreCodingError {
        return try Response(422, problem: error)  // the position, the expected and the found value
      }
    }

    private func respondWithList(to request: Request) async throws -> Response {
      switch request.method {
      case "GET":
        let minimum = request.query["minimum"].flatMap(Double.init) ?? 0
        let limit = request.query["limit"].flatMap(Int.init) ?? 100
        let orders = store.objects(Order.self).where { $0.total >= minimum }.limit(limit)
        return Response(200, try coder.encodeArray(orders))
      case "POST":
        let result = try await store.asyncWrite {
          try coder.read([Order].self, from: request.body)  // one transaction: all or nothing
        }
        let counts = ["inserted": result.inserted, "updated": result.updated]
        return Response(200, try JSONEncoder().encode(counts))
      default: return Response(405)
      }
    }

    private func respond(to request: Request, about id: Int) async throws -> Response {
      // Other requests run while this one waits for the writer lock: look up objects inside the block.
      switch request.method {
      case "GET":
        guard let order = store.object(ofType: Order.self, forPrimaryKey: id) else {
          return Response(404)
        }
        return Response(200, try coder.encode(order))
      case "PATCH":  // absent attributes are unchanged, null clears
        return try await store.asyncWrite {
          guard store.object(ofType: Order.self, forPrimaryKey: id) != nil else {
            return Response(404)
          }
          let order = try coder.decode(Order.self, from: request.body, key: id)
          return Response(200, try coder.encode(order))
        }
      case "DELETE":
        return try await store.asyncWrite {
          guard let order = store.object(ofType: Order.self, forPrimaryKey: id) else {
            return Response(404)
          }
          store.delete(order)
          return Response(204)
        }
      default: return Response(405)
      }
    }

    func shutDown() async throws {
      try await store.flush()
    }
  }

  private let folder: TemporaryFolder
  private let configuration: StoreConfiguration

  init() throws {
    folder = try TemporaryFolder()
    let url = folder.file("orders.store")
    let configuration = StoreConfiguration.file(url, durability: .full, classes: [Order.self])
    self.configuration = configuration
  }

  private static func data(_ json: String) -> Data { Data(json.utf8) }

  @Test func `services respond with the statuses and bodies that the article promises`()
    async throws
  {
    let service = try OrderService(configuration)
    let other = try OrderService(configuration)
    let orders = Self.data(#"[{"id":7,"customer":"Jo","total":12.5},{"id":8,"total":3}]"#)
    let post = Request(method: "POST", path: ["orders"], body: orders)
    #expect(try await service.respond(to: post).status == 200)

    let list = try await other.respond(to: Request(path: ["orders"], query: ["minimum": "10"]))
    #expect(list.body == Self.data(#"[{"id":7,"customer":"Jo","total":12.5}]"#))

    let note = Self.data(#"{"note":"late","total":13}"#)
    let patch = Request(method: "PATCH", path: ["orders", "7"], body: note)
    let patched = try await other.respond(to: patch)
    #expect(patched.body == Self.data(#"{"id":7,"customer":"Jo","total":13,"note":"late"}"#))

    let wrong = Request(method: "PATCH", path: ["orders", "7"], body: Self.data(#"{"total":"x"}"#))
    let refused = try await service.respond(to: wrong)
    #expect(refused.status == 422)
    #expect(String(decoding: refused.body, as: UTF8.self).contains("expected Double"))

    let deletion = Request(method: "DELETE", path: ["orders", "8"])
    #expect(try await service.respond(to: deletion).status == 204)
    for request in [
      Request(path: ["orders", "8"]), Request(path: ["orders", "x"]), Request(path: []),
      Request(method: "PATCH", path: ["orders", "9"], body: note),
      Request(method: "DELETE", path: ["orders", "9"]),
    ] {
      #expect(try await other.respond(to: request).status == 404)
    }
    #expect(try await other.respond(to: Request(method: "PUT", path: ["orders"])).status == 405)
    try await service.shutDown()
  }

  @Test func `concurrent requests of several services lose no write`() async throws {
    let services = try (0..<4).map { _ in try OrderService(configuration) }
    try await withThrowingTaskGroup(of: Int.self) { group in
      for id in 0..<200 {
        let body = Data(#"[{"id":\#(id),"total":\#(id)}]"#.utf8)
        let request = Request(method: "POST", path: ["orders"], body: body)
        let service = services[id % services.count]
        group.addTask { try await service.respond(to: request).status }
      }
      for try await status in group { #expect(status == 200) }
    }
    let list = try await services[0].respond(
      to: Request(path: ["orders"], query: ["limit": "1000"]))
    #expect(try JSONDecoder().decode([JSONValue].self, from: list.body).count == 200)
  }
}

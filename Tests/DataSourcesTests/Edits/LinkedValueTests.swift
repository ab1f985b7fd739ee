import DataSources
import Foundation
import LoopbackServer
import ObjectStore
import TestSupport
import Testing

private enum Linked {
  final class TeamObject: Object {
    @Persisted(primaryKey: true) var id: Int
    @Persisted var name = ""
    @Persisted var parent: TeamObject?
    override class var tracksEdits: Bool { true }
  }

  /// A team with its parent as the id, or as a new team.
  struct Team: Codable, Hashable, Sendable {
    var id = 0
    var name = ""
    var parent: Int?
    var newParent: Int?
  }
}

private typealias TeamObject = Linked.TeamObject
private typealias Team = Linked.Team

/// A transport that runs a closure before each request.
private struct InterruptedTransport: Transport {
  let server: ResourceServer
  let interrupt: @Sendable () throws -> Void

  func send(_ request: NetworkRequest) async throws -> NetworkResponse {
    try interrupt()
    return try await server.send(request)
  }
}

@Suite struct `Values with links in a cache that tracks edits` {
  private let store: Store
  private let server = ResourceServer(ResourceCollection("teams", ids: .assigned))
  private let repository:
    CacheRepository<NetworkDataSource<Team>, StoreDataSource<Team, TeamObject>>

  init() throws {
    store = try Store(configuration: .inMemory(identifier: "teams-\(UUID())"), isolation: nil)
    repository = try Self.repository(store, server)
  }

  private static func repository(
    _ store: Store, _ transport: some Transport
  ) throws -> CacheRepository<NetworkDataSource<Team>, StoreDataSource<Team, TeamObject>> {
    let cache = StoreDataSource(
      store: store,
      toEntityMapper: Mapper<TeamObject, Team> {
        Team(id: $0.id, name: $0.name, parent: $0.parent?.id)
      },
      toObjectMapper: StoreMapper<Team, TeamObject> { team, store in
        let object = TeamObject()
        (object.id, object.name) = (team.id, team.name)
        object.parent = team.parent.flatMap {
          store.object(ofType: TeamObject.self, forPrimaryKey: $0)
        }
        if let key = team.newParent {
          object.parent = TeamObject()
          object.parent?.id = key
        }
        return object
      })
    let network = NetworkDataSource<Team>(
      base: try #require(URL(string: "http://server/api/")), transport: transport,
      routes: [
        .put(VoidQuery.self, by: .post) { _ in "teams" },
        .put(IdQuery<Int>.self) { "teams/\($0.id)" },
        .put(ChangesQuery<Int, Team>.self, by: .patch) { "teams/\($0.id)" },
      ], coding: .json(), retry: .never)
    return CacheRepository(main: network, cache: cache)
  }

  private var pending: [String] {
    store.refresh()
    let edits = (try? store.pendingEdits()) ?? []
    return edits.map {
      "\($0.kind) \($0.keyText)\($0.isInFlight ? " in flight" : "")"
    }
  }

  @Test func `a value that links to a local creation is not sent, and stays for an upload`()
    async throws
  {
    try store.write { try store.create(TeamObject.self, value: ["id": -1, "name": "a"]) }
    let error = await #expect(throws: DataSourceError.self) {
      try await repository.put(
        Team(id: 7, name: "b", parent: -1), forId: 7, operation: .cacheSync)
    }
    #expect(
      error?.description
        == "the value links to TeamObject -1, which the main source does not have yet; an upload sends it first"
    )
    #expect(server.changes.isEmpty)
    #expect(pending == ["created -1", "created 7"])
  }

  @Test func `a value that is linked to a new object during an upload is first sent without it`()
    async throws
  {
    for id: Int64 in [7, 8] { server.set(["name": .string("a")], id: .number(id), in: "teams") }
    _ = try store.write(as: .server) {
      try [7, 8].map { try store.create(TeamObject.self, value: ["id": .int($0), "name": "a"]) }
    }
    try store.write { for team in store.objects(TeamObject.self) { team.name = "b" } }
    let configuration = store.configuration
    let transport = InterruptedTransport(server: server) {
      let store = try Store(configuration: configuration, isolation: nil)
      if !store.objects(TeamObject.self).where({ $0.name == "new" }).isEmpty { return }
      try store.write {
        let new = try store.create(TeamObject.self, value: ["id": 90, "name": "new"])
        store.object(TeamObject.self, key: 8)?.parent = new
      }
    }
    try await Self.repository(store, transport).upload(createdKeys: .temporary)
    #expect(
      server.changes.map { "\($0.method.rawValue) \($0.body?.jsonText ?? "")" } == [
        #"PATCH {"name":"b"}"#, #"PATCH {"name":"b"}"#, #"POST {"id":90,"name":"new"}"#,
        #"PATCH {"parent":9}"#,
      ])
    #expect(pending.isEmpty)
  }

  @Test func `new objects of a value are sent with it`() async throws {
    server.set(["name": .string("x")], id: .number(7), in: "teams")
    try await repository.put(
      Team(id: 7, name: "b", newParent: -1), forId: 7, operation: .cacheSync)
    #expect(server.changes.map { "\($0.method.rawValue) \($0.id)" } == ["PUT 7"])
    #expect(pending == ["created -1"])
  }

  @Test func `links of new objects to each other follow in a second edit`() async throws {
    try store.write {
      let first = try store.create(TeamObject.self, value: ["id": -1, "name": "a"])
      let second = try store.create(TeamObject.self, value: ["id": -2, "name": "b"])
      (first.parent, second.parent) = (second, first)
    }
    let summary = try await repository.upload(createdKeys: .temporary)
    #expect(summary.confirmed == 3)
    #expect(pending.isEmpty)
    let parents = (server.resources["teams"] ?? [:]).values.compactMap { $0["parent"]?.intValue }
    #expect(parents.count == 2 && parents.allSatisfy { $0 > 0 })
  }
}

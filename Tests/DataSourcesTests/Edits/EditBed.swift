import DataSources
import Foundation
import LoopbackServer
import ObjectStore
import TestSupport
import ValueModels

final class PetObject: Object {
  @Persisted(primaryKey: true) var id: Int
  @Persisted var name = ""
  @Persisted var legs = 4
  @Persisted var note: String?
  override class var tracksEdits: Bool { true }
}

struct Pet: MappedPersistable, Hashable, Codable {
  var id = 0
  var name = ""
  var legs = 4
  var note: String?

  typealias ManagedObject = PetObject
  static let mapping: Fields = [
    .key(\.id, \.id), .field(\.name, \.name), .field(\.legs, \.legs), .field(\.note, \.note),
  ]
}

/// A class that does not track edits.
final class ToyObject: Object {
  @Persisted(primaryKey: true) var id: Int
}

struct Toy: MappedPersistable, Hashable, Codable {
  var id = 0

  typealias ManagedObject = ToyObject
  static let mapping: Fields = [.key(\.id, \.id)]
}

typealias PetRepository = CacheRepository<NetworkDataSource<Pet>, PersistableDataSource<Pet>>

/// A server of pets, a store of a class that tracks edits, and a repository of both.
struct EditBed {
  let server: ResourceServer
  let configuration: StoreConfiguration
  /// A handle of the store, as the app has it.
  let store: Store
  let cache: PersistableDataSource<Pet>
  let network: NetworkDataSource<Pet>
  let repository: PetRepository

  /// - Parameter sendsChanges: True if the server has a route for changes.
  init(
    ids: ResourceCollection.IDs = .chosen, configuration: StoreConfiguration = .inMemory(),
    server: ResourceServer? = nil, pruning: ListGuard? = nil, sendsChanges: Bool = true
  ) throws {
    self.server =
      server
      ?? ResourceServer(
        ResourceCollection("pets", ids: ids) { pet in
          pet["name"]?.stringValue == "" ? ["name": ["is empty"], "size": ["is odd"]] : [:]
        })
    store = try Store(configuration: configuration, isolation: nil)
    self.configuration = store.configuration
    cache = StoreDataSource(Pet.self, store: store, pruning: pruning)
    var routes: [NetworkRequest.Route] = [
      .get(IdQuery<Int>.self) { "pets/\($0.id)" },
      .getAll(AllObjectsQuery.self) { _ in "pets" },
      .put(VoidQuery.self, by: .post) { _ in "pets" },
      .put(IdQuery<Int>.self) { "pets/\($0.id)" },
      .delete(IdQuery<Int>.self) { "pets/\($0.id)" },
    ]
    if sendsChanges {
      routes.append(.put(ChangesQuery<Int, Pet>.self, by: .patch) { "pets/\($0.id)" })
    }
    network = NetworkDataSource(
      base: try api(), transport: self.server, routes: routes, coding: .json(), retry: .never)
    repository = CacheRepository(main: network, cache: cache)
  }

  /// Puts a pet on the server.
  func serve(_ pet: Pet) throws {
    let data = try JSONEncoder().encode(pet)
    let json = try JSONDecoder().decode(JSONValue.self, from: data)
    guard case .object(let object) = json else { return }
    server.set(object, id: .number(Int64(pet.id)), in: "pets")
  }

  /// Puts a pet on the server and refreshes the cache.
  func refresh(_ pets: Pet...) async throws {
    for pet in pets { try serve(pet) }
    _ = try await repository.getAll(AllObjectsQuery(), operation: .mainSync)
  }

  /// Makes the next requests fail.
  func goOffline(_ requestCount: Int = 1) {
    server.script(Array(repeating: .lostRequest, count: requestCount))
  }

  /// Puts a pet offline: the put throws.
  func putOffline(_ pet: Pet) async {
    goOffline()
    _ = try? await repository.put(pet, forId: pet.id, operation: .cacheSync)
  }

  /// The pets of the server, like `7 Bella 4`.
  var served: [String] {
    (server.resources["pets"] ?? [:]).sorted { $0.key < $1.key }.map { id, pet in
      "\(id) \(pet["name"]?.stringValue ?? "-") \(pet["legs"]?.intValue ?? 0)"
    }
  }

  /// The pets of the store in the order of their ids, like `7 Bella 4 edited`.
  var stored: [String] {
    store.refresh()
    return store.objects(PetObject.self).sorted(by: \.id).map {
      "\($0.id) \($0.name) \($0.legs)" + ($0.editState == .clean ? "" : " \($0.editState)")
    }
  }

  /// The pending edits, like `edited 7`.
  var pending: [String] {
    store.refresh()
    let edits = (try? store.pendingEdits()) ?? []
    return edits.map {
      "\($0.kind) \($0.key)" + ($0.isInFlight ? " in flight" : "")
    }
  }

  /// The requests that changed a resource, like `PATCH 7`.
  var changes: [String] { server.changes.map { "\($0.method.rawValue) \($0.id)" } }
}

func api() throws -> URL {
  guard let url = URL(string: "http://server/api/") else { throw TestError() }
  return url
}

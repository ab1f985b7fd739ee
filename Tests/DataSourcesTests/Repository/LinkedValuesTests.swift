import ObjectStore
import TestSupport
import Testing

@testable import DataSources

private final class DogObject: Object {
  @Persisted(primaryKey: true) var id = ""
  @Persisted var owner: OwnerObject?
}

private final class OwnerObject: Object {
  @Persisted(primaryKey: true) var id = ""
  @Persisted(originProperty: "owner") var dogs: LinkingObjects<DogObject>
}

/// A value with the objects that link to its object.
private struct Owner: Hashable, Sendable {
  var id: String
  var dogs: [String]
}

/// A server on which each dog has one owner, as in a store.
private actor OwnerServer: GetDataSource, PutDataSource {
  private var owners: [String: Owner] = [:]
  private var gate: Gate?

  init(_ owners: [Owner]) {
    for owner in owners { self.owners[owner.id] = owner }
  }

  func holdNext(at gate: Gate) { self.gate = gate }

  private func pass() async {
    let gate = gate
    self.gate = nil
    await gate?.pass()
  }

  func get(_ query: some Query) async throws -> Owner {
    guard let owner = (query as? IdQuery<String>).flatMap({ owners[$0.id] }) else {
      throw DataSourceError.notFound(query: "owner")
    }
    await pass()
    return owner
  }

  func getAll(_ query: some Query) async throws -> [Owner] { owners.values.map(\.self) }

  func put(_ value: Owner, in query: some Query) async throws -> Owner {
    for id in owners.keys { owners[id]?.dogs.removeAll(where: value.dogs.contains) }
    owners[value.id] = value
    await pass()
    return value
  }

  func putAll(_ values: [Owner], in query: some Query) async throws -> [Owner] {
    for value in values { _ = try await put(value, in: query) }
    return values
  }
}

@Suite struct `Values with inverse links` {
  private static func storage(isNested: Bool? = nil) -> StoreDataSource<Owner, OwnerObject> {
    StoreDataSource(
      configuration: .inMemory(),
      toEntityMapper: Mapper { Owner(id: $0.id, dogs: $0.dogs.map(\.id).sorted()) },
      toObjectMapper: StoreMapper { value, store in
        let owner = OwnerObject()
        owner.id = value.id
        try store.add(owner, update: .modified)
        let kept = store.object(ofType: OwnerObject.self, forPrimaryKey: value.id) ?? owner
        for id in value.dogs {
          let dog = DogObject()
          dog.id = id
          dog.owner = kept
          try store.add(dog, update: .modified)
        }
        return kept
      }, isNested: isNested)
  }

  @Test func `a late response does not undo a put of another owner`() async throws {
    let server = OwnerServer([Owner(id: "ann", dogs: ["rex"]), Owner(id: "bob", dogs: [])])
    let repository = CacheRepository(main: server, cache: Self.storage())
    let gate = Gate()
    await server.holdNext(at: gate)
    let ann = Task { try await repository.get("ann") }
    await waitUntil { gate.arrivedCount == 1 }
    try await repository.put(Owner(id: "bob", dogs: ["rex"]), forId: "bob")
    gate.open()
    #expect(try await ann.value.dogs == ["rex"])
    #expect(try await repository.get("bob", operation: .cache).dogs == ["rex"])
    #expect(try await repository.get("ann").dogs == [])
  }

  /// With `true`, a mapper that writes to the store may have changed any object.
  @Test(arguments: [nil, true])
  func `a late response to a put does not undo a newer put of another owner`(isNested: Bool?)
    async throws
  {
    let storage = Self.storage(isNested: isNested)
    let repository = CacheRepository(main: OwnerServer([]), cache: storage)
    let gate = Gate()
    await repository.main.holdNext(at: gate)
    let ann = await gate.firstRequest {
      try await repository.put(Owner(id: "ann", dogs: ["rex"]), forId: "ann")
    }
    try await repository.put(Owner(id: "bob", dogs: ["rex"]), forId: "bob")
    gate.open()
    _ = try await ann.value
    #expect(try await storage.get("bob").dogs == ["rex"])
  }

  @Test func `a source is nested if its objects have links, unless an argument overrides it`() {
    #expect(Self.storage().isNested)
    #expect(!Self.storage(isNested: false).isNested)
    #expect(Self.storage(isNested: true).isNested)
    #expect(!itemSource().isNested)
  }
}

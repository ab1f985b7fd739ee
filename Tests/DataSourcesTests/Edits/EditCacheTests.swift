import DataSources
import Foundation
import LoopbackServer
import ObjectStore
import TestSupport
import Testing

@Suite struct `Caches of a class that tracks edits` {
  private let bed: EditBed

  init() throws { bed = try EditBed() }

  @Test func `a put and a deletion in a store source are edits`() async throws {
    try await bed.refresh(Pet(id: 1, name: "a"), Pet(id: 2, name: "b"))
    try await bed.cache.put(Pet(id: 1, name: "c"))
    try await bed.cache.put(Pet(id: 3, name: "d"))
    try await bed.cache.delete(2)
    #expect(bed.stored == ["1 c 4 edited", "3 d 4 created"])
    #expect(bed.pending == ["edited 1", "created 3", "deleted 2"])
  }

  @Test func `a response keeps edited attributes and updates the others`() async throws {
    try await bed.refresh(Pet(id: 1, name: "a", legs: 4))
    try await bed.cache.put(Pet(id: 1, name: "mine", legs: 4))
    let kept = try await bed.cache.keep(
      Pet(id: 1, name: "theirs", legs: 3), answering: IdQuery(1))
    #expect(kept.response == Pet(id: 1, name: "mine", legs: 3))
    #expect(bed.stored == ["1 mine 3 edited"])
    let pet = try #require(bed.store.object(ofType: PetObject.self, forPrimaryKey: 1))
    try bed.store.revertEdits(of: pet)
    #expect(pet.name == "theirs")
  }

  @Test func `a response for a deleted object is not found, and the object stays deleted`()
    async throws
  {
    try await bed.refresh(Pet(id: 1, name: "a"), Pet(id: 2, name: "b"))
    try await bed.cache.delete(1)
    let error = await text {
      _ = try await bed.cache.keep(Pet(id: 1, name: "a"), answering: IdQuery(1))
    }
    #expect(error == "nothing was found for IdQuery(1)")
    for operation in [RepositoryOperation.default, .mainSync, .cacheSync(fallback: true)] {
      await #expect(throws: DataSourceError.notFound(query: "IdQuery(1)")) {
        try await bed.repository.get(1, operation: operation)
      }
    }
    #expect(bed.stored == ["2 b 4"])
    #expect(bed.pending == ["deleted 1"])
  }

  @Test func `a list leaves out deleted objects and is valid`() async throws {
    try await bed.refresh(Pet(id: 1, name: "a"), Pet(id: 2, name: "b"))
    try await bed.repository.delete(1, operation: .cache)
    let names = try await bed.repository.getAll(AllObjectsQuery()).map(\.name)
    let count = bed.server.requestCount
    let again = try await bed.repository.getAll(AllObjectsQuery()).map(\.name)
    #expect(names == ["b"] && again == names)
    #expect(bed.server.requestCount == count)
  }

  @Test func `a list of all values ends with the values that were created locally`() async throws {
    try await bed.refresh(Pet(id: 5, name: "a"))
    try await bed.cache.put(Pet(id: 3, name: "new"))
    let names = try await bed.repository.getAll(AllObjectsQuery(), operation: .mainSync)
    #expect(names.map(\.name) == ["a", "new"])
    let cached = try await bed.repository.getAll(AllObjectsQuery())
    #expect(cached.map(\.name) == ["a", "new"])
  }

  @Test func `a complete response does not delete objects with edits`() async throws {
    let bed = try EditBed(pruning: ListGuard(allowsEmpty: true))
    try await bed.refresh(
      Pet(id: 1, name: "a"), Pet(id: 2, name: "b"), Pet(id: 3, name: "c"))
    try await bed.cache.put(Pet(id: 1, name: "mine"))
    try await bed.cache.put(Pet(id: 4, name: "new"))
    try await bed.cache.delete(3)
    for id in 1...3 { bed.server.remove(.number(Int64(id)), from: "pets") }
    try await bed.refresh()
    #expect(bed.stored == ["1 mine 4 edited", "4 new 4 created"])
    #expect(bed.pending == ["edited 1", "created 4", "deleted 3"])
  }

  @Test func `an object that an edit moved out of the query does not refuse a complete response`()
    async throws
  {
    let bed = try EditBed(pruning: ListGuard(allowsEmpty: true))
    try await bed.refresh(Pet(id: 1, name: "a"), Pet(id: 2, name: "a"))
    try await bed.cache.put(Pet(id: 1, name: "mine"))
    let query = StorePredicate(PetObject.self) { $0.name == "a" }
    let state = await bed.cache.state(beforeRequesting: query)
    _ = try await bed.cache.keepAll([Pet(id: 1, name: "a")], answering: query, since: state)
    #expect(bed.stored == ["1 mine 4 edited"])
  }

  @Test func `a put in the main source first replaces an earlier edit`() async throws {
    try await bed.refresh(Pet(id: 1, name: "a"), Pet(id: 2, name: "b"))
    try await bed.cache.put(Pet(id: 1, name: "mine"))
    try await bed.cache.delete(2)
    try await bed.repository.put(Pet(id: 1, name: "last"), forId: 1)
    try await bed.repository.put(Pet(id: 2, name: "again"), forId: 2)
    #expect(bed.stored == ["1 last 4", "2 again 4"])
    #expect(bed.served == ["1 last 4", "2 again 4"])
    #expect(bed.pending.isEmpty)
  }

  @Test func `a deletion in the main source first leaves no tombstone`() async throws {
    try await bed.refresh(Pet(id: 1, name: "a"), Pet(id: 2, name: "b"), Pet(id: 3, name: "c"))
    try await bed.cache.put(Pet(id: 2, name: "mine"))
    try await bed.cache.delete(3)
    try await bed.repository.delete([1, 2, 3].prefix(1).map(\.self)[0])
    try await bed.repository.delete(2)
    try await bed.repository.delete(3)
    #expect(bed.stored.isEmpty && bed.served.isEmpty && bed.pending.isEmpty)
  }

  @Test func `a class that does not track edits has none`() async throws {
    let store = try Store()
    let cache = PersistableDataSource<Place>(store: store)
    try await cache.put(Place(code: 1, name: "a"))
    _ = try await cache.keep(Place(code: 1, name: "b"), answering: IdQuery(1))
    try await cache.delete(1)
    store.refresh()
    #expect(try store.pendingEdits().isEmpty)
  }
}

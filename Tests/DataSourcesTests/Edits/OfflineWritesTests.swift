import DataSources
import Foundation
import LoopbackServer
import ObjectStore
import TestSupport
import Testing

@Suite struct `Writes to the cache first` {
  private let bed: EditBed

  init() throws { bed = try EditBed() }

  @Test func `a put that the server accepts leaves no edit`() async throws {
    try await bed.refresh(Pet(id: 1, name: "a"))
    let put = try await bed.repository.put(
      Pet(id: 1, name: "b"), forId: 1, operation: .cacheSync)
    #expect(put == Pet(id: 1, name: "b"))
    #expect(bed.stored == ["1 b 4"] && bed.served == ["1 b 4"])
    #expect(bed.pending.isEmpty)
    let count = bed.server.requestCount
    #expect(try await bed.repository.get(1) == put)
    #expect(bed.server.requestCount == count)
  }

  @Test func `the response to a put is stored as the server's`() async throws {
    let main = EchoSource { Pet(id: $0.id, name: $0.name.uppercased(), legs: 2) }
    let repository = CacheRepository(main: main, cache: bed.cache)
    let put = try await repository.put(Pet(id: 1, name: "b"), forId: 1, operation: .cacheSync)
    #expect(put == Pet(id: 1, name: "B", legs: 2))
    #expect(bed.stored == ["1 B 2"])
    #expect(bed.pending.isEmpty)
  }

  @Test func `an offline put throws, and its edit survives a refresh`() async throws {
    try await bed.refresh(Pet(id: 1, name: "a"))
    bed.goOffline()
    await #expect(throws: URLError.self) {
      try await bed.repository.put(Pet(id: 1, name: "b"), forId: 1, operation: .cacheSync)
    }
    try await bed.refresh(Pet(id: 1, name: "a", legs: 3))
    #expect(bed.stored == ["1 b 3 edited"])
    #expect(bed.pending == ["edited 1"])
    #expect(try await bed.repository.get(1, operation: .mainSync).name == "b")
  }

  @Test func `an offline put survives a restart`() async throws {
    let folder = try TemporaryFolder()
    defer { folder.remove() }
    let configuration = StoreConfiguration.file(folder.file("pets"))
    try await {
      let bed = try EditBed(configuration: configuration)
      try await bed.refresh(Pet(id: 1, name: "a"))
      await bed.putOffline(Pet(id: 1, name: "b"))
      await bed.putOffline(Pet(id: 2, name: "new"))
      bed.goOffline()
      _ = try? await bed.repository.delete(1, operation: .cacheSync)
      await bed.putOffline(Pet(id: 1, name: "c"))
    }()
    let bed = try EditBed(configuration: configuration)
    try bed.serve(Pet(id: 1, name: "a"))
    _ = try await bed.cache.getAll(AllObjectsQuery())
    // The server may have deleted 1.
    #expect(bed.stored == ["1 c 4 created", "2 new 4 created"])
    let summary = try await bed.repository.upload()
    #expect(summary.confirmed == 2)
    #expect(bed.served == ["1 c 4", "2 new 4"])
  }

  @Test(arguments: [400, 403, 413, 422])
  func `a put that the server refuses throws and is rejected`(status: Int) async throws {
    try await bed.refresh(Pet(id: 1, name: "a"))
    bed.server.script([.status(status)])
    let error = await text {
      try await bed.repository.put(Pet(id: 1, name: "b"), forId: 1, operation: .cacheSync)
    }
    #expect(error == "PUT /api/pets/1: the server responded with status \(status)")
    #expect(bed.stored == ["1 b 4 rejected"])
    let pet = try #require(bed.store.object(ofType: PetObject.self, forPrimaryKey: 1))
    #expect(pet.rejection?.general == [error])
    // It is offered again when it is put again, also with the same value.
    try await bed.repository.put(Pet(id: 1, name: "b"), forId: 1, operation: .cacheSync)
    #expect(bed.stored == ["1 b 4"])
  }

  @Test func `a rejection has the messages of the server by attribute`() async throws {
    try await bed.refresh(Pet(id: 1, name: "a"))
    _ = try? await bed.repository.put(Pet(id: 1, name: ""), forId: 1, operation: .cacheSync)
    #expect(bed.stored == ["1  4 rejected"])
    let pet = try #require(bed.store.object(ofType: PetObject.self, forPrimaryKey: 1))
    #expect(pet.rejection?[\PetObject.name] == ["is empty"])
    #expect(pet.rejection?.general == ["size: is odd"])
  }

  @Test func `the app can read the messages of a rejection`() async throws {
    let cache = bed.cache.readingRejections {
      Edit.Rejection(general: ["\($0.count > 10 ? "read" : "empty")"])
    }
    let repository = CacheRepository(main: bed.network, cache: cache)
    try await bed.refresh(Pet(id: 1, name: "a"))
    _ = try? await repository.put(Pet(id: 1, name: ""), forId: 1, operation: .cacheSync)
    bed.store.refresh()
    let pet = try #require(bed.store.object(ofType: PetObject.self, forPrimaryKey: 1))
    #expect(pet.rejection?.general == ["read"])
  }

  @Test(arguments: [401, 404, 408, 409, 412, 429, 500, 503])
  func `a put whose outcome may change later is released`(status: Int) async throws {
    try await bed.refresh(Pet(id: 1, name: "a"))
    bed.server.script([.status(status)])
    await #expect(throws: DataSourceError.self) {
      try await bed.repository.put(Pet(id: 1, name: "b"), forId: 1, operation: .cacheSync)
    }
    #expect(bed.stored == ["1 b 4 edited"])
    #expect(bed.pending == ["edited 1"])
  }

  @Test func `a cancelled put is released`() async throws {
    try await bed.refresh(Pet(id: 1, name: "a"))
    bed.server.script([.delayed(milliseconds: 60_000)])
    let count = bed.server.requestCount
    let task = Task { [repository = bed.repository] in
      try await repository.put(Pet(id: 1, name: "b"), forId: 1, operation: .cacheSync)
    }
    await waitUntil { bed.server.requestCount > count }
    #expect(bed.pending == ["edited 1 in flight"])
    task.cancel()
    await #expect(throws: CancellationError.self) { try await task.value }
    #expect(bed.pending == ["edited 1"])
  }

  @Test func `a change during a put stays pending`() async throws {
    try await bed.refresh(Pet(id: 1, name: "a"))
    bed.server.script([.delayed(milliseconds: 100)])
    let count = bed.server.requestCount
    let task = Task { [repository = bed.repository] in
      try await repository.put(Pet(id: 1, name: "b"), forId: 1, operation: .cacheSync)
    }
    await waitUntil { bed.server.requestCount > count }
    try await bed.cache.put(Pet(id: 1, name: "c"))
    #expect(try await task.value.name == "c")
    #expect(bed.stored == ["1 c 4 edited"])
    try await bed.repository.upload()
    #expect(bed.served == ["1 c 4"])
    #expect(bed.pending.isEmpty)
  }

  @Test func `a deletion that the server confirms leaves no tombstone`() async throws {
    try await bed.refresh(Pet(id: 1, name: "a"), Pet(id: 2, name: "b"))
    bed.server.remove(2, from: "pets")
    try await bed.repository.delete(1, operation: .cacheSync)
    try await bed.repository.delete(2, operation: .cacheSync)
    #expect(bed.stored.isEmpty && bed.served.isEmpty && bed.pending.isEmpty)
  }

  @Test func `an offline deletion stays when the list is refreshed, and is sent later`()
    async throws
  {
    try await bed.refresh(Pet(id: 1, name: "a"))
    bed.goOffline()
    await #expect(throws: URLError.self) {
      try await bed.repository.delete(1, operation: .cacheSync)
    }
    try await bed.refresh()
    #expect(bed.stored.isEmpty && bed.pending == ["deleted 1"])
    #expect(try await bed.repository.upload().confirmed == 1)
    #expect(bed.served.isEmpty && bed.pending.isEmpty)
    #expect(bed.changes == ["DELETE 1"])
  }

  @Test func `a put of changes since a stale value edits only what the user changed`() async throws
  {
    let bed = try EditBed()
    let shown = Pet(id: 7, name: "Bella", legs: 4, note: "a")
    try await bed.refresh(shown)
    // Another device changes the note, and the cache is refreshed while the user edits.
    try await bed.refresh(Pet(id: 7, name: "Bella", legs: 4, note: "theirs"))
    var changed = shown
    changed.legs = 3
    let query = ChangesQuery(7, since: shown)
    bed.goOffline()
    _ = try? await bed.repository.put(changed, in: query, operation: .cacheSync)
    bed.store.refresh()
    #expect(try bed.store.pendingEdits().map(\.description) == ["edited PetObject 7: legs 4 → 3"])
    #expect(bed.store.objects(PetObject.self).first?.note == "theirs")
    #expect(try await bed.repository.upload().confirmed == 1)
    #expect(bed.server.resources["pets"]?["7"]?["note"]?.stringValue == "theirs")
    #expect(bed.stored == ["7 Bella 3"])
  }

  @Test(arguments: [true, false])
  func `a put of changes keeps or sends the other edits of the object`(
    isCacheFirst: Bool
  ) async throws {
    let bed = try EditBed()
    let shown = Pet(id: 7, name: "Bella", legs: 4, note: "a")
    try await bed.refresh(shown)
    try bed.store.write { bed.store.objects(PetObject.self).first?.note = "mine" }
    var changed = Pet(id: 7, name: "Bella", legs: 4, note: "mine")
    let query = ChangesQuery(7, since: changed)
    changed.legs = 3
    try await bed.repository.put(
      changed, in: query, operation: isCacheFirst ? .cacheSync : .mainSync)
    if isCacheFirst {
      #expect(bed.pending == [])
      #expect(bed.server.resources["pets"]?["7"]?["note"]?.stringValue == "mine")
    } else {
      #expect(bed.pending == ["edited 7"])
      #expect(bed.server.resources["pets"]?["7"]?["note"]?.stringValue == "a")
      _ = try await bed.repository.getAll(AllObjectsQuery(), operation: .mainSync)
    }
    bed.store.refresh()
    #expect(bed.store.objects(PetObject.self).first?.note == "mine")
    #expect(bed.store.objects(PetObject.self).first?.legs == 3)
  }

  @Test func `an upload of a class that does not track edits is refused`() async throws {
    let store = try Store(isolation: nil)
    let server = ResourceServer(ResourceCollection("toys", ids: .chosen))
    let network = NetworkDataSource<Toy>(
      base: try #require(URL(string: "http://server/")), transport: server, routes: [],
      coding: .json(), retry: .never)
    let repository = CacheRepository(main: network, cache: StoreDataSource(Toy.self, store: store))
    let error = await #expect(throws: StoreError.self) { try await repository.upload() }
    #expect(
      error?.description
        == "ToyObject: the class does not track edits; add 'override class var tracksEdits: Bool { true }'"
    )
  }

  @Test func `several values are confirmed or released together`() async throws {
    let main = EchoSource { $0 }
    let repository = CacheRepository(main: main, cache: bed.cache)
    let pets = [Pet(id: 1, name: "a"), Pet(id: 2, name: "b")]
    try await repository.putAll(pets, forIds: [1, 2], operation: .cacheSync)
    #expect(bed.stored == ["1 a 4", "2 b 4"])
    bed.goOffline()
    let changed = [Pet(id: 1, name: "c"), Pet(id: 2, name: "d")]
    await #expect(throws: DataSourceError.self) {
      try await bed.repository.putAll(changed, forIds: [1, 2], operation: .cacheSync)
    }
    #expect(bed.pending == ["edited 1", "edited 2"])
    try await repository.delete([1, 2], operation: .cacheSync)
    #expect(bed.stored.isEmpty && bed.pending.isEmpty)
  }
}

/// A source that returns what is put, changed by a closure.
struct EchoSource: DataSource {
  let change: @Sendable (Pet) -> Pet

  func get(_ query: some Query) async throws -> Pet {
    throw DataSourceError.notFound(query: "\(query)")
  }

  func getAll(_ query: some Query) async throws -> [Pet] { [] }

  func put(_ value: Pet, in query: some Query) async throws -> Pet { change(value) }

  func putAll(_ values: [Pet], in query: some Query) async throws -> [Pet] { values.map(change) }

  func delete(_ query: some Query) async throws {}

  func deleteAll(_ query: some Query) async throws {}
}

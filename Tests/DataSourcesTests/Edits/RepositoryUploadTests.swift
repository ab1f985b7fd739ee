import DataSources
import Foundation
import LoopbackServer
import ObjectStore
import StoreCoding
import TestSupport
import Testing

@Suite struct `Uploads of a repository` {
  private let bed: EditBed

  init() throws { bed = try EditBed() }

  @Test func `an upload sends creations, changes and deletions once`() async throws {
    try await bed.refresh(Pet(id: 1, name: "a"), Pet(id: 2, name: "b"))
    await bed.putOffline(Pet(id: 3, name: "new"))
    await bed.putOffline(Pet(id: 1, name: "c"))
    try await bed.repository.delete(2, operation: .cache)
    let summary = try await bed.repository.upload()
    #expect(summary.confirmed == 3 && summary.postponed == 0)
    #expect(bed.changes == ["PUT 3", "PATCH 1", "DELETE 2"])
    #expect(bed.stored == ["1 c 4", "3 new 4"])
    #expect(bed.served == bed.stored)
    let count = bed.server.requestCount
    #expect(try await bed.repository.upload().confirmed == 0)
    #expect(bed.server.requestCount == count)
  }

  @Test func `edits that the app makes in the store are sent as well`() async throws {
    try await bed.refresh(Pet(id: 1, name: "a"))
    bed.store.refresh()
    let pet = try #require(bed.store.object(ofType: PetObject.self, forPrimaryKey: 1))
    try bed.store.write { pet.note = "x" }
    #expect(try await bed.repository.upload().confirmed == 1)
    #expect(bed.server.changes.first?.body?.jsonText == #"{"note":"x"}"#)
  }

  @Test func `a change is sent since the server's value, also if that has moved`() async throws {
    try await bed.refresh(Pet(id: 1, name: "a", legs: 4))
    await bed.putOffline(Pet(id: 1, name: "b", legs: 4))
    try await bed.refresh(Pet(id: 1, name: "z", legs: 3))
    try await bed.repository.upload()
    #expect(bed.server.changes.first?.body?.jsonText == #"{"name":"b"}"#)
    #expect(bed.served == ["1 b 3"] && bed.stored == ["1 b 3"])
  }

  @Test func `a source without a route for changes gets whole values`() async throws {
    let bed = try EditBed(sendsChanges: false)
    try await bed.refresh(Pet(id: 1, name: "a"))
    await bed.putOffline(Pet(id: 1, name: "b"))
    try await bed.repository.upload()
    #expect(bed.changes == ["PUT 1"])
    #expect(bed.served == ["1 b 4"])
  }

  @Test func `a change whose base value is unknown is sent as a whole value`() async throws {
    try await bed.refresh(Pet(id: 1, name: "a"))
    bed.store.refresh()
    let pet = try #require(bed.store.object(ofType: PetObject.self, forPrimaryKey: 1))
    try bed.store.markEdited(pet, \PetObject.name)
    #expect(try await bed.repository.upload().confirmed == 1)
    #expect(bed.pending.isEmpty)
  }

  @Test func `a value whose response was lost is sent again and created once`() async throws {
    bed.server.script([.lostResponse, .lostResponse])
    _ = try? await bed.repository.put(Pet(id: 1, name: "a"), forId: 1, operation: .cacheSync)
    #expect(bed.served == ["1 a 4"] && bed.pending == ["created 1"])
    let summary = try await bed.repository.upload(retry: bed.quickly)
    #expect(summary.confirmed == 1)
    #expect(bed.changes == ["PUT 1"])
    #expect(bed.served == ["1 a 4"] && bed.stored == ["1 a 4"])
  }

  @Test
  func `an object that is created again after a lost response to its deletion is put as a whole`()
    async throws
  {
    try await bed.refresh(Pet(id: 1, name: "a"))
    bed.server.script([.lostResponse])
    _ = try? await bed.repository.delete(1, operation: .cacheSync)
    await bed.putOffline(Pet(id: 1, name: "again"))
    #expect(try await bed.repository.upload().confirmed == 1)
    #expect(bed.changes == ["DELETE 1", "PUT 1"])
    #expect(bed.stored == ["1 again 4"] && bed.served == bed.stored)
  }

  @Test func `a deletion whose response was lost is confirmed when it is sent again`()
    async throws
  {
    try await bed.refresh(Pet(id: 1, name: "a"))
    bed.server.script([.lostResponse])
    _ = try? await bed.repository.delete(1, operation: .cacheSync)
    #expect(bed.pending == ["deleted 1"])
    #expect(try await bed.repository.upload().confirmed == 1)
    #expect(bed.pending.isEmpty)
  }

  @Test func `a created value takes the key that the server assigns`() async throws {
    let bed = try EditBed(ids: .assigned)
    try await bed.refresh(Pet(id: 6, name: "a"))
    try await bed.cache.put(Pet(id: -1, name: "new"))
    bed.store.refresh()
    let pet = try #require(bed.store.object(ofType: PetObject.self, forPrimaryKey: -1))
    let summary = try await bed.repository.upload(createdKeys: .temporary)
    #expect(summary.confirmed == 1)
    #expect(bed.stored == ["6 a 4", "7 new 4"] && bed.served == bed.stored)
    #expect(pet.id == 7)
  }

  @Test func `a created value merges with the one that a refresh has delivered`() async throws {
    let bed = try EditBed(ids: .assigned)
    try await bed.refresh(Pet(id: 6, name: "a"))
    try await bed.cache.put(Pet(id: -1, name: "new"))
    bed.server.script { request in
      guard request.method == .post else { return .none }
      // The refresh of another repository: the response arrives later.
      return .delayed(milliseconds: 100)
    }
    let count = bed.server.requestCount
    let task = Task { [repository = bed.repository] in
      try await repository.upload(createdKeys: .temporary)
    }
    await waitUntil { bed.server.requestCount > count }
    _ = try await bed.cache.keep(Pet(id: 7, name: "new"), answering: IdQuery(7))
    _ = try await task.value
    #expect(bed.stored == ["6 a 4", "7 new 4"] && bed.served == bed.stored)
    #expect(bed.pending.isEmpty)
  }

  @Test func `a put to the cache first takes the key that the server assigns`() async throws {
    let bed = try EditBed(ids: .assigned)
    let put = try await bed.repository.put(
      Pet(id: -1, name: "new"), in: VoidQuery(), operation: .cacheSync)
    #expect(put.id == 1)
    #expect(bed.stored == ["1 new 4"] && bed.pending.isEmpty)
  }

  @Test func `an unreachable server ends the upload after the retries`() async throws {
    for id in 1...3 { await bed.putOffline(Pet(id: id, name: "a")) }
    let count = bed.server.requestCount
    bed.server.script([.none, .lostRequest, .lostRequest, .lostRequest])
    let clock = ManualClock(skips: true)
    let summary = try await bed.repository.upload(
      retry: Retry(attempts: 3, firstDelay: .seconds(1), jitter: 0, clock: clock))
    #expect(summary.confirmed == 1 && summary.postponed == 2)
    #expect(clock.sleeps == [.seconds(1), .seconds(2)])
    #expect(bed.server.requestCount == count + 4)
    #expect(bed.pending == ["created 2", "created 3"])
    #expect(try await bed.repository.upload().confirmed == 2)
  }

  @Test func `a refused value is rejected, and the others are sent`() async throws {
    try await bed.refresh(Pet(id: 1, name: "a"))
    await bed.putOffline(Pet(id: 1, name: ""))
    await bed.putOffline(Pet(id: 2, name: "b"))
    let summary = try await bed.repository.upload()
    #expect(summary.rejected == 1 && summary.confirmed == 1)
    #expect(bed.stored == ["1  4 rejected", "2 b 4"])
    let pet = try #require(bed.store.object(ofType: PetObject.self, forPrimaryKey: 1))
    #expect(pet.rejection?[\PetObject.name] == ["is empty"])
    let count = bed.server.requestCount
    #expect(try await bed.repository.upload().rejected == 0)
    #expect(bed.server.requestCount == count)
    try bed.store.write { pet.name = "c" }
    #expect(try await bed.repository.upload().confirmed == 1)
    #expect(bed.served == ["1 c 4", "2 b 4"])
  }

  @Test(arguments: [409, 412]) func `a conflict fetches the server's value beneath the edit`(
    status: Int
  ) async throws {
    try await bed.refresh(Pet(id: 1, name: "a", legs: 4))
    await bed.putOffline(Pet(id: 1, name: "mine", legs: 4))
    try bed.serve(Pet(id: 1, name: "theirs", legs: 3))
    bed.server.script([.status(status)])
    let summary = try await bed.repository.upload()
    #expect(summary.postponed == 1)
    #expect(bed.stored == ["1 mine 3 edited"])
    #expect(try await bed.repository.upload().confirmed == 1)
    #expect(bed.served == ["1 mine 3"])
  }

  @Test(arguments: [true, false])
  func `a conflict about a value that the server does not have is as if it was gone`(
    isDeletion: Bool
  ) async throws {
    try await bed.refresh(Pet(id: 1, name: "a"))
    try bed.store.write {
      let pets = bed.store.objects(PetObject.self)
      if isDeletion { bed.store.delete(pets) } else { pets[0].name = "b" }
    }
    bed.server.remove(1, from: "pets")
    bed.server.script([.status(412)])
    let summary = try await bed.repository.upload()
    #expect(summary.confirmed == (isDeletion ? 1 : 0) && summary.gone.count == (isDeletion ? 0 : 1))
    #expect(bed.stored == (isDeletion ? [] : ["1 b 4 rejected"]))
  }

  @Test func `a deletion of a value that others have changed is rejected`() async throws {
    try await bed.refresh(Pet(id: 1, name: "a", legs: 4), Pet(id: 2, name: "b"))
    try bed.store.write { bed.store.delete(bed.store.objects(PetObject.self)) }
    try bed.serve(Pet(id: 1, name: "theirs", legs: 4))
    bed.server.script([.status(412)])
    let summary = try await bed.repository.upload()
    #expect(summary.rejected == 1 && summary.confirmed == 1)
    #expect(try await bed.repository.upload() == Edit.Summary())
    #expect(bed.served == ["1 theirs 4"] && bed.stored.isEmpty)
    let rejected = try #require(try bed.store.pendingEdits().first)
    #expect(rejected.rejection?.general == ["the main source has another value"])
    // The user decides: brings it back, or deletes it nevertheless.
    try bed.store.settle(rejected, .later)
    #expect(try await bed.repository.upload().confirmed == 1)
    #expect(bed.served.isEmpty)
  }

  @Test func `a deletion of a value that nobody has changed stays after a conflict`() async throws {
    try await bed.refresh(Pet(id: 1, name: "a", legs: 4))
    try bed.store.write { bed.store.delete(bed.store.objects(PetObject.self)) }
    bed.server.script([.status(412)])
    #expect(try await bed.repository.upload().postponed == 1)
    #expect(try await bed.repository.upload().confirmed == 1)
    #expect(bed.served.isEmpty)
  }

  @Test func `a coding without a closure for changes puts whole values`() async throws {
    let network = NetworkDataSource<Pet>(
      base: try api(), transport: bed.server,
      routes: [
        .getAll(AllObjectsQuery.self) { _ in "pets" },
        .put(IdQuery<Int>.self) { "pets/\($0.id)" },
        .put(ChangesQuery<Int, Pet>.self, by: .patch) { "pets/\($0.id)" },
      ],
      coding: .init(
        decode: { try JSONDecoder().decode(Pet.self, from: $0) },
        decodeAll: { try JSONDecoder().decode([Pet].self, from: $0) },
        encode: { try JSONEncoder().encode($0) }, encodeAll: { try JSONEncoder().encode($0) }))
    try await bed.refresh(Pet(id: 1, name: "a"), Pet(id: 2, name: "b"))
    try bed.store.write { for pet in bed.store.objects(PetObject.self) { pet.legs = 3 } }
    let repository = CacheRepository(main: network, cache: bed.cache)
    #expect(try await repository.upload().confirmed == 2)
    #expect(bed.served == ["1 a 3", "2 b 3"])
    #expect(bed.server.changes.map { $0.method.rawValue } == ["PUT", "PUT"])
  }

  @Test func `a changed value that the server has deleted is kept, deleted or created again`()
    async throws
  {
    try await bed.refresh(Pet(id: 1, name: "a"), Pet(id: 2, name: "b"))
    await bed.putOffline(Pet(id: 1, name: "c"))
    bed.server.remove(1, from: "pets")
    #expect(try await bed.repository.upload().gone.map(\.key) == [.int(1)])
    #expect(bed.stored == ["1 c 4 rejected", "2 b 4"] && bed.pending == ["edited 1"])
    await bed.putOffline(Pet(id: 1, name: "e"))
    #expect(try await bed.repository.upload { _ in .server }.gone.count == 1)
    #expect(bed.stored == ["2 b 4"] && bed.pending.isEmpty)
    await bed.putOffline(Pet(id: 2, name: "d"))
    bed.server.remove(2, from: "pets")
    let summary = try await bed.repository.upload { _ in .local }
    #expect(summary.gone.count == 1 && summary.confirmed == 1)
    #expect(bed.stored == ["2 d 4"] && bed.served == ["2 d 4"])
  }

  @Test(arguments: [
    (Fault.lostResponse, 1), (.lostRequest, 1), (.status(502), 1), (.status(504), 1),
    (.status(503), 2), (.status(429), 2),
  ]) func `a creation that may have been executed is not repeated`(fault: Fault, count: Int)
    async throws
  {
    let bed = try EditBed(ids: .assigned)
    try await bed.cache.put(Pet(id: -1, name: "new"))
    bed.server.script([fault])
    let before = bed.server.requestCount
    let retry = Retry(attempts: 3, firstDelay: .zero)
    let summary = try await bed.repository.upload(retry: retry, createdKeys: .temporary)
    #expect(bed.server.requestCount - before == count)
    #expect(summary.confirmed == count - 1 && summary.postponed == 2 - count)
    #expect(bed.served.count == (fault == .lostResponse ? 1 : count - 1))
  }

  @Test func `a creation whose connection was refused is repeated`() async throws {
    let bed = try EditBed(ids: .assigned)
    try await bed.cache.put(Pet(id: -1, name: "new"))
    let transport = ScriptedTransport { [server = bed.server] request, index in
      if index == 0 { throw URLError(.cannotConnectToHost) }
      return try await server.send(request)
    }
    let network = NetworkDataSource<Pet>(
      base: try nowhere(), transport: transport,
      routes: [
        .put(VoidQuery.self, by: .post) { _ in "pets" },
        .delete(IdQuery<Int>.self) { "pets/\($0.id)" },
      ], coding: .json(), retry: .never)
    let summary = try await CacheRepository(main: network, cache: bed.cache).upload(
      retry: Retry(attempts: 2, firstDelay: .zero), createdKeys: .temporary)
    #expect(summary.confirmed == 1 && bed.served.count == 1)
  }

  @Test func `a cancelled upload releases its edit`() async throws {
    await bed.putOffline(Pet(id: 1, name: "a"))
    bed.server.script([.delayed(milliseconds: 60_000)])
    let count = bed.server.requestCount
    let task = Task { [repository = bed.repository] in
      try await repository.upload()
    }
    await waitUntil { bed.server.requestCount > count }
    #expect(bed.pending == ["created 1 in flight"])
    task.cancel()
    await #expect(throws: CancellationError.self) { try await task.value }
    #expect(bed.pending == ["created 1"])
    #expect(try await bed.repository.upload().confirmed == 1)
  }

  @Test func `a query without a route is an error of the upload`() async throws {
    let network = NetworkDataSource<Pet>(
      base: try nowhere(), transport: bed.server, routes: [], coding: .json())
    let repository = CacheRepository(main: network, cache: bed.cache)
    try await bed.cache.put(Pet(id: 1, name: "a"))
    await #expect(throws: DataSourceError.self) { try await repository.upload() }
    #expect(bed.pending == ["created 1"])
  }

  @Test func `a late response to a list does not undo an upload`() async throws {
    try await bed.refresh(Pet(id: 1, name: "a"))
    await bed.putOffline(Pet(id: 1, name: "b"))
    bed.server.script { $0.method == .get ? .delayed(milliseconds: 200) : .none }
    let count = bed.server.requestCount
    let list = Task { [repository = bed.repository] in
      try await repository.getAll(AllObjectsQuery(), operation: .mainSync)
    }
    await waitUntil { bed.server.requestCount > count }
    try await bed.repository.upload()
    #expect(bed.stored == ["1 b 4"])
    _ = try await list.value
    #expect(bed.stored == ["1 b 4"])
  }

  @Test func `concurrent uploads send each edit once`() async throws {
    for id in 1...5 { await bed.putOffline(Pet(id: id, name: "a")) }
    let count = bed.server.requestCount
    let repository = bed.repository
    async let first = repository.upload()
    async let second = repository.upload()
    let confirmed = try await (first.confirmed, second.confirmed)
    #expect(confirmed.0 + confirmed.1 == 5)
    #expect(bed.server.requestCount == count + 5)
  }
}

extension EditBed {
  /// A policy for retries that does not wait.
  fileprivate var quickly: Retry { Retry(clock: ManualClock(skips: true)) }
}

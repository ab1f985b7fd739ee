import Foundation
import TestSupport
import Testing

@testable import ObjectStore

@Suite struct `Changes of a store` {
  typealias Animal = Observed.Animal

  @Test func `changes of a store contain keys of objects and names of attributes`() throws {
    let store = try Observed.store(0..<4)
    var received: [Store.Changes] = []
    let token = store.observe { received.append($0) }
    let before = store.holdVersion()
    try store.write {
      let animals = Array(store.objects(Animal.self))
      animals[1].legs = 3
      animals[1].name = "Bella"
      animals[2].collar = Observed.Collar()
      store.delete(animals[0])
      try store.rekey(animals[3], to: 30)
      try store.create(Animal.self, value: ["id": 9])
      try store.create(Observed.Owner.self, value: ["id": 1])
    }
    try store.write { store.object(ofType: Animal.self, forPrimaryKey: 2)?.collar?.colour = "red" }
    store.refresh()
    let changes = try store.changes(since: before)
    let animals = try #require(changes[Animal.self])
    #expect(animals.className == "Animal")
    #expect(animals.inserted == [30, 9])
    #expect(animals.deleted == [0, 3])
    #expect(animals.modified.map(\.key) == [1, 2])
    #expect(animals.modified.map(\.attributes) == [["name", "legs"], ["collar"]])
    #expect(changes["Owner"]?.inserted == [1])
    #expect(changes[Observed.Farm.self] == nil)
    #expect(changes.classes.map(\.className) == ["Animal", "Owner"])
    #expect((changes.since, changes.version) == (before.number, store.version))
    // The first write was reported before the second began.
    #expect(received.map(\.version) == [before.number + 1, store.version])
    #expect(received.last?.classes.map(\.className) == ["Animal"])
    withExtendedLifetime(token) {}
  }

  @Test func `changes of objects with 150 attributes contain the names of all that changed`() throws
  {
    let names = (0..<150).map { "a\($0)" }
    let schema = ObjectSchema(
      "Wide", [Property("id", .int, isPrimaryKey: true)] + names.map { Property($0, .int) })
    let store = try Store(configuration: .inMemory(), schemas: [schema])
    try store.write {
      for id in 0..<3 { try store.create(dynamic: "Wide", value: ["id": .init(id)]) }
    }
    let changed = [0: ["a0", "a62", "a63", "a64", "a149"], 2: ["a127"]]
    let before = store.holdVersion()
    try store.write {
      for (id, names) in changed {
        let object = try #require(try store.object(dynamic: "Wide", forPrimaryKey: id))
        for name in names { object[name] = 1 }
      }
    }
    let modified = try #require(try store.changes(since: before)["Wide"]).modified
    #expect(modified.map(\.key) == [0, 2])
    #expect(modified.map(\.attributes) == [changed[0], changed[2]])
  }

  @Test func `commits without a net change are not reported`() throws {
    let store = try Observed.store(0..<1)
    let before = store.holdVersion()
    var count = 0
    let token = store.observe { _ in count += 1 }
    store.undone { store.delete(store.objects(Animal.self)) }
    try store.write { store.delete(try store.create(Animal.self, value: ["id": 3])) }
    store.refresh()
    #expect(count == 0)
    #expect(try store.changes(since: before).classes == [])
    withExtendedLifetime(token) {}
  }

  @Test func `changes since a version number are available while the version is retained`() throws {
    let store = try Observed.store(0..<1)
    var held: [StoreVersion] = [store.holdVersion(), store.holdVersion()]
    let number = store.version
    try store.write { store.delete(store.objects(Animal.self)) }
    #expect(try store.changes(since: number)?["Animal"]?.deleted == [0])
    held.removeLast()
    #expect(try store.changes(since: number) != nil)
    held.removeLast()
    #expect(try store.changes(since: number) == nil)
    #expect(try store.changes(since: 99) == nil)
  }

  @Test func `changes since a version of another handle advance the handle`() throws {
    let store = try Observed.store(0..<2)
    let other = try Store(configuration: store.configuration)
    try other.write { other.delete(other.objects(Animal.self)[0]) }
    let ahead = other.holdVersion()
    #expect(store.version < ahead.number)
    #expect(try store.changes(since: ahead).classes == [])
    #expect(store.version == ahead.number)
  }

  @Test func `changes since a version of another store are rejected`() throws {
    let version = try Store().holdVersion()
    let store = try Store()
    let error = #expect(throws: StoreError.self) { _ = try store.changes(since: version) }
    #expect(
      error.map { "\($0)" }
        == "StoreVersion: the object is unmanaged or frozen, or belongs to another store")
  }

  @Test func `changes of a store contain primary keys of every type`() throws {
    let store = try Store()
    let before = store.holdVersion()
    let id = UUID()
    try store.write {
      try store.create(Keyed.Text.self, value: ["id": "é"])
      try store.create(Keyed.Unique.self, value: ["id": .uuid(id)])
      try store.create(Keyed.Natural.self, value: ["id": .uint(.max)])
      try store.create(Keyed.None.self, value: ["name": "x"])
    }
    let changes = try store.changes(since: before)
    #expect(changes[Keyed.Text.self]?.inserted == ["é"])
    #expect(changes[Keyed.Unique.self]?.inserted == [.uuid(id)])
    #expect(changes[Keyed.Natural.self]?.inserted == [.uint(.max)])
    #expect(changes[Keyed.None.self]?.inserted == [.null])
  }

  @MainActor @Test func `changes of a store arrive as an asynchronous sequence`() async throws {
    let store = try Observed.store(0..<2)
    let changes = store.changes
    let task = Task {
      for await change in changes { return change["Animal"]?.deleted ?? [] }
      return []
    }
    while store.handle.delivery == nil { await Task.yield() }
    try store.write { store.delete(store.objects(Animal.self)[0]) }
    #expect(await task.value == [0])
  }
}

private enum Keyed {
  final class Text: Object {
    @Persisted(primaryKey: true) var id: String
  }

  final class Unique: Object {
    @Persisted(primaryKey: true) var id: UUID
  }

  final class Natural: Object {
    @Persisted(primaryKey: true) var id: UInt64
  }

  final class None: Object {
    @Persisted var name = ""
  }
}

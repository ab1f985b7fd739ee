import Foundation
import Testing
import TestSupport

@testable import ObjectStore

@Suite struct `Memory` {
  private func fill(_ store: Store, _ ids: Range<Int>) throws {
    try store.write {
      for id in ids {
        try store.create(
          EngineAnimal.self,
          value: ["id": .int(Int64(id)), "name": "lasting", "owner": ["id": "o"], "tags": ["t"]],
          update: .modified)
      }
    }
  }

  private func weakChunk(_ store: Store, _ index: Int) throws -> WeakChunk {
    WeakChunk(try store.tableVersion(EngineAnimal.self).chunk(index).takeUnretainedValue())
  }

  private struct WeakChunk {
    weak var chunk: Chunk?

    init(_ chunk: Chunk) { self.chunk = chunk }
  }

  // R4
  @Test func `a chunk of dead rows is freed once no version shows them`() throws {
    let store = try Store()
    try fill(store, 0..<600)
    let object = try store.animal(300)
    var frozen: FrozenResults<EngineAnimal>? = store.objects(EngineAnimal.self).frozen()
    let old = try weakChunk(store, 1)
    try store.write { for id in 256..<512 { store.delete(try store.animal(id)) } }
    let dead = try weakChunk(store, 1)
    // A version still shows the rows: their attributes read the last values.
    for id in 1000..<1003 {
      try fill(store, id..<id + 1)
      #expect(object.isInvalidated)
      #expect(object.name == "lasting")
      #expect(object.tags.isEmpty)
    }
    #expect(old.chunk != nil && dead.chunk != nil)
    #expect(frozen?[300].name == "lasting")
    frozen = nil
    try fill(store, 2000..<2001)
    #expect(old.chunk == nil && dead.chunk == nil)
    #expect(object.isInvalidated)
    #expect(object.name == "")
    #expect(object.id == 0)
    #expect(object.owner == nil)
    #expect(object.tags.isEmpty)
    #expect(store.objects(EngineAnimal.self).count == 348)
    #expect(try store.animal(255).name == "lasting")
    #expect(try store.animal(512).name == "lasting")
    store.checkInvariants()
  }

  @Test func `a chunk with live rows is kept`() throws {
    let store = try Store()
    try fill(store, 0..<600)
    try store.write { for id in 256..<511 { store.delete(try store.animal(id)) } }
    let deleted = try weakChunk(store, 1)
    for id in 1000..<1003 { try fill(store, id..<id + 1) }
    #expect(deleted.chunk != nil)
    #expect(try store.animal(511).name == "lasting")
  }

  @Test func `all versions, handles and objects of a released store are deallocated`() throws {
    weak var core: StoreCore?
    weak var engine: StoreEngine?
    weak var handle: StoreHandle?
    weak var version: Version?
    weak var object: EngineAnimal?
    weak var frozenHandle: StoreHandle?
    try {
      let store = try Store()
      try fill(store, 0..<300)
      let animal = try store.animal(1)
      (core, engine, handle) = (store.handle.core, store.handle.engine, store.handle)
      (version, object) = (store.handle.version, animal)
      let results = store.objects(EngineAnimal.self)
      #expect(results.count == 300)
      let frozen = results.frozen()
      frozenHandle = frozen.handle
      #expect(frozen.last?.owner?.animals.count == 300)
      store.undone {
        let added = EngineAnimal()
        added.id = 5000
        try store.add(added)
        animal.tags.append("x")
        store.undone { animal.friends.append(animal) }
      }
      try store.write { store.delete(animal) }
    }()
    #expect(core == nil && engine == nil && handle == nil)
    #expect(version == nil && object == nil && frozenHandle == nil)
  }

  @Test func `an older version is deallocated when its last handle advances`() throws {
    let store = try Store()
    let other = try Store(configuration: store.configuration)
    try fill(store, 0..<10)
    other.refresh()
    weak let version = store.handle.version
    try fill(store, 10..<20)
    #expect(version != nil)
    #expect(other.objects(EngineAnimal.self).count == 10)
    other.refresh()
    #expect(version == nil)
    #expect(other.objects(EngineAnimal.self).count == 20)
  }

  @Test func `objects added in a reference cycle are deallocated`() throws {
    weak var core: StoreCore?
    weak var first: Station?
    weak var second: Station?
    try {
      let store = try Store()
      core = store.handle.core
      let (one, other) = (Station(name: "one"), Station(name: "other"))
      (first, second) = (one, other)
      one.next = one
      other.next = one
      one.neighbours.append(other)
      other.lines["a"] = one
      let neighbours = one.neighbours
      // An object that a rollback made unmanaged again keeps its references.
      store.undone { try store.add(one) }
      #expect(one.next === one && one.neighbours.first === other && other.lines["a"] == one)
      store.undone {
        try store.add(one)
        store.undone { other.next = other }
      }
      #expect(other.next === one)
      try store.write { try store.add(one) }
      #expect(one.next == one && other.next == one && other.lines["a"] == one)
      #expect(neighbours == [other] && one.neighbours.map(\.name) == ["other"])
    }()
    #expect(core == nil && first == nil && second == nil)
  }

  @Test func `an object keeps its store alive`() throws {
    weak var core: StoreCore?
    var animal: EngineAnimal?
    try {
      let store = try Store()
      try fill(store, 0..<1)
      core = store.handle.core
      animal = try store.animal(0)
    }()
    #expect(core != nil)
    #expect(animal?.owner?.id == "o")
    animal = nil
    #expect(core == nil)
  }

  // R22
  @Test func `releasing a store inside its write releases the writer lock`() throws {
    let store = try Store()
    try {
      let other = try Store(configuration: store.configuration)
      try other.beginWrite()
      try other.create(EngineAnimal.self, value: ["id": 1])
    }()
    // If the lock were still held, this write would throw; on another thread it would wait forever.
    #expect(throws: Never.self) { try fill(store, 5..<6) }
    #expect(store.objects(EngineAnimal.self).map(\.id) == [5])
    store.checkInvariants()
  }
}

private final class Station: Object {
  @Persisted var name: String
  @Persisted var next: Station?
  @Persisted var neighbours: List<Station>
  @Persisted var lines: Map<String, Station?>

  convenience init(name: String) {
    self.init()
    self.name = name
  }
}

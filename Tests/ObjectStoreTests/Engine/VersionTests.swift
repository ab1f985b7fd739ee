import Testing
import TestSupport

@testable import ObjectStore

@Suite struct `A version of the store` {
  let store: Store

  init() throws {
    store = try Store()
  }

  private func addAnimals(_ ids: Range<Int>) throws {
    try store.write {
      for id in ids { try store.create(EngineAnimal.self, value: ["id": .int(Int64(id))]) }
    }
  }

  @Test func `a version does not show rows inserted after it`() throws {
    try addAnimals(0..<3)
    let frozen = store.objects(EngineAnimal.self).frozen()
    let old = try store.tableVersion(EngineAnimal.self)
    try addAnimals(3..<600)
    #expect(frozen.count == 3)
    #expect(frozen.map(\.id) == [0, 1, 2])
    var slots: [Int] = []
    old.forEachLive {
      slots.append($0)
      return true
    }
    #expect(slots == [0, 1, 2])
    #expect(!old.isLive(3))
    #expect(!old.isLive(599))
    let frozenHandle = frozen.handle
    let entry = frozenHandle.trustedEntry(EngineAnimal.self)
    #expect(3._encode { frozenHandle.find($0, .int, entry) } == nil)
  }

  // R1
  @Test func `a version keeps the values of cells changed after it`() throws {
    try addAnimals(0..<3)
    let frozen = store.objects(EngineAnimal.self).frozen()
    try store.write {
      let animal = try store.animal(1)
      animal.name = "Bella"
      animal.legs = 3
      animal.isWild = true
      animal.isTame = true
    }
    #expect(frozen[1].name == "unnamed")
    #expect(frozen[1].legs == 4)
    #expect(frozen[1].isWild == nil)
    #expect(frozen[1].isTame == false)
    let animal = try store.animal(1)
    #expect(animal.name == "Bella" && animal.legs == 3 && animal.isWild == true && animal.isTame)
    store.checkInvariants()
  }

  @Test func `inserting a row does not change the Boolean values of its neighbors`() throws {
    // Flags stored as bits would share a byte with their neighbors.
    for id in 0..<40 {
      try store.write {
        try store.create(
          EngineAnimal.self, value: ["id": .int(Int64(id)), "isTame": .bool(id % 3 == 0)])
      }
    }
    let animals = Array(store.objects(EngineAnimal.self))
    #expect(animals.map(\.isTame) == (0..<40).map { $0 % 3 == 0 })
  }

  @Test func `a transaction copies a column once and shares the others`() throws {
    try addAnimals(0..<3)
    let old = try store.tableVersion(EngineAnimal.self)
    let entry = try store.handle.entry(EngineAnimal.self)
    let name = try #require(entry.schema["name"]?.column)
    try store.write {
      try store.animal(0).name = "a"
      let first = try store.tableVersion(EngineAnimal.self).columns(0)[name].values
      try store.animal(1).name = "b"
      #expect(try store.tableVersion(EngineAnimal.self).columns(0)[name].values == first)
    }
    let new = try store.tableVersion(EngineAnimal.self)
    for column in entry.layout.columns.indices {
      #expect((old.columns(0)[column].values == new.columns(0)[column].values) == (column != name))
    }
  }

  // MARK: - Collections

  // R7
  @Test func `an append writes in place, and no edit changes the list of an older version`()
    throws
  {
    let animal = try store.write {
      let animal = try store.create(EngineAnimal.self, value: ["id": 1])
      for tag in ["a", "b", "c", "d", "e"] { animal.tags.append(tag) }
      return animal
    }
    let column = try #require(try store.handle.entry(EngineAnimal.self).schema["tags"]?.column)
    func run() throws -> CollectionSlice {
      try store.tableVersion(EngineAnimal.self).columns(0)[column].sliceWithCapacity(0)
    }
    let before = try run()
    try #require(before.capacity > before.length)
    var held: [(Frozen<EngineAnimal>, [String])] = []
    func edit(_ body: (List<String>) -> Void) throws {
      held.append((animal.frozen(), Array(animal.tags)))
      try store.write { body(animal.tags) }
    }
    try edit { $0.append("f") }
    #expect(try run().offset == before.offset)
    let edits: [(List<String>) -> Void] = [
      { $0[0] = "x" }, { $0.swapAt(0, 1) }, { $0.remove(at: 0) }, { $0.insert("y", at: 2) },
      { $0.append("z") }, { $0.removeAll() }, { $0.append("new") },
    ]
    for change in edits { try edit(change) }
    for (frozen, tags) in held { #expect(frozen.tags == tags) }
    #expect(Array(animal.tags) == ["new"])
    store.checkInvariants()
  }

  // R7
  @Test func `sets are sorted by value bytes and maps by key bytes`() throws {
    let texts = ["b", "", "a", "ab", "caf\u{E9}", "cafe\u{301}", "B"]
    let sorted = ["", "B", "a", "ab", "b", "cafe\u{301}", "caf\u{E9}"]
    let animal = try store.write {
      let animal = try store.create(
        EngineAnimal.self, value: ["id": 1, "colors": .array(texts.map { .string($0) })])
      for (number, text) in texts.enumerated() { animal.scores[text] = number }
      return animal
    }
    #expect(animal.colors.map { Array($0.utf8) } == sorted.map { Array($0.utf8) })
    #expect(animal.scores.keys.map { Array($0.utf8) } == sorted.map { Array($0.utf8) })
    for (number, text) in texts.enumerated() { #expect(animal.scores[text] == number) }
    store.checkInvariants()
  }

  // MARK: - Edit owners and slots

  // R1
  @Test func `every transaction and savepoint has a unique edit owner, even after a rollback`()
    throws
  {
    var editOwners: [UInt64] = []
    func note() { editOwners.append(store.handle.transaction?.editOwner ?? 0) }
    for round in 0..<4 {
      store.undone {
        note()
        store.undone { note() }
        note()
      }
      try store.write {
        note()
        try store.create(EngineAnimal.self, value: ["id": .int(Int64(round))])
        _ = store.handle.freeze()
        note()
      }
    }
    #expect(Set(editOwners).count == editOwners.count)
    #expect(editOwners == editOwners.sorted())
    #expect(!editOwners.contains(0))
  }

  // R2
  @Test func `a slot is never assigned twice, not even after a rollback`() throws {
    try addAnimals(0..<2)
    var slots: [Int] = []
    for _ in 0..<3 {
      store.undone {
        slots.append(try store.create(EngineAnimal.self, value: ["id": 7]).slot)
      }
      try store.write {
        let animal = try store.create(EngineAnimal.self, value: ["id": 7])
        slots.append(animal.slot)
        store.undone {
          slots.append(try store.create(EngineAnimal.self, value: ["id": 8]).slot)
        }
        store.delete(animal)
      }
    }
    #expect(slots == Array(2..<11))
    store.checkInvariants()
  }

  @Test func `the order of insertion is kept across rollbacks`() throws {
    for id in 0..<30 {
      store.undone { try addAnimals(1000..<1000 + id) }
      try addAnimals(id..<id + 1)
    }
    #expect(store.objects(EngineAnimal.self).map(\.id) == Array(0..<30))
    store.checkInvariants()
  }

  /// Covers the gaps that rolled-back transactions leave between rows, at every position in and across chunks.
  // R2
  @Test(
    arguments: [0, 1, 10, 15, 16, 17, 200, 255, 256, 257],
    [1, 5, 16, 17, 240, 255, 256, 257, 300, 600])
  func `slots of a rolled-back transaction read zero values`(before: Int, rolledBack: Int) throws {
    try addAnimals(0..<before)
    let base = try store.tableVersion(EngineAnimal.self)
    var lost: [EngineAnimal] = []
    store.undone {
      for id in 0..<rolledBack {
        let animal = try store.create(
          EngineAnimal.self,
          value: [
            "id": .int(Int64(10_000 + id)), "name": "lost", "tags": ["a", "b"], "isTame": true,
            "isWild": true, "weight": 2.5,
          ])
        if id == 0 || id == rolledBack - 1 { lost.append(animal) }
      }
    }
    #expect(base.count == before)
    try addAnimals(before..<before + 1)
    store.checkInvariants("after the next insertion")
    let new = try store.tableVersion(EngineAnimal.self)
    #expect(new.count == before + rolledBack + 1)
    #expect(new.liveCount == before + 1)
    #expect(store.objects(EngineAnimal.self).map(\.id) == Array(0..<before + 1))
    for object in lost {
      #expect(object.isInvalidated)
      #expect(object.id == 0)
      #expect(object.name == "")
      #expect(object.tags.isEmpty)
      #expect(object.isTame == false)
      #expect(object.isWild == nil)
    }
    try addAnimals(before + 1..<before + 300)
    store.checkInvariants("after many insertions")
    #expect(lost.allSatisfy { $0.isInvalidated && $0.name == "" && $0.weight == 0 })
    let last = try store.animal(before + 299)
    #expect(last.name == "unnamed" && last.tags.isEmpty)
  }

  @Test func `rows inserted between rolled-back savepoints keep their values`() throws {
    try store.write {
      try store.create(EngineAnimal.self, value: ["id": 0])
      for round in 1..<6 {
        store.undone {
          for id in 0..<round * 90 {
            try store.create(
              EngineAnimal.self, value: ["id": .int(Int64(1000 + id)), "name": "lost"])
          }
        }
        try store.create(EngineAnimal.self, value: ["id": .int(Int64(round))])
      }
    }
    #expect(store.objects(EngineAnimal.self).map(\.id) == Array(0..<6))
    #expect(store.objects(EngineAnimal.self).allSatisfy { $0.name == "unnamed" })
    store.checkInvariants()
  }

  // MARK: - Numbers

  @Test func `the version number increases only when a commit changes something`() throws {
    #expect(store.version == 0)
    try addAnimals(0..<1)
    #expect(store.version == 1)
    try store.write {}
    try store.write { try store.animal(0).name = "unnamed" }
    store.undone { try store.animal(0).name = "Bella" }
    try store.write { store.delete(try store.create(EngineAnimal.self, value: ["id": 5])) }
    #expect(store.version == 1)
    try store.write { try store.animal(0).name = "Bella" }
    #expect(store.version == 2)
  }

  @Test func `an object inserted and deleted in one write reads zero values afterwards`() throws {
    try addAnimals(0..<1)
    var object: EngineAnimal?
    try store.write {
      let animal = try store.create(EngineAnimal.self, value: ["id": 5, "name": "short-lived"])
      #expect(animal.name == "short-lived")
      store.delete(animal)
      #expect(animal.name == "short-lived")
      object = animal
    }
    let animal = try #require(object)
    // The accessor must look up its columns again: the cached ones are deallocated.
    #expect(animal.epoch != animal.storage?.pointee.epoch)
    #expect(animal.isInvalidated)
    #expect(animal.name == "")
    #expect(animal.tags.isEmpty)
  }

  @Test func `a version keeps sets and maps changed after it`() throws {
    try store.write {
      try store.create(
        EngineAnimal.self, value: ["id": 500, "scores": ["a": 1], "colors": ["red"]])
    }
    let frozen = try store.animal(500).frozen()
    try store.write {
      try store.animal(500).scores["b"] = 2
      try store.animal(500).colors.insert("blue")
    }
    #expect(frozen.scores == ["a": 1])
    #expect(frozen.colors == ["red"])
  }
}

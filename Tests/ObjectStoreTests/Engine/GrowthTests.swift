import Foundation
import Testing
import TestSupport

@testable import ObjectStore

/// The cost of an operation must depend only on live and changed rows. These tests count steps; none measures time.
@Suite struct `Cost of operations` {
  let store: Store

  init() throws {
    store = try Store()
    try store.write {
      for id in 0..<20 {
        try store.create(
          EngineAnimal.self, value: ["id": .int(Int64(id)), "owner": ["id": "o"]],
          update: .modified)
      }
    }
  }

  /// Advances the next slot as if that many rows of the class had been inserted and deleted.
  private func assignSlots<T: ObjectBase>(_ slots: Int, _ type: T.Type) throws {
    store.handle.engine.nextSlots[try store.handle.entry(type).table] = slots
  }

  // R27
  @Test func `memory does not grow with the number of slots of deleted rows`() throws {
    for slots in [40_000, 3_000_000, 900_000_000] {
      try assignSlots(slots, EngineAnimal.self)
      try store.write { try store.create(EngineAnimal.self, value: ["id": .int(Int64(slots))]) }
    }
    try store.write { try store.animal(900_000_000).name = "last" }
    let version = try store.tableVersion(EngineAnimal.self)
    #expect(version.count == 900_000_001)
    #expect(version.liveCount == 23)
    #expect(version.chunkCount == 4)
    #expect(version.branchCount == 7)
    #expect(
      store.objects(EngineAnimal.self).map(\.id).suffix(4) == [19, 40_000, 3_000_000, 900_000_000])
    #expect(store.objects(EngineAnimal.self).last?.name == "last")
    store.checkInvariants()

    try store.write { for id in 0..<20 { store.delete(try store.animal(id)) } }
    try store.write { store.delete(try store.animal(40_000)) }
    for _ in 0..<3 { try store.write { try store.owner("o").rank += 1 } }
    #expect(store.objects(EngineAnimal.self).first?.id == 3_000_000)
    // Deletions must not create chunks.
    #expect(try store.tableVersion(EngineAnimal.self).chunkCount <= 4)
    store.checkInvariants()
  }

  // R27
  @Test func `recorded changes take memory only for changed chunks`() throws {
    try assignSlots(500_000_000, EngineAnimal.self)
    try store.write { try store.create(EngineAnimal.self, value: ["id": 99]) }
    let changes = try store.write {
      try store.animal(99).legs = 3
      try store.animal(7).legs = 3
      let table = try store.handle.entry(EngineAnimal.self).table
      return try #require(store.handle.transaction).writer(table).changes
    }
    #expect(changes.mask(500_000_000) != 0)
    #expect(changes.mask(7) == changes.mask(500_000_000))
    #expect(changes.mask(8) == 0)
    #expect(changes.chunkCount == 2)
  }

  @Test func `lookup cost stays bounded when one key is reinserted repeatedly`() throws {
    try store.write {
      for id in 100..<1000 { try store.create(EngineAnimal.self, value: ["id": .int(Int64(id))]) }
    }
    var held = [store.objects(EngineAnimal.self).frozen()]
    var longest = 0
    for round in 0..<2000 {
      try store.write {
        store.delete(try store.animal(5))
        try store.create(EngineAnimal.self, value: ["id": 5, "legs": .int(Int64(round))])
      }
      if round % 400 == 0 { held.append(store.objects(EngineAnimal.self).frozen()) }
      longest = max(longest, try hints(of: 5))
    }
    #expect(longest < 80)
    #expect(try store.animal(5).legs == 1999)
    #expect(held.map { $0.first { $0.id == 5 }?.legs } == [4, 0, 400, 800, 1200, 1600])
    store.checkInvariants()
  }

  /// Returns the number of hints that a lookup of the key examines.
  private func hints(of key: UInt64) throws -> Int {
    let version = try store.tableVersion(EngineAnimal.self)
    let keys = try #require(version.keys)
    var hints = 0
    _ = keys.find(hash: keys.hash(word: key), key: key, limit: version.count) { _ in
      hints += 1
      return false
    }
    return hints
  }

  @Test func `lookup cost stays constant when an object alternates between two keys`() throws {
    let animal = try store.animal(5)
    for round in 0..<1000 {
      try store.write { try store.rekey(animal, to: round % 2 == 0 ? -1 : 5) }
    }
    #expect(try hints(of: 5) == 1)
    #expect(try hints(of: UInt64(bitPattern: -1)) == 1)
    #expect(animal.id == 5)
  }

  @Test func `the key index shrinks when rows are deleted`() throws {
    try store.write {
      for id in 1000..<9000 { try store.create(EngineAnimal.self, value: ["id": .int(Int64(id))]) }
    }
    let animals = store.objects(EngineAnimal.self)
    try store.write { store.delete(animals.where { $0.id >= 1010 }) }
    #expect(try #require(store.tableVersion(EngineAnimal.self).keys).hintCount == 30)
    #expect(store.object(ofType: EngineAnimal.self, forPrimaryKey: 1009) != nil)
    #expect(store.object(ofType: EngineAnimal.self, forPrimaryKey: 1010) == nil)
    store.checkInvariants()
  }

  @Test func `deletions one by one write each cell that links to deleted rows once`() throws {
    var rows: [EngineAnimal] = []
    try store.write {
      for id in 1000..<1500 {
        rows.append(try store.create(EngineAnimal.self, value: ["id": .int(Int64(id))]))
      }
      let farm = try store.create(EngineFarm.self, value: ["id": 1])
      for animal in rows {
        farm.animals.append(animal)
        try store.animal(0).friends.append(animal)
        farm.byName["\(animal.id)"] = .some(animal)
      }
    }
    try store.write {
      let transaction = try #require(store.handle.transaction)
      let before = transaction.changeTicks
      for row in rows.dropLast() { store.delete(row) }
      transaction.removeDeadLinks()
      // The deleted rows, the farm's list, its map, and the friends.
      #expect(transaction.changeTicks - before == 499 + 3)
    }
    let farm = try #require(store.object(ofType: EngineFarm.self, forPrimaryKey: 1))
    #expect(farm.animals.map(\.id) == [1499])
    #expect(try store.animal(0).friends.map(\.id) == [1499])
    #expect(farm.byName.count == 500)
    #expect(farm.byName.values.compactMap(\.self).map(\.id) == [1499])
    #expect(try store.animal(1499).farms.count == 1)
    #expect(try store.animal(1499).admirers.map(\.id) == [0])
    store.checkInvariants()
  }

  // R8
  @Test func `reading inverse links inside a write builds a backlink tree`() throws {
    let store = try Store()
    try store.write {
      for id in 0..<5 {
        try store.create(
          EngineAnimal.self, value: ["id": .int(Int64(id)), "owner": ["id": "o"]],
          update: .modified)
      }
      #expect(try store.owner("o").animals.count == 5)
      let column = try #require(ObjectSchema.of(EngineAnimal.self)["owner"]).column
      #expect(try store.tableVersion(EngineAnimal.self).indexes.backlinks[column]?.count == 5)
      try store.animal(2).owner = nil
      #expect(try store.owner("o").animals.map(\.id) == [0, 1, 3, 4])
    }
    store.checkInvariants()
  }

  @Test func `the first load builds the backlinks of declared inverse links`() throws {
    let animals = try store.tableVersion(EngineAnimal.self)
    let schema = try ObjectSchema.of(EngineAnimal.self)
    #expect(animals.indexes.backlinks[try #require(schema["owner"]).column]?.count == 20)
    #expect(animals.indexes.backlinks[try #require(schema["friends"]).column]?.count == 0)
    #expect(try store.owner("o").animals.count == 20)
    // No class declares the inverse of this link.
    #expect(animals.indexes.backlinks[try #require(schema["notes"]).column] == nil)
  }
}

@Suite struct `A slot tree built from an array` {
  @Test(arguments: [0, 1, 127, 128, 129, 16_384, 16_385, 40_000], KeyWidth.allCases)
  func `a slot tree built from an array holds all pairs in order`(count: Int, width: KeyWidth) {
    switch width {
    case .oneWord: make(count, UInt64.self)
    case .fourWords: make(count, CompoundIndexKey.self)
    }
  }

  private func make<Key: CountingKey>(_ count: Int, _ type: Key.Type) {
    var random = SeededRandom(seed: UInt64(count))
    let pairs = (0..<count).map {
      (key: Key(number: UInt64(random.below(count / 3 + 1))), slot: $0)
    }
    var tree = SlotTree(pairs, editOwner: 1)
    #expect(tree.brokenInvariants() == [])
    let sorted = pairs.sorted { ($0.key, $0.slot) < ($1.key, $1.slot) }
    #expect(tree.pairs.elementsEqual(sorted, by: ==))
    let bySlot = ContiguousArray(pairs.map { SlotTree.Pair($0.key, $0.slot) })
    #expect(SlotTree(bySlot: bySlot, editOwner: 1).pairs.elementsEqual(sorted, by: ==))
    tree.insert(key: Key(number: 3), slot: 50_000, editOwner: 2)
    for pair in pairs.prefix(500) { tree.remove(key: pair.key, slot: pair.slot, editOwner: 2) }
    #expect(tree.count == count + 1 - min(500, count))
    #expect(tree.brokenInvariants() == [])
  }
}

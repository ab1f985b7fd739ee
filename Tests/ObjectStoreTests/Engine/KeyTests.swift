import Foundation
import Testing
import TestSupport

@testable import ObjectStore

// R3
@Suite struct `The primary-key index` {
  let store: Store

  init() throws {
    store = try Store()
  }

  private func find(_ handle: StoreHandle, _ id: Int) throws -> Int? {
    let entry = try handle.entry(EngineAnimal.self)
    return id._encode { handle.find($0, .int, entry) }
  }

  private func create(_ ids: Range<Int>) throws {
    try store.write {
      for id in ids { try store.create(EngineAnimal.self, value: ["id": .int(Int64(id))]) }
    }
  }

  @Test func `a reinserted key finds the new row, and the old row in older versions`()
    throws
  {
    try create(7..<8)
    let first = try store.animal(7)
    let old = store.handle.freeze()
    try store.write { store.delete(first) }
    #expect(store.object(ofType: EngineAnimal.self, forPrimaryKey: 7) == nil)
    let between = store.handle.freeze()
    try create(7..<8)
    let second = try store.animal(7)
    #expect(second.slot == 1)
    #expect(second != first)
    #expect(first.isInvalidated && !second.isInvalidated)
    #expect(try find(old, 7) == 0)
    #expect(try find(between, 7) == nil)
    #expect(try find(store.handle, 7) == 1)
  }

  @Test func `older versions keep their key index when a larger one replaces it`() throws {
    try create(0..<10)
    let old = store.handle.freeze()
    let oldTable = try store.tableVersion(EngineAnimal.self)
    let oldKeys = try #require(oldTable.keys)
    try create(10..<2000)
    let newTable = try store.tableVersion(EngineAnimal.self)
    let newKeys = try #require(newTable.keys)
    #expect(oldKeys !== newKeys)
    #expect(oldTable.keys === oldKeys)
    for id in 0..<10 { #expect(try find(old, id) == id) }
    for id in 10..<2000 where id % 7 == 0 { #expect(try find(old, id) == nil) }
    for id in 0..<2000 where id % 7 == 0 { #expect(try find(store.handle, id) == id) }
  }

  @Test func `rebuilding the key index drops stale hints`() throws {
    try create(0..<5)
    for round in 0..<200 {
      try store.write {
        store.delete(try store.animal(4))
        try store.create(EngineAnimal.self, value: ["id": 4])
        if round == 100 { try store.rekey(try store.animal(0), to: 50) }
      }
    }
    let table = try store.tableVersion(EngineAnimal.self)
    let keys = try #require(table.keys)
    #expect(keys.hintCount < 64)
    store.checkInvariants()
  }

  @Test func `key index hints of a rolled-back transaction are ignored`() throws {
    try create(0..<1)
    store.undone {
      for id in 1..<500 { try store.create(EngineAnimal.self, value: ["id": .int(Int64(id))]) }
    }
    for id in 1..<500 { #expect(try find(store.handle, id) == nil) }
    try create(500..<501)
    for id in 1..<500 { #expect(try find(store.handle, id) == nil) }
    try create(1..<500)
    for id in 0..<501 { #expect(try store.animal(id).id == id) }
    store.checkInvariants()
  }

  // R10
  @Test func `a rekeyed row has its new key in the new version only`() throws {
    try store.write {
      let animal = try store.create(
        EngineAnimal.self, value: ["id": 1, "owner": ["id": "old"]])
      try store.create(EngineAnimal.self, value: ["id": 2, "friends": [UpdateValue(animal)]])
    }
    let old = store.handle.freeze()
    try store.write {
      try store.rekey(try store.animal(1), to: 100)
      try store.rekey(try store.owner("old"), to: "new")
    }
    #expect(try find(store.handle, 1) == nil)
    #expect(try find(store.handle, 100) == 0)
    #expect(try find(old, 1) == 0)
    #expect(try find(old, 100) == nil)
    #expect(try store.animal(100).owner?.id == "new")
    #expect(try store.animal(2).friends.map(\.id) == [100])
    #expect(store.object(ofType: EngineOwner.self, forPrimaryKey: "old") == nil)
    #expect(try store.owner("new").animals.map(\.id) == [100])
    // Rekeying back succeeds. A key that another object has is rejected.
    try store.write {
      try store.rekey(try store.animal(100), to: 1)
      #expect(throws: StoreError(.duplicatePrimaryKey(className: "Animal", key: "2"))) {
        try store.rekey(try store.animal(1), to: 2)
      }
      try store.rekey(try store.animal(1), to: 1)
    }
    #expect(try find(store.handle, 1) == 0)
    store.checkInvariants()
  }

  @Test func `a rollback undoes a rekey`() throws {
    try create(1..<2)
    store.undone { try store.rekey(try store.animal(1), to: 100) }
    #expect(try find(store.handle, 1) == 0)
    #expect(try find(store.handle, 100) == nil)
  }

  @Test func `string keys are distinguished by their bytes`() throws {
    let (composed, decomposed) = ("caf\u{E9}", "cafe\u{301}")
    try #require(composed == decomposed)
    try store.write {
      try store.create(EngineOwner.self, value: ["id": .string(composed), "rank": 1])
      try store.create(EngineOwner.self, value: ["id": .string(decomposed), "rank": 2])
      try store.create(EngineOwner.self, value: ["id": "", "rank": 3])
    }
    #expect(try store.owner(composed).rank == 1)
    #expect(try store.owner(decomposed).rank == 2)
    #expect(try store.owner("").rank == 3)
    #expect(store.objects(EngineOwner.self).count == 3)
    store.checkInvariants()
  }

  @Test func `UUID keys are found by their bytes`() throws {
    let ids = (0..<100).map { _ in UUID() }
    try store.write {
      for id in ids { try store.create(EngineDomain.Record.self, value: ["id": .uuid(id)]) }
    }
    for id in ids {
      #expect(store.object(ofType: EngineDomain.Record.self, forPrimaryKey: id)?.id == id)
    }
    store.checkInvariants()
  }

  @Test func `the key index finds all keys with colliding hashes`() {
    let index = KeyIndex(capacity: 32)
    for slot in 0..<20 { index.add(hash: 7, key: 7, slot: slot) }
    for slot in 0..<20 {
      #expect(index.find(hash: 7, key: 7, limit: 100) { $0 == slot } == slot)
    }
    #expect(index.find(hash: 7, key: 7, limit: 5) { $0 == 7 } == nil)
    #expect(index.find(hash: 7, key: 8, limit: 100) { _ in true } == nil)
  }
}

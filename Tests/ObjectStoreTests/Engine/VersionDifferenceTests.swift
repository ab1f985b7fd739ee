import TestSupport
import Testing

@testable import ObjectStore

// R13
@Suite struct `The difference of two versions` {
  let store: Store

  init() throws {
    store = try Store()
    try store.write {
      for id in 0..<700 { try store.create(EngineAnimal.self, value: ["id": .int(Int64(id))]) }
    }
  }

  private func difference(since earlier: Version) throws -> TableDifference {
    let handle = store.handle
    return VersionDifference(earlier, handle.version, handle.engine)[
      try handle.entry(EngineAnimal.self).table]
  }

  private func names(_ bits: AttributeBits) throws -> [String] {
    let entry = try store.handle.entry(EngineAnimal.self)
    return bits.all.map { entry.attributes[$0].name }
  }

  @Test
  func `a version difference contains deleted, inserted and changed rows and their attributes`()
    throws
  {
    let earlier = store.handle.version
    let slots = try [0, 5, 299, 650].map { try store.animal($0).slot }
    try store.write {
      try store.animal(0).name = "Bella"
      try store.animal(0).legs = 3
      try store.animal(299).tags.append("x")
      try store.animal(650).isWild = nil
      try store.animal(1).legs = 4
    }
    try store.write {
      store.delete(try store.animal(5))
      try store.create(EngineAnimal.self, value: ["id": 1000])
      store.delete(try store.create(EngineAnimal.self, value: ["id": 1001]))
    }
    let found = try difference(since: earlier)
    #expect(found.deleted == [slots[1]])
    #expect(found.inserted == [try store.animal(1000).slot])
    #expect(found.changed.map(\.slot) == [slots[0], slots[2]])
    #expect(try found.changed.map { try names($0.attributes) } == [["name", "legs"], ["tags"]])
    #expect(try found.attributes(of: slots[2]).map(names) == ["tags"])
    #expect(found.attributes(of: slots[3]) == nil)
  }

  @Test func `a version difference omits reverted changes`() throws {
    let earlier = store.handle.version
    try store.write {
      for animal in store.objects(EngineAnimal.self) {
        animal.legs += 1
        animal.name += "x"
        animal.tags.append("y")
      }
    }
    try store.write {
      for animal in store.objects(EngineAnimal.self) {
        animal.legs -= 1
        animal.name.removeLast()
        animal.tags.removeLast()
      }
      try store.animal(3).legs += 1
    }
    let found = try difference(since: earlier)
    #expect(try found.changed.map(\.slot) == [store.animal(3).slot])
    #expect(found.inserted.isEmpty && found.deleted.isEmpty)
  }

  @Test func `a version difference is correct across freed chunks and packed cells`() throws {
    let earlier = store.handle.version
    try store.write { for id in 200..<600 { store.delete(try store.animal(id)) } }
    for round in 0..<40 {
      try store.write {
        for id in 0..<100 { try store.animal(id).name = String(repeating: "n", count: 40 + round) }
      }
    }
    let found = try difference(since: earlier)
    #expect(found.deleted.count == 400)
    #expect(found.changed.count == 100)
    let middle = store.handle.version
    for _ in 0..<3 { try store.write { try store.animal(650).legs += 1 } }
    #expect(try difference(since: middle).changed.count == 1)
  }
}

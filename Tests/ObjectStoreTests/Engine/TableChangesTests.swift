import Testing
import TestSupport

@testable import ObjectStore

@Suite struct `The changes of a write` {
  let store: Store
  let table: Int

  init() throws {
    store = try Store()
    table = try store.handle.entry(EngineAnimal.self).table
    try store.write {
      for id in 0..<300 { try store.create(EngineAnimal.self, value: ["id": .int(Int64(id))]) }
    }
  }

  private func bit(_ names: String...) throws -> UInt64 {
    let schema = try ObjectSchema.of(EngineAnimal.self)
    var mask: UInt64 = 0
    for name in names {
      let column = try #require(schema[name]?.column)
      mask |= 1 << UInt64(column - schema.firstAttribute)
    }
    return mask
  }

  /// Returns the changes of one write to the table of animals.
  private func changes(_ body: () throws -> Void) throws -> TableChanges? {
    try store.write {
      try body()
      let changes = try #require(store.handle.transaction).writer(table).changes
      return changes.isEmpty ? nil : changes
    }
  }

  @Test func `the changes of a write record insertions, deletions and changed attributes`() throws {
    let found = try changes {
      try store.create(EngineAnimal.self, value: ["id": 1000])
      store.delete(try store.create(EngineAnimal.self, value: ["id": 1001]))
      store.delete(try store.animal(5))
      store.delete(try store.animal(2))
      try store.animal(0).name = "Bella"
      try store.animal(0).legs = 3
      try store.animal(299).tags.append("x")
      try store.animal(299).isWild = nil
      try store.animal(1).legs = 4
    }
    let changes = try #require(found)
    #expect(changes.insertedCount == 1)
    #expect(changes.deleted == [5, 2])
    #expect(changes.mask(0) == (try bit("name", "legs")))
    #expect(changes.mask(299) == (try bit("tags")))
    #expect(changes.mask(1) == 0)
    #expect(changes.mask(300) == 0)
  }

  @Test func `equal values count as changes only in an update of all attributes`() throws {
    let value: UpdateDictionary = ["id": 0, "legs": 4, "name": "unnamed"]
    #expect(
      try changes { try store.create(EngineAnimal.self, value: value, update: .modified) } == nil)
    let found = try changes {
      try store.create(EngineAnimal.self, value: value, update: .all)
    }
    #expect(found?.mask(0) == (try bit("name", "legs")))
  }

  @Test func `the changes of a write include committed savepoints but not rolled-back ones`() throws
  {
    let found = try changes {
      let kept = try store.create(EngineAnimal.self, value: ["id": 1000])
      try store.animal(0).name = "outer"
      try store.write {
        try store.animal(0).legs = 3
        try store.animal(1).legs = 3
        store.delete(try store.animal(2))
        store.delete(kept)
        try store.create(EngineAnimal.self, value: ["id": 1001])
        try store.create(EngineAnimal.self, value: ["id": 1002])
      }
      store.undone {
        try store.animal(0).weight = 7
        try store.animal(3).weight = 7
        store.delete(try store.animal(4))
        try store.create(EngineAnimal.self, value: ["id": 1003])
      }
      try store.animal(0).isTame = true
    }
    let changes = try #require(found)
    #expect(changes.insertedCount == 2)
    #expect(changes.deleted == [2])
    #expect(changes.mask(0) == (try bit("name", "legs", "isTame")))
    #expect(changes.mask(1) == (try bit("legs")))
    #expect(changes.mask(3) == 0)
    #expect(store.objects(EngineAnimal.self).count == 301)
    #expect(try store.animal(0).weight == 0)
    store.checkInvariants()
  }
}

// R11
@Suite struct `Differing values` {
  let store: Store

  init() throws {
    store = try Store()
    try store.write { try store.create(EngineAnimal.self, value: ["id": 1]) }
  }

  @Test(arguments: [
    (0.0, -0.0, true), (-0.0, -0.0, false), (Double.nan, Double.nan, false),
    (Double.nan, -Double.nan, true), (1.5, 1.5, false), (Double.infinity, -Double.infinity, true),
  ])
  func `a write compares numbers by their bits`(old: Double, new: Double, differs: Bool) throws {
    try store.write { try store.animal(1).weight = old }
    let version = store.version
    try store.write { try store.animal(1).weight = new }
    #expect((store.version != version) == differs)
    #expect(try store.animal(1).weight.bitPattern == new.bitPattern)
    try store.write { try store.animal(1).doses.append(old) }
    let listVersion = store.version
    try store.write {
      try store.create(
        EngineAnimal.self, value: ["id": 1, "doses": [.double(new)]], update: .modified)
    }
    #expect((store.version != listVersion) == differs)
  }

  @Test func `a write compares strings by their bytes`() throws {
    let (composed, decomposed) = ("caf\u{E9}", "cafe\u{301}")
    try store.write {
      try store.animal(1).name = composed
      try store.animal(1).tags.append(composed)
    }
    let version = store.version
    try store.write {
      try store.animal(1).name = composed
      try store.create(
        EngineAnimal.self, value: ["id": 1, "tags": [.string(composed)]], update: .modified)
    }
    #expect(store.version == version)
    try store.write { try store.animal(1).name = decomposed }
    #expect(store.version == version + 1)
    #expect(try Array(store.animal(1).name.utf8) == Array(decomposed.utf8))
    try store.write {
      try store.create(
        EngineAnimal.self, value: ["id": 1, "tags": [.string(decomposed)]], update: .modified)
    }
    #expect(store.version == version + 2)
  }

  @Test func `a write distinguishes null from the empty string`() throws {
    let owner = try store.write { try store.create(EngineOwner.self, value: ["id": "o"]) }
    for name in [nil, "", nil, "a", ""] as [String?] {
      let version = store.version
      let isEqual = owner.name == name
      try store.write { owner.name = name }
      #expect((store.version == version) == isEqual)
      #expect(owner.name == name)
    }
  }

  @Test func `recorded changes use one bit for the 64th and all later attributes`() {
    var changes = TableChanges()
    changes.note(3, attribute: 62)
    changes.note(4, attribute: 63)
    changes.note(5, attribute: 900)
    let masks: [UInt64] = [1 << 62, 1 << 63, 1 << 63, 0]
    #expect([3, 4, 5, 6].map { changes.mask($0) } == masks)
  }
}

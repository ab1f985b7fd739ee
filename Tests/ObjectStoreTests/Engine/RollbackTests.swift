import Foundation
import Testing
import TestSupport

@testable import ObjectStore

// R6
@Suite struct `A rollback` {
  let store: Store

  init() throws {
    store = try Store()
    try store.write { try store.create(EngineAnimal.self, value: ["id": 1, "tags": ["a"]]) }
  }

  @Test func `a rollback makes added objects unmanaged again, with their previous values`() throws {
    let (animal, owner) = (EngineAnimal(), EngineOwner())
    animal.id = 7
    animal.name = "Bella"
    animal.tags = List(["x", "y"])
    animal.scores["k"] = 1
    animal.owner = owner
    owner.id = "new"
    var listTakenInside: List<String>?
    let listTakenBefore = animal.tags
    store.undone {
      try store.add(animal)
      #expect(animal.isManaged && owner.isManaged)
      animal.name = "changed"
      animal.tags.append("z")
      animal.scores["k"] = 2
      owner.rank = 9
      listTakenInside = animal.tags
      #expect(Array(listTakenBefore) == ["x", "y", "z"])
    }
    #expect(!animal.isManaged && !owner.isManaged)
    #expect(animal.name == "Bella")
    #expect(Array(animal.tags) == ["x", "y"])
    #expect(Array(listTakenBefore) == ["x", "y"])
    #expect(animal.scores["k"] == 1)
    #expect(animal.owner === owner && owner.rank == 0)
    #expect(listTakenInside?.count == 0)
    try store.write { try store.add(animal) }
    #expect(try store.animal(7).owner?.id == "new")
    store.checkInvariants()
  }

  @Test func `objects created in a rolled-back write stay invalid and read zero values`()
    throws
  {
    var animal: EngineAnimal?
    var record: EngineDomain.Record?
    store.undone {
      animal = try store.create(
        EngineAnimal.self,
        value: [
          "id": 8, "name": "lost", "owner": ["id": "lost"], "collar": ["size": 3],
          "scores": ["k": 1], "colors": ["red"], "friends": [["id": 9]],
        ])
      record = try store.create(
        EngineDomain.Record.self,
        value: [
          "id": .uuid(UUID()), "text": "lost", "decimal": 1.5, "large": 7, "optional": "lost",
          "ids": [.uuid(UUID())],
        ])
    }
    let (lost, lostRecord) = (try #require(animal), try #require(record))
    func check() {
      #expect(lost.isManaged && lost.isInvalidated)
      #expect(lost.id == 0 && lost.name == "" && lost.legs == 0 && lost.weight == 0)
      #expect(lost.owner == nil && lost.collar == nil && lost.note == nil)
      #expect(lost.friends.isEmpty && lost.scores.isEmpty && lost.colors.isEmpty)
      #expect(lost.isWild == nil && !lost.isTame && lost.admirers.isEmpty)
      #expect(lostRecord.isInvalidated)
      #expect(lostRecord.text == "" && lostRecord.optional == nil && lostRecord.ids.isEmpty)
      #expect(lostRecord.decimal == 0 && lostRecord.large == 0 && lostRecord.data.isEmpty)
      #expect(lostRecord.uuid.uuidString == "00000000-0000-0000-0000-000000000000")
      #expect(lostRecord.date == Date(timeIntervalSinceReferenceDate: 0))
      #expect(lostRecord.url == URL(fileURLWithPath: "/"))
    }
    check()
    // Later rows do not revive them.
    try store.write {
      for id in 100..<700 {
        try store.create(
          EngineAnimal.self,
          value: ["id": .int(Int64(id)), "name": "new", "owner": ["id": "o"]], update: .modified)
        try store.create(EngineDomain.Record.self, value: ["id": .uuid(UUID()), "text": "new"])
      }
    }
    check()
    store.checkInvariants()
  }

  @Test func `a rollback restores deleted objects with their links`() throws {
    try store.write {
      try store.create(
        EngineAnimal.self,
        value: ["id": 1, "collar": ["size": 3], "owner": ["id": "o"], "friends": [["id": 2]]],
        update: .modified)
    }
    let animal = try store.animal(1)
    let collar = try #require(animal.collar)
    store.undone {
      store.delete(animal)
      store.delete(try store.animal(2))
      store.delete(try store.owner("o"))
      #expect(animal.isInvalidated && collar.isInvalidated)
    }
    #expect(!animal.isInvalidated && !collar.isInvalidated)
    #expect(animal.friends.map(\.id) == [2] && animal.owner?.id == "o")
    #expect(try store.owner("o").animals.map(\.id) == [1])
    #expect(try store.animal(2).admirers.map(\.id) == [1])
    store.checkInvariants()
  }

  @Test func `rolling back a savepoint undoes only its changes and detaches its objects`() throws {
    let (outer, inner) = (EngineAnimal(), EngineAnimal())
    (outer.id, inner.id) = (10, 11)
    try store.write {
      try store.add(outer)
      store.undone {
        try store.add(inner)
        outer.name = "inner"
        try store.animal(1).tags.append("lost")
        store.delete(try store.animal(1))
      }
      #expect(outer.isManaged && !inner.isManaged)
      #expect(outer.name == "unnamed")
      #expect(Array(try store.animal(1).tags) == ["a"])
      try store.write { try store.add(inner) }
    }
    #expect(inner.isManaged)
    #expect(store.objects(EngineAnimal.self).map(\.id) == [1, 10, 11])
    store.checkInvariants()
  }

  @Test func `a rejected update or addition changes nothing`() throws {
    let version = store.version
    try store.write {
      let duplicate = StoreError(.duplicatePrimaryKey(className: "Animal", key: "1"))
      #expect(throws: duplicate) {
        try store.create(
          EngineAnimal.self, value: ["id": 5, "friends": [["id": 6], ["id": 1, "legs": 9]]])
      }
      #expect(throws: StoreError(.duplicatePrimaryKey(className: "Animal", key: "6"))) {
        try store.create(EngineAnimal.self, value: ["id": 5, "friends": [["id": 6], ["id": 6]]])
      }
      #expect(throws: StoreError(.nullForNonOptional(attribute: "Animal.legs"))) {
        try store.create(
          EngineAnimal.self, value: ["id": 5, "owner": ["id": "x"], "legs": nil])
      }
      let animal = EngineAnimal()
      animal.id = 1
      animal.owner = EngineOwner()
      #expect(throws: duplicate) { try store.add(animal) }
      #expect(!animal.isManaged && animal.owner?.isManaged == false)
    }
    #expect(store.version == version)
    #expect(store.objects(EngineAnimal.self).map(\.id) == [1])
    #expect(store.objects(EngineOwner.self).isEmpty)
  }
}

// R8
@Suite struct `Inverse links` {
  @Test func `inverse links contain each source once, whether scanned or read from the tree`()
    throws
  {
    let store = try Store()
    try store.write {
      for id in 0..<20 { try store.create(EngineAnimal.self, value: ["id": .int(Int64(id))]) }
      for id in 1..<20 {
        for _ in 0..<id % 4 { try store.animal(id).friends.append(try store.animal(0)) }
      }
    }
    let expected = (1..<20).filter { $0 % 4 != 0 }
    let animal = try store.animal(0)
    #expect(animal.admirers.map(\.id) == expected)
    let scanned = store.handle.freeze()
    // The write after the first use builds the tree.
    try store.write { try store.animal(5).friends.append(animal) }
    let entry = try store.handle.entry(EngineAnimal.self)
    let column = try #require(entry.schema["friends"]?.column)
    #expect(try store.tableVersion(EngineAnimal.self).indexes.backlinks[column] != nil)
    #expect(animal.admirers.map(\.id) == expected)
    try store.write {
      try store.animal(5).friends.remove(at: 0)
      try store.animal(1).friends.removeAll()
      store.delete(try store.animal(2))
      try store.animal(4).friends.append(animal)
    }
    #expect(animal.admirers.map(\.id) == (3..<20).filter { $0 % 4 != 0 || $0 == 4 })
    let old: EngineAnimal = scanned.object(entry, 0)
    #expect(old.admirers.map(\.id) == expected)
    try store.write { store.delete(animal) }
    #expect(store.objects(EngineAnimal.self).allSatisfy { $0.friends.isEmpty })
    store.checkInvariants()
  }
}

// R12
@Suite struct `An accessor` {
  /// Returns true if the cached columns are those of its row in the version that its store shows.
  private func isCurrent(_ animal: EngineAnimal, _ store: Store) throws -> Bool {
    let columns = try store.tableVersion(EngineAnimal.self).columns(animal.slot)
    return animal.epoch != animal.storage?.pointee.epoch || animal.columns == columns
  }

  @Test func `an accessor never reads columns of another version`() throws {
    let store = try Store()
    let other = try Store(configuration: store.configuration)
    try store.write { try store.create(EngineAnimal.self, value: ["id": 1]) }
    let animal = try store.animal(1)
    func check(_ name: String) throws {
      #expect(try isCurrent(animal, store))
      #expect(animal.name == name)
      #expect(try isCurrent(animal, store))
    }
    try check("unnamed")
    try store.write {
      animal.name = "a"
      try check("a")
      for id in 2..<40 { try store.create(EngineAnimal.self, value: ["id": .int(Int64(id))]) }
      try check("a")
      _ = animal.frozen()
      try check("a")
      store.undone {
        animal.name = "b"
        try check("b")
      }
      try check("a")
    }
    try check("a")
    store.undone {
      animal.name = "c"
      try check("c")
    }
    try check("a")
    other.refresh()
    try other.write { try other.animal(1).name = "d" }
    try check("a")
    store.refresh()
    try check("d")
    try store.write { store.delete(try store.create(EngineAnimal.self, value: ["id": 99])) }
    try check("d")
  }
}

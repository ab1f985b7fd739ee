import Foundation
import Testing
import TestSupport

@testable import ObjectStore

@Suite struct `Limits of the engine` {
  let store: Store

  init() throws {
    store = try Store()
    try store.write { try store.create(EngineAnimal.self, value: ["id": 1, "tags": ["first"]]) }
  }

  private func limit(text: Int = Arena.textLimit, elements: Int = Arena.elementLimit) throws {
    let table = try store.handle.entry(EngineAnimal.self).table
    store.handle.engine.table(table).arenaLimits = (text, elements)
  }

  private func texts(_ count: Int) -> [String] {
    (0..<count).map { "text \($0) " + String(repeating: "x", count: 100) }
  }

  static let tooLarge = StoreError(.collectionsTooLarge(attribute: "Animal.tags"))

  // R7
  @Test func `a write whose collections exceed the text limit fails and changes nothing`() throws {
    try limit(text: 5000)
    let version = store.version
    let animal = try store.animal(1)
    #expect(throws: Self.tooLarge) {
      try store.write {
        animal.name = "changed"
        for text in texts(60) { animal.tags.append(text) }
      }
    }
    #expect(throws: Self.tooLarge) { try store.write { animal.tags = List(texts(60)) } }
    #expect(throws: Self.tooLarge) {
      try store.write {
        try store.create(
          EngineAnimal.self,
          value: ["id": 2, "tags": .array(texts(60).map { .string($0) })])
      }
    }
    #expect(
      Self.tooLarge.description
        == "Animal.tags: the collections of 256 neighboring objects hold more than 4 GiB of text "
        + "or 32 GiB of elements")
    #expect(store.version == version)
    #expect(animal.name == "unnamed")
    #expect(Array(animal.tags) == ["first"])
    store.checkInvariants()
  }

  @Test func `a collection can be replaced and extended up to the limit repeatedly`() throws {
    try limit(text: 5000)
    let animal = try store.animal(1)
    for _ in 0..<5 {
      try store.write { animal.tags = List(texts(20)) }
      try store.write { for text in texts(20) { animal.tags.append(text) } }
      #expect(Array(animal.tags) == texts(20) + texts(20))
      try store.write { animal.tags.removeAll() }
    }
    store.checkInvariants()
  }

  @Test func `exceeding a limit in a savepoint rolls back only the savepoint`() throws {
    try limit(elements: 80)
    let animal = try store.animal(1)
    try store.write {
      animal.legs = 3
      #expect(throws: StoreError(.collectionsTooLarge(attribute: "Animal.doses"))) {
        try store.write { animal.doses = List((0..<50).map { Double($0) }) }
      }
      animal.doses.append(0.5)
    }
    #expect(animal.legs == 3)
    #expect(Array(animal.doses) == [0.5])
    store.checkInvariants()
  }

  @Test func `inserting more objects than there are slots fails`() throws {
    let table = try store.handle.entry(EngineAnimal.self).table
    store.handle.engine.nextSlots[table] = Int(UInt32.max) - 3
    try store.write {
      try store.create(
        EngineAnimal.self, value: ["id": 2, "friends": [["id": 1]]], update: .modified)
    }
    try store.write {
      try store.create(
        EngineAnimal.self, value: ["id": 3, "friends": [["id": 2]]], update: .modified)
    }
    let version = store.version
    let error = StoreError(.tooManyObjects(className: "Animal"))
    for id in 4..<6 as Range<Int64> {
      #expect(throws: error) {
        try store.write {
          try store.create(
            EngineAnimal.self, value: ["id": .int(id), "friends": [["id": 3]]],
            update: .modified)
        }
      }
    }
    #expect(
      error.description == "Animal: the class has had 4294967294 objects since the store was "
        + "opened and accepts no more")
    #expect(store.version == version)
    #expect(store.objects(EngineAnimal.self).map(\.id) == [1, 2, 3])
    #expect(try store.animal(2).admirers.map(\.id) == [3])
    try store.write { try store.animal(3).legs = 3 }
    store.checkInvariants()
  }
}

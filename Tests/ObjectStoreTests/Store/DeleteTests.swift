import Foundation
import ObjectStore
import TestSupport
import Testing

@Suite struct `Deleting and rekeying objects` {
  @Test func `deleting clears links, removes list elements and deletes embedded objects`() throws {
    let store = try Store()
    let farm = Farm(name: "A")
    let (mother, child) = (Animal(id: 1), Animal(id: 2))
    farm.animals = [mother, child, mother]
    child.mother = mother
    mother.owner = Owner(id: 1)
    mother.owner?.home = Address(street: "S")
    try store.write { try store.add(farm) }
    let owner = try #require(mother.owner)
    let home = try #require(owner.home)
    try store.write { store.delete(mother) }
    #expect(Array(farm.animals) == [child] && child.mother == nil)
    #expect(!owner.isInvalidated && owner.animals.isEmpty)
    try store.write { store.delete(owner) }
    #expect(home.isInvalidated && home.street == "S")
  }

  @Test func `deleting an object removes it from sets and clears its map values`() throws {
    let store = try Store()
    let (object, other) = (AllTypes(id: 1), AllTypes(id: 2))
    object.objectSet = [object, other]
    object.objectMap = ["other": other]
    try store.write { try store.add(object) }
    try store.write { store.delete(other) }
    #expect(Array(object.objectSet) == [object])
    #expect(object.objectMap["other"] == .some(nil))
  }

  @Test func `deleting an object twice has no effect`() throws {
    let store = try Store()
    let animal = Animal(id: 1)
    try store.write { try store.add(animal) }
    try store.write {
      store.delete(animal)
      store.delete(animal)
    }
    try store.write { store.delete(animal) }
    #expect(store.version == 2)
  }

  @Test func `a loop over results may delete the objects it visits`() throws {
    let store = try Store()
    try store.write { for id in 0..<10 { try store.add(Animal(id: id)) } }
    try store.write {
      var seen: [Int] = []
      for animal in store.objects(Animal.self) {
        seen.append(animal.id)
        if animal.id % 2 == 0 { store.delete(animal) }
      }
      #expect(seen == Array(0..<10))
    }
    #expect(store.objects(Animal.self).map(\.id) == [1, 3, 5, 7, 9])
  }

  @Test func `all objects of a list, of results and of a store can be deleted`() throws {
    let store = try Store()
    let farm = Farm(name: "A")
    farm.animals = [Animal(id: 1), Animal(id: 2)]
    farm.address = Address(street: "S")
    try store.write {
      try store.add(farm)
      try store.add(Animal(id: 3))
    }
    try store.write { store.delete(farm.animals) }
    #expect(store.objects(Animal.self).map(\.id) == [3] && farm.animals.isEmpty)
    try store.write { store.delete(store.objects(Animal.self)) }
    #expect(store.objects(Animal.self).isEmpty)
    try store.write { store.deleteAll() }
    #expect(farm.isInvalidated && store.objects(Farm.self).isEmpty)
    try store.write { try store.add(Farm(name: "A")) }
    #expect(store.objects(Farm.self).count == 1)
  }

  @Test func `rekey changes the key of an object and keeps links to it`() throws {
    let store = try Store()
    let farm = Farm(name: "A")
    farm.animals = [Animal(id: 1), Animal(id: 2)]
    try store.write { try store.add(farm) }
    let animal = farm.animals[0]
    try store.write {
      try store.rekey(animal, to: 9)
      try store.rekey(farm, to: "B")
    }
    #expect(animal.id == 9 && farm.animals.map(\.id) == [9, 2])
    #expect(store.object(ofType: Animal.self, forPrimaryKey: 9) == animal)
    #expect(store.object(ofType: Animal.self, forPrimaryKey: 1) == nil)
    #expect(store.object(ofType: Farm.self, forPrimaryKey: "B") == farm)
    _ = try? store.write {
      try store.rekey(animal, to: 10)
      throw Undo()
    }
    #expect(animal.id == 9 && store.object(ofType: Animal.self, forPrimaryKey: 10) == nil)
  }

  @Test func `rekey rejects an existing key and a class without a key`() throws {
    let store = try Store()
    let (one, two, note) = (Animal(id: 1), Animal(id: 2), Note("x"))
    try store.write {
      try store.add([one, two]); try store.add(note)
    }
    func text(_ body: () throws -> Void) -> String? {
      #expect(throws: StoreError.self) { try store.write(body) }?.description
    }
    #expect(
      text { try store.rekey(one, to: 2) }
        == "Animal: an object with the primary key 2 already exists")
    #expect(
      text { try store.rekey(note, to: 2) }
        == "Note: the class has no primary key, which is needed to find and update objects")
    #expect(
      text { try store.rekey(one, to: "x") } == "Animal.id: expected Int, found String \"x\"")
    try store.write { try store.rekey(one, to: 1) }
    #expect(store.version == 1)
    try store.write { store.delete(one) }
    #expect(text { try store.rekey(one, to: 5) } == "Animal: the object was deleted or rolled back")
  }

  @Test func `a map of optional links keeps the key of a deleted object, other maps do not`()
    throws
  {
    let store = try Store()
    try store.write {
      try store.create(
        EngineFarm.self,
        value: [
          "id": 1, "byName": ["b": ["id": 1], "a": ["id": 2]],
          "notesByDay": ["monday": ["text": "x"], "tuesday": ["text": "y"]],
        ])
    }
    let farm = try #require(store.object(ofType: EngineFarm.self, forPrimaryKey: 1))
    try store.write {
      store.delete(try #require(store.object(ofType: EngineAnimal.self, forPrimaryKey: 1)))
      store.delete(try #require(farm.notesByDay["monday"]))
    }
    #expect(farm.byName.keys == ["a", "b"])
    #expect(farm.byName["b"] == .some(nil))
    #expect(farm.byName["a"]??.id == 2)
    #expect(farm.notesByDay.keys == ["tuesday"])
  }
}

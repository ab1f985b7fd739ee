import Foundation
import ObjectStore
import TestSupport
import Testing

final class Watched: Object {
  var log: [String] = []
  @Persisted var name = "" {
    didSet { log.append("\(oldValue)→\(name)") }
  }
}

class Described: Object {
  @Persisted(primaryKey: true) var id: Int
  @Persisted var name = ""

  override var description: String { "\(name) (\(id))" }
}

final class DescribedTwice: Described {
  override var description: String { "the \(super.description)" }
}

@Suite struct `Object states` {
  @Test func `an object changes from unmanaged to managed to invalidated`() throws {
    let store = try Store()
    let animal = Animal(id: 1, name: "Bella")
    #expect(!animal.isManaged && !animal.isInvalidated)
    try store.write { try store.add(animal) }
    #expect(animal.isManaged && !animal.isInvalidated)
    try store.write { store.delete(animal) }
    #expect(animal.isManaged && animal.isInvalidated)
    #expect(animal.name == "Bella")
  }

  @Test func `didSet observers run for unmanaged and managed objects`() throws {
    let store = try Store()
    let watched = Watched()
    watched.name = "a"
    try store.write {
      try store.add(watched)
      watched.name = "b"
    }
    #expect(watched.log == ["→a", "a→b"])
  }

  // R23
  @Test func `unmanaged objects are equal by instance, managed ones by row`() throws {
    let store = try Store()
    let (animal, same) = (Animal(id: 1), Animal(id: 1))
    #expect(animal == animal && animal != same)
    try store.write { try store.add(animal) }
    let read = try #require(store.object(ofType: Animal.self, forPrimaryKey: 1))
    #expect(read == animal && read !== animal)
    #expect(read.hashValue == animal.hashValue)
    #expect(animal != same)
    let other = try Store(configuration: store.configuration)
    #expect(other.object(ofType: Animal.self, forPrimaryKey: 1) == animal)
    let foreign = try Store()
    try foreign.write { try foreign.add(same) }
    #expect(same != animal)
  }

  @Test func `a deleted object and a new one with the same key are not equal`() throws {
    let store = try Store()
    let old = Animal(id: 1)
    try store.write { try store.add(old) }
    let new = try store.write {
      store.delete(old)
      return try store.create(Animal.self, value: ["id": 1])
    }
    #expect(old != new && old.isInvalidated && !new.isInvalidated)
  }

  @Test func `the description of an object shows its class and attributes`() throws {
    let animal = Animal(id: 7, name: "Bella")
    animal.owner = Owner(id: 2)
    animal.tags = ["a", "b"]
    #expect(
      animal.description == """
        Animal(id: 7, name: "Bella", species: cow, legs: 4, born: nil, owner: Owner(2), \
        mother: nil, tags: ["a", "b"], farms: 0 × Farm, children: 0 × Animal)
        """)
    let store = try Store()
    try store.write {
      try store.add(animal)
      animal.mother = animal
    }
    #expect(
      "\(animal)" == """
        Animal(id: 7, name: "Bella", species: cow, legs: 4, born: nil, owner: Owner(2), \
        mother: Animal(7), tags: ["a", "b"], farms: 0 × Farm, children: 1 × Animal)
        """)
  }

  @Test func `a class may override description`() throws {
    let store = try Store()
    let (one, two) = (Described(), DescribedTwice())
    (one.name, two.name, two.id) = ("Bella", "Daisy", 1)
    #expect("\(one) \(two)" == "Bella (0) the Daisy (1)")
    try store.write {
      try store.add(one)
      try store.add(two)
      two.name = "Ciao"
    }
    #expect("\([one, two])" == "[Bella (0), the Ciao (1)]")
    #expect((two as ObjectBase).description == "the Ciao (1)")
    #expect(two.frozen().description == "the Ciao (1)")
  }

  @Test func `a collection read before add shows the object's row afterwards`() throws {
    let store = try Store()
    let farm = Farm(name: "A")
    let (animals, prices, colours) = (farm.animals, farm.prices, farm.colours)
    animals.append(Animal(id: 1))
    try store.write {
      try store.add(farm)
      animals.append(Animal(id: 2))
      prices["milk"] = 1
      colours.insert("red")
    }
    #expect(farm.animals.map(\.id) == [1, 2])
    #expect(farm.prices.dictionary == ["milk": 1])
    #expect(Array(farm.colours) == ["red"])
    try store.write { farm.animals.removeAll() }
    #expect(animals.isEmpty)
  }

  @Test func `a rollback restores the values of an added object`() throws {
    let store = try Store()
    let farm = Farm(name: "A")
    farm.address = Address(street: "old")
    farm.animals = [Animal(id: 1)]
    farm.colours = ["red"]
    let animals = farm.animals
    try store.beginWrite()
    try store.add(farm)
    farm.address?.street = "new"
    farm.animals.append(Animal(id: 2))
    farm.colours = []
    store.cancelWrite()
    #expect(!farm.isManaged && !farm.isInvalidated)
    #expect(farm.address?.street == "old")
    #expect(farm.animals.map(\.id) == [1] && animals.map(\.id) == [1])
    #expect(Array(farm.colours) == ["red"])
    #expect(farm.animals.first?.isManaged == false)
    #expect(store.objects(Farm.self).isEmpty && store.objects(Animal.self).isEmpty)
    try store.write { try store.add(farm) }
    #expect(farm.animals.map(\.id) == [1])
  }

  @Test func `a rollback invalidates created objects and restores deleted ones`() throws {
    let store = try Store()
    let animal = Animal(id: 1, name: "Bella")
    try store.write { try store.add(animal) }
    try store.beginWrite()
    let made = try store.create(Animal.self, value: ["id": 2, "name": "Daisy"])
    animal.name = "changed"
    store.delete(animal)
    #expect(animal.isInvalidated)
    store.cancelWrite()
    #expect(made.isInvalidated && made.name == "" && made.id == 0)
    #expect(!animal.isInvalidated && animal.name == "Bella")
  }

  @Test func `an object stays readable after its store variable goes out of scope`() throws {
    let animal = Animal(id: 1, name: "Bella")
    do {
      let store = try Store()
      try store.write { try store.add(animal) }
    }
    #expect(animal.isManaged && animal.name == "Bella")
  }
}

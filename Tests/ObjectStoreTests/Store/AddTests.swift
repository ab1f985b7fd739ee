import Foundation
import ObjectStore
import TestSupport
import Testing

final class Link: Object {
  @Persisted var next: Link?
  @Persisted var number = 0
}

@Suite struct `Adding objects` {
  private func text(_ body: () throws -> Void) -> String? {
    #expect(throws: StoreError.self) { try body() }?.description
  }

  @Test func `add makes an object and all objects it refers to managed`() throws {
    let store = try Store()
    let farm = Farm(name: "A")
    let animal = Animal(id: 1)
    animal.owner = Owner(id: 1)
    farm.animals = [animal]
    farm.notes = [Note("x")]
    farm.address = Address(street: "S")
    try store.write { try store.add(farm) }
    #expect(farm.isManaged && animal.isManaged && animal.owner?.isManaged == true)
    #expect(farm.notes[0].isManaged && farm.address?.isManaged == true)
    #expect(store.objects(Note.self).map(\.text) == ["x"])
  }

  // R6
  @Test func `add rejects an existing key and adds no object of the graph`() throws {
    let store = try Store()
    try store.write { try store.add(Animal(id: 7, name: "first")) }
    let animal = Animal(id: 7, name: "second")
    let farm = Farm(name: "A")
    farm.animals = [Animal(id: 1), animal]
    try store.write {
      #expect(
        text { try store.add(farm) }
          == "Animal: an object with the primary key 7 already exists")
      #expect(
        text { try store.create(Farm.self, value: ["name": "B", "animals": [["id": 7]]]) }
          == "Animal: an object with the primary key 7 already exists")
    }
    #expect(!farm.isManaged && !animal.isManaged)
    #expect(store.objects(Farm.self).isEmpty && store.objects(Animal.self).count == 1)
    #expect(store.version == 1)
  }

  @Test func `a string key is quoted in the error message`() throws {
    let store = try Store()
    try store.write {
      try store.add(Farm(name: "A"))
      #expect(
        text { try store.add(Farm(name: "A")) }
          == "Farm: an object with the primary key \"A\" already exists")
    }
  }

  @Test(arguments: [UpdatePolicy.modified, .all])
  func `add with an update policy updates the existing row, which the added object shows`(
    _ policy: UpdatePolicy
  ) throws {
    let store = try Store()
    let first = Animal(id: 1, name: "first")
    first.legs = 3
    try store.write { try store.add(first) }
    let second = Animal(id: 1, name: "second")
    try store.write { try store.add(second, update: policy) }
    #expect(first == second && first.name == "second" && first.legs == 4)
    #expect(store.objects(Animal.self).count == 1)
  }

  @Test func `add throws for an update policy if the class has no key`() throws {
    let store = try Store()
    try store.write {
      #expect(
        text { try store.add(Note("x"), update: .modified) }
          == "Note: the class has no primary key, which is needed to find and update objects")
      #expect(
        text { try store.create(Note.self, value: [:], update: .all) }
          == "Note: the class has no primary key, which is needed to find and update objects")
    }
    #expect(store.objects(Note.self).isEmpty)
  }

  // R24
  @Test func `adding a managed object again changes nothing`() throws {
    let store = try Store()
    let animal = Animal(id: 1)
    try store.write { try store.add(animal) }
    try store.write {
      try store.add(animal)
      try store.add(animal, update: .all)
      let other = try Store(configuration: store.configuration)
      other.refresh()
      if let same = other.object(ofType: Animal.self, forPrimaryKey: 1) { try store.add(same) }
    }
    #expect(store.version == 1)
  }

  // R24
  @Test func `adding an object of another store or a frozen object throws`() throws {
    let (store, foreign) = (try Store(), try Store())
    let animal = Animal(id: 1)
    try foreign.write { try foreign.add(animal) }
    let farm = Farm(name: "A")
    farm.animals = [animal]
    let expected = "Animal: the object is unmanaged or frozen, or belongs to another store"
    try store.write {
      #expect(text { try store.add(animal) } == expected)
      #expect(text { try store.add(farm) } == expected)
    }
    let frozen = animal.frozen()
    try foreign.write {
      let thrown = frozen.withObject { object in text { try foreign.add(object) } }
      #expect(thrown == expected)
    }
    #expect(!farm.isManaged && store.objects(Farm.self).isEmpty)
  }

  @Test func `adding a deleted object throws`() throws {
    let store = try Store()
    let animal = Animal(id: 1)
    try store.write { try store.add(animal) }
    try store.write {
      store.delete(animal)
      #expect(
        text { try store.add(animal) } == "Animal: the object was deleted or rolled back")
    }
  }

  @Test func `a graph with cycles can be added`() throws {
    let store = try Store()
    let (a, b) = (Animal(id: 1), Animal(id: 2))
    a.mother = b
    b.mother = a
    let loop = Animal(id: 3)
    loop.mother = loop
    try store.write {
      try store.add(a)
      try store.add(loop)
    }
    #expect(a.mother?.mother == a && loop.mother == loop)
    #expect(store.objects(Animal.self).count == 3)
  }

  @Test(arguments: [UpdatePolicy.modified, .all])
  func `a graph with conflicting objects of one key can be added again`(
    policy: UpdatePolicy
  ) throws {
    let store = try Store()
    func graph() -> Farm {
      let farm = Farm(name: "A")
      farm.animals = [Animal(id: 7, name: "first"), Animal(id: 3), Animal(id: 7, name: "last")]
      return farm
    }
    try store.write { try store.add(graph(), update: policy) }
    #expect(store.objects(Animal.self).map(\.name) == ["last", ""])
    let version = store.version
    let (farm, value) = (
      graph(),
      ["name": "A", "animals": [["id": 7, "name": "x"], ["id": 7, "name": "last"]]]
        as UpdateDictionary
    )
    try store.write { try store.add(farm, update: policy) }
    #expect(farm.animals[0] == farm.animals[2])
    #expect(store.version == (policy == .all ? version + 1 : version))
    try store.write { try store.create(Farm.self, value: value, update: .modified) }
    let changed = store.version
    try store.write { try store.create(Farm.self, value: value, update: .modified) }
    #expect(store.version == changed)
    #expect(farm.animals.map(\.name) == ["last", "last"])
  }

  // R24
  @Test func `instances with equal keys in one graph merge in order`() throws {
    let store = try Store()
    let (first, second) = (Animal(id: 1, name: "first"), Animal(id: 1, name: "second"))
    let farm = Farm(name: "A")
    farm.animals = [first, second]
    try store.write {
      #expect(
        text { try store.add(farm) }
          == "Animal: an object with the primary key 1 already exists")
      try store.add(farm, update: .modified)
    }
    #expect(first == second && first.name == "second")
    #expect(Array(farm.animals) == [first, second] && store.objects(Animal.self).count == 1)
  }

  @Test func `a chain of a hundred thousand objects can be added, rolled back and deleted`() throws
  {
    let store = try Store()
    var links = [Link()]
    for number in 1..<100_000 {
      let link = Link()
      link.number = number
      links[number - 1].next = link
      links.append(link)
    }
    _ = try? store.write {
      try store.add(links[0])
      throw Undo()
    }
    #expect(!links[99_999].isManaged && store.objects(Link.self).isEmpty)
    try store.write { try store.add(links[0]) }
    #expect(store.objects(Link.self).count == 100_000)
    #expect(links[50_000].next?.number == 50_001)
    // Managed objects do not retain each other, so releasing the chain does not recurse.
    links.removeAll()
    try store.write { store.deleteAll() }
    #expect(store.objects(Link.self).isEmpty)
  }

  @Test func `several objects are added together or not at all`() throws {
    let store = try Store()
    try store.write {
      try store.add([Animal(id: 1), Animal(id: 2)])
      #expect(
        text { try store.add([Animal(id: 3), Animal(id: 1)]) }
          == "Animal: an object with the primary key 1 already exists")
    }
    #expect(store.objects(Animal.self).map(\.id) == [1, 2])
  }

  @Test func `add rejects a date that is not finite`() throws {
    let store = try Store()
    let animal = Animal(id: 1)
    animal.born = Date(timeIntervalSince1970: .infinity)
    try store.write {
      #expect(
        text { try store.add(animal) }
          == "Animal.born: expected a finite Date, found NaN or infinity")
      #expect(
        text {
          try store.create(
            Animal.self, value: ["id": 1, "born": .date(.init(timeIntervalSince1970: .nan))])
        }
          == "Animal.born: expected a finite Date, found NaN or infinity")
    }
  }
}

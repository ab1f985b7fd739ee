import Foundation
import ObjectStore
import TestSupport
import Testing

@Suite struct `Attribute access by name` {
  @Test(arguments: [false, true])
  func `attributes are read and assigned by name`(isManaged: Bool) throws {
    let store = try Store()
    let animal = Animal(id: 1, name: "Bella")
    let owner = Owner(id: 2)
    try store.write {
      if isManaged {
        try store.add(animal)
        try store.add(owner)
      }
      animal["name"] = "Daisy"
      animal["legs"] = 3
      animal["born"] = Date(timeIntervalSince1970: 5)
      animal["species"] = Species.horse
      animal["owner"] = owner
      animal["tags"] = List(["a", "b"])
    }
    #expect(animal["name"] as? String == "Daisy")
    #expect(animal.name == "Daisy")
    #expect(animal["legs"] as? Int == 3)
    #expect(animal["born"] as? Date == Date(timeIntervalSince1970: 5))
    #expect(animal["species"] as? Species == .horse)
    #expect(animal["owner"] as? Owner == owner)
    #expect((animal["tags"] as? List<String>).map { Array($0) } == ["a", "b"])
    #expect(animal["mother"] == nil)
    try store.write { animal["born"] = nil }
    #expect(animal.born == nil)
  }

  @Test func `plain collections can be assigned by name, and nil empties a collection`() throws {
    let (animal, farm) = (Animal(id: 1), Farm(name: "A"))
    animal["tags"] = ["a", "b"]
    farm["colours"] = ["red", "red", "blue"]
    farm["prices"] = ["milk": 0.5]
    farm["animals"] = [animal]
    #expect(Array(animal.tags) == ["a", "b"])
    #expect(farm.colours.count == 2)
    #expect(farm.prices.dictionary == ["milk": 0.5])
    #expect(Array(farm.animals) == [animal])
    animal["tags"] = nil
    farm["colours"] = Set(["green"])
    farm["prices"] = nil
    #expect(animal.tags.isEmpty)
    #expect(Array(farm.colours) == ["green"])
    #expect(farm.prices.isEmpty)
  }

  @Test func `assigning a value of another type by name is misuse`() async {
    let result = await #expect(processExitsWith: .failure, observing: .misuseText) {
      Animal(id: 1)["legs"] = "four"
    }
    result.says("Animal.legs: expected Int, found String \"four\"")
  }

  @Test func `assigning an unknown attribute of an unmanaged object is misuse`() async {
    let result = await #expect(processExitsWith: .failure, observing: .misuseText) {
      Animal(id: 1)["leg"] = 2
    }
    result.says("Animal: 'leg' is not an attribute; did you mean 'legs'?")
  }

  @Test func `an unknown attribute reads nil, and assigning it fails the write`() throws {
    let store = try Store()
    let animal = Animal(id: 1)
    #expect(animal["wings"] == nil)
    try store.write { try store.add(animal) }
    #expect(animal["wings"] == nil && animal.frozen().withObject { $0["wings"] == nil })
    let error = #expect(throws: StoreError.self) {
      try store.write {
        animal.legs = 3
        animal["wings"] = 2
      }
    }
    #expect(error?.description == "Animal: 'wings' is not an attribute")
    #expect(animal.legs == Animal(id: 2).legs)
  }

  @Test func `assigning by name outside a write is misuse`() async {
    let result = await #expect(processExitsWith: .failure, observing: .misuseText) {
      let store = try Store()
      let animal = Animal(id: 1)
      try store.write { try store.add(animal) }
      animal["legs"] = 3
    }
    result.says("Animal: attributes of a managed object can only be changed inside `write`")
  }
}

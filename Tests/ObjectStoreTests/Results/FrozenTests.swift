import Foundation
import ObjectStore
import TestSupport
import Testing

@Suite struct `Frozen objects and results` {
  @Test func `a frozen object reads as it was`() async throws {
    let store = try Store()
    let farm = Farm(name: "A")
    farm.address = Address(street: "S")
    farm.animals = [Animal(id: 1, name: "Bella"), Animal(id: 2)]
    farm.animals[0].owner = Owner(id: 1, name: "Ann")
    farm.animals[0].tags = ["t"]
    farm.prices = ["milk": 1]
    farm.colours = ["red"]
    try store.write { try store.add(farm) }
    let frozen = farm.frozen()
    try store.write { store.deleteAll() }
    let texts = await Task.detached {
      let first = frozen.animals[0]
      var texts: [String] = [frozen.name, frozen.address?.street ?? "", first.name]
      texts.append(frozen.animals.map(\.id).description)
      texts.append(first.owner?.name ?? "")
      texts.append(first.tags.description)
      texts.append(frozen.prices.description)
      texts.append(frozen.colours.description)
      texts.append(first.farms.map(\.name).description)
      return texts
    }.value
    #expect(
      texts == [
        "A", "S", "Bella", "[1, 2]", "Ann", "[\"t\"]", "[\"milk\": 1.0]", "[\"red\"]", "[\"A\"]",
      ])
  }

  @Test func `every kind of collection can be read frozen`() throws {
    let store = try Store()
    let object = AllTypes()
    object.optStrings = ["a", nil]
    object.optStringMap = ["a": "x", "b": nil]
    object.objectSet = [object]
    object.objectMap = ["a": object, "b": nil]
    try store.write {
      try store.add(object)
      object.optSpotMap = ["a": Spot(label: "S")]
    }
    let frozen = object.frozen()
    #expect(frozen.optStrings == ["a", nil])
    #expect(frozen.optStringMap == ["a": "x", "b": nil])
    #expect(frozen.objectSet.count == 1)
    #expect(frozen.objectMap["a"]??.int == 0 && frozen.objectMap.keys.sorted() == ["a", "b"])
    #expect(frozen.optSpotMap["a"]??.label == "S")
  }

  @Test func `frozen results are one version`() async throws {
    let store = try Store()
    try store.write { for id in 0..<3 { try store.add(Animal(id: id)) } }
    let frozen = store.objects(Animal.self).frozen()
    try store.write { store.delete(store.objects(Animal.self)[1]) }
    let ids = await Task.detached { frozen.map(\.id) }.value
    #expect(ids == [0, 1, 2])
    #expect(store.objects(Animal.self).frozen().map(\.id) == [0, 2])
  }

  @Test func `freezing inside a write shows what it did so far`() throws {
    let store = try Store()
    let animal = Animal(id: 1)
    let frozen = try store.write {
      try store.add(animal)
      let frozen = animal.frozen()
      animal.legs = 3
      return frozen
    }
    #expect(frozen.legs == 4 && animal.legs == 3)
  }

  // R22
  @Test func `frozen values are read from many tasks at once`() async throws {
    let store = try Store()
    try store.write {
      for id in 0..<200 {
        let animal = Animal(id: id, name: "\(id)")
        animal.owner = Owner(id: id, name: "o\(id)")
        try store.add(animal)
      }
    }
    let frozen = store.objects(Animal.self).frozen()
    let sums = await withTaskGroup(of: Int.self) { group in
      for _ in 0..<8 {
        group.addTask { frozen.reduce(0) { $0 + $1.id + ($1.owner?.name.count ?? 0) } }
      }
      return await group.reduce(into: []) { $0.append($1) }
    }
    #expect(Set(sums).count == 1 && sums.count == 8)
  }
}

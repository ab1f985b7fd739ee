import Foundation
import ObjectStore
import TestSupport
import Testing

@Suite struct `Queries of lists, sets and inverse links` {
  /// A farm with animals 3, 1, 4, 1, 2. The number of legs of each is its id.
  private func makeStore() throws -> (Store, Farm) {
    let store = try Store()
    let farm = Farm(name: "F")
    try store.write {
      try store.add(farm)
      try store.add(Farm(name: "G"))
      let jo = try store.create(Owner.self, value: ["id": 1, "name": "Jo"])
      for id in [3, 1, 4, 1, 2] {
        let animal = try store.create(
          Animal.self, value: ["id": .init(id), "legs": .init(id), "name": .string("\(9 - id)")],
          update: .modified)
        if id < 3 { animal.owner = jo }
        farm.animals.append(animal)
      }
      try store.add(Animal(id: 9))
    }
    return (store, farm)
  }

  @Test func `results of a list are in list order, with repetitions`() throws {
    let (store, farm) = try makeStore()
    let animals = farm.animals
    #expect(animals.where { $0.legs < 4 }.map(\.id) == [3, 1, 1, 2])
    #expect(try animals.filter("legs < %@ AND owner.name == 'Jo'", 2).map(\.id) == [1, 1])
    #expect(try animals.filter(StorePredicate("legs == 4")).map(\.id) == [4])
    #expect(animals.sorted(by: \.name).map(\.id) == [4, 3, 2, 1, 1])
    #expect(animals.sorted(by: \.legs, ascending: false).map(\.id) == [4, 3, 2, 1, 1])
    #expect(
      try animals.sorted(by: [StoreSortDescriptor("owner.name"), StoreSortDescriptor("id")])
        .map(\.id) == [3, 4, 1, 1, 2])
    #expect(animals.distinct(by: \.id).map(\.id) == [3, 1, 4, 2])
    #expect(animals.limit(2, offset: 1).map(\.id) == [1, 4])
    #expect(animals.where { $0.legs < 4 }.limit(2).map(\.id) == [3, 1])
    let one = try #require(store.object(ofType: Animal.self, forPrimaryKey: 1))
    let nine = try #require(store.object(ofType: Animal.self, forPrimaryKey: 9))
    #expect(animals.index(of: one) == 1 && animals.index(of: nine) == nil)
    #expect(animals.where { $0.legs < 3 }.index(of: one) == 0)
    #expect(animals.index(matching: { $0.legs == 2 }) == 4)
    #expect(animals.where { $0.legs < 9 }.first?.id == 3)
    #expect(animals.where { $0.legs < 9 }.last?.id == 2)
  }

  @Test func `explainQuery reports all objects of a collection as candidates`() throws {
    let (store, farm) = try makeStore()
    #expect(
      farm.animals.limit(9).explainQuery() == "Animal: collection: 5 candidates\n  limit 9: 5 left")
    let jo = try #require(store.object(ofType: Owner.self, forPrimaryKey: 1))
    #expect(
      farm.animals.where { $0.legs > 2 }.sorted(by: \.name).explainQuery() == """
        Animal: collection: 5 candidates
          where legs > 2: 2 found
          sorted by name
        """)
    try store.write { store.delete(farm.animals[1]) }
    #expect(
      jo.animals.where { $0.id == 2 }.explainQuery() == """
        Animal: collection: 1 candidate
          where id == 2: 1 found
        """)
  }

  @Test func `aggregates of a list include repeated objects`() throws {
    let (_, farm) = try makeStore()
    #expect(farm.animals.sum(of: \.legs) == 11)
    #expect(farm.animals.min(of: \.legs) == 1 && farm.animals.max(of: \.legs) == 4)
    #expect(farm.animals.average(of: \.legs) == 2.2)
    #expect(farm.animals.max(of: \.born) == nil && farm.animals.min(of: \.born) == nil)
    #expect(farm.animals.where { $0.legs > 2 }.sum(of: \.legs) == 7)
  }

  @Test func `results of a list are live, even in a write and after its rollback`() throws {
    let (store, farm) = try makeStore()
    let few = farm.animals.where { $0.legs < 3 }
    #expect(few.map(\.id) == [1, 1, 2])
    _ = try? store.write {
      farm.animals.removeFirst(2)
      #expect(few.map(\.id) == [1, 2])
      few[1].legs = 8
      #expect(few.map(\.id) == [1])
      farm.animals.append(try store.create(Animal.self, value: ["id": 7, "legs": 0]))
      #expect(few.map(\.id) == [1, 7])
      throw Undo()
    }
    #expect(few.map(\.id) == [1, 1, 2])
    try store.write { if let one = few.first { store.delete(one) } }
    #expect(few.map(\.id) == [2])
  }

  @Test func `a loop over results of a list visits the objects that matched when it began`() throws
  {
    let (store, farm) = try makeStore()
    var seen: [Int] = []
    try store.write {
      for animal in farm.animals.where({ $0.legs < 4 }) {
        seen.append(animal.id)
        animal.legs = 4
        farm.animals.removeAll { $0.id == animal.id }
      }
    }
    #expect(seen == [3, 1, 1, 2] && farm.animals.map(\.id) == [4])
  }

  @Test func `results of a list are empty after its owner is deleted`() throws {
    let (store, farm) = try makeStore()
    let some = farm.animals.where { $0.legs > 0 }
    let sections = farm.animals.sectioned(by: \.legs)
    let one = try #require(store.object(ofType: Animal.self, forPrimaryKey: 1))
    let farms = one.farms.where { $0.name != "" }
    #expect(some.count == 5 && sections.count == 4 && farms.count == 1)
    try store.write {
      store.delete(farm)
      #expect(some.isEmpty && sections.isEmpty && farms.isEmpty)
    }
    #expect(some.isEmpty && some.first == nil && some.sum(of: \.legs) == 0)
    #expect(some.map(\.id) == [] && some.index(of: one) == nil)
    try store.write { store.delete(one) }
    #expect(farms.isEmpty)
    // Querying a list whose owner is deleted.
    #expect(farm.animals.where { $0.legs > 0 }.isEmpty)
  }

  @Test func `results of a list are empty after the creation of its owner is rolled back`() throws {
    let (store, _) = try makeStore()
    var results: Results<Animal>?
    _ = try? store.write {
      let farm = try store.create(
        Farm.self, value: ["name": "H", "animals": [["id": 1]]], update: .modified)
      results = farm.animals.where { $0.id > 0 }
      #expect(results?.count == 1)
      throw Undo()
    }
    #expect(results?.isEmpty == true)
    try store.write {
      try store.create(
        Farm.self, value: ["name": "I", "animals": [["id": 2]]], update: .modified)
    }
    #expect(results?.isEmpty == true)
  }

  @Test func `inverse links and lists of embedded objects can be queried`() throws {
    let (store, farm) = try makeStore()
    let jo = try #require(store.object(ofType: Owner.self, forPrimaryKey: 1))
    #expect(jo.animals.where { $0.legs > 1 }.map(\.id) == [2])
    #expect(jo.animals.sorted(by: \.legs, ascending: false).map(\.id) == [2, 1])
    #expect(jo.animals.sum(of: \.legs) == 3 && jo.animals.index(matching: { $0.id == 2 }) == 1)
    #expect(try jo.animals.filter("ANY farms.name == 'F'").count == 2)
    try store.write {
      farm.fields.append(Address(street: "A", city: "Ulm"))
      farm.fields.append(Address(street: "B"))
    }
    let fields = farm.fields.where { $0.city == nil }
    #expect(fields.map(\.street) == ["B"])
    #expect(farm.fields.sorted(by: \.street, ascending: false).map(\.street) == ["B", "A"])
    try store.write { farm.fields.removeLast() }
    #expect(fields.isEmpty)
  }

  @Test func `frozen results of a list do not change`() throws {
    let (store, farm) = try makeStore()
    let few = farm.animals.where { $0.legs < 3 }
    let frozen = few.frozen()
    let ofFrozen = farm.frozen().withObject { $0.animals.where { $0.legs < 3 }.map(\.id) }
    try store.write { store.delete(farm) }
    #expect(frozen.map(\.id) == [1, 1, 2] && ofFrozen == [1, 1, 2] && few.isEmpty)
  }

  @Test func `lists of dynamic objects can be queried by format strings`() throws {
    let store = try Store(configuration: .inMemory(), schemas: [QueryModels.user])
    let bo = try store.write {
      try store.create(
        dynamic: "User",
        value: [
          "id": 1, "name": "Bo",
          "friends": [["id": 3, "name": "Ed"], ["id": 2, "name": "Al"]],
        ])
    }
    let friends = try #require(bo["friends"] as? List<DynamicObject>)
    #expect(try friends.filter("id > 2").map { $0["name"] as? String } == ["Ed"])
    #expect(
      try friends.sorted(by: [StoreSortDescriptor("name")]).map { $0["id"] as? Int } == [2, 3])
  }

  @Test func `querying a list outside a store is misuse`() async {
    let result = await #expect(processExitsWith: .failure, observing: .misuseText) {
      _ = Farm(name: "F").animals.where { $0.legs > 2 }
    }
    result.says(
      "List: this collection is not in a store and cannot be queried; add its object to a store "
        + "first, or loop over the collection")
  }
}

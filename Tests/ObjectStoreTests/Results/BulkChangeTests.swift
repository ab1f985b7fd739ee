import Foundation
import ObjectStore
import TestSupport
import Testing

@Suite struct `Changing all results` {
  private func makeStore() throws -> Store {
    let store = try Store()
    try store.write {
      for id in 1...4 {
        let animal = Animal(id: id, name: "\(id)")
        animal.legs = id
        try store.add(animal)
      }
    }
    return store
  }

  @Test func `update changes all objects that match at the start`() throws {
    let store = try makeStore()
    let few = store.objects(Animal.self).where { $0.legs < 3 }
    #expect(try few.update(\.legs <- 4) == 2)
    #expect(few.isEmpty && store.objects(Animal.self).map(\.legs) == [4, 4, 3, 4])
    #expect(try store.objects(Animal.self).update(\.legs <- 4) == 1)
    #expect(try store.objects(Animal.self).update(\.legs <- 4) == 0)
    #expect(try few.update(\.legs <- 9) == 0)
  }

  @Test func `update is one commit, or part of the open write`() throws {
    let store = try makeStore()
    let version = store.version
    let animals = store.objects(Animal.self)
    #expect(try animals.update(\.legs <- 4, \.name <- "x", \.born <- nil, \.tags <- ["a"]) == 4)
    #expect(store.version == version + 1 && !store.isInWriteTransaction)
    #expect(animals.map(\.name) == ["x", "x", "x", "x"] && animals[3].tags == ["a"])
    _ = try? store.write {
      #expect(try animals.update(\.tags += ["b"]) == 4)
      #expect(animals.limit(1)[0].tags == ["a", "b"])
      throw Undo()
    }
    #expect(animals[0].tags == ["a"])
    #expect(try animals.sorted(by: \.id, ascending: false).limit(1).update(\.name <- "y") == 1)
    #expect(animals.map(\.name) == ["x", "x", "x", "y"])
  }

  @Test func `update shares one new linked object and creates an embedded object for each`() throws
  {
    let store = try makeStore()
    let jo = Owner(id: 1, name: "Jo")
    #expect(try store.objects(Animal.self).update(\.owner <- jo) == 4)
    #expect(jo.isManaged && jo.animals.count == 4)
    try store.write { try store.add(Owner(id: 2)) }
    #expect(try store.objects(Owner.self).update(\.home <- Address(street: "S")) == 2)
    #expect(store.objects(Owner.self).map { $0.home?.street } == ["S", "S"])
    #expect(store.objects(Owner.self)[0].home != store.objects(Owner.self)[1].home)
  }

  @Test func `an update with a rejected assignment changes nothing`() throws {
    let store = try makeStore()
    let animals = store.objects(Animal.self)
    let error = #expect(throws: StoreError.self) {
      try animals.update(\.name <- "x", \.id <- 3)
    }
    #expect(
      error?.description
        == "Animal.id is the primary key; use store.rekey(_:to:)")
    #expect(animals.map(\.name) == ["1", "2", "3", "4"] && !store.isInWriteTransaction)
  }

  @Test func `update changes an object only once even if a list contains it twice`() throws {
    let store = try makeStore()
    let farm = Farm(name: "F")
    try store.write {
      try store.add(farm)
      let animals = Array(store.objects(Animal.self))
      farm.animals.append(contentsOf: [animals[1], animals[0], animals[1]])
    }
    #expect(try farm.animals.update(\.tags += ["a"]) == 2)
    #expect(store.objects(Animal.self).map { Array($0.tags) } == [["a"], ["a"], [], []])
    #expect(try farm.animals.where { $0.id == 2 }.update(\.legs <- 7) == 1)
  }

  @Test func `setValue assigns an attribute by its name`() throws {
    let store = try makeStore()
    try store.write {
      store.objects(Animal.self).where { $0.legs < 3 }.setValue(8, forKey: "legs")
      store.objects(Animal.self).setValue(nil, forKey: "born")
    }
    #expect(store.objects(Animal.self).map(\.legs) == [8, 8, 3, 4])
    let things = try Store(
      configuration: .inMemory(),
      schemas: [
        ObjectSchema("Thing", [Property("id", .int, isPrimaryKey: true), Property("n", .int)])
      ])
    try things.write {
      for id in 0..<3 { try things.create(dynamic: "Thing", value: ["id": .init(id)]) }
      try things.objects(dynamic: "Thing").filter("id > 0").setValue(5, forKey: "n")
    }
    #expect(try things.objects(dynamic: "Thing").map { $0["n"] as? Int } == [0, 5, 5])
  }

  @Test func `setValue outside a write is misuse`() async {
    let result = await #expect(processExitsWith: .failure, observing: .misuseText) {
      let store = try Store()
      try store.write { try store.add(Animal(id: 1)) }
      store.objects(Animal.self).setValue(1, forKey: "legs")
    }
    result.says("Animal: attributes of a managed object can only be changed inside `write`")
  }

  @Test func `deleting the results of a query empties them`() throws {
    let store = try makeStore()
    let few = store.objects(Animal.self).where { $0.legs < 3 }
    try store.write { store.delete(few) }
    #expect(few.isEmpty && store.objects(Animal.self).map(\.id) == [3, 4])
    _ = try? store.write {
      store.delete(store.objects(Animal.self).sorted(by: \.legs))
      #expect(store.objects(Animal.self).isEmpty)
      throw Undo()
    }
    let farm = Farm(name: "F")
    try store.write {
      try store.add(farm)
      let animal = store.objects(Animal.self)[0]
      farm.animals.append(contentsOf: [animal, store.objects(Animal.self)[1], animal])
      store.delete(farm.animals.where { $0.id == 3 })
      #expect(farm.animals.map(\.id) == [4])
      store.delete(farm.animals)
    }
    #expect(farm.animals.isEmpty && store.objects(Animal.self).isEmpty)
  }

  @Test func `index(matching:) returns the index of the first match`() throws {
    let store = try makeStore()
    let animals = store.objects(Animal.self).sorted(by: \.id, ascending: false)
    #expect(animals.index(matching: { $0.legs < 3 }) == 2)
    #expect(try animals.index(matching: "name == %@", "4") == 0)
    #expect(try animals.index(matching: StorePredicate("legs > 9")) == nil)
    #expect(animals.first { $0.legs < 3 }?.id == 2)
    #expect(throws: StoreError.self) { try animals.index(matching: "wings > 2") }
  }

  @available(*, deprecated, message: "The test calls a deprecated method.")
  @Test func `filter with a closure returns an array`() throws {
    let store = try makeStore()
    let few: [Animal] = store.objects(Animal.self).filter { $0.legs < 3 }
    #expect(few.map(\.id) == [1, 2])
    #expect(throws: Undo.self) { try store.objects(Animal.self).filter { _ in throw Undo() } }
  }
}

import Foundation
import ObjectStore
import TestSupport
import Testing

@Suite struct `Updates by key path` {
  private func storeWithAnimal() throws -> (Store, Animal) {
    let store = try Store()
    let animal = Animal(id: 7, name: "Bella")
    animal.tags = ["a"]
    try store.write { try store.add(animal) }
    return (store, animal)
  }

  @Test func `an update by key path returns the names of changed attributes in order`() throws {
    let (store, animal) = try storeWithAnimal()
    let outcome = try store.update(
      Animal.self, key: 7, \.tags <- ["x", "y"], \.legs <- 3, \.name <- "Bella",
      \.born <- Date(timeIntervalSince1970: 1), \.species <- .horse)
    #expect(outcome == .updated(["tags", "legs", "born", "species"]))
    #expect(animal.legs == 3 && Array(animal.tags) == ["x", "y"] && animal.species == .horse)
    #expect(store.version == 2)
  }

  @Test func `an update that assigns an attribute twice returns its name once`() throws {
    let (store, animal) = try storeWithAnimal()
    #expect(
      try store.update(Animal.self, key: 7, \.legs <- 3, \.name <- "B", \.legs <- 2)
        == .updated(["legs", "name"]))
    #expect(animal.legs == 2)
  }

  @Test func `an update by key path returns the attribute names of its own class`() throws {
    final class One: Object {
      @Persisted(primaryKey: true) var id: Int
      @Persisted var a = 0
    }
    final class Other: Object {
      @Persisted(primaryKey: true) var id: Int
      @Persisted var b = 0
    }
    let store = try Store()
    try store.write {
      try store.create(One.self, value: ["id": 1])
      try store.create(Other.self, value: ["id": 1])
    }
    #expect(try store.update(One.self, key: 1, \.a <- 1) == .updated(["a"]))
    #expect(try store.update(Other.self, key: 1, \.b <- 1) == .updated(["b"]))
    #expect(try store.update(One.self, key: 1, \.a <- 2) == .updated(["a"]))
  }

  @Test func `a long update dictionary keeps the last value of each name`() {
    var pairs = (0..<30).map { ("name\($0)", UpdateValue.int(Int64($0))) }
    for round in [100, 200, 300] {
      for index in [3, 29, 0] { pairs.append(("name\(index)", .int(Int64(round + index)))) }
    }
    let update = UpdateDictionary(pairs)
    #expect(update["name3"] == .int(303) && update["name29"] == .int(329))
    #expect(update["name0"] == .int(300) && update["name4"] == .int(4))
    #expect(update.count == 30)
  }

  @Test func `an update to the same values creates no version`() throws {
    let (store, _) = try storeWithAnimal()
    #expect(
      try store.update(Animal.self, key: 7, \.legs <- 4, \.born <- nil, \.tags <- ["a"])
        == .unchanged)
    #expect(store.version == 1)
  }

  @Test func `an update of an unknown key inserts an object only on request`() throws {
    let (store, _) = try storeWithAnimal()
    #expect(try store.update(Animal.self, key: 8, \.legs <- 3) == .notFound)
    #expect(store.version == 1)
    let owner = Owner(id: 1, name: "Ann")
    owner.home = Address(street: "S")
    #expect(
      try store.update(
        Animal.self, key: 8, \.legs <- 3, \.owner <- owner, \.tags += ["t"], missing: .orInsert)
        == .updated(["legs", "owner", "tags"]))
    let made = try #require(store.object(ofType: Animal.self, forPrimaryKey: 8))
    #expect(made.legs == 3 && made.owner == owner && made.species == .cow)
    #expect(owner.name == "Ann" && owner.home?.street == "S" && Array(made.tags) == ["t"])
    #expect(
      try store.update(Animal.self, key: 8, \.legs <- 5, missing: .orInsert)
        == .updated(["legs"]))
  }

  @Test func `an update can append and remove elements of a list`() throws {
    let (store, animal) = try storeWithAnimal()
    try store.update(Animal.self, key: 7, \.tags += ["b", "a"])
    #expect(Array(animal.tags) == ["a", "b", "a"])
    try store.update(Animal.self, key: 7, \.tags -= ["a"])
    #expect(Array(animal.tags) == ["b"])
    #expect(
      try store.update(Animal.self, key: 7, \.tags += ["c"], \.tags -= ["b"], \.tags += ["d"])
        == .updated(["tags"]))
    #expect(Array(animal.tags) == ["c", "d"])
    #expect(try store.update(Animal.self, key: 7, \.tags -= ["zz"]) == .unchanged)
  }

  @Test func `an update can assign links and lists of objects`() throws {
    let (store, animal) = try storeWithAnimal()
    let farm = Farm(name: "A")
    try store.write { try store.add(farm) }
    try store.update(Farm.self, key: "A", \.animals += [animal, Animal(id: 8)])
    #expect(farm.animals.map(\.id) == [7, 8])
    try store.update(Farm.self, key: "A", \.animals -= [animal], \.address <- Address(street: "S"))
    #expect(farm.animals.map(\.id) == [8] && farm.address?.street == "S")
    try store.update(Farm.self, key: "A", \.address <- nil)
    #expect(farm.address == nil)
    try store.update(Animal.self, key: 7, \.mother <- animal)
    #expect(animal.mother == animal)
  }

  @Test func `a single attribute can be updated by a key and a key path`() throws {
    let (store, animal) = try storeWithAnimal()
    #expect(try store.update(id: 7, \Animal.legs, 3) == .updated(["legs"]))
    #expect(try store.update(id: 7, \Animal.born, nil) == .unchanged)
    #expect(try store.update(id: 9, \Animal.legs, 3) == .notFound)
    #expect(animal.legs == 3)
  }

  @Test func `an update joins the open write, and a failing update leaves no changes`() throws {
    let (store, animal) = try storeWithAnimal()
    _ = try? store.write {
      try store.update(id: 7, \Animal.legs, 3)
      throw Undo()
    }
    #expect(animal.legs == 4)
    try store.write {
      let error = #expect(throws: StoreError.self) {
        try store.update(
          Animal.self, key: 7, \.legs <- 3, \.born <- Date(timeIntervalSince1970: .nan))
      }
      #expect(
        error?.description == "Animal.born: expected a finite Date, found NaN or infinity")
      #expect(animal.legs == 4)
    }
    #expect(store.version == 1)
  }

  @Test func `a key of another integer type finds the same object`() throws {
    let (store, _) = try storeWithAnimal()
    #expect(try store.update(Animal.self, key: Int8(7), \.legs <- 3) == .updated(["legs"]))
    #expect(try store.update(Animal.self, key: UInt64.max, \.legs <- 3) == .notFound)
    #expect(store.object(ofType: Animal.self, forPrimaryKey: UInt8(7)) != nil)
    #expect(store.object(ofType: Animal.self, forPrimaryKey: UInt64.max) == nil)
  }

  @Test func `an update with an invalid key or value throws`() throws {
    let (store, _) = try storeWithAnimal()
    func text(_ body: () throws -> Void) -> String? {
      #expect(throws: StoreError.self) { try body() }?.description
    }
    #expect(
      text { try store.update(Animal.self, key: "7", \.legs <- 3) }
        == "Animal.id: expected Int, found a key of type String")
    #expect(
      text { try store.update(Farm.self, key: 7, \.address <- nil) }
        == "Farm.name: expected String, found a key of type Int")
    #expect(
      text { try store.update(Ticket.self, key: "x", \.legs <- 3) }
        == "Ticket.id: expected UUID, found a key of type String")
    #expect(
      text { try store.update(Note.self, key: 7, \.text <- "x") }
        == "Note: the class has no primary key, which is needed to find and update objects")
    #expect(
      text { try store.update(Animal.self, key: 7, \.id <- 8) }
        == "Animal.id is the primary key; use store.rekey(_:to:)")
    #expect(
      text { try store.update(Animal.self, key: UInt64.max, \.legs <- 3, missing: .orInsert) }
        == "Animal.id: 18446744073709551615 is outside the range of Int")
    #expect(
      text { try store.update(Animal.self, key: 7, \.born <- Date(timeIntervalSince1970: .nan)) }
        == "Animal.born: expected a finite Date, found NaN or infinity")
    #expect(store.version == 1)
  }

  @Test func `key paths created at run time always identify their attribute`() throws {
    let (store, animal) = try storeWithAnimal()
    // Each evaluation creates a new key path, possibly at the address of a previous one.
    for round in 1...2500 {
      if round % 2 == 0 {
        try store.update(Animal.self, key: 7, legsPath(Animal.self) <- round)
      } else {
        try store.update(Animal.self, key: 7, namePath(Animal.self) <- "\(round)")
      }
    }
    #expect(animal.legs == 2500 && animal.name == "2499")
  }
}

private protocol Walking: Object {
  var legs: Int { get set }
  var name: String { get set }
}

extension Animal: Walking {}

private func legsPath<T: Walking>(_ type: T.Type) -> ReferenceWritableKeyPath<T, Int> { \.legs }

private func namePath<T: Walking>(_ type: T.Type) -> ReferenceWritableKeyPath<T, String> { \.name }

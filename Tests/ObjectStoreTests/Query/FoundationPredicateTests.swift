import Foundation
import ObjectStore
import TestSupport
import Testing

/// Foundation requires captured values to be `Codable`.
extension Species: Codable {}

@Suite struct `Foundation's predicates` {
  /// Five animals. 0 and 3 have no owner, 1 belongs to Jo, 2 and 4 to Bo.
  private func makeStore() throws -> Store {
    let store = try Store()
    try store.write {
      let jo = try store.create(Owner.self, value: ["id": 1, "name": "Jo"])
      let bo = try store.create(
        Owner.self, value: ["id": 2, "name": "Bo", "home": ["street": "S", "city": "Ulm"]])
      let farm = try store.create(Farm.self, value: ["name": "F"])
      for id in 0..<5 {
        let animal = Animal(id: id, name: ["ant", "Bee", "cat", "bée", ""][id])
        animal.legs = id
        animal.species = id % 2 == 0 ? .cow : .horse
        animal.born = id < 2 ? nil : Date(timeIntervalSinceReferenceDate: Double(id))
        animal.owner = [nil, jo, bo, nil, bo][id]
        animal.tags.append(contentsOf: (0..<id).map { "t\($0)" })
        try store.add(animal)
        animal.mother = store.object(ofType: Animal.self, forPrimaryKey: id - 1)
        farm.animals.append(animal)
      }
    }
    return store
  }

  /// Checks that all forms result in equal predicates. Returns the ids found.
  private func ids(
    _ predicate: Foundation.Predicate<Animal>, _ format: String,
    _ condition: ((QueryPath<Animal>) -> QueryTerm)? = nil,
    sourceLocation: SourceLocation = #_sourceLocation
  ) throws -> [Int] {
    let store = try makeStore()
    let translated = try StorePredicate(predicate)
    #expect(translated == (try StorePredicate(format)), sourceLocation: sourceLocation)
    if let condition {
      #expect(
        translated == StorePredicate(Animal.self, condition), sourceLocation: sourceLocation)
    }
    let found = try store.objects(Animal.self).filter(predicate).map(\.id)
    // Foundation's evaluation, object by object, must agree.
    let expected = try Array(store.objects(Animal.self)).filter(predicate).map(\.id)
    #expect(found == expected, sourceLocation: sourceLocation)
    return found
  }

  @Test func `Foundation predicates compare values and attributes`() throws {
    let (two, limit) = (2, -1)
    #expect(try ids(#Predicate { $0.legs > two }, "legs > 2") { $0.legs > 2 } == [3, 4])
    #expect(try ids(#Predicate { $0.legs == 2 }, "legs == 2") { $0.legs == 2 } == [2])
    #expect(try ids(#Predicate { 2 >= $0.legs }, "legs <= 2") { $0.legs <= 2 } == [0, 1, 2])
    #expect(try ids(#Predicate { $0.legs != two + 1 }, "legs != 3") == [0, 1, 2, 4])
    #expect(try ids(#Predicate { $0.legs > -limit }, "legs > 1") == [2, 3, 4])
    #expect(try ids(#Predicate { $0.legs == $0.id }, "legs == id") == [0, 1, 2, 3, 4])
    #expect(try ids(#Predicate { $0.name < "c" }, "name < 'c'") { $0.name < "c" } == [0, 1, 3, 4])
    let horse = Species.horse
    #expect(
      try ids(#Predicate { $0.species == horse }, "species == 'horse'") { $0.species == .horse }
        == [1, 3])
    #expect(
      try ids(#Predicate { $0.species.rawValue == "cow" }, "species == 'cow'") == [0, 2, 4])
  }

  @Test func `Foundation predicates support and, or, not and conditionals`() throws {
    #expect(
      try ids(#Predicate { $0.legs > 1 && $0.name == "cat" }, "legs > 1 AND name == 'cat'") {
        $0.legs > 1 && $0.name == "cat"
      } == [2])
    #expect(
      try ids(#Predicate { $0.legs > 3 || !($0.id > 0) }, "legs > 3 OR NOT id > 0") {
        $0.legs > 3 || !($0.id > 0)
      } == [0, 4])
    #expect(try ids(#Predicate { _ in true }, "TRUEPREDICATE") == [0, 1, 2, 3, 4])
    #expect(
      try ids(
        #Predicate { $0.id > 2 ? $0.legs == 3 : $0.legs == 0 },
        "(id > 2 AND legs == 3) OR (NOT id > 2 AND legs == 0)") == [0, 3])
  }

  @Test func `Foundation predicates follow links and treat nil as null`() throws {
    #expect(
      try ids(#Predicate { $0.owner?.name == "Bo" }, "owner.name == 'Bo'") {
        $0.owner.name == "Bo"
      } == [2, 4])
    #expect(
      try ids(#Predicate { $0.owner?.home?.city == "Ulm" }, "owner.home.city == 'Ulm'") == [2, 4])
    #expect(
      try ids(#Predicate { $0.owner == nil }, "owner == nil") { $0.owner == nil } == [0, 3])
    #expect(
      try ids(#Predicate { $0.born != nil }, "born != nil") { $0.born != nil } == [2, 3, 4])
    #expect(try ids(#Predicate { $0.owner?.name != "Bo" }, "owner.name != 'Bo'") == [0, 1, 3])
    #expect(
      try ids(
        #Predicate { $0.owner?.name.contains("o") == true }, "owner.name CONTAINS 'o'"
      ) {
        $0.owner.name.contains("o")
      } == [1, 2, 4])
    #expect(
      try ids(
        #Predicate { $0.owner?.name.starts(with: "J") ?? false }, "owner.name BEGINSWITH 'J'")
        == [1])
    #expect(
      try ids(
        #Predicate { $0.owner?.name.starts(with: "J") ?? true },
        "owner == nil OR owner.name BEGINSWITH 'J'") == [0, 1, 3])
    #expect(
      try ids(
        #Predicate { $0.owner?.name.starts(with: "J") == false },
        "owner != nil AND NOT owner.name BEGINSWITH 'J'".replacing(
          "owner != nil", with: "NOT owner == nil")) == [2, 4])
    #expect(
      try ids(
        #Predicate { ($0.mother?.legs ?? 7) > 2 }, "mother.legs == nil OR mother.legs > 2")
        == [0, 4])
    #expect(
      try ids(#Predicate { ($0.mother?.legs ?? 0) > 2 }, "mother.legs > 2") == [4])
    #expect(
      try ids(
        #Predicate { $0.mother?.tags.count == 0 }, "NOT mother == nil AND mother.tags.@count == 0")
        == [1])
    #expect(
      try ids(
        #Predicate { if let mother = $0.mother { mother.legs > 1 } else { false } },
        "mother.legs > 1") == [3, 4])
  }

  @Test func `Foundation predicates support ranges and captured values`() throws {
    #expect(
      try ids(#Predicate { (1...3).contains($0.legs) }, "legs BETWEEN {1, 3}") {
        $0.legs.between(1...3)
      } == [1, 2, 3])
    #expect(try ids(#Predicate { (1..<3).contains($0.legs) }, "legs >= 1 AND legs < 3") == [1, 2])
    let range = 2...4
    #expect(try ids(#Predicate { range.contains($0.legs) }, "legs BETWEEN {2, 4}") == [2, 3, 4])
    let names = ["cat", "Bee"]
    #expect(
      try ids(#Predicate { names.contains($0.name) }, "name IN {'cat', 'Bee'}") {
        $0.name.in(names)
      } == [1, 2])
    let none: [Int] = []
    #expect(try ids(#Predicate { none.contains($0.legs) }, "legs IN {}") == [])
  }

  @Test func `Foundation predicates support string operations`() throws {
    #expect(
      try ids(#Predicate { $0.name.contains("ee") }, "name CONTAINS 'ee'") {
        $0.name.contains("ee")
      } == [1])
    #expect(try ids(#Predicate { $0.name.starts(with: "c") }, "name BEGINSWITH 'c'") == [2])
    #expect(try ids(#Predicate { $0.name.isEmpty }, "name == ''") == [4])
  }

  @Test func `Foundation predicates support conditions on collection elements`() throws {
    #expect(
      try ids(#Predicate { $0.tags.contains("t2") }, "'t2' IN tags") { $0.tags.contains("t2") }
        == [3, 4])
    #expect(
      try ids(#Predicate { $0.tags.count > 2 }, "tags.@count > 2") { $0.tags.count > 2 } == [3, 4])
    #expect(
      try ids(#Predicate { $0.tags.isEmpty }, "tags.@count == 0") { $0.tags.count == 0 } == [0])
    #expect(
      try ids(#Predicate { $0.tags.contains { $0 == "t0" } }, "ANY tags == 't0'") {
        $0.tags.any { $0 == "t0" }
      } == [1, 2, 3, 4])
    #expect(
      try ids(#Predicate { $0.tags.allSatisfy { $0 < "t1" } }, "ALL tags < 't1'") {
        $0.tags.all { $0 < "t1" }
      } == [0, 1])
    #expect(
      try ids(#Predicate { $0.children.contains { $0.legs > 3 } }, "ANY children.legs > 3") {
        $0.children.any { $0.legs > 3 }
      } == [3])
    #expect(
      try ids(
        #Predicate { animal in animal.children.contains { $0.legs > animal.legs } },
        "SUBQUERY(children, $x, $x.legs > SELF.legs).@count > 0"
          .replacing("SELF.legs", with: "legs")) == [0, 1, 2, 3])
    #expect(
      try ids(
        #Predicate { $0.farms.contains { $0.animals.contains { $0.name == "ant" } } },
        "SUBQUERY(farms, $f, ANY $f.animals.name == 'ant').@count > 0") == [0, 1, 2, 3, 4])
    #expect(
      try ids(
        #Predicate { $0.tags.filter { $0 > "t0" }.count == 2 },
        "SUBQUERY(tags, $t, $t > 't0').@count == 2") == [3])
    #expect(
      try ids(
        #Predicate { $0.owner?.animals.contains { $0.legs > 3 } == true },
        "ANY owner.animals.legs > 3") == [2, 4])
  }

  @Test func `Foundation predicates work on lists and inside a write`() throws {
    let store = try makeStore()
    let farm = try #require(store.objects(Farm.self).first)
    let few = try farm.animals.filter(#Predicate<Animal> { $0.legs > 2 })
    #expect(few.map(\.id) == [3, 4])
    try store.write {
      store.delete(few[0])
      #expect(few.map(\.id) == [4])
    }
    #expect(try few.update(\.legs <- 0) == 1 && few.isEmpty)
  }

  @Test func `an unsupported Foundation predicate throws an error that names the reason`() throws {
    func message(_ predicate: Foundation.Predicate<Animal>) -> String {
      do {
        return "\(try StorePredicate(predicate))"
      } catch {
        return "\(error)"
      }
    }
    let sum = message(#Predicate { $0.legs + 1 > 2 })
    #expect(sum == "#Predicate: arithmetic (+) on an attribute is not supported in a query")
    let remainder = message(#Predicate { $0.legs % 2 == 0 })
    #expect(
      remainder == "#Predicate: arithmetic (%) on an attribute is not supported in a query")
    let element = message(#Predicate { $0.tags[0] == "x" })
    #expect(element == "#Predicate: an element by its index is not supported in a query")
    let count = message(#Predicate { $0.name.count > 2 })
    #expect(count == "#Predicate: a member of String is not supported in a query")
    let one = message(#Predicate { ($0.mother?.legs ?? $0.legs) > 2 })
    #expect(
      one == "#Predicate: ?? with a default that is not a constant is not supported in a query")
    let state = message(#Predicate { $0.isManaged })
    #expect(state == "the key path reads no @Persisted attribute of Animal")
  }
}

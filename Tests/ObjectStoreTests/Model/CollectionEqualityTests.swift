import Foundation
import ObjectStore
import TestSupport
import Testing

private let nfc = "caf\u{e9}"
private let nfd = "cafe\u{301}"

private final class Shelf: Object {
  @Persisted var words: List<String>
  @Persisted var maybe: List<Int?>
  @Persisted var doubles: List<Double>
  @Persisted var json: List<JSONValue>
  @Persisted var species: List<Species>
  @Persisted var metres: List<Metres>
  @Persisted var homes: List<Address>
  @Persisted var animals: List<Animal>
  @Persisted var counts: Map<String, Int>
  @Persisted var numbers: Map<String, Double?>
  @Persisted var owners: Map<String, Owner?>
  @Persisted var wordSet: MutableSet<String>
  @Persisted var doubleSet: MutableSet<Double>
  @Persisted var maybeSet: MutableSet<Int?>
  @Persisted var animalSet: MutableSet<Animal>
}

@Suite struct `Equality of collections` {
  /// Calls `body` with two shelves: both unmanaged, both managed, mixed, the same one twice, and of two stores.
  private func withPairs(_ body: (Shelf, Shelf) throws -> Void) throws {
    try body(Shelf(), Shelf())
    let store = try Store()
    try store.write {
      try body(try store.create(Shelf.self), try store.create(Shelf.self))
      try body(try store.create(Shelf.self), Shelf())
      let shelf = try store.create(Shelf.self)
      try body(shelf, shelf)
    }
    let other = try Store()
    try store.write {
      try other.write { try body(try store.create(Shelf.self), try other.create(Shelf.self)) }
    }
  }

  @Test func `a list is equal to a literal and to another list of equal elements`() throws {
    try withPairs { one, two in
      #expect(one.words == [] && one.words == two.words)
      one.words = ["x", "y"]
      two.words = ["x", "y"]
      #expect(one.words == ["x", "y"] && one.words == two.words)
      #expect(one.words != ["y", "x"] && one.words != ["x"] && one.words != ["x", "y", "z"])
      #expect(one.words + ["z"] == ["x", "y", "z"])
      #expect(Array(one.words) == ["x", "y"] && one.words.elementsEqual(["x", "y"]))
      let lists = [one.words, two.words]
      #expect(lists == [["x", "y"], ["x", "y"]] && lists.contains(List(["x", "y"])))
      let list: List<String>? = one.words
      #expect(list == ["x", "y"])
    }
  }

  @Test func `lists compare their elements with ==`() throws {
    try withPairs { one, two in
      one.maybe = [nil, 1]
      two.maybe = [nil, 1]
      #expect(one.maybe == two.maybe && one.maybe == [nil, 1] && one.maybe != [0, 1])
      one.words = [nfc]
      #expect(one.words == [nfd])
      one.doubles = [0.0, 1]
      #expect(one.doubles == [-0.0, 1])
      one.doubles = [.nan]
      #expect(one.doubles != [.nan] && one.doubles != one.doubles)
      one.json = [["a": [1, nil]], .null]
      #expect(one.json == [["a": [1, nil]], .null] && one.json != [["a": [1]], .null])
      one.species = [.cow, .horse]
      #expect(one.species == [.cow, .horse] && one.species != [.cow, .cow])
      one.metres = [Metres(1.5)]
      #expect(one.metres == [Metres(1.5)] && one.metres != [Metres(2)])
    }
  }

  @Test func `objects in collections are equal if they show the same row`() throws {
    let store = try Store()
    let (one, two) = (Animal(id: 1), Animal(id: 2))
    let (shelf, other) = (Shelf(), Shelf())
    shelf.animals = [one, two]
    shelf.animalSet = [one, two]
    shelf.owners = ["a": Owner(id: 1), "b": nil]
    #expect(shelf.animals == [one, two] && shelf.animals != [one, Animal(id: 2)])
    #expect(shelf.animalSet == [two, one] && shelf.animalSet != [one, Animal(id: 2)])
    #expect(shelf.owners != ["a": Owner(id: 1), "b": nil])
    try store.write {
      try store.add([shelf, other])
      other.animals = shelf.animals
      other.animalSet = [two, one]
    }
    let same = try #require(store.object(ofType: Animal.self, forPrimaryKey: 2))
    #expect(shelf.animals == [one, same] && shelf.animals == other.animals)
    #expect(shelf.animalSet == [same, one] && shelf.animalSet == other.animalSet)
    #expect(shelf.animals != [same, one])
    let owner = try #require(store.object(ofType: Owner.self, forPrimaryKey: 1))
    #expect(shelf.owners == ["a": owner, "b": nil] && shelf.owners != ["a": nil, "b": nil])
    let handle = try Store(configuration: store.configuration)
    #expect(handle.objects(Shelf.self).first?.animals == shelf.animals)
  }

  @Test func `embedded objects in collections are equal by identity, not by value`() throws {
    let home = Address(street: "Hill")
    let (one, two) = (Shelf(), Shelf())
    one.homes = [home]
    two.homes = [Address(street: "Hill")]
    #expect(one.homes == [home] && one.homes != two.homes)
  }

  @Test func `a map is equal to a literal and to another map of equal pairs`() throws {
    try withPairs { one, two in
      #expect(one.counts == [:] && one.counts == two.counts)
      one.counts = ["a": 1, "b": 2]
      two.counts = ["b": 2, "a": 1]
      #expect(one.counts == ["a": 1, "b": 2] && one.counts == two.counts)
      #expect(one.counts != ["a": 1] && one.counts != ["a": 1, "c": 2])
      #expect(one.counts != ["a": 1, "b": 3])
      one.numbers = ["a": nil, "b": 0]
      #expect(one.numbers == ["a": nil, "b": -0.0] && one.numbers != ["a": 0, "b": 0])
      one.numbers["a"] = .some(.nan)
      #expect(one.numbers != one.numbers)
      one.counts = [nfc: 1]
      #expect(one.counts == [nfc: 1] && one.counts != [nfd: 1])
    }
  }

  @Test func `a set is equal to a literal and to another set, in any order`() throws {
    try withPairs { one, two in
      #expect(one.wordSet == [] && one.wordSet == two.wordSet)
      one.wordSet = ["b", "a", "c"]
      two.wordSet = ["c", "b", "a"]
      #expect(one.wordSet == ["a", "b", "c"] && one.wordSet == two.wordSet)
      #expect(one.wordSet != ["a", "b"] && one.wordSet != ["a", "b", "d"])
      #expect(one.wordSet == ["a", "b", "c", "a"])
      one.maybeSet = [1, nil]
      #expect(one.maybeSet == [nil, 1] && one.maybeSet != [nil, 0])
    }
  }

  @Test func `equality of sets uses == of elements, even for elements that a set distinguishes`()
    throws
  {
    try withPairs { one, two in
      one.wordSet = [nfc, "a"]
      #expect(one.wordSet == ["a", nfd])
      one.wordSet = [nfc, nfd]
      #expect(one.wordSet == [nfd, nfc] && one.wordSet != [nfc] && one.wordSet != [nfc, "a"])
      one.wordSet = [nfc, nfd, "a"]
      #expect(one.wordSet != [nfc, "a", "b"] && one.wordSet != ["a", "b", nfd])
      one.doubleSet = [0.0]
      #expect(one.doubleSet == [-0.0])
      one.doubleSet = [.nan, 1]
      #expect(one.doubleSet != [.nan, 1] && one.doubleSet != one.doubleSet)
    }
  }

  @Test func `collections of a deleted object equal empty collections`() throws {
    let store = try Store()
    let animal = Animal(id: 1)
    let shelf = Shelf()
    shelf.words = ["x"]
    shelf.counts = ["a": 1]
    shelf.wordSet = ["x"]
    shelf.animals = [animal]
    try store.write { try store.add(shelf) }
    let (words, counts, wordSet, animals) =
      (shelf.words, shelf.counts, shelf.wordSet, shelf.animals)
    try store.write { store.delete(animal) }
    #expect(animals == [] && animals == Shelf().animals)
    try store.write { store.delete(shelf) }
    #expect(shelf.isInvalidated)
    #expect(words == [] && counts == [:] && wordSet == [] && shelf.words == words)
    try store.beginWrite()
    let made = try store.create(Shelf.self, value: ["words": ["y"], "counts": ["b": 2]])
    let (madeWords, madeCounts) = (made.words, made.counts)
    store.cancelWrite()
    #expect(madeWords == [] && madeCounts == [:] && madeWords == words && made.wordSet == [])
  }

  @Test func `collections without an object can be compared`() throws {
    #expect(List<Int>() == [] && Map<String, Int>() == [:] && MutableSet<Int>() == [])
    #expect(List(1...3) == [1, 2, 3] && Map(["a": 1]) == ["a": 1] && MutableSet([1, 1]) == [1])
    let list = List([1])
    let copy = list
    list.append(2)
    #expect(copy == [1, 2])
  }

  @Test func `sets of 20,000 elements are equal regardless of the order of insertion`() throws {
    let numbers = MutableSet((0..<20_000).map(Double.init))
    #expect(numbers == MutableSet((0..<20_000).reversed().map(Double.init)))
    #expect(numbers != MutableSet((1...20_000).map(Double.init)))
  }
}

import Foundation
import ObjectStore
import TestSupport
import Testing

private let nfc = "caf\u{e9}"
private let nfd = "cafe\u{301}"

private enum Size: String, PersistableEnum { case small, large }

private final class Bag: Object {
  @Persisted(primaryKey: true) var id: Int
  @Persisted var words: MutableSet<String>
  @Persisted var maybe: MutableSet<String?>
  @Persisted var numbers: MutableSet<Double>
  @Persisted var floats: MutableSet<Float>
  @Persisted var sizes: MutableSet<Size>
  @Persisted var animals: MutableSet<Animal>
  @Persisted var prices: Map<String, Int>

  convenience init(id: Int) {
    self.init()
    self.id = id
  }
}

// R11
@Suite struct `Stored equality in sets and maps` {
  /// Calls `body` with an unmanaged and with a managed object.
  private func withBoth(_ body: (Bag) throws -> Void) throws {
    try body(Bag(id: 1))
    let store = try Store()
    let bag = Bag(id: 1)
    try store.write {
      try store.add(bag)
      try body(bag)
    }
  }

  private func texts(_ words: some Sequence<String>) -> Set<[UInt8]> {
    Set(words.map { Array($0.utf8) })
  }

  @Test func `a set compares strings by their bytes in every operation`() throws {
    try withBoth { bag in
      bag.words.insert(nfc)
      #expect(bag.words.contains(nfc) && !bag.words.contains(nfd))
      bag.words.insert(nfd)
      bag.words.insert(nfd)
      #expect(bag.words.count == 2 && texts(bag.words) == texts([nfc, nfd]))
      bag.words.insert("z")
      bag.words.insert(contentsOf: [nfc, nfd, "y"])
      #expect(bag.words.count == 4)
      bag.words.remove(nfd)
      #expect(texts(bag.words) == texts([nfc, "y", "z"]))
      bag.words = [nfd, nfc, nfd]
      #expect(texts(bag.words) == texts([nfc, nfd]))
      bag.maybe = [nil, nfc, nil, nfd]
      bag.maybe.insert(nil)
      #expect(bag.maybe.count == 3 && bag.maybe.contains(nil) && bag.maybe.contains(nfd))
      bag.maybe.remove(nil)
      bag.maybe.remove(nfc)
      #expect(texts(bag.maybe.compactMap(\.self)) == texts([nfd]))
    }
  }

  @Test func `a set holds NaN once, and both 0 and -0`() throws {
    try withBoth { bag in
      for number in [Double.nan, .nan, 0.0, -0.0, 0.0] {
        bag.numbers.insert(number)
        bag.floats.insert(Float(number))
      }
      #expect(bag.numbers.count == 3 && bag.floats.count == 3)
      #expect(bag.numbers.contains(.nan) && bag.floats.contains(.nan))
      bag.numbers.remove(.nan)
      bag.numbers.remove(-0.0)
      bag.floats.remove(.nan)
      #expect(bag.numbers.map(\.bitPattern) == [0] && !bag.numbers.contains(.nan))
      #expect(bag.floats.count == 2)
    }
  }

  @Test func `a set is stored identically by add and create`() throws {
    let store = try Store()
    let bag = Bag(id: 1)
    bag.words = [nfc, nfd, nfc]
    bag.numbers = [.nan, .nan, 0, -0.0]
    try store.write {
      try store.add(bag)
      try store.create(
        Bag.self,
        value: [
          "id": 2, "words": [.string(nfc), .string(nfd), .string(nfc)],
          "numbers": [.double(.nan), .double(.nan), 0.0, -0.0],
        ])
    }
    let other = try #require(store.object(ofType: Bag.self, forPrimaryKey: 2))
    #expect(Array(bag.words).map { Array($0.utf8) } == Array(other.words).map { Array($0.utf8) })
    #expect(bag.numbers.map(\.bitPattern) == other.numbers.map(\.bitPattern))
    let version = store.version
    try store.write {
      bag.words.insert(nfd)
      bag.words.remove("none")
      bag.words = other.words
      bag.numbers.insert(.nan)
    }
    #expect(store.version == version)
  }

  @Test func `inserting into a set of enums keeps its other elements`() throws {
    let store = try Store()
    let bag = Bag(id: 1)
    bag.sizes = [.small]
    try store.write {
      try store.add(bag)
      bag.sizes.insert(.large)
      bag.sizes.insert(.small)
    }
    #expect(Set(bag.sizes) == [.small, .large])
  }

  @Test func `a set of objects compares them by their rows`() throws {
    let store = try Store()
    let bag = Bag(id: 1)
    let animal = Animal(id: 1)
    try store.write {
      try store.add(bag)
      bag.animals.insert(animal)
      let same = try #require(store.object(ofType: Animal.self, forPrimaryKey: 1))
      bag.animals.insert(same)
      #expect(bag.animals.count == 1 && bag.animals.contains(same))
      bag.animals.remove(Animal(id: 2))
      #expect(store.objects(Animal.self).count == 1)
      bag.animals.remove(same)
      #expect(bag.animals.isEmpty && !animal.isInvalidated)
    }
  }

  @Test func `a map compares keys by their bytes`() throws {
    try withBoth { bag in
      bag.prices[nfc] = 1
      bag.prices[nfd] = 2
      #expect(bag.prices.count == 2 && bag.prices[nfc] == 1 && bag.prices[nfd] == 2)
      bag.prices["z"] = 3
      bag.prices[nfc] = nil
      #expect(bag.prices.count == 2 && bag.prices[nfc] == nil && bag.prices[nfd] == 2)
      bag.prices = [nfc: 4, nfd: 5, nfc: 6]
      #expect(bag.prices.count == 2 && bag.prices[nfc] == 6 && bag.prices[nfd] == 5)
    }
  }
}

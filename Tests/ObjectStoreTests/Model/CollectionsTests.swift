import Foundation
import ObjectStore
import TestSupport
import Testing

@Suite struct `Collections` {
  /// Runs `body` with an unmanaged and with a managed object.
  private func withBoth(_ body: (Farm) throws -> Void) throws {
    try body(Farm(name: "A"))
    let store = try Store()
    let farm = Farm(name: "A")
    try store.write {
      try store.add(farm)
      try body(farm)
    }
  }

  private func withTags(_ body: (Animal) throws -> Void) throws {
    try body(Animal(id: 1))
    let store = try Store()
    let animal = Animal(id: 1)
    try store.write {
      try store.add(animal)
      try body(animal)
    }
  }

  @Test func `a list assigned to another attribute of the same object is copied`() throws {
    final class Pair: Object {
      @Persisted var one: List<Int>
      @Persisted var two: List<Int>
    }
    let store = try Store()
    try store.write {
      let pair = try store.create(Pair.self, value: ["one": [1, 2], "two": [3]])
      pair.two = pair.one
      #expect(pair.two == [1, 2] && pair.one == [1, 2])
      pair.two.append(4)
      #expect(pair.two == [1, 2, 4] && pair.one == [1, 2])
      pair.one = pair.one
      #expect(pair.one == [1, 2])
    }
  }

  @Test func `edits of a list have the same effect as edits of an array`() throws {
    try withTags { animal in
      var model: [String] = []
      func check() { #expect(Array(animal.tags) == model) }
      animal.tags.append("a")
      model.append("a")
      check()
      animal.tags.append(contentsOf: ["b", "c", "d"])
      model.append(contentsOf: ["b", "c", "d"])
      check()
      animal.tags.insert("e", at: 0)
      model.insert("e", at: 0)
      check()
      animal.tags[2] = "f"
      model[2] = "f"
      check()
      #expect(animal.tags.remove(at: 1) == model.remove(at: 1))
      check()
      animal.tags.swapAt(0, 3)
      model.swapAt(0, 3)
      check()
      animal.tags.move(from: 0, to: 2)
      model.insert(model.remove(at: 0), at: 2)
      check()
      animal.tags.replaceSubrange(1..<3, with: ["x", "y", "z"])
      model.replaceSubrange(1..<3, with: ["x", "y", "z"])
      check()
      animal.tags += ["q"]
      model += ["q"]
      check()
      animal.tags.sort()
      model.sort()
      check()
      animal.tags.reverse()
      model.reverse()
      check()
      #expect(animal.tags.removeLast() == model.removeLast())
      #expect(animal.tags.removeFirst() == model.removeFirst())
      check()
      animal.tags.removeAll { $0 == "y" }
      model.removeAll { $0 == "y" }
      check()
      animal.tags = animal.tags
      check()
      animal.tags.append(contentsOf: animal.tags)
      model.append(contentsOf: model)
      check()
      #expect(animal.tags.first == model.first && animal.tags.last == model.last)
      #expect(animal.tags.firstIndex(of: "q") == model.firstIndex(of: "q"))
      animal.tags.removeAll()
      #expect(animal.tags.isEmpty && animal.tags.description == "[]")
    }
  }

  @Test func `a list of objects keeps duplicates and order`() throws {
    try withBoth { farm in
      let (one, two) = (Animal(id: 1), Animal(id: 2))
      farm.animals = [one, two, one]
      #expect(Array(farm.animals) == [one, two, one])
      farm.animals.append(two)
      farm.animals.remove(at: 0)
      #expect(Array(farm.animals) == [two, one, two])
      #expect(farm.animals.firstIndex(of: one) == 1)
    }
  }

  @Test func `assigning another object's list copies its elements`() throws {
    let store = try Store()
    let (one, two) = (Animal(id: 1), Animal(id: 2))
    one.tags = ["a"]
    two.tags = one.tags
    one.tags.append("b")
    #expect(Array(two.tags) == ["a"])
    try store.write {
      try store.add([one, two])
      two.tags = one.tags
      one.tags.append("c")
    }
    #expect(Array(two.tags) == ["a", "b"])
  }

  @Test func `a collection without an object holds its own elements`() throws {
    let list = List<String>()
    list.append("a")
    let set = MutableSet<Int>()
    set.insert(1)
    let map = Map<String, Int>()
    map["a"] = 1
    #expect(Array(list) == ["a"] && Array(set) == [1] && map["a"] == 1)
    let animal = Animal(id: 1)
    animal.tags = list
    list.append("b")
    #expect(Array(animal.tags) == ["a"])
  }

  @Test func `a set holds each element once`() throws {
    try withBoth { farm in
      farm.colours.insert("red")
      farm.colours.insert("red")
      farm.colours.insert(contentsOf: ["blue", "red", "green"])
      #expect(Set(farm.colours) == ["red", "blue", "green"] && farm.colours.count == 3)
      #expect(farm.colours.contains("blue") && !farm.colours.contains("black"))
      farm.colours.remove("blue")
      farm.colours.remove("black")
      #expect(Set(farm.colours) == ["red", "green"])
      farm.colours.removeAll()
      #expect(farm.colours.isEmpty)
    }
  }

  @Test func `a map finds values by key and sorts its keys by bytes`() throws {
    try withBoth { farm in
      farm.prices["milk"] = 1
      farm.prices["hay"] = 2
      farm.prices["é"] = 3
      farm.prices["Z"] = 4
      farm.prices["milk"] = 5
      #expect(farm.prices.keys == ["Z", "hay", "milk", "é"])
      #expect(farm.prices.values == [4, 2, 5, 3])
      #expect(farm.prices["milk"] == 5 && farm.prices["wool"] == nil)
      farm.prices["hay"] = nil
      farm.prices["wool"] = nil
      #expect(farm.prices.count == 3)
      #expect(farm.prices.description == "[Z: 4.0, milk: 5.0, é: 3.0]")
      #expect(Map<String, Int>().description == "[:]")
      #expect(farm.prices.map { "\($0.key)\($0.value)" } == ["Z4.0", "milk5.0", "é3.0"])
      farm.prices.removeAll()
      #expect(farm.prices.isEmpty)
    }
  }

  @Test func `a loop over a copy of a list may change the list`() throws {
    let store = try Store()
    let animal = Animal(id: 1)
    animal.tags = ["a", "b", "c"]
    try store.write {
      try store.add(animal)
      for tag in Array(animal.tags) { animal.tags.removeAll { $0 == tag } }
    }
    #expect(animal.tags.isEmpty)
  }

  @Test func `a list of a deleted object is empty`() throws {
    let store = try Store()
    let animal = Animal(id: 1)
    animal.tags = ["a"]
    try store.write { try store.add(animal) }
    let tags = animal.tags
    try store.write { store.delete(animal) }
    #expect(Array(tags).isEmpty && tags.isEmpty)
  }
}

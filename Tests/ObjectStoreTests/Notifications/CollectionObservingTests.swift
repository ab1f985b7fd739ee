import TestSupport
import Testing

@testable import ObjectStore

@Suite struct `Observed collections` {
  typealias Animal = Observed.Animal
  let store: Store
  let farm: Observed.Farm
  let received = Received()

  init() throws {
    store = try Observed.store(0..<5)
    let store = store
    farm = try store.write {
      let farm = try store.create(Observed.Farm.self, value: ["id": 1])
      farm.animals.append(contentsOf: store.objects(Animal.self).prefix(3))
      return farm
    }
  }

  private func animal(_ id: Int) throws -> Animal {
    try #require(store.object(ofType: Animal.self, forPrimaryKey: id))
  }

  private func observe<C: _BoxedCollection>(_ collection: C) -> ObservationToken {
    let token = collection.observe { [received] in received.note($0.text) }
    store.refresh()
    #expect(received.take() == ["initial"])
    return token
  }

  private func write(_ body: () throws -> Void) throws -> [String] {
    try store.write(body)
    store.refresh()
    return received.take()
  }

  @Test func `a list of objects reports insertions, deletions, moves and modified objects`() throws
  {
    let token = observe(farm.animals)
    #expect(try write { try animal(1).legs = 3 } == ["-[] +[] ~[1]"])
    #expect(try write { try animal(4).legs = 3 } == [])
    #expect(try write { farm.animals.append(try animal(4)) } == ["-[] +[3] ~[]"])
    #expect(try write { farm.animals.swapAt(0, 3) } == ["-[0, 3] +[0, 3] ~[]"])
    #expect(try write { store.delete(try animal(2)) } == ["-[2] +[] ~[]"])
    #expect(try write { farm.animals[0] = try animal(3) } == ["-[0] +[0] ~[]"])
    #expect(try write { farm.name = "x" } == [])
    #expect(try write { store.delete(farm) } == ["-[0, 1, 2] +[] ~[]"])
    #expect(try write { try animal(1).legs = 7 } == [])
    withExtendedLifetime(token) {}
  }

  @Test func `a list of values reports insertions, deletions and replaced values`() throws {
    let token = observe(farm.scores)
    #expect(
      try write { farm.scores.append(contentsOf: [1, 2, 3, 4]) } == ["-[] +[0, 1, 2, 3] ~[]"])
    #expect(try write { farm.scores[1] = 9 } == ["-[] +[] ~[1]"])
    #expect(
      try write {
        farm.scores[0] = 8
        farm.scores.removeLast()
      } == ["-[3] +[] ~[0]"])
    #expect(try write { farm.scores.insert(5, at: 0) } == ["-[] +[0] ~[]"])
    #expect(try write { farm.name = "x" } == [])
    #expect(
      try write {
        farm.scores[0] = 6
        farm.scores[0] = 5
      } == [])
    #expect(try write { store.delete(farm) } == ["-[0, 1, 2, 3] +[] ~[]"])
    withExtendedLifetime(token) {}
  }

  @Test func `a set of values reports insertions and deletions`() throws {
    let token = observe(farm.places)
    #expect(
      try write { for text in ["b", "d"] { farm.places.insert(text) } } == ["-[] +[0, 1] ~[]"])
    #expect(
      try write {
        farm.places.insert("a")
        farm.places.remove("d")
      } == ["-[1] +[0] ~[]"])
    withExtendedLifetime(token) {}
  }

  @Test func `a map reports changes by the indices of its pairs`() throws {
    let token = observe(farm.prices)
    #expect(
      try write {
        farm.prices["hay"] = 3
        farm.prices["oats"] = 4
      } == ["-[] +[0, 1] ~[]"])
    #expect(try write { farm.prices["oats"] = 5 } == ["-[] +[] ~[1]"])
    #expect(
      try write {
        farm.prices["hay"] = nil
        farm.prices["corn"] = 1
        farm.prices["oats"] = 6
      } == ["-[0] +[0] ~[1]"])
    withExtendedLifetime(token) {}
  }

  @Test func `a map of objects reports modified objects and changed links`() throws {
    let token = observe(farm.byName)
    #expect(
      try write {
        farm.byName["a"] = try animal(0)
        farm.byName["b"] = .some(nil)
      } == ["-[] +[0, 1] ~[]"])
    #expect(try write { try animal(0).legs = 1 } == ["-[] +[] ~[0]"])
    #expect(try write { try animal(1).legs = 1 } == [])
    #expect(try write { farm.byName["b"] = try animal(1) } == ["-[] +[] ~[1]"])
    withExtendedLifetime(token) {}
  }

  @Test func `inverse links report linking objects that are inserted, modified and deleted`() throws
  {
    let animal = try animal(4)
    let token = animal.farms.observe { [received] in received.note($0.text) }
    store.refresh()
    #expect(received.take() == ["initial"])
    #expect(try write { farm.animals.append(animal) } == ["-[] +[0] ~[]"])
    #expect(try write { farm.animals.append(animal) } == ["-[] +[] ~[0]"])
    #expect(try write { farm.name = "Hill" } == ["-[] +[] ~[0]"])
    let second = try store.write {
      try store.create(Observed.Farm.self, value: ["id": 2])
    }
    #expect(try write { second.animals.append(animal) } == ["-[] +[1] ~[]"])
    #expect(try write { farm.animals.removeAll() } == ["-[0] +[] ~[]"])
    #expect(try write { store.delete(animal) } == ["-[0] +[] ~[]"])
    #expect(try write { second.name = "x" } == [])
    withExtendedLifetime(token) {}
  }

  @Test func `results of a list, and a list observed with key paths, report changes`() throws {
    let token = farm.animals.observe(keyPaths: [\.legs]) { [received] in received.note($0.text) }
    let sorted = farm.animals.where { $0.legs > 2 }.sorted(by: \.name)
      .observe { [received] in received.note("sorted \($0.text)") }
    store.refresh()
    #expect(received.take() == ["initial", "sorted initial"])
    #expect(try write { try animal(1).name = "a9" } == ["sorted -[1] +[2] ~[]"])
    #expect(try write { try animal(1).legs = 1 } == ["-[] +[] ~[1]", "sorted -[2] +[] ~[]"])
    #expect(
      try write { farm.animals.removeLast() } == ["-[2] +[] ~[]", "sorted -[1] +[] ~[]"])
    #expect(try write { store.delete(farm) } == ["-[0, 1] +[] ~[]", "sorted -[0] +[] ~[]"])
    withExtendedLifetime((token, sorted)) {}
  }

  @Test func `observing a collection of an unmanaged object is misuse`() async {
    let list = await #expect(processExitsWith: .failure, observing: .misuseText) {
      _ = Observed.Farm().scores.observe { _ in }
    }
    list.says("List<Int>: only a collection of a managed object can be observed")
  }

  @Test func `observing a collection of a frozen object is misuse`() async {
    let result = await #expect(processExitsWith: .failure, observing: .misuseText) {
      let store = try Observed.store(0..<1)
      let farm = try store.write { try store.create(Observed.Farm.self, value: ["id": 1]) }
      farm.frozen().withObject { _ = $0.scores.observe { _ in } }
    }
    result.says(
      "a frozen object cannot be observed, because it never changes; observe the live one")
  }
}

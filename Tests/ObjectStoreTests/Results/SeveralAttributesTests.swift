import Foundation
import TestSupport
import Testing

@testable import ObjectStore

/// Results that are sorted or made distinct by several attributes, and the index paths of sections.
@Suite struct `Results by several attributes` {
  typealias Animal = Observed.Animal
  let store: Store
  let animals: Results<Animal>

  /// Creates six animals: a0 … a5, with 2, 3, 4, 2, 3, 4 legs, and owners of 0 for all but a3.
  init() throws {
    let store = try Observed.store(0..<6)
    animals = store.objects(Animal.self)
    let animals = animals
    try store.write {
      let owner = try store.create(Observed.Owner.self, value: ["id": 0, "name": "Jo"])
      for (index, animal) in animals.enumerated() {
        animal.legs = 2 + index % 3
        if index != 3 { animal.owner = owner }
      }
    }
    self.store = store
  }

  @Test func `key paths sort as their names do, each in its direction`() throws {
    let sorted = try animals.sorted(by: [
      StoreSortDescriptor(\Animal.legs, ascending: false), StoreSortDescriptor(\Animal.name),
    ])
    #expect(sorted.map(\.name) == ["a2", "a5", "a1", "a4", "a0", "a3"])
    let named = try animals.sorted(by: [
      StoreSortDescriptor("legs", ascending: false), StoreSortDescriptor("name"),
    ])
    #expect(sorted.map(\.id) == named.map(\.id))
    #expect(StoreSortDescriptor(\Animal.owner?.name) == StoreSortDescriptor("owner.name"))
    #expect(
      try animals.sorted(by: [StoreSortDescriptor(\Animal.owner?.name)]).first?.name == "a3")
  }

  @Test func `distinct objects are the first ones of each combination`() throws {
    #expect(animals.distinct(by: [\.legs]).map(\.name) == ["a0", "a1", "a2"])
    #expect(animals.distinct(by: [\.legs, \.owner?.name]).map(\.name) == ["a0", "a1", "a2", "a3"])
    #expect(animals.distinct(by: [\.legs, \.name]).count == 6)
    #expect(animals.distinct(by: []).map(\.name) == ["a0"])
  }

  @Test func `distinct objects change with each of the attributes`() throws {
    let distinct = animals.distinct(by: [\.legs, \.owner?.name])
    let received = Received()
    let token = distinct.observe { received.note($0.text) }
    store.refresh()
    try store.write { animals[3].owner = animals[0].owner }
    store.refresh()
    #expect(received.take() == ["initial", "-[3] +[] ~[]"])
    #expect(distinct.map(\.name) == ["a0", "a1", "a2"])
    withExtendedLifetime(token) {}
  }

  @Test func `an index path accesses an object of a section`() throws {
    let sections = animals.sectioned(by: \.legs)
    #expect(sections[IndexPath(indexes: [2, 1])].name == "a5")
    #expect(sections[[0, 0]].name == "a0")
  }

  @Test func `a section and a map report only changes of the given attributes`() throws {
    let farm = try store.write {
      let farm = try store.create(Observed.Farm.self, value: ["id": 1])
      farm.byName.merge(["x": animals[0], "y": nil]) { $1 }
      return farm
    }
    let received = Received()
    let tokens = [
      animals.sectioned(by: \.legs)[0].observe(keyPaths: [\.name]) {
        received.note("section \($0.text)")
      },
      farm.byName.observe(keyPaths: [\Animal.name]) { received.note("map \($0.text)") },
    ]
    store.refresh()
    _ = received.take()
    try store.write { animals[0].owner = nil }
    store.refresh()
    #expect(received.take() == [])
    try store.write { animals[0].name = "b" }
    store.refresh()
    #expect(received.take() == ["section -[] +[] ~[0]", "map -[] +[] ~[0]"])
    withExtendedLifetime(tokens) {}
  }

  @Test func `a store resolves a frozen object to the live one`() async throws {
    let frozen = animals[2].frozen()
    let name = try await store.inBackground { store in
      let animal = store.resolve(frozen)
      try store.write { animal?.name = "changed" }
      return animal?.name
    }
    #expect(name == "changed" && frozen.name == "a2")
    #expect(store.resolve(frozen)?.name == "changed")
    try store.write { store.delete(animals[2]) }
    #expect(store.resolve(frozen) == nil)
    #expect(try Store().resolve(frozen) == nil)
  }
}

import Foundation
import ObjectStore
import TestSupport
import Testing

@Suite struct `Results in sections` {
  private func makeStore() throws -> Store {
    let store = try Store()
    try store.write {
      let jo = try store.create(Owner.self, value: ["id": 1, "name": "Jo"])
      for (id, species) in [(1, Species.sheep), (2, .cow), (3, .sheep), (4, .horse)] {
        let animal = Animal(id: id, name: "\(9 - id)")
        animal.species = species
        animal.born = id == 1 ? nil : Date(timeIntervalSinceReferenceDate: Double(id % 2))
        animal.owner = id == 4 ? jo : nil
        try store.add(animal)
      }
    }
    return store
  }

  @Test func `sections are in ascending order of their keys, null first`() throws {
    let animals = try makeStore().objects(Animal.self)
    let sections = animals.sectioned(by: \.species)
    #expect(sections.allKeys == [.cow, .horse, .sheep])
    #expect(sections.map { $0.map(\.id) } == [[2], [4], [1, 3]])
    #expect(sections[2].key == .sheep && sections[2].count == 2 && sections[2][1].id == 3)
    #expect(sections.description == "SectionedResults<Species, Animal>(3)")
    #expect(animals.sectioned(by: \.species, ascending: false).allKeys == [.sheep, .horse, .cow])
    let byBirth = animals.sectioned(by: \.born)
    #expect(byBirth.allKeys.map { $0?.timeIntervalSinceReferenceDate } == [nil, 0, 1])
    #expect(byBirth.map { $0.map(\.id) } == [[1], [2, 4], [3]])
    let byOwner = animals.sectioned(by: \.owner?.name)
    #expect(byOwner.allKeys == [nil, "Jo"] && byOwner.map(\.count) == [3, 1])
  }

  @Test func `objects of a section are in the order of the results`() throws {
    let animals = try makeStore().objects(Animal.self)
    let sections = animals.where { $0.id > 0 }.sorted(by: \.name).sectioned(by: \.species)
    #expect(sections.map { $0.map(\.id) } == [[2], [4], [3, 1]])
  }

  @Test func `every NaN is in one section, and so are 0 and -0`() throws {
    let store = try Store()
    let numbers = [.nan, Double(bitPattern: 0x7FF8_0000_0000_0123), 1, 0, -0.0]
    try store.write {
      for (id, number) in numbers.enumerated() {
        try store.create(AllTypes.self, value: ["id": .init(id)]).double = number
      }
    }
    let all = store.objects(AllTypes.self)
    let sections = all.sectioned(by: \.double)
    #expect(sections.map { $0.map(\.id) } == [[3, 4], [2], [0, 1]])
    #expect(all.distinct(by: \.double).map(\.id) == [0, 2, 3])
    let (zero, nan) = (sections[0], sections[2])
    try store.write { for id in [0, 3] { store.delete(all.where { $0.id == id }) } }
    #expect(zero.map(\.id) == [4] && nan.map(\.id) == [1])
  }

  @Test func `empty results have no sections`() throws {
    let animals = try makeStore().objects(Animal.self)
    let none = animals.where { $0.id > 9 }.sectioned(by: \.species)
    #expect(none.isEmpty && none.allKeys.isEmpty && none.first == nil)
    #expect(try Store().objects(Animal.self).sectioned(by: \.legs).isEmpty)
  }

  @Test func `sections are live, even in a write and after its rollback`() throws {
    let store = try makeStore()
    let sections = store.objects(Animal.self).sectioned(by: \.species)
    let sheep = sections[2]
    _ = try? store.write {
      for animal in sheep { animal.species = .cow }
      #expect(sections.allKeys == [.cow, .horse] && sheep.isEmpty && sheep.key == .sheep)
      #expect(sections[0].map(\.id) == [1, 2, 3])
      throw Undo()
    }
    #expect(sections.allKeys == [.cow, .horse, .sheep] && sheep.map(\.id) == [1, 3])
    try store.write { store.delete(sheep) }
    #expect(sections.allKeys == [.cow, .horse] && sheep.isEmpty)
  }

  @Test func `a loop visits the sections that existed when it began`() throws {
    let store = try makeStore()
    var seen: [Species: Int] = [:]
    try store.write {
      for section in store.objects(Animal.self).sectioned(by: \.species) {
        for animal in section {
          seen[section.key, default: 0] += 1
          animal.species = .horse
        }
      }
    }
    // An animal that changed to a horse during the loop over cows is visited again among the horses.
    #expect(seen == [.cow: 1, .horse: 2, .sheep: 2])
  }

  @Test
  func `a section has the same identity in all versions, also next to a canonically equal key`()
    throws
  {
    let store = try Store()
    try store.write {
      for (id, name) in ["caf\u{E9}", "cafe\u{301}"].enumerated() {
        try store.add(Animal(id: id, name: name))
      }
    }
    let sections = store.objects(Animal.self).sectioned(by: \.name)
    let ids = sections.map(\.id)
    #expect(ids.count == 2 && Set(ids).count == 2)
    try store.write { try store.add(Animal(id: 2, name: "a")) }
    #expect(sections.map(\.id).dropFirst() == ids[...])
  }

  @Test func `a frozen section does not change`() throws {
    let store = try makeStore()
    let sheep = store.objects(Animal.self).sectioned(by: \.species)[2]
    let frozen = sheep.frozen()
    try store.write { store.delete(sheep) }
    #expect(frozen.map(\.id) == [1, 3] && sheep.isEmpty)
  }

  @Test func `sections of a list repeat an object as often as the list`() throws {
    let store = try makeStore()
    let farm = Farm(name: "F")
    try store.write {
      try store.add(farm)
      farm.animals.append(contentsOf: store.objects(Animal.self).sorted(by: \.name))
      farm.animals.append(farm.animals[0])
    }
    let sections = farm.animals.sectioned(by: \.species)
    #expect(sections.map { $0.map(\.id) } == [[2], [4, 4], [3, 1]])
  }
}

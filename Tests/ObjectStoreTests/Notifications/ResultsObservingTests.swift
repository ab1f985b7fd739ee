import TestSupport
import Testing

@testable import ObjectStore

@Suite struct `Observed results` {
  typealias Animal = Observed.Animal
  let store: Store
  let received = Received()

  init() throws {
    store = try Observed.store(0..<5)
  }

  private var animals: Results<Animal> { store.objects(Animal.self) }

  private func animal(_ id: Int) throws -> Animal {
    try #require(store.object(ofType: Animal.self, forPrimaryKey: id))
  }

  /// Observes results, and records each change with the keys that the observer sees.
  private func observe(_ results: Results<Animal>) -> ObservationToken {
    results.observe { [received] change in
      if case .update(let now, _, _, _) = change {
        received.note("\(change.text) \(now.map(\.id))")
      } else {
        received.note(change.text)
      }
    }
  }

  /// The changes reported for one write.
  private func write(_ body: () throws -> Void) throws -> [String] {
    try store.write(body)
    store.refresh()
    return received.take()
  }

  @Test func `an observation reports the initial state at the first delivery only`() throws {
    let token = observe(animals)
    #expect(received.take() == [])
    store.refresh()
    #expect(received.take() == ["initial"])
    store.refresh()
    #expect(received.take() == [])
    withExtendedLifetime(token) {}
  }

  @Test func `results of a class report old and new indices`() throws {
    let token = observe(animals)
    store.refresh()
    #expect(received.take() == ["initial"])
    #expect(try write { try animal(3).legs = 3 } == ["-[] +[] ~[3] [0, 1, 2, 3, 4]"])
    #expect(try write { store.delete(try animal(1)) } == ["-[1] +[] ~[] [0, 2, 3, 4]"])
    #expect(
      try write {
        store.delete(try animal(0))
        try animal(3).legs = 2
        try store.create(Animal.self, value: ["id": 9])
      } == ["-[0] +[3] ~[2] [2, 3, 4, 9]"])
    #expect(try write { store.delete(animals) } == ["-[0, 1, 2, 3] +[] ~[] []"])
    #expect(try write { try store.create(Animal.self, value: ["id": 1]) } == ["-[] +[0] ~[] [1]"])
    withExtendedLifetime(token) {}
  }

  @Test func `several writes are reported as one change without intermediate objects`() throws {
    let token = observe(animals)
    store.refresh()
    _ = received.take()
    store.handle.delivery = nil
    let second = observe(animals)
    store.refresh()
    #expect(received.take() == ["initial"])
    let other = try Store(configuration: store.configuration)
    try other.write {
      let made = try other.create(Animal.self, value: ["id": 8])
      other.object(ofType: Animal.self, forPrimaryKey: 2)?.legs = 3
      _ = made
    }
    try other.write {
      for id in [8, 4] {
        other.delete(try #require(other.object(ofType: Animal.self, forPrimaryKey: id)))
      }
    }
    try other.write { other.object(ofType: Animal.self, forPrimaryKey: 2)?.legs = 4 }
    try other.write { other.object(ofType: Animal.self, forPrimaryKey: 1)?.legs = 1 }
    store.refresh()
    #expect(received.take() == ["-[4] +[] ~[1] [0, 1, 2, 3]"])
    withExtendedLifetime((token, second)) {}
  }

  @Test
  func `filtered results report insertions and deletions when objects begin or cease to match`()
    throws
  {
    let token = observe(animals.where { $0.legs > 3 })
    store.refresh()
    _ = received.take()
    #expect(try write { try animal(2).legs = 0 } == ["-[2] +[] ~[] [0, 1, 3, 4]"])
    #expect(try write { try animal(2).legs = 6 } == ["-[] +[2] ~[] [0, 1, 2, 3, 4]"])
    #expect(try write { try animal(2).legs = 8 } == ["-[] +[] ~[2] [0, 1, 2, 3, 4]"])
    #expect(try write { try animal(2).name = "x" } == ["-[] +[] ~[2] [0, 1, 2, 3, 4]"])
    #expect(try write { try animal(2).legs = 1 } == ["-[2] +[] ~[] [0, 1, 3, 4]"])
    #expect(try write { try animal(2).name = "y" } == [])
    withExtendedLifetime(token) {}
  }

  @Test func `sorted results report a move as a deletion and an insertion`() throws {
    let token = observe(animals.sorted(by: \.name, ascending: false))
    store.refresh()
    _ = received.take()
    #expect(try write { try animal(0).name = "z" } == ["-[4] +[0] ~[] [0, 4, 3, 2, 1]"])
    #expect(try write { try animal(0).name = "b" } == ["-[] +[] ~[0] [0, 4, 3, 2, 1]"])
    #expect(
      try write {
        try animal(4).name = ""
        try animal(1).name = "c"
      } == ["-[1, 4] +[0, 4] ~[] [1, 0, 3, 2, 4]"])
    #expect(try write { try animal(3).legs = 1 } == ["-[] +[] ~[2] [1, 0, 3, 2, 4]"])
    withExtendedLifetime(token) {}
  }

  @Test func `conditions and sorts over links report changes of the linked objects`() throws {
    let owners = try store.write {
      try (0..<2).map { id in
        try store.create(
          Observed.Owner.self, value: ["id": .int(Int64(id)), "name": .string("o\(id)")])
      }
    }
    try store.write { for id in 0..<4 { try animal(id).owner = owners[id % 2] } }
    let results = animals.where { $0.owner.age < 10 && $0.owner.name != "x" }
      .sorted(by: \.owner?.name)
    let token = observe(results)
    store.refresh()
    _ = received.take()
    #expect(results.map(\.id) == [0, 2, 1, 3])
    #expect(try write { owners[0].name = "p" } == ["-[0, 1] +[2, 3] ~[] [1, 3, 0, 2]"])
    #expect(try write { owners[1].age = 30 } == ["-[0, 1] +[] ~[] [0, 2]"])
    #expect(try write { owners[0].age = 3 } == [])
    #expect(try write { owners[1].age = 3 } == ["-[] +[0, 1] ~[] [1, 3, 0, 2]"])
    #expect(try write { store.delete(owners[0]) } == ["-[2, 3] +[] ~[] [1, 3]"])
    withExtendedLifetime(token) {}
  }

  @Test func `conditions over inverse links and collections report changes of linked objects`()
    throws
  {
    let farm = try store.write { try store.create(Observed.Farm.self, value: ["id": 1]) }
    let housed = observe(animals.where { $0.farms.any { $0.name == "Hill" } })
    let farmChanges = Received()
    let full = store.objects(Observed.Farm.self).where { $0.animals.sum(\.legs) > 10 }
      .observe { farmChanges.note($0.text) }
    store.refresh()
    _ = (received.take(), farmChanges.take())
    #expect(try write { farm.animals.append(try animal(3)) } == [])
    #expect(try write { farm.name = "Hill" } == ["-[] +[0] ~[] [3]"])
    #expect(try write { farm.animals.append(try animal(1)) } == ["-[] +[0] ~[] [1, 3]"])
    #expect(farmChanges.take() == [])
    #expect(try write { try animal(1).legs = 9 } == ["-[] +[] ~[0] [1, 3]"])
    #expect(farmChanges.take() == ["-[] +[0] ~[]"])
    #expect(try write { farm.animals.remove(at: 0) } == ["-[1] +[] ~[] [1]"])
    #expect(farmChanges.take() == ["-[0] +[] ~[]"])
    #expect(try write { store.delete(farm) } == ["-[0] +[] ~[] []"])
    withExtendedLifetime((housed, full)) {}
  }

  @Test func `results with a limit report objects that enter or leave the range`() throws {
    let token = observe(animals.sorted(by: \.legs).limit(2, offset: 1))
    store.refresh()
    _ = received.take()
    #expect(try write { try animal(4).legs = 0 } == ["-[1] +[0] ~[] [0, 1]"])
    #expect(try write { try animal(3).name = "x" } == [])
    #expect(try write { try animal(0).name = "x" } == ["-[] +[] ~[0] [0, 1]"])
    #expect(try write { store.delete(try animal(4)) } == ["-[0] +[1] ~[] [1, 2]"])
    #expect(try write { store.delete(animals) } == ["-[0, 1] +[] ~[] []"])
    withExtendedLifetime(token) {}
  }

  @Test func `distinct results report the first object of each value`() throws {
    let token = observe(animals.distinct(by: \.legs))
    store.refresh()
    _ = received.take()
    #expect(try write { try animal(3).legs = 2 } == ["-[] +[1] ~[] [0, 3]"])
    #expect(try write { store.delete(try animal(0)) } == ["-[0] +[0] ~[] [1, 3]"])
    withExtendedLifetime(token) {}
  }

  @Test func `results observed with key paths report only changes of these attributes`() throws {
    let owner = try store.write { try store.create(Observed.Owner.self, value: ["id": 1]) }
    try store.write { try animal(1).owner = owner }
    let token = animals.observe(keyPaths: [\.legs, \.owner?.name]) { [received] in
      received.note($0.text)
    }
    store.refresh()
    _ = received.take()
    #expect(try write { try animal(1).name = "x" } == [])
    #expect(try write { try animal(2).legs = 1 } == ["-[] +[] ~[2]"])
    #expect(try write { owner.age = 4 } == [])
    #expect(try write { owner.name = "Jo" } == ["-[] +[] ~[1]"])
    withExtendedLifetime(token) {}
  }

  @Test func `a write that changes 300 observed rows is reported as one change`() throws {
    try store.write {
      for id in 5..<600 { try store.create(Animal.self, value: ["id": .int(Int64(id))]) }
    }
    let token = observe(animals.where { $0.legs > 3 }.sorted(by: \.id, ascending: false))
    store.refresh()
    _ = received.take()
    let lines = try write { for animal in animals where animal.id % 2 == 1 { animal.legs = 2 } }
    #expect(lines.count == 1)
    #expect(
      lines.first?.hasPrefix("-\((0..<600).filter { $0 % 2 == 0 }.map { $0 }) +[] ~[] [598, 596")
        ?? false)
    withExtendedLifetime(token) {}
  }

  @Test func `results show the reported state in a callback and the new state in a write`() throws {
    var counts: [Int] = []
    let results = animals.where { $0.legs > 3 }
    let token = results.observe { change in
      if case .update(let now, _, _, _) = change { counts.append(now.count) }
    }
    store.refresh()
    try store.write { try animal(1).legs = 0 }
    store.refresh()
    #expect(counts == [4])
    try store.write {
      try animal(2).legs = 0
      #expect(results.count == 3)
    }
    #expect(results.count == 3)
    withExtendedLifetime(token) {}
  }

  @Test(arguments: [
    ([0], [0], [1, 2], [1, 2]), ([], [0, 2], [0, 1], [1, 3]), ([1], [], [0, 2], [0, 1]),
    ([0, 3], [0, 1, 4], [1, 4], [2, 5]),
  ])
  func `newModifications are the new indices of the modified elements`(
    deletions: [Int], insertions: [Int], modifications: [Int], expected: [Int]
  ) {
    let change = CollectionChange<[Int]>.update(
      [], deletions: deletions, insertions: insertions, modifications: modifications)
    #expect(change.newModifications == expected)
    #expect(CollectionChange.initial([1]).newModifications == [])
  }

  @Test func `observing results by a key path that is not an attribute is misuse`() async {
    let result = await #expect(processExitsWith: .failure, observing: .misuseText) {
      let store = try Observed.store(1...1)
      _ = store.objects(Observed.Animal.self).observe(keyPaths: [\.name.count]) { _ in }
    }
    result.says(
      "Animal: the key path's value is derived from 'name', not the attribute itself")
  }
}

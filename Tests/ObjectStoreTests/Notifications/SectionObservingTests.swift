import Foundation
import TestSupport
import Testing

@testable import ObjectStore

extension SectionedResultsChange {
  /// `initial`, or deletions, insertions, modifications, new and old sections: `-[1.0] +[] ~[] in [2] out []`.
  fileprivate var text: String {
    guard case .update(_, let deletions, let insertions, let modifications, let new, let old) = self
    else { return "initial" }
    func list(_ paths: [IndexPath]) -> String {
      "[" + paths.map { "\($0[0]).\($0[1])" }.joined(separator: ", ") + "]"
    }
    return "-\(list(deletions)) +\(list(insertions)) ~\(list(modifications)) "
      + "in \(Array(new)) out \(Array(old))"
  }
}

@Suite struct `Observed sections` {
  typealias Animal = Observed.Animal
  let store: Store
  let animals: Results<Animal>
  let sections: SectionedResults<Int, Animal>
  let received = Received()

  /// Creates four animals with four legs and two animals with two.
  init() throws {
    store = try Observed.store(0..<6)
    animals = store.objects(Animal.self)
    sections = animals.sorted(by: \.name).sectioned(by: \.legs)
    try store.write { for id in [1, 4] { animals[id].legs = 2 } }
  }

  private func take() -> [String] {
    store.refresh()
    return received.take()
  }

  @Test func `sections report inserted, deleted and modified objects and sections`() throws {
    let token = sections.observe { [received] in received.note($0.text) }
    #expect(take() == ["initial"])
    try store.write { animals[2].owner = try store.create(Observed.Owner.self, value: ["id": 1]) }
    #expect(take() == ["-[] +[] ~[1.1] in [] out []"])
    try store.write { animals[2].legs = 2 }
    #expect(take() == ["-[1.1] +[0.1] ~[] in [] out []"])
    try store.write { animals[0].legs = 3 }
    #expect(take() == ["-[1.0] +[] ~[] in [1] out []"])
    try store.write { store.delete(animals[0]) }
    #expect(take() == ["-[] +[] ~[] in [] out [1]"])
    try store.write { animals[0].name = "z" }
    #expect(take() == ["-[0.0] +[0.2] ~[] in [] out []"])
    #expect(sections.map { $0.map(\.id) } == [[2, 4, 1], [3, 5]])
    withExtendedLifetime(token) {}
  }

  @Test func `sections report neither reverted changes nor changes of other classes`() throws {
    let token = sections.observe { [received] in received.note($0.text) }
    #expect(take() == ["initial"])
    let other = try Store(configuration: store.configuration)
    for legs in [2, 4] { try other.write { other.objects(Animal.self)[2].legs = legs } }
    try store.write { try store.create(Observed.Owner.self, value: ["id": 1]) }
    #expect(take() == [])
    withExtendedLifetime(token) {}
  }

  @Test func `sections observed with key paths report only changes of these attributes`() throws {
    let token = sections.observe(keyPaths: [\.owner?.name]) { [received] in received.note($0.text) }
    try store.write { animals[2].owner = try store.create(Observed.Owner.self, value: ["id": 1]) }
    #expect(take() == ["initial", "-[] +[] ~[1.1] in [] out []"])
    try store.write { animals[2].collar = Observed.Collar() }
    #expect(take() == [])
    try store.write { animals[2].owner?.name = "Ann" }
    #expect(take() == ["-[] +[] ~[1.1] in [] out []"])
    try store.write { animals[3].legs = 2 }
    #expect(take() == ["-[1.2] +[0.1] ~[] in [] out []"])
    withExtendedLifetime(token) {}
  }

  @Test func `a single section reports its changes`() throws {
    let token = sections[0].observe { [received] in received.note($0.text) }
    #expect(take() == ["initial"])
    try store.write { animals[0].legs = 3 }
    #expect(take() == [])
    try store.write { animals[0].legs = 2 }
    #expect(take() == ["-[] +[0] ~[]"])
    try store.write { for animal in Array(sections[0]) { animal.legs = 4 } }
    #expect(take() == ["-[0, 1, 2] +[] ~[]"])
    try store.write { animals[5].legs = 2 }
    #expect(take() == ["-[] +[0] ~[]"])
    withExtendedLifetime(token) {}
  }

  @Test func `sections of a list report changes of the list`() throws {
    let farm = try store.write {
      try store.create(
        Observed.Farm.self, value: ["id": 1, "animals": [["id": 0], ["id": 1]]], update: .modified)
    }
    let token = farm.animals.sectioned(by: \.legs).observe { [received] in received.note($0.text) }
    #expect(take() == ["initial"])
    try store.write { farm.animals.append(animals[2]) }
    #expect(take() == ["-[] +[1.1] ~[] in [] out []"])
    try store.write { store.delete(farm) }
    #expect(take() == ["-[] +[] ~[] in [] out [0, 1]"])
    withExtendedLifetime(token) {}
  }

  @MainActor @Test func `changes of sections arrive as an asynchronous sequence`() async throws {
    let store = try Observed.store(0..<2)
    let sections = store.objects(Animal.self).sectioned(by: \.legs)
    var iterator = sections.changes.makeAsyncIterator()
    #expect(await iterator.next(isolation: MainActor.shared)?.text == "initial")
    try store.write { store.objects(Animal.self)[0].legs = 1 }
    #expect(
      await iterator.next(isolation: MainActor.shared)?.text
        == "-[0.0] +[] ~[] in [0] out []")
  }

  /// Makes random commits and applies each reported change to the previous state.
  @Test(arguments: [1, 2, 3] as [UInt64])
  func `the reported changes of random commits turn the old sections into the new ones`(
    _ seed: UInt64
  )
    throws
  {
    var random = SeededRandom(seed: seed)
    let sections = animals.where { $0.id != 3 }.sorted(by: \.name).sectioned(by: \.legs)
    var change: SectionedResultsChange<SectionedResults<Int, Animal>>?
    let token = sections.observe { change = $0 }
    store.refresh()
    change = nil
    func now() -> [[String]] { sections.map { $0.map { "\($0.id) \($0.name) \($0.legs)" } } }
    var known = now()
    var changeCount = 0
    for step in 0..<200 {
      try store.write {
        for _ in 0..<1 + random.below(3) {
          let animal = animals[random.below(animals.count)]
          switch random.below(5) {
          case 0:
            try store.create(
              Animal.self,
              value: [
                "id": .int(Int64(10 + random.below(20))), "legs": .int(Int64(random.below(4))),
              ],
              update: .modified)
          case 1: if animals.count > 3 { store.delete(animal) }
          case 2: animal.name = "n\(random.below(9))"
          default: animal.legs = random.below(5)
          }
        }
      }
      store.refresh()
      let later = now()
      defer {
        known = later
        change = nil
      }
      guard
        case .update(_, let deletions, let insertions, let modifications, let new, let old)? =
          change
      else {
        #expect(known == later, "step \(step)")
        continue
      }
      changeCount += 1
      let isModified = Set(modifications)
      var applied = known.enumerated().map { section, objects in
        objects.enumerated().map { index, object in
          isModified.contains([section, index]) ? "*" : object
        }
      }
      for path in deletions.reversed() { applied[path[0]].remove(at: path[1]) }
      for section in old.reversed() { applied.remove(at: section) }
      for section in new { applied.insert(later[section], at: section) }
      for path in insertions {
        applied[path[0]].insert(later[path[0]][path[1]], at: path[1])
      }
      let expected = zip(applied, later).map { zip($0, $1).map { $0 == "*" ? "*" : $1 } }
      #expect(applied == expected && applied.map(\.count) == later.map(\.count), "step \(step)")
    }
    #expect(changeCount > 100)
    withExtendedLifetime(token) {}
  }
}

import TestSupport
import Testing

@testable import ObjectStore

/// Results that are read again after each change of a write run their query only if the change may change the result.
/// So they are compared with new results.
///
/// `STORE_RANDOM_STEPS` sets the number of changes per seed. `STORE_RANDOM_SEED` adds a seed.
@Suite struct `Results held in a write` {
  private static let steps = SeededRandom.steps(60)
  private static let seeds = SeededRandom.seeds(1...3)

  @Test(arguments: Self.seeds)
  func `results held in a write equal new results after each change`(_ seed: UInt64) throws {
    var world = QueryWorld(seed: seed)
    let store = try world.store(count: 40)
    let attributes = try ObjectSchema.of(AllTypes.self).properties.filter {
      $0.isStored && $0.name != "id"
    }
    let list = try #require(store.objects(AllTypes.self).first { !$0.objects.isEmpty })
    var nextID = 1_000
    var held: [Results<AllTypes>] = []

    func change() throws {
      let things = store.objects(AllTypes.self)
      let thing = things[world.random.below(things.count)]
      switch world.random.below(12) {
      case 0:
        try store.create(AllTypes.self, value: ["id": .init(nextID)])
        nextID += 1
      case 1 where thing != list: store.delete(thing)
      case 2: list.objects.append(thing)
      case 3: if !list.objects.isEmpty { list.objects.removeFirst() }
      case 4:
        let leaves = store.objects(Leaf.self)
        leaves[world.random.below(leaves.count)].age = world.random.below(5)
      case 5:
        let leaves = store.objects(Leaf.self)
        leaves[world.random.below(leaves.count)].next = leaves.first
      case 6: thing.leaf = store.objects(Leaf.self).last
      case 7: thing.spot?.x = Double(world.random.below(4))
      default:
        let donor = AllTypes()
        world.fill(donor)
        let name = world.one(attributes).name
        if !["leaf", "objects", "spot"].contains(name) { thing[name] = donor[name] }
      }
    }
    func check() {
      for results in held {
        let new = Results<AllTypes>(results.handle, results.entry, results.query)
        let text = results.query.map { "\($0.verbs)" } ?? ""
        #expect(results.rows == new.rows, "\(text)")
        #expect(results.first?.slot == new.first?.slot, "\(text)")
      }
    }

    for number in 0..<30 {
      let all = store.objects(AllTypes.self)
      let condition = StorePredicate(world.node(depth: 1))
      var results =
        number % 4 == 0 ? try list.objects.filter(condition) : try all.filter(condition)
      if number % 3 == 0 {
        results = try results.sorted(by: [world.one([.init("int8"), .init("leaf.age")])])
      }
      if number % 7 == 0 { results = results.distinct(by: \.string) }
      if number % 5 == 0 { results = results.limit(10, offset: 2) }
      held.append(results)
    }
    for _ in 0..<Self.steps / 20 + 1 {
      try store.write {
        check()
        for _ in 0..<20 {
          try change()
          check()
        }
        store.undone {
          for _ in 0..<3 { try change() }
          check()
        }
        check()
      }
      check()
    }
  }
}

import Foundation
import TestSupport
import Testing

@testable import ObjectStore

/// Observers of random queries, between random commits of two handles, compared with running the queries again and
/// reading every attribute.
///
/// `STORE_RANDOM_STEPS` sets the number of rounds per seed. `STORE_RANDOM_SEED` adds a seed.
@Suite struct `Random observation` {
  private typealias Thing = Indexed

  private static let steps = SeededRandom.steps(30)
  private static let seeds = SeededRandom.seeds(1...3)

  /// An observer, and the state that it has received.
  private final class Watch {
    let name: String
    private let results: Results<Thing>
    private var ids: [Int] = []
    private var states: [Int: String] = [:]
    private(set) var changeCount = 0
    private var change: CollectionChange<Results<Thing>>?
    private var token: ObservationToken?

    init(_ name: String, _ results: Results<Thing>) {
      self.name = name
      self.results = results
      token = results.observe { [unowned self] in change = $0 }
    }

    /// Compares the state after a delivery.
    func check(_ comment: String, _ seen: Seen) {
      // New results share nothing with the observer.
      let now = Results<Thing>(results.handle, results.entry, results.query)
      let later = seen.ids(now)
      defer {
        (ids, states) = (later, seen.states)
        change = nil
      }
      let comment = "\(comment) \(name)"
      #expect(seen.ids(results) == later, "\(comment)")
      switch change {
      case .initial: return
      case nil:
        #expect(ids == later, "\(comment)")
        #expect(ids.allSatisfy { states[$0] == seen.states[$0] }, "\(comment)")
      case .update(let given, let deletions, let insertions, let modifications)?:
        changeCount += 1
        #expect(seen.ids(given) == later, "\(comment)")
        var applied = ids
        for index in deletions.reversed() { applied.remove(at: index) }
        for index in insertions { applied.insert(later[index], at: index) }
        #expect(applied == later, "\(comment)")
        let gone = Set(deletions)
        let expected = ids.indices.filter {
          !gone.contains($0) && states[ids[$0]] != seen.states[ids[$0]]
        }
        #expect(modifications == expected, "\(comment)")
        // A delivery without changes is not reported.
        #expect(
          !deletions.isEmpty || !insertions.isEmpty || !modifications.isEmpty, "\(comment)")
        for (index, newIndex) in zip(modifications, change?.newModifications ?? []) {
          #expect(ids[index] == later[newIndex], "\(comment)")
        }
      case .error: Issue.record("\(comment)")
      }
    }
  }

  /// All things at one point in time.
  private struct Seen {
    /// The identifiers by row.
    var ids: [Int: Int] = [:]
    /// All attributes of each thing, by its identifier.
    var states: [Int: String] = [:]

    func ids(_ results: Results<Thing>) -> [Int] { results.rows.map { ids[$0] ?? -1 } }
  }

  private struct Run {
    var world: QueryWorld
    private let names: [String]
    let store: Store
    let other: Store

    init(_ seed: UInt64) throws {
      world = QueryWorld(seed: seed)
      store = try world.store(of: Thing.self, count: 120)
      other = try Store(configuration: store.configuration)
      names = try ObjectSchema.of(Thing.self).properties.filter(\.isStored).map(\.name)
    }

    func seen() -> Seen {
      var seen = Seen()
      for thing in store.objects(Thing.self) {
        seen.ids[thing.slot] = thing.id
        seen.states[thing.id] = state(of: thing)
      }
      return seen
    }

    private func state(of thing: Thing) -> String {
      names.map { name in
        switch thing[name] {
        case let leaf as Leaf: leaf.id
        case let spot as Spot: "\(spot.label ?? "-") \(spot.x.bitPattern)"
        case let objects as List<AllTypes>: "\(objects.map(\.id))"
        case let value as Double: "\(value.bitPattern)"
        case let value as Float: "\(value.bitPattern)"
        case let value as Date: "\(value.timeIntervalSinceReferenceDate)"
        case let value as String: "\(Array(value.utf8))"
        case let value as Data: "\(Array(value))"
        case let value: String(describing: value)
        }
      }.joined(separator: " ")
    }

    mutating func watches() throws -> [Watch] {
      let things = store.objects(Thing.self)
      var watches = [Watch("all", things)]
      for _ in 0..<4 {
        let predicate = StorePredicate(world.node(depth: 2))
        watches.append(Watch("where \(predicate)", try things.filter(predicate)))
      }
      let names = QueryWorld.attributes.map { $0.path.joined(separator: ".") }
      for _ in 0..<5 {
        var results = things
        var name = ""
        for _ in 0..<1 + world.random.below(2) {
          let order = [
            StoreSortDescriptor(world.one(names), ascending: world.random.once(in: 2)),
            StoreSortDescriptor(world.one(names)),
          ]
          results = try results.sorted(by: order)
          name += " \(order)"
          if world.random.once(in: 2) {
            let predicate = StorePredicate(world.node(depth: 1))
            results = try results.filter(predicate)
            name += " where \(predicate)"
          }
        }
        switch world.random.below(4) {
        case 0:
          let (count, offset) = (world.random.below(30), world.random.below(5))
          results = results.limit(count, offset: offset)
          name += " limit \(count) \(offset)"
        case 1:
          results = results.distinct(by: \.species)
          name += " distinct"
        default: break
        }
        watches.append(Watch(name, results))
      }
      return watches
    }

    mutating func change(_ store: Store) throws {
      let things = store.objects(Thing.self)
      let leaves = store.objects(Leaf.self)
      for _ in 0..<1 + (world.random.once(in: 8) ? 60 : world.random.below(4)) {
        let thing = things.isEmpty ? nil : things[world.random.below(things.count)]
        switch world.random.below(12) {
        case 0: thing.map { store.delete($0) }
        case 1:
          let id = 1_000 + world.random.below(100_000)
          if store.object(ofType: Thing.self, forPrimaryKey: id) == nil {
            world.fill(try store.create(Thing.self, value: ["id": .init(id)]))
          }
        case 2: thing.map { world.fill($0) }
        case 3: leaves[world.random.below(leaves.count)].name = world.one(QueryWorld.texts)
        case 4: leaves[world.random.below(leaves.count)].age = world.random.below(5)
        case 5:
          let leaf = leaves[world.random.below(leaves.count)]
          leaf.next = leaves[world.random.below(leaves.count)]
        case 6:
          thing?.leaf = world.random.once(in: 3) ? nil : leaves[world.random.below(leaves.count)]
        case 7:
          if let part = store.objects(AllTypes.self).randomElement(using: &world.random) {
            if world.random.once(in: 2) {
              part.int = world.random.below(4)
            } else {
              thing?.objects.append(part)
            }
          }
        case 8: thing.map { if !$0.objects.isEmpty { $0.objects.removeLast() } }
        case 9: thing?.spot?.x += 1
        case 10: thing.map { if !$0.ints.isEmpty { $0.ints[0] += 1 } }
        default: thing?.int = world.random.below(4)
        }
      }
      if world.random.once(in: 40), leaves.count > 3 { store.delete(leaves[0]) }
    }
  }

  @Test(arguments: Self.seeds)
  func `observers receive the changes found by comparing all query results`(_ seed: UInt64)
    throws
  {
    var run = try Run(seed)
    let watches = try run.watches()
    run.store.refresh()
    check(watches, run, "seed \(seed), initial")
    for step in 0..<Self.steps {
      // A write first delivers pending changes to its own handle, so only the last write may use that handle.
      for _ in 0..<run.world.random.below(3) {
        if run.world.random.once(in: 6) { run.other.undone { try run.change(run.other) } }
        try run.other.write { try run.change(run.other) }
      }
      run.store.refresh()
      check(watches, run, "seed \(seed), step \(step), others")
      if run.world.random.once(in: 6) { run.store.undone { try run.change(run.store) } }
      try run.store.write { try run.change(run.store) }
      run.store.refresh()
      check(watches, run, "seed \(seed), step \(step)")
    }
    #expect(watches.reduce(0) { $0 + $1.changeCount } > Self.steps)
  }

  private func check(_ watches: [Watch], _ run: Run, _ comment: String) {
    let seen = run.seen()
    for watch in watches { watch.check(comment, seen) }
  }
}

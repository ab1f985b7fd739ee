import Foundation
import TestSupport
import Testing

@testable import ObjectStore

/// Observers of random queries, between random commits of two handles, against running the queries again
/// and reading every attribute.
///
/// `STORE_RANDOM_STEPS` sets the deliveries per seed, `STORE_RANDOM_SEED` one more seed.
@Suite struct `Random observation` {
  private typealias Thing = Asked.Indexed

  private static let environment = ProcessInfo.processInfo.environment
  private static let steps = environment["STORE_RANDOM_STEPS"].flatMap(Int.init) ?? 30
  private static let seeds: [UInt64] =
    [1, 2, 3] + (environment["STORE_RANDOM_SEED"].flatMap(UInt64.init).map { [$0] } ?? [])

  /// One observer, and what it knows.
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

    /// After a delivery.
    func check(_ comment: String) {
      // New results know nothing of the observer.
      let now = Results<Thing>(results.handle, results.entry, results.query)
      let later = now.map(\.id)
      let laterStates = Dictionary(now.map { ($0.id, state(of: $0)) }) { one, _ in one }
      defer {
        (ids, states) = (later, laterStates)
        change = nil
      }
      let comment = "\(comment) \(name)"
      #expect(results.map(\.id) == later, "\(comment)")
      switch change {
      case .initial: return
      case nil:
        #expect(ids == later, "\(comment)")
        #expect(states == laterStates, "\(comment)")
      case .update(let given, let deletions, let insertions, let modifications)?:
        changeCount += 1
        #expect(given.map(\.id) == later, "\(comment)")
        var applied = ids
        for index in deletions.reversed() { applied.remove(at: index) }
        for index in insertions { applied.insert(later[index], at: index) }
        #expect(applied == later, "\(comment)")
        let gone = Set(deletions)
        let expected = ids.indices.filter {
          !gone.contains($0) && states[ids[$0]] != laterStates[ids[$0]]
        }
        #expect(modifications == expected, "\(comment)")
        // What stayed and is as it was is not told.
        #expect(
          !deletions.isEmpty || !insertions.isEmpty || !modifications.isEmpty, "\(comment)")
        for (index, newIndex) in zip(modifications, change?.newModifications ?? []) {
          #expect(ids[index] == later[newIndex], "\(comment)")
        }
      case .error: Issue.record("\(comment)")
      }
    }

    /// Everything of the object itself.
    private func state(of thing: Thing) -> String {
      let place = thing.place.map { "\($0.city ?? "-") \($0.x.bitPattern)" } ?? "none"
      let numbers =
        "\(thing.small) \(thing.whole) \(thing.maybeWhole ?? -9) \(thing.natural) "
        + "\(thing.float.bitPattern) \(thing.double.bitPattern) "
        + "\(thing.maybeDouble.map { "\($0)" } ?? "-") \(thing.decimal) "
        + "\(thing.maybeDecimal.map { "\($0)" } ?? "-")"
      let texts =
        "\(Array(thing.text.utf8)) \(Array((thing.maybeText ?? "null").utf8)) \(thing.url) "
        + "\(thing.kind) \(Array(thing.data)) \(thing.uuid) \(thing.maybeText == nil)"
      let dates =
        "\(thing.date.timeIntervalSinceReferenceDate) \(String(describing: thing.maybeDate))"
      let links =
        "\(thing.owner?.id ?? "-") \(thing.parts.map(\.id)) \(thing.tags.map { Array($0.utf8) }) "
        + "\(Array(thing.numbers)) \(thing.scores.map { $0 }) \(thing.marks.keys) \(thing.marks.values)"
      return
        "\(thing.flag) \(String(describing: thing.maybeFlag)) \(numbers) \(texts) \(dates) \(place) \(links)"
    }
  }

  private struct Run {
    var world: QueryWorld
    let store: Store
    let other: Store

    init(_ seed: UInt64) throws {
      world = QueryWorld(seed: seed)
      store = try world.store(of: Thing.self, count: 120)
      other = try Store(configuration: store.configuration)
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
          results = results.distinct(by: \.kind)
          name += " distinct"
        default: break
        }
        watches.append(Watch(name, results))
      }
      return watches
    }

    mutating func change(_ store: Store) throws {
      let things = store.objects(Thing.self)
      let owners = store.objects(Asked.Owner.self)
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
        case 3: owners[world.random.below(owners.count)].name = world.one(QueryWorld.texts)
        case 4: owners[world.random.below(owners.count)].age = world.random.below(5)
        case 5:
          let owner = owners[world.random.below(owners.count)]
          owner.friend = owners[world.random.below(owners.count)]
        case 6:
          thing?.owner = world.random.once(in: 3) ? nil : owners[world.random.below(owners.count)]
        case 7:
          if let part = store.objects(Asked.Thing.self).randomElement(using: &world.random) {
            if world.random.once(in: 2) {
              part.whole = world.random.below(4)
            } else {
              thing?.parts.append(part)
            }
          }
        case 8: thing.map { if !$0.parts.isEmpty { $0.parts.removeLast() } }
        case 9: thing?.place?.x += 1
        case 10: thing.map { if !$0.numbers.isEmpty { $0.numbers[0] += 1 } }
        default: thing?.whole = world.random.below(4)
        }
      }
      if world.random.once(in: 40), owners.count > 3 { store.delete(owners[0]) }
    }
  }

  @Test(arguments: Self.seeds) func `tells what running the queries again shows`(_ seed: UInt64)
    throws
  {
    var run = try Run(seed)
    let watches = try run.watches()
    run.store.refresh()
    for watch in watches { watch.check("seed \(seed), initial") }
    for step in 0..<Self.steps {
      // An own write delivers before it begins, so that only the last of several may be one.
      for _ in 0..<run.world.random.below(3) {
        if run.world.random.once(in: 6) { run.other.undone { try run.change(run.other) } }
        try run.other.write { try run.change(run.other) }
      }
      run.store.refresh()
      for watch in watches { watch.check("seed \(seed), step \(step), others") }
      if run.world.random.once(in: 6) { run.store.undone { try run.change(run.store) } }
      try run.store.write { try run.change(run.store) }
      run.store.refresh()
      for watch in watches { watch.check("seed \(seed), step \(step)") }
    }
    #expect(watches.reduce(0) { $0 + $1.changeCount } > Self.steps)
  }
}

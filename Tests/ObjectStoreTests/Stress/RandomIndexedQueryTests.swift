import TestSupport
import Testing

@testable import ObjectStore

/// Random queries on a class with indexed attributes, between and inside random writes, compared with an evaluator that
/// reads each object. R8.
///
/// The number of rounds per seed is a tenth of `STORE_RANDOM_STEPS`. `STORE_RANDOM_SEED` adds a seed. With fewer
/// than the default steps, as under the sanitizers, only a part of the table of operators is queried.
@Suite struct `Random queries with indexes` {
  private typealias Thing = Indexed

  private static let steps = SeededRandom.steps(400)
  private static let seeds = SeededRandom.seeds(1...3)

  /// A store under test, and the access paths of its queries.
  private struct Run: QueryRun {
    var world: QueryWorld
    let store: Store
    var plans: [String: Int] = [:]
    /// All objects, read again before each round of queries.
    var all: [Thing] = []
    /// Frozen results, and the identifiers they showed when they were frozen.
    var kept: [(FrozenResults<Thing>, [Int])] = []

    init(_ seed: UInt64, count: Int) throws {
      world = QueryWorld(seed: seed)
      store = try world.store(of: Thing.self, count: count)
      all = Array(things)
    }

    var things: Results<Thing> { store.objects(Thing.self) }

    static let kinds = [
      "key id", "index on", "index on (", "links of", "every row", " or ", "in order", "descending",
    ]

    /// Runs a query and compares its results with those of a naive evaluator.
    mutating func ask(_ node: QueryNode, holds: ((Thing) -> Bool)? = nil) throws {
      let predicate = StorePredicate(node)
      let results = try things.filter(predicate)
      let expected = all.filter { holds?($0) ?? NaiveQuery.holds(predicate.node, $0) }
      note(results)
      #expect(results.rows == expected.map(\.slot), "\(predicate)\n\(results.explainQuery())")
      #expect(results.first?.id == expected.first?.id, "\(predicate)")
      #expect(results.isEmpty == expected.isEmpty, "\(predicate)")
      if world.random.once(in: 4) { kept.append((results.frozen(), expected.map(\.id))) }
    }

    /// Compares the first few objects in an order with the whole order.
    mutating func askInOrder() throws {
      let names = QueryWorld.attributes.filter { $0.path.count == 1 }.map { $0.path[0] }
      var order = [StoreSortDescriptor(world.one(names), ascending: world.random.once(in: 2))]
      if world.random.once(in: 3) { order.append(StoreSortDescriptor(world.one(names))) }
      var results = things
      if world.random.once(in: 3) { results = try results.filter("int8 >= 0") }
      try ask(results, first: order)
    }

    /// Compares the smallest and the largest value of an indexed attribute.
    func askExtremes() {
      func expect<Value: ScalarValue & Comparable>(_ attribute: KeyPath<Thing, Value>) {
        let values = all.map { $0[keyPath: attribute] }
        #expect(things.min(of: attribute) == values.min(), "\(attribute)")
        #expect(things.max(of: attribute) == values.max(), "\(attribute)")
      }
      func expectSome<Value: ScalarValue & Comparable>(_ attribute: KeyPath<Thing, Value?>) {
        let values = all.compactMap { $0[keyPath: attribute] }
        #expect(things.min(of: attribute) == values.min(), "\(attribute)")
        #expect(things.max(of: attribute) == values.max(), "\(attribute)")
      }
      expect(\.int)
      expect(\.uint64)
      expectSome(\.optDouble)
      expect(\.date)
      expectSome(\.optInt8)
      expectSome(\.optDate)
    }

    /// Compares the first few objects in the order of an index's attributes, with the preceding attributes fixed to one
    /// value.
    mutating func askInCompoundOrder() throws {
      let index = world.one(Thing.indexes)
      let start = world.random.below(index.count)
      let isAscending = world.random.once(in: 2)
      let order = index[start..<start + 1 + world.random.below(index.count - start)].map {
        StoreSortDescriptor($0, ascending: world.random.once(in: 6) != isAscending)
      }
      var conditions = index[..<start].map { equality($0) }
      if world.random.once(in: 4) { conditions.append(comparison(index[start])) }
      if world.random.once(in: 5) { conditions.append(comparison(world.one(index))) }
      let results = try things.filter(StorePredicate(.and(conditions)))
      try ask(conditions.isEmpty || world.random.once(in: 20) ? things : results, first: order)
    }

    private mutating func ask(_ results: Results<Thing>, first order: [StoreSortDescriptor]) throws
    {
      let (count, offset) = (world.random.below(12), world.random.below(3))
      let sorted = try results.sorted(by: order)
      let cut = sorted.limit(count, offset: offset)
      note(cut)
      #expect(
        cut.rows == Array(sorted.rows.dropFirst(offset).prefix(count)),
        "\(order)\n\(cut.explainQuery())")
      #expect(sorted.first?.slot == sorted.rows.first, "\(order)\n\(sorted.explainQuery())")
    }

    /// Returns conditions on the first attributes of a compound index, in any order.
    mutating func compoundConjunction(_ index: [String]) -> QueryNode {
      let count = 1 + world.random.below(index.count)
      var parts = index[..<(count - 1)].map { equality($0) }
      parts.append(comparison(index[count - 1]))
      if world.random.once(in: 3) { parts.append(comparison(world.one(index))) }
      if world.random.once(in: 4) { parts.append(world.node(depth: 0)) }
      parts.shuffle(using: &world.random)
      if parts.count > 2, world.random.once(in: 3) {
        parts = [.and(Array(parts[..<2]))] + parts[2...]
      }
      return world.random.once(in: 6) ? .or([.and(parts), equality(index[0])]) : .and(parts)
    }

    /// Returns a condition that an attribute has one value, or one of a few.
    private mutating func equality(_ name: String) -> QueryNode {
      let operand = QueryOperand.attribute(QueryAttribute([name]))
      let values = Self.family(name).values
      if world.random.once(in: 6) {
        return .isIn(operand, [world.one(values), world.one(values), .null], [])
      }
      let value = world.random.once(in: 6) ? .null : world.one(values)
      return .comparison(operand, QueryComparison(.equal), .value(value))
    }

    private mutating func comparison(_ name: String) -> QueryNode {
      let family = Self.family(name)
      let operand = QueryOperand.attribute(QueryAttribute([name]))
      if family == .number, world.random.once(in: 4) {
        return .between(operand, world.one(family.values), world.one(family.values))
      }
      return .comparison(
        operand, QueryComparison(world.one(family.operations)),
        .value(world.random.once(in: 8) ? .null : world.one(family.values)))
    }

    private static func family(_ name: String) -> QueryWorld.Family {
      QueryWorld.attributes.first { $0.path == [name] }?.family ?? .number
    }

    mutating func ask(times: Int) throws {
      all = Array(things)
      askExtremes()
      for _ in 0..<times {
        try ask(world.node(depth: 2))
        try ask(conjunction())
        if let leaf = store.objects(Leaf.self).first, let row = QueryValue(row: leaf) {
          let node = QueryNode.comparison(
            .attribute(QueryAttribute(["leaf"])), QueryComparison(.equal), .value(row))
          try ask(node) { $0.leaf == leaf }
        }
        let one = QueryNode.comparison(
          .attribute(QueryAttribute(["id"])), QueryComparison(.equal),
          .value(.int(Int64(world.random.below(90)))))
        let text = QueryNode.comparison(
          .attribute(QueryAttribute(["string"])), QueryComparison(.equal),
          .value(.string(world.one(QueryWorld.texts))))
        try ask(one)
        try ask(.or([one, text]))
        for _ in 0..<2 { try ask(compoundConjunction(world.one(Thing.indexes))) }
        for _ in 0..<3 {
          try askInOrder()
          try askInCompoundOrder()
        }
      }
    }

    /// Returns conditions that indexes can serve.
    private mutating func conjunction() -> QueryNode {
      let parts = (0..<1 + world.random.below(3)).map { _ in
        let attribute = world.one(QueryWorld.attributes.filter { $0.path.count == 1 })
        let operand = QueryOperand.attribute(QueryAttribute(attribute.path))
        let values = attribute.family.values
        if world.random.once(in: 5) {
          return QueryNode.isIn(operand, [world.one(values), world.one(values), .null], [])
        }
        return .comparison(
          operand, QueryComparison(world.one(attribute.family.operations)),
          .value(world.random.once(in: 8) ? .null : world.one(values)))
      }
      return world.random.once(in: 3) ? .or(parts) : .and(parts)
    }

    private mutating func note(_ results: Results<Thing>) {
      let first = results.explainQuery().split(separator: "\n")[0]
      for kind in Self.kinds where first.contains(kind) { plans[kind, default: 0] += 1 }
      if first.contains("index on ("), first.contains("order: ") {
        plans["order of several", default: 0] += 1
      }
      if first.contains("what the write changed") { plans["write", default: 0] += 1 }
      if first.contains("order, and what the write changed") {
        plans["order in a write", default: 0] += 1
        if first.contains("index on (") { plans["order of several in a write", default: 0] += 1 }
      }
    }

    /// Updates, inserts and deletes `count` objects.
    mutating func change(_ count: Int) throws {
      defer { all = Array(things) }
      for _ in 0..<count {
        let thing = things[world.random.below(things.count)]
        switch world.random.below(6) {
        case 0: store.delete(thing)
        case 1, 2:
          let id = 1_000 + world.random.below(100_000)
          if store.object(ofType: Thing.self, forPrimaryKey: id) == nil {
            world.fill(try store.create(Thing.self, value: ["id": .init(id)]))
          }
        case 3: world.fill(thing)
        case 4: thing.int = world.random.below(5)
        default:
          thing.string = world.one(QueryWorld.texts)
          thing.optString = nil
        }
      }
    }
  }

  @Test(arguments: Self.seeds)
  func `indexed queries find the same rows as a scan, between and inside writes`(_ seed: UInt64)
    throws
  {
    var run = try Run(seed, count: 90)
    for round in 0..<max(1, Self.steps / 10) {
      try run.ask(times: 1)
      try run.store.write {
        // From now on the backlinks of all links to leaves are maintained.
        if round == 1 {
          run.store.delete(try run.store.create(Leaf.self, value: ["id": "gone"]))
        }
        try run.askInsideWrite(changing: run.world.random.once(in: 4) ? 60 : 3)
      }
      run.askInsideUndoneWrite()
      run.store.checkInvariants("seed \(seed), round \(round)")
    }
    for (frozen, ids) in run.kept { #expect(frozen.map(\.id) == ids) }
    let inWrites = ["write", "order in a write", "order of several in a write"]
    for kind in Run.kinds + ["order of several"] + inWrites {
      #expect(run.plans[kind, default: 0] > 0, "no query plan contains '\(kind)'")
    }
  }

  /// Enough rows for candidates to be tested chunk by chunk.
  @Test func `indexed queries of 1,200 rows find the same rows as a scan`() throws {
    var run = try Run(4, count: 1_200)
    try run.store.write { try run.change(30) }
    for text in QueryWorld.texts {
      try run.ask(
        .comparison(
          .attribute(QueryAttribute(["string"])), QueryComparison(.equal), .value(.string(text))))
    }
    try run.store.write {
      try run.change(5)
      try run.ask(
        .comparison(
          .attribute(QueryAttribute(["optString"])), QueryComparison(.equal),
          .value(.string("bee"))))
      for _ in 0..<20 { try run.ask(run.compoundConjunction(run.world.one(Thing.indexes))) }
    }
    #expect(run.plans["index on", default: 0] > 5)
    run.all = Array(run.things)
    for _ in 0..<60 {
      try run.ask(run.compoundConjunction(run.world.one(Thing.indexes)))
      try run.askInCompoundOrder()
    }
    #expect(run.plans["index on (", default: 0] > 5)
    #expect(run.plans["order of several", default: 0] > 2)
    run.store.checkInvariants()
  }

  @Test func `indexed queries with each operator on each attribute find the same rows as a scan`()
    throws
  {
    var run = try Run(1, count: 40)
    var met = 0
    // A prime, so that each operator is combined with different values.
    let stride = Self.steps < 100 ? 7 : 1
    for attribute in QueryWorld.attributes where attribute.path.count == 1 {
      let operand = QueryOperand.attribute(QueryAttribute(attribute.path))
      for operation in attribute.family.operations {
        for value in attribute.family.values + [.null] {
          met += 1
          guard met % stride == 0 else { continue }
          try run.ask(.comparison(operand, QueryComparison(operation), .value(value)))
        }
      }
    }
    #expect(run.plans["index on", default: 0] > 500 / stride)
  }
}

import TestSupport
import Testing

@testable import ObjectStore

/// Every operator on every attribute with every value, and random trees of conditions, compared with an evaluator that
/// reads the attributes of each object.
///
/// `STORE_RANDOM_STEPS` sets the number of random queries per seed. `STORE_RANDOM_SEED` adds a seed. With fewer
/// than the default steps, as under the sanitizers, only a part of the table of operators is queried.
@Suite struct `Random queries` {
  private static let steps = SeededRandom.steps(400)
  private static let seeds = SeededRandom.seeds(1...3)

  @Test func `queries with each operator on each attribute equal a naive evaluation`() throws {
    var world = QueryWorld(seed: 1)
    let store = try world.store(count: 40)
    let things = store.objects(AllTypes.self)
    let all = Array(things)
    var (met, asked) = (0, 0)
    // A prime, so that each operator is combined with different values.
    let stride = Self.steps < 100 ? 7 : 1
    func askSome(_ left: QueryOperand, _ comparison: QueryComparison, _ right: QueryOperand) throws
    {
      met += 1
      guard met % stride == 0 else { return }
      try check(.comparison(left, comparison, right), things, all)
      asked += 1
    }
    for (number, attribute) in QueryWorld.attributes.enumerated() {
      let operand = QueryOperand.attribute(QueryAttribute(attribute.path))
      let (operations, options) = (attribute.family.operations, attribute.family.options)
      for (place, operation) in operations.enumerated() {
        for (index, value) in (attribute.family.values + [.null]).enumerated() {
          // Tests half of the options each time, in alternation.
          for option in options.indices
          where options.count == 1 || (number + place + index + option) % 2 == 0 {
            try askSome(operand, QueryComparison(operation, options[option]), .value(value))
          }
        }
      }
      // Tests one operator and one option for each pair, in rotation.
      let others = QueryWorld.attributes.filter { $0.family == attribute.family }
      for (place, other) in others.enumerated() {
        let comparison = QueryComparison(
          operations[(number + place) % operations.count],
          options[(number * 3 + place) % options.count])
        try askSome(operand, comparison, .attribute(QueryAttribute(other.path)))
      }
      for value in attribute.family.values {
        let more = [value, attribute.family.values[0], .null]
        try check(.isIn(operand, more, []), things, all)
        try check(.not(.isIn(operand, [value], [])), things, all)
        if attribute.family.operations.contains(.less) {
          try check(.between(operand, attribute.family.values[0], value), things, all)
        }
      }
    }
    #expect(asked > 5_000 / stride)
  }

  @Test(arguments: Self.seeds)
  func `random trees of conditions find the same rows as a naive evaluator`(_ seed: UInt64) throws {
    var world = QueryWorld(seed: seed)
    let store = try world.store()
    let things = store.objects(AllTypes.self)
    let all = Array(things)
    var found = 0
    for _ in 0..<Self.steps {
      found += try check(world.node(depth: 3), things, all)
    }
    // Some objects must match, but not all, so that wrong results can be detected.
    #expect(found > 0 && found < Self.steps * all.count)
  }

  /// - Returns: The number of matching objects.
  @discardableResult
  private func check(
    _ node: QueryNode, _ things: Results<AllTypes>, _ all: [AllTypes]
  ) throws -> Int {
    let expected = all.filter { NaiveQuery.holds(node, $0) }.map(\.slot)
    let predicate = StorePredicate(node)
    let text = predicate.description
    #expect(try things.filter(predicate).rows == expected, "\(text)")
    // Also row by row, which is how queries on limited results are evaluated.
    #expect(try things.limit(1_000).filter(predicate).rows == expected, "\(text)")
    let read = try StorePredicate(text)
    #expect(read.description == text)
    #expect(try things.filter(read).rows == expected, "\(text)")
    return expected.count
  }
}

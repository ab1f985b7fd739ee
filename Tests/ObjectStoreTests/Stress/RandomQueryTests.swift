import Foundation
import TestSupport
import Testing

@testable import ObjectStore

/// Every operator on every attribute with every value, and random trees of such, against an evaluator
/// that reads the attributes of each object.
///
/// `STORE_RANDOM_STEPS` sets the random queries per seed, `STORE_RANDOM_SEED` one more seed. With less
/// than the usual steps, as under the sanitizers, only some of the operators' table are asked.
@Suite struct `Random queries` {
  private typealias Thing = Asked.Thing
  private typealias Owner = Asked.Owner

  private static let environment = ProcessInfo.processInfo.environment
  private static let steps = environment["STORE_RANDOM_STEPS"].flatMap(Int.init) ?? 100
  private static let seeds: [UInt64] =
    [1, 2, 3] + (environment["STORE_RANDOM_SEED"].flatMap(UInt64.init).map { [$0] } ?? [])

  @Test func `each operator, each attribute, each value`() throws {
    var world = QueryWorld(seed: 1)
    let store = try world.store(count: 40)
    let things = store.objects(Thing.self)
    let all = Array(things)
    var (met, asked) = (0, 0)
    // A prime, so that other values are met with each operator.
    let stride = Self.steps < 100 ? 7 : 1
    func askSome(_ left: QueryOperand, _ comparison: QueryComparison, _ right: QueryOperand) throws
    {
      met += 1
      guard met % stride == 0 else { return }
      try check(.comparison(left, comparison, right), things, all)
      asked += 1
    }
    for attribute in QueryWorld.attributes {
      let operand = QueryOperand.attribute(QueryAttribute(attribute.path))
      for operation in attribute.family.operations {
        for options in attribute.family.options {
          for value in attribute.family.values + [.null] {
            try askSome(operand, QueryComparison(operation, options), .value(value))
          }
          for other in QueryWorld.attributes where other.family == attribute.family {
            let right = QueryOperand.attribute(QueryAttribute(other.path))
            try askSome(operand, QueryComparison(operation, options), right)
          }
        }
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

  @Test(arguments: Self.seeds) func `random trees`(_ seed: UInt64) throws {
    var world = QueryWorld(seed: seed)
    let store = try world.store()
    let things = store.objects(Thing.self)
    let all = Array(things)
    var found = 0
    for _ in 0..<Self.steps {
      found += try check(world.node(depth: 3), things, all)
    }
    // Neither all nor nothing, as queries that can go wrong are.
    #expect(found > 0 && found < Self.steps * all.count)
  }

  /// - Returns: how many were found.
  @discardableResult
  private func check(
    _ node: QueryNode, _ things: Results<Asked.Thing>, _ all: [Asked.Thing]
  ) throws -> Int {
    let expected = all.filter { NaiveQuery.holds(node, $0) }.map(\.id)
    let predicate = StorePredicate(node)
    let text = predicate.description
    #expect(try things.filter(predicate).map(\.id) == expected, "\(text)")
    // Row by row, too, as those behind a cut are asked.
    #expect(try things.limit(1_000).filter(predicate).map(\.id) == expected, "\(text)")
    let read = try StorePredicate(text)
    #expect(read.description == text)
    #expect(try things.filter(read).map(\.id) == expected, "\(text)")
    return expected.count
  }
}

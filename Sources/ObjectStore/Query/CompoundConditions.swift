/// The conditions joined by AND that an index of several attributes may serve.
struct CompoundConditions {
  private struct Condition {
    let sought: IndexablePredicate
    let node: QueryNode?
    /// Conditions of one number were written as one.
    let number: Int
  }

  private var conditions: [Condition] = []
  /// How many were written, those that no index serves included.
  private var count = 0

  init(_ tests: [RowFilter]) {
    for test in tests { add(test) }
  }

  private mutating func add(_ test: RowFilter) {
    var parts = [test]
    if let and = test as? AndFilter {
      parts = and.tests
      guard case .between? = and.node else {
        for part in parts { add(part) }
        return
      }
    }
    for part in parts {
      guard let sought = part.sought else { continue }
      conditions.append(Condition(sought: sought, node: test.node, number: count))
    }
    count += 1
  }

  /// What an index was found to be good for.
  struct Match {
    /// The keys of the rows for which the conditions may hold.
    var ranges: [ClosedRange<CompoundIndexKey>] = [.all]
    /// How many attributes, from the first on, have certain values: within one range of keys the next
    /// one is in order.
    var fixedCount = 0
    /// How many attributes are asked for.
    var partCount = 0
    /// The conditions it serves, in the order of the attributes; nil for one that is not shown.
    var nodes: [QueryNode?] = []
  }

  /// What the keys of an index are narrowed to: by values of its first attributes, and then by a range of
  /// the next one.
  ///
  /// - Parameter limit: nothing behind this attribute is asked for.
  func match(_ index: CompoundIndex, in table: QueryTable, limit: Int = .max) -> Match {
    var match = Match()
    for (place, part) in index.parts.enumerated() where match.partCount == place && place <= limit {
      let own = conditions.filter { $0.sought.column == part.column }
      var keys: [ClosedRange<UInt64>]?
      var last: Int?
      var nodes: [QueryNode?] = []
      for condition in own where AccessPath.isFew(condition.sought.keyCount, table) {
        guard let some = condition.sought.keys(part.key) else { continue }
        keys = keys?.common(some) ?? some
        if condition.number != last { nodes.append(condition.node) }
        last = condition.number
      }
      guard let keys,
        AccessPath.isFew(
          keys.count * match.ranges.count, table, cost: AccessPath.costOfRange)
      else { break }
      match.ranges = match.ranges.flatMap { range in
        keys.map { range.narrowed(at: place, to: $0) }
      }
      match.nodes += nodes
      match.partCount += 1
      guard keys.allSatisfy({ $0.lowerBound == $0.upperBound }) else { break }
      match.fixedCount += 1
    }
    return match
  }

  /// Whether there are no conditions but those that an index serves.
  func areAll(of match: Match) -> Bool { match.nodes.count == count }
}

extension AccessPath {
  /// The access, or one by an index of several attributes if that leads to fewer rows.
  static func fewest(
    _ access: AccessPath?, _ tests: [RowFilter], in table: QueryTable
  ) -> AccessPath? {
    var best = access
    let conditions = CompoundConditions(tests)
    for place in table.layout.compoundIndexes.indices {
      guard let access = AccessPath(compound: place, conditions, in: table) else { continue }
      if best.map({ access.cost < $0.cost }) ?? true { best = access }
    }
    return best
  }

  /// What finding the rows of one range of keys costs, beside the rows, in rows found by an index.
  static let costOfRange = 4

  /// By an index of several attributes; nil if the conditions say nothing of its first one.
  private init?(compound place: Int, _ conditions: CompoundConditions, in table: QueryTable) {
    guard let tree = table.compoundIndex(place) else { return nil }
    let match = conditions.match(table.layout.compoundIndexes[place], in: table)
    if match.partCount == 0 { return nil }
    let count = match.ranges.reduce(0) { $0 + tree.count(in: $1) }
    // That of one alone is the same for any index.
    let rangeCost = match.ranges.count > 1 ? match.ranges.count * Self.costOfRange : 0
    self.init(
      way: .compound(place, match.ranges), nodes: match.nodes.compactMap(\.self), count: count,
      cost: count + rangeCost)
  }
}

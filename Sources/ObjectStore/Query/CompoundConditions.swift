/// Conditions joined by AND, to be matched with compound indexes.
struct CompoundConditions {
  private struct Condition {
    let predicate: IndexablePredicate
    let node: QueryNode?
    /// The number of the condition in the query. Both bounds of a BETWEEN have the same number.
    let number: Int
  }

  private var conditions: [Condition] = []
  /// The number of conditions in the query, including those that no index can evaluate.
  private var count = 0

  init(_ filters: [RowFilter]) {
    for filter in filters { add(filter) }
  }

  private mutating func add(_ filter: RowFilter) {
    var parts = [filter]
    if let and = filter as? AndFilter {
      parts = and.parts
      guard case .between? = and.node else {
        for part in parts { add(part) }
        return
      }
    }
    for part in parts {
      guard let predicate = part.indexablePredicate else { continue }
      conditions.append(Condition(predicate: predicate, node: filter.node, number: count))
    }
    count += 1
  }

  /// The conditions that a compound index can evaluate.
  struct Match {
    /// The keys of the rows that may match.
    var ranges: [ClosedRange<CompoundIndexKey>] = [.all]
    /// The number of leading attributes restricted to single keys. Within each range of keys, rows are ordered by the
    /// next attribute.
    var fixedCount = 0
    /// The number of leading attributes with conditions.
    var partCount = 0
    /// The covered conditions, in the order of the attributes; nil for a condition that explanations omit.
    var nodes: [QueryNode?] = []
  }

  /// Returns the keys of an index, narrowed to single values of its leading attributes and to ranges of the next one.
  ///
  /// - Parameter limit: The offset of the last attribute whose conditions are used.
  func match(_ index: CompoundIndex, in table: QueryTable, limit: Int = .max) -> Match {
    var match = Match()
    for (position, part) in index.parts.enumerated()
    where match.partCount == position && position <= limit {
      let own = conditions.filter { $0.predicate.column == part.column }
      var keys: [ClosedRange<UInt64>]?
      var last: Int?
      var nodes: [QueryNode?] = []
      for condition in own where AccessPath.isFew(condition.predicate.keyCount, table) {
        guard let some = condition.predicate.keys(part.key) else { continue }
        keys = keys?.common(some) ?? some
        if condition.number != last { nodes.append(condition.node) }
        last = condition.number
      }
      guard let keys,
        AccessPath.isFew(
          keys.count * match.ranges.count, table, cost: AccessPath.costOfRange)
      else { break }
      match.ranges = match.ranges.flatMap { range in
        keys.map { range.narrowed(at: position, to: $0) }
      }
      match.nodes += nodes
      match.partCount += 1
      guard keys.allSatisfy({ $0.lowerBound == $0.upperBound }) else { break }
      match.fixedCount += 1
    }
    return match
  }

  /// True if the match covers all conditions.
  func areAll(of match: Match) -> Bool { match.nodes.count == count }
}

extension AccessPath {
  /// Returns the cheaper of `access` and the best path that uses a compound index.
  static func fewest(
    _ access: AccessPath?, _ filters: [RowFilter], in table: QueryTable
  ) -> AccessPath? {
    var best = access
    // The columns whose conditions the best path covers.
    var covered: Set<Int> = []
    if case .index(let column, _)? = access?.kind { covered = [column] }
    let conditions = CompoundConditions(filters)
    for (position, index) in table.layout.compoundIndexes.enumerated() {
      let match = conditions.match(index, in: table)
      if match.partCount == 0 { continue }
      let columns = Set(index.columns.prefix(match.partCount))
      // An index is not built in order to find few rows, or to evaluate the same conditions.
      if let best, best.cost <= QueryPlan.few || columns.isSubset(of: covered),
        !table.hasCompoundIndex(position)
      {
        continue
      }
      guard let access = AccessPath(compound: position, match, in: table) else { continue }
      if best.map({ access.cost < $0.cost }) ?? true { (best, covered) = (access, columns) }
    }
    return best
  }

  /// The cost of locating one range of keys without reading its rows, where one row found by an index costs 1.
  static let costOfRange = 4

  /// Creates a path that uses a compound index, which is built if necessary; nil if the version has none.
  private init?(compound position: Int, _ match: CompoundConditions.Match, in table: QueryTable) {
    guard let tree = table.compoundIndex(position) else { return nil }
    let count = match.ranges.reduce(0) { $0 + tree.count(in: $1) }
    // The cost of locating a single range is ignored, as for other indexes.
    let rangeCost = match.ranges.count > 1 ? match.ranges.count * Self.costOfRange : 0
    self.init(
      kind: .compound(position, match.ranges), nodes: match.nodes.compactMap(\.self), count: count,
      cost: count + rangeCost)
  }
}

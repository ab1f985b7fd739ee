/// An index that yields rows in sort order, so that the first ones are found without examining the others.
struct QueryOrder {
  /// A sort order, and the number of first rows that are needed.
  struct Request {
    /// The leading sort keys that are attributes of the class itself.
    let keys: [(column: Int, ascending: Bool)]
    /// True if there are no further sort keys.
    let isWhole: Bool
    let limit: Int
  }

  enum Kind {
    case column(ColumnGroups)
    /// The compound index at this position in `TableLayout.compoundIndexes`.
    case compound(Int, ClosedRange<CompoundIndexKey>, CompoundGroups)
  }

  let kind: Kind
  let ascending: Bool
  /// True if the index covers all sort keys.
  let isWhole: Bool
  /// The conditions that the index range covers. Index keys may be inexact, so a few rows in the range may not match.
  var nodes: [QueryNode] = []
  /// True if the index range covers all conditions.
  let isCertain: Bool
  /// The number of rows in the index range.
  let count: Int
  /// The rows that the write inserted or may have moved in the index.
  private(set) var changedRows: [Int] = []

  /// Creates the best available order; nil if no index helps.
  init?(_ request: Request, _ filter: AndFilter, in table: QueryTable) {
    guard let first = request.keys.first else { return nil }
    var best: QueryOrder?
    if let key = table.layout.columns[first.column].index,
      let tree = table.index(of: first.column)
    {
      best = QueryOrder(
        kind: .column(ColumnGroups(column: first.column, key: key)), ascending: first.ascending,
        isWhole: request.isWhole && request.keys.count == 1, isCertain: filter.parts.isEmpty,
        count: tree.count)
    }
    if !table.layout.compoundIndexes.isEmpty {
      let conditions = CompoundConditions(filter.parts)
      for position in table.layout.compoundIndexes.indices {
        guard
          let order = QueryOrder(
            compound: position, request, conditions, in: table, insteadOf: best)
        else { continue }
        if best.map({ order.isBetter(than: $0) }) ?? true { best = order }
      }
    }
    guard let best else { return nil }
    self = best
    changedRows = table.changedRows(columns(table.layout))
    guard QueryPlan.mayMerge(changedRows, in: table) else { return nil }
  }

  /// The columns of the index.
  private func columns(_ layout: TableLayout) -> [Int] {
    switch kind {
    case .column(let groups): [groups.column]
    case .compound(let position, _, _): layout.compoundIndexes[position].parts.map(\.column)
    }
  }

  private init(
    kind: Kind, ascending: Bool, isWhole: Bool, nodes: [QueryNode] = [], isCertain: Bool, count: Int
  ) {
    self.kind = kind
    self.ascending = ascending
    self.isWhole = isWhole
    self.nodes = nodes
    self.isCertain = isCertain
    self.count = count
  }

  /// Uses a compound index whose attributes before the first sort key are restricted to one value each. Nil if an index that
  /// is not built has no advantage over `best`.
  private init?(
    compound position: Int, _ request: Request, _ conditions: CompoundConditions,
    in table: QueryTable, insteadOf best: QueryOrder?
  ) {
    let index = table.layout.compoundIndexes[position]
    guard let first = request.keys.first,
      let start = index.parts.firstIndex(where: { $0.column == first.column })
    else { return nil }
    var match = conditions.match(index, in: table, limit: start)
    if match.ranges.count != 1 { match = conditions.match(index, in: table, limit: start - 1) }
    guard match.fixedCount >= start, match.ranges.count == 1 else { return nil }
    if let best, best.isWhole, match.partCount == 0, !table.hasCompoundIndex(position) {
      return nil
    }
    guard let tree = table.compoundIndex(position) else { return nil }
    let parts = index.parts[start...]
    let covered = zip(parts, request.keys).prefix {
      $0.column == $1.column && $1.ascending == first.ascending
    }.count
    assert(covered > 0, "The index does not contain the first sort key")
    self.init(
      kind: .compound(
        position, match.ranges[0],
        CompoundGroups(keys: index.parts.map(\.key), positions: start..<start + covered)),
      ascending: first.ascending, isWhole: request.isWhole && covered == request.keys.count,
      nodes: match.nodes.compactMap(\.self), isCertain: conditions.areAll(of: match),
      count: tree.count(in: match.ranges[0]))
  }

  /// True if this order reads fewer rows than another one. For equal counts, true if it leaves less to sort or yields
  /// equal rows in slot order, so that the first of them suffice.
  private func isBetter(than other: QueryOrder) -> Bool {
    if count != other.count { return count < other.count }
    return isWhole != other.isWhole ? isWhole : endsWithOrder && !other.endsWithOrder
  }

  /// True if the index ends with the sort keys.
  private var endsWithOrder: Bool {
    switch kind {
    case .column: true
    case .compound(_, _, let groups): groups.endWithOrder
    }
  }

  /// Returns the first line of an explanation, such as `index on legs, in order`.
  func text(_ layout: TableLayout) -> String {
    let name =
      switch kind {
      case .column(let groups): layout.shortName(groups.column)
      case .compound(let position, _, _): layout.name(layout.compoundIndexes[position])
      }
    let conditions =
      nodes.isEmpty ? "" : ", \(QueryText.text(nodes.count == 1 ? nodes[0] : .and(nodes)))"
    return "index on \(name)\(conditions), " + (ascending ? "in order" : "in descending order")
      + (changedRows.isEmpty ? "" : ", and what the write changed")
  }
}

// MARK: - Running

extension QueryPlan {
  /// Returns the first rows in the order of an index; nil if the plan's access is not `.order`.
  ///
  /// - Parameter sorted: A closure that sorts the rows of one group, given in ascending order.
  func runInOrder(limit: Int, _ sorted: ([Int]) -> [Int]) -> QueryRun? {
    assert(limit >= 0, "The limit \(limit) is negative")
    guard case .order(let order) = access else { return nil }
    switch order.kind {
    case .column(let groups):
      return table.index(of: groups.column).map {
        let index = OrderedIndex(
          $0, ColumnIndex(groups.column, groups.key), table, changedRows: order.changedRows)
        return run(index, 0 ... .max, groups, order, limit, sorted)
      }
    case .compound(let position, let keys, let groups):
      return table.compoundIndex(position).map {
        let index = OrderedIndex(
          $0, table.layout.compoundIndexes[position], table, changedRows: order.changedRows)
        return run(index, keys, groups, order, limit, sorted)
      }
    }
  }

  private func run<Index: RowIndex, Groups: KeyGroups<Index.Key>>(
    _ index: OrderedIndex<Index>, _ keys: ClosedRange<Index.Key>, _ groups: Groups,
    _ order: QueryOrder, _ limit: Int, _ sorted: ([Int]) -> [Int]
  ) -> QueryRun {
    let (ascending, isWhole) = (order.ascending, order.isWhole)
    var run = QueryRun()
    var group: [Int] = []
    var groupKey = keys.lowerBound
    /// Adds the rows of a completed group; returns true if more rows are needed.
    func close() -> Bool {
      defer { group.removeAll(keepingCapacity: true) }
      if !groups.isBySlot(groupKey) {
        group.sort()
      } else if !ascending {
        group.reverse()
      }
      let isSorted = group.count < 2 || isWhole && groups.isExact(groupKey)
      run.slots += isSorted ? group : sorted(group)
      return run.slots.count < limit
    }
    func visit(_ next: Groups.Key, _ slot: Int) -> Bool {
      assert(keys.contains(next), "Row \(slot) is outside the range of keys")
      if !groups.areTogether(next, groupKey) {
        if !group.isEmpty, !close() { return false }
        groupKey = next
      }
      if run.candidates == budget {
        run.isGivenUp = true
        return false
      }
      run.candidates += 1
      if filter.parts.isEmpty || filter.matches(table.context(slot)) { group.append(slot) }
      // Rows with equal values arrive in slot order, so the first ones suffice.
      return
        !(ascending && isWhole && groups.isExact(next) && groups.isBySlot(next)
        && run.slots.count + group.count >= limit)
    }
    if ascending {
      index.forEach(in: keys, visit)
    } else {
      index.forEachReversed(in: keys, visit)
    }
    if run.isGivenUp { return run }
    if !group.isEmpty { _ = close() }
    if run.slots.count > limit { run.slots.removeSubrange(limit...) }
    return run
  }
}

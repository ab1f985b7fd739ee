/// The order of an index, in which the first rows that are wanted are found before the others are looked
/// at.
struct QueryOrder {
  /// An order in which only the first rows are wanted.
  struct Wanted {
    /// The attributes of the class's own that tell it, before any other.
    let keys: [(column: Int, ascending: Bool)]
    /// Whether those are all.
    let isWhole: Bool
    let limit: Int
  }

  enum Way {
    case column(ColumnGroups)
    /// By an index of several columns, by its place in the layout.
    case compound(Int, ClosedRange<CompoundIndexKey>, CompoundGroups)
  }

  let way: Way
  let ascending: Bool
  /// Whether nothing but the index tells the order.
  let isWhole: Bool
  /// The conditions that the rows of the index meet, or nearly all of them.
  var nodes: [QueryNode] = []
  /// Whether there are no other conditions.
  let isCertain: Bool
  /// Rows that it leads to.
  let count: Int
  /// The rows that the write inserted or may have moved in the index.
  private(set) var ofWrite: [Int] = []

  /// The best there is; nil if no index is of use.
  init?(_ wanted: Wanted, _ test: AndFilter, in table: QueryTable) {
    guard let first = wanted.keys.first else { return nil }
    var best: QueryOrder?
    if let key = table.layout.columns[first.column].index,
      let tree = table.index(of: first.column)
    {
      best = QueryOrder(
        way: .column(ColumnGroups(column: first.column, key: key)), ascending: first.ascending,
        isWhole: wanted.isWhole && wanted.keys.count == 1, isCertain: test.tests.isEmpty,
        count: tree.count)
    }
    if !table.layout.compoundIndexes.isEmpty {
      let conditions = CompoundConditions(test.tests)
      for place in table.layout.compoundIndexes.indices {
        guard let order = QueryOrder(compound: place, wanted, conditions, in: table) else {
          continue
        }
        if best.map({ order.isBetter(than: $0) }) ?? true { best = order }
      }
    }
    guard let best else { return nil }
    self = best
    ofWrite = table.rowsOfWrite(columns(table.layout))
    guard QueryPlan.mayMerge(ofWrite, in: table) else { return nil }
  }

  /// The columns of the index.
  private func columns(_ layout: TableLayout) -> [Int] {
    switch way {
    case .column(let groups): [groups.column]
    case .compound(let place, _, _): layout.compoundIndexes[place].parts.map(\.column)
    }
  }

  private init(
    way: Way, ascending: Bool, isWhole: Bool, nodes: [QueryNode] = [], isCertain: Bool, count: Int
  ) {
    self.way = way
    self.ascending = ascending
    self.isWhole = isWhole
    self.nodes = nodes
    self.isCertain = isCertain
    self.count = count
  }

  /// An index of several attributes: those before the first of the order have one value each.
  private init?(
    compound place: Int, _ wanted: Wanted, _ conditions: CompoundConditions, in table: QueryTable
  ) {
    let index = table.layout.compoundIndexes[place]
    guard let tree = table.compoundIndex(place), let first = wanted.keys.first,
      let start = index.parts.firstIndex(where: { $0.column == first.column })
    else { return nil }
    var match = conditions.match(index, in: table, limit: start)
    if match.ranges.count != 1 { match = conditions.match(index, in: table, limit: start - 1) }
    guard match.fixedCount >= start, match.ranges.count == 1 else { return nil }
    let parts = index.parts[start...]
    let covered = zip(parts, wanted.keys).prefix {
      $0.column == $1.column && $1.ascending == first.ascending
    }.count
    self.init(
      way: .compound(
        place, match.ranges[0],
        CompoundGroups(keys: index.parts.map(\.key), places: start..<start + covered)),
      ascending: first.ascending, isWhole: wanted.isWhole && covered == wanted.keys.count,
      nodes: match.nodes.compactMap(\.self), isCertain: conditions.areAll(of: match),
      count: tree.count(in: match.ranges[0]))
  }

  /// Whether it leads to fewer rows than another, or leaves less of them to be sorted, or has equals
  /// by slot, of which the first are enough.
  private func isBetter(than other: QueryOrder) -> Bool {
    if count != other.count { return count < other.count }
    return isWhole != other.isWhole ? isWhole : endsWithOrder && !other.endsWithOrder
  }

  /// Whether the index has no attributes behind those that are ordered.
  private var endsWithOrder: Bool {
    switch way {
    case .column: true
    case .compound(_, _, let groups): groups.endWithOrder
    }
  }

  /// As the first line of an explanation: `index on legs, in order`.
  func text(_ layout: TableLayout) -> String {
    let name =
      switch way {
      case .column(let groups): layout.shortName(groups.column)
      case .compound(let place, _, _): layout.name(layout.compoundIndexes[place])
      }
    let conditions =
      nodes.isEmpty ? "" : ", \(QueryText.text(nodes.count == 1 ? nodes[0] : .and(nodes)))"
    return "index on \(name)\(conditions), " + (ascending ? "in order" : "in descending order")
      + (ofWrite.isEmpty ? "" : ", and what the write changed")
  }
}

// MARK: - Groups

/// Which rows of an index its keys do not order: those are ordered by their values.
protocol KeyGroups<Key> {
  associatedtype Key: SlotTreeKey

  /// Whether the order of the rows of two keys is not told by these.
  func areTogether(_ a: Key, _ b: Key) -> Bool
  /// Whether rows of a key's group have equal values of what is ordered.
  func isExact(_ key: Key) -> Bool
  /// Whether rows of a key's group stand by their slots.
  func isBySlot(_ key: Key) -> Bool
}

/// The index of one attribute.
struct ColumnGroups: KeyGroups {
  let column: Int
  let key: IndexKey

  @inline(__always)
  func areTogether(_ a: UInt64, _ b: UInt64) -> Bool { a == b }

  @inline(__always)
  func isExact(_ key: UInt64) -> Bool { self.key.isExact(key) }

  @inline(__always)
  func isBySlot(_ key: UInt64) -> Bool { true }
}

/// An index of several attributes, some of which are ordered.
struct CompoundGroups: KeyGroups {
  let keys: [IndexKey]
  /// The attributes that are ordered; those before them have one value each.
  let places: Range<Int>

  func areTogether(_ a: CompoundIndexKey, _ b: CompoundIndexKey) -> Bool {
    for place in places {
      if a[place] != b[place] { return false }
      // What follows is in order only among equals.
      if !keys[place].isExact(a[place]) { return true }
    }
    return true
  }

  func isExact(_ key: CompoundIndexKey) -> Bool {
    places.allSatisfy { keys[$0].isExact(key[$0]) }
  }

  func isBySlot(_ key: CompoundIndexKey) -> Bool {
    endWithOrder && isExact(key)
  }

  /// Whether there are no attributes behind those that are ordered.
  var endWithOrder: Bool { places.upperBound == keys.count }
}

// MARK: - Running

extension QueryPlan {
  /// The first rows in the order of an index; nil if the plan is none of an order.
  ///
  /// - Parameter sorted: puts rows of one group, which ascend, in their order.
  func runInOrder(limit: Int, _ sorted: ([Int]) -> [Int]) -> QueryRun? {
    guard case .order(let order) = access else { return nil }
    switch order.way {
    case .column(let groups):
      return table.index(of: groups.column).map {
        let index = OrderedIndex(
          $0, ColumnIndex(groups.column, groups.key), table, ofWrite: order.ofWrite)
        return run(index, 0 ... .max, groups, order, limit, sorted)
      }
    case .compound(let place, let keys, let groups):
      return table.compoundIndex(place).map {
        let index = OrderedIndex(
          $0, table.layout.compoundIndexes[place], table, ofWrite: order.ofWrite)
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
    /// Takes the rows of one group; returns whether more are wanted.
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
      if !groups.areTogether(next, groupKey) {
        if !group.isEmpty, !close() { return false }
        groupKey = next
      }
      if run.candidates == budget {
        run.isGivenUp = true
        return false
      }
      run.candidates += 1
      if test.tests.isEmpty || test.matches(table.frame(slot)) { group.append(slot) }
      // Of equal values the first ones are enough.
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

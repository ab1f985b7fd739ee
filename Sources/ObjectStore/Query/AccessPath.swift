/// The source of the candidate rows that a query filters.
///
/// The candidates include every row that matches the conditions, and possibly others: the query evaluates its filter on
/// each of them.
struct AccessPath {
  enum Kind {
    /// The rows found by their primary key.
    case key(column: Int, slots: [Int])
    /// The rows in the index of a column with a key in any of these ranges.
    case index(column: Int, [ClosedRange<UInt64>])
    /// The rows in the compound index at this offset in the layout with a key in any of these ranges.
    case compound(Int, [ClosedRange<CompoundIndexKey>])
    /// The rows in the word index of a column that have a key in each of these ranges; the rarest range first.
    case searchWords(column: Int, [ClosedRange<UInt64>])
    /// The rows that link to any of these slots.
    case links(column: Int, [UInt64])
    /// The rows found by any of these paths.
    case union([AccessPath])
  }

  let kind: Kind
  /// The conditions that the path covers.
  var nodes: [QueryNode]
  /// The number of rows found. A row that several paths of a union find is counted several times.
  let count: Int
  /// The cost of finding the rows, where one row found by an index costs 1.
  let cost: Int

  init(kind: Kind, nodes: [QueryNode], count: Int, cost: Int? = nil) {
    self.kind = kind
    self.nodes = nodes
    self.count = count
    self.cost = cost ?? count
  }

  /// The columns whose indexes are read.
  func indexedColumns(_ layout: TableLayout) -> [Int] {
    switch kind {
    case .key, .links: []
    case .index(let column, _), .searchWords(let column, _): [column]
    case .compound(let position, _): layout.compoundIndexes[position].parts.map(\.column)
    case .union(let parts): Array(Set(parts.flatMap { $0.indexedColumns(layout) })).sorted()
    }
  }

  /// Calls `body` with the slots found, in no particular order. Slots may repeat, and their rows may be deleted.
  func forEach(in table: QueryTable, _ body: (Int) -> Void) {
    switch kind {
    case .key(_, let slots): slots.forEach(body)
    case .index(let column, let ranges):
      guard let tree = table.index(of: column) else { return }
      for keys in ranges {
        tree.forEach(in: keys) { _, slot in
          body(slot)
          return true
        }
      }
    case .compound(let position, let ranges):
      guard let tree = table.compoundIndex(position) else { return }
      for keys in ranges {
        tree.forEach(in: keys) { _, slot in
          body(slot)
          return true
        }
      }
    case .searchWords(let column, let ranges):
      guard let tree = table.wordIndex(of: column) else { return }
      Self.forEachSlot(with: ranges, tree, table, body)
    case .links(let column, let targets):
      let tree = table.version.backlinks(of: column, table.layout.columns[column])
      for target in targets { tree.forEachSlot(of: target, body) }
    case .union(let parts):
      for part in parts { part.forEach(in: table, body) }
    }
  }

  /// Returns the name shown in explanations, such as `index on legs`.
  func name(_ layout: TableLayout) -> String {
    switch kind {
    case .key(let column, _): return "key \(layout.shortName(column))"
    case .index(let column, _): return "index on \(layout.shortName(column))"
    case .compound(let position, _):
      return "index on \(layout.name(layout.compoundIndexes[position]))"
    case .searchWords(let column, _): return "words of \(layout.shortName(column))"
    case .links(let column, _): return "links of \(layout.shortName(column))"
    case .union(let parts):
      var names: [String] = []
      for part in parts where !names.contains(part.name(layout)) { names.append(part.name(layout)) }
      return names.joined(separator: " or ")
    }
  }
}

// MARK: - Choosing a path

extension AccessPath {
  /// Creates the cheapest access path that a condition allows; nil if only a scan finds its rows.
  init?(_ filter: RowFilter, in table: QueryTable) {
    switch filter {
    case let filter as AndFilter:
      guard let best = Self.best(of: filter.parts, in: table) else { return nil }
      self = best
      // A BETWEEN is shown as one condition.
      if case .between? = filter.node, let node = filter.node { nodes = [node] }
    case let filter as OrFilter:
      self.init(anyOf: filter.parts, filter.node, in: table)
    default:
      if table.layout.compoundIndexes.isEmpty {
        self.init(alone: filter, in: table)
        return
      }
      let alone = AccessPath(alone: filter, in: table)
      guard let best = Self.fewest(alone, [filter], in: table) else { return nil }
      self = best
    }
  }

  /// Creates a path for a single condition, using only the key, index or backlinks of its column.
  private init?(alone filter: RowFilter, in table: QueryTable) {
    guard let predicate = filter.indexablePredicate else { return nil }
    self.init(predicate, filter.node.map { [$0] } ?? [], in: table)
  }

  private init?(_ predicate: IndexablePredicate, _ nodes: [QueryNode], in table: QueryTable) {
    switch predicate {
    case .words(let column, let words, let orNull):
      guard Self.isFew(words.count, table) else { return nil }
      if column == table.layout.keyColumn {
        self.init(
          column, slots: words.compactMap { table.version.find(word: $0, column) }, nodes)
        return
      }
      let layout = table.layout.columns[column]
      if layout.kind == .link {
        // Backlinks do not record null links.
        guard !orNull, let tree = table.version.knownBacklinks(of: column) else { return nil }
        let targets = words.filter { $0 != 0 }.map { $0 - 1 }.sorted()
        self.init(
          kind: .links(column: column, targets), nodes: nodes,
          count: targets.reduce(0) { $0 + tree.count(in: $1...$1) })
        return
      }
      self.init(indexed: predicate, nodes, table)
    case .bytes(let column, let bytes):
      if column == table.layout.keyColumn {
        let slot = bytes.withUnsafeBytes { table.version.find(bytes: $0, column) }
        self.init(column, slots: slot.map { [$0] } ?? [], nodes)
        return
      }
      self.init(indexed: predicate, nodes, table)
    case .byteSet(let column, let set, _):
      guard Self.isFew(set.count, table) else { return nil }
      if column == table.layout.keyColumn {
        var slots: [Int] = []
        set.forEach { bytes in
          if let slot = table.version.find(bytes: bytes, column) { slots.append(slot) }
        }
        self.init(column, slots: slots, nodes)
        return
      }
      self.init(indexed: predicate, nodes, table)
    case .keys:
      self.init(indexed: predicate, nodes, table)
    case .search(let column, let ranges):
      guard let tree = table.wordIndex(of: column) else { return nil }
      self.init(column, words: ranges, nodes, tree)
    }
  }

  /// The number of rows that can be scanned in the time of one key lookup.
  private static let rowsForKey = 8

  /// True if looking up this many keys may be faster than a scan. Always true for a few keys.
  ///
  /// - Parameter cost: The cost of one lookup, where one row found by an index costs 1.
  static func isFew(_ keyCount: Int, _ table: QueryTable, cost: Int = 1) -> Bool {
    keyCount <= max(16, table.version.liveCount / (rowsForKey * cost))
  }

  private init?(indexed predicate: IndexablePredicate, _ nodes: [QueryNode], _ table: QueryTable) {
    guard let key = table.layout.columns[predicate.column].index, let keys = predicate.keys(key)
    else {
      return nil
    }
    self.init(predicate.column, keys, nodes, table)
  }

  private init(_ column: Int, slots: [Int], _ nodes: [QueryNode]) {
    self.init(kind: .key(column: column, slots: slots), nodes: nodes, count: slots.count)
  }

  private init?(
    _ column: Int, _ ranges: [ClosedRange<UInt64>], _ nodes: [QueryNode], _ table: QueryTable
  ) {
    guard let tree = table.index(of: column) else { return nil }
    self.init(
      kind: .index(column: column, ranges), nodes: nodes,
      count: ranges.reduce(0) { $0 + tree.count(in: $1) })
  }

  /// Creates the union of the paths of all conditions; nil if any condition has no path.
  private init?(anyOf filters: [RowFilter], _ node: QueryNode?, in table: QueryTable) {
    var parts: [AccessPath] = []
    for filter in filters {
      guard let part = AccessPath(filter, in: table) else { return nil }
      parts.append(part)
    }
    let nodes = node.map { [$0] } ?? parts.flatMap(\.nodes)
    self.init(
      kind: .union(parts), nodes: nodes, count: parts.reduce(0) { $0 + $1.count },
      cost: parts.reduce(0) { $0 + $1.cost })
  }

  /// Returns the cheapest path for conditions joined by AND. Conditions on the same indexed column are combined, as are
  /// conditions on the columns of a compound index.
  private static func best(of filters: [RowFilter], in table: QueryTable) -> AccessPath? {
    // No index, which may have to be built, is better than a few keys.
    for filter in filters {
      guard let predicate = filter.indexablePredicate, predicate.column == table.layout.keyColumn,
        predicate.keyCount <= QueryPlan.few, let access = AccessPath(alone: filter, in: table),
        case .key = access.kind
      else { continue }
      return access
    }
    var best: AccessPath?
    var byColumn: [Int: AccessPath] = [:]
    for filter in filters {
      guard var access = AccessPath(filter, in: table) else { continue }
      if case .index(let column, let ranges) = access.kind {
        if let other = byColumn[column], case .index(_, let others) = other.kind {
          access =
            AccessPath(column, others.common(ranges), other.nodes + access.nodes, table)
            ?? access
        }
        byColumn[column] = access
      }
      if best.map({ access.cost < $0.cost || access.serves($0) }) ?? true { best = access }
    }
    return table.layout.compoundIndexes.isEmpty ? best : fewest(best, filters, in: table)
  }

  /// True if this path also covers the conditions of another path.
  private func serves(_ other: AccessPath) -> Bool {
    guard case .index(let column, _) = kind, case .index(let otherColumn, _) = other.kind else {
      return false
    }
    return column == otherColumn
  }
}

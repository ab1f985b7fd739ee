/// The source of the candidate rows that a query filters.
///
/// It contains every row that matches the conditions, and possibly more: each candidate is checked against its cells.
struct AccessPath {
  enum Way {
    /// The rows found by their primary key.
    case key(column: Int, slots: [Int])
    /// The rows in the index of a column with a key in any of these ranges.
    case index(column: Int, [ClosedRange<UInt64>])
    /// The rows in the index of several columns at this offset of the layout, with a key in any of these ranges.
    case compound(Int, [ClosedRange<CompoundIndexKey>])
    /// The rows in the word index of a column that have a key in each of these ranges; the rarest range first.
    case words(column: Int, [ClosedRange<UInt64>])
    /// The rows that link to any of these slots.
    case links(column: Int, [UInt64])
    /// The rows found by any of these paths.
    case union([AccessPath])
  }

  let way: Way
  /// The conditions that the path covers.
  var nodes: [QueryNode]
  /// The number of rows found. A row found by several parts counts once for each.
  let count: Int
  /// The cost of finding them, in rows found by an index.
  let cost: Int

  init(way: Way, nodes: [QueryNode], count: Int, cost: Int? = nil) {
    self.way = way
    self.nodes = nodes
    self.count = count
    self.cost = cost ?? count
  }

  /// The columns whose indexes are read.
  func indexedColumns(_ layout: TableLayout) -> [Int] {
    switch way {
    case .key, .links: []
    case .index(let column, _), .words(let column, _): [column]
    case .compound(let place, _): layout.compoundIndexes[place].parts.map(\.column)
    case .union(let parts): Array(Set(parts.flatMap { $0.indexedColumns(layout) })).sorted()
    }
  }

  /// Calls `body` with the slots found, in no particular order. Slots may repeat, and their rows may be dead.
  func forEach(in table: QueryTable, _ body: (Int) -> Void) {
    switch way {
    case .key(_, let slots): slots.forEach(body)
    case .index(let column, let ranges):
      guard let tree = table.index(of: column) else { return }
      for keys in ranges {
        tree.forEach(in: keys) { _, slot in
          body(slot)
          return true
        }
      }
    case .compound(let place, let ranges):
      guard let tree = table.compoundIndex(place) else { return }
      for keys in ranges {
        tree.forEach(in: keys) { _, slot in
          body(slot)
          return true
        }
      }
    case .words(let column, let ranges):
      guard let tree = table.wordIndex(of: column) else { return }
      Self.forEachSlot(with: ranges, tree, table, body)
    case .links(let column, let targets):
      guard let tree = table.version.backlinks[column] else { return }
      for target in targets { tree.forEachSlot(of: target, body) }
    case .union(let parts):
      for part in parts { part.forEach(in: table, body) }
    }
  }

  /// The name shown in explanations, such as `index on legs`.
  func name(_ layout: TableLayout) -> String {
    switch way {
    case .key(let column, _): return "key \(layout.shortName(column))"
    case .index(let column, _): return "index on \(layout.shortName(column))"
    case .compound(let place, _):
      return "index on \(layout.name(layout.compoundIndexes[place]))"
    case .words(let column, _): return "words of \(layout.shortName(column))"
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
  init?(_ test: RowFilter, in table: QueryTable) {
    switch test {
    case let test as AndFilter:
      guard let best = Self.best(of: test.tests, in: table) else { return nil }
      self = best
      // A BETWEEN is shown as one condition.
      if case .between? = test.node, let node = test.node { nodes = [node] }
    case let test as OrFilter:
      self.init(anyOf: test.tests, test.node, in: table)
    default:
      if table.layout.compoundIndexes.isEmpty {
        self.init(alone: test, in: table)
        return
      }
      let alone = AccessPath(alone: test, in: table)
      guard let best = Self.fewest(alone, [test], in: table) else { return nil }
      self = best
    }
  }

  /// Creates a path for a single condition, using only the key, index or backlinks of its column.
  private init?(alone test: RowFilter, in table: QueryTable) {
    guard let sought = test.sought else { return nil }
    self.init(sought, test.node.map { [$0] } ?? [], in: table)
  }

  private init?(_ sought: IndexablePredicate, _ nodes: [QueryNode], in table: QueryTable) {
    switch sought {
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
        guard !orNull, let tree = table.version.backlinks[column] else { return nil }
        let targets = words.filter { $0 != 0 }.map { $0 - 1 }.sorted()
        self.init(
          way: .links(column: column, targets), nodes: nodes,
          count: targets.reduce(0) { $0 + tree.count(in: $1...$1) })
        return
      }
      self.init(indexed: sought, nodes, table)
    case .text(let column, let bytes):
      if column == table.layout.keyColumn {
        let slot = bytes.withUnsafeBytes { table.version.find(bytes: $0, column) }
        self.init(column, slots: slot.map { [$0] } ?? [], nodes)
        return
      }
      self.init(indexed: sought, nodes, table)
    case .texts(let column, let texts, _):
      guard Self.isFew(texts.count, table) else { return nil }
      if column == table.layout.keyColumn {
        var slots: [Int] = []
        texts.forEach { text in
          if let slot = table.version.find(bytes: text, column) { slots.append(slot) }
        }
        self.init(column, slots: slots, nodes)
        return
      }
      self.init(indexed: sought, nodes, table)
    case .keys:
      self.init(indexed: sought, nodes, table)
    case .search(let column, let ranges):
      guard let tree = table.wordIndex(of: column) else { return nil }
      self.init(column, words: ranges, nodes, tree)
    }
  }

  /// The cost of a key lookup, in scanned rows.
  private static let rowsForKey = 8

  /// True if looking up this many keys may be faster than a scan. A few keys always are.
  ///
  /// - Parameter cost: The cost of one lookup, in rows found by an index.
  static func isFew(_ keyCount: Int, _ table: QueryTable, cost: Int = 1) -> Bool {
    keyCount <= max(16, table.version.liveCount / (rowsForKey * cost))
  }

  private init?(indexed sought: IndexablePredicate, _ nodes: [QueryNode], _ table: QueryTable) {
    guard let key = table.layout.columns[sought.column].index, let keys = sought.keys(key) else {
      return nil
    }
    self.init(sought.column, keys, nodes, table)
  }

  private init(_ column: Int, slots: [Int], _ nodes: [QueryNode]) {
    self.init(way: .key(column: column, slots: slots), nodes: nodes, count: slots.count)
  }

  private init?(
    _ column: Int, _ ranges: [ClosedRange<UInt64>], _ nodes: [QueryNode], _ table: QueryTable
  ) {
    guard let tree = table.index(of: column) else { return nil }
    self.init(
      way: .index(column: column, ranges), nodes: nodes,
      count: ranges.reduce(0) { $0 + tree.count(in: $1) })
  }

  /// Creates the union of a path per condition; nil if any condition has none.
  private init?(anyOf tests: [RowFilter], _ node: QueryNode?, in table: QueryTable) {
    var parts: [AccessPath] = []
    for test in tests {
      guard let part = AccessPath(test, in: table) else { return nil }
      parts.append(part)
    }
    let nodes = node.map { [$0] } ?? parts.flatMap(\.nodes)
    self.init(
      way: .union(parts), nodes: nodes, count: parts.reduce(0) { $0 + $1.count },
      cost: parts.reduce(0) { $0 + $1.cost })
  }

  /// The path with the fewest rows. Conditions on one indexed column are combined, as are conditions on the columns
  /// of a compound index.
  private static func best(of tests: [RowFilter], in table: QueryTable) -> AccessPath? {
    var best: AccessPath?
    var byColumn: [Int: AccessPath] = [:]
    for test in tests {
      guard var access = AccessPath(test, in: table) else { continue }
      if case .index(let column, let ranges) = access.way {
        if let other = byColumn[column], case .index(_, let others) = other.way {
          access =
            AccessPath(column, others.common(ranges), other.nodes + access.nodes, table)
            ?? access
        }
        byColumn[column] = access
      }
      if best.map({ access.cost < $0.cost || access.serves($0) }) ?? true { best = access }
    }
    return table.layout.compoundIndexes.isEmpty ? best : fewest(best, tests, in: table)
  }

  /// True if this path also covers the conditions of another path.
  private func serves(_ other: AccessPath) -> Bool {
    guard case .index(let column, _) = way, case .index(let otherColumn, _) = other.way else {
      return false
    }
    return column == otherColumn
  }
}

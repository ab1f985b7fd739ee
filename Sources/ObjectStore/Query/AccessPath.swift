/// Where a query takes the rows from that it tests.
///
/// All that the conditions hold for are among them, and maybe more: each is tested on its cells.
struct AccessPath {
  enum Way {
    /// The rows found by their primary key.
    case key(column: Int, slots: [Int])
    /// What stands in the index of a column under any of these keys.
    case index(column: Int, [ClosedRange<UInt64>])
    /// What stands under any of these keys in an index of several columns, by its place in the layout.
    case compound(Int, [ClosedRange<CompoundIndexKey>])
    /// What stands in the word index of a column under each of these ranges of keys; the rarest first.
    case words(column: Int, [ClosedRange<UInt64>])
    /// The rows that link to any of these slots.
    case links(column: Int, [UInt64])
    /// What one of several finds.
    case union([AccessPath])
  }

  let way: Way
  /// The conditions it serves.
  var nodes: [QueryNode]
  /// Rows it leads to; one that several ways find counts for each.
  let count: Int
  /// What finding them costs, in rows found by an index.
  let cost: Int

  init(way: Way, nodes: [QueryNode], count: Int, cost: Int? = nil) {
    self.way = way
    self.nodes = nodes
    self.count = count
    self.cost = cost ?? count
  }

  /// The columns whose indexes it asks.
  func indexedColumns(_ layout: TableLayout) -> [Int] {
    switch way {
    case .key, .links: []
    case .index(let column, _), .words(let column, _): [column]
    case .compound(let place, _): layout.compoundIndexes[place].parts.map(\.column)
    case .union(let parts): Array(Set(parts.flatMap { $0.indexedColumns(layout) })).sorted()
    }
  }

  /// Calls `body` with the slots found, in no order, some maybe twice, some maybe of dead rows.
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

  /// How an explanation calls it: `index on legs`.
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

// MARK: - Finding them

extension AccessPath {
  /// The access with the fewest rows that a condition allows; nil if only a scan tells.
  init?(_ test: RowFilter, in table: QueryTable) {
    switch test {
    case let test as AndFilter:
      guard let best = Self.best(of: test.tests, in: table) else { return nil }
      self = best
      // What was written as one condition is shown as one.
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

  /// Of one condition, by what is of its column alone.
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
        // Nothing leads to the links that lead to nothing.
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

  /// Looking up a key, in rows of a scan.
  private static let rowsForKey = 8

  /// Whether looking up so many keys may be faster than looking at all rows. That of a few always is.
  ///
  /// - Parameter cost: that of one, in rows found by an index.
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

  /// Each of the tests must be served.
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

  /// The one with the fewest rows; conditions on one indexed column, and on those of an index of several,
  /// are taken together.
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

  /// Whether it is about the conditions of another, too.
  private func serves(_ other: AccessPath) -> Bool {
    guard case .index(let column, _) = way, case .index(let otherColumn, _) = other.way else {
      return false
    }
    return column == otherColumn
  }
}

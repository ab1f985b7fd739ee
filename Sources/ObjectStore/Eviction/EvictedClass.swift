/// A class of which an eviction may let objects go.
struct EvictedClass {
  let entry: ClassEntry
  let policy: CachePolicy
  /// A row that one of these holds for stays.
  private let rules: [RowFilter]
  /// The rows that a limit asks for.
  var asked = SlotSet(count: 0)
  /// Those that a limit of the policy asks for, where all are asked for.
  private var limited = SlotSet(count: 0)
  /// Of those the ones that a rule keeps, and of the others those that are observed.
  private(set) var kept = SlotSet(count: 0)
  private(set) var observed = SlotSet(count: 0)

  /// - Throws: what is wrong with the policy's rules.
  init(_ entry: ClassEntry, _ policy: CachePolicy, _ catalog: QueryCatalog) throws {
    self.entry = entry
    self.policy = policy
    var rules = policy.keepRules
    for rule in entry.model.cachePolicy?.keepRules ?? [] where !rules.contains(rule) {
      rules.append(rule)
    }
    self.rules = try rules.map {
      try QueryBinding.test(QueryFormat.parse($0, []).normalized, catalog, table: entry.table)
    }
  }

  /// When a row was used, for an order; null is before all, and so is what is no time.
  func date(_ slot: Int, _ version: TableVersion) -> Double {
    guard let column = policy.dateColumn(in: entry.schema) else { return -.infinity }
    return Self.date(slot, version, column)
  }

  private static func date(_ slot: Int, _ version: TableVersion, _ column: Int) -> Double {
    let cell = version.columns(slot)[column]
    let row = slot & ChunkLayout.mask
    let date = Double(bitPattern: cell.word(row))
    return cell.isNull(row) || !date.isFinite ? -.infinity : date
  }

  /// Finds what the limits ask for.
  ///
  /// - Parameter time: seconds since 2001.
  /// - Complexity: O(rows), O(n log n) for a number of the newest by a date.
  mutating func ask(_ version: TableVersion, at time: Double) {
    asked = SlotSet(count: version.count)
    let column = policy.dateColumn(in: entry.schema)
    if let limit = policy.ageLimit, let column {
      version.forEachLive { slot in
        let date = Self.date(slot, version, column)
        if date.isFinite, time - date > limit { asked.insert(slot) }
        return true
      }
    }
    guard let count = policy.maximumCount, version.liveCount > count else { return }
    var rest = version.liveCount - count
    guard let column, count > 0 else {
      return version.forEachLive { slot in
        asked.insert(slot)
        rest -= 1
        return rest > 0
      }
    }
    var rows: [(date: Double, slot: Int)] = []
    rows.reserveCapacity(version.liveCount)
    version.forEachLive { slot in
      rows.append((Self.date(slot, version, column), slot))
      return true
    }
    rows.sort { $0 < $1 }
    for (_, slot) in rows.prefix(rest) { asked.insert(slot) }
  }

  /// Asks for all rows.
  mutating func askForAll(_ version: TableVersion) {
    limited = asked
    version.forEachLive { slot in
      asked.insert(slot)
      return true
    }
  }

  /// Whether a limit of the policy asks for a row, where all are asked for.
  func isLimited(_ slot: Int) -> Bool { limited.contains(slot) }

  /// Whether a rule holds for a row.
  private func isKept(_ frame: EvaluationContext) -> Bool { rules.contains { $0.matches(frame) } }

  /// Finds out which of the rows asked for something speaks for.
  mutating func hold(_ table: QueryTable, observed all: SlotSet) {
    let (count, wanted) = (table.version.count, asked)
    kept = SlotSet(count: count)
    observed = SlotSet(count: count)
    wanted.forEach { slot in
      if !rules.isEmpty, isKept(table.frame(slot)) {
        kept.insert(slot)
      } else if all.contains(slot) {
        observed.insert(slot)
      }
    }
  }

  /// Whether a row stays whatever links to it.
  func isRoot(_ slot: Int) -> Bool {
    !asked.contains(slot) || kept.contains(slot) || observed.contains(slot)
  }
}

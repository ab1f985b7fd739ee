/// The eviction of one class: its candidates, and those that rules or observers keep.
struct ClassEviction {
  let entry: ClassEntry
  let policy: CachePolicy
  /// The keep rules of the policy and of the class's own policy, and one for rows with unconfirmed edits. A row that matches one of them stays.
  private let rules: [RowFilter]
  /// The candidates: the rows that a limit selects, or all rows.
  var candidates = SlotSet(count: 0)
  /// The rows that a limit of the policy selects, if all rows are candidates.
  private var limited = SlotSet(count: 0)
  /// The candidates that a rule keeps.
  private(set) var kept = SlotSet(count: 0)
  /// The other candidates that are observed.
  private(set) var observed = SlotSet(count: 0)

  /// - Throws: The error of an invalid keep rule.
  init(_ entry: ClassEntry, _ policy: CachePolicy, _ catalog: QueryCatalog) throws {
    self.entry = entry
    self.policy = policy
    var rules = policy.keepRules
    for rule in entry.model.cachePolicy?.keepRules ?? [] where !rules.contains(rule) {
      rules.append(rule)
    }
    var filters = try rules.map {
      try QueryBinding.filter(QueryFormat.parse($0, []).normalized, catalog, table: entry.table)
    }
    // An object with unconfirmed edits stays.
    if let base = entry.base { filters.append(EditFilter(.edited, base, entry.layout)) }
    self.rules = filters
  }

  /// Returns the date of a row's last use, for sorting. Null and dates that are not finite sort first.
  func date(_ slot: Int, _ version: TableVersion) -> Double {
    guard let column = policy.dateColumn(in: entry.schema) else { return -.infinity }
    return Self.date(slot, version, column)
  }

  private static func date(_ slot: Int, _ version: TableVersion, _ column: Int) -> Double {
    let column = version.columns(slot)[column]
    let row = slot & ChunkLayout.mask
    let date = Double(bitPattern: column.word(row))
    return column.isNull(row) || !date.isFinite ? -.infinity : date
  }

  /// Selects the rows that exceed the limits.
  ///
  /// - Parameter time: Seconds since 2001.
  /// - Complexity: O(n) in the rows; O(n log n) for a maximum count by a date.
  mutating func selectCandidates(_ version: TableVersion, at time: Double) {
    candidates = SlotSet(count: version.count)
    let column = policy.dateColumn(in: entry.schema)
    if let limit = policy.ageLimit, let column {
      version.forEachLive { slot in
        let date = Self.date(slot, version, column)
        if date.isFinite, time - date > limit { candidates.insert(slot) }
        return true
      }
    }
    guard let count = policy.maximumCount, version.liveCount > count else { return }
    var rest = version.liveCount - count
    guard let column, count > 0 else {
      return version.forEachLive { slot in
        candidates.insert(slot)
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
    for (_, slot) in rows.prefix(rest) { candidates.insert(slot) }
  }

  /// Makes all rows candidates.
  mutating func selectAll(_ version: TableVersion) {
    limited = candidates
    version.forEachLive { slot in
      candidates.insert(slot)
      return true
    }
  }

  /// True if a limit of the policy selects a row. Requires that all rows are candidates.
  func isLimited(_ slot: Int) -> Bool { limited.contains(slot) }

  /// True if a row matches a keep rule.
  private func isKept(_ context: EvaluationContext) -> Bool {
    rules.contains { $0.matches(context) }
  }

  /// Finds the candidates that a rule keeps and those that are observed.
  mutating func findKeptAndObserved(_ table: QueryTable, observed all: SlotSet) {
    let (count, wanted) = (table.version.count, candidates)
    kept = SlotSet(count: count)
    observed = SlotSet(count: count)
    wanted.forEach { slot in
      if !rules.isEmpty, isKept(table.context(slot)) {
        kept.insert(slot)
      } else if all.contains(slot) {
        observed.insert(slot)
      }
    }
  }

  /// True if a row stays regardless of links to it.
  func isRoot(_ slot: Int) -> Bool {
    !candidates.contains(slot) || kept.contains(slot) || observed.contains(slot)
  }
}

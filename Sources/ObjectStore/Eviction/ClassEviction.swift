/// The eviction of one class: its candidates, and those that rules or observers keep.
struct ClassEviction {
  let entry: ClassEntry
  let policy: CachePolicy
  /// The time of the eviction, in seconds since 2001.
  private let time: Double
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
  /// The rows whose date of last use is in the future. The clock was wrong when it was set.
  private(set) var futureUses: [Int] = []

  /// - Parameter time: Seconds since 2001.
  /// - Throws: The error of an invalid keep rule.
  init(
    _ entry: ClassEntry, _ policy: CachePolicy, _ catalog: QueryCatalog, at time: Double
  ) throws {
    self.entry = entry
    self.policy = policy
    self.time = time
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

  /// Returns the date of a row's last use, for sorting. Null and dates that are not finite sort first, then dates in the
  /// future: other rows are known to have been used since.
  func date(_ slot: Int, _ version: TableVersion) -> Double {
    guard let column = policy.dateColumn(in: entry.schema) else { return -.infinity }
    return sortingDate(Self.date(slot, version, column))
  }

  private func sortingDate(_ date: Double) -> Double {
    isFuture(date) ? -.greatestFiniteMagnitude : date
  }

  /// True if a date is in the future by at least the granularity of dates of use. A use may be noted, or a write may
  /// wait, while an eviction begins.
  private func isFuture(_ date: Double) -> Bool { date - time >= policy.granularity }

  private static func date(_ slot: Int, _ version: TableVersion, _ column: Int) -> Double {
    let column = version.columns(slot)[column]
    let row = slot & ChunkLayout.mask
    let date = Double(bitPattern: column.word(row))
    return column.isNull(row) || !date.isFinite ? -.infinity : date
  }

  /// Selects the rows that exceed the limits, and finds those whose date is in the future.
  ///
  /// - Complexity: O(n) in the rows; O(n log n) for a maximum count by a date.
  mutating func selectCandidates(_ version: TableVersion) {
    candidates = SlotSet(count: version.count)
    let column = policy.dateColumn(in: entry.schema)
    if let column {
      version.forEachLive { slot in
        let date = Self.date(slot, version, column)
        if isFuture(date) {
          futureUses.append(slot)
        } else if let limit = policy.ageLimit, date.isFinite, time - date > limit {
          candidates.insert(slot)
        }
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
      rows.append((sortingDate(Self.date(slot, version, column)), slot))
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

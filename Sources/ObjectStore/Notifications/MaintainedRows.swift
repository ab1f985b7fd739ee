/// The rows of results from version to version, without running the query again.
///
/// Conditions and orders make a sequence of which each row has its place by itself: only rows are looked at
/// of which something differs that the query reads, also behind links. Each is taken out of the sequence,
/// where a binary search finds it by what it held in the earlier version, and put where it belongs in the
/// later one. A limit is cut from that sequence. `distinct`, rows of a collection, and a change of many rows
/// are run again and compared.
///
/// - Complexity: O(k · (log n + √n)) for k rows that differ; where the query is run again, what that costs.
struct MaintainedRows {
  private let handle: StoreHandle
  private let entry: ClassEntry
  private let query: ResultsQuery
  /// The conditions before the first verb that is none and no order.
  private let test: AndFilter
  /// The orders there, the one that counts most first.
  private let keys: [ResultsQuery.SortKey]
  /// Cuts `sequence`; nil for none.
  private let window: (count: Int, offset: Int)?
  /// What the query reads; nil if nobody knows.
  private let dependencies: WatchedAttributes?
  /// Whether rows are put in their places one by one; else the query is run again.
  private let isMaintained: Bool
  /// What conditions and orders leave, or, where the query is run again, all of it.
  private var sequence: OrderedSlots

  /// Rows of one in so many, and the query is run again.
  private static let share = 8

  init(_ query: ResultsQuery?, _ handle: StoreHandle, _ entry: ClassEntry) {
    let query = query ?? ResultsQuery()
    self.handle = handle
    self.entry = entry
    self.query = query
    let first = query.verbs.firstIndex { !$0.isFilter && !$0.isSort } ?? query.verbs.count
    let (base, rest) = (query.verbs[..<first], query.verbs[first...])
    test = AndFilter(base.compactMap(\.test))
    // A later order counts more: those before it order what is equal.
    keys = base.reversed().flatMap(\.keys)
    var window: (Int, Int)?
    if case .limit(let count, let offset)? = rest.first { window = (count, offset) }
    dependencies = try? WatchedAttributes(
      query.dependencies, handle, table: entry.table)
    isMaintained =
      query.source.row == nil && rest.count == (window == nil ? 0 : 1) && dependencies != nil
    self.window = isMaintained ? window : nil
    let whole = isMaintained ? ResultsQuery(Array(base)) : query
    sequence = OrderedSlots(whole.slots(handle, entry.table))
  }

  /// The rows, as results have them.
  var slots: SlotSequence {
    window == nil ? .ordered(sequence) : .sparse(sequence[range])
  }

  /// What of the sequence the results show.
  private var range: Range<Int> {
    guard let window else { return 0..<sequence.count }
    let first = min(window.offset, sequence.count)
    return first..<first + min(window.count, sequence.count - first)
  }

  /// Takes over what is different.
  ///
  /// - Parameter changed: the rows that count as different.
  mutating func update(
    _ difference: VersionDifference, _ changed: [Int: AttributeBits]
  ) -> ChangedIndices {
    guard let dependencies else { return runAgain(query, changed) }
    let table = difference[entry.table]
    let moving = dependencies.changed(difference)
    if changed.isEmpty, moving.isEmpty, !isSourceTouched(difference) { return ChangedIndices() }
    if !isMaintained { return runAgain(query, changed) }
    let touchedCount = max(
      moving.count + table.inserted.count + table.deleted.count, changed.count)
    if touchedCount > sequence.count / Self.share + 16 {
      return runAgain(ResultsQuery(Array(query.verbs.prefix { $0.isFilter || $0.isSort })), changed)
    }
    guard window == nil else {
      let earlier = sequence[range]
      _ = move(moving, difference, [:])
      return ChangedIndices(earlier, sequence[range], changed)
    }
    return move(moving, difference, changed)
  }

  /// Whether other rows may be among those that the query is asked of.
  private func isSourceTouched(_ difference: VersionDifference) -> Bool {
    let table = difference[entry.table]
    switch query.source {
    case .table: return !table.inserted.isEmpty || !table.deleted.isEmpty
    case .origins(let cell):
      return !table.isEmpty || !difference.later(cell.table).isLive(cell.slot)
    case .elements(let cell):
      let first = handle.layout(cell.table).firstAttribute
      return difference[cell.table].attributes(of: cell.slot)?.has(cell.column - first) ?? false
        || !difference.later(cell.table).isLive(cell.slot)
    }
  }

  private mutating func runAgain(
    _ query: ResultsQuery, _ changed: [Int: AttributeBits]
  ) -> ChangedIndices {
    let earlier = sequence[range]
    sequence = OrderedSlots(query.slots(handle, entry.table))
    return ChangedIndices(earlier, sequence[range], changed)
  }

  // MARK: - Row by row

  /// The rows of one version, as the query reads them.
  private struct Rows {
    let tables: QueryTables
    let version: TableVersion
    let keys: [ResultsQuery.SortKey]

    init(_ keys: [ResultsQuery.SortKey], _ table: Int, _ tables: @escaping (Int) -> TableVersion) {
      self.tables = QueryTables(tables)
      version = tables(table)
      self.keys = keys
    }

    func frame(_ slot: Int) -> EvaluationContext {
      EvaluationContext(tables: tables, columns: version.columns(slot), slot: slot)
    }

    /// Whether a row stands before another; of equals the one that was inserted first.
    func isOrdered(_ a: Int, before b: Int) -> Bool {
      if a == b { return false }
      return ResultsQuery.isOrdered(frame(a), before: frame(b), keys[...]) ?? (a < b)
    }
  }

  private mutating func move(
    _ moving: [Int: AttributeBits], _ difference: VersionDifference, _ changed: [Int: AttributeBits]
  ) -> ChangedIndices {
    let table = difference[entry.table]
    let earlier = Rows(keys, entry.table) { difference.earlier($0) }
    let later = Rows(keys, entry.table) { difference.later($0) }
    func place(_ slot: Int, _ rows: Rows) -> Int {
      sequence.firstIndex { rows.isOrdered($0, before: slot) }
    }
    func earlierPlace(_ slot: Int) -> Int? {
      let place = place(slot, earlier)
      return place < sequence.count && sequence[place] == slot ? place : nil
    }
    var change = ChangedIndices()
    for slot in changed.keys where moving[slot] == nil {
      if let place = earlierPlace(slot) { change.modifications.append(place) }
    }
    let taken = (Array(moving.keys) + table.deleted)
      .compactMap { slot in earlierPlace(slot).map { (place: $0, slot: slot) } }
      .sorted { $0.place < $1.place }
    for (place, _) in taken.reversed() { sequence.remove(at: place) }
    let put = (Array(moving.keys) + table.inserted)
      .filter { test.tests.isEmpty || test.matches(later.frame($0)) }
      .sorted { later.isOrdered($0, before: $1) }
    var laterPlaces: [Int: (place: Int, gap: Int)] = [:]
    for (index, slot) in put.enumerated() {
      let place = place(slot, later)
      sequence.insert(slot, at: place)
      laterPlaces[slot] = (place, place - index)
    }
    // Those before and behind which the same rows stand that nobody moved, as far as they kept their order.
    let staying = taken.enumerated().compactMap { index, row in
      laterPlaces[row.slot].flatMap {
        $0.gap == row.place - index ? (row: row, later: $0.place) : nil
      }
    }
    let kept = SequenceDifference.longestAscent(staying.map(\.later)).map { staying[$0].row }
    let keptSlots = Set(kept.map(\.slot))
    for (place, slot) in taken {
      if !keptSlots.contains(slot) {
        change.deletions.append(place)
      } else if changed[slot] != nil {
        change.modifications.append(place)
      }
    }
    change.modifications.sort()
    for slot in put where !keptSlots.contains(slot) {
      if let place = laterPlaces[slot]?.place { change.insertions.append(place) }
    }
    return change
  }
}

extension ResultsQuery.Verb {
  fileprivate var isSort: Bool { if case .sort = self { true } else { false } }

  fileprivate var keys: [ResultsQuery.SortKey] {
    if case .sort(let keys) = self { keys } else { [] }
  }
}

/// The rows of results, updated from version to version without running the query again.
///
/// Conditions and sorts produce a sequence in which the index of each row depends only on the row itself. So only rows
/// for which an attribute that the query reads changed, directly or behind a link, are updated. A binary search by its
/// earlier values finds each of them in the sequence; it is removed, and inserted at the index for its later values. A
/// limit is a range of that sequence. The query runs again for `distinct`, for rows of a collection, and after a change
/// of many rows.
///
/// - Complexity: O(k · (log n + √n)) for k changed rows; otherwise the cost of running the query.
struct MaintainedRows {
  private let handle: StoreHandle
  private let entry: ClassEntry
  private let query: ResultsQuery
  /// The leading conditions, up to the first verb that is neither a condition nor a sort.
  private let test: AndFilter
  /// The leading sorts, the most significant first.
  private let keys: [ResultsQuery.SortKey]
  /// The limit on `sequence`, or nil.
  private let window: (count: Int, offset: Int)?
  /// The attributes that the query reads, or nil if they are unknown.
  private let dependencies: WatchedAttributes?
  /// True if rows are moved one by one. Otherwise the query runs again.
  private let isMaintained: Bool
  /// The result of the leading conditions and sorts, or of the whole query if it is not maintained.
  private var sequence: OrderedSlots

  /// The query runs again if more than 1/8 of the rows, plus 16, changed.
  private static let rerunShare = 8

  init(_ query: ResultsQuery?, _ handle: StoreHandle, _ entry: ClassEntry) {
    let query = query ?? ResultsQuery()
    self.handle = handle
    self.entry = entry
    self.query = query
    let first = query.verbs.firstIndex { !$0.isFilter && !$0.isSort } ?? query.verbs.count
    let (base, rest) = (query.verbs[..<first], query.verbs[first...])
    test = AndFilter(base.compactMap(\.test))
    // A later sort is more significant: an earlier one orders only the rows with equal keys in the later one.
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

  /// The rows in the order of the results.
  var slots: SlotSequence {
    window == nil ? .ordered(sequence) : .sparse(sequence[range])
  }

  /// The part of the sequence that the results show.
  private var range: Range<Int> {
    guard let window else { return 0..<sequence.count }
    let first = min(window.offset, sequence.count)
    return first..<first + min(window.count, sequence.count - first)
  }

  /// Applies the difference of two versions.
  ///
  /// - Parameter changed: The rows that count as modified.
  mutating func update(
    _ difference: VersionDifference, _ changed: [Int: AttributeBits]
  ) -> ChangedIndices {
    guard let dependencies else { return rerun(query, changed) }
    let table = difference[entry.table]
    let moving = dependencies.changed(difference)
    if changed.isEmpty, moving.isEmpty, !isSourceTouched(difference) { return ChangedIndices() }
    if !isMaintained { return rerun(query, changed) }
    let touchedCount = max(
      moving.count + table.inserted.count + table.deleted.count, changed.count)
    if touchedCount > sequence.count / Self.rerunShare + 16 {
      return rerun(ResultsQuery(Array(query.verbs.prefix { $0.isFilter || $0.isSort })), changed)
    }
    guard window == nil else {
      let earlier = sequence[range]
      _ = move(moving, difference, [:])
      return ChangedIndices(earlier, sequence[range], changed)
    }
    return move(moving, difference, changed)
  }

  /// True if the source of the query may have gained, lost or reordered rows.
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

  private mutating func rerun(
    _ query: ResultsQuery, _ changed: [Int: AttributeBits]
  ) -> ChangedIndices {
    let earlier = sequence[range]
    sequence = OrderedSlots(query.slots(handle, entry.table))
    return ChangedIndices(earlier, sequence[range], changed)
  }

  // MARK: - Row by row

  /// The rows of one version, for the query.
  private struct Rows {
    let tables: QueryTables
    let version: TableVersion
    let keys: [ResultsQuery.SortKey]

    init(_ keys: [ResultsQuery.SortKey], _ table: Int, _ tables: @escaping (Int) -> TableVersion) {
      self.tables = QueryTables(tables)
      version = tables(table)
      self.keys = keys
    }

    func context(_ slot: Int) -> EvaluationContext {
      EvaluationContext(tables: tables, columns: version.columns(slot), slot: slot)
    }

    /// True if a row precedes another. Equal rows are in order of insertion.
    func isOrdered(_ a: Int, before b: Int) -> Bool {
      if a == b { return false }
      return ResultsQuery.isOrdered(context(a), before: context(b), keys[...]) ?? (a < b)
    }
  }

  private mutating func move(
    _ moving: [Int: AttributeBits], _ difference: VersionDifference, _ changed: [Int: AttributeBits]
  ) -> ChangedIndices {
    let table = difference[entry.table]
    let earlierCount = sequence.count
    let earlier = Rows(keys, entry.table) { difference.earlier($0) }
    let later = Rows(keys, entry.table) { difference.later($0) }
    func index(of slot: Int, in rows: Rows) -> Int {
      sequence.partitionPoint { rows.isOrdered($0, before: slot) }
    }
    func earlierIndex(of slot: Int) -> Int? {
      let index = index(of: slot, in: earlier)
      return index < sequence.count && sequence[index] == slot ? index : nil
    }
    var change = ChangedIndices()
    for slot in changed.keys where moving[slot] == nil {
      if let index = earlierIndex(of: slot) { change.modifications.append(index) }
    }
    let removed = (Array(moving.keys) + table.deleted)
      .compactMap { slot in earlierIndex(of: slot).map { (index: $0, slot: slot) } }
      .sorted(byNumber: \.index)
    for (index, _) in removed.reversed() { sequence.remove(at: index) }
    let inserted = (Array(moving.keys) + table.inserted)
      .filter { test.parts.isEmpty || test.matches(later.context($0)) }
      .sorted { later.isOrdered($0, before: $1) }
    var laterIndices: [Int: (index: Int, unmovedBefore: Int)] = [:]
    for (insertedBefore, slot) in inserted.enumerated() {
      let index = index(of: slot, in: later)
      sequence.insert(slot, at: index)
      laterIndices[slot] = (index, index - insertedBefore)
    }
    // A removed row that was inserted again has not moved if the same number of untouched rows precedes it before and
    // after. Of these rows, a longest subsequence with unchanged order is kept.
    let staying = removed.enumerated().compactMap { removedBefore, row in
      laterIndices[row.slot].flatMap {
        $0.unmovedBefore == row.index - removedBefore ? (row: row, later: $0.index) : nil
      }
    }
    let kept = SequenceDifference.longestIncreasingSubsequence(staying.map(\.later)).map {
      staying[$0].row
    }
    let keptSlots = Set(kept.map(\.slot))
    for (index, slot) in removed {
      if !keptSlots.contains(slot) {
        change.deletions.append(index)
      } else if changed[slot] != nil {
        change.modifications.append(index)
      }
    }
    change.modifications.sort()
    for slot in inserted where !keptSlots.contains(slot) {
      if let index = laterIndices[slot]?.index { change.insertions.append(index) }
    }
    assert(
      sequence.count == earlierCount - change.deletions.count + change.insertions.count,
      "Deletions and insertions do not lead to the later sequence")
    return change
  }
}

extension ResultsQuery.Verb {
  fileprivate var isSort: Bool { if case .sort = self { true } else { false } }

  fileprivate var keys: [ResultsQuery.SortKey] {
    if case .sort(let keys) = self { keys } else { [] }
  }
}

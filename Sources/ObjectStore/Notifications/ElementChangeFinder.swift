/// Computes the changes of a list or set of values, and of a map.
final class ElementChangeFinder<Whole>: ChangeFinder<CollectionChange<Whole>> {
  private let whole: Whole
  private let row: ResultsSource.Cell
  private let form: AttributeShape.Form
  private let layout: ColumnLayout
  /// The watched attributes of the objects in a map.
  private let watched: WatchedAttributes?

  init(
    _ whole: Whole, _ handle: StoreHandle, _ row: ResultsSource.Cell,
    _ form: AttributeShape.Form, _ paths: [[String]]?
  ) {
    self.whole = whole
    self.row = row
    self.form = form
    layout = handle.layout(row.table).columns[row.column]
    do {
      watched =
        layout.elementKind == .link
        ? try WatchedAttributes(paths, handle, table: layout.targetTable) : nil
    } catch {
      misuse("\(Whole.self): \(error)")
    }
    super.init(handle, from: nil)
  }

  override var observed: ObservedRows? { .row(table: row.table, slot: row.slot) }

  override func initial() -> CollectionChange<Whole>? {
    isOver = !handle.tableVersion(row.table).isLive(row.slot)
    return .initial(whole)
  }

  override func change(_ difference: VersionDifference) -> CollectionChange<Whole>? {
    let (old, new) = (difference.earlier(row.table), difference.later(row.table))
    isOver = !new.isLive(row.slot)
    let first = handle.layout(row.table).firstAttribute
    let isTouched =
      difference[row.table].attributes(of: row.slot)?.has(row.column - first) ?? false
    let changed = watched?.changed(difference) ?? [:]
    guard isOver || isTouched || !changed.isEmpty else { return nil }
    return changedIndices(elements(old), elements(new), changed).change(of: whole)
  }

  /// - Parameter changed: The rows in which a watched attribute changed.
  private func changedIndices(
    _ earlier: StoredElements, _ later: StoredElements, _ changed: [Int: AttributeBits]
  ) -> ChangedIndices {
    // Compares in place: most changes affect one element, and creating and comparing a value for each element takes
    // 500 times as long.
    let prefixCount = earlier.commonPrefixCount(with: later)
    let suffixCount = earlier.commonSuffixCount(with: later, after: prefixCount)
    let middle = prefixCount..<earlier.count - suffixCount
    let laterMiddle = prefixCount..<later.count - suffixCount
    let moved = difference(earlier, middle, later, laterMiddle)
    var change = ChangedIndices(
      deletions: moved.deletions.map { $0 + prefixCount },
      insertions: moved.insertions.map { $0 + prefixCount })
    if form == .list {
      Self.pair(&change)
    } else if form == .map {
      let isChanged = { (index: Int) in changed[self.target(earlier, index)] != nil }
      if !changed.isEmpty { change.modifications += (0..<prefixCount).filter(isChanged) }
      for kept in moved.kept(middle.count) {
        let (index, laterIndex) = (kept.earlier + prefixCount, kept.later + prefixCount)
        if !earlier[index].equals(later[laterIndex]) || changed[target(later, laterIndex)] != nil {
          change.modifications.append(index)
        }
      }
      if !changed.isEmpty {
        change.modifications += (middle.upperBound..<earlier.count).filter(isChanged)
      }
    }
    return change
  }

  /// The difference of two ranges of elements, with indices relative to the ranges.
  private func difference(
    _ earlier: StoredElements, _ range: Range<Int>, _ later: StoredElements,
    _ laterRange: Range<Int>
  ) -> SequenceDifference {
    if range.isEmpty || laterRange.isEmpty || layout.hasBytes || layout.hasNullElements {
      return SequenceDifference(
        identities(earlier, range), identities(later, laterRange))
    }
    return SequenceDifference(earlier.words(range), later.words(laterRange))
  }

  /// Turns a deletion and an insertion at the same position into a modification.
  private static func pair(_ change: inout ChangedIndices) {
    var (old, new) = (0, 0)
    var (deletions, insertions): ([Int], [Int]) = ([], [])
    while old < change.deletions.count, new < change.insertions.count {
      // The numbers of preceding elements that were kept.
      let (gap, newGap) = (change.deletions[old] - old, change.insertions[new] - new)
      if gap == newGap { change.modifications.append(change.deletions[old]) }
      if gap < newGap { deletions.append(change.deletions[old]) }
      if gap > newGap { insertions.append(change.insertions[new]) }
      if gap <= newGap { old += 1 }
      if newGap <= gap { new += 1 }
    }
    change.deletions = deletions + change.deletions[old...]
    change.insertions = insertions + change.insertions[new...]
  }

  /// The identity of an element: the key of a map's pair, otherwise the value.
  private struct Identity: Hashable {
    let isNull: Bool
    let word: UInt64
    let bytes: [UInt8]
  }

  private func identities(_ elements: StoredElements, _ range: Range<Int>) -> [Identity] {
    range.map {
      let element = elements[$0]
      return form == .map
        ? Identity(isNull: false, word: 0, bytes: Array(element.key))
        : Identity(isNull: element.isNull, word: element.word, bytes: Array(element.bytes))
    }
  }

  /// The row that an element links to, or a negative number for none.
  private func target(_ elements: StoredElements, _ index: Int) -> Int {
    layout.elementKind == .link ? Int(elements.word(index)) - 1 : -1
  }

  private func elements(_ version: TableVersion) -> StoredElements {
    guard version.isLive(row.slot) else { return .none }
    return StoredElements(version, row.slot, row.column, layout)
  }
}

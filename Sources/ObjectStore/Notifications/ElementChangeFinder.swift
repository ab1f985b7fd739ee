/// What happens to a list or set of values, and to a map.
final class ElementChangeFinder<Whole>: ChangeFinder<CollectionChange<Whole>> {
  private let whole: Whole
  private let row: ResultsSource.Cell
  private let form: AttributeShape.Form
  private let layout: ColumnLayout
  /// Of objects: what of them counts.
  private let watched: WatchedAttributes?

  init(
    _ whole: Whole, _ handle: StoreHandle, _ row: ResultsSource.Cell, _ form: AttributeShape.Form
  ) {
    self.whole = whole
    self.row = row
    self.form = form
    layout = handle.layout(row.table).columns[row.column]
    // Without key paths there is nothing to be refused.
    watched =
      layout.elementKind == .link
      ? try? WatchedAttributes(nil, handle, table: layout.targetTable) : nil
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
    let earlier = elements(old)
    let later = elements(new)
    let moved = SequenceDifference(earlier.map(\.identity), later.map(\.identity))
    var change = ChangedIndices(deletions: moved.deletions, insertions: moved.insertions)
    if form == .list {
      Self.pair(&change)
    } else {
      // Pairs that stayed stand in the same order in both.
      let (gone, come) = (Set(moved.deletions), Set(moved.insertions))
      let stayed = zip(
        earlier.indices.filter { !gone.contains($0) }, later.indices.filter { !come.contains($0) })
      for (index, newIndex) in stayed
      where earlier[index].value != later[newIndex].value
        || changed[later[newIndex].target] != nil
      {
        change.modifications.append(index)
      }
    }
    return change.change(of: whole)
  }

  /// Values that were put where others stood are modifications.
  private static func pair(_ change: inout ChangedIndices) {
    var (old, new) = (0, 0)
    var (deletions, insertions): ([Int], [Int]) = ([], [])
    while old < change.deletions.count, new < change.insertions.count {
      // How many that stayed stand before.
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

  private struct ElementState {
    /// What tells it from others: a map's key, else the value.
    let identity: ElementContent
    let value: ElementContent
    /// The row it links to; below 0 for none.
    let target: Int
  }

  private struct ElementContent: Hashable {
    var isNull = false
    var word: UInt64 = 0
    let bytes: [UInt8]
  }

  private func elements(_ version: TableVersion) -> [ElementState] {
    guard version.isLive(row.slot) else { return [] }
    let cell = version.columns(row.slot)[row.column]
    let run = cell.run(row.slot & ChunkLayout.mask)
    return (0..<Int(run.length)).map {
      let element = cell.element(run, $0, layout)
      let value = ElementContent(
        isNull: element.isNull, word: element.word, bytes: Array(element.bytes))
      return ElementState(
        identity: form == .map ? ElementContent(bytes: Array(element.key)) : value, value: value,
        target: layout.elementKind == .link ? Int(element.word) - 1 : -1)
    }
  }
}

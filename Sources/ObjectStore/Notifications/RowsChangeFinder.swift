/// Computes the changes of a collection of objects.
final class RowsChangeFinder<Whole>: ChangeFinder<CollectionChange<Whole>> {
  /// The collection that the observer receives.
  private let whole: Whole
  private let entry: ClassEntry
  private let query: ResultsQuery?
  /// Receives the rows, so that reading them does not run the query again.
  private let cache: SlotCache?
  private let watched: WatchedAttributes
  private var rows: MaintainedRows?

  init(
    _ whole: Whole, _ handle: StoreHandle, _ entry: ClassEntry, _ query: ResultsQuery?,
    _ cache: SlotCache?, _ paths: [[String]]?
  ) {
    self.whole = whole
    self.entry = entry
    self.query = query
    self.cache = query == nil ? nil : cache
    do {
      watched = try WatchedAttributes(paths, handle, table: entry.table)
    } catch {
      misuse("\(Whole.self): \(error)")
    }
    super.init(handle, from: nil)
  }

  override var observed: ObservedRows? { .query(table: entry.table, query) }

  override func initial() -> CollectionChange<Whole>? {
    let rows = MaintainedRows(query, handle, entry)
    self.rows = rows
    cache?.remember(rows.slots, handle)
    endIfDead()
    return .initial(whole)
  }

  /// Ends the observation of a collection whose object is deleted.
  private func endIfDead() {
    guard let row = query?.source.row else { return }
    isOver = !handle.tableVersion(row.table).isLive(row.slot)
  }

  override func change(_ difference: VersionDifference) -> CollectionChange<Whole>? {
    cache?.forget()
    endIfDead()
    guard let change = rows?.update(difference, watched.changed(difference)) else { return nil }
    if let rows { cache?.remember(rows.slots, handle) }
    return change.change(of: whole)
  }
}

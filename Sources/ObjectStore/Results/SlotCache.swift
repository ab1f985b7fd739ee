/// Caches the slots of the most recently read version.
final class SlotCache {
  private enum CachedResult {
    case all(SlotSequence)
    /// Only the first slot was queried. Nil if there is none.
    case first(Int?)
  }

  private var found: (version: Version, state: Transaction.State?, result: CachedResult)?
  private var reads: QueryReads?
  private var known: (version: TableVersion, count: Int, liveCount: Int, slots: SlotSequence)?

  /// The slots of all live rows.
  ///
  /// A version that an open write changes remains the same object, but its counts change. Rows are only added and
  /// deleted, so equal counts imply equal rows.
  func slots(_ version: TableVersion) -> SlotSequence {
    if let known, known.version === version, known.count == version.count,
      known.liveCount == version.liveCount
    {
      return known.slots
    }
    let slots = SlotSequence(version)
    known = (version, version.count, version.liveCount, slots)
    return slots
  }

  /// The slots that a query returns. The query runs again when the handle shows another version and, in a write,
  /// after each change that may change the result.
  func slots(_ handle: StoreHandle, _ query: ResultsQuery, _ table: Int) -> SlotSequence {
    if case .all(let slots)? = cachedResult(handle, query, table) { return slots }
    let slots = SlotSequence.sparse(query.slots(handle, table))
    found = (handle.version, handle.transaction?.state, .all(slots))
    return slots
  }

  /// The cached result. Nil if it may differ in the state that the handle shows now, including changes of the open
  /// write.
  private func cachedResult(
    _ handle: StoreHandle, _ query: ResultsQuery, _ table: Int
  ) -> CachedResult? {
    guard let found, found.version === handle.version else { return nil }
    let transaction = handle.transaction
    let state = transaction?.state
    if found.state == state { return found.result }
    guard let transaction, let earlier = found.state, earlier.editOwner == transaction.editOwner,
      isUnchanged(since: earlier.ticks, transaction, handle, query, table)
    else { return nil }
    self.found?.state = state
    return found.result
  }

  /// True if the open write has changed nothing that the query reads since a time.
  private func isUnchanged(
    since ticks: Int, _ transaction: Transaction, _ handle: StoreHandle, _ query: ResultsQuery,
    _ table: Int
  ) -> Bool {
    let reads = self.reads ?? QueryReads(query, handle, table)
    self.reads = reads
    guard let last = reads.lastChange(in: transaction) else { return false }
    return last <= ticks
  }

  /// Caches the slots of a query for the version that a handle shows outside a write.
  func remember(_ slots: SlotSequence, _ handle: StoreHandle) {
    found = (handle.version, nil, .all(slots))
  }

  /// Releases the cached slots, so that `MaintainedRows` can edit them in place.
  func forget() { found = nil }

  /// The first slot that a query returns, or nil. Runs the query for one row if the plan allows it.
  func first(_ handle: StoreHandle, _ query: ResultsQuery, _ table: Int) -> Int? {
    switch cachedResult(handle, query, table) {
    case .first(let first)?: return first
    case nil where query.findsFirstAlone(handle, table):
      let first = query.appending(.limit(1, offset: 0)).slots(handle, table).first
      found = (handle.version, handle.transaction?.state, .first(first))
      return first
    case .all?, nil:
      let slots = slots(handle, query, table)
      return slots.count == 0 ? nil : slots[0]
    }
  }

  func slot(_ index: Int, _ version: TableVersion) -> Int {
    assert((0..<version.liveCount).contains(index), "There is no live row \(index)")
    if version.liveCount == version.count { return index }
    return slots(version)[index]
  }
}

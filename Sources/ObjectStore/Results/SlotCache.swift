/// Caches the slots of the most recently read version.
final class SlotCache {
  private enum CachedResult {
    case all(SlotSequence)
    /// Only the first slot was queried. Nil if there is none.
    case first(Int?)
  }

  private var found: (version: Version, state: Transaction.State?, result: CachedResult)?
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
  /// after each change.
  func slots(_ handle: StoreHandle, _ query: ResultsQuery, _ table: Int) -> SlotSequence {
    if case .all(let slots)? = cachedResult(handle) { return slots }
    let slots = SlotSequence.sparse(query.slots(handle, table))
    found = (handle.version, handle.transaction?.state, .all(slots))
    return slots
  }

  /// The cached result. Nil if it is not for the state that the handle shows now, including changes of the open write.
  private func cachedResult(_ handle: StoreHandle) -> CachedResult? {
    guard let found, found.version === handle.version, found.state == handle.transaction?.state
    else { return nil }
    return found.result
  }

  /// Caches the slots of a query for the version that a handle shows outside a write.
  func remember(_ slots: SlotSequence, _ handle: StoreHandle) {
    found = (handle.version, nil, .all(slots))
  }

  /// Releases the cached slots, so that `MaintainedRows` can edit them in place.
  func forget() { found = nil }

  /// The first slot that a query returns, or nil. Runs the query for one row if the plan allows it.
  func first(_ handle: StoreHandle, _ query: ResultsQuery, _ table: Int) -> Int? {
    switch cachedResult(handle) {
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

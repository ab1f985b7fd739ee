/// Remembers the slots of the version looked at last.
final class SlotCache {
  private enum Answer {
    case all(SlotSequence)
    /// Only the first one was looked for; nil if there is none.
    case first(Int?)
  }

  private var found: (version: Version, state: Transaction.State?, answer: Answer)?
  private var known: (version: TableVersion, count: Int, liveCount: Int, slots: SlotSequence)?

  /// A version under change is the same object with other counts: rows are only added and only
  /// die, so equal counts mean equal rows.
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

  /// What a query finds: run again when the handle shows another version, or, in a write, when anything
  /// was written since.
  func slots(_ handle: StoreHandle, _ query: ResultsQuery, _ table: Int) -> SlotSequence {
    if case .all(let slots)? = answer(handle) { return slots }
    let slots = SlotSequence.sparse(query.slots(handle, table))
    found = (handle.version, handle.transaction?.state, .all(slots))
    return slots
  }

  /// What was found in the version that a handle shows, with all that was written to it.
  private func answer(_ handle: StoreHandle) -> Answer? {
    guard let found, found.version === handle.version, found.state == handle.transaction?.state
    else { return nil }
    return found.answer
  }

  /// What a query finds in the version that a handle shows outside of a write, known from elsewhere.
  func remember(_ slots: SlotSequence, _ handle: StoreHandle) {
    found = (handle.version, nil, .all(slots))
  }

  /// Lets go of the slots, so that who keeps them may edit them where they stand.
  func forget() { found = nil }

  /// The first row that a query finds, without the others where one can be found alone; nil if there
  /// is none.
  func first(_ handle: StoreHandle, _ query: ResultsQuery, _ table: Int) -> Int? {
    switch answer(handle) {
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
    if version.liveCount == version.count { return index }
    return slots(version)[index]
  }
}

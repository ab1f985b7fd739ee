import Synchronization

/// The state of the cache entries of a repository: where each response is stored, when it was requested, and whether
/// a later put or delete may have changed it.
///
/// Every fetch and every write takes a sequence number when it starts and another one when it ends. A write *affects*
/// the lookups of its ids and all lookups without an id, both when it starts and when it ends. The *epoch* of a
/// lookup is the number at which a write last affected it.
///
///     fetch    begin ──▶ main source ──▶ can it be stored? ──▶ cache ──▶ record
///     write    begin ──▶ main source ──▶ complete: is it superseded? ──▶ cache ──▶ end: did it overlap? ──▶ record
///
/// Rules:
///
/// - A fetched response is stored if its lookup is still in the epoch of the fetch and no pending write affects the
///   lookup. Callers in the same epoch share one request.
/// - The response to a put is stored unless the put is superseded: a write that started later, and may affect the
///   same cached values, has already *completed*. A write completes when it holds the cache mutex, or when the main
///   source alone has executed it or may have executed it. A write that the main source rejected does not complete.
///   Values that the cache cannot distinguish are assumed to be the same.
/// - A stored response is current until the next epoch of its lookup, but not while a pending write affects the
///   lookup. The response to a write is current from the end of the write if no other write overlapped it.
/// - Storing a response outdates every response that was requested later and may share values with it.
/// - An absence is current until a put that affects the lookup completes.
///
/// With nested values (`isNested`), a response can contain values of other lookups. Then any write starts a new epoch
/// for every fetch, any two responses may share values, and a put affects all values that it contains. The end of a
/// write outdates all entries unless it is a put that succeeded without overlapping another write: such a put has
/// updated the cached values wherever they occur.
final class CacheEntryLedger: Sendable {
  /// The known state of the cache entry of a lookup.
  struct Entry {
    /// The query with which the cache returns exactly the main source's response.
    var location: (any Query)?
    /// The number of values in that response; nil if unknown.
    var valueCount: Int?
    /// The time since the response was requested; nil if unknown.
    var age: Duration?
    /// True if something may have changed the entry since.
    var isOutdated = false
    /// True if the cache has stored a response of the main source.
    var hasResponse = false
    /// True if the main source has reported that there is no value, and nothing was put since.
    var isAbsent = false
  }

  /// The outcome of a fetch or a write for the cache entry of a lookup.
  enum Outcome {
    /// The cache stored the response that the main source gave to a request made at that time.
    case stored(at: (any Query)?, count: Int, requested: Duration)
    /// The entry was not compared with the main source.
    case unconfirmed
    /// The cache failed to store the response, so that the entry may differ from the main source.
    case rejected
    /// The main source has no value, even if the cache has one.
    case absent
  }

  /// A pending write.
  struct Write {
    /// The sequence number at which it started.
    let number: Int
    let affectedKeys: AffectedKeys
    let isDeletion: Bool
  }

  private struct Record {
    var outcome: Outcome
    /// The sequence numbers of its request and of this record.
    var started: Int
    var recorded: Int
    /// True if the response to an earlier request may have overwritten its values.
    var isOverwritten = false
  }

  private struct State {
    var records = LeastRecentlyUsed<LookupKey, Record>(limit: CacheEntryLedger.limit)
    var lastNumber = 0
    /// The numbers at which writes started and ended.
    var writes = Epochs()
    /// The start numbers of completed writes, by the ids of the cached values that they may affect.
    var completedWrites = Epochs()
    /// The start numbers of completed puts, by the ids of the lookups that they affect.
    var completedPuts = Epochs()
    /// The highest start number of a stored response.
    var newestStored = 0

    /// The number of pending writes, of those among them that affect all lookups, and of the others by id.
    var pendingCount = 0
    var pendingCountOfAll = 0
    var pendingCounts: [String: Int] = [:]

    func hasPendingWrite(affecting lookup: Lookup) -> Bool {
      guard let id = lookup.id else { return pendingCount > 0 }
      return pendingCountOfAll > 0 || pendingCounts[id] != nil
    }

    mutating func nextNumber() -> Int {
      lastNumber += 1
      return lastNumber
    }

    mutating func changePendingCount(_ keys: AffectedKeys, by step: Int) {
      pendingCount += step
      guard case .ids(let ids) = keys else {
        pendingCountOfAll += step
        return
      }
      for id in ids {
        let count = (pendingCounts[id] ?? 0) + step
        pendingCounts[id] = count == 0 ? nil : count
      }
    }

    mutating func record(_ lookup: Lookup, _ outcome: Outcome, started: Int, at number: Int) {
      guard let key = lookup.key else { return }
      var count = 0
      if case .stored(_, let found, _) = outcome { count = found }
      records.insert(
        Record(outcome: outcome, started: started, recorded: number), for: key,
        cost: max(count, lookup.idCount, CacheEntryLedger.minimumCost))
    }

    /// Marks the responses that storing an older one may have overwritten.
    mutating func noteStored(_ keys: AffectedKeys, started: Int) {
      defer { newestStored = max(newestStored, started) }
      guard newestStored > started else { return }
      records.updateAll { record in
        guard record.started > started, case .stored(let query, _, _) = record.outcome else {
          return
        }
        if keys.overlaps(query.map(AffectedKeys.init) ?? .all) { record.isOverwritten = true }
      }
    }
  }

  /// The maximum total cost of the records: their numbers of values or requested ids, each at least `minimumCost`.
  private static let limit = 1 << 18
  /// The minimum cost of a record, which accounts for its fixed size.
  private static let minimumCost = 64

  /// True if values may contain other values that have ids of their own.
  let isNested: Bool
  private let state = Mutex(State())
  private let time: @Sendable () -> Duration

  /// - Parameter isNested: True if values may contain other values that have ids of their own.
  init(_ clock: any Clock<Duration>, isNested: Bool) {
    self.isNested = isNested
    time = Self.stopwatch(clock)
  }

  private static func stopwatch<C: Clock<Duration>>(_ clock: C) -> @Sendable () -> Duration {
    let start = clock.now
    return { start.duration(to: clock.now) }
  }

  /// The current time, for dating responses.
  var now: Duration { time() }

  // MARK: - Reading

  /// The known state of the cache entry of a lookup.
  func entry(for lookup: Lookup) -> Entry {
    let (record, epoch, hasPendingWrite, lastPut) = state.withLock { state in
      (
        lookup.key.flatMap { state.records[$0] }, state.writes.last(affecting: lookup),
        state.hasPendingWrite(affecting: lookup), state.completedPuts.last(affecting: lookup)
      )
    }
    var entry = Entry()
    guard let record else {
      entry.isOutdated = epoch > 0 || hasPendingWrite
      return entry
    }
    entry.isOutdated = record.recorded < epoch || hasPendingWrite || record.isOverwritten
    switch record.outcome {
    case .stored(let query, let count, let requested):
      entry.hasResponse = true
      entry.location = query
      entry.valueCount = count
      let age = time() - requested
      // A negative age means that the clock was set back.
      if query != nil, age >= .zero { entry.age = age }
    case .unconfirmed:
      break
    case .rejected:
      entry.isOutdated = true
    case .absent:
      entry.isOutdated = true
      entry.isAbsent = lastPut < record.recorded
    }
    return entry
  }

  // MARK: - Fetching

  /// The current epoch of a lookup.
  func epoch(of lookup: Lookup) -> Int {
    state.withLock { isNested ? $0.writes.latest : $0.writes.last(affecting: lookup) }
  }

  /// Begins a fetch.
  /// - Returns: Its sequence number.
  func beginFetch() -> Int { state.withLock { $0.nextNumber() } }

  /// True if no write has affected a lookup since an epoch, and no pending write affects it.
  func canStore(_ lookup: Lookup, in epoch: Int) -> Bool {
    state.withLock { canStore(lookup, in: epoch, $0) }
  }

  private func canStore(_ lookup: Lookup?, in epoch: Int, _ state: State) -> Bool {
    guard !isNested, let lookup else {
      return state.writes.latest == epoch && state.pendingCount == 0
    }
    return state.writes.last(affecting: lookup) == epoch
      && !state.hasPendingWrite(affecting: lookup)
  }

  /// Records the outcome of the fetch that started at a number, unless the epoch of the lookup has changed since.
  func record(_ lookup: Lookup, _ outcome: Outcome, started number: Int, in epoch: Int) {
    state.withLock { state in
      guard canStore(lookup, in: epoch, state) else { return }
      record(lookup, outcome, started: number, at: state.nextNumber(), &state)
    }
  }

  private func record(
    _ lookup: Lookup, _ outcome: Outcome, started: Int, at number: Int, _ state: inout State
  ) {
    if case .stored(let query, _, _) = outcome {
      state.noteStored(
        isNested ? .all : query.map(AffectedKeys.init) ?? .all, started: started)
    }
    state.record(lookup, outcome, started: started, at: number)
  }

  // MARK: - Writing

  /// Begins a write.
  func begin(_ keys: AffectedKeys, isDeletion: Bool) -> Write {
    state.withLock { state in
      let number = state.nextNumber()
      state.writes.mark(keys, at: number)
      state.changePendingCount(keys, by: 1)
      return Write(number: number, affectedKeys: keys, isDeletion: isDeletion)
    }
  }

  /// True if this is the only pending write and none that started later has completed.
  func isUncontested(_ write: Write) -> Bool {
    state.withLock { $0.pendingCount == 1 && $0.completedWrites.latest <= write.number }
  }

  /// Marks a write as completed. Completing a write twice is allowed.
  /// - Parameter keys: The values in the cache that it may affect.
  func complete(_ write: Write, affecting keys: AffectedKeys) {
    state.withLock { state in
      state.completedWrites.mark(keys, at: write.number)
      if !write.isDeletion { state.completedPuts.mark(write.affectedKeys, at: write.number) }
    }
  }

  /// True if a write that started later and may affect the same cached values has completed.
  func isSuperseded(_ write: Write, affecting keys: AffectedKeys) -> Bool {
    state.withLock { $0.completedWrites.last(affecting: keys) > write.number }
  }

  /// Ends a write. Its outcome is recorded only if no other write affected the lookup meanwhile, because the order in
  /// which the main source executed overlapping writes is unknown.
  /// - Parameter outcome: Nil if the write failed.
  func end(_ write: Write, _ lookup: Lookup?, _ outcome: Outcome?) {
    state.withLock { state in
      state.changePendingCount(write.affectedKeys, by: -1)
      let isUncontested = canStore(lookup, in: write.number, state)
      var isStoredPut = false
      if isUncontested, !write.isDeletion, case .stored = outcome { isStoredPut = true }
      let number = state.nextNumber()
      state.writes.mark(isNested && !isStoredPut ? .all : write.affectedKeys, at: number)
      guard isUncontested, let lookup, let outcome else { return }
      record(lookup, outcome, started: write.number, at: number, &state)
    }
  }
}

/// The rows read through one handle inside `withObservationTracking`, by table, with the reads of each row.
// Sendable: guarded by `lock`. Only the handle's isolation changes the rows; other threads read which rows are tracked.
final class TrackedRows: ObservedContent, @unchecked Sendable {
  struct Read {
    var attributes = AttributeBits()
    /// The attributes of which only `isKnown` was read.
    var known = AttributeBits()
    /// True if the existence of the row was read.
    var isRow = false

    var isEmpty: Bool { attributes.isEmpty && known.isEmpty && !isRow }

    /// Removes and returns the reads of these attributes, or of whether these attributes are known.
    mutating func take(_ changed: AttributeBits, known changedKnown: AttributeBits) -> Read {
      let taken = Read(
        attributes: attributes.intersection(changed), known: known.intersection(changedKnown))
      attributes.subtract(taken.attributes)
      known.subtract(taken.known)
      return taken
    }
  }

  private let lock = Lock()
  private var rows: [Int: [Int: Read]] = [:]
  private var rowCount = 0
  private var hasEnded = false
  private var keptRows = false

  var count: Int { lock.withLock { rowCount } }

  var isEmpty: Bool { lock.withLock { rowCount == 0 } }

  var isOver: Bool { lock.withLock { hasEnded } }

  /// Called when the handle is deallocated.
  func end() {
    lock.withLock {
      hasEnded = true
      rows = [:]
      rowCount = 0
    }
  }

  func remember(_ table: Int, _ slot: Int, _ body: (inout Read) -> Void) {
    lock.withLock {
      if rows[table]?[slot] == nil { rowCount += 1 }
      body(&rows[table, default: [:]][slot, default: Read()])
    }
  }

  /// True if eviction kept rows for these reads, although their observers may be gone.
  var needsInvalidation: Bool { lock.withLock { keptRows } }

  /// Returns ``needsInvalidation`` and resets it.
  func takeNeedsInvalidation() -> Bool {
    lock.withLock {
      defer { keptRows = false }
      return keptRows
    }
  }

  func takeAll() -> [Int: [Int: Read]] {
    lock.withLock {
      defer { (rows, rowCount) = ([:], 0) }
      return rows
    }
  }

  /// Removes and returns the reads that a difference affects.
  func takeChanged(_ difference: VersionDifference) -> [(table: Int, slot: Int, read: Read)] {
    // Computing a difference may load a class, so it happens outside the lock.
    let differing = lock.withLock { Array(rows.keys) }.map { ($0, difference.rows($0)) }
    return lock.withLock {
      var taken: [(table: Int, slot: Int, read: Read)] = []
      for (table, differing) in differing {
        func take(_ slot: Int, _ changed: AttributeBits, known: AttributeBits) {
          guard var read = rows[table]?.removeValue(forKey: slot) else { return }
          taken.append((table, slot, read.take(changed, known: known)))
          if read.isEmpty { rowCount -= 1 } else { rows[table]?[slot] = read }
        }
        for (slot, changed) in differing.changed { take(slot, changed, known: AttributeBits()) }
        for (slot, known) in differing.known { take(slot, AttributeBits(), known: known) }
        for slot in differing.deleted {
          guard let read = rows[table]?.removeValue(forKey: slot) else { continue }
          rowCount -= 1
          taken.append((table, slot, read))
        }
        if rows[table]?.isEmpty ?? false { rows[table] = nil }
      }
      assert(rows.isEmpty == (rowCount == 0), "\(rowCount) rows are counted")
      return taken
    }
  }

  // MARK: - ObservedContent

  func forEachRow(_ handle: StoreHandle, _ body: (_ table: Int, _ slot: Int) -> Void) {
    let slots = lock.withLock { rows.mapValues { Array($0.keys) } }
    for (table, slots) in slots {
      for slot in slots { body(table, slot) }
    }
  }

  func didKeepRows() {
    lock.withLock { keptRows = true }
  }
}

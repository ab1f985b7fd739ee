/// One chunk of one table.
struct TableChunk: Hashable {
  let table: Int
  let chunk: Int
}

/// Chunks with something to give back: rows that died, texts and elements that were replaced.
///
/// What a version shows stays as it is, and deleted objects read their last values as long as a
/// version has them. So a chunk waits here until no version is shown that might:
///
///     noted ──▶ waiting for the newest version shown between the chunk's first row and its last
///       ▲         change ──▶ (it goes) ──▶ due ──▶ freed or packed, on the way of a later commit
///       └─ asked again if another such version is shown still ◀┘
///
/// A chunk is looked at when a version that it waits for goes, never once per commit (R4, R28).
struct Reclaimer {
  private struct Wait {
    /// The versions that may show what is to be given back.
    var versions: Range<UInt64>
    /// Whether no row of the chunk lives: it can be freed as a whole.
    var isWhollyDead: Bool
  }

  private var waits: [TableChunk: Wait] = [:]
  private var waiting: [UInt64: [TableChunk]] = [:]
  private var dueToBeFreed: [TableChunk] = []
  private var dueToBePacked: [TableChunk] = []

  /// Enters a chunk in which rows died.
  mutating func note(
    deadRowsIn chunk: TableChunk, isWhollyDead: Bool, versions shown: Range<UInt64>,
    _ pins: VersionRegistry
  ) {
    let entered = Wait(versions: shown, isWhollyDead: isWhollyDead)
    if waits.updateValue(entered, forKey: chunk) == nil { wait(chunk, pins) }
  }

  /// Enters a chunk of which content was replaced. One that is in already need not wait anew: the
  /// versions keep content of their own.
  mutating func note(
    replacedContentIn chunk: TableChunk, versions shown: Range<UInt64>, _ pins: VersionRegistry
  ) {
    guard waits[chunk] == nil else { return }
    waits[chunk] = Wait(versions: shown, isWhollyDead: false)
    wait(chunk, pins)
  }

  /// Whether the chunk is in.
  func holds(_ chunk: TableChunk) -> Bool { waits[chunk] != nil }

  /// Chunks that no version needs any more: all that are wholly dead, and of those to be packed as
  /// many as `limit` allows.
  mutating func takeDue(_ pins: VersionRegistry, packing limit: Int) -> [TableChunk] {
    for number in pins.takeReleased() {
      for chunk in waiting.removeValue(forKey: number) ?? [] { wait(chunk, pins) }
    }
    var taken: [TableChunk] = []
    while let chunk = dueToBeFreed.popLast() {
      if take(chunk, pins) { taken.append(chunk) }
    }
    var packed = 0
    while packed < limit, let chunk = dueToBePacked.popLast() {
      guard take(chunk, pins) else { continue }
      taken.append(chunk)
      packed += 1
    }
    return taken
  }

  /// Whether the chunk may be given back; if not, it was noted again after it had become due.
  private mutating func take(_ chunk: TableChunk, _ pins: VersionRegistry) -> Bool {
    guard let wait = waits[chunk] else { return false }
    if let blocker = pins.watch(newestIn: wait.versions) {
      waiting[blocker, default: []].append(chunk)
      return false
    }
    waits[chunk] = nil
    return true
  }

  private mutating func wait(_ chunk: TableChunk, _ pins: VersionRegistry) {
    guard let wait = waits[chunk] else { return }
    if let blocker = pins.watch(newestIn: wait.versions) {
      waiting[blocker, default: []].append(chunk)
    } else if wait.isWhollyDead {
      dueToBeFreed.append(chunk)
    } else {
      dueToBePacked.append(chunk)
    }
  }

  /// Chunks that are in.
  var count: Int { waits.count }
}

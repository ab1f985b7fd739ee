/// One chunk of one table.
struct TableChunk: Hashable {
  let table: Int
  let chunk: Int
}

/// Chunks with memory to reclaim: dead rows, and strings and elements that were replaced.
///
/// Versions are immutable, and deleted objects read their last values while a version has them. A chunk therefore waits
/// here until no live version can show its garbage:
///
///     noted ──▶ waiting for the newest live version between the chunk's first row and its last
///       ▲         change ──▶ (it is released) ──▶ due ──▶ freed or packed by a later commit
///       └─ waits again if another such version is still live ◀┘
///
/// A chunk is checked when a version that it waits for is released, not once per commit (R4, R28).
struct Reclaimer {
  private struct Wait {
    /// The versions that may show the memory to be reclaimed.
    var versions: Range<UInt64>
    /// True if every row of the chunk is dead, so that the whole chunk can be freed.
    var isWhollyDead: Bool
  }

  private var waits: [TableChunk: Wait] = [:]
  private var waiting: [UInt64: [TableChunk]] = [:]
  private var dueToBeFreed: [TableChunk] = []
  private var dueToBePacked: [TableChunk] = []

  /// Adds a chunk with dead rows.
  mutating func note(
    deadRowsIn chunk: TableChunk, isWhollyDead: Bool, versions shown: Range<UInt64>,
    _ registry: VersionRegistry
  ) {
    let entered = Wait(versions: shown, isWhollyDead: isWhollyDead)
    if waits.updateValue(entered, forKey: chunk) == nil { wait(chunk, registry) }
  }

  /// Adds a chunk with replaced content. A chunk already present need not wait again, since versions keep their own
  /// content.
  mutating func note(
    replacedContentIn chunk: TableChunk, versions shown: Range<UInt64>, _ registry: VersionRegistry
  ) {
    guard waits[chunk] == nil else { return }
    waits[chunk] = Wait(versions: shown, isWhollyDead: false)
    wait(chunk, registry)
  }

  /// True if the chunk is waiting or due.
  func holds(_ chunk: TableChunk) -> Bool { waits[chunk] != nil }

  /// Removes and returns the chunks that no version needs: all that are wholly dead, and at most `limit` to be packed.
  mutating func takeDue(_ registry: VersionRegistry, packing limit: Int) -> [TableChunk] {
    for number in registry.takeReleased() {
      for chunk in waiting.removeValue(forKey: number) ?? [] { wait(chunk, registry) }
    }
    var taken: [TableChunk] = []
    while let chunk = dueToBeFreed.popLast() {
      if take(chunk, registry) { taken.append(chunk) }
    }
    var packed = 0
    while packed < limit, let chunk = dueToBePacked.popLast() {
      guard take(chunk, registry) else { continue }
      taken.append(chunk)
      packed += 1
    }
    return taken
  }

  /// Returns true if the chunk may be reclaimed; false if it was reclaimed before, or if it must wait because it was
  /// noted again after it became due.
  private mutating func take(_ chunk: TableChunk, _ registry: VersionRegistry) -> Bool {
    guard let wait = waits[chunk] else { return false }
    if let blocker = registry.watch(newestIn: wait.versions) {
      waiting[blocker, default: []].append(chunk)
      return false
    }
    waits[chunk] = nil
    return true
  }

  private mutating func wait(_ chunk: TableChunk, _ registry: VersionRegistry) {
    guard let wait = waits[chunk] else { return }
    if let blocker = registry.watch(newestIn: wait.versions) {
      waiting[blocker, default: []].append(chunk)
    } else if wait.isWhollyDead {
      dueToBeFreed.append(chunk)
    } else {
      dueToBePacked.append(chunk)
    }
  }

  /// The number of chunks waiting or due.
  var count: Int { waits.count }
}

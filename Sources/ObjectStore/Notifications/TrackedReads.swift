import Observation
import Synchronization

/// Records the reads through one handle that `withObservationTracking` tracks, and notifies their observers.
///
/// A read is kept until it is reported once. Observation has no unsubscribe: above `limit` tracked rows, all
/// observers are invalidated once.
final class TrackedReads: ReadTracker {
  private unowned let handle: StoreHandle
  private let registrar = ObservationRegistrar()
  private let subject = Subject()
  private let probe = Probe()
  // Lazy, because creating a key path takes as long as opening a handle.
  private lazy var probePath = \Subject.[probe]
  /// The version that the tracked reads are compared with. Nil while no read is tracked.
  private var baseline: Version?
  /// The reads inside the open write. They are reported when it ends, because it may be rolled back.
  private var readInWrite: Set<Key> = []
  private let rows = TrackedRows()
  private var isRegistered = false
  /// The attributes that queries of each table depend on.
  private var searches: [Int: [[[String]]: WatchedAttributes]] = [:]
  /// The default corresponds to about 20 MB.
  private let limit: Int

  /// A read, as part of the key path that identifies it for the registrar.
  private enum Key: Hashable {
    case attribute(table: Int, slot: Int, attribute: Int)
    case known(table: Int, slot: Int, attribute: Int)
    case row(table: Int, slot: Int)
    case search(table: Int, paths: [[String]])
  }

  private final class Subject: Observable {
    subscript(key: Key) -> Void { () }
    subscript(probe: Probe) -> Void { () }
  }

  /// Detects whether `withObservationTracking` is running: only then does the registrar hash the key path of an access.
  private final class Probe: Hashable, Sendable {
    // Atomic: the end of its observation, which also hashes it, may happen on any thread.
    let isHashed = Atomic(false)

    static func == (a: Probe, b: Probe) -> Bool { a === b }

    func hash(into hasher: inout Hasher) {
      isHashed.store(true, ordering: .relaxed)
      hasher.combine(ObjectIdentifier(self))
    }
  }

  /// - Parameter limit: The number of tracked rows above which all reads are reported.
  init(_ handle: StoreHandle, limit: Int = 1 << 18) {
    self.handle = handle
    self.limit = limit
  }

  deinit {
    rows.end()
  }

  // MARK: - Reading

  override var isWaiting: Bool { baseline != nil }

  override func readAttribute(_ table: Int, _ slot: Int, _ column: Int) {
    guard isTracking else { return }
    let layout = handle.layout(table)
    // Inverse links are tracked as queries, not as reads.
    guard column < layout.columns.count else { return }
    let attribute = column - layout.firstAttribute
    note(.attribute(table: table, slot: slot, attribute: attribute)) {
      rows.remember(table, slot) { $0.attributes.insert(attribute) }
    }
  }

  override func readEditState(_ table: Int, _ slot: Int, _ attribute: Int) {
    guard isTracking else { return }
    note(.attribute(table: table, slot: slot, attribute: attribute)) {
      rows.remember(table, slot) { $0.attributes.insert(attribute) }
    }
  }

  override func readKnown(_ table: Int, _ slot: Int, _ attribute: Int) {
    guard isTracking else { return }
    note(.known(table: table, slot: slot, attribute: attribute)) {
      rows.remember(table, slot) { $0.known.insert(attribute) }
    }
  }

  override func readRow(_ table: Int, _ slot: Int) {
    guard isTracking else { return }
    note(.row(table: table, slot: slot)) { rows.remember(table, slot) { $0.isRow = true } }
  }

  override func findRows(_ table: Int, by paths: @autoclosure () -> [[String]]) {
    guard isTracking else { return }
    let paths = Set(paths()).sorted { $0.lexicographicallyPrecedes($1) }
    note(.search(table: table, paths: paths)) {
      if searches[table]?[paths] == nil,
        let watched = try? WatchedAttributes(paths, handle, table: table)
      {
        searches[table, default: [:]][paths] = watched
      }
    }
  }

  override var isTracking: Bool {
    probe.isHashed.store(false, ordering: .relaxed)
    registrar.access(subject, keyPath: probePath)
    guard probe.isHashed.load(ordering: .relaxed) else { return false }
    begin()
    return true
  }

  private func begin() {
    if !handle.accessTables.tracksReads { handle.accessTables.tracksReads = true }
    if baseline == nil { baseline = handle.version }
    if !isRegistered {
      isRegistered = true
      handle.core.observed.add(rows)
    }
  }

  private func note(_ key: Key, _ remember: () -> Void) {
    if handle.isWriting { readInWrite.insert(key) } else { remember() }
    registrar.access(subject, keyPath: \Subject.[key])
  }

  // MARK: - Notifying

  override func versionMoved() {
    guard let baseline, !handle.isWriting,
      baseline !== handle.version || !readInWrite.isEmpty || rows.needsInvalidation
    else { return }
    var keys =
      rows.takeNeedsInvalidation() || rows.count > limit
      ? takeAll() : takeChanged(VersionDifference(baseline, handle.version, handle.engine))
    keys += readInWrite
    readInWrite = []
    self.baseline = rows.isEmpty && searches.isEmpty ? nil : handle.version
    // Observers may read and write here: the state is consistent.
    for key in keys {
      registrar.willSet(subject, keyPath: \Subject.[key])
      registrar.didSet(subject, keyPath: \Subject.[key])
      _ = handle.undoOpenWrites()
    }
  }

  private func takeAll() -> [Key] {
    var keys: [Key] = []
    for (table, slots) in rows.takeAll() {
      for (slot, read) in slots { keys += self.keys(table, slot, read) }
    }
    for (table, searches) in searches {
      keys += searches.keys.map { .search(table: table, paths: $0) }
    }
    searches = [:]
    return keys
  }

  private func keys(_ table: Int, _ slot: Int, _ read: TrackedRows.Read) -> [Key] {
    read.attributes.all.map { .attribute(table: table, slot: slot, attribute: $0) }
      + read.known.all.map { .known(table: table, slot: slot, attribute: $0) }
      + (read.isRow ? [.row(table: table, slot: slot)] : [])
  }

  private func takeChanged(_ difference: VersionDifference) -> [Key] {
    var keys: [Key] = []
    for (table, slot, read) in rows.takeChanged(difference) {
      keys += self.keys(table, slot, read)
    }
    for (table, known) in searches {
      let isOther = !difference[table].inserted.isEmpty || !difference[table].deleted.isEmpty
      for (paths, watched) in known
      where isOther || !watched.changed(difference).isEmpty {
        searches[table]?[paths] = nil
        keys.append(.search(table: table, paths: paths))
      }
      if searches[table]?.isEmpty ?? false { searches[table] = nil }
    }
    return keys
  }
}

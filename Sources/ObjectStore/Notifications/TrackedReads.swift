import Observation
import Synchronization

/// What `withObservationTracking` saw being read through one handle, and its being told.
///
/// A read is remembered until it is told once. An observer that lost interest meanwhile says so to nobody:
/// when too much is remembered, all are told, which costs them a look.
final class TrackedReads: ReadTracker {
  private unowned let handle: StoreHandle
  private let registrar = ObservationRegistrar()
  private let subject = Subject()
  private let probe = Probe()
  private let probePath: KeyPath<Subject, Void>
  /// The version that what was read is compared with; nil while nothing is remembered.
  private var told: Version?
  /// Whether something was read inside a write, which may be undone.
  private var hasReadInWrite = false
  /// Rows by table, with what was read of each.
  private var rows: [Int: [Int: Read]] = [:]
  private var rowCount = 0
  /// What rows were found by, by table.
  private var searches: [Int: [[[String]]: WatchedAttributes]] = [:]
  private static let limit = 1 << 16

  private struct Read {
    var attributes = AttributeBits()
    /// Whether it was asked if the row is there.
    var isRow = false

    var isEmpty: Bool { attributes.isEmpty && !isRow }
  }

  /// What was read, as the key path that the registrar knows it by.
  private enum Key: Hashable {
    case attribute(table: Int, slot: Int, attribute: Int)
    case row(table: Int, slot: Int)
    case search(table: Int, paths: [[String]])
  }

  private final class Subject: Observable {
    subscript(key: Key) -> Void { () }
    subscript(probe: Probe) -> Void { () }
  }

  /// Tells whether `withObservationTracking` runs: only then somebody wants the hash of a key path that
  /// is told to the registrar.
  private final class Probe: Hashable, Sendable {
    // Atomic: the observation of it may end on any thread, which hashes it, too.
    let isHashed = Atomic(false)

    static func == (a: Probe, b: Probe) -> Bool { a === b }

    func hash(into hasher: inout Hasher) {
      isHashed.store(true, ordering: .relaxed)
      hasher.combine(ObjectIdentifier(self))
    }
  }

  init(_ handle: StoreHandle) {
    self.handle = handle
    let probe = probe
    probePath = \Subject.[probe]
  }

  // MARK: - Reading

  var isWaiting: Bool { told != nil }

  func readAttribute(_ table: Int, _ slot: Int, _ column: Int) {
    guard isTracking else { return }
    let layout = handle.layout(table)
    // Inverse links are found, not read.
    guard column < layout.columns.count else { return }
    let attribute = column - layout.firstAttribute
    remember(table, slot) { $0.attributes.insert(attribute) }
    note(.attribute(table: table, slot: slot, attribute: attribute))
  }

  func readRow(_ table: Int, _ slot: Int) {
    guard isTracking else { return }
    remember(table, slot) { $0.isRow = true }
    note(.row(table: table, slot: slot))
  }

  func findRows(_ table: Int, by paths: @autoclosure () -> [[String]]) {
    guard isTracking else { return }
    let paths = Set(paths()).sorted { $0.lexicographicallyPrecedes($1) }
    if searches[table]?[paths] == nil,
      let watched = try? WatchedAttributes(paths, handle, table: table)
    {
      searches[table, default: [:]][paths] = watched
    }
    note(.search(table: table, paths: paths))
  }

  var isTracking: Bool {
    probe.isHashed.store(false, ordering: .relaxed)
    registrar.access(subject, keyPath: probePath)
    guard probe.isHashed.load(ordering: .relaxed) else { return false }
    begin()
    return true
  }

  private func begin() {
    if !handle.tracksReads { handle.tracksReads = true }
    if told == nil { told = handle.version }
    if handle.isWriting { hasReadInWrite = true }
  }

  private func remember(_ table: Int, _ slot: Int, _ body: (inout Read) -> Void) {
    if rows[table]?[slot] == nil { rowCount += 1 }
    body(&rows[table, default: [:]][slot, default: Read()])
  }

  private func note(_ key: Key) {
    registrar.access(subject, keyPath: \Subject.[key])
  }

  // MARK: - Telling

  func versionMoved() {
    guard let told, !handle.isWriting, told !== handle.version || hasReadInWrite else { return }
    let keys =
      hasReadInWrite || rowCount > Self.limit
      ? takeAll() : takeChanged(VersionDifference(told, handle.version, handle.engine))
    hasReadInWrite = false
    self.told = rows.isEmpty && searches.isEmpty ? nil : handle.version
    // Who is told may read and write: all is in order by now.
    for key in keys {
      registrar.willSet(subject, keyPath: \Subject.[key])
      registrar.didSet(subject, keyPath: \Subject.[key])
    }
  }

  private func takeAll() -> [Key] {
    var keys: [Key] = []
    for (table, slots) in rows {
      for (slot, read) in slots { keys += self.keys(table, slot, read) }
    }
    for (table, searches) in searches {
      keys += searches.keys.map { .search(table: table, paths: $0) }
    }
    rows = [:]
    rowCount = 0
    searches = [:]
    return keys
  }

  private func keys(_ table: Int, _ slot: Int, _ read: Read) -> [Key] {
    read.attributes.all.map { .attribute(table: table, slot: slot, attribute: $0) }
      + (read.isRow ? [.row(table: table, slot: slot)] : [])
  }

  private func takeChanged(_ difference: VersionDifference) -> [Key] {
    var keys: [Key] = []
    for table in rows.keys {
      for (slot, changed) in difference[table].changed {
        guard var read = rows[table]?.removeValue(forKey: slot) else { continue }
        let differing = Read(attributes: read.attributes.intersection(changed))
        keys += self.keys(table, slot, differing)
        read.attributes.subtract(differing.attributes)
        if read.isEmpty { rowCount -= 1 } else { rows[table]?[slot] = read }
      }
      for slot in difference[table].deleted {
        guard let read = rows[table]?.removeValue(forKey: slot) else { continue }
        rowCount -= 1
        keys += self.keys(table, slot, read)
      }
      if rows[table]?.isEmpty ?? false { rows[table] = nil }
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

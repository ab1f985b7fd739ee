import Synchronization

/// The tables, the versions and the writer lock of a store, shared by all handles of one configuration.
///
/// Synchronization:
///
///     lock       tables, incoming, newest, listeners
///     writerLock editOwners, nextSlots, the reclaimer, replacedTables, everything inside the working version (one
///                thread at a time)
///     none       versions: immutable once published
// Sendable: as documented above, every mutable property is guarded.
final class StoreEngine: @unchecked Sendable {
  let lock = Lock()
  /// The lock that a writer holds, with its queue of waiters.
  let writerLock = WriterLock()

  // Guarded by `lock`.
  private var tables: ContiguousArray<Table> = []
  private var trackedTables: ContiguousArray<Table> = []
  private var incomingByTable: [Int: [Table.Incoming]] = [:]
  private var newestVersion: Version
  private var lastListener: UInt64 = 0
  private var listeners: [UInt64: @Sendable () -> Void] = [:]

  /// Identifies the edits in flight in this process: after a restart, none is.
  let session = UInt64.random(in: 1...UInt64(Int64.max))

  // Guarded by `writerLock`.
  /// The serial number of the last edit that was taken.
  var lastSerial: UInt64 = 0
  /// The position of the last object with a first change, once base rows were read.
  var lastEditOrder: UInt64?
  /// The edits to take next.
  var editQueue: EditQueue?
  /// The number of the newest version that changed a base table.
  var lastBaseVersion: UInt64 = 0
  /// The base tables of which it is known if they have tombstones; true also if the last one has ended since.
  var basesWithTombstones: [Int: Bool] = [:]
  /// The tombstones by the rows that lost links to their objects, as they are since the last change of a base table.
  private var lostSources: (version: UInt64, tableCount: Int, tombstones: LostSources)?
  typealias LostSources = [LostReference.Source: Set<Tombstone>]

  /// Returns the tombstones by the rows that lost links to their objects and forgets them, so that they can be changed without
  /// a copy; nil if they are not known.
  func takeLostSources() -> LostSources? {
    defer { lostSources = nil }
    guard let lostSources, lostSources.version == lastBaseVersion,
      lostSources.tableCount == tablesWithBases.count
    else { return nil }
    return lostSources.tombstones
  }

  func keep(_ sources: LostSources) {
    lostSources = (lastBaseVersion, tablesWithBases.count, sources)
  }

  /// The edits that were confirmed since the oldest live version.
  var confirmations = ConfirmationLog()
  /// The rows into which commits have merged others since the store was opened. Edits that were taken before link to the
  /// others.
  var mergedRows: [MergedRow: Int] = [:]
  private var lastEditOwner: UInt64 = StoreEngine.repairOwner
  var nextSlots: [Int: Int] = [:]
  var reclaimer = Reclaimer()
  var replacedTables = ReplacedTables()

  /// Makes commits durable; nil for an in-memory store.
  let commitLog: (any CommitLog)?

  /// The live versions. The registry has its own lock.
  let registry = VersionRegistry()

  init(_ commitLog: (any CommitLog)? = nil) {
    self.commitLog = commitLog
    newestVersion = Version(number: 0, touchedTables: [], registry: registry)
  }

  // MARK: - Tables

  func table(_ index: Int) -> Table { lock.withLock { tables[index] } }

  var tableCount: Int { lock.withLock { tables.count } }

  func allTables() -> ContiguousArray<Table> { lock.withLock { tables } }

  /// Adds tables that refer to each other in one step; `make` receives the index of the first.
  func addTables(_ make: (Int) -> [Table]) {
    lock.withLock {
      let new = make(tables.count)
      tables.append(contentsOf: new)
      trackedTables += new.filter { $0.base != nil }
      for table in new {
        for (column, layout) in table.layout.columns.enumerated() where layout.hasLinks {
          incomingByTable[layout.targetTable, default: []].append(
            Table.Incoming(table: table.index, column: column))
          if tables[layout.targetTable].layout.identity != .keyed {
            table.contentColumns.append(column)
          }
        }
      }
    }
  }

  /// The tables of the classes that track edits.
  var tablesWithBases: ContiguousArray<Table> { lock.withLock { trackedTables } }

  /// Returns the columns whose links target a table.
  func incoming(_ table: Int) -> [Table.Incoming] {
    lock.withLock { incomingByTable[table] ?? [] }
  }

  // MARK: - Versions

  var newest: Version { lock.withLock { newestVersion } }

  func publish(_ version: Version) {
    // Releasing the previous version may deallocate it, so it happens outside the lock.
    var old: Version?
    lock.withLock {
      old = newestVersion
      newestVersion = version
    }
    withExtendedLifetime(old) {}
    notifyListeners()
  }

  // MARK: - Listeners

  /// Calls `body` on the committing thread after every commit, and whenever handles should check for changes. `body`
  /// must only schedule work.
  func addListener(_ body: @escaping @Sendable () -> Void) -> UInt64 {
    lock.withLock {
      lastListener += 1
      listeners[lastListener] = body
      return lastListener
    }
  }

  func notifyListeners() {
    for listener in lock.withLock({ Array(listeners.values) }) { listener() }
  }

  func removeListener(_ id: UInt64) {
    let removed = lock.withLock { listeners.removeValue(forKey: id) }
    withExtendedLifetime(removed) {}
  }

  // MARK: - Edit owners

  /// The edit owner of loaded rows; no transaction has it.
  static let loadingOwner: UInt64 = 1
  /// The edit owner of repairs to loaded rows before they are visible.
  static let repairOwner: UInt64 = 2

  /// Returns a new edit owner. An edit owner is never reused, not even after a rollback (R1).
  func newEditOwner() -> UInt64 {
    lastEditOwner += 1
    return lastEditOwner
  }
}

import Synchronization

/// The store itself: tables, versions and the one writer. Handles of one configuration share one.
///
/// Who guards what:
///
///     lock       tables, incoming, newest, wantedBacklinks, listeners
///     the writer editOwners, nextSlots, the reclaimer, replacedTables, everything inside the working version (one
///                thread at a time, handed on through `turn`)
///     nobody     versions: immutable once published
// Sendable: see above; every mutable property names its guard.
final class StoreEngine: @unchecked Sendable {
  let lock = Lock()
  /// Who writes, and who waits for it.
  let writerLock = WriterLock()

  // Guarded by `lock`.
  private var tables: ContiguousArray<Table> = []
  private var incomingByTable: [Int: [Table.Incoming]] = [:]
  private var newestVersion: Version
  private var lastListener: UInt64 = 0
  private var wantedBacklinks: Set<Table.Incoming> = []
  private var listeners: [UInt64: @Sendable () -> Void] = [:]

  // Guarded by being the writer.
  private var lastEditOwner: UInt64 = StoreEngine.repairOwner
  var nextSlots: [Int: Int] = [:]
  var reclaimer = Reclaimer()
  var replacedTables = ReplacedTables()

  /// Makes commits durable; nil in memory.
  let commitLog: (any CommitLog)?

  /// The versions that somebody shows; guards itself.
  let pins = VersionRegistry()

  init(_ commitLog: (any CommitLog)? = nil) {
    self.commitLog = commitLog
    newestVersion = Version(number: 0, touchedTables: [], pins: pins)
  }

  // MARK: - Tables

  func table(_ index: Int) -> Table { lock.withLock { tables[index] } }

  var tableCount: Int { lock.withLock { tables.count } }

  func allTables() -> ContiguousArray<Table> { lock.withLock { tables } }

  /// Adds tables that refer to each other in one step; `make` gets the index of the first.
  func addTables(_ make: (Int) -> [Table]) {
    lock.withLock {
      let new = make(tables.count)
      tables.append(contentsOf: new)
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

  /// The columns whose links point into a table.
  func incoming(_ table: Int) -> [Table.Incoming] {
    lock.withLock { incomingByTable[table] ?? [] }
  }

  // MARK: - Versions

  var newest: Version { lock.withLock { newestVersion } }

  func publish(_ version: Version) {
    // The version that was newest may die here: outside the lock.
    var old: Version?
    lock.withLock {
      old = newestVersion
      newestVersion = version
    }
    withExtendedLifetime(old) {}
    tellListeners()
  }

  // MARK: - Listeners

  /// Calls `body` after every commit, on the committing thread, and where handles are to look again; it must only
  /// schedule work.
  func addListener(_ body: @escaping @Sendable () -> Void) -> UInt64 {
    lock.withLock {
      lastListener += 1
      listeners[lastListener] = body
      return lastListener
    }
  }

  func tellListeners() {
    for tell in lock.withLock({ Array(listeners.values) }) { tell() }
  }

  func removeListener(_ id: UInt64) {
    let gone = lock.withLock { listeners.removeValue(forKey: id) }
    withExtendedLifetime(gone) {}
  }

  // MARK: - Backlinks

  /// Asks the writes to come to keep the backlinks of a column, from the first one on that leaves
  /// rows in its table (R8).
  func wantBacklinks(_ column: Table.Incoming) {
    lock.withLock { _ = wantedBacklinks.insert(column) }
  }

  /// The columns whose backlinks are wanted and whose tables hold rows, as `holdsRows` says; they
  /// count as served.
  func takeWantedBacklinks(_ holdsRows: (Int) -> Bool) -> [Table.Incoming] {
    let wanted = lock.withLock { wantedBacklinks.isEmpty ? nil : wantedBacklinks }
    guard let wanted else { return [] }
    // Not under the lock: it asks the engine for the tables.
    let served = wanted.filter { holdsRows($0.table) }
    lock.withLock { wantedBacklinks.subtract(served) }
    return Array(served)
  }

  // MARK: - The writer

  /// The editOwner of rows that were loaded: no transaction has it.
  static let loadingOwner: UInt64 = 1
  /// The editOwner of what was mended in them before anybody saw them.
  static let repairOwner: UInt64 = 2

  /// A new editOwner; editOwners are never used twice, not even after a rollback (R1).
  func newEditOwner() -> UInt64 {
    lastEditOwner += 1
    return lastEditOwner
  }
}

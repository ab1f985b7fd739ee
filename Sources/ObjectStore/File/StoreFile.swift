import Foundation
import StoreDatabase

/// The file of a store: a SQLite database that one process at a time may write.
///
///     commit ──▶ write(earlier, later) ──▶ differences ──▶ rows, elements, catalog ──▶ SQLite COMMIT
///     first use of a class ──▶ load ──▶ columns, checked against the catalog's checksums
///
/// A commit writes the difference of two versions, so its cost is that of the changes. A commit that cannot be written
/// is undone in memory as well (R16).
// Sendable: `lock` guards all mutable state and the connection, except `tables`, which `tablesLock` guards.
final class StoreFile: CommitLog, @unchecked Sendable {
  /// The path of the database, under which other processes find it.
  let path: String
  let options: FileOptions
  let lock = Lock()
  let database: Database
  /// The lock, held while the store is open; nil if the file is only read.
  let ownership: FileLock?
  let values = FileValues()

  // Guarded by `lock`.
  var catalog: FileCatalog
  /// The classes whose rows are loaded. Deletions clear their links.
  var loaded: Set<String> = []
  /// The slots of rows that the store deleted and the file still has; empty if the file is written.
  var deletedSlots: [String: Set<Int>] = [:]
  var statements: [String: RowStatements] = [:]
  var catalogStatements: CatalogStatements?
  var transactionStatements: TransactionStatements?

  /// The statements that begin and commit a transaction of the database.
  struct TransactionStatements {
    let begin: Statement
    let commit: Statement
  }

  /// The reason why nothing can be written any longer.
  var closed: StoreError?
  private var allDamage: [StoreError] = []
  /// Writes commits in the background; nil if each commit writes itself.
  private(set) var queue: CommitQueue?

  init(
    path: String, _ options: FileOptions, _ database: Database, _ ownership: FileLock?,
    _ catalog: FileCatalog, damage: [StoreError]
  ) {
    self.path = path
    self.options = options
    self.database = database
    self.ownership = ownership
    self.catalog = catalog
    allDamage = damage
    if options.durability == .background, !options.isReadOnly { queue = CommitQueue() }
  }

  deinit {
    // Close the connection before releasing the lock: another process must not open the files in between.
    statements = [:]
    catalogStatements = nil
    transactionStatements = nil
    database.close()
  }

  // MARK: - Classes

  /// Guards `tables`. A lock of its own, because classes are registered while the file may be busy for a long time.
  private let tablesLock = Lock()
  private var tables: [String: FileTable] = [:]

  /// Returns a registered class.
  func table(_ name: String) -> FileTable? { tablesLock.withLock { tables[name] } }

  /// Registers a class that the store uses. Returns the source of its rows.
  func register(_ table: FileTable) -> FileRows {
    tablesLock.withLock { tables[table.name] = table }
    return FileRows(self, table.name)
  }

  // MARK: - Damage

  /// The errors found while reading the file, in order of discovery.
  var damage: [StoreError] { lock.withLock { allDamage } }

  /// Records damage. From now on nothing is written, and the next opening renames the file, unless a tool found the
  /// damage. Requires `lock`.
  func recordDamage(_ error: StoreError) {
    // A transaction records it, and so does the code that began the transaction.
    if !allDamage.contains(error) { allDamage.append(error) }
    if closed == nil { closed = error }
    if case .fileDamaged(_, let details, _) = error.kind, !options.leavesDamagedFile {
      ownership?.damage = details
    }
  }

  /// Records that a class of a cache was reset. Requires `lock`.
  func recordReset(_ error: StoreError) {
    allDamage.append(error)
  }

  // MARK: - Commits

  func write(_ earlier: Version, _ later: Version, _ engine: StoreEngine) throws(StoreError) {
    if options.isReadOnly { throw StoreError(.readOnlyStore(path: path)) }
    guard let queue else { return try commit(earlier, later, engine) }
    try queue.waitForCapacity(self, engine)
    if let closed = lock.withLock({ closed }) { throw closed }
  }

  func didPublish(_ version: Version, _ engine: StoreEngine) {
    queue?.add(version, self, engine)
  }

  /// Called when the store's last handle is released.
  func close(_ engine: StoreEngine) {
    queue?.close(self, engine)
  }

  // MARK: - Errors

  /// Converts a failure to a `StoreError`.
  func error(_ failure: any Error) -> StoreError { Self.error(failure, path) }

  static func error(_ failure: any Error, _ path: String) -> StoreError {
    switch failure {
    case let error as StoreError: error
    case let damage as FileCatalog.Damage:
      StoreError(.fileDamaged(path: path, details: damage.details, setAside: nil))
    case let error as DatabaseError where error.isDamage:
      StoreError(.fileDamaged(path: path, details: error.description, setAside: nil))
    default: StoreError(.fileFailed(path: path, reason: "\(failure)"))
    }
  }
}

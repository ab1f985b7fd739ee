import Foundation
import StoreDatabase

/// The file of a store: a SQLite database that one process at a time may write.
///
///     commit ──▶ write(earlier, later) ──▶ differences ──▶ rows, elements, catalog ──▶ SQLite COMMIT
///     first look at a class ──▶ load ──▶ columns, checked against the catalog's sums
///
/// What is written is the difference of two versions, so it costs what the commit touched. A commit that
/// cannot be written is undone in memory, too (R16).
// Sendable: what changes is guarded by `lock`, and so is the connection; `tables` by a lock of their own.
final class StoreFile: CommitLog, @unchecked Sendable {
  /// Where the database is; others find it by this name.
  let path: String
  let options: FileOptions
  let lock = Lock()
  let database: Database
  /// Held as long as the store is open; nil for one that is only read.
  let ownership: FileLock?
  let values = FileValues()

  // Guarded by `lock`.
  var catalog: FileCatalog
  /// Those whose rows were looked at: a deletion finds their links.
  var loaded: Set<String> = []
  /// Slots of rows that are in the file and deleted in the store; none of a file that is written.
  var gone: [String: Set<Int>] = [:]
  var statements: [String: RowStatements] = [:]
  var catalogStatements: CatalogStatements?
  var transactionStatements: TransactionStatements?

  /// What begins and ends a transaction of the database.
  struct TransactionStatements {
    let begin: Statement
    let commit: Statement
  }

  /// Why nothing is written any more.
  var closed: StoreError?
  private var allDamage: [StoreError] = []
  /// Writes behind the commits; nil if each writes itself.
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
    // The connection ends before the lock is given up: nobody may find the files in between.
    statements = [:]
    catalogStatements = nil
    transactionStatements = nil
    database.close()
  }

  // MARK: - Classes

  /// Guards `tables`: classes are met while the file may be busy for long.
  private let tablesLock = Lock()
  private var tables: [String: FileTable] = [:]

  /// A class that the store has met.
  func table(_ name: String) -> FileTable? { tablesLock.withLock { tables[name] } }

  /// Takes note of a class that the store met; returns where its rows are.
  func enter(_ table: FileTable) -> FileRows {
    tablesLock.withLock { tables[table.name] = table }
    return FileRows(self, table.name)
  }

  // MARK: - Damage

  /// What of the file could not be read, in the order it was found.
  var damage: [StoreError] { lock.withLock { allDamage } }

  /// Notes what cannot be read: from now on nothing is written, and the next opening sets the file
  /// aside, unless a tool noticed it. Under the lock.
  func noteDamage(_ error: StoreError) {
    // A transaction notes it, and then who began that.
    if !allDamage.contains(error) { allDamage.append(error) }
    if closed == nil { closed = error }
    if case .fileDamaged(_, let details, _) = error.kind, !options.leavesDamagedFile {
      ownership?.damage = details
    }
  }

  /// Notes that a class of a cache began anew. Under the lock.
  func noteReset(_ error: StoreError) {
    allDamage.append(error)
  }

  // MARK: - Commits

  func write(_ earlier: Version, _ later: Version, _ engine: StoreEngine) throws(StoreError) {
    if options.isReadOnly { throw StoreError(.readOnlyStore(path: path)) }
    guard let queue else { return try commit(earlier, later, engine) }
    try queue.checkRoom(self, engine)
    if let closed = lock.withLock({ closed }) { throw closed }
  }

  func didPublish(_ version: Version, _ engine: StoreEngine) {
    queue?.add(version, self, engine)
  }

  /// The last handle of the store is gone.
  func end(_ engine: StoreEngine) {
    queue?.end(self, engine)
  }

  // MARK: - Errors

  /// What a failure is called.
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

import Dispatch
import Foundation
import StoreDatabase

/// The file of a store: a SQLite database that one process at a time may write.
///
///     commit ──▶ write(earlier, later) ──▶ differences ──▶ rows, elements, catalog ──▶ SQLite COMMIT
///     first use of a class ──▶ load ──▶ columns, checked against the catalog's checksums
///
/// A commit writes the difference between two versions, so its cost is proportional to the changes. A commit that cannot
/// be written is undone in memory as well, unless commits are written in the background (R16).
// Sendable: `lock` guards all mutable state and the connection, except `tables`, which `tablesLock` guards.
final class StoreFile: CommitLog, @unchecked Sendable {
  /// The path at which other processes find the database.
  let path: String
  let options: FileOptions
  /// Recursive, because its owner may be the first reader of a damaged chunk.
  let lock = Lock(isRecursive: true)
  private(set) var database: Database
  /// The file lock, held while the store is open; nil if the file is only read.
  let ownership: FileLock?
  /// Checks the size of the log while a transaction for reading only is open; nil in other stores.
  var logWatch: (any DispatchSourceTimer)?
  /// Looks for commits of the process that writes the file; nil in other stores, and in one that is refreshed by calls only.
  var writerWatch: (any DispatchSourceTimer)?
  /// The connection that notices commits; nil until needed. Guarded by `lock`.
  var probe: Probe?
  /// The first version that shows what `database` has. Guarded by `lock`.
  var firstVersion: UInt64 = 0
  /// The size of the log from which the transaction ends. Guarded by `lock`.
  var readerLogLimit: Int
  /// The log that SQLite has open; nil if the file is only read.
  private let log: FileIdentity?
  /// The file when it was opened.
  let identity: FileIdentity?
  let values = FileValues()

  // Guarded by `lock`.
  var catalog: FileCatalog
  /// The classes whose rows are loaded. Deletions clear their links.
  var loaded: Set<String> = []
  /// The slots of rows that the store deleted but the file still contains; used only for an in-memory copy of a file.
  var deletedSlots: [String: Set<Int>] = [:]
  /// The missing attributes that only the file can record, for the classes that lack attributes of the file.
  var unseen: [String: UnseenMissing] = [:]
  var statements: [String: RowStatements] = [:]
  var catalogStatements: CatalogStatements?
  var transactionStatements: TransactionStatements?

  var columnFiles = ColumnFiles()
  /// Writes column files, one at a time. In a store that only reads, checks the size of the log.
  let columnQueue = DispatchQueue(label: "StoreCoder.ColumnFiles", qos: .utility)

  /// The statements that begin and commit a transaction of the database.
  struct TransactionStatements {
    let begin: Statement
    let commit: Statement
  }

  /// The reason why nothing can be written any longer.
  var closed: StoreError?
  private var allDamage: [StoreError] = []
  /// Writes commits in the background; nil if each commit is written before it returns.
  private(set) var queue: CommitQueue?

  init(
    path: String, _ options: FileOptions, _ database: Database, _ ownership: FileLock?,
    _ catalog: FileCatalog, damage: [StoreError]
  ) {
    self.path = path
    self.options = options
    readerLogLimit = options.readerLogLimit
    self.database = database
    self.ownership = ownership
    log = ownership == nil ? nil : FileIdentity(path + "-wal")
    identity = FileIdentity(path)
    self.catalog = catalog
    allDamage = damage
    if options.writesInBackground, !options.isReadOnly { queue = CommitQueue() }
  }

  deinit {
    logWatch?.cancel()
    writerWatch?.cancel()
    // Close the connection before releasing the lock: another process must not open the files in between.
    statements = [:]
    catalogStatements = nil
    transactionStatements = nil
    database.close()
  }

  /// Replaces the connection of a store that only reads by one with the same content. Requires `lock`.
  func replaceDatabase(_ copy: Database) {
    assert(options.isReadOnly, "The connection has statements that write")
    database.close()
    database = copy
  }

  // MARK: - Classes

  /// Guards `tables`. A lock of its own, because classes are registered while the file may be busy for a long time.
  private let tablesLock = Lock()
  private var tables: [String: FileTable] = [:]

  /// Returns the registered class with this name.
  func table(_ name: String) -> FileTable? { tablesLock.withLock { tables[name] } }

  /// Registers a class that the store uses. Returns the source of its rows.
  func register(_ table: FileTable) -> FileRows {
    tablesLock.withLock { tables[table.name] = table }
    return FileRows(self, table.name)
  }

  // MARK: - Damage

  /// The errors found while reading the file, in order of discovery.
  var damage: [StoreError] { lock.withLock { allDamage } }

  /// Records damage. Nothing is written from now on. If the file is damaged, the next opening verifies it, unless a tool
  /// found the damage. Requires `lock`.
  func recordDamage(_ error: StoreError) {
    // Both a transaction and the code that began it record the same error.
    if !allDamage.contains(error) { allDamage.append(error) }
    if closed == nil { closed = error }
    if case .fileDamaged(_, let details, _) = error.kind, !options.leavesDamagedFile {
      ownership?.state = .damaged(details)
    }
  }

  /// Records the reason why a cache or one of its classes was reset. Requires `lock`.
  func recordReset(_ error: StoreError) {
    allDamage.append(error)
  }

  // MARK: - Commits

  func write(
    _ earlier: Version, _ later: Version, _ engine: StoreEngine, dropsOtherClasses: Bool
  ) throws(StoreError) {
    if options.isReadOnly { throw StoreError(.readOnlyStore(path: path)) }
    guard let queue else {
      return try commit(earlier, later, engine, dropsOtherClasses: dropsOtherClasses)
    }
    try queue.waitForCapacity(self, engine)
    if let closed = lock.withLock({ closed }) { throw closed }
    if dropsOtherClasses {
      // One transaction, which the queue must not write again.
      try queue.drain(self, engine)
      try commit(earlier, later, engine, dropsOtherClasses: true)
      queue.noteWritten(later.number)
    }
  }

  func didPublish(_ version: Version, _ engine: StoreEngine) {
    queue?.add(version, self, engine)
  }

  /// Called when the store's last handle is released.
  func close(_ engine: StoreEngine) {
    queue?.close(self, engine)
    // A column file that is being written would delay the release of the file lock.
    lock.withLock { columnFiles.isClosing = true }
  }

  // MARK: - Missing files

  /// The error for a file that SQLite or the lock has open but is no longer at its path; nil if all are. What is then
  /// written to an open file is lost when the process ends.
  var lostFile: StoreError? {
    let reason: String
    if database.hasMoved {
      reason = "the file was removed, renamed or replaced"
    } else if let ownership, !ownership.isIntact {
      reason = "the lock file was removed"
    } else if let log, FileIdentity(path + "-wal") != log {
      reason = "the log file (-wal) was removed, renamed or replaced"
    } else {
      return nil
    }
    return StoreError(.fileFailed(path: path, reason: reason))
  }

  // MARK: - Errors

  /// Converts a failure to a `StoreError`.
  func error(_ failure: any Error) -> StoreError {
    Self.error(failure, path, isReadOnly: options.isReadOnly)
  }

  static func error(
    _ failure: any Error, _ path: String, isReadOnly: Bool = false
  ) -> StoreError {
    switch failure {
    case let error as StoreError: error
    case let damage as FileCatalog.Damage:
      StoreError(.fileDamaged(path: path, details: damage.details, setAside: nil))
    case let error as DatabaseError where error.isDamage:
      StoreError(.fileDamaged(path: path, details: error.description, setAside: nil))
    case let error as DatabaseError where error.concernsAccess:
      StoreError(
        .fileFailed(
          path: path,
          reason: inaccessibleFile(path, isReadOnly: isReadOnly).map {
            "\($0) (SQLite \(error.code))"
          }
            ?? error.description))
    default: StoreError(.fileFailed(path: path, reason: "\(failure)"))
    }
  }
}

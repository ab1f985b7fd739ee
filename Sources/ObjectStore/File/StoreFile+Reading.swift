import Dispatch
import Foundation
import StoreDatabase

// Opens a file for reading only. The store shows the state of the file when it was opened:
//
//     opening                        a read transaction: later commits of the writer stay in the log
//     the log exceeds its limit ──▶  a private copy of the state, and the transaction ends
//
// Opening is fast because it copies nothing, and the log is bounded because the transaction ends.

extension StoreFile {
  static func openToRead(
    _ path: String, _ options: FileOptions
  ) throws(StoreError) -> StoreFile {
    do {
      let (database, catalog) = try openSnapshot(path, isOpenHere: false)
      try checkSchemaVersion(catalog, path, options)
      // External changes are accepted in a copy, so that the file stays unchanged.
      if options.acceptsExternalEdits { return try copy(of: database, path, options) }
      let file = StoreFile(path: path, options, database, nil, catalog, damage: [])
      file.watchLog()
      return file
    } catch {
      throw self.error(error, path, isReadOnly: true)
    }
  }

  /// Opens a read-only connection with a snapshot of the file, even while another process writes it.
  static func openSnapshot(
    _ path: String, isOpenHere: Bool
  ) throws -> (Database, FileCatalog) {
    try checkPath(path)
    if !isOpenHere { FileLock.waitForClosing(path + ".lock") }
    guard FileManager.default.fileExists(atPath: path) else {
      throw StoreError(.fileFailed(path: path, reason: "there is no such file"))
    }
    func snapshot(_ access: Database.Access) throws -> (Database, FileCatalog) {
      let database = try Database(path: path, access)
      database.setBusyTimeout(milliseconds: 5000)
      try database.execute("BEGIN")
      try check(database, path, try number(database, "PRAGMA application_id"))
      return (database, try FileCatalog(database))
    }
    do {
      return try snapshot(.read)
    } catch let error as DatabaseError
      where error.isNoDatabase && !FileManager.default.fileExists(atPath: path + ".lock")
    {
      throw StoreError(.notAStore(path: path))
    } catch let error as DatabaseError where !error.isDamage {
      // Without write access to the folder, SQLite cannot read a log: the file must be complete without one.
      guard (size(path + "-wal") ?? 0) == 0 else { throw error }
      return try snapshot(.readImmutable)
    }
  }

  // MARK: - The log

  /// Checks the size of the log once a second until the read transaction has ended.
  func watchLog() {
    if logWatch != nil { return }
    let timer = DispatchSource.makeTimerSource(queue: columnQueue)
    timer.schedule(deadline: .now() + 1, repeating: 1, leeway: .milliseconds(200))
    timer.setEventHandler { [weak self] in self?.boundLog() }
    logWatch = timer
    timer.resume()
  }

  /// If the log exceeds its limit, copies the state that the store shows to a private database, and ends the transaction
  /// that kept it. SQLite holds the copy in its cache and, from a few MiB on, in a temporary file.
  ///
  /// The writer begins the log again with the first commit at which no reader has a transaction. A refresh therefore makes a
  /// copy, too: several readers that refresh all the time would otherwise leave it no such moment.
  func boundLog() {
    lock.withLock {
      guard database.isInTransaction, let size = Self.size(path + "-wal"), size > readerLogLimit
      else { return }
      do {
        let copy = try Database(path: Database.temporaryPath, .create)
        try database.copyAll(to: copy)
        replaceDatabase(copy)
        logWatch?.cancel()
        logWatch = nil
      } catch {
        // For example because the disk is full. A new attempt costs as much as this one.
        readerLogLimit = size * 2
      }
    }
  }
}

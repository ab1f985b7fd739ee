import Foundation
import StoreDatabase

// Operations on a whole file.

extension StoreFile {
  /// Writes the waiting commits, syncs the log to disk and runs a checkpoint.
  func flush(_ engine: StoreEngine) throws {
    if options.isReadOnly { return }
    try queue?.drain(self, engine)
    try withConnection {
      if let lostFile { throw lostFile }
      // A checkpoint alone does not always sync the log while another process reads.
      try FileSync.sync(path + "-wal")
      try database.execute("PRAGMA wal_checkpoint(PASSIVE)")
    }
    updateColumnFiles()
  }

  func compact(_ engine: StoreEngine, _ progress: FileProgress) throws {
    if options.isReadOnly { throw StoreError(.readOnlyStore(path: path)) }
    try queue?.drain(self, engine)
    try withConnection {
      if let lostFile { throw lostFile }
      statements = [:]
      catalogStatements = nil
      try watching(progress, 0..<0.9, stepsPerEntry: 4) { try database.execute("VACUUM") }
      try database.execute("PRAGMA wal_checkpoint(TRUNCATE)")
    }
  }

  func copy(to other: String, _ engine: StoreEngine, _ progress: FileProgress) throws {
    try queue?.drain(self, engine)
    try withConnection {
      try Self.createAtomically(other) { try copyDatabase(to: $0, progress, 0..<0.9) }
    }
  }

  /// Copies the database to a new file. Requires `lock`.
  private func copyDatabase(
    to path: String, _ progress: FileProgress, _ phase: Range<Double>
  ) throws {
    if database.isInTransaction {
      // A connection that only reads keeps its snapshot open, in which SQLite does not vacuum.
      return try database.copyAll(to: Database(path: path, .create))
    }
    let statement = try database.prepare("VACUUM INTO ?")
    statement.bindTextCopy(1, Array(path.utf8))
    try watching(progress, phase, stepsPerEntry: 4) { try statement.run() }
  }

  /// Writes a version of an in-memory store to a new file: first the file that the store was copied from, then the
  /// differences.
  ///
  /// - Parameter origin: The copy of the file that the store was opened with; nil if there is none.
  /// - Throws: `fileDamaged` and other errors of `origin`, because its unreadable rows would be missing.
  static func write(
    _ version: Version, _ tables: [FileTable], over origin: StoreFile?, to path: String,
    _ engine: StoreEngine, _ progress: FileProgress
  ) throws {
    if let damage = origin?.damage.first { throw damage }
    var options = FileOptions()
    options.schemaVersion = origin?.schemaVersion ?? 0
    try createAtomically(path) { unfinished in
      if let origin {
        try origin.withConnection { try origin.copyDatabase(to: unfinished, progress, 0..<0.5) }
      }
      do {
        let file = try open(path: unfinished, options)
        for table in tables { _ = file.register(table) }
        let changes = engine.allTables().compactMap { table in
          version.touched(table.index).flatMap { later in
            TableChange(table.layout, file.load(table.layout.name, table), later)
          }
        }
        // Comparing may have found more damage in the origin.
        if let damage = file.damage.first ?? origin?.damage.first { throw damage }
        try file.commit(changes, progress, origin == nil ? 0..<0.9 : 0.5..<0.9)
      }
      try FileManager.default.removeItem(atPath: unfinished + ".lock")
    }
  }

  /// Creates a file under a temporary name and renames it when it is complete.
  private static func createAtomically(_ path: String, _ body: (String) throws -> Void) throws {
    let manager = FileManager.default
    // A symbolic link counts as an existing file even if it is broken: no file can be moved to its path.
    guard (try? manager.attributesOfItem(atPath: path)) == nil else {
      throw StoreError(.fileFailed(path: path, reason: "the file already exists"))
    }
    let unfinished = path + ".unfinished"
    func clear() {
      for end in ["", "-journal", "-wal", "-shm", ".lock"] {
        try? manager.removeItem(atPath: unfinished + end)
      }
    }
    clear()
    do {
      try body(unfinished)
      try FileSync.sync(unfinished)
      try manager.moveItem(atPath: unfinished, toPath: path)
    } catch {
      clear()
      if isCancellation(error) { throw CancellationError() }
      if case .fileFailed(_, let reason)? = (error as? StoreError)?.kind {
        throw StoreError(.fileFailed(path: path, reason: reason))
      }
      throw StoreError(.fileFailed(path: path, reason: "\(error)"))
    }
  }

  /// Runs `body`, which uses the connection, while holding the lock. Converts errors to `StoreError` or
  /// `CancellationError`.
  private func withConnection(_ body: () throws -> Void) throws {
    try lock.withLock {
      if let closed { throw closed }
      do {
        try body()
      } catch {
        throw Self.isCancellation(error) ? CancellationError() : self.error(error)
      }
    }
  }

  private static func isCancellation(_ failure: any Error) -> Bool {
    failure is CancellationError || (failure as? DatabaseError)?.isInterruption ?? false
  }

  /// Runs `body`, in which SQLite visits everything in the file, and reports the progress. Requires `lock`.
  private func watching(
    _ progress: FileProgress, _ phase: Range<Double>, stepsPerEntry: Int, _ body: () throws -> Void
  ) throws {
    let interval = 1000
    try progress.begin(phase, stepCount: try entryCount() * stepsPerEntry / interval)
    try database.watching(every: Int32(interval), { progress.advance(by: 1) }, body)
  }

  /// Returns the approximate number of rows, elements and index entries.
  private func entryCount() throws -> Int {
    try catalog.classes.values.reduce(0) { count, entry in
      let indexes = entry.attributes.count { $0.isIndexed || $0.isPrimaryKey }
      return try count + entry.rowCount * (1 + indexes) + elementCount(of: entry)
    }
  }

  private func elementCount(of entry: FileClass) throws -> Int {
    try entry.attributes.filter(\.isCollection).reduce(0) { count, attribute in
      let statement = try database.prepare(
        "SELECT count(*) FROM \(FileNames.quoted(attribute.sqlName))")
      return try count + (statement.step() ? Int(statement.int64(0)) : 0)
    }
  }

  /// Checks the structure of the database and the checksums of all classes.
  func check(_ engine: StoreEngine, _ progress: FileProgress) throws {
    try queue?.drain(self, engine)
    try withConnection {
      try watching(progress, 0..<0.5, stepsPerEntry: 7) {
        try Self.verifyStructure(database)
      }
      let written = try FileCatalog(database)
      let classes = written.classes.values.sorted(byBytesOf: \.name)
      let stepCount = try classes.reduce(0) { try $0 + $1.rowCount + elementCount(of: $1) }
      try progress.begin(0.5..<1, stepCount: stepCount)
      for entry in classes { try FileCheck(database, entry, progress).run() }
    }
  }

  /// Deletes a file that is not open, and the files that belong to it.
  static func delete(_ path: String) throws(StoreError) {
    let manager = FileManager.default
    guard manager.fileExists(atPath: path) || manager.fileExists(atPath: path + ".lock") else {
      try? manager.removeItem(atPath: ColumnFile.folder(path))
      return
    }
    let lock = try takeLock(path)
    do {
      for end in ["-wal", "-shm", "", ".lock"] where manager.fileExists(atPath: path + end) {
        try manager.removeItem(atPath: path + end)
      }
    } catch {
      throw StoreError(.fileFailed(path: path, reason: "\(error)"))
    }
    try? manager.removeItem(atPath: ColumnFile.folder(path))
    withExtendedLifetime(lock) {}
  }
}

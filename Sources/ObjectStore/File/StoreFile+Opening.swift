import Foundation
import StoreDatabase

extension StoreFile {
  /// Opens a file, or creates it if there is none.
  static func open(path: String, _ options: FileOptions) throws(StoreError) -> StoreFile {
    try checkPath(path)
    if options.isReadOnly { return try openToRead(path, options) }
    try checkIsOnlyName(path)
    // A file that is not a database and was never a store must not be renamed.
    let wasStore = FileManager.default.fileExists(atPath: path + ".lock")
    let lock = try takeLock(path)
    if let damage = try missing(path, options, lock) {
      return try reopen(path, options, lock, after: damage)
    }
    do {
      return try open(path, options, lock, damage: [])
    } catch {
      let isDamaged = if case .fileDamaged = error.kind { true } else { false }
      if !wasStore {
        try? FileManager.default.removeItem(atPath: path + ".lock")
        throw isDamaged ? StoreError(.notAStore(path: path)) : error
      }
      guard case .fileDamaged(_, let details, _) = error.kind else { throw error }
      let damage = try setAside(path, details, options, lock)
      return try reopen(path, options, lock, after: damage)
    }
  }

  /// Opens a cache whose damaged file was set aside: it starts empty and records the damage.
  /// - Throws: The damage, if the store is not a cache.
  private static func reopen(
    _ path: String, _ options: FileOptions, _ lock: FileLock, after damage: StoreError
  ) throws(StoreError) -> StoreFile {
    guard options.isCache else { throw damage }
    return try open(path, options, lock, damage: [damage])
  }

  /// Returns the damage of a store whose content is missing: the file is empty, or was set aside and is still there. An
  /// empty store must not take its place. Returns nil if there is a file, or if the user removed it.
  /// - Throws: The damage, if the file is empty and is not renamed.
  private static func missing(
    _ path: String, _ options: FileOptions, _ lock: FileLock
  ) throws(StoreError) -> StoreError? {
    let size = size(path)
    if let size, size > 1 { return nil }
    switch lock.state {
    case .none: return nil
    case .intact, .damaged:
      if size == nil { return nil }
      return try setAside(path, "it is empty, but a store was created here", options, lock)
    case .setAside(let suffix, let details):
      guard FileManager.default.fileExists(atPath: path + suffix) else { return nil }
      // The process may have ended between two renames.
      try? move(path, to: path + suffix)
      return StoreError(.fileDamaged(path: path, details: details, setAside: path + suffix))
    }
  }

  private static func open(
    _ path: String, _ options: FileOptions, _ lock: FileLock, damage: [StoreError]
  ) throws(StoreError) -> StoreFile {
    do {
      // SQLite treats a file of one byte as empty and would overwrite it.
      if size(path) == 1 { throw StoreError(.notAStore(path: path)) }
      let database = try Database(path: path, .create)
      database.setBusyTimeout(milliseconds: 5000)
      var catalog = try prepare(database, path, options)
      if options.acceptsExternalEdits {
        catalog = try ExternallyChangedRows.accept(in: database, catalog)
      }
      switch lock.state {
      case .intact: break
      case .none: lock.state = .intact
      case .damaged, .setAside:
        // The file may have been replaced by a backup. Only the file itself shows whether it is damaged.
        try verify(database, catalog)
        lock.state = .intact
      }
      return StoreFile(
        path: path, options, database, lock, catalog, damage: damage)
    } catch {
      throw self.error(error, path)
    }
  }

  /// Returns the size of a file in bytes; nil if there is no file.
  static func size(_ path: String) -> Int? {
    let attributes = try? FileManager.default.attributesOfItem(atPath: path)
    return attributes?[.size] as? Int
  }

  /// Checks that a path is absolute. The path of a configuration always is, unless its URL is not a file URL.
  /// - Throws: `fileFailed`.
  static func checkPath(_ path: String) throws(StoreError) {
    guard path.hasPrefix("/") else {
      throw StoreError(.fileFailed(path: path, reason: "the URL of a store must be a file URL"))
    }
  }

  /// Checks that a path is not a folder and that the file has no other hard link. Each name of the file would have its
  /// own lock and log, and SQLite would lose commits.
  /// - Throws: `fileFailed`.
  private static func checkIsOnlyName(_ path: String) throws(StoreError) {
    let attributes = try? FileManager.default.attributesOfItem(atPath: path)
    if attributes?[.type] as? FileAttributeType == .typeDirectory {
      throw StoreError(.fileFailed(path: path, reason: "expected a file, found a folder"))
    }
    let count = attributes?[.referenceCount] as? Int ?? 1
    guard count <= 1 else {
      throw StoreError(
        .fileFailed(
          path: path,
          reason:
            "the file has \(count) names (hard links), and only a file with one can be written; "
            + "copy it, or open it with readOnly: true"))
    }
  }

  /// Configures the connection and reads the catalog, after creating it if the file is empty.
  private static func prepare(
    _ database: Database, _ path: String, _ options: FileOptions
  ) throws -> FileCatalog {
    let isEmpty = try number(database, "SELECT count(*) FROM sqlite_schema") == 0
    let application = try number(database, "PRAGMA application_id")
    if isEmpty, application == 0 {
      try database.execute("PRAGMA journal_mode = WAL")
      try database.execute(
        """
        BEGIN IMMEDIATE; PRAGMA application_id = \(FileCatalog.applicationID);
        PRAGMA user_version = \(FileCatalog.format); \(FileCatalog.tables)
        """)
      var catalog = FileCatalog()
      catalog.schemaVersion = options.schemaVersion
      try catalog.writeInfo(database)
      try database.execute("COMMIT")
    } else {
      try check(database, path, application)
      // Another tool may have changed the journal mode.
      try database.execute("PRAGMA journal_mode = WAL")
    }
    let mode = options.forcesCommits ? "FULL" : "NORMAL"
    try database.execute("PRAGMA synchronous = \(mode)")
    // In KiB. With less, a commit of many rows would spill into the log early.
    try database.execute("PRAGMA cache_size = -8192")
    // The next commit after a checkpoint truncates a log that a large commit made longer than this.
    try database.execute("PRAGMA journal_size_limit = 8388608")
    #if canImport(Darwin)
      try database.execute("PRAGMA fullfsync = \(options.forcesCommits ? 1 : 0)")
      try database.execute("PRAGMA checkpoint_fullfsync = 1")
    #endif
    do {
      let catalog = try FileCatalog(database)
      try checkSchemaVersion(catalog, path, options)
      return try FileUpgrade.run(database, catalog)
    } catch let error as DatabaseError where error.primaryCode == 1 {
      // The catalog lacks a table or a column.
      throw FileCatalog.Damage(details: error.description)
    }
  }

  /// - Throws: `schemaTooNew`.
  static func checkSchemaVersion(
    _ catalog: FileCatalog, _ path: String, _ options: FileOptions
  ) throws(StoreError) {
    guard catalog.schemaVersion > options.schemaVersion, !options.keepsSchemaVersion else { return }
    throw StoreError(
      .schemaTooNew(path: path, version: catalog.schemaVersion, known: options.schemaVersion))
  }

  /// - Throws: `notAStore`, `fileTooNew`.
  static func check(
    _ database: Database, _ path: String, _ application: Int64
  ) throws {
    let format = try number(database, "PRAGMA user_version")
    let isOurs = application == FileCatalog.applicationID
    if isOurs, (1...Int64(FileCatalog.format)).contains(format) { return }
    // The catalog also contains the format, protected by a digest. If the catalog is valid, bits of the header were
    // flipped.
    if (try? FileCatalog(database)) != nil {
      throw FileCatalog.Damage(details: "the header does not match the catalog")
    }
    guard isOurs else { throw StoreError(.notAStore(path: path)) }
    throw StoreError(
      .fileTooNew(path: path, format: Int(clamping: format), known: FileCatalog.format))
  }

  static func number(_ database: Database, _ sql: String) throws(DatabaseError) -> Int64 {
    let statement = try database.prepare(sql)
    return try statement.step() ? statement.int64(0) : 0
  }

  // MARK: - Damage

  /// Verifies the structure of a database and the checksums of all classes.
  private static func verify(_ database: Database, _ catalog: FileCatalog) throws {
    try verifyStructure(database)
    for entry in catalog.classes.values.sorted(byBytesOf: \.name) {
      try FileCheck(database, entry).run()
    }
  }

  /// - Throws: `DatabaseError`, `Damage`.
  static func verifyStructure(_ database: Database) throws {
    let statement = try database.prepare("PRAGMA integrity_check(1)")
    while try statement.step() {
      let found = statement.string(0)
      if found != "ok" { throw FileCatalog.Damage(details: found) }
    }
  }

  /// Renames a damaged file and the files that belong to it. Returns the damage as an error with the new name.
  /// - Throws: The damage without a new name, if the file cannot be renamed or `leavesDamagedFile` is set.
  private static func setAside(
    _ path: String, _ details: String, _ options: FileOptions, _ lock: FileLock
  ) throws(StoreError) -> StoreError {
    let damage = StoreError(.fileDamaged(path: path, details: details, setAside: nil))
    if options.leavesDamagedFile { throw damage }
    var number = 1
    var suffix = ".damaged"
    while FileManager.default.fileExists(atPath: path + suffix) {
      number += 1
      suffix = ".damaged-\(number)"
    }
    // Before the file is renamed: if the process ends in between, the next opening must not create an empty store.
    lock.state = .setAside(suffix: suffix, details: details)
    do {
      try move(path, to: path + suffix)
    } catch {
      lock.state = .damaged(details)
      throw damage
    }
    try? FileManager.default.removeItem(atPath: ColumnFile.folder(path))
    return StoreError(.fileDamaged(path: path, details: details, setAside: path + suffix))
  }

  /// Renames a file and its log, except those whose new names are in use.
  private static func move(_ path: String, to name: String) throws {
    let manager = FileManager.default
    for end in ["", "-wal", "-shm"]
    where manager.fileExists(atPath: path + end) && !manager.fileExists(atPath: name + end) {
      try manager.moveItem(atPath: path + end, toPath: name + end)
    }
  }
}

#if Files
  #if canImport(SQLite3)
    import SQLite3
  #endif
  #if canImport(Glibc)
    import Glibc
  #elseif canImport(Musl)
    import Musl
  #else
    import Darwin
  #endif
  import StoreSQLite

  /// A connection to a SQLite database.
  ///
  /// Not thread-safe: the owner ensures that one thread at a time uses it.
  package final class Database {
    package enum Access: Sendable {
      /// Reads and writes. Creates a file if there is none.
      case create
      /// Reads while other connections may write.
      case read
      /// Reads a file that does not change. No file is created next to it.
      case readImmutable
    }

    /// The path of a new, empty database that only its connection can use. Its pages are in memory and, if they need
    /// much space, in a temporary file.
    package static let temporaryPath = ""

    private var connection: OpaquePointer?
    /// The path of a database that is only read; nil for others.
    private let readPath: String?

    /// - Throws: SQLite's error. SQLite does not read the file until the first statement needs it.
    package init(path: String, _ access: Access) throws(DatabaseError) {
      var name = path
      var flags = SQLITE_OPEN_NOMUTEX | SQLITE_OPEN_EXRESCODE
      switch access {
      case .create: flags |= SQLITE_OPEN_READWRITE | SQLITE_OPEN_CREATE
      case .read: flags |= SQLITE_OPEN_READONLY
      case .readImmutable:
        flags |= SQLITE_OPEN_READONLY | SQLITE_OPEN_URI
        name = "file:" + Self.escaped(path) + "?immutable=1"
      }
      var opened: OpaquePointer?
      let code = sqlite3_open_v2(name, &opened, flags, nil)
      guard code == SQLITE_OK, let opened else {
        let message = opened == nil ? sqlite3_errstr(code) : sqlite3_errmsg(opened)
        let error = DatabaseError(
          code: code, message: message.map { String(cString: $0) } ?? "",
          systemCode: Self.systemCode(code, opened))
        sqlite3_close_v2(opened)
        throw error
      }
      connection = opened
      readPath = access == .read ? path : nil
      // Triggers notice external changes.
      _ = store_disable_triggers(opened)
    }

    deinit {
      close()
    }

    /// Closes the connection, which cannot be used afterwards. All statements must have been released.
    package func close() {
      guard let connection else { return }
      sqlite3_close_v2(connection)
      self.connection = nil
      if let readPath { Self.removeEmptyLog(readPath) }
    }

    /// Removes the files of an empty log, which a connection that reads creates, but only one that writes can remove. The last
    /// connection to a database removes them when it closes, under a lock that excludes all others.
    private static func removeEmptyLog(_ path: String) {
      var log = stat()
      guard stat(path + "-wal", &log) == 0, log.st_size == 0 else { return }
      var opened: OpaquePointer?
      if sqlite3_open_v2(path, &opened, SQLITE_OPEN_NOMUTEX | SQLITE_OPEN_READWRITE, nil)
        == SQLITE_OK
      {
        // A connection that has read nothing does not know the log.
        sqlite3_exec(opened, "SELECT 1 FROM sqlite_schema LIMIT 1", nil, nil, nil)
      }
      sqlite3_close_v2(opened)
    }

    /// Escapes a path for a URI (sqlite.org/uri.html).
    private static func escaped(_ path: String) -> String {
      var text = ""
      for byte in path.utf8 {
        let isPlain = byte > 0x20 && byte < 0x7F && byte != 0x25 && byte != 0x3F && byte != 0x23
        let digits = String(byte, radix: 16)
        text +=
          isPlain
          ? String(UnicodeScalar(byte)) : "%" + (digits.utf8.count == 1 ? "0" : "") + digits
      }
      return text
    }

    /// Runs statements that return no rows or whose rows are ignored.
    package func execute(_ sql: String) throws(DatabaseError) {
      try check(sqlite3_exec(connection, sql, nil, nil, nil))
    }

    /// Prepares a statement that may be run many times.
    package func prepare(_ sql: String) throws(DatabaseError) -> Statement {
      var statement: OpaquePointer?
      try check(
        sqlite3_prepare_v3(
          connection, sql, -1, UInt32(SQLITE_PREPARE_PERSISTENT), &statement, nil))
      guard let statement else {
        throw DatabaseError(code: SQLITE_MISUSE, message: "no statement in '\(sql)'")
      }
      return Statement(statement, of: self)
    }

    /// Runs `body` and calls `shouldContinue` every `stepCount` instructions of SQLite. If it returns false, the running
    /// statement ends with an error for which ``DatabaseError/isInterruption`` is true.
    package func watching<R>(
      every stepCount: Int32, _ shouldContinue: () -> Bool, _ body: () throws -> R
    ) rethrows -> R {
      try withoutActuallyEscaping(shouldContinue) { shouldContinue in
        let watch = Watch(shouldContinue)
        sqlite3_progress_handler(
          connection, stepCount,
          { watch in
            guard let watch else { return 0 }
            return Unmanaged<Watch>.fromOpaque(watch).takeUnretainedValue().shouldContinue() ? 0 : 1
          }, Unmanaged.passUnretained(watch).toOpaque())
        defer {
          sqlite3_progress_handler(connection, 0, nil, nil)
          withExtendedLifetime(watch) {}
        }
        return try body()
      }
    }

    private final class Watch {
      let shouldContinue: () -> Bool

      init(_ shouldContinue: @escaping () -> Bool) {
        self.shouldContinue = shouldContinue
      }
    }

    /// Copies the whole content that this connection sees to another database.
    package func copyAll(to other: Database) throws(DatabaseError) {
      guard let copy = sqlite3_backup_init(other.connection, "main", connection, "main") else {
        throw other.error(sqlite3_errcode(other.connection))
      }
      let code = sqlite3_backup_step(copy, -1)
      sqlite3_backup_finish(copy)
      if code != SQLITE_DONE { throw other.error(code) }
    }

    /// The number of rows that this connection has inserted, updated and deleted since it was opened.
    package var changedRowCount: Int { Int(sqlite3_total_changes64(connection)) }

    /// True if a transaction is open.
    package var isInTransaction: Bool { sqlite3_get_autocommit(connection) == 0 }

    /// True if the file is no longer where it was opened: it was removed, renamed or replaced.
    package var hasMoved: Bool {
      var hasMoved: Int32 = 0
      let code = sqlite3_file_control(connection, "main", SQLITE_FCNTL_HAS_MOVED, &hasMoved)
      return code == SQLITE_OK && hasMoved != 0
    }

    /// Sets the time to wait for other connections that have locked the file.
    package func setBusyTimeout(milliseconds: Int32) {
      sqlite3_busy_timeout(connection, milliseconds)
    }

    func check(_ code: Int32) throws(DatabaseError) {
      if code != SQLITE_OK { throw error(code) }
    }

    func error(_ code: Int32) -> DatabaseError {
      DatabaseError(
        code: code, message: String(cString: sqlite3_errmsg(connection)),
        systemCode: Self.systemCode(code, connection))
    }

    /// Returns the system's error number of the last failure, which SQLite keeps for some codes only.
    private static func systemCode(_ code: Int32, _ connection: OpaquePointer?) -> Int32 {
      let hasNumber = code & 0xFF == SQLITE_IOERR || code & 0xFF == SQLITE_CANTOPEN
      return hasNumber && connection != nil ? sqlite3_system_errno(connection) : 0
    }
  }
#endif

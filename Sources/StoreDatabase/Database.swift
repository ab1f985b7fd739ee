#if Files
  #if canImport(SQLite3)
    import SQLite3
  #else
    import StoreSQLite
  #endif

  /// A connection to a SQLite database.
  ///
  /// Used by one thread at a time; its owner sees to that.
  package final class Database {
    package enum Access: Sendable {
      /// Reads and writes; makes a file where none is.
      case create
      /// Reads, beside others who write.
      case read
      /// Reads a file that nobody can write: nothing is made beside it.
      case readImmutable
    }

    private var connection: OpaquePointer?

    /// - Throws: what SQLite says. It looks into the file only when asked something.
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
        let error = DatabaseError(code: code, message: message.map { String(cString: $0) } ?? "")
        sqlite3_close_v2(opened)
        throw error
      }
      connection = opened
    }

    deinit {
      close()
    }

    /// Ends the connection; statements of it must be gone. Nothing can be asked of it then.
    package func close() {
      sqlite3_close_v2(connection)
      connection = nil
    }

    /// A path as a URI has it (sqlite.org/uri.html).
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

    /// Runs statements that give no rows, or whose rows do not matter.
    package func execute(_ sql: String) throws(DatabaseError) {
      try check(sqlite3_exec(connection, sql, nil, nil, nil))
    }

    /// A statement to be run often.
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

    /// Runs `body`; every `stepCount` instructions of SQLite `goesOn` is asked, and where it says no, what runs
    /// ends with an error that ``DatabaseError/isInterruption`` tells.
    package func watching<R>(
      every stepCount: Int32, _ goesOn: () -> Bool, _ body: () throws -> R
    ) rethrows -> R {
      try withoutActuallyEscaping(goesOn) { goesOn in
        let watch = Watch(goesOn)
        sqlite3_progress_handler(
          connection, stepCount,
          { watch in
            guard let watch else { return 0 }
            return Unmanaged<Watch>.fromOpaque(watch).takeUnretainedValue().goesOn() ? 0 : 1
          }, Unmanaged.passUnretained(watch).toOpaque())
        defer {
          sqlite3_progress_handler(connection, 0, nil, nil)
          withExtendedLifetime(watch) {}
        }
        return try body()
      }
    }

    private final class Watch {
      let goesOn: () -> Bool

      init(_ goesOn: @escaping () -> Bool) {
        self.goesOn = goesOn
      }
    }

    /// Puts all that this database holds, as it shows it, into another one.
    package func copyAll(to other: Database) throws(DatabaseError) {
      guard let copy = sqlite3_backup_init(other.connection, "main", connection, "main") else {
        throw other.error(sqlite3_errcode(other.connection))
      }
      let code = sqlite3_backup_step(copy, -1)
      sqlite3_backup_finish(copy)
      if code != SQLITE_DONE { throw other.error(code) }
    }

    /// The rows that this connection has inserted, updated and deleted since it was opened.
    package var changedRowCount: Int { Int(sqlite3_total_changes64(connection)) }

    /// Whether a transaction is open.
    package var isInTransaction: Bool { sqlite3_get_autocommit(connection) == 0 }

    /// Whether the file is not any more where it was opened: removed, renamed or replaced.
    package var hasMoved: Bool {
      var hasMoved: Int32 = 0
      let code = sqlite3_file_control(connection, "main", SQLITE_FCNTL_HAS_MOVED, &hasMoved)
      return code == SQLITE_OK && hasMoved != 0
    }

    /// Waits this long for others who hold the file.
    package func setBusyTimeout(milliseconds: Int32) {
      sqlite3_busy_timeout(connection, milliseconds)
    }

    func check(_ code: Int32) throws(DatabaseError) {
      if code != SQLITE_OK { throw error(code) }
    }

    func error(_ code: Int32) -> DatabaseError {
      DatabaseError(code: code, message: String(cString: sqlite3_errmsg(connection)))
    }
  }
#endif

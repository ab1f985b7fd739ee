#if Files
  #if canImport(SQLite3)
    import SQLite3
  #else
    import StoreSQLite
  #endif

  /// A prepared statement of a ``Database``. Parameters are numbered from 1, columns from 0.
  ///
  /// A bound value must live until the statement has run, unless it is copied. The bytes of a column are valid until
  /// the next step.
  package final class Statement {
    private let statement: OpaquePointer
    /// The connection, which must outlive the statement.
    private let database: Database

    init(_ statement: OpaquePointer, of database: Database) {
      self.statement = statement
      self.database = database
    }

    deinit {
      sqlite3_finalize(statement)
    }

    // MARK: - Parameters

    package func bindNull(_ parameter: Int) {
      sqlite3_bind_null(statement, Int32(parameter))
    }

    package func bind(_ parameter: Int, _ value: Int64) {
      sqlite3_bind_int64(statement, Int32(parameter), value)
    }

    package func bindReal(_ parameter: Int, _ value: Double) {
      sqlite3_bind_double(statement, Int32(parameter), value)
    }

    /// Binds UTF-8.
    package func bindText(_ parameter: Int, _ bytes: UnsafeRawBufferPointer) {
      // An empty buffer may have no address, which SQLite would bind as null.
      let start = bytes.baseAddress ?? UnsafeRawPointer(bitPattern: 1)
      sqlite3_bind_text64(
        statement, Int32(parameter), start?.assumingMemoryBound(to: CChar.self),
        UInt64(bytes.count), nil, UInt8(SQLITE_UTF8))
    }

    /// Binds UTF-8 that SQLite copies.
    package func bindTextCopy(_ parameter: Int, _ bytes: [UInt8]) {
      bytes.withUnsafeBytes { bindTextCopy(parameter, $0) }
    }

    package func bindTextCopy(_ parameter: Int, _ bytes: UnsafeRawBufferPointer) {
      let start = bytes.baseAddress ?? UnsafeRawPointer(bitPattern: 1)
      sqlite3_bind_text64(
        statement, Int32(parameter), start?.assumingMemoryBound(to: CChar.self),
        UInt64(bytes.count), unsafeBitCast(-1, to: sqlite3_destructor_type.self),
        UInt8(SQLITE_UTF8))
    }

    package func bindBlob(_ parameter: Int, _ bytes: UnsafeRawBufferPointer) {
      if bytes.isEmpty {
        sqlite3_bind_zeroblob(statement, Int32(parameter), 0)
      } else {
        sqlite3_bind_blob64(
          statement, Int32(parameter), bytes.baseAddress, UInt64(bytes.count), nil)
      }
    }

    /// Binds bytes that SQLite copies.
    package func bindBlobCopy(_ parameter: Int, _ bytes: UnsafeRawBufferPointer) {
      sqlite3_bind_blob64(
        statement, Int32(parameter), bytes.baseAddress, UInt64(bytes.count),
        unsafeBitCast(-1, to: sqlite3_destructor_type.self))
    }

    // MARK: - Running

    /// Advances to the next row. Returns false if there is none.
    package func step() throws(DatabaseError) -> Bool {
      let code = sqlite3_step(statement)
      if code == SQLITE_ROW { return true }
      if code == SQLITE_DONE { return false }
      let error = database.error(code)
      sqlite3_reset(statement)
      throw error
    }

    /// Runs the statement to its end and resets it. Parameters stay bound.
    package func run() throws(DatabaseError) {
      while try step() {}
      sqlite3_reset(statement)
    }

    /// Sets all parameters to null, which frees copies of their values.
    package func clearBindings() {
      sqlite3_clear_bindings(statement)
    }

    /// Resets the statement so that it can run again.
    package func reset() {
      sqlite3_reset(statement)
    }

    // MARK: - Columns

    package enum ValueType: Sendable {
      case null, integer, real, text, blob
    }

    package func type(_ column: Int) -> ValueType {
      switch sqlite3_column_type(statement, Int32(column)) {
      case SQLITE_INTEGER: .integer
      case SQLITE_FLOAT: .real
      case SQLITE_TEXT: .text
      case SQLITE_BLOB: .blob
      default: .null
      }
    }

    package func int64(_ column: Int) -> Int64 { sqlite3_column_int64(statement, Int32(column)) }

    package func double(_ column: Int) -> Double { sqlite3_column_double(statement, Int32(column)) }

    /// The bytes of a TEXT or BLOB value.
    package func bytes(_ column: Int) -> UnsafeRawBufferPointer {
      // In this order: reading the bytes may convert them, and that changes their number.
      let start = sqlite3_column_blob(statement, Int32(column))
      let count = Int(sqlite3_column_bytes(statement, Int32(column)))
      return UnsafeRawBufferPointer(start: start, count: start == nil ? 0 : count)
    }

    /// A TEXT value, in which invalid UTF-8 is replaced by U+FFFD.
    package func string(_ column: Int) -> String { String(decoding: bytes(column), as: UTF8.self) }
  }
#endif

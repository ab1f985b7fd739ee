import Foundation

#if canImport(SQLite3)
  import SQLite3
#else
  import StoreSQLite
#endif

/// Accesses a closed database as another tool would.
enum EditedFile {
  struct Failure: Error {
    let message: String
  }

  static func execute(_ sql: String, in url: URL) throws {
    var connection: OpaquePointer?
    defer { sqlite3_close(connection) }
    guard sqlite3_open(url.path, &connection) == SQLITE_OK,
      sqlite3_exec(connection, sql, nil, nil, nil) == SQLITE_OK
    else { throw Failure(message: String(cString: sqlite3_errmsg(connection))) }
  }

  /// The first column of a query's rows as strings.
  static func texts(_ sql: String, in url: URL) throws -> [String] {
    var (connection, statement): (OpaquePointer?, OpaquePointer?)
    defer {
      sqlite3_finalize(statement)
      sqlite3_close_v2(connection)
    }
    guard sqlite3_open(url.path, &connection) == SQLITE_OK,
      sqlite3_prepare_v2(connection, sql, -1, &statement, nil) == SQLITE_OK
    else { throw Failure(message: String(cString: sqlite3_errmsg(connection))) }
    var texts: [String] = []
    while sqlite3_step(statement) == SQLITE_ROW {
      texts.append(sqlite3_column_text(statement, 0).map { String(cString: $0) } ?? "")
    }
    return texts
  }
}

import Foundation

#if canImport(SQLite3)
  import SQLite3
#else
  import StoreSQLite
#endif

/// What another tool does to a database that nobody has open.
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
}

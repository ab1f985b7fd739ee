#if canImport(SystemSQLite)
  import SystemSQLite
#elseif canImport(SQLite3)
  import SQLite3
#endif

/// Text search in SQLite: a table of the full-text extension FTS5, in memory.
extension SQLiteBaseline {
  private static func insertNotes(_ texts: [String]) throws -> BookDatabase {
    let database = try BookDatabase()
    try database.execute("CREATE VIRTUAL TABLE note USING fts5(text)")
    try database.transaction {
      let insert = try database.prepare("INSERT INTO note(rowid, text) VALUES(?2, ?1)")
      for (id, text) in texts.enumerated() {
        sqlite3_bind_int64(insert.handle, 2, Int64(id))
        _ = try insert.sumOfKeys(of: text)
      }
    }
    return database
  }

  /// Finds the keys of the notes that contain words, with one prepared statement.
  static func search(_ workload: Workload) throws -> Side {
    let database = try insertNotes(workload.wordyTexts.texts)
    let searches = workload.wordyTexts.searches
    return Side(operationCount: searches.count) { watch in
      let sum = try watch.time {
        let select = try database.prepare("SELECT rowid FROM note WHERE text MATCH ?1")
        var sum = 0
        for search in searches { sum &+= try select.sumOfKeys(of: search) }
        return sum
      }
      watch.check(sum)
    }
  }

  /// Inserts every note into an empty table.
  static func insertSearchable(_ workload: Workload) -> Side {
    let texts = workload.wordyTexts.texts
    return Side(operationCount: texts.count) { watch in
      try watch.time {
        try insertNotes(texts)
      } checking: {
        try $0.integer("SELECT count(*) FROM note")
      }
    }
  }
}

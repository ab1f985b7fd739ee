#if canImport(SystemSQLite)
  import SystemSQLite
#elseif canImport(SQLite3)
  import SQLite3
#endif

/// Aggregates and sorting in SQLite, in memory.
extension SQLiteBaseline {
  /// Adds up the publisher numbers.
  static func sum(_ workload: Workload) throws -> Side {
    let database = try BookDatabase(holding: BookRows(workload.books))
    return Side(operationCount: 1) { watch in
      watch.check(try watch.time { try database.integer("SELECT sum(publisher) FROM book") })
    }
  }

  /// Finds the keys of the ten cheapest books.
  static func firstByPrice(_ workload: Workload) throws -> Side {
    try keys(workload, "SELECT id FROM book ORDER BY price, id LIMIT 10")
  }

  /// Lists the keys of all books, sorted by title.
  static func sortByTitle(_ workload: Workload) throws -> Side {
    try keys(workload, "SELECT id FROM book ORDER BY title, id")
  }

  private static func keys(_ workload: Workload, _ sql: String) throws -> Side {
    let database = try BookDatabase(holding: BookRows(workload.books))
    return Side(operationCount: 1) { watch in
      let keys = try watch.time {
        let select = try database.prepare(sql)
        var keys: [Int] = []
        while try select.step() { keys.append(Int(sqlite3_column_int64(select.handle, 0))) }
        return keys
      }
      watch.check(keys.orderedDigest)
    }
  }

  /// Finds the book with the smallest publisher number and sets it to one above all others, a hundred times in one
  /// transaction.
  static func takeFirst(_ workload: Workload) throws -> Side {
    let database = try BookDatabase(holding: BookRows(workload.books), indexed: true)
    return Side(operationCount: Workload.takenCount) { watch in
      try database.execute("BEGIN")
      let keys = try watch.time {
        let select = try database.prepare("SELECT id FROM book ORDER BY publisher, id LIMIT 1")
        let update = try database.prepare("UPDATE book SET publisher = ?1 WHERE id = ?2")
        return try (0..<Workload.takenCount).map { turn in
          let id = try select.sumOfKeys()
          sqlite3_bind_int64(update.handle, 1, Int64(publisherCount + turn + 1))
          sqlite3_bind_int64(update.handle, 2, Int64(id))
          try update.stepToEnd()
          return id
        }
      }
      try database.execute("ROLLBACK")
      watch.check(keys.orderedDigest)
    }
  }
}

import Foundation

#if canImport(SystemSQLite)
  import SystemSQLite
#elseif canImport(SQLite3)
  import SQLite3
#endif

/// The same operations in a SQLite file in WAL mode: the C interface with prepared statements.
enum SQLiteFileBaseline {
  private static func path(_ folder: ScratchFolder) -> String {
    folder.url.appending(path: "baseline.sqlite").path(percentEncoded: false)
  }

  /// Changes the price of one book per transaction.
  static func commit(_ workload: Workload, synchronous: String) throws -> Side {
    let folder = try ScratchFolder()
    let database = try BookDatabase(path: path(folder), synchronous: synchronous)
    try database.run(insertSQL, for: BookRows(workload.books), priceOffset: 0)
    let keys = workload.shuffledBookKeys.prefix(200)
    let update = try database.prepare("UPDATE book SET price = ? WHERE id = ?")
    var turn = 0
    return Side(operationCount: keys.count) { watch in
      turn += 1
      let price = -Double(turn)
      try watch.time {
        for key in keys {
          sqlite3_bind_double(update.handle, 1, price)
          sqlite3_bind_int64(update.handle, 2, Int64(key))
          try update.stepToEnd()
        }
      }
      watch.check(
        try database.integer("SELECT count(*) FROM book WHERE price = \(price)"),
        expected: keys.count)
      withExtendedLifetime(folder) {}
    }
  }

  /// Opens the file and reads a price by key.
  static func open(_ workload: Workload) throws -> Side {
    let folder = try ScratchFolder()
    try BookDatabase(path: path(folder))
      .run(insertSQL, for: BookRows(workload.books), priceOffset: 0)
    let key = workload.books[workload.books.count / 2].id
    return Side(operationCount: 1) { watch in
      try watch.time {
        let database = try BookDatabase(path: path(folder))
        return (
          database,
          try database.integer("SELECT CAST(price AS INTEGER) FROM book WHERE id = \(key)")
        )
      } checking: {
        $1
      }
    }
  }

  /// Opens the file and reads a key by its indexed ISBN.
  static func openIndexed(_ workload: Workload) throws -> Side {
    let folder = try ScratchFolder()
    try BookDatabase(indexed: true, path: path(folder))
      .run(insertSQL, for: BookRows(workload.books), priceOffset: 0)
    let isbn = workload.books[workload.books.count / 2].isbn
    return Side(operationCount: 1) { watch in
      try watch.time {
        let database = try BookDatabase(path: path(folder))
        return (database, try database.integer("SELECT id FROM book WHERE isbn = '\(isbn)'"))
      } checking: {
        $1
      }
    }
  }

  /// Reads the prices of all books again after each commit of another connection.
  static func readsAgain(_ workload: Workload) throws -> Side {
    let folder = try ScratchFolder()
    let writer = try BookDatabase(path: path(folder))
    try writer.run(insertSQL, for: BookRows(workload.books), priceOffset: 0)
    let reader = try BookDatabase(path: path(folder))
    let update = try writer.prepare("UPDATE book SET price = ? WHERE id = ?")
    let keys = workload.shuffledBookKeys.prefix(20)
    var price = 0.0
    return Side(operationCount: keys.count) { watch in
      price -= 1
      for key in keys {
        sqlite3_bind_double(update.handle, 1, price)
        sqlite3_bind_int64(update.handle, 2, Int64(key))
        try update.stepToEnd()
        try watch.time { _ = try reader.integer("SELECT CAST(sum(price) AS INTEGER) FROM book") }
      }
      withExtendedLifetime(folder) {}
    }
  }

  /// The size in bytes of a closed file.
  static func size(_ workload: Workload) throws -> Side {
    let folder = try ScratchFolder()
    try BookDatabase(path: path(folder))
      .run(insertSQL, for: BookRows(workload.books), priceOffset: 0)
    let size = try Data(contentsOf: URL(filePath: path(folder))).count
    return Side(operationCount: workload.books.count) { $0.charge(Double(size)) }
  }

  /// Decodes JSON to structs and stores these in a table, nested objects in columns of the same row.
  static func decode(_ workload: Workload) throws -> Side {
    let data = workload.userList()
    return Side(operationCount: workload.sizes.users) { watch in
      let folder = try ScratchFolder()
      try watch.time {
        let database = try UserDatabase(path: path(folder))
        let users = try JSONDecoder().decode([User].self, from: data)
        try database.upsert(users)
        return users.count
      } checking: {
        $0
      }
    }
  }
}

/// A database file with one table of users.
private final class UserDatabase {
  private let database: BookDatabase

  private static let columns = [
    "id", "uuid", "username", "email", "first_name", "last_name", "created_at", "updated_at", "bio",
    "avatar_url", "street", "city", "zip", "country", "company", "title", "tags", "is_active",
    "score", "balance", "follower_count", "lat", "lng", "remote",
  ]

  init(path: String) throws {
    database = try BookDatabase(path: path)
    let names = Self.columns.dropFirst().joined(separator: ", ")
    try database.execute("CREATE TABLE user (id INTEGER PRIMARY KEY, \(names))")
  }

  func upsert(_ users: [User]) throws {
    let names = Self.columns.joined(separator: ", ")
    let parameters = Self.columns.map { _ in "?" }.joined(separator: ", ")
    let sets = Self.columns.dropFirst().map { "\($0) = excluded.\($0)" }
      .joined(separator: ", ")
    let statement = try database.prepare(
      "INSERT INTO user (\(names)) VALUES (\(parameters)) ON CONFLICT (id) DO UPDATE SET \(sets)")
    // SQLITE_TRANSIENT, a cast that Swift does not import.
    let copied = unsafeBitCast(-1, to: sqlite3_destructor_type.self)
    let handle = statement.handle
    try database.transaction {
      for user in users {
        sqlite3_bind_int64(handle, 1, Int64(user.id))
        let texts: [String?] = [
          user.uuid, user.username, user.email, user.first_name, user.last_name, user.created_at,
          user.updated_at, user.bio, user.avatar_url, user.address.street, user.address.city,
          user.address.zip, user.address.country, user.company?.name, user.company?.title,
          user.tags.joined(separator: ","),
        ]
        for (index, text) in texts.enumerated() {
          if let text {
            sqlite3_bind_text(handle, Int32(index + 2), text, Int32(text.utf8.count), copied)
          } else {
            sqlite3_bind_null(handle, Int32(index + 2))
          }
        }
        sqlite3_bind_int64(handle, 18, user.is_active ? 1 : 0)
        sqlite3_bind_double(handle, 19, user.score)
        sqlite3_bind_double(handle, 20, user.balance)
        sqlite3_bind_int64(handle, 21, Int64(user.follower_count))
        sqlite3_bind_double(handle, 22, user.address.geo.lat)
        sqlite3_bind_double(handle, 23, user.address.geo.lng)
        sqlite3_bind_int64(handle, 24, user.company?.remote ?? false ? 1 : 0)
        try statement.stepToEnd()
      }
    }
  }
}

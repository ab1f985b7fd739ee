#if canImport(SystemSQLite)
  import SystemSQLite
#elseif canImport(SQLite3)
  import SQLite3
#endif

/// The same rows in SQLite: the C interface, in memory, with prepared statements, one transaction and typed columns,
/// and without indexes other than the primary key unless stated.
///
/// Strings are bound without copying, from one buffer prepared beforehand, and values are read with the cheapest call,
/// so that this measures the C library and not a wrapper. Rows whose cost includes making the stored values bind Swift
/// strings instead, which SQLite copies.
enum SQLiteBaseline {
  /// Inserts into an empty table; with `indexed`, the table has an index on ISBN and one on publisher.
  static func insert(_ workload: Workload, indexed: Bool = false) -> Side {
    let rows = BookRows(workload.books)
    return Side(operationCount: rows.count) { watch in
      try watch.time {
        let database = try BookDatabase(indexed: indexed)
        try database.run(insertSQL, for: rows, priceOffset: 0)
        return database
      } checking: {
        try $0.bookCount
      }
    }
  }

  /// Inserts books with Swift strings.
  static func insertStrings(_ workload: Workload) -> Side {
    let books = workload.books
    return Side(operationCount: books.count) { watch in
      try watch.time {
        let database = try BookDatabase()
        try database.run(insertSQL, for: books, priceOffset: 0)
        return database
      } checking: {
        try $0.bookCount
      }
    }
  }

  /// Upserts existing rows; with `changing`, each gets a new price.
  ///
  /// A condition that prevents SQLite from writing equal rows was tried: comparing the ten columns costs more than
  /// writing them (1.6 µs against 1.4 µs per row).
  static func upsert(_ workload: Workload, changing: Bool) throws -> Side {
    let rows = BookRows(workload.books)
    let database = try BookDatabase(holding: rows)
    var revision = 0
    return Side(operationCount: rows.count) { watch in
      if changing { revision += 1 }
      try watch.time { try database.run(upsertSQL, for: rows, priceOffset: Double(revision)) }
      watch.check(try database.bookCount)
    }
  }

  /// Upserts books with Swift strings, each with a new price.
  static func upsertStrings(_ workload: Workload) throws -> Side {
    let books = workload.books
    let database = try BookDatabase(holding: BookRows(books))
    var revision = 0
    return Side(operationCount: books.count) { watch in
      revision += 1
      try watch.time { try database.run(upsertSQL, for: books, priceOffset: Double(revision)) }
      watch.check(try database.bookCount)
    }
  }

  /// Sets price and availability by key, with the keys in random order.
  static func updateTwoAttributes(_ workload: Workload) throws -> Side {
    let database = try BookDatabase(holding: BookRows(workload.books))
    let keys = workload.shuffledBookKeys
    var revision = 0
    return Side(operationCount: keys.count) { watch in
      revision += 1
      try watch.time {
        try database.transaction {
          let update = try database.prepare("UPDATE book SET price = ?, available = ? WHERE id = ?")
          for key in keys {
            sqlite3_bind_double(update.handle, 1, Book.price(of: key, revision: revision))
            sqlite3_bind_int64(update.handle, 2, Book.isAvailable(key, revision: revision) ? 1 : 0)
            sqlite3_bind_int64(update.handle, 3, Int64(key))
            try update.stepToEnd()
          }
        }
      }
      watch.check(try database.integer("SELECT sum(price) FROM book WHERE available"))
    }
  }

  /// Reads the price by key, with the keys in random order.
  static func lookup(_ workload: Workload) throws -> Side {
    let database = try BookDatabase(holding: BookRows(workload.books))
    let keys = workload.shuffledBookKeys
    return Side(operationCount: keys.count) { watch in
      let sum = try watch.time {
        let select = try database.prepare("SELECT price FROM book WHERE id = ?")
        var sum = 0.0
        for key in keys {
          sqlite3_bind_int64(select.handle, 1, Int64(key))
          guard try select.step() else { continue }
          sum += sqlite3_column_double(select.handle, 0)
          sqlite3_reset(select.handle)
        }
        return sum
      }
      blackHole(sum)
    }
  }

  /// Finds the keys of the books with a price of 20 to 30, a tenth of all; one operation is the whole scan.
  static func filter(_ workload: Workload) throws -> Side {
    let database = try BookDatabase(holding: BookRows(workload.books))
    return Side(operationCount: 1) { watch in
      let keys = try watch.time {
        let select = try database.prepare("SELECT id FROM book WHERE price >= 20 AND price < 30")
        var keys: [Int] = []
        while try select.step() { keys.append(Int(sqlite3_column_int64(select.handle, 0))) }
        return keys
      }
      watch.check(keys.reduce(0, &+))
    }
  }

  /// Finds the key of the book with a given title.
  static func filterText(_ workload: Workload) throws -> Side {
    let database = try BookDatabase(holding: BookRows(workload.books))
    let title = workload.books[workload.books.count / 2].title
    return Side(operationCount: 1) { watch in
      let sum = try watch.time {
        try database.prepare("SELECT id FROM book WHERE title = ?1").sumOfKeys(of: title)
      }
      watch.check(sum)
    }
  }

  /// Finds the keys of books by their indexed ISBN, with one prepared statement.
  static func findByIndex(_ workload: Workload) throws -> Side {
    let database = try BookDatabase(holding: BookRows(workload.books), indexed: true)
    let isbns = workload.someISBNs
    return Side(operationCount: isbns.count) { watch in
      let sum = try watch.time {
        let select = try database.prepare("SELECT id FROM book WHERE isbn = ?1")
        var sum = 0
        for isbn in isbns { sum &+= try select.sumOfKeys(of: isbn) }
        return sum
      }
      watch.check(sum)
    }
  }

  /// Finds the keys of the ten books with the lowest ISBNs.
  static func sortByIndex(_ workload: Workload) throws -> Side {
    let database = try BookDatabase(holding: BookRows(workload.books), indexed: true)
    return Side(operationCount: 1) { watch in
      let sum = try watch.time {
        try database.prepare("SELECT id FROM book ORDER BY isbn, id LIMIT 10").sumOfKeys()
      }
      watch.check(sum)
    }
  }

  /// Finds the keys of the twenty cheapest books in one language.
  static func findBySeveral(_ workload: Workload) throws -> Side {
    let database = try BookDatabase(holding: BookRows(workload.books))
    try database.execute("CREATE INDEX book_shelf ON book(language, price)")
    let language = workload.books[0].language
    return Side(operationCount: 1) { watch in
      let sum = try watch.time {
        try database.prepare(
          "SELECT id FROM book WHERE language = ?1 ORDER BY price, id LIMIT 20"
        ).sumOfKeys(of: language)
      }
      watch.check(sum)
    }
  }

  /// Bytes of memory per row.
  static func memory(_ workload: Workload) -> Side {
    let rows = BookRows(workload.books)
    return Side(operationCount: rows.count) { watch in
      let before = sqlite3_memory_used()
      let database = try BookDatabase(holding: rows)
      watch.charge(Double(sqlite3_memory_used() - before))
      blackHole(database)
    }
  }
}

let insertSQL = """
  INSERT INTO book(id, title, subtitle, isbn, language, summary, price, rating, available, published, publisher)
  VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8, ?9, ?10, ?11)
  """

private let upsertSQL =
  insertSQL + """
     ON CONFLICT(id) DO UPDATE SET title = excluded.title, subtitle = excluded.subtitle,
      isbn = excluded.isbn, language = excluded.language, summary = excluded.summary,
      price = excluded.price, rating = excluded.rating, available = excluded.available,
      published = excluded.published, publisher = excluded.publisher
    """

/// The books with their strings in one buffer: five pieces each, in the order of the columns.
struct BookRows {
  let books: [Book]
  private(set) var text: [UInt8] = []
  /// The offset of each piece, at index `row * 5 + column`, and the end of the last one.
  private(set) var pieceOffsets: [Int] = [0]

  var count: Int { books.count }

  init(_ books: [Book]) {
    self.books = books
    text.reserveCapacity(books.count * 200)
    pieceOffsets.reserveCapacity(books.count * 5 + 1)
    for book in books {
      for piece in [book.title, book.subtitle, book.isbn, book.language, book.summary] {
        text.append(contentsOf: piece.utf8)
        pieceOffsets.append(text.count)
      }
    }
  }
}

/// A database with one table of books, in memory or in a file.
final class BookDatabase {
  private let handle: OpaquePointer

  /// - Parameter path: The path of a file in WAL mode; nil for a database in memory.
  init(indexed: Bool = false, path: String? = nil, synchronous: String = "NORMAL") throws {
    var opened: OpaquePointer?
    let code = sqlite3_open(path ?? ":memory:", &opened)
    guard code == SQLITE_OK, let opened else {
      sqlite3_close_v2(opened)
      throw SQLiteFailure(code: code, text: "cannot open a database")
    }
    handle = opened
    if path != nil {
      try execute("PRAGMA journal_mode = WAL; PRAGMA synchronous = \(synchronous)")
    }
    try execute(
      """
      CREATE TABLE IF NOT EXISTS book(
        id INTEGER PRIMARY KEY, title TEXT NOT NULL, subtitle TEXT NOT NULL, isbn TEXT NOT NULL,
        language TEXT NOT NULL, summary TEXT NOT NULL, price REAL NOT NULL, rating REAL NOT NULL,
        available INTEGER NOT NULL, published INTEGER NOT NULL, publisher INTEGER NOT NULL)
      """)
    guard indexed else { return }
    try execute(
      "CREATE INDEX book_isbn ON book(isbn); CREATE INDEX book_publisher ON book(publisher)")
  }

  convenience init(holding rows: BookRows, indexed: Bool = false) throws {
    try self.init(indexed: indexed)
    try run(insertSQL, for: rows, priceOffset: 0)
  }

  deinit {
    sqlite3_close_v2(handle)
  }

  func execute(_ sql: String) throws {
    let code = sqlite3_exec(handle, sql, nil, nil, nil)
    guard code == SQLITE_OK else { throw SQLiteFailure(code: code, in: handle) }
  }

  func transaction(_ body: () throws -> Void) throws {
    try execute("BEGIN")
    try body()
    try execute("COMMIT")
  }

  func prepare(_ sql: String) throws -> Statement {
    var prepared: OpaquePointer?
    let code = sqlite3_prepare_v2(handle, sql, -1, &prepared, nil)
    guard code == SQLITE_OK, let prepared else { throw SQLiteFailure(code: code, in: handle) }
    return Statement(handle: prepared, database: handle)
  }

  var bookCount: Int {
    get throws { try integer("SELECT count(*) FROM book") }
  }

  func integer(_ sql: String) throws -> Int {
    let statement = try prepare(sql)
    guard try statement.step() else { return 0 }
    return Int(sqlite3_column_int64(statement.handle, 0))
  }

  /// Runs a statement with the eleven columns as parameters once for each row, in one transaction.
  func run(_ sql: String, for rows: BookRows, priceOffset: Double) throws {
    try transaction {
      let statement = try prepare(sql)
      let handle = statement.handle
      // Bound memory must stay valid until the step is complete: the buffer outlives the loop, and nil for the
      // destructor (SQLITE_STATIC) makes SQLite use it in place.
      try rows.text.withUnsafeBytes { text in
        for (row, book) in rows.books.enumerated() {
          for column in 0..<5 {
            let start = rows.pieceOffsets[row * 5 + column]
            let end = rows.pieceOffsets[row * 5 + column + 1]
            let piece = UnsafeRawBufferPointer(rebasing: text[start..<end])
              .assumingMemoryBound(to: CChar.self)
            sqlite3_bind_text(handle, Int32(2 + column), piece.baseAddress, Int32(end - start), nil)
          }
          statement.bindNumbers(of: book, priceOffset: priceOffset)
          try statement.stepToEnd()
        }
      }
    }
  }

  /// Runs a statement for each book and binds strings as wrappers do: SQLite copies them.
  func run(_ sql: String, for books: [Book], priceOffset: Double) throws {
    // SQLITE_TRANSIENT, a cast that Swift does not import.
    let copied = unsafeBitCast(-1, to: sqlite3_destructor_type.self)
    try transaction {
      let statement = try prepare(sql)
      let handle = statement.handle
      for book in books {
        sqlite3_bind_text(handle, 2, book.title, Int32(book.title.utf8.count), copied)
        sqlite3_bind_text(handle, 3, book.subtitle, Int32(book.subtitle.utf8.count), copied)
        sqlite3_bind_text(handle, 4, book.isbn, Int32(book.isbn.utf8.count), copied)
        sqlite3_bind_text(handle, 5, book.language, Int32(book.language.utf8.count), copied)
        sqlite3_bind_text(handle, 6, book.summary, Int32(book.summary.utf8.count), copied)
        statement.bindNumbers(of: book, priceOffset: priceOffset)
        try statement.stepToEnd()
      }
    }
  }
}

/// A prepared statement, finalized with the last reference.
final class Statement {
  let handle: OpaquePointer
  private let database: OpaquePointer

  init(handle: OpaquePointer, database: OpaquePointer) {
    self.handle = handle
    self.database = database
  }

  deinit {
    sqlite3_finalize(handle)
  }

  /// Binds all columns of a book except strings.
  func bindNumbers(of book: Book, priceOffset: Double) {
    sqlite3_bind_int64(handle, 1, Int64(book.id))
    sqlite3_bind_double(handle, 7, book.price + priceOffset)
    sqlite3_bind_double(handle, 8, book.rating)
    sqlite3_bind_int64(handle, 9, book.available ? 1 : 0)
    sqlite3_bind_int64(handle, 10, Int64(book.publishedSecondsSince1970))
    sqlite3_bind_int64(handle, 11, Int64(book.publisherID))
  }

  /// Returns the sum of the first column of all rows, then resets the statement.
  /// - Parameter text: The value of the statement's parameter, if it has one.
  func sumOfKeys(of text: String? = nil) throws -> Int {
    // SQLITE_TRANSIENT, a cast that Swift does not import.
    let copied = unsafeBitCast(-1, to: sqlite3_destructor_type.self)
    if let text { sqlite3_bind_text(handle, 1, text, Int32(text.utf8.count), copied) }
    var sum = 0
    while try step() { sum &+= Int(sqlite3_column_int64(handle, 0)) }
    sqlite3_reset(handle)
    return sum
  }

  /// Returns true if there is a row to read.
  func step() throws -> Bool {
    let code = sqlite3_step(handle)
    if code == SQLITE_ROW { return true }
    guard code == SQLITE_DONE else { throw SQLiteFailure(code: code, in: database) }
    return false
  }

  /// Runs a statement that returns no rows, then resets it.
  func stepToEnd() throws {
    while try step() {}
    sqlite3_reset(handle)
  }
}

private struct SQLiteFailure: Error, CustomStringConvertible {
  let code: Int32
  let text: String

  init(code: Int32, text: String) {
    self.code = code
    self.text = text
  }

  init(code: Int32, in database: OpaquePointer) {
    self.init(code: code, text: String(cString: sqlite3_errmsg(database)))
  }

  var description: String { "SQLite error \(code): \(text)" }
}

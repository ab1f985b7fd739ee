import StoreDatabase

/// The statements that write the rows of one class. Valid until one of its tables is altered.
final class RowStatements {
  /// The mapping of the table's columns to the file.
  let mapping: FileMapping
  let insert: Statement
  let delete: Statement
  private let database: Database
  private let sqlName: String
  private var updates: [AttributeBits: Statement] = [:]
  private var collections: [Int: CollectionStatements] = [:]
  private var manyInsertions: [Int: Statement] = [:]
  private var unknown: [Int: (read: Statement, delete: Statement?)] = [:]
  private var keyClearing: Statement?
  private let keyName: String

  /// The statements of a collection's table.
  struct CollectionStatements {
    /// Deletes a row's elements at a position and after it.
    let delete: Statement
    /// Inserts an element. Its parameters are row, position, value and, in a map, the key.
    let insert: Statement
    /// Sets the value of an element and, in a map, the key. Its parameters are the same as those of `insert`.
    let update: Statement
  }

  /// The number of elements that one statement of ``insertMany(_:)`` inserts: SQLite then takes half the time for each.
  static let manyCount = 16

  /// The names of the engine's own columns in a table of rows without a key. A table of rows with a key has only the
  /// first.
  static let ownNames = ["_missing", "_references", "_nested"]

  static func ownNames(_ identity: TableLayout.Identity) -> [String] {
    identity == .keyed ? [ownNames[0]] : ownNames
  }

  init(
    _ database: Database, _ entry: FileClass, _ mapping: FileMapping
  ) throws(DatabaseError) {
    self.database = database
    self.mapping = mapping
    sqlName = FileNames.quoted(entry.sqlName)
    keyName = FileNames.quoted(entry.attributes.first(where: \.isPrimaryKey)?.sqlName ?? "_row")
    let names =
      ["_row"] + Self.ownNames(entry.identity)
      + mapping.columns.filter { !$0.wanted.isCollection }.map(\.stored.sqlName)
    insert = try database.prepare(
      """
      INSERT INTO \(sqlName) (\(names.map(FileNames.quoted).joined(separator: ", "))) \
      VALUES (\(names.map { _ in "?" }.joined(separator: ", ")))
      """)
    delete = try database.prepare("DELETE FROM \(sqlName) WHERE _row = ?")
  }

  /// Returns the statement that sets these columns, in order. Its last parameter is the row.
  func update(_ columns: AttributeBits, _ names: [String]) throws(DatabaseError) -> Statement {
    assert(!names.isEmpty, "An update needs a column")
    if let known = updates[columns] { return known }
    // Limit the cache: a program may change a different combination of attributes each time.
    if updates.count >= 64 { updates = [:] }
    let sets = names.map { "\(FileNames.quoted($0)) = ?" }.joined(separator: ", ")
    let statement = try database.prepare("UPDATE \(sqlName) SET \(sets) WHERE _row = ?")
    updates[columns] = statement
    return statement
  }

  /// Deletes all rows of a class and all their elements, including those of attributes that the class no longer has.
  /// SQLite does so without visiting each row.
  func deleteAll(_ entry: FileClass) throws(DatabaseError) {
    for name in [entry.sqlName] + entry.attributes.filter(\.isCollection).map(\.sqlName) {
      try database.execute("DELETE FROM \(FileNames.quoted(name))")
    }
  }

  /// Returns the statement that sets a row's key to null.
  func clearKey() throws(DatabaseError) -> Statement {
    assert(keyName != FileNames.quoted("_row"), "The class has no primary key")
    if let known = keyClearing { return known }
    let statement = try database.prepare("UPDATE \(sqlName) SET \(keyName) = NULL WHERE _row = ?")
    keyClearing = statement
    return statement
  }

  /// Returns the statement that reads a row's value or elements of an attribute that the declared class lacks.
  func read(_ attribute: FileAttribute, _ fileIndex: Int) throws(DatabaseError) -> Statement {
    try unknownStatements(attribute, fileIndex).read
  }

  func deleteElements(_ attribute: FileAttribute, _ fileIndex: Int) throws(DatabaseError)
    -> Statement
  {
    try unknownStatements(attribute, fileIndex).delete ?? delete
  }

  private func unknownStatements(
    _ attribute: FileAttribute, _ fileIndex: Int
  ) throws(DatabaseError) -> (read: Statement, delete: Statement?) {
    if let known = unknown[fileIndex] { return known }
    let name = FileNames.quoted(attribute.sqlName)
    var statements: (read: Statement, delete: Statement?)
    if attribute.isCollection {
      let key = attribute.form == .map ? ", key" : ""
      statements = (
        try database.prepare(
          "SELECT value\(key) FROM \(name) WHERE _row = ? ORDER BY position"),
        try database.prepare("DELETE FROM \(name) WHERE _row = ?")
      )
    } else {
      statements = (
        try database.prepare("SELECT \(name) FROM \(sqlName) WHERE _row = ?"), nil
      )
    }
    unknown[fileIndex] = statements
    return statements
  }

  /// Returns the statement that inserts ``manyCount`` elements of a collection. Its parameters are those of
  /// ``CollectionStatements/insert``, for each element.
  func insertMany(_ column: FileMapping.Column) throws(DatabaseError) -> Statement {
    if let known = manyInsertions[column.fileIndex] { return known }
    let isMap = column.stored.form == .map
    let row = "(?, ?, ?\(isMap ? ", ?" : ""))"
    let statement = try database.prepare(
      "INSERT INTO \(FileNames.quoted(column.stored.sqlName)) "
        + "(_row, position, value\(isMap ? ", key" : "")) VALUES "
        + Array(repeating: row, count: Self.manyCount).joined(separator: ", "))
    manyInsertions[column.fileIndex] = statement
    return statement
  }

  func collection(_ column: FileMapping.Column) throws(DatabaseError) -> CollectionStatements {
    assert(column.stored.isCollection, "\(column.stored.name) is not a collection")
    if let known = collections[column.fileIndex] { return known }
    let name = FileNames.quoted(column.stored.sqlName)
    let isMap = column.stored.form == .map
    let statements = CollectionStatements(
      delete: try database.prepare("DELETE FROM \(name) WHERE _row = ? AND position >= ?"),
      insert: try database.prepare(
        "INSERT INTO \(name) (_row, position, value\(isMap ? ", key" : "")) "
          + "VALUES (?, ?, ?\(isMap ? ", ?" : ""))"),
      update: try database.prepare(
        "UPDATE \(name) SET value = ?3\(isMap ? ", key = ?4" : "") "
          + "WHERE _row = ?1 AND position = ?2"))
    collections[column.fileIndex] = statements
    return statements
  }
}

import StoreDatabase

/// The catalog of a file: its format, schema version and classes. It is read when the file is opened and updated by
/// each commit.
///
///     store_info         key | value                         format, schema version, digest
///     store_classes      name | table_name | identity | row_count | next_row | may_dangle | checksums | digest
///     store_attributes   class | position | name | column_name | form | type | target | …
///
/// Digests are hashes that reveal flipped bits (R19). The digest in `store_info` covers the format, the schema version
/// and the class names; the digest of a class covers its entry, its attributes and the SQL of its tables.
struct FileCatalog {
  var classes: [String: FileClass] = [:]
  /// The version number that the application assigned to its classes.
  var schemaVersion: UInt64 = 0
  /// The first row number of new tables: higher than those of dropped ones, so that none is used again.
  var firstRow = 1
  /// The format of the file.
  private(set) var format = Self.format

  /// The format of the files that this version of the library writes. It also reads files of earlier formats:
  ///
  ///     1   attributes are never missing; tables of rows with a key have no column `_missing`
  static let format = 2
  /// "SCdr": the application ID in the file's SQLite header.
  static let applicationID: Int64 = 0x5343_6472

  // MARK: - Tables

  static let tables = """
    CREATE TABLE store_info (key TEXT PRIMARY KEY, value) WITHOUT ROWID;
    CREATE TABLE store_classes (name TEXT PRIMARY KEY, table_name TEXT, identity TEXT, \
    row_count INTEGER, next_row INTEGER, may_dangle INTEGER, checksums BLOB, digest INTEGER) \
    WITHOUT ROWID;
    CREATE TABLE store_attributes (class TEXT, position INTEGER, name TEXT, column_name TEXT, \
    form TEXT, type TEXT, target TEXT, is_optional INTEGER, is_primary_key INTEGER, \
    is_indexed INTEGER, PRIMARY KEY (class, position)) WITHOUT ROWID;
    """

  /// A hash of the format, the schema version and the class names.
  private var infoDigest: UInt64 {
    let names = classes.values.map(\.name).sorted(byBytesOf: \.self)
    return Checksum.digest(["\(format)", "\(schemaVersion)"] + names)
  }

  /// Records that the file has the newest format.
  mutating func noteUpgrade() { format = Self.format }

  func writeInfo(_ database: Database) throws(DatabaseError) {
    let statement = try database.prepare(
      "INSERT OR REPLACE INTO store_info (key, value) VALUES (?, ?)")
    let first =
      firstRow > 1
      ? [
        ("first_row", Int64(firstRow)),
        ("first_row_digest", Int64(bitPattern: Checksum.word(1, UInt64(firstRow)))),
      ] : []
    for (key, value) in [
      ("format", Int64(format)), ("schema_version", Int64(bitPattern: schemaVersion)),
      ("digest", Int64(bitPattern: infoDigest)),
    ] + first {
      statement.bindTextCopy(1, Array(key.utf8))
      statement.bind(2, value)
      try statement.run()
    }
  }

  // MARK: - Reading

  /// An inconsistency: the file is damaged.
  struct Damage: Error {
    let details: String
  }

  init() {}

  /// - Throws: `DatabaseError`, `Damage`.
  init(_ database: Database) throws {
    var info: [String: Int64] = [:]
    let statement = try database.prepare("SELECT key, value FROM store_info")
    while try statement.step() { info[statement.string(0)] = statement.int64(1) }
    schemaVersion = UInt64(bitPattern: info["schema_version"] ?? 0)
    format = Int(clamping: info["format"] ?? 0)
    if let row = info["first_row"] {
      guard row > 1,
        info["first_row_digest"] == Int64(bitPattern: Checksum.word(1, UInt64(row)))
      else { throw Damage(details: "the first row number does not match its digest") }
      firstRow = Int(clamping: row)
    }
    try readClasses(database)
    guard (1...Self.format).contains(format),
      info["digest"].map({ UInt64(bitPattern: $0) }) == infoDigest
    else { throw Damage(details: "the table store_info does not match its digest") }
  }

  private mutating func readClasses(_ database: Database) throws {
    let rows = try database.prepare(
      """
      SELECT name, table_name, identity, row_count, next_row, checksums, digest, may_dangle
      FROM store_classes
      """)
    var sums: [String: (sums: [UInt64], digest: UInt64)] = [:]
    while try rows.step() {
      let name = rows.string(0)
      guard let identity = TableLayout.Identity(fileName: rows.string(2)) else {
        throw Damage(details: "the class '\(name)' has the unknown identity '\(rows.string(2))'")
      }
      var entry = FileClass(
        name: name, sqlName: rows.string(1), identity: identity, attributes: [])
      entry.rowCount = Int(clamping: rows.int64(3))
      entry.nextRow = Int(clamping: rows.int64(4))
      entry.mayDangle = rows.int64(7) != 0
      entry.recordsMissing = format > 1
      sums[name] = (Self.words(rows.bytes(5)), UInt64(bitPattern: rows.int64(6)))
      classes[name] = entry
    }
    try readAttributes(database)
    for (name, (sums, digest)) in sums {
      guard var entry = classes[name] else { continue }
      let own = entry.ownSums.count
      guard sums.count == own + entry.attributes.count else {
        throw Damage(
          details: "the class '\(name)': expected \(own + entry.attributes.count) checksums, "
            + "found \(sums.count)")
      }
      entry.ownSums = Array(sums[..<own])
      for index in entry.attributes.indices { entry.attributes[index].sum = sums[own + index] }
      entry.schemaDigest = try Self.schemaDigest(of: entry, database)
      entry.digestDeclarations()
      guard entry.digest == digest else {
        throw Damage(details: "the catalog entry of the class '\(name)' does not match its digest")
      }
      classes[name] = entry
    }
  }

  private mutating func readAttributes(_ database: Database) throws {
    let rows = try database.prepare(
      """
      SELECT class, name, column_name, form, type, target, is_optional, is_primary_key, is_indexed
      FROM store_attributes ORDER BY class, position
      """)
    while try rows.step() {
      let owner = rows.string(0)
      let name = rows.string(1)
      let kind = AttributeShape.Kind(fileName: rows.string(4))
      guard let form = AttributeShape.Form(fileName: rows.string(3)),
        kind != nil || rows.type(5) == .text, classes[owner] != nil
      else {
        throw Damage(details: "the attribute '\(owner).\(name)' has no valid type or no class")
      }
      classes[owner]?.attributes.append(
        FileAttribute(
          name: name, sqlName: rows.string(2), form: form, kind: kind,
          target: kind == nil ? rows.string(5) : nil, isOptional: rows.int64(6) != 0,
          isPrimaryKey: rows.int64(7) == 1, keyPart: max(0, Int(clamping: rows.int64(7)) - 1),
          isIndexed: rows.int64(8) != 0))
    }
  }

  private static func words(_ bytes: UnsafeRawBufferPointer) -> [UInt64] {
    (0..<bytes.count / 8).map {
      UInt64(littleEndian: bytes.loadUnaligned(fromByteOffset: $0 * 8, as: UInt64.self))
    }
  }

  /// A hash of the statements that created the tables of a class.
  static func schemaDigest(of entry: FileClass, _ database: Database) throws(DatabaseError)
    -> UInt64
  {
    let statement = try database.prepare(
      "SELECT sql FROM sqlite_schema WHERE type = 'table' AND name = ?")
    var parts: [String] = []
    for name in [entry.sqlName] + entry.attributes.filter(\.isCollection).map(\.sqlName) {
      statement.bindTextCopy(1, Array(name.utf8))
      parts.append(try statement.step() ? statement.string(0) : "")
      statement.reset()
    }
    return Checksum.digest(parts)
  }
}

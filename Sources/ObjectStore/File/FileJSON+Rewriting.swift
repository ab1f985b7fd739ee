import StoreDatabase

// Rewrites JSON values that another tool has stored in a form that the store does not write.

extension FileJSON {
  /// Rewrites each value of an attribute in the form that the store writes. Invalid values stay unchanged. Requires a
  /// transaction.
  ///
  /// - Returns: The amount to add to the attribute's checksum, with wrapping arithmetic.
  static func rewrite(
    _ attribute: FileAttribute, of entry: FileClass, in database: Database
  ) throws(DatabaseError) -> UInt64 {
    let (reader, writer) = (FileJSON(), FileJSON())
    let rows = try JSONRows(database, attribute, entry)
    var growth: UInt64 = 0
    while let (row, position, old) = try rows.next() {
      // Elements of collections have no notations.
      let value = reader.inMemory(old, keepsNotation: !attribute.isCollection)
      guard let value else { continue }
      let new = writer.inFile(value)
      if isText(new) == isText(old), new.bytes.hasSameBytes(as: old.bytes) { continue }
      func sum(_ value: ElementValue) -> UInt64 {
        attribute.isCollection
          ? Checksum.element(row, position, value, isBytes: true)
          : Checksum.value(row, value, isBytes: true)
      }
      growth &+= sum(new) &- sum(old)
      try rows.replace(with: new)
    }
    return growth
  }
}

/// A cursor over the JSON values of an attribute, which can replace the current value.
private final class JSONRows {
  private let select: Statement
  private let update: Statement
  private let attribute: FileAttribute
  private var row: Int64 = -1
  private var position: Int64 = -1

  init(_ database: Database, _ attribute: FileAttribute, _ entry: FileClass) throws(DatabaseError) {
    self.attribute = attribute
    let isCollection = attribute.isCollection
    let table = FileNames.quoted(isCollection ? attribute.sqlName : entry.sqlName)
    let name = isCollection ? "value" : FileNames.quoted(attribute.sqlName)
    let key = attribute.form == .map ? "key" : "NULL"
    // One row per query, so that no row changes while a statement reads the table.
    select = try database.prepare(
      isCollection
        ? """
        SELECT _row, value, position, \(key) FROM \(table) \
        WHERE (_row, position) > (?, ?) AND value IS NOT NULL ORDER BY _row, position LIMIT 1
        """
        : """
        SELECT _row, \(name) FROM \(table) \
        WHERE _row > ? AND \(name) IS NOT NULL ORDER BY _row LIMIT 1
        """)
    update = try database.prepare(
      "UPDATE \(table) SET \(name) = ? WHERE _row = ?\(isCollection ? " AND position = ?" : "")")
  }

  /// Returns the next value that is not null, with its row and its position in a collection; nil at the end.
  ///
  /// The value is valid until the next call or until it is replaced.
  func next() throws(DatabaseError) -> (row: Int, position: Int, value: ElementValue)? {
    select.reset()
    select.bind(1, row)
    if attribute.isCollection { select.bind(2, position) }
    guard try select.step() else { return nil }
    let last = (row, position)
    row = select.int64(0)
    if attribute.isCollection { position = select.int64(2) }
    // Another tool may have stored something other than integers.
    guard (row, position) > last else { return nil }
    var value = FileJSON.read(select.bytes(1), isText: select.type(1) == .text)
    if attribute.form == .map { value.key = select.bytes(3) }
    return (Int(row), Int(position), value)
  }

  /// Replaces the value that was returned last.
  func replace(with value: ElementValue) throws(DatabaseError) {
    if FileJSON.isText(value) {
      update.bindTextCopy(1, value.bytes)
    } else {
      update.bindBlobCopy(1, value.bytes)
    }
    update.bind(2, row)
    if attribute.isCollection { update.bind(3, position) }
    select.reset()
    try update.run()
  }
}

import StoreDatabase

/// The statements that write the catalog entries of classes.
final class CatalogStatements {
  private let database: Database
  private let update: Statement

  init(_ database: Database) throws(DatabaseError) {
    self.database = database
    update = try database.prepare(
      """
      UPDATE store_classes
      SET row_count = ?, next_row = ?, checksums = ?, digest = ?, may_dangle = ? WHERE name = ?
      """)
  }

  /// Writes the counts, the checksums, the dangling-link flag and the digest of a class.
  func update(_ entry: FileClass) throws(DatabaseError) {
    update.bind(1, Int64(entry.rowCount))
    update.bind(2, Int64(entry.nextRow))
    let sums = (entry.ownSums + entry.attributes.map(\.sum)).map(\.littleEndian)
    sums.withUnsafeBytes { update.bindBlobCopy(3, $0) }
    update.bind(4, Int64(bitPattern: entry.digest))
    update.bind(5, entry.mayDangle ? 1 : 0)
    update.bindTextCopy(6, Array(entry.name.utf8))
    try update.run()
  }

  func remove(_ name: String) throws(DatabaseError) {
    for (table, column) in [("store_classes", "name"), ("store_attributes", "class")] {
      let delete = try database.prepare("DELETE FROM \(table) WHERE \(column) = ?")
      delete.bindTextCopy(1, Array(name.utf8))
      try delete.run()
    }
  }

  /// Writes a class with its attributes, replacing its previous entry.
  func replace(_ entry: FileClass) throws(DatabaseError) {
    let name = Array(entry.name.utf8)
    let row = try database.prepare(
      """
      INSERT OR REPLACE INTO store_classes (name, table_name, identity) VALUES (?, ?, ?)
      """)
    row.bindTextCopy(1, name)
    row.bindTextCopy(2, Array(entry.sqlName.utf8))
    row.bindTextCopy(3, Array(entry.identity.fileName.utf8))
    try row.run()
    let delete = try database.prepare("DELETE FROM store_attributes WHERE class = ?")
    delete.bindTextCopy(1, name)
    try delete.run()
    let insert = try database.prepare(
      "INSERT INTO store_attributes VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?)")
    for (position, attribute) in entry.attributes.enumerated() {
      insert.bindTextCopy(1, name)
      insert.bind(2, Int64(position))
      insert.bindTextCopy(3, Array(attribute.name.utf8))
      insert.bindTextCopy(4, Array(attribute.sqlName.utf8))
      insert.bindTextCopy(5, Array(attribute.form.fileName.utf8))
      insert.bindTextCopy(6, Array((attribute.kind?.fileName ?? "object").utf8))
      if let target = attribute.target {
        insert.bindTextCopy(7, Array(target.utf8))
      } else {
        insert.bindNull(7)
      }
      insert.bind(8, attribute.isOptional ? 1 : 0)
      let keyPart = attribute.keyPart > 0 ? Int64(attribute.keyPart + 1) : 0
      insert.bind(9, attribute.isPrimaryKey ? 1 : keyPart)
      insert.bind(10, attribute.isIndexed ? 1 : 0)
      try insert.run()
    }
    try update(entry)
  }
}

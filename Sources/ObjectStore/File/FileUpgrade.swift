import StoreDatabase

/// Upgrades a file of an earlier format.
struct FileUpgrade {
  private let database: Database

  /// Upgrades a file, in one transaction, and returns its catalog.
  ///
  /// - Complexity: O(classes and rows without a key).
  static func run(_ database: Database, _ catalog: FileCatalog) throws -> FileCatalog {
    if catalog.format == FileCatalog.format { return catalog }
    try database.execute("BEGIN IMMEDIATE")
    do {
      let upgraded = try FileUpgrade(database: database).upgraded(catalog)
      try database.execute("COMMIT")
      return upgraded
    } catch {
      try? database.execute("ROLLBACK")
      throw error
    }
  }

  private func upgraded(_ catalog: FileCatalog) throws -> FileCatalog {
    var catalog = catalog
    let statements = try CatalogStatements(database)
    for entry in catalog.classes.values.sorted(byBytesOf: \.name) {
      let new = try upgraded(entry)
      catalog.classes[entry.name] = new
      try statements.replace(new)
    }
    catalog.noteUpgrade()
    try catalog.writeInfo(database)
    try database.execute("PRAGMA user_version = \(FileCatalog.format)")
    return catalog
  }

  /// Adds the column of missing attributes. In format 1, rows without a key have one with another meaning.
  private func upgraded(_ entry: FileClass) throws(DatabaseError) -> FileClass {
    var entry = entry
    let table = FileNames.quoted(entry.sqlName)
    if entry.identity == .keyed {
      try database.execute("ALTER TABLE \(table) ADD COLUMN _missing BLOB")
    } else {
      try database.execute(
        """
        ALTER TABLE \(table) RENAME COLUMN _defaults TO _missing;
        UPDATE \(table) SET _missing = NULL
        """)
    }
    entry.recordsMissing = true
    entry.ownSums[FileClass.OwnColumn.missing.rawValue] = 0
    entry.schemaDigest = try FileCatalog.schemaDigest(of: entry, database)
    entry.digestDeclarations()
    return entry
  }
}

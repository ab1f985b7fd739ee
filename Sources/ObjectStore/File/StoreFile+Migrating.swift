import StoreDatabase

extension StoreFile {
  var schemaVersion: UInt64 { lock.withLock { catalog.schemaVersion } }

  /// An error that ended a migration without changing the file, which is intact.
  struct Stopped: Error {
    let error: any Error
  }

  /// Runs `body` and sets the schema version, in one transaction.
  /// - Throws: `Stopped` if `body` throws it; `fileDamaged`, `fileFailed`.
  func migrate(to number: UInt64, _ body: (FileMigration) throws -> Void) throws {
    var stopped: Stopped?
    do {
      try lock.withLock {
        try transaction {
          let migration = FileMigration(self)
          defer { migration.end() }
          do {
            try body(migration)
          } catch let error as Stopped {
            stopped = error
            throw error
          }
          try writeSchemaVersion(number)
        }
      }
    } catch {
      throw stopped ?? error
    }
  }

  private func writeSchemaVersion(_ number: UInt64) throws(DatabaseError) {
    catalog.schemaVersion = number
    try catalog.writeInfo(database)
  }

  /// Drops all classes of a cache whose migration failed, and sets the schema version.
  func reset(to number: UInt64, _ reason: StoreError) throws {
    try lock.withLock {
      try transaction {
        for entry in catalog.classes.values { try dropTables(of: entry) }
        try writeSchemaVersion(number)
      }
      recordReset(reason)
    }
  }
}

// MARK: - Names

extension StoreFile {
  /// Adds a class with its new names to the catalog and renames its tables. The old entry must already be removed.
  /// - Parameter taken: The names of existing tables that the catalog does not currently list.
  func add(_ named: FileClass, insteadOf old: FileClass, _ taken: [String]) throws {
    var entry = named
    let isRenamed = entry.name != old.name
    let changed = entry.attributes.indices.filter {
      isRenamed || !entry.attributes[$0].name.hasSameBytes(as: old.attributes[$0].name)
    }
    // Index names contain the names of their tables and columns.
    let indexed = changed.map { old.attributes[$0] }.filter { $0.isIndexed && !$0.isPrimaryKey }
    for attribute in indexed where !attribute.isCollection {
      try database.execute("DROP INDEX IF EXISTS \(indexName(attribute, old))")
    }
    if isRenamed {
      var names = FileNames(catalog.tableNames + taken)
      entry.sqlName = try renameTable(old.sqlName, to: entry.name, &names)
    }
    var names = FileNames(catalog.tableNames + taken + [entry.sqlName])
    var columns = FileNames(
      ["_row"] + RowStatements.ownNames
        + old.attributes.filter { !$0.isCollection }.map(\.sqlName))
    for index in changed {
      let attribute = entry.attributes[index]
      if attribute.isCollection {
        entry.attributes[index].sqlName = try renameTable(
          attribute.sqlName, to: "\(entry.sqlName).\(attribute.name)", &names)
      } else if !attribute.name.hasSameBytes(as: old.attributes[index].name) {
        let name = columns.name(attribute.name)
        try database.execute(
          """
          ALTER TABLE \(FileNames.quoted(entry.sqlName)) \
          RENAME COLUMN \(FileNames.quoted(attribute.sqlName)) TO \(FileNames.quoted(name))
          """)
        entry.attributes[index].sqlName = name
      }
    }
    for index in changed where !entry.attributes[index].isCollection {
      try makeParts(of: entry.attributes[index], entry)
    }
    entry.schemaDigest = try FileCatalog.schemaDigest(of: entry, database)
    entry.digestDeclarations()
    catalog.classes[entry.name] = entry
    try openCatalogStatements().replace(entry)
  }

  /// Renames a table. Returns its new name in the file.
  private func renameTable(
    _ old: String, to wanted: String, _ names: inout FileNames
  ) throws(DatabaseError) -> String {
    let name = names.name(wanted)
    try database.execute(
      "ALTER TABLE \(FileNames.quoted(old)) RENAME TO \(FileNames.quoted(name))")
    return name
  }
}

import StoreDatabase

extension StoreFile {
  var schemaVersion: UInt64 { lock.withLock { catalog.schemaVersion } }

  /// Why a migration ends without a change; the file is sound.
  struct Stopped: Error {
    let error: any Error
  }

  /// Runs `body` and raises the number of the classes, in one transaction.
  /// - Throws: `Stopped` as `body` throws it; `fileDamaged`, `fileFailed`.
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
          try finish(number)
        }
      }
    } catch {
      throw stopped ?? error
    }
  }

  private func finish(_ number: UInt64) throws(DatabaseError) {
    catalog.schemaVersion = number
    try catalog.writeInfo(database)
  }

  /// Takes all classes out of a cache whose migration failed, and raises the number.
  func reset(to number: UInt64, _ reason: StoreError) throws {
    try lock.withLock {
      try transaction {
        for entry in catalog.classes.values { try dropTables(of: entry) }
        try finish(number)
      }
      noteReset(reason)
    }
  }
}

// MARK: - Names

extension StoreFile {
  /// Enters a class under other names than the file had it, which has forgotten it; its tables get these
  /// names, too.
  /// - Parameter taken: names of tables that the catalog does not have just now.
  func enter(_ named: FileClass, insteadOf old: FileClass, _ taken: [String]) throws {
    var entry = named
    let isRenamed = entry.name != old.name
    let changed = entry.attributes.indices.filter {
      isRenamed || !entry.attributes[$0].name.hasSameBytes(as: old.attributes[$0].name)
    }
    // Their names are made of those of tables and columns.
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
    for place in changed {
      let attribute = entry.attributes[place]
      if attribute.isCollection {
        entry.attributes[place].sqlName = try renameTable(
          attribute.sqlName, to: "\(entry.sqlName).\(attribute.name)", &names)
      } else if !attribute.name.hasSameBytes(as: old.attributes[place].name) {
        let name = columns.name(attribute.name)
        try database.execute(
          """
          ALTER TABLE \(FileNames.quoted(entry.sqlName)) \
          RENAME COLUMN \(FileNames.quoted(attribute.sqlName)) TO \(FileNames.quoted(name))
          """)
        entry.attributes[place].sqlName = name
      }
    }
    for place in changed where !entry.attributes[place].isCollection {
      try makeParts(of: entry.attributes[place], entry)
    }
    entry.schemaDigest = try FileCatalog.schemaDigest(of: entry, database)
    entry.digestDeclarations()
    catalog.classes[entry.name] = entry
    try openCatalogStatements().replace(entry)
  }

  /// Returns the name that the table has by now.
  private func renameTable(
    _ old: String, to wanted: String, _ names: inout FileNames
  ) throws(DatabaseError) -> String {
    let name = names.name(wanted)
    try database.execute(
      "ALTER TABLE \(FileNames.quoted(old)) RENAME TO \(FileNames.quoted(name))")
    return name
  }
}

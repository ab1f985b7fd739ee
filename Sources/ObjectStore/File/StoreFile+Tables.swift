import StoreDatabase

// Creates and alters the tables of a class.

extension StoreFile {
  /// Creates the tables of a class or adapts them to its declaration. Returns true if the class, or its base table, is new to
  /// the file.
  func prepareTables(of name: String, _ rows: TableVersion) throws -> Bool {
    // Statements are cached only if the tables already fit the class.
    if statements[name] != nil { return false }
    guard let table = table(name) else { return false }
    let madeBase = try makeBaseTable(of: name)
    if let entry = catalog.classes[name] {
      let mapping = FileMapping(table, entry)
      if !mapping.isExact { try alter(table, entry, mapping, rows) }
      return madeBase
    }
    try makeTables(of: table, nextRow: 1)
    return true
  }

  /// Creates the base table of a class that tracks edits. It tells tools that the class does, also before the first edit.
  private func makeBaseTable(of name: String) throws -> Bool {
    let base = name + ObjectSchema.baseSuffix
    // A class that has too many attributes for a base table fails with its first edit.
    guard catalog.classes[base] == nil, let table = table(base), table.columnLimitMistake() == nil
    else { return false }
    try makeTables(of: table, nextRow: 1)
    return true
  }

  /// Creates the tables of a class that the file does not have.
  func makeTables(of table: FileTable, nextRow: Int) throws {
    assert(catalog.classes[table.name] == nil, "The file has the class \(table.name)")
    if let mistake = table.columnLimitMistake() {
      throw StoreError(.fileFailed(path: path, reason: mistake))
    }
    let name = table.name
    var names = FileNames(catalog.tableNames)
    var columns = FileNames(["_row"] + RowStatements.ownNames)
    let sqlName = names.name(name)
    var entry = FileClass(
      name: name, sqlName: sqlName, identity: table.identity,
      attributes: table.attributes.map { $0.named(in: sqlName, &columns, &names) })
    let own =
      ["_missing BLOB"]
      + (entry.identity == .keyed ? [] : ["_references INTEGER", "_nested INTEGER"])
    let attributes = entry.attributes.filter { !$0.isCollection }.map(\.declaration)
    let parts = ["_row INTEGER PRIMARY KEY"] + own + attributes
    try database.execute(
      "CREATE TABLE \(FileNames.quoted(sqlName)) (\(parts.joined(separator: ", ")))")
    for attribute in entry.attributes { try makeParts(of: attribute, entry) }
    entry.nextRow = max(nextRow, catalog.firstRow)
    entry.schemaDigest = try FileCatalog.schemaDigest(of: entry, database)
    entry.digestDeclarations()
    catalog.classes[name] = entry
    try openCatalogStatements().replace(entry)
  }

  /// Drops the tables of a class and removes its catalog entry.
  func dropTables(of entry: FileClass) throws(DatabaseError) {
    catalog.firstRow = max(catalog.firstRow, entry.nextRow)
    for name in entry.tableNames {
      try database.execute("DROP TABLE IF EXISTS \(FileNames.quoted(name))")
    }
    try forget(entry)
  }

  /// Removes the catalog entry of a class, but not its tables.
  func forget(_ entry: FileClass) throws(DatabaseError) {
    try openCatalogStatements().remove(entry.name)
    catalog.classes[entry.name] = nil
    statements[entry.name] = nil
  }

  /// Creates the index of an indexed attribute, or the table of a collection.
  func makeParts(of attribute: FileAttribute, _ entry: FileClass) throws(DatabaseError) {
    if attribute.isCollection {
      let key = attribute.form == .map ? "key TEXT, " : ""
      try database.execute(
        """
        CREATE TABLE \(FileNames.quoted(attribute.sqlName)) (_row INTEGER, position INTEGER, \
        \(key)value \(attribute.type.declaration), PRIMARY KEY (_row, position)) WITHOUT ROWID
        """)
    } else if attribute.isIndexed, !attribute.isPrimaryKey {
      try database.execute(
        """
        CREATE INDEX IF NOT EXISTS \(indexName(attribute, entry)) \
        ON \(FileNames.quoted(entry.sqlName)) (\(FileNames.quoted(attribute.sqlName)))
        """)
    }
  }

  /// Returns the quoted name of an attribute's index. No class's table can have it, because their names do not begin
  /// with `store_`.
  func indexName(_ attribute: FileAttribute, _ entry: FileClass) -> String {
    FileNames.quoted(
      "store_index \(FileNames.quoted(entry.sqlName)).\(FileNames.quoted(attribute.sqlName))")
  }

  /// Adapts the tables of a class to its declaration, and writes the values of all rows to new columns.
  private func alter(
    _ table: FileTable, _ old: FileClass, _ mapping: FileMapping, _ rows: TableVersion
  ) throws {
    let unknownCount = mapping.unknown.count { !old.attributes[$0].isCollection }
    if let mistake = table.columnLimitMistake(unknownCount: unknownCount) {
      throw StoreError(.fileFailed(path: path, reason: mistake))
    }
    var entry = old
    var names = FileNames(catalog.tableNames)
    var columns = FileNames(
      ["_row"] + RowStatements.ownNames
        + entry.attributes.filter { !$0.isCollection }.map(\.sqlName))
    var rewritten: Set<Int> = []
    for column in mapping.columns {
      let stored = column.stored
      let new = column.wanted.named(stored.sqlName, sum: stored.sum)
      if stored.isIndexed, !new.isIndexed || column.isWidenedToDouble {
        try database.execute("DROP INDEX IF EXISTS \(indexName(stored, entry))")
      }
      if column.isWidenedToDouble {
        let name = FileNames.quoted(stored.sqlName)
        let tableName = FileNames.quoted(entry.sqlName)
        try database.execute("ALTER TABLE \(tableName) DROP COLUMN \(name)")
        try database.execute("ALTER TABLE \(tableName) ADD COLUMN \(new.declaration)")
        rewritten.insert(column.fileIndex)
      }
      entry.attributes[column.fileIndex] = new
      if !new.isCollection { try makeParts(of: new, entry) }
    }
    for index in mapping.missing {
      let new = table.attributes[index].named(in: entry.sqlName, &columns, &names)
      if !new.isCollection {
        try database.execute(
          "ALTER TABLE \(FileNames.quoted(entry.sqlName)) ADD COLUMN \(new.declaration)")
      }
      try makeParts(of: new, entry)
      rewritten.insert(entry.attributes.count)
      entry.attributes.append(new)
    }
    entry.schemaDigest = try FileCatalog.schemaDigest(of: entry, database)
    entry.digestDeclarations()
    self.statements[entry.name] = nil
    let statements = try rowStatements(entry, table)
    var writer = TableFileWriter(
      entry, table.layout, rows, rows, statements, values, unseen[entry.name])
    try writer.rewrite(statements.mapping.columns.filter { rewritten.contains($0.fileIndex) })
    if !mapping.missing.isEmpty { try writer.rewriteOwn() }
    catalog.classes[entry.name] = writer.entry
    try openCatalogStatements().replace(writer.entry)
  }
}

extension StoreFile {
  /// Rewrites some attributes of a class from memory, and the engine's own columns if `own` is true. Requires `lock`
  /// and a transaction.
  func rewrite(_ indexes: Set<Int>, own: Bool, of name: String, _ rows: TableVersion) throws {
    guard let table = table(name), let entry = catalog.classes[name] else { return }
    let statements = try rowStatements(entry, table)
    var writer = TableFileWriter(
      entry, table.layout, rows, rows, statements, values, unseen[entry.name])
    try writer.rewrite(statements.mapping.columns.filter { indexes.contains($0.fileIndex) })
    if own { try writer.rewriteOwn() }
    catalog.classes[name] = writer.entry
    try writeNumbers(of: writer.entry)
  }
}

extension FileCatalog {
  /// The names of the tables of all classes.
  var tableNames: [String] {
    classes.values.flatMap(\.tableNames)
  }
}

extension FileAttribute {
  /// The column definition of an attribute that is not a collection.
  var declaration: String {
    "\(FileNames.quoted(sqlName)) \(type.declaration)\(isPrimaryKey ? " UNIQUE" : "")"
  }

  /// Returns a copy with a name in the file.
  func named(_ sqlName: String, sum: UInt64 = 0) -> FileAttribute {
    FileAttribute(
      name: name, sqlName: sqlName, form: form, kind: kind, target: target,
      isOptional: isOptional, isPrimaryKey: isPrimaryKey, keyPart: keyPart, isIndexed: isIndexed,
      sum: sum)
  }

  func named(
    in table: String, _ columns: inout FileNames, _ tables: inout FileNames
  ) -> FileAttribute {
    named(isCollection ? tables.name("\(table).\(name)") : columns.name(name))
  }
}

import StoreDatabase

extension StoreFile {
  /// Writes the differences between two versions in one transaction.
  ///
  /// - Parameter dropsOtherClasses: True to drop all classes that the engine does not have.
  func commit(
    _ earlier: Version, _ later: Version, _ engine: StoreEngine, dropsOtherClasses: Bool = false
  ) throws(StoreError) {
    // Without the lock: this may load tables.
    let changes = later.tablesTouched(since: earlier).compactMap { index -> TableChange? in
      let table = engine.table(index)
      return TableChange(table.layout, earlier[table], later[table])
    }
    if changes.isEmpty, !dropsOtherClasses { return }
    do {
      try commit(changes, nil, keeping: dropsOtherClasses ? engine : nil)
    } catch {
      throw self.error(error)
    }
  }

  /// Drops the classes that the engine does not have.
  func dropClasses(outside engine: StoreEngine) throws(StoreError) {
    do {
      try commit([], nil, keeping: engine)
    } catch {
      throw self.error(error)
    }
  }

  /// - Parameter engine: The engine whose classes stay in the file; nil to keep all.
  /// - Throws: `StoreError`; `CancellationError` if `progress` is cancelled.
  func commit(
    _ changes: [TableChange], _ progress: FileProgress?, _ phase: Range<Double> = 0..<0.9,
    keeping engine: StoreEngine? = nil
  ) throws {
    try progress?.begin(
      phase, stepCount: changes.reduce(0) { $0 + $1.difference.inserted.count })
    let schedules = try lock.withLock {
      if let closed { throw closed }
      try transaction {
        try write(changes, progress)
        if let engine { try dropTables(outside: engine) }
      }
      noteWritten(changes)
      return changes.contains { needsColumnFile($0.name) }
    }
    if schedules { scheduleColumnFiles() }
  }

  /// The changes that a commit makes to one table.
  struct TableChange {
    let name: String
    let earlier: TableVersion
    let later: TableVersion
    let difference: TableDifference

    /// Returns nil if nothing differs.
    init?(_ layout: TableLayout, _ earlier: TableVersion, _ later: TableVersion) {
      difference = TableDifference(earlier, later, layout, firstColumn: 1)
      if difference.isEmpty { return nil }
      (name, self.earlier, self.later) = (layout.name, earlier, later)
    }
  }

  private func dropTables(outside engine: StoreEngine) throws {
    let known = Set(engine.allTables().map(\.layout.name))
    for entry in catalog.classes.values where !known.contains(entry.name) {
      try dropTables(of: entry)
    }
    try catalog.writeInfo(database)
  }

  /// Runs `body` as one transaction of the database. Changes to the catalog are undone if it fails. Requires `lock`.
  func transaction(_ body: () throws -> Void) throws {
    assert(closed != nil || !database.isInTransaction, "Transactions do not nest")
    let before = catalog
    do {
      // SQLite would keep writing to the open files.
      if let lostFile { throw lostFile }
      let ends = try openTransactionStatements()
      try ends.begin.run()
      try body()
      try ends.commit.run()
    } catch {
      catalog = before
      columnFiles.changedChunks = nil
      statements = [:]
      catalogStatements = nil
      if database.isInTransaction { try? database.execute("ROLLBACK") }
      if error is CancellationError { throw error }
      let known = self.error(error)
      if isFinal(error) { closed = known }
      if case .fileDamaged = known.kind { recordDamage(known) }
      throw known
    }
  }

  /// True if nothing can be written after this failure.
  private func isFinal(_ failure: any Error) -> Bool {
    (failure as? DatabaseError)?.isUncertain ?? false || lostFile != nil
  }

  /// Writes the changes of a commit. Requires `lock` and a transaction.
  func write(_ changes: [TableChange], _ progress: FileProgress? = nil) throws {
    var isNew = false
    for change in changes {
      isNew = try prepareTables(of: change.name, change.earlier) || isNew
    }
    if isNew { try catalog.writeInfo(database) }
    for change in changes {
      if let table = table(change.name) { try write(change, table, progress) }
    }
    for change in changes { try dropUntrackedEdits(of: change.name) }
    for change in changes where !change.difference.deleted.isEmpty {
      try noteDangling(linksTo: change.name)
    }
  }

  /// Drops the base table of a class that tracks edits no longer: what it says of the server ends with the first change of the
  /// class.
  private func dropUntrackedEdits(of name: String) throws {
    let base = name + ObjectSchema.baseSuffix
    if table(base) != nil { return }
    guard let entry = catalog.classes[base] else { return }
    try dropTables(of: entry)
    try catalog.writeInfo(database)
  }

  /// Writes the changes of a commit to one table, which the file already has.
  func write(
    _ change: TableChange, _ table: FileTable, _ progress: FileProgress? = nil
  ) throws {
    guard let entry = catalog.classes[change.name] else { return }
    var writer = TableFileWriter(
      entry, table.layout, change.earlier, change.later, try rowStatements(entry, table), values,
      unseen[entry.name])
    try writer.write(change.difference, progress)
    try listChangedChunks(change)
    catalog.classes[change.name] = writer.entry
    try writeNumbers(of: writer.entry)
  }

  func rowStatements(
    _ entry: FileClass, _ table: FileTable
  ) throws(DatabaseError) -> RowStatements {
    if let known = statements[entry.name] { return known }
    let new = try RowStatements(database, entry, FileMapping(table, entry))
    statements[entry.name] = new
    return new
  }

  func writeNumbers(of entry: FileClass) throws(DatabaseError) {
    try openCatalogStatements().update(entry)
  }

  private func openTransactionStatements() throws(DatabaseError) -> TransactionStatements {
    if let transactionStatements { return transactionStatements }
    let new = TransactionStatements(
      begin: try database.prepare("BEGIN IMMEDIATE"), commit: try database.prepare("COMMIT"))
    transactionStatements = new
    return new
  }

  func openCatalogStatements() throws(DatabaseError) -> CatalogStatements {
    if let catalogStatements { return catalogStatements }
    let new = try CatalogStatements(database)
    catalogStatements = new
    return new
  }

  /// Marks the classes that may link to the deleted rows of a class through attributes that the store cannot see.
  private func noteDangling(linksTo name: String) throws(DatabaseError) {
    for entry in catalog.classes.values
    where !entry.mayDangle && entry.attributes.contains(where: { isUnseen($0, entry, to: name) }) {
      var entry = entry
      entry.mayDangle = true
      catalog.classes[entry.name] = entry
      try writeNumbers(of: entry)
    }
  }

  /// True if an attribute links to a class but deletions do not clear these links, because the attribute is not loaded
  /// or not declared.
  private func isUnseen(_ attribute: FileAttribute, _ entry: FileClass, to target: String) -> Bool {
    guard attribute.target == target else { return false }
    guard loaded.contains(entry.name), let table = table(entry.name) else { return true }
    return !table.attributes.contains { $0.name.hasSameBytes(as: attribute.name) }
  }
}

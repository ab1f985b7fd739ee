import StoreDatabase

extension StoreFile {
  /// The reasons why the file's rows of a class cannot be read as the class is declared; empty if they can.
  func mistakes(in name: String) -> [String] {
    lock.withLock {
      guard let table = table(name), let entry = catalog.classes[name] else { return [] }
      return FileMapping(table, entry).mistakes
    }
  }

  /// Loads the rows of a class. If they cannot be read, records the damage and returns an empty table.
  func load(_ name: String, _ table: Table) -> TableVersion {
    // Deletions of rows that the class links to may still be queued. If they cannot be written, the next write reports
    // the error.
    try? queue?.drainPending(self)
    let loader = lock.withLock {
      loaded.insert(name)
      if columnFiles.dataVersion == nil { columnFiles.dataVersion = try? dataVersion() }
      return attempt(name) { try read(name, table) } ?? nil
    }
    guard let loader else { return table.emptyVersion }
    // Without the lock: the defaults of new attributes run user code.
    let version = Result { try loader.completedTable() }
    let (rows, schedules) = lock.withLock { () -> (TableVersion?, Bool) in
      let rows = attempt(name) { try repair(name, table, loader, try version.get()) }
      columnFiles.written[name] = rows
      return (rows, needsColumnFile(name))
    }
    if schedules { scheduleColumnFiles() }
    return rows ?? table.emptyVersion
  }

  /// Reads the rows from the file; nil if it does not have the class. Requires `lock`.
  private func read(_ name: String, _ table: Table) throws -> TableLoader? {
    guard let entry = catalog.classes[name], let known = self.table(name) else { return nil }
    let mapping = FileMapping(known, entry)
    if !mapping.mistakes.isEmpty {
      throw StoreError(.migrationNeeded(path: path, mistakes: mapping.mistakes))
    }
    table.setUnseenEdits(try unseenEdits(entry, mapping))
    // The rows are complete without a column file.
    if let columns = try? mappedColumns(of: entry, table, mapping) {
      var loader = TableLoader(database, entry, table, mapping, columns: columns)
      if (try? loader.read()) != nil {
        columnFiles.mapped.insert(name)
        return loader
      }
      columnFiles.unusable.insert(name)
    }
    var loader = TableLoader(database, entry, table, mapping)
    try loader.read()
    return loader
  }

  /// Returns the slots of the rows of a base table with edits of attributes that the class lacks. Requires `lock`.
  private func unseenEdits(
    _ entry: FileClass, _ mapping: FileMapping
  ) throws(DatabaseError) -> Set<Int> {
    let suffixes = (ObjectSchema.baseSuffix, ObjectSchema.marksSuffix)
    guard entry.name.hasSuffix(suffixes.0) else { return [] }
    let marks = mapping.unknown.map { entry.attributes[$0] }
      .filter { $0.name.hasSuffix(suffixes.1) && $0.kind != nil && !$0.isCollection }
    if marks.isEmpty { return [] }
    let isEdited = marks.map {
      "\(FileNames.quoted($0.sqlName)) & \(EditMarks.edited.rawValue)"
    }
    let statement = try database.prepare(
      "SELECT _row FROM \(FileNames.quoted(entry.sqlName)) WHERE \(isEdited.joined(separator: " OR "))"
    )
    var slots: Set<Int> = []
    while try statement.step() { slots.insert(Int(clamping: statement.int64(0)) - 1) }
    return slots
  }

  /// Writes the defaults that loading filled in, and clears dangling links. Requires `lock`.
  private func repair(
    _ name: String, _ table: Table, _ loader: TableLoader, _ version: TableVersion
  ) throws -> TableVersion {
    unseen[name] = loader.mapping.unknown.isEmpty ? nil : loader.unseen
    if !options.isReadOnly, !loader.filled.isEmpty {
      try transaction {
        _ = try prepareTables(of: name, version)
        try rewrite(loader.filled, own: true, of: name, version)
      }
    }
    guard let entry = catalog.classes[name],
      entry.mayDangle || entry.attributes.contains(where: { deletedSlots[$0.target ?? ""] != nil })
    else { return version }
    let clean = try withoutDanglingLinks(loader.mapping, table, version, database) {
      catalog.classes[$0]
    }
    try write(clean, insteadOf: version, of: entry, table, loader.mapping)
    return clean
  }

  /// Runs `body` and returns its result, or nil after an error. Records the error as damage, or, in a cache, resets a
  /// class whose declaration changed. Requires `lock`.
  private func attempt<R>(_ name: String, _ body: () throws -> R) -> R? {
    do {
      return try body()
    } catch {
      var error = self.error(error)
      if case .migrationNeeded(_, let mistakes) = error.kind {
        error = StoreError(.migrationNeeded(path: path, mistakes: mistakes))
        if options.isCache, reset(name, error) { return nil }
      }
      recordDamage(error)
      return nil
    }
  }

  // MARK: - Dangling links

  /// Returns the rows without links to rows that were deleted while the store could not see these links.
  func withoutDanglingLinks(
    _ mapping: FileMapping, _ table: Table, _ version: TableVersion, _ database: Database,
    _ entry: (String) -> FileClass?
  ) throws -> TableVersion {
    let writer = TableWriter(
      table, version: version, editOwner: StoreEngine.repairOwner, nextSlot: version.count,
      nextVersion: 0, failure: TransactionFailure(), clock: ChangeClock())
    for column in mapping.columns {
      guard let target = column.stored.target else { continue }
      let rows = try liveRows(of: entry(target), in: database)
      version.forEachLive { slot in
        writer.clearLinks(slot, column.column, column.layout) { !rows.contains($0) }
        return true
      }
    }
    writer.updateIndexes(from: version)
    return writer.version
  }

  /// Writes the rows whose dangling links were cleared.
  private func write(
    _ clean: TableVersion, insteadOf version: TableVersion, of entry: FileClass, _ table: Table,
    _ mapping: FileMapping
  ) throws {
    if options.isReadOnly { return }
    var new = entry
    // Attributes that the class does not have keep their links.
    new.mayDangle = mapping.unknown.contains { entry.attributes[$0].target != nil }
    try transaction {
      catalog.classes[entry.name] = new
      let change = TableChange(table.layout, version, clean)
      try write(change.map { [$0] } ?? [])
      try writeNumbers(of: catalog.classes[entry.name] ?? new)
    }
  }

  /// Returns the slots of the rows that a class has in the file, except those that the store deleted.
  private func liveRows(
    of entry: FileClass?, in database: Database
  ) throws(DatabaseError) -> Set<Int> {
    guard let entry else { return [] }
    let statement = try database.prepare("SELECT _row FROM \(FileNames.quoted(entry.sqlName))")
    var rows: Set<Int> = []
    while try statement.step() { rows.insert(Int(clamping: statement.int64(0)) - 1) }
    return rows.subtracting(deletedSlots[entry.name] ?? [])
  }

  // MARK: - Caches

  /// Empties a class of a cache that cannot be read as it is now declared. Returns false if that fails.
  private func reset(_ name: String, _ reason: StoreError) -> Bool {
    guard !options.isReadOnly, let old = catalog.classes[name], let known = table(name) else {
      return false
    }
    do {
      try transaction {
        try dropTables(of: old)
        try makeTables(of: known, nextRow: old.nextRow)
        for entry in catalog.classes.values
        where entry.attributes.contains(where: { $0.target == name }) {
          var entry = entry
          entry.mayDangle = true
          catalog.classes[entry.name] = entry
          try writeNumbers(of: entry)
        }
      }
      recordReset(reason)
      return true
    } catch {
      return false
    }
  }
}

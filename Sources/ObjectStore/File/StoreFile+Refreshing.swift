import Dispatch
import StoreDatabase

// A store that only reads shows the commits of the process that writes its file:
//
//     probe      notices a commit by SQLite's data_version, or by the catalog
//     read       the classes that differ: the chunks that the writer lists as changed, or all rows; checksums show if
//                that was enough
//     publish    the differences, as a commit does, so that observers are notified as usual

extension StoreFile {
  /// A second connection, which notices commits.
  struct Probe {
    let database: Database
    /// SQLite's number of the commits of other connections when its content was last compared.
    let dataVersion: Int64
  }

  /// Looks for commits of another process at intervals, and then lets the handles that follow an actor refresh.
  func watchWriter(_ engine: StoreEngine) {
    guard options.isReadOnly, let interval = options.refreshNanoseconds else { return }
    let timer = DispatchSource.makeTimerSource(queue: columnQueue)
    let period = DispatchTimeInterval.nanoseconds(interval)
    timer.schedule(
      deadline: .now() + period, repeating: period, leeway: .nanoseconds(interval / 8))
    timer.setEventHandler { [weak self, weak engine] in
      if self?.mayHaveChanged ?? false { engine?.notifyListeners() }
    }
    writerWatch = timer
    timer.resume()
  }

  /// False if the file certainly has no commit that the store does not show.
  private var mayHaveChanged: Bool {
    lock.withLock {
      // The probe would have a removed file open.
      guard let probe, FileIdentity(path) == identity else { return true }
      return (try? dataVersion(of: probe.database)) != probe.dataVersion
    }
  }

  /// Publishes the newest commit of another process. Does nothing in a store that can be written, and in an open write of
  /// the same thread. If the new content cannot be read, records the damage and publishes nothing.
  ///
  /// - Complexity: O(1) without a commit. Otherwise O(*n*) in the rows of the classes that have changed; if a class has a column
  ///   file, in those of the parts that have changed since it was written.
  func refresh(_ engine: StoreEngine) {
    // A store that has accepted external changes shows a copy.
    guard options.isReadOnly, !options.acceptsExternalEdits, mayHaveChanged else { return }
    guard (try? engine.writerLock.acquire()) != nil else { return }
    defer { engine.writerLock.release() }
    do {
      let (newest, catalog) = try beginProbe()
      let isSame = lock.withLock { self.catalog.hasSameContent(as: catalog) }
      if isSame { return try keep(newest) }
      do {
        try publish(newest, catalog, engine)
      } catch let error as StoreError {
        // Until the next commit, trying again would fail again.
        try keep(newest)
        throw error
      }
    } catch {
      lock.withLock { recordDamage(self.error(error)) }
    }
  }

  /// Ends the transaction of the probe, which then notices the next commit.
  private func keep(_ newest: Database) throws {
    let version = try dataVersion(of: newest)
    try newest.execute("ROLLBACK")
    lock.withLock { probe = Probe(database: newest, dataVersion: version) }
  }

  /// Publishes the content of the newest commit. Requires the writer lock.
  private func publish(_ newest: Database, _ catalog: FileCatalog, _ engine: StoreEngine) throws {
    try Self.checkSchemaVersion(catalog, path, options)
    var changes: [NewerRows] = []
    var names: Set<String> = []
    var isShown = false
    while !isShown {
      // Another thread may use a further class for the first time.
      let tables = engine.allTables().filter { !names.contains($0.layout.name) }
      for table in tables {
        if let rows = try newerRows(table, engine, newest, catalog) { changes.append(rows) }
        names.insert(table.layout.name)
      }
      isShown = lock.withLock {
        if !loaded.isSubset(of: names) { return false }
        show(newest, catalog, from: engine.newest.number + (changes.isEmpty ? 0 : 1))
        return true
      }
    }
    if changes.isEmpty { return }
    let transaction = Transaction(engine)
    for newer in changes { transaction.takeOver(newer) }
    engine.basesWithTombstones = [:]
    _ = try transaction.commit(isInFile: true)
  }

  /// Returns a connection with a transaction that shows the newest commit, and its catalog.
  private func beginProbe() throws -> (Database, FileCatalog) {
    let known = lock.withLock {
      defer { probe = nil }
      return probe?.database
    }
    guard FileIdentity(path) == identity else {
      throw StoreError(
        .fileFailed(
          path: path, reason: "the file was removed, renamed or replaced; open the store again"))
    }
    guard let known else { return try Self.openSnapshot(path, isOpenHere: true) }
    try known.execute("BEGIN")
    try Self.check(known, path, Self.number(known, "PRAGMA application_id"))
    return (known, try FileCatalog(known))
  }

  /// Reads from the newest state from now on. Requires `lock`.
  ///
  /// - Parameter version: The first version that shows the state.
  private func show(_ newest: Database, _ catalog: FileCatalog, from version: UInt64) {
    replaceDatabase(newest)
    self.catalog = catalog
    columnFiles.changedChunks = nil
    firstVersion = version
    watchLog()
    boundLog()
  }

  // MARK: - Classes

  /// Returns the rows of a class in the newest state; nil if they do not differ.
  private func newerRows(
    _ table: Table, _ engine: StoreEngine, _ newest: Database, _ catalog: FileCatalog
  ) throws -> NewerRows? {
    let name = table.layout.name
    let current = engine.newest[table]
    let (old, known) = lock.withLock { (self.catalog.classes[name], self.table(name)) }
    guard let known else { return nil }
    let new = catalog.classes[name]
    if old?.digest == new?.digest, !mayLinkToDeletedRows(new, catalog) { return nil }
    guard let new else { return NewerRows(table, current, table.emptyVersion, columns: []) }
    let mapping = FileMapping(known, new)
    if !mapping.mistakes.isEmpty {
      throw StoreError(.migrationNeeded(path: path, mistakes: mapping.mistakes))
    }
    let columns = Set(mapping.columns.map(\.column))
    let rows =
      try changedChunks(old, new, current, mapping, table, engine, newest)
      ?? allRows(new, mapping, table, newest, catalog, comparedWith: current)
    let newer = NewerRows(table, current, rows, columns: columns)
    if newer?.liveCount ?? current.liveCount != new.rowCount || new.nextRow < old?.nextRow ?? 1 {
      // Another tool has made the table anew, whose rows have the numbers of others.
      throw StoreError(
        .fileFailed(
          path: path, reason: "\(name): all rows were replaced; open the store again"))
    }
    return newer
  }

  /// True if a class that the writer has not loaded links to a class that has changed: its rows in the file may link to rows that
  /// were deleted.
  private func mayLinkToDeletedRows(_ entry: FileClass?, _ catalog: FileCatalog) -> Bool {
    guard let entry, entry.mayDangle else { return false }
    let known = lock.withLock { self.catalog }
    return entry.attributes.contains { attribute in
      attribute.target.map { catalog.classes[$0]?.digest != known.classes[$0]?.digest } ?? false
    }
  }

  /// Reads all rows of a class.
  ///
  /// - Parameter current: The rows with which they are compared.
  private func allRows(
    _ entry: FileClass, _ mapping: FileMapping, _ table: Table, _ newest: Database,
    _ catalog: FileCatalog, comparedWith current: TableVersion
  ) throws -> TableVersion {
    var loader = TableLoader(newest, entry, table, mapping)
    try loader.read()
    loader.addDeadRows(upTo: current.count)
    var rows = try loader.completedTable()
    if entry.mayDangle {
      rows = try withoutDanglingLinks(mapping, table, rows, newest) { catalog.classes[$0] }
    }
    // In the directory, a chunk without rows looks like one that is made when it is first read.
    var next = current.presentChunk(from: 0, end: current.count)
    while let index = next {
      if !rows.hasChunk(index) { rows.putChunk(index, rows.empty) }
      next = current.presentChunk(from: index + 1, end: current.count)
    }
    return rows
  }

  /// Reads the chunks of a class that the writer lists as changed, and returns them with those that are known. Returns nil if
  /// others may have changed, too.
  private func changedChunks(
    _ old: FileClass?, _ new: FileClass, _ current: TableVersion, _ mapping: FileMapping,
    _ table: Table, _ engine: StoreEngine, _ newest: Database
  ) throws -> TableVersion? {
    guard let old, old.rowCount >= options.columnFileRows, !old.mayDangle, !new.mayDangle,
      mapping.isExact, mapping.unknown.isEmpty, old.attributes.count == new.attributes.count,
      let listed = try changedChunks(in: newest)[new.name]
    else { return nil }
    let chunks = listed.sorted()
    var loader = TableLoader(newest, new, table, mapping)
    var sums = ClassSums(of: old)
    sums.add(try loader.read(chunks: chunks))
    var former = ClassSums(of: new)
    let values = FileRowValues(mapping, table.layout, FileValues())
    for chunk in chunks {
      let first = chunk << ChunkLayout.shift
      for slot in first..<first + ChunkLayout.rows where current.isLive(slot) {
        values.add(current, slot, to: &former)
      }
    }
    // The known rows, with those read and without those that they replace, must have the sums of the file.
    guard sums == former else { return nil }
    let rows = TableVersion(copying: current, editOwner: engine.newEditOwner())
    for index in chunks {
      if let chunk = loader.chunk(index) {
        rows.putChunk(index, chunk)
      } else if rows.hasChunk(index) {
        rows.setChunk(index, rows.empty)
      }
    }
    rows.count = max(current.count, loader.slotCount)
    return rows
  }
}

extension FileCatalog {
  /// True if both describe the same rows of the same classes.
  fileprivate func hasSameContent(as other: FileCatalog) -> Bool {
    schemaVersion == other.schemaVersion && classes.count == other.classes.count
      && classes.allSatisfy { $1.digest == other.classes[$0]?.digest }
  }
}

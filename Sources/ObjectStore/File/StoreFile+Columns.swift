import Dispatch
import Foundation
import StoreDatabase

// Column files: written in the background, mapped when a class is loaded. See ``ColumnFile``.
//
//     commit ──▶ rows; chunks of changed rows in store_changed_chunks
//     later  ──▶ FILE.columns/Class from an immutable version; then only chunks changed since are listed
//     load   ──▶ mapped chunks, and the listed ones from the database

extension StoreFile {
  /// The state of the column files. Guarded by the file's lock.
  struct ColumnFiles {
    /// The chunks of each class that have changed since its column file was written, for classes that have one. Nil until
    /// read from the database.
    var changedChunks: [String: Set<Int>]?
    /// The chunks that have changed since a column file began to be written.
    var laterChunks: [String: Set<Int>] = [:]
    /// The rows that the database has.
    var written: [String: TableVersion] = [:]
    /// The classes whose file was missing, incomplete or damaged.
    var unusable: Set<String> = []
    /// The number of external changes that the checksums have accepted.
    var verifiedChanges: [String: Int64] = [:]
    /// SQLite's number of the commits of other connections before the first class was loaded.
    var dataVersion: Int64?
    /// The classes whose file was mapped.
    var mapped: Set<String> = []
    var isScheduled = false
    /// The time before which no more files are written in the background.
    var nextTime = ContinuousClock.now
    /// True once the last handle is released.
    var isClosing = false
  }

  /// The occasion on which column files are written.
  enum ColumnFileOccasion {
    /// While the store is in use: rarely.
    case background
    /// When the store is flushed: whenever the next opening becomes noticeably faster.
    case idle

    /// A file is replaced if more than this part of its chunks has changed.
    var changedPart: Int { self == .background ? 8 : 16 }
  }

  private static let tables = """
    CREATE TABLE IF NOT EXISTS store_changed_chunks (class TEXT, chunk INTEGER, \
    PRIMARY KEY (class, chunk)) WITHOUT ROWID;
    CREATE TABLE IF NOT EXISTS store_edits (class TEXT PRIMARY KEY, count INTEGER) WITHOUT ROWID
    """

  /// The row of `store_changed_chunks` that shows that a class has a column file.
  private static let mark = -1

  // MARK: - Changes

  /// Lists the chunks of a commit's changes, if the class has a column file. Requires `lock` and a transaction.
  func listChangedChunks(_ change: TableChange) throws {
    if columnFiles.changedChunks == nil { columnFiles.changedChunks = try changedChunksInFile() }
    guard columnFiles.changedChunks?[change.name] != nil else { return }
    var statement: Statement?
    var last = -1
    func list(_ slot: Int) throws {
      let chunk = slot >> ChunkLayout.shift
      if chunk == last { return }
      last = chunk
      columnFiles.laterChunks[change.name]?.insert(chunk)
      guard columnFiles.changedChunks?[change.name]?.insert(chunk).inserted ?? false else { return }
      if statement == nil { statement = try insertStatement(change.name) }
      statement?.bind(2, Int64(chunk))
      try statement?.run()
    }
    for slot in change.difference.inserted { try list(slot) }
    for slot in change.difference.deleted { try list(slot) }
    for (slot, _) in change.difference.changed { try list(slot) }
  }

  private func insertStatement(_ name: String) throws(DatabaseError) -> Statement {
    let statement = try database.prepare("INSERT OR IGNORE INTO store_changed_chunks VALUES (?, ?)")
    statement.bindTextCopy(1, Array(name.utf8))
    return statement
  }

  private func changedChunksInFile() throws(DatabaseError) -> [String: Set<Int>] {
    try changedChunks(in: database)
  }

  /// Returns the chunks that have changed since the column file was written, of each class that has one.
  func changedChunks(in database: Database) throws(DatabaseError) -> [String: Set<Int>] {
    guard try hasColumnTables(database) else { return [:] }
    let statement = try database.prepare("SELECT class, chunk FROM store_changed_chunks")
    var chunks: [String: Set<Int>] = [:]
    while try statement.step() {
      let chunk = statement.int64(1)
      chunks[statement.string(0), default: []].formUnion(chunk < 0 ? [] : [Int(chunk)])
    }
    return chunks
  }

  private func hasColumnTables(_ database: Database) throws(DatabaseError) -> Bool {
    let statement = try database.prepare(
      """
      SELECT count(*) FROM sqlite_schema WHERE type = 'table' \
      AND name IN ('store_changed_chunks', 'store_edits')
      """)
    return try statement.step() && statement.int64(0) == 2
  }

  // MARK: - Loading

  /// Returns the column file of a class, mapped; nil if all rows must be read. Requires `lock`.
  func mappedColumns(
    of entry: FileClass, _ table: Table, _ mapping: FileMapping
  ) throws -> MappedColumns? {
    guard entry.rowCount >= options.columnFileRows, mapping.isExact, mapping.unknown.isEmpty,
      columnFiles.written[entry.name] == nil
    else { return nil }
    columnFiles.unusable.insert(entry.name)
    let externalChanges = try hasColumnTables(database) ? externalChangeCount(of: entry) : nil
    columnFiles.verifiedChanges[entry.name] = externalChanges
    if columnFiles.changedChunks == nil { columnFiles.changedChunks = try changedChunksInFile() }
    // `table` refers to its rows, which must not refer to it.
    let rows = Table(
      index: table.index, layout: table.layout, empty: table.emptyVersion.empty,
      defaults: table.defaults)
    guard externalChanges == 0, let changed = columnFiles.changedChunks?[entry.name],
      let columns = MappedColumns(
        ColumnFile.path(path, entry.name), entry, rows,
        ChunkCheck(mapping, table.layout) { (catalog.classes[$0]?.nextRow ?? 1) - 1 },
        changedChunks: changed,
        readDamaged: { [weak self] chunk, isMade in
          guard let self else { return rows.emptyVersion.empty }
          return self.readDamaged(chunk, entry, rows, mapping, isMade: isMade)
        },
        noteDamagedIndex: { [weak self, name = entry.name] in
          self?.lock.withLock { _ = self?.columnFiles.unusable.insert(name) }
        })
    else { return nil }
    // Without an index that the class has, the file is used, and replaced when the store is idle.
    if columns.hasIndexes(of: table.layout) { columnFiles.unusable.remove(entry.name) }
    return columns
  }

  /// Returns a chunk that is damaged in the column file of a class, with the rows of the database; nil if another thread
  /// has made it. If the database has other rows, records this, so that nothing is written from now on, and returns a
  /// chunk without rows.
  ///
  /// The database still has the rows with which the class was loaded: a commit that changes a chunk makes it first, and
  /// then waits for `lock`.
  private func readDamaged(
    _ chunk: ColumnFile.Entry, _ entry: FileClass, _ table: Table, _ mapping: FileMapping,
    isMade: () -> Bool
  ) -> Chunk? {
    lock.withLock {
      if isMade() { return nil }
      columnFiles.unusable.insert(entry.name)
      // The next opening reads all rows at once, which is faster.
      if ownership != nil {
        try? FileManager.default.removeItem(atPath: ColumnFile.path(path, entry.name))
      }
      do {
        var loader = TableLoader(database, entry, table, mapping)
        return try loader.readChunk(chunk)
      } catch {
        let reason = (error as? FileCatalog.Damage)?.details ?? "\(error)"
        recordDamage(StoreError(.fileFailed(path: path, reason: reason)))
        return table.emptyVersion.empty
      }
    }
  }

  /// Returns SQLite's `data_version`, which changes when another connection commits.
  func dataVersion() throws(DatabaseError) -> Int64 { try dataVersion(of: database) }

  func dataVersion(of database: Database) throws(DatabaseError) -> Int64 {
    let statement = try database.prepare("PRAGMA data_version")
    return try statement.step() ? statement.int64(0) : 0
  }

  /// Returns the number of external changes of the tables of a class; nil if they are not counted.
  private func externalChangeCount(of entry: FileClass) throws(DatabaseError) -> Int64? {
    let found = try database.prepare("SELECT sql FROM sqlite_schema WHERE type = 'trigger'")
    var triggers: Set<String> = []
    while try found.step() { triggers.insert(found.string(0)) }
    guard Self.triggers(of: entry).allSatisfy({ triggers.contains($0.sql) }) else { return nil }
    let statement = try database.prepare("SELECT count FROM store_edits WHERE class = ?")
    statement.bindTextCopy(1, Array(entry.name.utf8))
    return try statement.step() ? statement.int64(0) : 0
  }

  /// The triggers that count external changes. They do not run for this connection.
  private static func triggers(of entry: FileClass) -> [(name: String, sql: String)] {
    entry.tableNames.flatMap { table in
      ["INSERT", "UPDATE", "DELETE"].map { change in
        let name = FileNames.quoted("store_edit \(table) \(change)")
        let text = entry.name.split(separator: "'", omittingEmptySubsequences: false)
          .joined(separator: "''")
        return (
          name,
          "CREATE TRIGGER \(name) AFTER \(change) ON \(FileNames.quoted(table)) "
            + "BEGIN INSERT INTO store_edits VALUES ('\(text)', 1) "
            + "ON CONFLICT (class) DO UPDATE SET count = count + 1; END"
        )
      }
    }
  }

  /// The classes whose rows were mapped, sorted.
  var mappedClasses: [String] { lock.withLock { columnFiles.mapped.sorted() } }

  // MARK: - Writing

  /// Records the rows that the database has. Requires `lock`.
  func noteWritten(_ changes: [TableChange]) {
    for change in changes { columnFiles.written[change.name] = change.later }
  }

  /// True if column files should be scheduled because of a class. Requires `lock`.
  func needsColumnFile(_ name: String) -> Bool {
    !columnFiles.isScheduled && closed == nil && isStale(name, .background)
      && columnFiles.nextTime <= .now
  }

  /// Writes column files in the background soon.
  func scheduleColumnFiles() {
    let starts = lock.withLock {
      if columnFiles.isScheduled { return false }
      columnFiles.isScheduled = true
      return true
    }
    guard starts else { return }
    // After the burst of commits that made it worthwhile.
    columnQueue.asyncAfter(deadline: .now() + 1) { [weak self] in
      self?.writeColumnFiles(.background)
    }
  }

  /// Writes the column files of the classes for which that is worthwhile, on this thread.
  func updateColumnFiles() { columnQueue.sync { writeColumnFiles(.idle) } }

  /// Writes the column files of the classes for which that is worthwhile, until the last handle is released.
  private func writeColumnFiles(_ occasion: ColumnFileOccasion) {
    let names = lock.withLock { () -> [String] in
      columnFiles.isScheduled = false
      // Under a steady load, the files would be written all the time.
      if occasion == .background { columnFiles.nextTime = .now + .seconds(300) }
      return catalog.classes.keys.filter { isStale($0, occasion) }.sorted()
    }
    for name in names where !isClosing {
      // A store without a column file is complete.
      try? writeColumnFile(name)
    }
  }

  private var isClosing: Bool { lock.withLock { columnFiles.isClosing } }

  /// True if a new column file of a class is worthwhile. Requires `lock`.
  private func isStale(_ name: String, _ occasion: ColumnFileOccasion) -> Bool {
    guard !options.isReadOnly, let entry = catalog.classes[name], !entry.mayDangle,
      entry.rowCount >= options.columnFileRows, columnFiles.written[name] != nil
    else { return false }
    guard !columnFiles.unusable.contains(name), let changed = columnFiles.changedChunks?[name]
    else {
      return true
    }
    let chunkCount = (entry.nextRow - 1) >> ChunkLayout.shift
    return changed.count * occasion.changedPart > chunkCount
  }

  private func writeColumnFile(_ name: String) throws {
    let begin = try lock.withLock { try beginColumnFile(name) }
    guard let (version, entry, table, mapping) = begin else { return }
    defer { lock.withLock { columnFiles.laterChunks[name] = nil } }
    // As for the database: its readers may read the copy.
    let attributes = try FileManager.default.attributesOfItem(atPath: path)
    let permissions = (attributes[.posixPermissions] as? NSNumber)?.uint16Value ?? 0o600
    try? FileSync.makeFolder(
      ColumnFile.folder(path), permissions: permissions | permissions >> 2 & 0o111 | 0o700)
    var writer = try ColumnFileWriter(
      version, table.layout, entry, mapping, to: ColumnFile.path(path, name),
      permissions: permissions | 0o600)
    guard try writer.write({ isClosing }) else { return }
    try lock.withLock { try endColumnFile(name) }
  }

  /// Prepares the database, so that it lists the changes made from now on. Returns the rows to write.
  private func beginColumnFile(
    _ name: String
  ) throws -> (TableVersion, FileClass, FileTable, FileMapping)? {
    guard closed == nil, let version = columnFiles.written[name], let entry = catalog.classes[name],
      let table = table(name)
    else { return nil }
    let mapping = FileMapping(table, entry)
    guard mapping.isExact, mapping.unknown.isEmpty else { return nil }
    if try !hasColumnTables(database) || externalChangeCount(of: entry) == nil {
      // An external change made since the rows were verified, and before it is counted, must not be hidden by the column file.
      guard try columnFiles.dataVersion == dataVersion() else { return nil }
      try transaction {
        try database.execute(Self.tables)
        for trigger in Self.triggers(of: entry) {
          try database.execute("DROP TRIGGER IF EXISTS \(trigger.name)")
          try database.execute(trigger.sql)
        }
      }
    }
    if columnFiles.changedChunks == nil { columnFiles.changedChunks = try changedChunksInFile() }
    if columnFiles.changedChunks?[name] == nil {
      try transaction {
        let statement = try insertStatement(name)
        statement.bind(2, Int64(Self.mark))
        try statement.run()
      }
      columnFiles.changedChunks?[name] = []
    }
    columnFiles.laterChunks[name] = []
    return (version, entry, table, mapping)
  }

  /// Removes the changes that a new column file contains from the list.
  private func endColumnFile(_ name: String) throws {
    guard closed == nil, let later = columnFiles.laterChunks[name] else { return }
    try transaction {
      let delete = try database.prepare(
        "DELETE FROM store_changed_chunks WHERE class = ? AND chunk >= 0")
      delete.bindTextCopy(1, Array(name.utf8))
      try delete.run()
      let insert = try insertStatement(name)
      for chunk in later {
        insert.bind(2, Int64(chunk))
        try insert.run()
      }
      // External changes made after the rows were verified are found when they are loaded.
      let changes = try database.prepare("DELETE FROM store_edits WHERE class = ? AND count = ?")
      changes.bindTextCopy(1, Array(name.utf8))
      changes.bind(2, columnFiles.verifiedChanges[name] ?? 0)
      try changes.run()
    }
    columnFiles.changedChunks?[name] = later
    columnFiles.unusable.remove(name)
  }
}

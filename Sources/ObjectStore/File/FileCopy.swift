import StoreDatabase

/// The initial content of an in-memory store: an in-memory copy of a file, from which each class is loaded on first
/// use.
// Sendable: immutable; the file has its own lock.
final class FileCopy: CommitLog, Sendable {
  let file: StoreFile

  /// - Parameter open: The file, if this process has it open.
  init(
    of path: String, open: StoreFile?, acceptsExternalEdits: Bool
  ) throws(StoreError) {
    file = try StoreFile.openCopy(of: path, open: open, acceptsExternalEdits: acceptsExternalEdits)
  }

  func write(
    _ earlier: Version, _ later: Version, _ engine: StoreEngine, dropsOtherClasses: Bool
  ) throws(StoreError) {
    // As in a file: other classes link to the rows of the damaged class, which cannot be read.
    if let damage = file.damage.first { throw damage }
    if dropsOtherClasses { try file.dropClasses(outside: engine) }
    for index in later.tablesTouched(since: earlier) {
      let table = engine.table(index)
      guard file.hasUnloadedLinks(to: table.layout.name) else { continue }
      let difference = TableDifference(
        earlier[table], later[table], table.layout, firstColumn: 1)
      file.recordDeleted(difference.deleted, of: table.layout.name)
    }
  }

  func didPublish(_ version: Version, _ engine: StoreEngine) {}

  #if DEBUG || STORE_INVARIANTS
    func hasLinks(to table: String, outside tables: ContiguousArray<Table>) -> Bool {
      file.hasLinks(to: table, outside: tables)
    }
  #endif
}

extension StoreFile {
  /// Returns a private in-memory copy of a file in its current state. The store never writes to the file.
  static func openCopy(
    of path: String, open: StoreFile?, acceptsExternalEdits: Bool
  ) throws(StoreError) -> StoreFile {
    if let open { try open.queue?.drainPending(open) }
    do {
      let (original, _) = try openSnapshot(path, isOpenHere: open != nil)
      var options = FileOptions()
      (options.isReadOnly, options.acceptsExternalEdits) = (true, acceptsExternalEdits)
      return try copy(of: original, path, options)
    } catch {
      throw self.error(error, path, isReadOnly: true)
    }
  }

  /// Copies the content of a connection into memory. Accepts external changes if the options allow it.
  static func copy(
    of original: Database, _ path: String, _ options: FileOptions
  ) throws -> StoreFile {
    let database = try Database(path: ":memory:", .create)
    try original.copyAll(to: database)
    var catalog = try FileCatalog(database)
    if options.acceptsExternalEdits {
      catalog = try ExternallyChangedRows.accept(in: database, catalog)
    }
    return StoreFile(path: path, options, database, nil, catalog, damage: [])
  }

  /// True if a class whose rows are not loaded links to this one. Deletions do not clear such links.
  func hasUnloadedLinks(to name: String) -> Bool {
    lock.withLock {
      catalog.classes.values.contains { entry in
        !loaded.contains(entry.name) && entry.attributes.contains { $0.target == name }
      }
    }
  }

  /// Records rows that the store deleted but the file still contains.
  func recordDeleted(_ slots: some Sequence<Int>, of name: String) {
    lock.withLock { deletedSlots[name, default: []].formUnion(slots) }
  }
}

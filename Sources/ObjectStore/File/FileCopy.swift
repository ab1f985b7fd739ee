import StoreDatabase

/// What a store in memory began with: a copy of a file, in memory as well, from which a class is read when it
/// is first looked at.
// Sendable: immutable; the file guards itself.
final class FileCopy: CommitLog, Sendable {
  let file: StoreFile

  /// - Parameter open: The file where this process has it open.
  init(
    of path: String, open: StoreFile?, _ externalEdits: ExternalEdits
  ) throws(StoreError) {
    file = try StoreFile.openCopy(of: path, open: open, externalEdits)
  }

  func write(_ earlier: Version, _ later: Version, _ engine: StoreEngine) throws(StoreError) {
    for index in later.tablesTouched(since: earlier) {
      let table = engine.table(index)
      guard file.hasUnseenLinks(to: table.layout.name) else { continue }
      let (old, new) = (
        earlier.touched(index) ?? table.initialVersion, later.touched(index) ?? table.initialVersion
      )
      let difference = TableDifference(old, new, table.layout, firstColumn: 1)
      file.noteGone(difference.deleted, of: table.layout.name)
    }
  }

  func didPublish(_ version: Version, _ engine: StoreEngine) {}
}

extension StoreFile {
  /// A copy of a file, as it is now, that nobody else sees and nothing is written to.
  static func openCopy(
    of path: String, open: StoreFile?, _ externalEdits: ExternalEdits
  ) throws(StoreError) -> StoreFile {
    if let open { try open.queue?.drainPending(open) }
    do {
      let (original, _) = try openSnapshot(path, isOpenHere: open != nil)
      var options = FileOptions()
      (options.isReadOnly, options.externalEdits) = (true, externalEdits)
      return try copy(of: original, path, options)
    } catch {
      throw self.error(error, path)
    }
  }

  /// A copy in memory of what a connection shows, in which edits of other tools are taken over if the options
  /// say so.
  static func copy(
    of original: Database, _ path: String, _ options: FileOptions
  ) throws -> StoreFile {
    let database = try Database(path: ":memory:", .create)
    try original.copyAll(to: database)
    var catalog = try FileCatalog(database)
    if options.externalEdits == .accept {
      catalog = try EditedRows.accept(in: database, catalog)
    }
    return StoreFile(path: path, options, database, nil, catalog, damage: [])
  }

  /// Whether a class that nobody looked at links to this one: it does not see which rows go.
  func hasUnseenLinks(to name: String) -> Bool {
    lock.withLock {
      catalog.classes.values.contains { entry in
        !loaded.contains(entry.name) && entry.attributes.contains { $0.target == name }
      }
    }
  }

  /// Notes rows that the store deleted, though the file has them.
  func noteGone(_ slots: some Sequence<Int>, of name: String) {
    lock.withLock { gone[name, default: []].formUnion(slots) }
  }
}

import StoreDatabase

/// The classes of a file while code changes them: what it had, and how it is called by now.
///
///     rename, remove ──▶ classes        nothing in the file changes
///     load, old and new ──▶ rows        read from the tables as they are
///     write ──▶ tables made anew, tables renamed, catalog, number
///
/// All of it happens in one transaction of the database.
// Sendable: the thread that opens the file uses it, alone.
final class FileMigration: @unchecked Sendable {
  private let file: StoreFile
  /// As the file has them.
  let oldClasses: [String: FileClass]
  /// Under the names that they have by now.
  private(set) var classes: [String: MovedClass]
  /// Why rows could not be read.
  private var failure: StoreError?
  private var isOver = false

  struct MovedClass {
    let old: FileClass
    /// With new names; the tables have their old ones.
    fileprivate(set) var entry: FileClass
    /// The places of the attributes that the file is to have no more.
    fileprivate(set) var removed: Set<Int> = []
    fileprivate var isRenamed = false

    /// The place of an attribute that is not removed.
    func place(of name: String) -> Int? {
      entry.place(of: name).flatMap { removed.contains($0) ? nil : $0 }
    }
  }

  init(_ file: StoreFile) {
    self.file = file
    oldClasses = file.catalog.classes
    classes = oldClasses.mapValues { MovedClass(old: $0, entry: $0) }
  }

  /// - Throws: why rows could not be read.
  func check() throws(StoreError) {
    if let failure { throw failure }
  }

  /// Nothing is read any more.
  func end() { isOver = true }

  // MARK: - Names

  /// Gives a class another name, also where attributes lead to it; false if there is one so called.
  func renameClass(_ name: String, to new: String) -> Bool {
    guard classes[new] == nil else { return false }
    if var moved = classes.removeValue(forKey: name) {
      moved.entry.name = new
      moved.isRenamed = true
      classes[new] = moved
    }
    for (owner, var moved) in classes {
      for place in moved.entry.attributes.indices
      where moved.entry.attributes[place].target == name {
        moved.entry.attributes[place].target = new
        moved.isRenamed = true
      }
      classes[owner] = moved
    }
    return true
  }

  /// Gives an attribute another name; false if there is one so called.
  func renameAttribute(_ place: Int, of name: String, to new: String) -> Bool {
    guard classes[name]?.place(of: new) == nil else { return false }
    classes[name]?.entry.attributes[place].name = new
    classes[name]?.isRenamed = true
    return true
  }

  func removeAttribute(_ place: Int, of name: String) {
    classes[name]?.removed.insert(place)
  }

  // MARK: - Rows

  /// How the attributes of a class as it will be stand in the file; nil for a class that it does not have.
  func mapping(of table: FileTable) -> FileMapping? {
    classes[table.name].map {
      FileMapping(table, $0.entry, isLenient: true, without: $0.removed)
    }
  }

  /// The rows of a class; what does not fit it has its defaults. What cannot be read is none, and noted.
  fileprivate func load(_ known: FileTable, _ table: Table, isNew: Bool) -> TableVersion {
    let classes = isNew ? self.classes.mapValues(\.entry) : oldClasses
    guard !isOver, failure == nil, let entry = classes[known.name] else {
      return table.emptyVersion
    }
    do {
      let mapping = FileMapping(
        known, entry, isLenient: true, without: isNew ? self.classes[known.name]?.removed ?? [] : []
      )
      var loader = TableLoader(file.database, entry, table, mapping)
      try loader.read()
      let version = try loader.finish()
      return entry.mayDangle
        ? try file.withoutDanglingLinks(mapping, table, version) { classes[$0] } : version
    } catch {
      failure = file.error(error)
      return table.emptyVersion
    }
  }

  fileprivate func firstFreeSlot(_ name: String, isNew: Bool) -> Int {
    let entry = isNew ? classes[name]?.entry : oldClasses[name]
    return (entry?.nextRow ?? 1) - 1
  }

  // MARK: - Writing

  /// A class that is written whole.
  struct NewRows {
    let table: FileTable
    let rows: TableVersion
    /// The table without rows.
    let empty: TableVersion
  }

  /// Writes classes as they are to be, and the names of the others.
  ///
  /// - Parameter dropped: the classes that the file is to have no more.
  func write(_ changed: [NewRows], dropped: Set<String>) throws {
    let whole = Set(changed.map(\.table.name)).union(dropped)
    // First everything old goes: it may have the names of what comes.
    for (name, moved) in classes where whole.contains(name) { try file.dropTables(of: moved.old) }
    let renamed = classes.filter { $1.isRenamed && !whole.contains($0) }
      .sorted { $0.key < $1.key }.map(\.value)
    for moved in renamed { try file.forget(moved.old) }
    let taken = renamed.flatMap(\.old.tableNames)
    for moved in renamed { try file.enter(moved.entry, insteadOf: moved.old, taken) }
    for new in changed {
      let name = new.table.name
      try file.makeTables(of: new.table, nextRow: classes[name]?.entry.nextRow ?? 1)
      if let change = StoreFile.TableChange(new.table.layout, new.empty, new.rows) {
        try file.write(change, new.table)
      }
    }
    // They are of tables that only the migration knew.
    file.statements = [:]
  }
}

/// The rows of a class on one side of a migration.
// Sendable: immutable.
final class MigrationRows: RowSource, Sendable {
  private let migration: FileMigration
  private let table: FileTable
  private let isNew: Bool

  init(_ migration: FileMigration, _ table: FileTable, isNew: Bool) {
    self.migration = migration
    self.table = table
    self.isNew = isNew
  }

  var firstFreeSlot: Int { migration.firstFreeSlot(table.name, isNew: isNew) }

  func load(_ table: Table) -> TableVersion { migration.load(self.table, table, isNew: isNew) }
}

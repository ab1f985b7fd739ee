import StoreDatabase

/// The classes of a file during a migration: as the file stores them, and under their new names.
///
///     rename, remove ──▶ classes        the file does not change
///     load, old and new ──▶ rows        read from the unchanged tables
///     write ──▶ new tables, renamed tables, catalog, schema version
///
/// Everything happens in one transaction of the database.
// Sendable: only the thread that opens the file uses it.
final class FileMigration: @unchecked Sendable {
  private let file: StoreFile
  /// The classes as the file stores them.
  let oldClasses: [String: FileClass]
  /// The classes by name, after the renames made so far.
  private(set) var classes: [String: MovedClass]
  /// The error that occurred while rows were read.
  private var failure: StoreError?
  private var isOver = false

  struct MovedClass {
    let old: FileClass
    /// The entry with its new names. The tables still have their old names.
    fileprivate(set) var entry: FileClass
    /// The indexes of the attributes to remove from the file.
    fileprivate(set) var removed: Set<Int> = []
    fileprivate var isRenamed = false

    /// Returns the index of an attribute; nil if there is none or it is removed.
    func attributeIndex(of name: String) -> Int? {
      entry.attributeIndex(of: name).flatMap { removed.contains($0) ? nil : $0 }
    }
  }

  init(_ file: StoreFile) {
    self.file = file
    oldClasses = file.catalog.classes
    classes = oldClasses.mapValues { MovedClass(old: $0, entry: $0) }
  }

  /// - Throws: The error that occurred while rows were read.
  func throwIfFailed() throws(StoreError) {
    if let failure { throw failure }
  }

  /// Ends the migration: later loads return empty tables.
  func end() { isOver = true }

  // MARK: - Names

  /// Renames a class, including in the attributes that link to it. Returns false if the name is in use.
  func renameClass(_ name: String, to new: String) -> Bool {
    guard classes[new] == nil else { return false }
    let (base, newBase) = (name + ObjectSchema.baseSuffix, new + ObjectSchema.baseSuffix)
    if classes[base] != nil { _ = renameClass(base, to: newBase) }
    if var moved = classes.removeValue(forKey: name) {
      moved.entry.name = new
      moved.isRenamed = true
      classes[new] = moved
    }
    for (owner, var moved) in classes {
      for index in moved.entry.attributes.indices
      where moved.entry.attributes[index].target == name {
        moved.entry.attributes[index].target = new
        moved.isRenamed = true
      }
      classes[owner] = moved
    }
    return true
  }

  /// Renames an attribute. Returns false if the name is in use.
  func renameAttribute(_ index: Int, of name: String, to new: String) -> Bool {
    guard classes[name]?.attributeIndex(of: new) == nil else { return false }
    if let old = classes[name]?.entry.attributes[index].name {
      forEachBaseAttribute(old, of: name) { index, base, suffix in
        _ = renameAttribute(index, of: base, to: new + suffix)
      }
    }
    classes[name]?.entry.attributes[index].name = new
    classes[name]?.isRenamed = true
    return true
  }

  func removeAttribute(_ index: Int, of name: String) {
    if let old = classes[name]?.entry.attributes[index].name {
      forEachBaseAttribute(old, of: name) { index, base, _ in removeAttribute(index, of: base) }
    }
    classes[name]?.removed.insert(index)
  }

  /// Calls `body` with the columns of an attribute in the base table of a class: its value and its marks.
  private func forEachBaseAttribute(
    _ attribute: String, of name: String,
    _ body: (_ index: Int, _ base: String, _ suffix: String) -> Void
  ) {
    let base = name + ObjectSchema.baseSuffix
    for suffix in ["", ObjectSchema.marksSuffix] {
      if let index = classes[base]?.attributeIndex(of: attribute + suffix) {
        body(index, base, suffix)
      }
    }
  }

  // MARK: - Rows

  /// Returns the mapping from the migrated class to its class in the file; nil if the file does not have it.
  func mapping(of table: FileTable) -> FileMapping? {
    classes[table.name].map {
      FileMapping(table, $0.entry, isLenient: true, without: $0.removed)
    }
  }

  /// Returns the attributes of a class that are optional in the file but not in the class, and have null in the file.
  /// - Complexity: O(values of these attributes) until the first null of each.
  func nullMistakes(of table: FileTable) throws(DatabaseError) -> [String] {
    guard let mapping = mapping(of: table), let entry = classes[table.name]?.old else { return [] }
    var mistakes: [String] = []
    for column in mapping.columns where column.mayHaveRefusedNulls {
      let isCollection = column.stored.isCollection
      let source = FileNames.quoted(isCollection ? column.stored.sqlName : entry.sqlName)
      let value = isCollection ? "value" : FileNames.quoted(column.stored.sqlName)
      let nulls = try file.database.prepare(
        "SELECT 1 FROM \(source) WHERE \(value) IS NULL LIMIT 1")
      if try nulls.step() {
        mistakes.append(FileMapping.refusedNull("\(table.name).\(column.wanted.name)"))
      }
    }
    return mistakes
  }

  /// Loads the rows of a class. Attributes whose stored type does not fit get their defaults. If the rows cannot be
  /// read, records the error and returns an empty table.
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
      let version = try loader.completedTable()
      return entry.mayDangle
        ? try file.withoutDanglingLinks(mapping, table, version, file.database) { classes[$0] }
        : version
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

  /// A class whose rows are all written to new tables.
  struct NewRows {
    let table: FileTable
    let rows: TableVersion
    /// The table without rows.
    let empty: TableVersion
  }

  /// Writes all rows of the changed classes, and the new names of the others.
  ///
  /// - Parameter dropped: The classes to remove from the file.
  func write(_ changed: [NewRows], dropped: Set<String>) throws {
    let whole = Set(changed.map(\.table.name)).union(dropped)
    // Drop all old tables first: new ones may reuse their names.
    for (name, moved) in classes where whole.contains(name) { try file.dropTables(of: moved.old) }
    let renamed = classes.filter { $1.isRenamed && !whole.contains($0) }
      .sorted(byBytesOf: \.key).map(\.value)
    for moved in renamed { try file.forget(moved.old) }
    let taken = renamed.flatMap(\.old.tableNames)
    for moved in renamed { try file.add(moved.entry, insteadOf: moved.old, taken) }
    for new in changed {
      let name = new.table.name
      try file.makeTables(of: new.table, nextRow: classes[name]?.entry.nextRow ?? 1)
      if let change = StoreFile.TableChange(new.table.layout, new.empty, new.rows) {
        try file.write(change, new.table)
      }
    }
    // The cached statements map layouts that only the migration uses.
    file.statements = [:]
  }
}

/// The source of the rows of an old or a new class in a migration.
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

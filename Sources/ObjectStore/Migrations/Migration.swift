/// Adapts the objects of an older file to the current classes.
///
///     let configuration = StoreConfiguration.file(url, classes: [Person.self], schemaVersion: 2) {
///       migration in
///       if migration.oldVersion < 2 {
///         try migration.renameAttribute("Person", from: "name", to: "fullName")
///         try migration.enumerate("Person") { old, new in new["age"] = old["years"] }
///       }
///     }
///
/// The migration block of a configuration receives a migration, which it can use until it returns. Using the migration
/// later is misuse, and its objects are then invalidated. See <doc:Migrations>.
public final class Migration {
  /// The schema version of the file.
  public let oldVersion: UInt64
  /// The schema version of the configuration.
  public let newVersion: UInt64

  let files: FileMigration
  private let declared: [MigrationClass]
  private var sides: Sides?
  /// The classes to remove from the file.
  private var dropped: Set<String> = []
  /// The version that the block produced.
  private var result: Version?
  private var isOver = false

  /// The old objects, and the new ones, which are in an open write.
  struct Sides {
    let old: StoreHandle
    let new: StoreHandle
    let classes: [MigrationClass]
  }

  init(
    _ files: FileMigration, from oldVersion: UInt64, to newVersion: UInt64,
    _ declared: [MigrationClass]
  ) {
    self.files = files
    self.declared = declared
    self.oldVersion = oldVersion
    self.newVersion = newVersion
  }

  /// Ends the migration. Called after the block has returned.
  func end() {
    isOver = true
    files.end()
    guard let sides else { return }
    if sides.new.isWriting { sides.new.cancel() }
    // The program may still hold old or new objects.
    sides.old.showNothing()
    sides.new.showNothing()
  }

  private func checkIsOpen() {
    if isOver { misuse("Migration: the migration is used after its block has returned") }
  }

  // MARK: - Names

  /// Renames an attribute of the file. Its values become those of the attribute with the new name.
  ///
  /// Call it before accessing objects. The file has an attribute only if an object was written with it.
  /// - Returns: A Boolean value that indicates whether the file has the attribute. If not, there is nothing to rename.
  /// - Throws: `invalidMigration` if the file already has an attribute with the new name, or if objects were accessed.
  @discardableResult
  public func renameAttribute(
    _ className: String, from name: String, to newName: String
  ) throws -> Bool {
    guard let index = try attributeIndex(of: name, in: className, "renameAttribute") else {
      return false
    }
    if name.hasSameBytes(as: newName) { return true }
    guard files.renameAttribute(index, of: className, to: newName) else {
      throw StoreError(
        .invalidMigration(
          "Migration.renameAttribute: the file already has an attribute '\(className).\(newName)'"
        ))
    }
    return true
  }

  /// Removes an attribute and its values from the file. If the class declares an attribute with the same name, it
  /// starts with its default.
  ///
  /// Attributes that a class of the configuration lacks are removed automatically. Call it before accessing objects.
  /// - Returns: A Boolean value that indicates whether the file has the attribute.
  /// - Throws: `invalidMigration` if objects were accessed.
  @discardableResult
  public func removeAttribute(_ className: String, _ name: String) throws -> Bool {
    guard let index = try attributeIndex(of: name, in: className, "removeAttribute") else {
      return false
    }
    files.removeAttribute(index, of: className)
    return true
  }

  /// Renames a class of the file. Its objects and the links to them are kept.
  ///
  /// Call it before accessing objects. The file has a class only if an object of the class was written.
  /// - Returns: A Boolean value that indicates whether the file has the class. If not, there is nothing to rename.
  /// - Throws: `invalidMigration` if the file already has a class with the new name, or if objects were accessed.
  @discardableResult
  public func renameClass(from name: String, to newName: String) throws -> Bool {
    try checkNames("renameClass")
    if name == newName { return files.classes[name] != nil }
    guard files.renameClass(name, to: newName) else {
      throw StoreError(
        .invalidMigration("Migration.renameClass: the file already has a class '\(newName)'"))
    }
    return files.classes[newName] != nil
  }

  private func checkNames(_ call: String) throws(StoreError) {
    checkIsOpen()
    if sides == nil { return }
    throw StoreError(
      .invalidMigration(
        "Migration.\(call): objects were already accessed; change names before that"))
  }

  private func attributeIndex(
    of name: String, in className: String, _ call: String
  ) throws(StoreError) -> Int? {
    try checkNames(call)
    return files.classes[className]?.attributeIndex(of: name)
  }

  // MARK: - Objects

  /// Calls `body` with the old and the new state of each object of a class, in order of creation. Objects that are
  /// deleted during the enumeration are skipped.
  ///
  /// The old object cannot be changed; an attribute that the file lacks is nil. The new object has the attributes of
  /// the current class, with the values of the file where their types fit and defaults for the others. Assigning a
  /// value of the wrong type makes the migration fail.
  /// - Parameters:
  ///   - className: The name of the class after renames. If the file has no such class, `body` is not called.
  ///   - body: The changes to make to each object.
  /// - Throws: `typeMismatch` and other errors of assigned values; errors of `body`.
  public func enumerate(
    _ className: String, _ body: (_ old: DynamicObject, _ new: DynamicObject) throws -> Void
  ) throws {
    let sides = try open()
    guard let moved = files.classes[className] else { return }
    let entry = try sides.new.entry(named: className)
    let oldEntry = try sides.old.entry(named: moved.old.name)
    var slots: [Int] = []
    sides.old.tableVersion(oldEntry.table).forEachLive {
      slots.append($0)
      return true
    }
    _ = sides.new.tableVersion(entry.table)
    try files.throwIfFailed()
    for slot in slots where sides.new.tableVersion(entry.table).isLive(slot) {
      try body(sides.old.object(oldEntry, slot), sides.new.object(entry, slot))
      if let error = sides.new.transaction?.failure.error { throw error }
    }
  }

  /// Returns the new object that replaces an old one; nil if it was deleted.
  /// - Throws: `objectOfAnotherStore` if the object is not one of the file's old objects.
  public func newObject(of old: DynamicObject) throws -> DynamicObject? {
    let sides = try open()
    guard old.handle === sides.old, let storage = old.storage else {
      throw StoreError(.objectOfAnotherStore(className: old.className))
    }
    let name = sides.old.entry(ofTable: storage.pointee.table).schema.tableName
    guard let moved = files.classes.first(where: { $0.value.old.name == name }) else { return nil }
    let entry = try sides.new.entry(named: moved.key)
    guard sides.new.tableVersion(entry.table).isLive(old.slot) else { return nil }
    return sides.new.object(entry, old.slot)
  }

  /// Deletes an object. Links to it are cleared, and the objects that it owns are deleted, too.
  /// - Throws: `objectOfAnotherStore` for an object that is not one of the migration's new objects.
  public func delete(_ object: DynamicObject) throws {
    let sides = try open()
    guard object.handle === sides.new, let storage = object.storage else {
      throw StoreError(.objectOfAnotherStore(className: object.className))
    }
    sides.new.transaction?.delete([(storage.pointee.table, object.slot)])
  }

  /// Deletes all objects of a class. Also removes the class from the file, unless the configuration lists it or objects
  /// of it are created afterwards.
  /// - Returns: A Boolean value that indicates whether the file has the class.
  @discardableResult
  public func deleteClass(_ className: String) throws -> Bool {
    let sides = try open()
    guard files.classes[className] != nil else { return false }
    let entry = try sides.new.entry(named: className)
    var rows: [(table: Int, slot: Int)] = []
    sides.new.tableVersion(entry.table).forEachLive {
      rows.append((entry.table, $0))
      return true
    }
    try files.throwIfFailed()
    sides.new.transaction?.delete(rows)
    dropped.insert(className)
    return true
  }

  /// Opens the old and the new objects. Names cannot be changed afterwards.
  func open() throws -> Sides {
    checkIsOpen()
    try files.throwIfFailed()
    if let sides { return sides }
    let side = MigrationSide(newOf: files, declared)
    let sides = Sides(
      old: StoreHandle(StoreCore(MigrationSide(oldOf: files))), new: StoreHandle(StoreCore(side)),
      classes: side.classes)
    try sides.new.begin()
    self.sides = sides
    MigrationReferences(files, sides).count()
    try files.throwIfFailed()
    return sides
  }

  /// True if neither the file nor the configuration describes a class that links refer to.
  func isUndescribed(_ known: MigrationClass) -> Bool {
    known.declared == nil && files.classes[known.name] == nil
  }

  // MARK: - End

  /// Checks the result of the block.
  /// - Throws: `migrationFailed`, `unknownClass`, and the errors of values that cannot be stored.
  func validate(_ path: String) throws {
    let sides = try open()
    let references = MigrationReferences(files, sides)
    references.deleteUnowned()
    try MigrationEdits(files, sides).adapt()
    let keys = MigrationKeys(sides.new)
    var mistakes: [String] = []
    for (table, known) in sides.classes.enumerated() {
      if isUndescribed(known), sides.new.tableVersion(table).liveCount > 0 {
        throw StoreError(.unknownClass(name: known.name, suggestion: nil))
      }
      if files.mustWrite(known, sides.new.layout(table)) { _ = sides.new.tableVersion(table) }
      guard sides.new.version.loaded(sides.new.engine.table(table)) != nil else { continue }
      try keys.computeKeys(known, table)
      mistakes += references.mistakes(known, table) + keys.mistakes(known, table)
    }
    try files.throwIfFailed()
    if !mistakes.isEmpty { throw StoreError(.migrationFailed(path: path, mistakes: mistakes)) }
    guard let transaction = sides.new.transaction else { return }
    if let error = transaction.failure.error { throw error }
    // The transaction is not committed: the result is only written to the file.
    result = transaction.freeze()
  }

  /// Writes the changes to the file.
  func write() throws {
    guard let sides, let version = result else { return }
    let dropped = classesToDrop(sides, version)
    var changed: [FileMigration.NewRows] = []
    for (index, known) in sides.classes.enumerated() where !dropped.contains(known.name) {
      let table = sides.new.engine.table(index)
      guard
        isChanged(known, table, sides.new.version, version)
          || files.mustWrite(known, table.layout)
      else { continue }
      changed.append(
        FileMigration.NewRows(
          table: known.table(table.layout), rows: version[table], empty: table.emptyVersion))
    }
    try files.throwIfFailed()
    try files.write(changed, dropped: dropped)
  }

  /// Returns the dropped classes, except declared ones and those that have objects again.
  private func classesToDrop(_ sides: Sides, _ version: Version) -> Set<String> {
    let gone = sides.classes.enumerated().filter { index, known in
      dropped.contains(known.name) && known.declared == nil
        && version[sides.new.engine.table(index)].liveCount == 0
    }
    return Set(gone.map(\.element.name))
  }

  /// True if objects of a class changed. Reference counts of keyed objects are ignored, because they are not written.
  private func isChanged(
    _ known: MigrationClass, _ table: Table, _ earlier: Version, _ later: Version
  ) -> Bool {
    guard let rows = later.touched(table.index) else { return false }
    return !TableDifference(
      earlier[table], rows, table.layout, firstColumn: known.identity == .keyed ? nil : 1
    ).isEmpty
  }
}

extension FileMigration {
  /// True if a class must be written even if none of its objects changed, because its attributes in the file differ.
  func mustWrite(_ known: MigrationClass, _ layout: TableLayout) -> Bool {
    guard let moved = classes[known.name], let mapping = mapping(of: known.table(layout)) else {
      return false
    }
    if !moved.removed.isEmpty { return true }
    return known.declared != nil
      && !(mapping.mistakes.isEmpty && mapping.isExact && mapping.unknown.isEmpty)
  }
}

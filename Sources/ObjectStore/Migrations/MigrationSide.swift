/// All old classes or all new classes of a migration, and the sources of their rows.
// Sendable: immutable.
final class MigrationSide: Sendable {
  let classes: [MigrationClass]
  private let classByName: [String: MigrationClass]
  private let files: FileMigration
  let isNew: Bool

  /// Creates the old side: the classes as the file stores them.
  convenience init(oldOf files: FileMigration) {
    let entries = files.oldClasses.values.sorted(byBytesOf: \.name)
    self.init(entries.map { MigrationClass($0) }, files, isNew: false)
  }

  /// Creates the new side: the declared classes, and the classes of the file that are not declared.
  convenience init(newOf files: FileMigration, _ declared: [MigrationClass]) {
    let known = Set(declared.map(\.name))
    let others = files.classes.values.filter { !known.contains($0.entry.name) }
      .sorted(byBytesOf: \.entry.name)
      .map { MigrationClass($0.entry, without: $0.removed) }
    self.init(declared + others, files, isNew: true)
  }

  private init(_ known: [MigrationClass], _ files: FileMigration, isNew: Bool) {
    classes = known + Self.missingTargets(of: known)
    classByName = Dictionary(
      classes.map { ($0.name, $0) }, uniquingKeysWith: { first, _ in first })
    self.files = files
    self.isNew = isNew
  }

  /// Returns a class without attributes for each link target that is missing because no object of it was ever written.
  private static func missingTargets(of classes: [MigrationClass]) -> [MigrationClass] {
    let targets = Set(classes.flatMap(\.attributes).compactMap(\.target))
    return targets.subtracting(classes.map(\.name)).sorted()
      .map { MigrationClass($0, .keyless, []) }
  }

  subscript(name: String) -> MigrationClass? { classByName[name] }

  func declared(_ schema: ObjectSchema) -> ModelClass? { self[schema.tableName]?.declared }

  func rows(_ schema: ObjectSchema, _ layout: TableLayout) -> (any RowSource)? {
    self[schema.tableName].map { MigrationRows(files, $0.table(layout), isNew: isNew) }
  }
}

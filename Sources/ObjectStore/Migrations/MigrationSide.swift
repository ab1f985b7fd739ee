/// An old or a new class of a migration.
///
/// Its rows in memory have no key and no indexes: duplicate keys are allowed temporarily, and an index is not worth
/// building for data that is read once.
// Sendable: immutable, and so are model classes.
final class MigrationClass: @unchecked Sendable {
  let name: String
  /// The identity of its objects in the file.
  let identity: TableLayout.Identity
  /// The attributes, in the form in which a file describes them.
  let attributes: [FileAttribute]
  /// The schema of its objects during a migration.
  let schema: ObjectSchema
  /// The class that declares the defaults of new attributes; nil for an old class, and for a new one that is not
  /// declared.
  let declared: ModelClass?

  init(
    _ name: String, _ identity: TableLayout.Identity, _ attributes: [FileAttribute],
    declared: ModelClass? = nil
  ) {
    self.name = name
    self.identity = identity
    self.attributes = attributes
    self.declared = declared
    let properties = attributes.map { attribute in
      var shape = attribute.shape
      // Attributes hold raw values during a migration. Assigned values must be raw values of the enum's cases, or JSON
      // that the Codable type can read.
      if let scalar = declared?.schema[attribute.name]?.shape.scalar,
        scalar.cases != nil || scalar.coded != nil, scalar.kind == shape.scalar?.kind
      {
        shape.scalar = scalar
      }
      var property = Property(attribute.name, shape)
      property.declaringClass = name
      return property
    }
    schema = ObjectSchema(
      ClassID(name: name), tableName: name, isEmbedded: identity == .embedded, properties,
      ClassDeclarations()
    ) { _ in ([], []) }
  }

  /// Creates a class as a file stores it.
  convenience init(_ entry: FileClass, without removed: Set<Int> = []) {
    let indexes = entry.attributes.indices.filter { !removed.contains($0) }
    self.init(entry.name, entry.identity, indexes.map { entry.attributes[$0] })
  }

  func table(_ layout: TableLayout) -> FileTable {
    FileTable(name: name, layout: layout, identity: identity, attributes: attributes)
  }
}

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

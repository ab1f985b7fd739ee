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

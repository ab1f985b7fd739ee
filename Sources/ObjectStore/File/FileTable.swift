/// A declared class, described in the same form as the classes of a file.
struct FileTable: Sendable {
  let name: String
  /// The layout of its rows in memory.
  let layout: TableLayout
  /// The identity of its rows in the file. In a migration, which never looks up keys, ``layout`` has a different one.
  let identity: TableLayout.Identity
  /// The stored attributes in column order, without their names in the file.
  let attributes: [FileAttribute]

  init(
    name: String, layout: TableLayout, identity: TableLayout.Identity? = nil,
    attributes: [FileAttribute]
  ) {
    self.name = name
    self.layout = layout
    self.identity = identity ?? layout.identity
    self.attributes = attributes
  }

  /// Returns the reason why the class exceeds SQLite's column limit; nil if it does not.
  /// - Parameter unknownCount: The number of attributes that only the file has.
  func columnLimitMistake(unknownCount: Int = 0) -> String? {
    let limit = Self.columnLimit - 1 - RowStatements.ownNames(layout.identity).count
    let count = attributes.count { !$0.isCollection } + unknownCount
    if count <= limit { return nil }
    let unknown = unknownCount == 0 ? "" : " (\(unknownCount) of them only in the file)"
    return "\(name): \(count) attributes that are not collections\(unknown); "
      + "a class in a file may have at most \(limit)"
  }

  /// SQLite's default (sqlite.org/limits.html).
  private static let columnLimit = 2000

  /// - Parameter target: A closure that returns the table name of a linked class.
  init(_ schema: ObjectSchema, _ layout: TableLayout, target: (ClassID) -> String) {
    self.init(
      name: schema.tableName, layout: layout,
      attributes: schema.storedProperties.enumerated().map { index, property in
        FileAttribute(
          name: property.name, sqlName: "", form: property.shape.form,
          kind: property.shape.scalar?.kind, target: property.shape.target.map(target),
          isOptional: property.isOptional, isPrimaryKey: property.isPrimaryKey,
          keyPart: schema.keyParts.firstIndex(of: index).map { $0 + 1 } ?? 0,
          isIndexed: property.isIndexed && property.shape.form == .scalar)
      })
  }
}

/// A class as the store has it, told in a file's terms.
struct FileTable: Sendable {
  let name: String
  /// How its rows stand in memory.
  let layout: TableLayout
  /// How they are told apart in the file; a migration, which looks no key up, has other rows in memory.
  let identity: TableLayout.Identity
  /// The stored attributes in column order; the names in the file are not known yet.
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

  /// Why a table of SQLite has not the columns for the class, and for as many that it does not know any more;
  /// nil if it has.
  func tooWide(beside unknownCount: Int = 0) -> String? {
    let own = layout.identity == .keyed ? 1 : 1 + RowStatements.ownNames.count
    let limit = Self.columnLimit - own
    let count = attributes.count { !$0.isCollection } + unknownCount
    if count <= limit { return nil }
    let gone = unknownCount == 0 ? "" : ", \(unknownCount) of which only the file has any more"
    return "\(name): \(count) attributes\(gone); a class in a file has at most \(limit) "
      + "that are no collections"
  }

  /// SQLite's, unless it was built otherwise (sqlite.org/limits.html).
  private static let columnLimit = 2000

  /// - Parameter target: the name of the table that an attribute's objects stand in.
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

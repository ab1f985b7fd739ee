/// A class as the store has it, told in a file's terms.
struct FileTable: Sendable {
  let name: String
  let layout: TableLayout
  /// The stored attributes in column order; the names in the file are not known yet.
  let attributes: [FileAttribute]

  init(name: String, layout: TableLayout, attributes: [FileAttribute]) {
    self.name = name
    self.layout = layout
    self.attributes = attributes
  }

  /// - Parameter target: the name of the table that an attribute's objects stand in.
  init(_ schema: ObjectSchema, _ layout: TableLayout, target: (ClassID) -> String) {
    name = schema.tableName
    self.layout = layout
    attributes = schema.storedProperties.map { property in
      FileAttribute(
        name: property.name, sqlName: "", form: property.shape.form,
        kind: property.shape.scalar?.kind, target: property.shape.target.map(target),
        isOptional: property.isOptional, isPrimaryKey: property.isPrimaryKey,
        isIndexed: property.isIndexed && property.shape.form == .scalar)
    }
  }
}

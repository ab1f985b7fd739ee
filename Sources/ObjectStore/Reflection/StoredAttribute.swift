/// An attribute of a class, in the form that updates use.
final class StoredAttribute: Sendable {
  let property: Property
  let name: String
  let column: Int
  /// The index among the attributes with columns.
  let index: Int
  let form: AttributeShape.Form
  let kind: ScalarKind
  let cases: EnumCases?
  let isCollection: Bool
  /// The table of the linked class; nil for scalars.
  let targetTable: Int?
  private let className: String

  /// `Class.attribute`, for messages.
  var fullName: String { "\(className).\(name)" }

  init(_ property: Property, _ schema: ObjectSchema, _ layout: TableLayout) {
    self.property = property
    className = schema.className
    name = property.name
    column = property.column
    index = property.column - schema.firstAttribute
    targetTable = property.shape.target.map { _ in layout.columns[property.column].targetTable }
    form = property.shape.form
    kind = property.shape.scalar?.kind ?? .int
    cases = property.shape.scalar?.cases
    isCollection = property.shape.isCollection
  }
}

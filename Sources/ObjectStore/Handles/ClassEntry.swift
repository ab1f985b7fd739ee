/// A class as one store knows it.
@usableFromInline
// Sendable: immutable; metatypes and schemas are.
final class ClassEntry: @unchecked Sendable {
  let model: ModelClass
  var schema: ObjectSchema { model.schema }
  let table: Int
  let layout: TableLayout
  let shape: BatchShape
  let defaults: ClassDefaults
  /// The attributes with columns, in column order; classes, so that a look counts one reference.
  let attributes: ContiguousArray<StoredAttribute>
  /// Their names.
  let attributeNames: [String]
  private let areNamesASCII: Bool
  /// The kinds of those that are values of any text or number; nil for the others. Looking at it
  /// counts no reference.
  let plainKinds: ContiguousArray<ScalarKind?>
  /// The primary key's column, -1 without one, and its kind.
  let keyColumn: Int
  let keyKind: ScalarKind
  /// Whether the primary key is made of other attributes.
  let hasCompoundKey: Bool
  /// For ``Frozen``; the model's.
  let spares: SpareAccessors

  init(_ model: ModelClass, table: Int, _ layout: TableLayout, _ defaults: ClassDefaults) {
    let schema = model.schema
    self.model = model
    spares = model.spares
    self.defaults = defaults
    self.table = table
    self.layout = layout
    shape = BatchShape(
      table: table, attributeCount: schema.storedProperties.count,
      keyAttribute: schema.primaryKeyProperty.map { $0.column - layout.firstAttribute },
      isKeyText: schema.primaryKeyProperty?.isText ?? false)
    keyColumn = schema.primaryKeyProperty?.column ?? -1
    keyKind = schema.primaryKeyProperty?.shape.scalar?.kind ?? .int
    hasCompoundKey = !schema.keyParts.isEmpty
    attributes = ContiguousArray(
      schema.storedProperties.map { StoredAttribute($0, schema, layout) })
    attributeNames = schema.storedProperties.map(\.name)
    areNamesASCII = attributeNames.allSatisfy { $0.utf8.allSatisfy { $0 < 0x80 } }
    plainKinds = ContiguousArray(
      attributes.map { $0.form == .scalar && $0.cases == nil ? $0.kind : nil })
  }

  /// What is wrong with looking an object up by a key; nil for nothing.
  @inline(__always)
  func mismatch(ofKey key: some ObjectKey) -> StoreError? {
    mismatch(ofKey: type(of: key), key._compoundKey)
  }

  /// The same of a key of a type; `compound` is the key if it is made of parts.
  @inline(__always)
  func mismatch(ofKey type: any ObjectKey.Type, _ compound: CompoundKey?) -> StoreError? {
    let kind = type._scalarKind
    let fits = kind == keyKind || kind.column == .word && keyKind.column == .word
    return fits && keyColumn >= 0 && compound == nil ? nil : keyError(type, compound)
  }

  @inline(never)
  private func keyError(_ type: any ObjectKey.Type, _ compound: CompoundKey?) -> StoreError? {
    schema.mismatch(ofKey: type, compound)
  }

  /// Whether an attribute has exactly this name. What is taken for an ASCII text and is not has more
  /// bytes.
  @inline(__always)
  func isName(_ attribute: Int, _ name: String) -> Bool {
    areNamesASCII
      ? attributeNames[attribute].utf8.count == name.utf8.count && attributeNames[attribute] == name
      : attributeNames[attribute].hasSameBytes(as: name)
  }

  /// The attribute with exactly this name; nil for a name that has no column.
  func attribute(_ name: String) -> StoredAttribute? {
    guard let property = schema[name], property.isStored, property.name.hasSameBytes(as: name)
    else { return nil }
    return attributes[property.column - layout.firstAttribute]
  }
}

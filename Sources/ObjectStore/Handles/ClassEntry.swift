/// A class of one store: its table, layout and attributes.
@usableFromInline
// Sendable: all properties are constants; metatypes and schemas are `Sendable`, and `spares` is thread-safe.
final class ClassEntry: @unchecked Sendable {
  let model: ModelClass
  var schema: ObjectSchema { model.schema }
  let table: Int
  let layout: TableLayout
  let shape: BatchShape
  let defaults: ClassDefaults
  /// See ``ClassColumns/attributes``. The arrays are properties of this class, too, so that reading one follows one
  /// reference less.
  let attributes: ContiguousArray<StoredAttribute>
  let attributeNames: [String]
  private let areNamesASCII: Bool
  /// See ``ClassColumns/plainKinds``.
  let plainKinds: ContiguousArray<ScalarKind?>
  /// The column of the primary key; -1 if there is none.
  let keyColumn: Int
  let keyKind: ScalarKind
  /// True if the primary key consists of other attributes.
  let hasCompoundKey: Bool
  /// The attributes whose embedded objects are updated instead of replaced.
  let inPlaceAttributes: [Int]
  /// The spare accessors of the model, for ``Frozen``.
  let spares: SpareAccessors
  /// The base table of the class; nil if the class does not track edits.
  let base: BaseLayout?
  /// The base table of the class.
  /// - Throws: `editsNotTracked`.
  var trackedBase: BaseLayout {
    get throws {
      guard let base else {
        throw StoreError(.editsNotTracked(className: schema.className))
      }
      return base
    }
  }
  /// True for a base table, which is hidden from users.
  var isBase: Bool { model.isBase }

  init(
    _ model: ModelClass, table: Int, _ columns: ClassColumns, _ defaults: ClassDefaults,
    base: BaseLayout? = nil
  ) {
    let schema = model.schema
    self.model = model
    self.base = base
    spares = model.spares
    self.defaults = defaults
    self.table = table
    let layout = columns.layout
    self.layout = layout
    shape = BatchShape(
      table: table, attributeCount: schema.storedProperties.count,
      keyAttribute: schema.primaryKeyProperty.map { $0.column - layout.firstAttribute },
      isKeyBytes: schema.primaryKeyProperty?.isBytes ?? false, isEmbedded: schema.isEmbedded)
    keyColumn = schema.primaryKeyProperty?.column ?? -1
    keyKind = schema.primaryKeyProperty?.shape.scalar?.kind ?? .int
    hasCompoundKey = !schema.keyParts.isEmpty
    attributes = columns.attributes
    attributeNames = columns.attributeNames
    areNamesASCII = columns.areNamesASCII
    plainKinds = columns.plainKinds
    inPlaceAttributes = attributes.indices.filter {
      columns.attributes[$0].property.options.contains(.inPlace)
    }
  }

  /// The error of a lookup by this key; nil if the type of the key fits the class.
  @inline(__always)
  func mismatch(ofKey key: some ObjectKey) -> StoreError? {
    if let kind = key._keyKind, keyColumn >= 0, key._compoundKey == nil,
      kind == keyKind || kind.column == .word && keyKind.column == .word
    {
      return nil
    }
    return keyError(key)
  }

  @inline(never)
  private func keyError(_ key: any ObjectKey) -> StoreError? { schema.mismatch(ofKey: key) }

  /// True if an attribute has exactly this name. Comparing ASCII names as strings is safe if the byte counts are equal:
  /// a canonically equivalent string that is not ASCII has more bytes.
  @inline(__always)
  func isName(_ attribute: Int, _ name: String) -> Bool {
    areNamesASCII
      ? attributeNames[attribute].utf8.count == name.utf8.count && attributeNames[attribute] == name
      : attributeNames[attribute].hasSameBytes(as: name)
  }

  /// The stored attribute with exactly this name; nil if there is none.
  func attribute(_ name: String) -> StoredAttribute? {
    guard let property = schema[name], property.isStored, property.name.hasSameBytes(as: name)
    else { return nil }
    return attributes[property.column - layout.firstAttribute]
  }
}

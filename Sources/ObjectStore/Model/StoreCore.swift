/// One open store: its engine and the classes it has met. Handles of one configuration share it.
// Sendable: `entries` and `names` are guarded by `lock`, everything else is immutable.
final class StoreCore: @unchecked Sendable {
  let engine = StoreEngine()
  let configuration: StoreConfiguration
  private let lock = Lock()
  private var entries: [ObjectIdentifier: ClassEntry] = [:]
  private var names: [String: ObjectBase.Type] = [:]

  init(_ configuration: StoreConfiguration) {
    self.configuration = configuration
  }

  // MARK: - Classes

  /// The class as this store knows it; a class met first brings those it links to along.
  /// - Throws: `invalidDeclarations`, `tableNameClash`.
  func entry(_ type: ObjectBase.Type) throws -> ClassEntry {
    if let entry = lock.withLock({ entries[ObjectIdentifier(type)] }) { return entry }
    let schemas = try Self.reachable(from: type)
    return try lock.withLock {
      let missing = schemas.filter { entries[ObjectIdentifier($0.type)] == nil }
      var newNames = names
      for schema in missing {
        let name = schema.type.tableName
        if let other = newNames[name] {
          throw StoreError(
            .tableNameClash(
              name: name, first: String(reflecting: other),
              second: String(reflecting: schema.type)))
        }
        newNames[name] = schema.type
      }
      names = newNames
      add(missing)
      guard let entry = entries[ObjectIdentifier(type)] else {
        misuse("\(type) was not entered")
      }
      return entry
    }
  }

  func allEntries() -> [ClassEntry] { lock.withLock { Array(entries.values) } }

  private func add(_ schemas: [ObjectSchema]) {
    engine.addTables { first in
      var tables: [ObjectIdentifier: Int] = entries.mapValues(\.table)
      for (index, schema) in schemas.enumerated() {
        tables[ObjectIdentifier(schema.type)] = first + index
      }
      return schemas.enumerated().map { index, schema in
        let layout = schema.layout(name: schema.type.tableName) {
          tables[ObjectIdentifier($0)] ?? -1
        }
        let entry = ClassEntry(
          schema, table: first + index, layout, ClassDefaults(schema, self))
        entries[ObjectIdentifier(schema.type)] = entry
        return Table(index: first + index, layout: layout, defaults: entry.defaults)
      }
    }
    wantInverses(of: schemas)
  }

  /// Declared inverses are kept from the first rows on, so that none is searched for by a scan.
  private func wantInverses(of schemas: [ObjectSchema]) {
    for property in schemas.flatMap(\.properties) {
      guard let origin = property.originPropertyName, let source = property.shape.target,
        let entry = entries[ObjectIdentifier(source)], let link = entry.schema[origin]
      else { continue }
      engine.wantBacklinks(Table.Incoming(table: entry.table, column: link.column))
    }
  }

  /// The schemas of a class and of all classes its attributes lead to.
  private static func reachable(from type: ObjectBase.Type) throws -> [ObjectSchema] {
    var seen: Set<ObjectIdentifier> = []
    var pending: [ObjectBase.Type] = [type]
    var schemas: [ObjectSchema] = []
    var mistakes: [String] = []
    while let next = pending.popLast() {
      guard seen.insert(ObjectIdentifier(next)).inserted else { continue }
      let schema = ObjectSchema.trusted(next)
      mistakes += schema.mistakes
      schemas.append(schema)
      pending += schema.properties.compactMap(\.shape.target)
    }
    if !mistakes.isEmpty { throw StoreError(.invalidDeclarations(mistakes)) }
    return schemas
  }
}

/// A class as one store knows it.
@usableFromInline
// Sendable: immutable; metatypes and schemas are.
final class ClassEntry: @unchecked Sendable {
  let schema: ObjectSchema
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

  init(_ schema: ObjectSchema, table: Int, _ layout: TableLayout, _ defaults: ClassDefaults) {
    self.schema = schema
    self.defaults = defaults
    self.table = table
    self.layout = layout
    shape = BatchShape(
      table: table, attributeCount: schema.storedProperties.count,
      keyAttribute: schema.primaryKeyProperty.map { $0.column - layout.firstAttribute },
      isKeyText: schema.primaryKeyProperty?.isText ?? false)
    keyColumn = schema.primaryKeyProperty?.column ?? -1
    keyKind = schema.primaryKeyProperty?.shape.scalar?.kind ?? .int
    attributes = ContiguousArray(
      schema.storedProperties.map { StoredAttribute($0, schema) })
    attributeNames = schema.storedProperties.map(\.name)
    areNamesASCII = attributeNames.allSatisfy { $0.utf8.allSatisfy { $0 < 0x80 } }
    plainKinds = ContiguousArray(
      attributes.map { $0.form == .scalar && $0.cases == nil ? $0.kind : nil })
  }

  /// What is wrong with looking an object up by a key of this type; nil for nothing.
  @inline(__always)
  func mismatch(ofKey type: any PrimaryKeyValue.Type) -> StoreError? {
    let kind = type.scalarKind
    let fits = kind == keyKind || kind.column == .word && keyKind.column == .word
    return fits && keyColumn >= 0 ? nil : keyError(type)
  }

  @inline(never)
  private func keyError(_ type: any PrimaryKeyValue.Type) -> StoreError {
    guard let key = schema.primaryKeyProperty else {
      return StoreError(.noPrimaryKey(className: schema.className))
    }
    return StoreError(
      .typeMismatch(
        attribute: "\(schema.className).\(key.name)", expected: keyKind.name,
        found: "a key of type \(type)"))
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

/// One attribute of a class as updates need it.
final class StoredAttribute: Sendable {
  let property: Property
  let name: String
  let column: Int
  /// Its place among the attributes with columns.
  let index: Int
  let form: AttributeShape.Form
  let kind: ScalarKind
  let cases: EnumCases?
  let isCollection: Bool
  /// The class linked to; nil for values.
  let target: ObjectBase.Type?
  private let className: String

  /// `Class.attribute`, as messages show it.
  var fullName: String { "\(className).\(name)" }

  init(_ property: Property, _ schema: ObjectSchema) {
    self.property = property
    className = schema.className
    name = property.name
    column = property.column
    index = property.column - schema.firstAttribute
    target = property.shape.target
    form = property.shape.form
    kind = property.shape.scalar?.kind ?? .int
    cases = property.shape.scalar?.cases
    isCollection = property.shape.isCollection
  }
}

extension Property {
  var isText: Bool { shape.form == .scalar && shape.scalar?.kind.column == .text }
}

/// The columns of a class, and its attributes in the form that updates use. They depend on the tables of the classes that
/// the attributes refer to.
// Sendable: immutable; `emptyChunk` is never written.
final class ClassColumns: @unchecked Sendable {
  /// The tables of the referenced classes, in the order of ``ModelClass/targets``.
  fileprivate let targetTables: [Int]
  let layout: TableLayout
  /// A chunk of zeros, which the tables of all stores read in place of absent chunks.
  let emptyChunk: Chunk
  /// The attributes with columns, in column order. They are class instances, so that reading one retains only one
  /// reference.
  let attributes: ContiguousArray<StoredAttribute>
  let attributeNames: [String]
  let areNamesASCII: Bool
  /// The kinds of `attributes`; nil for enums, links and collections. Reading one retains no reference.
  let plainKinds: ContiguousArray<ScalarKind?>

  fileprivate init(_ schema: ObjectSchema, targetTables: [Int], table: (ClassID) -> Int) {
    self.targetTables = targetTables
    let layout = schema.layout(table: table)
    self.layout = layout
    emptyChunk = Chunk(emptyWith: layout)
    attributes = ContiguousArray(
      schema.storedProperties.map { StoredAttribute($0, schema, layout) })
    attributeNames = schema.storedProperties.map(\.name)
    areNamesASCII = attributeNames.allSatisfy { $0.utf8.allSatisfy { $0 < 0x80 } }
    plainKinds = ContiguousArray(
      attributes.map { $0.form == .scalar && $0.cases == nil ? $0.kind : nil })
  }
}

/// The last columns of a class. Stores that register the same classes in the same order share them, because creating them
/// takes most of the time of registering a class.
// Sendable: `lock` guards `last`.
final class SharedColumns: @unchecked Sendable {
  private let lock = Lock()
  private var last: ClassColumns?

  func columns(
    _ schema: ObjectSchema, _ targets: [ClassID], table: (ClassID) -> Int
  ) -> ClassColumns {
    let tables = targets.map(table)
    if let last = lock.withLock({ last }), last.targetTables == tables { return last }
    let new = ClassColumns(schema, targetTables: tables, table: table)
    let old = lock.withLock {
      defer { last = new }
      return last
    }
    withExtendedLifetime(old) {}
    return new
  }
}

/// The tables a query reads, in one version.
final class QueryTables {
  private let version: (Int) -> TableVersion
  private var known: ContiguousArray<TableVersion?> = []

  init(_ version: @escaping (Int) -> TableVersion) {
    self.version = version
  }

  subscript(table: Int) -> TableVersion {
    if table < known.count, let version = known[table] { return version }
    while known.count <= table { known.append(nil) }
    let version = version(table)
    known[table] = version
    return version
  }
}

/// The rows of one chunk that a test looks at.
struct QueryChunk {
  let tables: QueryTables
  let columns: UnsafeMutablePointer<StorageColumn>
  let firstSlot: Int
  /// Rows there are.
  let count: Int
}

/// What attributes are read of: a row, or an element of a collection, and what stands around it.
struct EvaluationContext {
  let tables: QueryTables
  var columns: UnsafeMutablePointer<StorageColumn>
  var slot: Int
  /// For an element that is no object: its value.
  var element: QueryCell?
  var outer: UnsafePointer<EvaluationContext>?

  @inline(__always)
  var row: Int { slot & ChunkLayout.mask }

  /// The frame so many scopes further out.
  @inline(__always)
  func withScope<R>(_ scope: Int, _ body: (EvaluationContext) -> R) -> R {
    if scope == 0 { return body(self) }
    guard let outer else { return body(self) }
    return outer.pointee.withScope(scope - 1, body)
  }
}

/// A value as rows and elements hold it.
struct QueryCell {
  var word: UInt64 = 0
  var bytes = UnsafeRawBufferPointer(start: nil, count: 0)
  var isNull = false

  static var null: QueryCell { QueryCell(isNull: true) }
}

/// The rows of one chunk, for evaluating a filter on all of them together.
struct QueryChunk {
  let tables: QueryTables
  let columns: UnsafeMutablePointer<StorageColumn>
  let firstSlot: Int
  /// The number of rows.
  let count: Int
}

/// The row or collection element whose attributes are read, with its enclosing contexts.
struct EvaluationContext {
  let tables: QueryTables
  var columns: UnsafeMutablePointer<StorageColumn>
  var slot: Int
  /// The value of an element that is not an object.
  var element: QueryCell?
  var outer: UnsafePointer<EvaluationContext>?

  @inline(__always)
  var row: Int { slot & ChunkLayout.mask }

  /// Calls `body` with the context `scope` levels further out.
  @inline(__always)
  func withScope<R>(_ scope: Int, _ body: (EvaluationContext) -> R) -> R {
    assert(scope == 0 || scope > 0 && outer != nil, "The context has no scope \(scope)")
    if scope == 0 { return body(self) }
    guard let outer else { return body(self) }
    return outer.pointee.withScope(scope - 1, body)
  }
}

/// A value as stored in rows and elements.
struct QueryCell {
  var word: UInt64 = 0
  var bytes = UnsafeRawBufferPointer(start: nil, count: 0)
  var isNull = false

  static var null: QueryCell { QueryCell(isNull: true) }
}

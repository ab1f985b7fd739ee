final class BoolFilter: RowFilter {
  private let column: Int
  private let value: UInt8

  init(_ column: Int, _ value: Bool) {
    self.column = column
    self.value = value ? 1 : 0
  }

  override func matches(_ context: EvaluationContext) -> Bool {
    let column = context.columns[column]
    return !column.isNull(context.row) && column.byte(context.row) == value
  }

  override func narrow(_ rows: inout RowMask, in chunk: QueryChunk) {
    let column = chunk.columns[column]
    let bytes = column.values.assumingMemoryBound(to: UInt8.self)
    if let presence = column.presence {
      rows.keep(chunk.count) { presence[$0] != 0 && bytes[$0] == value }
    } else {
      rows.keep(chunk.count) { bytes[$0] == value }
    }
  }

  override var cost: Int { 1 }

  override var indexablePredicate: IndexablePredicate? { .words(column: column, [UInt64(value)]) }
}

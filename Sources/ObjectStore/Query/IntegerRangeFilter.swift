/// A filter for integers within bounds, which evaluates `==`, `<` and other comparisons with a constant.
final class IntegerRangeFilter: RowFilter {
  private let column: Int
  private let lower: UInt64
  private let width: UInt64
  /// The mask whose XOR maps the smallest integer to 0: 0 for unsigned integers, the sign bit for signed ones.
  private let offset: UInt64

  init(_ column: Int, signed range: ClosedRange<Int64>) {
    self.column = column
    offset = 1 << 63
    lower = UInt64(bitPattern: range.lowerBound) ^ offset
    width = (UInt64(bitPattern: range.upperBound) ^ offset) - lower
  }

  init(_ column: Int, unsigned range: ClosedRange<UInt64>) {
    self.column = column
    offset = 0
    lower = range.lowerBound
    width = range.upperBound - lower
  }

  override func matches(_ context: EvaluationContext) -> Bool {
    let column = context.columns[column]
    return !column.isNull(context.row) && (column.word(context.row) ^ offset) &- lower <= width
  }

  override func narrow(_ rows: inout RowMask, in chunk: QueryChunk) {
    let column = chunk.columns[column]
    let words = column.values.assumingMemoryBound(to: UInt64.self)
    if let presence = column.presence {
      rows.keep(chunk.count) { presence[$0] != 0 && (words[$0] ^ offset) &- lower <= width }
    } else {
      rows.keep(chunk.count) { (words[$0] ^ offset) &- lower <= width }
    }
  }

  override var cost: Int { 1 }

  override var indexablePredicate: IndexablePredicate? {
    if width == 0 { return .words(column: column, [lower ^ offset]) }
    return .keys(column: column, IndexKey.moved(lower)...IndexKey.moved(lower + width))
  }
}

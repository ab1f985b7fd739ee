/// A filter for Doubles, Floats and dates within bounds, inclusive.
final class DoubleRangeFilter: RowFilter {
  private let column: Int
  private let low: Double
  private let high: Double

  init(_ column: Int, _ low: Double, _ high: Double) {
    assert(low <= high, "The bounds are NaN or in the wrong order")
    self.column = column
    self.low = low
    self.high = high
  }

  override func matches(_ context: EvaluationContext) -> Bool {
    let column = context.columns[column]
    if column.isNull(context.row) { return false }
    let value = Double(bitPattern: column.word(context.row))
    return value >= low && value <= high
  }

  override func narrow(_ rows: inout RowMask, in chunk: QueryChunk) {
    let column = chunk.columns[column]
    let words = column.values.assumingMemoryBound(to: Int64.self)
    // Compare as integers that have the same order, so that both bounds take one comparison. NaN sorts outside the
    // infinities.
    let first = Self.order(low == 0 ? -0.0 : low)
    let width = Self.order(high == 0 ? 0.0 : high) &- first
    if let presence = column.presence {
      rows.keep(chunk.count) { presence[$0] != 0 && Self.order(words[$0]) &- first <= width }
    } else {
      rows.keep(chunk.count) { Self.order(words[$0]) &- first <= width }
    }
  }

  override var cost: Int { 1 }

  @inline(__always)
  private static func order(_ bits: Int64) -> UInt64 {
    UInt64(bitPattern: bits) ^ (UInt64(bitPattern: bits >> 63) | 1 << 63)
  }

  private static func order(_ value: Double) -> UInt64 {
    order(Int64(bitPattern: value.bitPattern))
  }

  override var indexablePredicate: IndexablePredicate? {
    .keys(column: column, IndexKey.key(low)...IndexKey.key(high))
  }
}

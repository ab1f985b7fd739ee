/// A filter for strings, data, UUIDs and JSON values with exactly these bytes.
final class BytesEqualFilter: RowFilter {
  private let column: Int
  private let bytes: [UInt8]

  init(_ column: Int, _ bytes: [UInt8]) {
    self.column = column
    self.bytes = bytes
  }

  override func matches(_ context: EvaluationContext) -> Bool {
    let column = context.columns[column]
    return !column.isNull(context.row)
      && bytes.withUnsafeBytes { column.textEquals(context.row, $0) }
  }

  override func narrow(_ rows: inout RowMask, in chunk: QueryChunk) {
    let column = chunk.columns[column]
    let words = column.values.assumingMemoryBound(to: UInt64.self)
    let length = UInt64(bytes.count)
    // The cells contain the lengths, which exclude most rows.
    rows.keep(chunk.count) { words[$0] & 0xFFFF_FFFF == length }
    if rows.isEmpty { return }
    var kept = rows
    bytes.withUnsafeBytes { bytes in
      rows.forEach { row in
        if column.isNull(row) || !column.textEquals(row, bytes) { kept.remove(row) }
        return true
      }
    }
    rows = kept
  }

  override var cost: Int { 5 }

  override var indexablePredicate: IndexablePredicate? { .bytes(column: column, bytes) }
}

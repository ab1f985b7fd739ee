/// A filter for integers or links whose words are in a set.
final class WordSetFilter: RowFilter {
  private let column: Int
  private let words: Set<UInt64>

  init(_ column: Int, _ words: Set<UInt64>) {
    self.column = column
    self.words = words
  }

  override func matches(_ context: EvaluationContext) -> Bool {
    let column = context.columns[column]
    return !column.isNull(context.row) && words.contains(column.word(context.row))
  }

  override func narrow(_ rows: inout RowMask, in chunk: QueryChunk) {
    let column = chunk.columns[column]
    let values = column.values.assumingMemoryBound(to: UInt64.self)
    var kept = rows
    rows.forEach { row in
      if column.isNull(row) || !words.contains(values[row]) { kept.remove(row) }
      return true
    }
    rows = kept
  }

  override var cost: Int { 8 }

  override var indexablePredicate: IndexablePredicate? { .words(column: column, Array(words)) }
}

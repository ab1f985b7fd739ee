/// A compiled condition on the rows of a table, with its attributes resolved.
///
/// Filters process the rows of a chunk together, so that the columns are located once per 256 rows.
class RowFilter {
  /// The condition that the filter was compiled from, for explanations.
  final var node: QueryNode?

  /// A condition on one column that every matching row satisfies and an index may evaluate; nil if there is none.
  var indexablePredicate: IndexablePredicate? { nil }

  /// True if the condition holds for one row or element.
  func matches(_ context: EvaluationContext) -> Bool { false }

  /// Removes the rows that do not match.
  func narrow(_ rows: inout RowMask, in chunk: QueryChunk) {
    var kept = rows
    var context = EvaluationContext(
      tables: chunk.tables, columns: chunk.columns, slot: chunk.firstSlot)
    rows.forEach { row in
      context.slot = chunk.firstSlot + row
      if !matches(context) { kept.remove(row) }
      return true
    }
    rows = kept
  }

  /// The maximum cost of any filter, which keeps sums from overflowing.
  static let mostCost = 1 << 32

  /// The approximate cost per row. Cheaper filters are evaluated first.
  var cost: Int { 100 }
}

final class ConstantFilter: RowFilter {
  let value: Bool

  init(_ value: Bool) { self.value = value }

  override func matches(_ context: EvaluationContext) -> Bool { value }

  override func narrow(_ rows: inout RowMask, in chunk: QueryChunk) {
    if !value { rows = RowMask() }
  }

  override var cost: Int { 0 }
}

extension [RowFilter] {
  /// The filters in order of cost; filters of equal cost in the order of the query.
  var sortedByCost: [RowFilter] {
    sorted(byNumber: \.cost)
  }

  var totalCost: Int { Swift.min(reduce(0) { $0 + $1.cost }, RowFilter.mostCost) }
}

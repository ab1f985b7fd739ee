final class AndFilter: RowFilter {
  let parts: [RowFilter]
  private let sum: Int

  init(_ filters: [RowFilter]) {
    parts = filters.sortedByCost
    sum = filters.totalCost
  }

  override func matches(_ context: EvaluationContext) -> Bool {
    parts.allSatisfy { $0.matches(context) }
  }

  override func narrow(_ rows: inout RowMask, in chunk: QueryChunk) {
    for filter in parts where !rows.isEmpty { filter.narrow(&rows, in: chunk) }
  }

  override var cost: Int { sum }

  /// The cost of the cheapest filter, which is evaluated for every row.
  var leastCost: Int { parts.map { ($0 as? AndFilter)?.leastCost ?? $0.cost }.min() ?? 0 }
}

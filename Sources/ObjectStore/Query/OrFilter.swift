final class OrFilter: RowFilter {
  let parts: [RowFilter]
  private let sum: Int

  init(_ filters: [RowFilter]) {
    parts = filters.sortedByCost
    sum = filters.totalCost
  }

  override func matches(_ context: EvaluationContext) -> Bool {
    parts.contains { $0.matches(context) }
  }

  override func narrow(_ rows: inout RowMask, in chunk: QueryChunk) {
    var rest = rows
    var found = RowMask()
    for filter in parts where !rest.isEmpty {
      var some = rest
      filter.narrow(&some, in: chunk)
      found.formUnion(some)
      rest.subtract(some)
    }
    rows = found
  }

  override var cost: Int { sum }
}

final class NotFilter: RowFilter {
  let filter: RowFilter

  init(_ filter: RowFilter) { self.filter = filter }

  override func matches(_ context: EvaluationContext) -> Bool { !filter.matches(context) }

  override func narrow(_ rows: inout RowMask, in chunk: QueryChunk) {
    var some = rows
    filter.narrow(&some, in: chunk)
    rows.subtract(some)
  }

  override var cost: Int { filter.cost }

  override var indexablePredicate: IndexablePredicate? {
    guard let filter = filter as? NullFilter, case .keys(let column, _)? = filter.indexablePredicate
    else {
      return nil
    }
    return .keys(column: column, IndexKey.values)
  }
}

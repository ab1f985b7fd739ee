/// A filter for null values and null links.
final class NullFilter: RowFilter {
  private let column: Int
  private let isLink: Bool

  init(_ column: Int, isLink: Bool) {
    self.column = column
    self.isLink = isLink
  }

  override func matches(_ context: EvaluationContext) -> Bool {
    let column = context.columns[column]
    return isLink ? column.word(context.row) == 0 : column.isNull(context.row)
  }

  override var cost: Int { 1 }

  override var indexablePredicate: IndexablePredicate? {
    isLink ? nil : .keys(column: column, IndexKey.null...IndexKey.null)
  }
}

/// A filter for objects with unconfirmed edits, which have a base row.
final class EditFilter: RowFilter {
  private let condition: EditCondition
  private let base: BaseLayout
  private let layout: TableLayout

  /// - Parameter layout: The layout of the class.
  init(_ condition: EditCondition, _ base: BaseLayout, _ layout: TableLayout) {
    self.condition = condition
    self.base = base
    self.layout = layout
  }

  override func matches(_ context: EvaluationContext) -> Bool {
    let bases = context.tables[base.table]
    guard bases.liveCount > 0,
      let baseSlot = bases.find(key: context.columns, context.row, layout)
    else { return false }
    if bases.state(baseSlot, base).isTombstone || !bases.hasEdits(baseSlot, base) { return false }
    return condition == .edited || bases.isRejected(baseSlot, base)
  }

  override func narrow(_ rows: inout RowMask, in chunk: QueryChunk) {
    if chunk.tables[base.table].liveCount == 0 {
      rows = RowMask()
    } else {
      super.narrow(&rows, in: chunk)
    }
  }

  override var cost: Int { 10 }
}

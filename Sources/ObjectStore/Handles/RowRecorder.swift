/// Records the rows of a table that updates of a write name, also those that they leave unchanged.
final class RowRecorder {
  private let table: Int
  private(set) var rows: SlotSet

  /// - Parameter rows: The rows recorded so far. Rows past its capacity are not recorded.
  init(table: Int, rows: SlotSet) {
    self.table = table
    self.rows = rows
  }

  func note(_ table: Int, _ slot: Int) {
    if table == self.table { rows.insert(slot) }
  }

  /// Records the rows of an applied batch.
  func note(rowsOf batch: RowBatch) {
    batch.forEachSlot(in: table) { rows.insert($0) }
  }
}

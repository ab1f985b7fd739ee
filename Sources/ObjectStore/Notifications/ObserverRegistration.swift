/// The rows that an observation covers.
enum ObservedRows {
  /// One row, or a collection in it.
  case row(table: Int, slot: Int)
  /// The rows that a query returns, or all rows of the class if the query is nil.
  case query(table: Int, ResultsQuery?)
}

/// The observed content of one token, readable on any thread.
// Sendable: immutable. Queries are immutable, too: each run creates its own state.
final class ObserverRegistration: ObservedContent, @unchecked Sendable {
  private let rows: ObservedRows
  private let state: ObservationToken.State

  init(_ rows: ObservedRows, _ state: ObservationToken.State) {
    self.rows = rows
    self.state = state
  }

  var isOver: Bool { state.isCancelled }

  var scope: ObservedScope? {
    switch rows {
    case .row: nil
    case .query(let table, nil): .table(table)
    case .query(let table, let query?):
      .query(ObjectIdentifier(query), table: query.source.row == nil ? table : nil)
    }
  }

  func forEachRow(_ handle: StoreHandle, _ body: (_ table: Int, _ slot: Int) -> Void) {
    switch rows {
    case .row(let table, let slot): body(table, slot)
    case .query(let table, nil):
      handle.tableVersion(table).forEachLive {
        body(table, $0)
        return true
      }
    case .query(let table, let query?):
      if let row = query.source.row { body(row.table, row.slot) }
      for slot in query.slots(handle, table) { body(table, slot) }
    }
  }
}

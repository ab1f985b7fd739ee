// Applying a payload that may be older than what the store has received since it was requested.
//
//     version 5   order.note = "a"     GET /orders/7 ──▶
//     version 6   order.note = "b", sent and confirmed
//                                      ◀── {"id":7,"note":"a","total":12}: only the total is applied

extension Transaction {
  /// Makes the cells of a batch row of a deleted object absent whose edits were confirmed since the request.
  func leaveOutConfirmedValues(_ row: BatchRow, _ writer: TableWriter, _ request: RequestState) {
    let key = ConfirmationLog.Key(row.key, isBytes: writer.isKeyBytes)
    guard let confirmed = request.confirmed[writer.table.index]?[key] else { return }
    for column in writer.firstAttribute..<writer.columnCount where column != writer.keyColumn {
      let attribute = column - writer.firstAttribute
      if confirmed.has(attribute) { row[attribute] = .absent }
    }
  }

  /// Makes the cells of a batch row absent that are older than the row: the object had an edit that was confirmed since the
  /// request, and the attribute was in it, or its value on the server has changed since.
  ///
  /// The response to the confirmed request may contain values of other attributes, which are newer, too.
  func leaveOutNewerValues(
    _ row: BatchRow, _ writer: TableWriter, _ slot: Int, _ request: RequestState
  ) {
    let table = writer.table.index
    guard
      let confirmed = request.confirmed[table]?[
        .init(writer.keyCell(slot), isBytes: writer.isKeyBytes)]
    else { return }
    let isKnown = rows(table, in: request.version).isLive(slot)
    let (former, current) = (
      ServerRow(self, table, slot, in: request.version), ServerRow(self, table, slot, in: nil)
    )
    for column in writer.firstAttribute..<writer.columnCount where column != writer.keyColumn {
      let attribute = column - writer.firstAttribute
      if row[attribute].state == .absent { continue }
      if confirmed.has(attribute) {
        row[attribute] = .absent
        continue
      }
      switch (isKnown ? former.value(of: attribute) : nil, current.value(of: attribute)) {
      case (nil, nil): continue
      case (let former?, let current?) where isEqual(column, former, current): continue
      default: row[attribute] = .absent
      }
    }
  }
}

/// The values that the server has of an object, as a version or the open write shows them.
private struct ServerRow {
  private let row: StoredRow
  private let rows: TableVersion
  private let base: BaseLayout?
  private let baseRow: StoredRow?
  private let bases: TableVersion?

  init(_ transaction: Transaction, _ table: Int, _ slot: Int, in state: Version?) {
    row = StoredRow(state: state, table: table, slot: slot)
    rows = transaction.rows(table, in: state)
    base = transaction.engine.table(table).base
    bases = base.map { transaction.rows($0.table, in: state) }
    if let base, let bases, bases.liveCount > 0,
      let baseSlot = bases.find(
        keyOf: slot, in: rows, transaction.engine.table(table).layout)
    {
      baseRow = StoredRow(state: state, table: base.table, slot: baseSlot)
    } else {
      baseRow = nil
    }
  }

  /// Returns the row with the server's value of an attribute; nil if the value is unknown.
  func value(of attribute: Int) -> StoredRow? {
    let own = rows.isMissing(row.slot, attribute) ? nil : row
    guard let base, let bases, let baseRow else { return own }
    let marks = bases.marks(baseRow.slot, base, attribute)
    if !marks.contains(.edited) { return own }
    return marks.contains(.known) ? baseRow : nil
  }
}

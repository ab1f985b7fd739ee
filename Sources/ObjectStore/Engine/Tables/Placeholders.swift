// Rows of which only the key is known.

extension TableWriter {
  /// Records that a row has more than its key, before an assignment to one of its attributes.
  @inline(never)
  func endPlaceholder(_ slot: Int) {
    if let column = table.placeholderColumn { setByte(slot, column, 0) }
  }
}

extension Transaction {
  /// Records in a row whether the update sets more than its key. Does nothing if the update itself sets the mark, or sets
  /// no other attribute of an existing row.
  @inline(never)
  func markPlaceholder(_ writer: TableWriter, _ slot: Int, _ row: BatchRow) {
    guard let column = writer.table.placeholderColumn else { return }
    func isSet(_ column: Int) -> Bool {
      let cell = row[column - writer.firstAttribute]
      return cell.state != .absent && !cell.isDefault
    }
    if isSet(column) { return }
    let setsMore = (writer.firstAttribute..<writer.columnCount).contains {
      isSet($0) && $0 != writer.keyColumn && !writer.columnLayout($0).isKeyPart
    }
    if setsMore {
      writer.setByte(slot, column, 0)
    } else if row.has(BatchRow.wasInserted) {
      writer.setByte(slot, column, 1)
    }
  }
}

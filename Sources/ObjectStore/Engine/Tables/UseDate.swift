import Foundation

/// The column with the date of last use, which an update sets in each row that it names.
struct UseDate: Sendable {
  let column: Int
  /// The minimum number of seconds between the stored date and a use that updates it.
  let granularity: Double

  /// True if the date of a row should be set to the time of a use.
  ///
  /// That is the case if the row has no date, if its date is older by at least the granularity, or if its date is in
  /// the future by at least as much because the clock was wrong when it was set. Times are in seconds since 2001.
  func isDue(_ version: TableVersion, _ slot: Int, _ time: Double, now: Double) -> Bool {
    let column = version.columns(slot)[column]
    let row = slot & ChunkLayout.mask
    if column.isNull(row) { return true }
    let last = Double(bitPattern: column.word(row))
    return last < time && time - last >= granularity || last > now && last - now >= granularity
  }
}

extension Transaction {
  /// The time of use of the rows that this transaction's updates name, in seconds since 2001.
  private var useTime: Double {
    if let knownUseTime { return knownUseTime }
    let time = Date().timeIntervalSinceReferenceDate
    knownUseTime = time
    return time
  }

  /// Sets a row's date of last use, if due, before assignments to the row.
  @inline(never)
  func noteUse(_ writer: TableWriter, _ slot: Int) {
    if let date = writer.table.useDate { noteUse(writer, slot, date, useTime) }
  }

  /// Sets a row's date of last use, if due, after an update to the row. Does nothing if the update itself sets the date.
  @inline(never)
  func noteUse(_ writer: TableWriter, _ slot: Int, _ row: BatchRow) {
    guard let date = writer.table.useDate else { return }
    let cell = row[date.column - writer.firstAttribute]
    if cell.state == .absent || cell.isDefault { noteUse(writer, slot, date, useTime) }
  }

  /// Sets the date of a row, in seconds since 2001, if it is due; returns true if it changed.
  @discardableResult
  func noteUse(_ writer: TableWriter, _ slot: Int, _ date: UseDate, _ time: Double) -> Bool {
    date.isDue(writer.version, slot, time, now: useTime)
      && writer.setWord(slot, date.column, time.bitPattern)
  }
}

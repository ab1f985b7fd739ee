import Foundation

/// The date that an update sets of each row it names.
struct UseDate: Sendable {
  let column: Int
  /// The least number of seconds between it and a use for which it is set.
  let granularity: Double

  /// True if the date of a row is to be set to the time of a use.
  ///
  /// It is if it is older by the granularity; and if it is later than the present by that: then the clock was wrong
  /// when it was set. Times are seconds since 2001.
  func isDue(_ version: TableVersion, _ slot: Int, _ time: Double, now: Double) -> Bool {
    let cell = version.columns(slot)[column]
    let row = slot & ChunkLayout.mask
    if cell.isNull(row) { return true }
    let last = Double(bitPattern: cell.word(row))
    return last < time && time - last >= granularity || last > now && last - now >= granularity
  }
}

extension Transaction {
  /// When the rows are used that its updates name, in seconds since 2001.
  private var useTime: Double {
    if let knownUseTime { return knownUseTime }
    let time = Date().timeIntervalSinceReferenceDate
    knownUseTime = time
    return time
  }

  /// Notes that an assignment named a row.
  @inline(never)
  func noteUse(_ writer: TableWriter, _ slot: Int) {
    if let date = writer.table.useDate { noteUse(writer, slot, date, useTime) }
  }

  /// Notes that an update named a row, unless it gave the row its date.
  @inline(never)
  func noteUse(_ writer: TableWriter, _ slot: Int, _ row: BatchRow) {
    guard let date = writer.table.useDate else { return }
    let cell = row[date.column - writer.firstAttribute]
    if cell.state == .absent || cell.isDefault { noteUse(writer, slot, date, useTime) }
  }

  /// Sets the date of a row, in seconds since 2001, if it is due; returns whether it changed.
  @discardableResult
  func noteUse(_ writer: TableWriter, _ slot: Int, _ date: UseDate, _ time: Double) -> Bool {
    date.isDue(writer.version, slot, time, now: useTime)
      && writer.setWord(slot, date.column, time.bitPattern)
  }
}

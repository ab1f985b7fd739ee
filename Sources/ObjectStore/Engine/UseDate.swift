import Foundation

/// The date that an update sets of each row it names.
struct UseDate: Sendable {
  let column: Int
  /// How many seconds older it must be than now.
  let granularity: Double

  /// Whether the date of a row is so much older than a time, in seconds since 2001.
  func isDue(_ version: TableVersion, _ slot: Int, _ time: Double) -> Bool {
    let cell = version.columns(slot)[column]
    let row = slot & ChunkLayout.mask
    let age = time - Double(bitPattern: cell.word(row))
    return cell.isNull(row) || age > 0 && age >= granularity
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

  /// Sets the date of a row if it is older; returns whether it was. It is seconds since 2001.
  @discardableResult
  func noteUse(_ writer: TableWriter, _ slot: Int, _ date: UseDate, _ time: Double) -> Bool {
    date.isDue(writer.version, slot, time)
      && writer.setWord(slot, date.column, time.bitPattern)
  }
}

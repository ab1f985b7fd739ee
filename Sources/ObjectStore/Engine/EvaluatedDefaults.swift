/// The attributes of new rows that hold defaults evaluated for the row, by table and slot.
struct EvaluatedDefaults {
  private var attributes: [Int: [Int: AttributeBits]] = [:]

  mutating func note(_ row: BatchRow, table: Int, slot: Int) {
    attributes[table, default: [:]][slot] = row.defaults
  }

  func contains(_ attribute: Int, table: Int, slot: Int) -> Bool {
    attributes[table]?[slot]?.has(attribute) ?? false
  }
}

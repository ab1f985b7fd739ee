// A bit for each attribute of a keyless row, set while the attribute holds its default. The bits are stored in columns
// of the engine's own (see ``TableLayout``). They allow repeated content to be recognized even if a default differs
// from row to row.

extension TableVersion {
  /// True if the attribute was left to its default when the row was inserted and has not been assigned since.
  func isDefault(_ slot: Int, _ attribute: Int) -> Bool {
    word(slot, TableLayout.defaultsColumn + attribute / 64) >> UInt64(attribute % 64) & 1 != 0
  }
}

extension BatchRow {
  /// The attributes that are left to their defaults.
  var defaults: AttributeBits {
    var bits = AttributeBits()
    for attribute in 0..<Int(header.pointee.attributeCount)
    where cells[attribute].state == .absent || cells[attribute].isDefault {
      bits.insert(attribute)
    }
    return bits
  }
}

extension TableWriter {
  /// Returns the attributes that were left to their defaults. For keyless rows only.
  func defaults(of slot: Int) -> AttributeBits {
    var bits = AttributeBits()
    for index in 0..<(columnCount - firstAttribute + 63) / 64 {
      bits.set(index, version.word(slot, TableLayout.defaultsColumn + index))
    }
    return bits
  }

  func isDefault(_ slot: Int, _ attribute: Int) -> Bool { version.isDefault(slot, attribute) }

  /// Records the defaults of a new row, which no version can see.
  func noteDefaults(_ slot: Int, _ row: BatchRow) {
    guard row.has(BatchRow.hasDefaults) else { return }
    for first in stride(from: 0, to: columnCount - firstAttribute, by: 64) {
      var bits: UInt64 = 0
      for attribute in first..<min(first + 64, columnCount - firstAttribute)
      where row[attribute].isDefault {
        bits |= 1 << UInt64(attribute - first)
      }
      setDefaults(slot, first, bits)
    }
  }

  /// Records that the attribute was assigned.
  @inline(never)
  func forgetDefault(_ slot: Int, _ attribute: Int) {
    guard isDefault(slot, attribute) else { return }
    let word = version.word(slot, TableLayout.defaultsColumn + attribute / 64)
    setDefaults(slot, attribute, word & ~(1 << UInt64(attribute % 64)))
  }

  func setDefaults(_ slot: Int, _ attribute: Int, _ bits: UInt64) {
    writable(slot, TableLayout.defaultsColumn + attribute / 64).pointee.values.storeBytes(
      of: bits, toByteOffset: (slot & ChunkLayout.mask) &* 8, as: UInt64.self)
  }
}

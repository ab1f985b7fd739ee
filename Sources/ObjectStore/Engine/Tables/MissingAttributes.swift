// The attributes of a row to which neither a payload nor code has given a value. They show their declared defaults, null,
// or empty collections.
//
// Each row has a bit for each attribute, in columns of the engine's own (see ``TableLayout``): set while the attribute is
// missing. In a class with a key, only attributes that payloads contain can be missing; rows without a key also record
// the others, so that repeated content is recognized even if a default differs from row to row. The columns of a chunk in
// which nothing is missing share one block of zeros.
//
//     {"id": 7, "title": "a"}     id  title  note  lines
//                                 0   0      1     1

extension TableVersion {
  /// True if neither a payload nor code has given the attribute a value.
  @inline(__always)
  func isMissing(_ slot: Int, _ attribute: Int) -> Bool {
    word(slot, TableLayout.missingColumn + attribute / 64) >> UInt64(attribute % 64) & 1 != 0
  }

  /// True if a payload said that it contains everything that the server has, so that missing attributes are known.
  func isWhole(_ slot: Int, _ layout: TableLayout) -> Bool {
    isMissing(slot, layout.attributeCount)
  }

  /// True if any attribute is missing, or if the row is whole.
  @inline(__always)
  func hasMissing(_ slot: Int, _ layout: TableLayout) -> Bool {
    for column in layout.missingColumns where word(slot, column) != 0 { return true }
    return false
  }

  /// The missing attributes.
  func missing(_ slot: Int, _ layout: TableLayout) -> AttributeBits {
    var bits = AttributeBits()
    for column in layout.missingColumns {
      bits.set(column - TableLayout.missingColumn, word(slot, column))
    }
    if bits.has(layout.attributeCount) { bits.remove(layout.attributeCount) }
    return bits
  }

  /// The missing attributes of a row that is not whole.
  func unknown(_ slot: Int, _ layout: TableLayout) -> AttributeBits {
    isWhole(slot, layout) ? AttributeBits() : missing(slot, layout)
  }
}

extension Transaction {
  /// True if the attributes that a batch row leaves to their defaults are missing from the row that it inserts. The user's
  /// rows have all attributes, unless they only refer to an object.
  @inline(__always)
  func mayLackAttributes(_ row: BatchRow) -> Bool {
    edits.phase.author == .server || row.has(BatchRow.isCopy) || row.isReference
  }

  /// The attributes that would be missing from the row that content inserts.
  func missing(of content: BatchRow) -> AttributeBits {
    var bits = AttributeBits()
    guard mayLackAttributes(content) else { return bits }
    for attribute in 0..<Int(content.header.pointee.attributeCount)
    where content.cells[attribute].state == .absent || content.cells[attribute].isDefault
      || content.cells[attribute].isMissing
    {
      bits.insert(attribute)
    }
    return bits
  }
}

extension TableWriter {
  @inline(__always)
  func isMissing(_ slot: Int, _ attribute: Int) -> Bool {
    word(slot, TableLayout.missingColumn + attribute / 64) >> UInt64(attribute % 64) & 1 != 0
  }

  /// True if any attribute of a row is missing, or if the row is whole.
  @inline(__always)
  func hasMissing(_ slot: Int) -> Bool {
    let columns = columns(slot) + TableLayout.missingColumn
    if !cursorMayLackAttributes { return false }
    for index in 0..<missingColumnCount
    where columns[index].word(slot & ChunkLayout.mask) != 0 { return true }
    return false
  }

  /// The missing attributes of a row.
  func missing(_ slot: Int) -> AttributeBits { version.missing(slot, layout) }

  /// Records the attributes of a new row that are left to their defaults. No version can see the row.
  @inline(never)
  func noteMissing(_ slot: Int, _ row: BatchRow) {
    for column in layout.missingColumns {
      let first = (column - TableLayout.missingColumn) * 64
      var bits: UInt64 = 0
      for attribute in min(first, layout.attributeCount)..<min(first + 64, layout.attributeCount)
      where row[attribute].isDefault || row[attribute].isMissing {
        bits |= 1 << UInt64(attribute - first)
      }
      if identity == .keyed { bits &= table.payloadAttributes.word(first / 64) }
      if bits != 0 { setMissingWord(slot, column, bits) }
    }
    updatePlaceholder(slot)
  }

  /// Records that an attribute was given a value.
  @inline(__always)
  func give(_ slot: Int, _ attribute: Int) {
    _ = columns(slot)
    guard cursorMayLackAttributes else {
      assert(!isMissing(slot, attribute), "An attribute is missing in a chunk that lacks none")
      return
    }
    if isMissing(slot, attribute) { endMissing(slot, attribute) }
  }

  @inline(never)
  private func endMissing(_ slot: Int, _ attribute: Int) {
    setMissing(slot, attribute, to: false)
  }

  /// Records whether an attribute is missing. In a class with a key, an attribute that payloads do not contain never is.
  func setMissing(_ slot: Int, _ attribute: Int, to isMissing: Bool) {
    if self.isMissing(slot, attribute) == isMissing { return }
    if isMissing, identity == .keyed, !table.payloadAttributes.has(attribute) { return }
    let column = TableLayout.missingColumn + attribute / 64
    setMissingWord(slot, column, word(slot, column) ^ 1 << UInt64(attribute % 64))
    noteKnownChange(slot, column)
    updatePlaceholder(slot)
  }

  /// Records that a payload had everything that the server has of a row. It matters only if attributes are missing.
  ///
  /// - Parameter evenIfGiven: True to record it although no attribute is missing yet.
  @inline(never)
  func setWhole(_ slot: Int, evenIfGiven: Bool = false) {
    guard evenIfGiven || hasMissing(slot), !version.isWhole(slot, layout) else { return }
    let column = TableLayout.missingColumn + layout.attributeCount / 64
    setMissingWord(slot, column, word(slot, column) | 1 << UInt64(layout.attributeCount % 64))
    noteKnownChange(slot, column)
    updatePlaceholder(slot)
  }

  /// Sets the bits of some missing attributes. No change is recorded.
  func setMissingWord(_ slot: Int, _ column: Int, _ bits: UInt64) {
    // The shared block of zeros is never written.
    let isShared = columns(slot)[column].block._withUnsafeGuaranteedRef(\.isShared)
    let target = isShared ? owned(slot, column) : writable(slot, column)
    cursorMayLackAttributes = true
    target.pointee.values.storeBytes(
      of: bits, toByteOffset: (slot & ChunkLayout.mask) &* 8, as: UInt64.self)
  }
}

// Rows with equal keys in one batch.
//
// They are merged in order before they are compared with the store. If they were applied one after the other, a payload
// that arrives again would always write: its first row would replace the values of the last one, which would then
// restore them. Most payloads have sorted keys. Therefore each key is compared only with the previous one of its table as
// rows are added; a hash table is built only of the keys of the tables in which they neither ascend nor descend, such as
// those of the authors that a list of articles repeats.

/// The order of the keys of one table's rows so far.
struct KeyOrder {
  var last: BatchRow?
  /// 1 while keys ascend, -1 while they descend, 0 until this is known.
  var direction = 0
  /// True if a key may be repeated: the keys neither ascend nor descend.
  var mayRepeat = false
  /// The number of rows.
  var rowCount = 0
}

extension RowBatch {
  func forgetKeys() {
    keyOrders.removeAll(keepingCapacity: true)
    mayRepeatKeys = false
    hasMergedRows = false
  }

  /// Compares the key of a completed row with that of the previous row of its table, to detect possible duplicates.
  func noteKey(of row: BatchRow) {
    let table = Int(row.header.pointee.table)
    while table >= keyOrders.count { keyOrders.append(KeyOrder()) }
    let order = keyOrders[table]
    keyOrders[table].rowCount += 1
    if order.mayRepeat { return }
    keyOrders[table].last = row
    guard let last = order.last else { return }
    let direction = row.keyOrder(to: last)
    if direction == 0 || direction == -order.direction {
      keyOrders[table].mayRepeat = true
      mayRepeatKeys = true
    } else {
      keyOrders[table].direction = direction
    }
  }

  /// True if two rows of a table may have the same key.
  func mayRepeatKeys(of table: Int) -> Bool {
    table < keyOrders.count && keyOrders[table].mayRepeat
  }

  /// Merges rows with equal keys into the first of them; the cells of later rows replace those of earlier ones. Rows
  /// that only a replaced cell referenced are not applied, unless they have a key.
  func mergeDuplicateKeys() {
    guard mayRepeatKeys else { return }
    var keys = BatchKeys(
      self, capacity: keyOrders.reduce(0) { $1.mayRepeat ? $0 + $1.rowCount : $0 })
    for index in rows.indices {
      let row = rows[index]
      guard row.isKeyed, mayRepeatKeys(of: Int(row.header.pointee.table)),
        !row.has(BatchRow.isDropped),
        let first = keys.insert(index)
      else { continue }
      if rows[first].merge(row) || hasRowElements { hasForwardLinks = true }
      hasMergedRows = true
    }
  }
}

extension BatchRow {
  /// Returns 1, 0 or -1 if the key is greater than, equal to or less than that of another row of the table.
  fileprivate func keyOrder(to other: BatchRow) -> Int {
    let (key, otherKey) = (self.key, other.key)
    guard has(Self.hasBytesKey) else {
      return key.bits == otherKey.bits ? 0 : key.bits < otherKey.bits ? -1 : 1
    }
    if key.bytes.hasSameBytes(as: otherKey.bytes) { return 0 }
    return key.bytes.precedes(otherKey.bytes) ? -1 : 1
  }

  fileprivate func keyHash(_ keyHash: KeyHash) -> UInt64 {
    let hash = has(Self.hasBytesKey) ? keyHash.bytes(key.bytes) : keyHash.word(key.bits)
    return keyHash.word(hash ^ UInt64(truncatingIfNeeded: header.pointee.table))
  }

  fileprivate func hasSameKey(as other: BatchRow) -> Bool {
    header.pointee.table == other.header.pointee.table && keyOrder(to: other) == 0
  }

  /// Takes over the cells of a later row with the same key. Returns true if a cell refers to a nested row, which then
  /// follows this row.
  ///
  /// - Parameter isInPlace: True if the rows are content that updates an embedded object.
  fileprivate func merge(_ later: BatchRow, isInPlace: Bool = false) -> Bool {
    var takesRow = false
    for attribute in 0..<Int(header.pointee.attributeCount)
    where later[attribute].state != .absent {
      // A value from an earlier row takes precedence over a default.
      if later[attribute].isDefault, self[attribute].state != .absent { continue }
      if let content = later[attribute].row,
        content.has(Self.isInPlace) || isInPlace && content.has(Self.isEmbedded)
      {
        if let earlier = self[attribute].row {
          if earlier.merge(content, isInPlace: true) { takesRow = true }
          continue
        }
        // The object that an earlier null removes is not updated.
        if self[attribute].state == .null {
          content.header.pointee.flags &= ~(Self.isInPlace | Self.isEmbedded)
        }
      }
      self[attribute] = later[attribute]
      if later[attribute].state == .row { takesRow = true }
    }
    let kept = later.header.pointee.flags & (Self.hasDefaults | Self.makesMissing | Self.isWhole)
    header.pointee.flags |= kept
    later.header.pointee.flags |= Self.isMerged
    return takesRow
  }
}

/// The keys of a batch: an open-addressing hash table of `tag << 32 | row index + 1`, built for a single pass.
struct BatchKeys: ~Copyable {
  private let batch: RowBatch
  private let words: UnsafeMutablePointer<UInt64>
  private let mask: Int
  private let keyHash = KeyHash()

  /// - Parameter capacity: The maximum number of keys; nil for the number of rows.
  init(_ batch: RowBatch, capacity: Int? = nil) {
    self.batch = batch
    var size = 32
    while size < (capacity ?? batch.rows.count) * 2 { size *= 2 }
    mask = size - 1
    words = .allocate(capacity: size)
    words.initialize(repeating: 0, count: size)
  }

  deinit {
    words.deallocate()
  }

  /// Inserts the key of the row at an index; returns the index of an earlier row that has the same key, if any.
  mutating func insert(_ index: Int) -> Int? {
    let row = batch.rows[index]
    let hash = row.keyHash(keyHash)
    var entry = Int(truncatingIfNeeded: hash) & mask
    while words[entry] != 0 {
      if (words[entry] ^ hash) >> 32 == 0 {
        let other = Int(words[entry] & 0xFFFF_FFFF) - 1
        if batch.rows[other].hasSameKey(as: row) { return other }
      }
      entry = (entry &+ 1) & mask
    }
    words[entry] =
      hash & 0xFFFF_FFFF_0000_0000 | UInt64(UInt32(truncatingIfNeeded: index &+ 1))
    return nil
  }
}

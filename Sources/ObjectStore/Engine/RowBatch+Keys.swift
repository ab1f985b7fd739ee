// Rows of one key in one batch.
//
// They are folded in order before they are compared with the store: applied one after the other,
// the first would undo what the last of the same payload did before, and the same payload again
// would write both ways. Hardly any payload has a key twice, and most have their keys in order; so
// keys are compared with the one before as rows come in, and only looked for in a table of all of
// them where they neither rise nor fall.

/// How the keys of one table's rows went so far.
struct KeyRun {
  var last: BatchRow?
  /// 1 while they rise, -1 while they fall, 0 before it is known.
  var direction = 0
}

extension RowBatch {
  func forgetKeys() {
    keyRuns.removeAll(keepingCapacity: true)
    mayRepeatKeys = false
    hasFoldedRows = false
  }

  /// Compares the key of a completed row with that of the row of its table before.
  func noteKey(of row: BatchRow) {
    let table = Int(row.header.pointee.table)
    while table >= keyRuns.count { keyRuns.append(KeyRun()) }
    let run = keyRuns[table]
    keyRuns[table].last = row
    guard let last = run.last else { return }
    let direction = row.keyOrder(to: last)
    if direction == 0 || direction == -run.direction {
      mayRepeatKeys = true
    } else {
      keyRuns[table].direction = direction
    }
  }

  /// Folds rows of one key into the first of them: what a later row has takes the place of what
  /// earlier ones have. What only a replaced cell held is not applied, unless it has a key.
  func foldRepeatedKeys() {
    guard mayRepeatKeys else { return }
    var keys = BatchKeys(self)
    for place in rows.indices {
      let row = rows[place]
      guard row.isKeyed, !row.has(BatchRow.isDropped), let first = keys.insert(place) else {
        continue
      }
      rows[first].fold(row)
      hasFoldedRows = true
    }
  }
}

extension BatchRow {
  /// 1, 0 or -1: whether the key stands behind, at or before that of another row of the table.
  fileprivate func keyOrder(to other: BatchRow) -> Int {
    let (key, otherKey) = (self.key, other.key)
    guard has(Self.hasTextKey) else {
      return key.bits == otherKey.bits ? 0 : key.bits < otherKey.bits ? -1 : 1
    }
    if key.bytes.hasSameBytes(as: otherKey.bytes) { return 0 }
    return key.bytes.precedes(otherKey.bytes) ? -1 : 1
  }

  fileprivate func keyHash(_ keyHash: KeyHash) -> UInt64 {
    let hash = has(Self.hasTextKey) ? keyHash.bytes(key.bytes) : keyHash.word(key.bits)
    return keyHash.word(hash ^ UInt64(truncatingIfNeeded: header.pointee.table))
  }

  fileprivate func hasSameKey(as other: BatchRow) -> Bool {
    header.pointee.table == other.header.pointee.table && keyOrder(to: other) == 0
  }

  /// Takes over what a later row of the same key has.
  fileprivate func fold(_ later: BatchRow) {
    for attribute in 0..<Int(header.pointee.attributeCount)
    where later[attribute].state != .absent {
      // What an earlier one says counts more than a default.
      if later[attribute].isDefault, self[attribute].state != .absent { continue }
      self[attribute] = later[attribute]
    }
    later.header.pointee.flags |= Self.isFolded
  }
}

extension BatchCell {
  /// Of a map: whether a key may stand in it twice. Few keys are compared each with each; of more it
  /// is only seen whether they rise, as a server that sorts them sends them.
  package var mayRepeatKeys: Bool {
    let elements = elements
    let isFew = elements.count <= 2 * 16
    for index in stride(from: 2, to: elements.count, by: 2) {
      let key = elements[index].bytes
      if !isFew {
        if !elements[index - 2].bytes.precedes(key) { return true }
        continue
      }
      for other in stride(from: 0, to: index, by: 2)
      where elements[other].bytes.hasSameBytes(as: key) {
        return true
      }
    }
    return false
  }
}

/// The keys of a batch: an open-addressing hash of `tag << 32 | place of the row + 1`, made for one
/// look at all of them.
struct BatchKeys: ~Copyable {
  private let batch: RowBatch
  private let words: UnsafeMutablePointer<UInt64>
  private let mask: Int
  private let keyHash = KeyHash()

  init(_ batch: RowBatch) {
    self.batch = batch
    var size = 32
    while size < batch.rows.count * 2 { size *= 2 }
    mask = size - 1
    words = .allocate(capacity: size)
    words.initialize(repeating: 0, count: size)
  }

  deinit {
    words.deallocate()
  }

  /// Enters the key of the row at a place, unless an earlier row has it: then returns its place.
  mutating func insert(_ place: Int) -> Int? {
    let row = batch.rows[place]
    let hash = row.keyHash(keyHash)
    var index = Int(truncatingIfNeeded: hash) & mask
    while words[index] != 0 {
      if (words[index] ^ hash) >> 32 == 0 {
        let other = Int(words[index] & 0xFFFF_FFFF) - 1
        if batch.rows[other].hasSameKey(as: row) { return other }
      }
      index = (index &+ 1) & mask
    }
    words[index] =
      hash & 0xFFFF_FFFF_0000_0000 | UInt64(UInt32(truncatingIfNeeded: place &+ 1))
    return nil
  }
}

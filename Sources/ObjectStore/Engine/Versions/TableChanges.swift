/// The changes of a transaction to one table, from which the commit updates the indexes (R8).
struct TableChanges {
  /// The number of inserted rows that are still live. Their slots are at or past the row count at the start of the
  /// transaction.
  var insertedCount = 0
  /// The slots of deleted rows that existed before the transaction, in order of deletion.
  var deleted: [Int] = []
  /// True if an attribute of a row was given or became missing.
  var areKnownChanged = false
  private var masks = ChunkMasks()

  var isEmpty: Bool {
    insertedCount == 0 && deleted.isEmpty && masks.isEmpty && !areKnownChanged
  }

  /// Records that an attribute of a row changed.
  @inline(__always)
  mutating func note(_ slot: Int, attribute: Int) {
    masks.open(slot >> ChunkLayout.shift)[slot & ChunkLayout.mask] |= Self.bit(attribute)
  }

  /// Returns the mask of changed attributes of a row: bit i for attribute i, and bit 63 for all attributes from 63 on.
  func mask(_ slot: Int) -> UInt64 {
    masks.find(slot >> ChunkLayout.shift)?.bits[slot & ChunkLayout.mask] ?? 0
  }

  /// Calls `body` with each changed row and its mask, in no particular order.
  ///
  /// - Complexity: O(rows of the chunks with changes).
  @inline(__always)
  func forEachChanged(_ body: (_ slot: Int, _ mask: UInt64) -> Void) {
    masks.forEach { chunk, rows in
      for row in 0..<ChunkLayout.rows where rows.bits[row] != 0 {
        body(chunk << ChunkLayout.shift + row, rows.bits[row])
      }
    }
  }

  /// Returns the bit of an attribute in the masks.
  static func bit(_ attribute: Int) -> UInt64 { 1 << UInt64(min(max(attribute, 0), 63)) }

  /// The number of chunks with changed rows.
  var chunkCount: Int { masks.count }

  /// Adds the changes made since a savepoint.
  mutating func merge(_ later: TableChanges) {
    insertedCount += later.insertedCount
    deleted += later.deleted
    areKnownChanged = areKnownChanged || later.areKnownChanged
    later.masks.forEach { chunk, rows in
      let mine = masks.open(chunk)
      for row in 0..<ChunkLayout.rows { mine[row] |= rows.bits[row] }
    }
  }
}

/// Chunk index → masks of its rows, for the chunks with changes: an open-addressing hash table, so that its size is
/// proportional to the number of chunks with changes, not to the number of rows that the table ever had (R27).
private struct ChunkMasks {
  /// -1 for an empty entry.
  private var chunks: ContiguousArray<Int> = []
  private var rows: ContiguousArray<RowMasks?> = []
  private(set) var count = 0
  // The last chunk accessed, since changes arrive chunk by chunk. `rows` retains its masks.
  private var lastChunk = -1
  private var lastBits = UnsafeMutablePointer<UInt64>(bitPattern: 16).unsafelyUnwrapped

  var isEmpty: Bool { count == 0 }

  /// Returns the masks of a chunk, creating them if needed.
  @inline(__always)
  mutating func open(_ chunk: Int) -> UnsafeMutablePointer<UInt64> {
    if chunk != lastChunk { seek(chunk) }
    return lastBits
  }

  @inline(never)
  private mutating func seek(_ chunk: Int) {
    lastChunk = chunk
    if let known = find(chunk) {
      lastBits = known.bits
      return
    }
    if (count + 1) * 2 > chunks.count { grow() }
    let new = RowMasks()
    insert(chunk, new)
    lastBits = new.bits
  }

  func find(_ chunk: Int) -> RowMasks? {
    guard count > 0 else { return nil }
    return rows[entry(of: chunk)]
  }

  func forEach(_ body: (Int, RowMasks) -> Void) {
    for (chunk, rows) in zip(chunks, rows) {
      if let rows { body(chunk, rows) }
    }
  }

  /// Returns the index of the chunk's entry, or of the empty entry at which to insert it.
  private func entry(of chunk: Int) -> Int {
    let mask = chunks.count - 1
    var entry = Int(truncatingIfNeeded: UInt(bitPattern: chunk) &* 0x9E37_79B9_7F4A_7C15 >> 32)
    while true {
      entry &= mask
      if chunks[entry] == chunk || chunks[entry] < 0 { return entry }
      entry += 1
    }
  }

  private mutating func insert(_ chunk: Int, _ masks: RowMasks) {
    let entry = entry(of: chunk)
    chunks[entry] = chunk
    rows[entry] = masks
    count += 1
  }

  private mutating func grow() {
    let (oldChunks, oldRows) = (chunks, rows)
    chunks = ContiguousArray(repeating: -1, count: max(8, oldChunks.count * 2))
    rows = ContiguousArray(repeating: nil, count: chunks.count)
    count = 0
    for (chunk, masks) in zip(oldChunks, oldRows) {
      if let masks { insert(chunk, masks) }
    }
  }
}

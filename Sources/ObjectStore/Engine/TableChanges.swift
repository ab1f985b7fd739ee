/// What a transaction changed in one table: by it the commit keeps the indexes (R8).
struct TableChanges {
  /// Rows inserted and still live; they stand behind the base count.
  var insertedCount = 0
  /// Slots of rows that existed before and were deleted, in order of deletion.
  var deleted: [Int] = []
  private var masks = ChunkMasks()

  var isEmpty: Bool { insertedCount == 0 && deleted.isEmpty && masks.isEmpty }

  /// Records that an attribute of a row changed.
  @inline(__always)
  mutating func note(_ slot: Int, attribute: Int) {
    masks.open(slot >> ChunkLayout.shift)[slot & ChunkLayout.mask] |= Self.bit(attribute)
  }

  /// The attributes that changed in a row: bit i for attribute i, bit 63 for all from the 64th on;
  /// 0 for none.
  func mask(_ slot: Int) -> UInt64 {
    masks.find(slot >> ChunkLayout.shift)?.bits[slot & ChunkLayout.mask] ?? 0
  }

  /// Calls `body` with each row that changed and its mask, in no order.
  ///
  /// - Complexity: O(rows of the chunks that hold any).
  @inline(__always)
  func forEachChanged(_ body: (_ slot: Int, _ mask: UInt64) -> Void) {
    masks.forEach { chunk, rows in
      for row in 0..<ChunkLayout.rows where rows.bits[row] != 0 {
        body(chunk << ChunkLayout.shift + row, rows.bits[row])
      }
    }
  }

  /// The bit that stands for an attribute in the masks.
  static func bit(_ attribute: Int) -> UInt64 { 1 << UInt64(min(max(attribute, 0), 63)) }

  /// Chunks with changed rows.
  var chunkCount: Int { masks.count }

  /// Adds what a savepoint changed after this.
  mutating func merge(_ later: TableChanges) {
    insertedCount += later.insertedCount
    deleted += later.deleted
    later.masks.forEach { chunk, rows in
      let mine = masks.open(chunk)
      for row in 0..<ChunkLayout.rows { mine[row] |= rows.bits[row] }
    }
  }
}

/// The changed attributes of a chunk's rows, a mask each.
///
/// Shared by copies of a ``TableChanges``; only one of them is ever written to (see savepoints).
final class RowMasks {
  let bits: UnsafeMutablePointer<UInt64>

  init() {
    bits = .allocate(capacity: ChunkLayout.rows)
    bits.initialize(repeating: 0, count: ChunkLayout.rows)
  }

  deinit {
    bits.deallocate()
  }
}

/// Chunk index → the masks of its rows, for the chunks that changed: an open-addressing hash, so
/// that it grows with what changed and not with the rows the table ever had (R27).
private struct ChunkMasks {
  /// -1 where nothing stands.
  private var chunks: ContiguousArray<Int> = []
  private var rows: ContiguousArray<RowMasks?> = []
  private(set) var count = 0
  // The chunk asked for last: changes come chunk by chunk. `rows` keeps its masks alive.
  private var lastChunk = -1
  private var lastBits = UnsafeMutablePointer<UInt64>(bitPattern: 16).unsafelyUnwrapped

  var isEmpty: Bool { count == 0 }

  /// The masks of a chunk, made where there are none.
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
    return rows[place(of: chunk)]
  }

  func forEach(_ body: (Int, RowMasks) -> Void) {
    for (chunk, rows) in zip(chunks, rows) {
      if let rows { body(chunk, rows) }
    }
  }

  /// Where the chunk stands, or may be put.
  private func place(of chunk: Int) -> Int {
    let mask = chunks.count - 1
    var place = Int(truncatingIfNeeded: UInt(bitPattern: chunk) &* 0x9E37_79B9_7F4A_7C15 >> 32)
    while true {
      place &= mask
      if chunks[place] == chunk || chunks[place] < 0 { return place }
      place += 1
    }
  }

  private mutating func insert(_ chunk: Int, _ masks: RowMasks) {
    let place = place(of: chunk)
    chunks[place] = chunk
    rows[place] = masks
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

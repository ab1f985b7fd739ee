// Writing single cells. Each setter returns true if the cell differed; an equal value writes nothing. Values are
// compared by their bits and strings by their bytes: NaN equals itself, -0 differs from 0. R11.

extension TableWriter {
  /// Sets a word, or the slot + 1 of a link's target.
  @inline(__always) @discardableResult
  func setWord(_ slot: Int, _ column: Int, _ bits: UInt64) -> Bool {
    assert(columnLayout(column).width == 8, "Column \(column) is not 8 bytes wide")
    let row = slot & ChunkLayout.mask
    let current = columns(slot) + column
    if current.pointee.word(row) == bits && !current.pointee.isNull(row) { return false }
    let target = writable(slot, column)
    target.pointee.values.storeBytes(of: bits, toByteOffset: row &* 8, as: UInt64.self)
    target.pointee.presence?[row] = 1
    noteChange(slot, column)
    return true
  }

  @discardableResult
  func setByte(_ slot: Int, _ column: Int, _ byte: UInt8) -> Bool {
    assert(columnLayout(column).width == 1, "Column \(column) is not 1 byte wide")
    let row = slot & ChunkLayout.mask
    let current = columns(slot) + column
    if current.pointee.byte(row) == byte && !current.pointee.isNull(row) { return false }
    let target = writable(slot, column)
    target.pointee.values.storeBytes(of: byte, toByteOffset: row, as: UInt8.self)
    target.pointee.presence?[row] = 1
    noteChange(slot, column)
    return true
  }

  /// Sets a cell to null. Its value becomes zero, so that equal rows have equal bytes.
  @discardableResult
  func setNull(_ slot: Int, _ column: Int) -> Bool {
    let row = slot & ChunkLayout.mask
    let width = columnLayout(column).width
    let current = columns(slot) + column
    if current.pointee.isNull(row) { return false }
    if columnLayout(column).kind == .bytes {
      noteReplaced(slot, column, byteCount: Int(current.pointee.word(row) & 0xFFFF_FFFF))
    }
    let target = writable(slot, column)
    target.pointee.values.advanced(by: row * width).zero(width)
    target.pointee.presence?[row] = 0
    noteChange(slot, column)
    return true
  }

  @discardableResult
  func setText(_ slot: Int, _ column: Int, _ bytes: UnsafeRawBufferPointer) -> Bool {
    let row = slot & ChunkLayout.mask
    let current = columns(slot) + column
    if current.pointee.textEquals(row, bytes) && !current.pointee.isNull(row) { return false }
    noteReplaced(slot, column, byteCount: Int(current.pointee.word(row) & 0xFFFF_FFFF))
    storeText(slot, column, bytes)
    noteChange(slot, column)
    return true
  }

  /// Sets JSON from code. An equal value stays, with the notations of its numbers, unless the new one has notations.
  @inline(never) @discardableResult
  func setJSON(_ slot: Int, _ column: Int, _ bytes: UnsafeRawBufferPointer) -> Bool {
    let (current, row) = (columns(slot)[column], slot & ChunkLayout.mask)
    if !current.isNull(row) {
      var stored = StoredJSONReader(current.bytes(ofWord: current.word(row)))
      var new = StoredJSONReader(bytes, keepsNotation: true)
      if stored.hasSamePieces(as: &new) { return false }
    }
    return setText(slot, column, bytes)
  }

  /// Appends the bytes to the arena and stores their range in the cell.
  @inline(__always)
  func storeText(_ slot: Int, _ column: Int, _ bytes: UnsafeRawBufferPointer) {
    assert(columnLayout(column).kind == .bytes, "Column \(column) does not hold strings")
    let row = slot & ChunkLayout.mask
    var target = writable(slot, column)
    var word: UInt64 = 0
    if let start = bytes.baseAddress, bytes.count > 0 {
      if !target.pointee.hasTextCapacity(bytes.count) {
        target = growText(slot, column, extra: bytes.count)
      }
      word = target.pointee.appendText(start, bytes.count)
    }
    target.pointee.values.storeBytes(of: word, toByteOffset: row &* 8, as: UInt64.self)
    target.pointee.presence?[row] = 1
  }

  /// Adds `difference` to a number in one of the engine's own columns and returns the sum. No change is recorded, since
  /// the column is not an attribute.
  func add(_ slot: Int, _ column: Int, _ difference: Int) -> Int {
    let row = slot & ChunkLayout.mask
    let target = writable(slot, column)
    let sum = Int(bitPattern: UInt(target.pointee.word(row))) + difference
    target.pointee.values.storeBytes(
      of: UInt64(bitPattern: Int64(sum)), toByteOffset: row &* 8, as: UInt64.self)
    return sum
  }

  /// Marks a keyless row as born nested, so that a replacement may delete it.
  func setBornNested(_ slot: Int) {
    writable(slot, layout.bornNestedColumn).pointee.values.storeBytes(
      of: 1, toByteOffset: slot & ChunkLayout.mask, as: UInt8.self)
  }

  // MARK: - Capacity

  /// Gives the column an arena with capacity for `extra` more bytes: a larger one with the same bytes, or, if more than
  /// half is garbage or the larger one would exceed the limit, a new one with only the live bytes.
  @inline(never)
  private func growText(
    _ slot: Int, _ column: Int, extra: Int
  ) -> UnsafeMutablePointer<StorageColumn> {
    let target = ownedForGrowth(slot, column)
    let capacity = chunkCapacity(slot)
    let live = target.pointee.textSize(rows: capacity)
    let old = target.pointee.block._withUnsafeGuaranteedRef { $0.text }
    if let old, live * 2 >= old.used, old.used + extra <= Arena.textLimit {
      let arena = Arena(capacity: max(old.capacity * 2, old.used + extra), limit: Arena.textLimit)
      arena.base.copyMemory(from: old.base, byteCount: old.used)
      arena.used = old.used
      target.pointee.setText(arena)
    } else {
      // 256 strings below 16 MiB always fit.
      let least = old == nil ? max(256, arenaHint(slot, column).text) : 64
      target.pointee.packText(
        into: Arena(capacity: max((live + extra) * 3 / 2, least), limit: Arena.textLimit),
        rows: capacity)
    }
    return target
  }

  /// Returns the numbers of bytes used in the previous chunk's arenas, plus an eighth, as estimates for this chunk.
  func arenaHint(_ slot: Int, _ column: Int) -> (text: Int, elements: Int) {
    let index = slot >> ChunkLayout.shift
    guard index > 0, version.hasChunk(index - 1) else { return (0, 0) }
    let (text, elements) = version.chunk(index - 1)._withUnsafeGuaranteedRef {
      $0.columns[column].block._withUnsafeGuaranteedRef {
        ($0.text?.used ?? 0, $0.elements?.used ?? 0)
      }
    }
    return (text + text / 8, elements + elements / 8)
  }

  /// Returns the column owned by this transaction, even if the row could be written in place: a new arena must not
  /// appear in a column that versions share.
  func ownedForGrowth(_ slot: Int, _ column: Int) -> UnsafeMutablePointer<StorageColumn> {
    let target = writable(slot, column)
    return target.pointee.editOwner == editOwner && isChunkOwned(slot)
      ? target : owned(slot, column)
  }

  func chunkCapacity(_ slot: Int) -> Int {
    version.chunk(slot >> ChunkLayout.shift)._withUnsafeGuaranteedRef { $0.capacity }
  }
}

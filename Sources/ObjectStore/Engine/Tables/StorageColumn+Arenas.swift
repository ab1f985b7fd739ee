// Appending to the arenas of a column, and replacing them.

extension StorageColumn {
  @inline(__always)
  func hasTextCapacity(_ byteCount: Int) -> Bool {
    textArena?._withUnsafeGuaranteedRef { $0.hasCapacity(byteCount) } ?? false
  }

  /// Appends to the arena, whose capacity the caller has checked, and returns the word that refers to the bytes.
  @inline(__always)
  func appendText(_ start: UnsafeRawPointer, _ count: Int) -> UInt64 {
    let offset = textArena.unsafelyUnwrapped._withUnsafeGuaranteedRef { $0.append(start, count) }
    return UInt64(offset) << 32 | UInt64(count)
  }

  /// Returns the byte count of the strings in the cells of the first rows.
  func textSize(rows: Int) -> Int {
    var size = 0
    for row in 0..<rows { size += Int(word(row) & 0xFFFF_FFFF) }
    return size
  }

  /// Moves the strings of the cells into a new arena with enough capacity.
  mutating func packText(into arena: Arena, rows: Int) {
    if let text {
      for row in 0..<rows {
        let word = word(row)
        let count = Int(word & 0xFFFF_FFFF)
        if count == 0 { continue }
        let offset = arena.append(text + Int(word >> 32), count)
        values.storeBytes(
          of: UInt64(offset) << 32 | UInt64(count), toByteOffset: row &* 8, as: UInt64.self)
      }
    }
    setText(arena)
  }

  mutating func setText(_ arena: Arena) {
    block._withUnsafeGuaranteedRef { $0.text = arena }
    text = arena.base
    textArena = Unmanaged.passUnretained(arena)
  }

  mutating func setElements(_ arena: Arena) {
    block._withUnsafeGuaranteedRef { $0.elements = arena }
    elementArena = Unmanaged.passUnretained(arena)
    elements = arena.base.assumingMemoryBound(to: UInt64.self)
  }
}

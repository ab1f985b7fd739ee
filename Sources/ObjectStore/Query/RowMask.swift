/// A set of rows of one chunk, as a bit per row.
struct RowMask {
  private var words: SIMD4<UInt64>

  init() { words = .zero }

  /// The first `count` rows.
  init(count: Int) {
    assert((0...ChunkLayout.rows).contains(count), "A chunk cannot have \(count) rows")
    words = .zero
    for index in 0..<4 {
      let rest = count - index * 64
      words[index] = rest >= 64 ? .max : rest > 0 ? (1 << UInt64(rest)) - 1 : 0
    }
  }

  init(row: Int) {
    assert((0..<ChunkLayout.rows).contains(row), "Row \(row) is not in a chunk")
    words = .zero
    words[row >> 6] = 1 << UInt64(row & 63)
  }

  var isEmpty: Bool { words == .zero }
  var count: Int { (0..<4).reduce(0) { $0 + words[$1].nonzeroBitCount } }

  @inline(__always)
  func contains(_ row: Int) -> Bool { words[row >> 6] >> UInt64(row & 63) & 1 != 0 }

  @inline(__always)
  mutating func insert(_ row: Int) { words[row >> 6] |= 1 << UInt64(row & 63) }

  @inline(__always)
  mutating func remove(_ row: Int) { words[row >> 6] &= ~(1 << UInt64(row & 63)) }

  mutating func formIntersection(_ other: RowMask) { words &= other.words }
  mutating func formUnion(_ other: RowMask) { words |= other.words }
  mutating func subtract(_ other: RowMask) { words &= ~other.words }

  /// Calls `body` with each row, ascending, until it returns false.
  @inline(__always)
  func forEach(_ body: (Int) -> Bool) {
    for index in 0..<4 {
      var word = words[index]
      while word != 0 {
        if !body(index << 6 + word.trailingZeroBitCount) { return }
        word &= word - 1
      }
    }
  }

  /// Keeps the rows for which `isMatch` returns true. It is called for all rows below `count` in each block of 64
  /// that is not empty, which avoids a branch per row.
  @inline(__always)
  mutating func keep(_ count: Int, _ isMatch: (Int) -> Bool) {
    for index in 0..<4 {
      let word = words[index]
      if word == 0 { continue }
      let first = index &* 64
      var row = min(count, first &+ 64)
      // From the last row to the first: doubling is cheaper than shifting each bit into position.
      var bits: UInt64 = 0
      while row > first {
        row &-= 1
        bits = bits &+ bits &+ (isMatch(row) ? 1 : 0)
      }
      words[index] = word & bits
    }
  }
}

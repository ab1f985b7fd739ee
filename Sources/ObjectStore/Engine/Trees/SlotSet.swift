/// A set of rows of one table, with one bit per slot.
struct SlotSet {
  private var words: [UInt64]

  /// Creates an empty set for slots below `count`.
  init(count: Int) {
    words = [UInt64](repeating: 0, count: (count + 63) / 64)
  }

  @inline(__always)
  func contains(_ slot: Int) -> Bool {
    slot >> 6 < words.count && words[slot >> 6] >> UInt64(slot & 63) & 1 != 0
  }

  /// Inserts a slot; returns true if it was not a member. A slot past the capacity (the count rounded up to a multiple
  /// of 64) is ignored.
  @inline(__always) @discardableResult
  mutating func insert(_ slot: Int) -> Bool {
    let bit: UInt64 = 1 << UInt64(slot & 63)
    guard slot >> 6 < words.count, words[slot >> 6] & bit == 0 else { return false }
    words[slot >> 6] |= bit
    return true
  }

  mutating func remove(_ slot: Int) {
    if slot >> 6 < words.count { words[slot >> 6] &= ~(1 << UInt64(slot & 63)) }
  }

  var isEmpty: Bool { words.allSatisfy { $0 == 0 } }

  /// Calls `body` with each slot in ascending order.
  func forEach(_ body: (Int) -> Void) {
    for (index, bits) in words.enumerated() where bits != 0 {
      var bits = bits
      while bits != 0 {
        body(index << 6 + bits.trailingZeroBitCount)
        bits &= bits - 1
      }
    }
  }
}

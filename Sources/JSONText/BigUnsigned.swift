/// An arbitrary-precision natural number, for the few decimal texts whose rounding 128-bit arithmetic cannot determine.
struct BigUnsigned {
  /// The words from lowest to highest, without trailing zero words; empty for 0.
  private var words: [UInt64]

  init(_ value: UInt64) {
    words = value == 0 ? [] : [value]
  }

  mutating func multiply(by factor: UInt64, adding addend: UInt64 = 0) {
    var carry = addend
    for index in words.indices {
      let (high, low) = words[index].multipliedFullWidth(by: factor)
      let (sum, overflow) = low.addingReportingOverflow(carry)
      words[index] = sum
      carry = high + (overflow ? 1 : 0)
    }
    if carry > 0 { words.append(carry) }
  }

  mutating func multiplyByPowerOfFive(_ exponent: Int) {
    var left = exponent
    while left > 0 {
      // 5²⁷ is the largest power below 2⁶⁴.
      let step = min(left, 27)
      var factor: UInt64 = 1
      for _ in 0..<step { factor *= 5 }
      multiply(by: factor)
      left -= step
    }
  }

  mutating func shiftLeft(_ bitCount: Int) {
    guard !words.isEmpty else { return }
    multiply(by: 1 << UInt64(bitCount & 63))
    words.insert(contentsOf: repeatElement(0, count: bitCount >> 6), at: 0)
  }

  /// Returns a negative number, zero or a positive number if this is less than, equal to or greater than `other`.
  func compare(to other: BigUnsigned) -> Int {
    if words.count != other.words.count { return words.count < other.words.count ? -1 : 1 }
    for index in words.indices.reversed() where words[index] != other.words[index] {
      return words[index] < other.words[index] ? -1 : 1
    }
    return 0
  }
}

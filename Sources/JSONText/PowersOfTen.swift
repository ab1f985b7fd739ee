/// Powers of ten for conversions between decimal and binary.
///
/// For every exponent in ``exponents``, the upper 128 bits of 10ⁿ, normalized so that the highest bit is set:
/// rounded up for -27...-1, as required by the proof of Eisel and Lemire, truncated elsewhere (exact for
/// 0...55). Computed at first use from exact integers, which takes 0.1 ms and avoids 10 kB of constants in the
/// source.
// @unchecked: the memory is written once, before the pointer is shared, and never freed.
struct PowersOfTen: @unchecked Sendable {
  static let shared = PowersOfTen()

  static let exponents = -342...324

  /// The high and low word of each power.
  private let words: UnsafePointer<UInt64>
  /// 10⁰ to 10²², the powers that are exact as a `Double`.
  private let doubles: UnsafePointer<Double>

  @inline(__always)
  func high(_ exponent: Int) -> UInt64 {
    words[2 &* (exponent &+ 342)]
  }

  @inline(__always)
  func low(_ exponent: Int) -> UInt64 {
    words[2 &* (exponent &+ 342) &+ 1]
  }

  /// 10ⁿ for `exponent` in 0...22.
  @inline(__always)
  func exactDouble(_ exponent: Int) -> Double {
    doubles[exponent]
  }

  private init() {
    let words = UnsafeMutablePointer<UInt64>.allocate(capacity: 2 * Self.exponents.count)
    func store(_ exponent: Int, _ top: (UInt64, UInt64)) {
      words[2 * (exponent + 342)] = top.0
      words[2 * (exponent + 342) + 1] = top.1
    }

    // Normalization removes powers of two, so 5ⁿ is used for 10ⁿ. The largest has 753 bits. Lowest word first.
    var power = [UInt64](repeating: 0, count: 12)
    power[0] = 1
    for exponent in 0...324 {
      store(exponent, Self.top128(power))
      var carry: UInt64 = 0
      for index in power.indices {
        let (high, low) = power[index].multipliedFullWidth(by: 5)
        let (sum, overflow) = low.addingReportingOverflow(carry)
        power[index] = sum
        carry = high + (overflow ? 1 : 0)
      }
    }

    // 2¹⁰²³ / 5ⁿ by repeated division: ⌊⌊x/5⌋/5⌋ is ⌊x/25⌋, so every quotient is exact, and the last one has
    // 229 bits.
    power = [UInt64](repeating: 0, count: 16)
    power[15] = 1 << 63
    for exponent in 1...342 {
      var remainder: UInt64 = 0
      for index in power.indices.reversed() {
        (power[index], remainder) = UInt64(5).dividingFullWidth((remainder, power[index]))
      }
      var top = Self.top128(power)
      if exponent <= 27 {
        // 5ⁿ divides no power of two, so truncation always loses bits.
        let (low, overflow) = top.1.addingReportingOverflow(1)
        top = (top.0 + (overflow ? 1 : 0), low)
      }
      store(-exponent, top)
    }

    let doubles = UnsafeMutablePointer<Double>.allocate(capacity: 23)
    var double = 1.0
    for exponent in 0...22 {
      doubles[exponent] = double
      double *= 10
    }
    self.words = UnsafePointer(words)
    self.doubles = UnsafePointer(doubles)
  }

  /// The highest 128 bits of a nonzero number, shifted so that the highest bit is set.
  private static func top128(_ number: [UInt64]) -> (UInt64, UInt64) {
    var index = number.count - 1
    while number[index] == 0 { index -= 1 }
    let shift = UInt64(number[index].leadingZeroBitCount)
    func word(_ index: Int) -> UInt64 { index >= 0 ? number[index] : 0 }
    // `<<` and `>>` by 64 give 0 in Swift, so a zero shift needs no special case.
    return (
      word(index) << shift | word(index - 1) >> (64 - shift),
      word(index - 1) << shift | word(index - 2) >> (64 - shift)
    )
  }
}

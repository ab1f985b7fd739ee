/// A validated JSON number, parsed for conversion: 0.d₁d₂d₃… × 10^pointPosition.
struct DecimalText {
  let isNegative: Bool

  /// The number of digits without leading and trailing zeros; 0 for zero.
  private(set) var significantCount = 0

  /// The position of the decimal point relative to the first significant digit, including the exponent.
  private(set) var pointPosition = 0

  /// The value of the first `mantissaCount` digits.
  private(set) var mantissa: UInt64 = 0

  /// At most 19, so that the mantissa does not overflow.
  private(set) var mantissaCount = 0

  /// The first significant digit. The digits may have a decimal point between them.
  private var firstDigit: UnsafePointer<UInt8>

  /// Parses the number in `start..<stop`.
  init(_ start: UnsafePointer<UInt8>, _ stop: UnsafePointer<UInt8>) {
    isNegative = start.pointee == Byte.minus
    var next = isNegative ? start + 1 : start
    firstDigit = next
    var count = 0
    var isFraction = false
    while next < stop {
      let byte = next.pointee
      let digit = byte &- Byte.zero
      if digit < 10 {
        if count == 0, digit == 0 {
          if isFraction { pointPosition -= 1 }
        } else {
          if count == 0 { firstDigit = next }
          count += 1
          if !isFraction { pointPosition += 1 }
          if digit != 0 { significantCount = count }
          if count <= 19 {
            mantissa = mantissa &* 10 &+ UInt64(digit)
            mantissaCount = count
          }
        }
      } else if byte == Byte.point {
        isFraction = true
      } else {
        if let (exponent, _) = scanExponent(next) { pointPosition += exponent }
        break
      }
      next += 1
    }
  }

  // MARK: - Integers

  enum Integer {
    /// The magnitude.
    case value(UInt64)
    case notIntegral
    case outOfRange
  }

  /// Returns the magnitude if it is exactly an integer below 2⁶⁴.
  func integer() -> Integer {
    if significantCount == 0 { return .value(0) }
    if significantCount > pointPosition { return .notIntegral }
    if pointPosition > 20 { return .outOfRange }
    var value: UInt64 = 0
    var overflowed = false
    func append(_ digit: UInt8) {
      let (product, tooLarge) = value.multipliedReportingOverflow(by: 10)
      let (sum, tooLargeSum) = product.addingReportingOverflow(UInt64(digit))
      value = sum
      if tooLarge || tooLargeSum { overflowed = true }
    }
    forEachDigit(limit: significantCount, append)
    for _ in significantCount..<pointPosition { append(0) }
    return overflowed ? .outOfRange : .value(value)
  }

  func forEachDigit(limit: Int, _ body: (UInt8) -> Void) {
    var next = firstDigit
    var left = limit
    while left > 0 {
      let digit = next.pointee &- Byte.zero
      if digit < 10 {
        body(digit)
        left -= 1
      }
      next += 1
    }
  }

  // MARK: - Floating point

  /// Returns the nearest `Double`, ties to even; infinite on overflow.
  @inline(never)
  func double(_ powers: PowersOfTen) -> Double {
    let magnitude = doubleMagnitude(powers)
    return isNegative ? -magnitude : magnitude
  }

  /// Returns the nearest `Float`, ties to even; infinite on overflow.
  func float(_ powers: PowersOfTen) -> Float {
    // Rounding the nearest Double to Float is correct unless it lies exactly between two Floats. Then the exact
    // digits determine the direction.
    let double = doubleMagnitude(powers)
    var float = Float(double)
    if double.isFinite, significantCount > 0 {
      let below = Double(float) <= double ? float : float.nextDown
      let finite = min(below, .greatestFiniteMagnitude)
      let middle = Double(finite) + Double(finite.ulp) / 2
      if double == middle {
        let bits = middle.bitPattern
        let exponent = max(1, Int(bits >> 52)) - 1075
        let fraction = bits & (1 << 52 - 1) | (bits >> 52 == 0 ? 0 : 1 << 52)
        let order = compare(fraction, exponent)
        if order < 0 { float = finite }
        if order > 0 { float = finite.nextUp }
      }
    }
    return isNegative ? -float : float
  }

  private func doubleMagnitude(_ powers: PowersOfTen) -> Double {
    if significantCount == 0 || pointPosition < -330 { return 0 }
    if pointPosition > 310 { return .infinity }
    let exponent = pointPosition - mantissaCount
    let value = eiselLemire(mantissa, exponent, powers)
    if significantCount <= 19 { return value }
    // Digits were truncated. The result is correct if incrementing the last place does not change it.
    if eiselLemire(mantissa + 1, exponent, powers) == value { return value }
    return exactDouble(atLeast: truncatedDouble(mantissa, exponent, powers))
  }

  /// Computes the nearest `Double` with exact arithmetic, starting from a `Double` at or below the value.
  private func exactDouble(atLeast start: Double) -> Double {
    var bits = start.bitPattern
    while true {
      let biased = Int(bits >> 52)
      let fraction = bits & (1 << 52 - 1) | (biased == 0 ? 0 : 1 << 52)
      // The midpoint between this Double and the next.
      let order = compare(2 * fraction + 1, max(1, biased) - 1076)
      if order < 0 { break }
      if order == 0 {
        bits += bits & 1
        break
      }
      bits += 1
      if bits == Double.infinity.bitPattern { break }
    }
    return Double(bitPattern: bits)
  }

  /// Returns a negative number, zero or a positive number if the number is less than, equal to or greater than
  /// `integer` × 2^`exponent`.
  private func compare(_ integer: UInt64, _ exponent: Int) -> Int {
    // A midpoint between two Doubles has at most 768 digits. Beyond those it only matters whether there are any
    // more digits, which a 1 in the next place represents.
    let limit = 800
    var left = BigUnsigned(0)
    let count = min(significantCount, limit)
    forEachDigit(limit: count) { left.multiply(by: 10, adding: UInt64($0)) }
    var power = pointPosition - count
    if significantCount > limit {
      left.multiply(by: 10, adding: 1)
      power -= 1
    }
    var right = BigUnsigned(integer)
    // left × 5^power × 2^power against right × 2^exponent
    if power >= 0 { left.multiplyByPowerOfFive(power) } else { right.multiplyByPowerOfFive(-power) }
    let shift = power - exponent
    if shift >= 0 { left.shiftLeft(shift) } else { right.shiftLeft(-shift) }
    return left.compare(to: right)
  }
}

// MARK: - Eisel–Lemire

/// Returns `mantissa` × 10^`exponent` rounded to the nearest `Double`; `mantissa` must not be zero.
///
/// Daniel Lemire, "Number parsing at a gigabyte per second" (2021). The paper's fallback for products that the
/// 128-bit powers cannot round is omitted, because there are none (Noble Mushtak and Daniel Lemire, "Fast number
/// parsing without fallback", 2023).
func eiselLemire(_ mantissa: UInt64, _ exponent: Int, _ powers: PowersOfTen) -> Double {
  if exponent < -342 { return 0 }
  if exponent > 308 { return .infinity }
  let leading = mantissa.leadingZeroBitCount
  let normalised = mantissa &<< UInt64(leading)
  var (high, low) = normalised.multipliedFullWidth(by: powers.high(exponent))
  if high & 0x1FF == 0x1FF {
    let correction = normalised.multipliedFullWidth(by: powers.low(exponent)).high
    let (sum, overflow) = low.addingReportingOverflow(correction)
    low = sum
    if overflow { high &+= 1 }
  }
  let upper = Int(high >> 63)
  let shift = UInt64(upper + 64 - 52 - 3)
  var fraction = high >> shift
  var biased = binaryExponent(exponent) + 63 + upper - leading + 1023
  if biased <= 0 {
    // Subnormal, or zero.
    if biased <= -63 { return 0 }
    fraction >>= UInt64(1 - biased)
    fraction += fraction & 1
    fraction >>= 1
    // Rounding may make it normal; the carry is then in the correct position for the exponent.
    return Double(bitPattern: fraction)
  }
  // A tie, possible only for small powers: round to even.
  if low <= 1, exponent >= -4, exponent <= 23, fraction & 3 == 1, fraction << shift == high {
    fraction &= ~1
  }
  fraction += fraction & 1
  fraction >>= 1
  if fraction >= 1 << 53 {
    fraction = 1 << 52
    biased += 1
  }
  if biased >= 0x7FF { return .infinity }
  return Double(bitPattern: fraction & (1 << 52 - 1) | UInt64(biased) << 52)
}

/// Returns a `Double` at or below `mantissa` × 10^`exponent`, at most a few units in the last place away. The
/// number must be between 10⁻³³¹ and 10³¹⁰.
private func truncatedDouble(
  _ mantissa: UInt64, _ exponent: Int, _ powers: PowersOfTen
) -> Double {
  if exponent < -342 { return 0 }
  if exponent > 308 { return .greatestFiniteMagnitude }
  let leading = mantissa.leadingZeroBitCount
  let high = (mantissa << UInt64(leading)).multipliedFullWidth(by: powers.high(exponent)).high
  let upper = Int(high >> 63)
  let fraction = high >> UInt64(upper + 10)
  let biased = binaryExponent(exponent) + 63 + upper - leading + 1023
  if biased <= 0 { return biased <= -63 ? 0 : Double(bitPattern: fraction >> UInt64(1 - biased)) }
  if biased >= 0x7FF { return .greatestFiniteMagnitude }
  return Double(bitPattern: fraction & (1 << 52 - 1) | UInt64(biased) << 52)
}

/// ⌊log₂ 10ⁿ⌋ for the exponents in the table.
@inline(__always)
private func binaryExponent(_ exponent: Int) -> Int {
  (217_706 * exponent) >> 16
}

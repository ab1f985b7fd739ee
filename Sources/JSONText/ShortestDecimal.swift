/// The decimal number with the fewest digits that rounds to a binary number.
///
/// Raffaello Giulietti, "The Schubfach way to render doubles" (2020), in 64-bit arithmetic with one table of
/// 128-bit powers of ten.
struct ShortestDecimal {
  /// The digits without trailing zeros.
  private var digits: UInt64
  private var exponent: Int

  /// The number is `significand` × 2^`exponent`. It is irregular if its lower neighbor is nearer than its upper
  /// one, as at powers of two.
  init(significand: UInt64, exponent: Int, isRegular: Bool, _ powers: PowersOfTen) {
    // ⌊log₁₀ 2^e⌋, or ⌊log₁₀ ¾·2^e⌋
    let power = (exponent * 1_262_611 - (isRegular ? 0 : 524_031)) >> 22
    let shift = UInt64(exponent + ((-power * 1_741_647) >> 19) + 1)
    // 10^-power, rounded up.
    var high = powers.high(-power)
    var low = powers.low(-power)
    if -power < -27 || -power > 55 {
      low &+= 1
      if low == 0 { high &+= 1 }
    }
    let center = significand << 2
    let below = roundedToOdd(high, low, (isRegular ? center - 2 : center - 1) << shift)
    let value = roundedToOdd(high, low, center << shift)
    let above = roundedToOdd(high, low, (center + 2) << shift)
    // The interval includes its limits if the significand is even.
    let lower = below + significand & 1
    let upper = above - significand & 1

    var digits = value / 4
    self.exponent = power
    let tens = digits / 10
    let tensIsInside = lower <= 40 * tens
    if digits >= 10, tensIsInside != (40 * tens + 40 <= upper) {
      digits = tensIsInside ? tens : tens + 1
      self.exponent += 1
    } else {
      let isInside = lower <= 4 * digits
      let nextIsInside = 4 * digits + 4 <= upper
      let middle = 4 * digits + 2
      if isInside != nextIsInside {
        digits += nextIsInside ? 1 : 0
      } else if value > middle || (value == middle && digits & 1 != 0) {
        digits += 1
      }
    }
    while true {
      let (quotient, remainder) = digits.quotientAndRemainder(dividingBy: 10)
      if remainder != 0 { break }
      digits = quotient
      self.exponent += 1
    }
    self.digits = digits
  }

  /// Writes `0.00012`, `12.5` or `1.2e-05`; with an exponent if `isLarge` or below 10⁻⁴, as `description` does.
  func write(to out: UnsafeMutablePointer<UInt8>, isLarge: Bool) -> Int {
    let digitCount = decimalDigitCount(digits)
    // The position of the decimal point relative to the first digit.
    let point = digitCount + exponent
    if !isLarge, point > 0 {
      let count = writeDecimal(digits, to: out)
      if point >= count {
        (out + count).update(repeating: Byte.zero, count: point - count)
        return point
      }
      (out + point + 1).update(from: out + point, count: count - point)
      out[point] = Byte.point
      return count + 1
    }
    if !isLarge, point > -4 {
      out[0] = Byte.zero
      out[1] = Byte.point
      (out + 2).update(repeating: Byte.zero, count: -point)
      return 2 - point + writeDecimal(digits, to: out + 2 - point)
    }
    _ = writeDecimal(digits, to: out + 1)
    out[0] = out[1]
    var end = out + 1
    if digitCount > 1 {
      out[1] = Byte.point
      end = out + digitCount + 1
    }
    end[0] = Byte.lowerE
    end[1] = point > 0 ? 0x2B : Byte.minus
    let power = UInt64((point - 1).magnitude)
    end += 2
    if power < 100 {
      writePair(power, to: end)
      return end + 2 - out
    }
    return end + writeDecimal(power, to: end) - out
  }
}

/// The upper bits of `factor` × (`high`, `low`), with the lowest bit set if any bits were lost.
@inline(__always)
private func roundedToOdd(_ high: UInt64, _ low: UInt64, _ factor: UInt64) -> UInt64 {
  let carry = low.multipliedFullWidth(by: factor).high
  let upper = high.multipliedFullWidth(by: factor)
  let (middle, overflow) = upper.low.addingReportingOverflow(carry)
  return (upper.high &+ (overflow ? 1 : 0)) | (middle > 1 ? 1 : 0)
}

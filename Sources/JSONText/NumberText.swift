// Conversion of numbers to decimal text. Every function writes to `out`, which has a capacity of 32 bytes, and
// returns the number of bytes written.

/// "00" to "99", for writing two digits at a time.
private let digitPairs: StaticString = """
  00010203040506070809101112131415161718192021222324\
  25262728293031323334353637383940414243444546474849\
  50515253545556575859606162636465666768697071727374\
  75767778798081828384858687888990919293949596979899
  """

@inline(__always)
func writePair(_ value: UInt64, to out: UnsafeMutablePointer<UInt8>) {
  let pair = digitPairs.utf8Start + Int(truncatingIfNeeded: 2 &* value)
  UnsafeMutableRawPointer(out).copyMemory(from: pair, byteCount: 2)
}

/// The number of decimal digits; 1 for 0.
@inline(__always)
func decimalDigitCount(_ value: UInt64) -> Int {
  // 1233 / 4096 is slightly less than log₁₀ 2. The estimate is exact or one too small.
  var count = ((64 &- (value | 1).leadingZeroBitCount) &* 1233) &>> 12
  if value >= decimalPower(count) { count &+= 1 }
  return max(1, count)
}

/// 10ⁿ for n in 0...19.
@inline(__always)
private func decimalPower(_ exponent: Int) -> UInt64 {
  // A switch avoids the first-use check of a global array.
  switch exponent {
  case 0: 1
  case 1: 10
  case 2: 100
  case 3: 1000
  case 4: 10_000
  case 5: 100_000
  case 6: 1_000_000
  case 7: 10_000_000
  case 8: 100_000_000
  case 9: 1_000_000_000
  case 10: 10_000_000_000
  case 11: 100_000_000_000
  case 12: 1_000_000_000_000
  case 13: 10_000_000_000_000
  case 14: 100_000_000_000_000
  case 15: 1_000_000_000_000_000
  case 16: 10_000_000_000_000_000
  case 17: 100_000_000_000_000_000
  case 18: 1_000_000_000_000_000_000
  default: 10_000_000_000_000_000_000
  }
}

func writeDecimal(_ value: UInt64, to out: UnsafeMutablePointer<UInt8>) -> Int {
  let count = decimalDigitCount(value)
  var rest = value
  var end = out + count
  while rest >= 100 {
    let (quotient, pair) = rest.quotientAndRemainder(dividingBy: 100)
    end -= 2
    writePair(pair, to: end)
    rest = quotient
  }
  if rest >= 10 {
    writePair(rest, to: end - 2)
  } else {
    end[-1] = Byte.zero + UInt8(truncatingIfNeeded: rest)
  }
  return count
}

// MARK: - Shortest round trip

/// Writes the shortest text that reads back as `value`, which must be finite: the digits of `description` without a
/// final `.0`.
func writeShortest(
  _ value: Double, to out: UnsafeMutablePointer<UInt8>, _ powers: PowersOfTen
) -> Int {
  let magnitude = value.magnitude
  let signCount = value.sign == .minus ? 1 : 0
  out[0] = Byte.minus
  let digits = out + signCount
  if magnitude <= 0x1p53 {
    let whole = magnitude.rounded(.towardZero)
    if whole == magnitude { return signCount + writeDecimal(UInt64(whole), to: digits) }
    // At most 15 digits, 6 of them after the point. If they read back as the number, they are the shortest text.
    // This costs half as much as the general algorithm and covers most numbers in payloads.
    if magnitude < 999_999_999, magnitude >= 1e-3 {
      let millionths = (magnitude * 1e6).rounded()
      if millionths / 1e6 == magnitude {
        return signCount + writeMillionths(UInt64(millionths), to: digits)
      }
    }
  }
  let bits = magnitude.bitPattern
  let biased = Int(bits >> 52)
  let fraction = bits & (1 << 52 - 1)
  let shortest = ShortestDecimal(
    significand: biased == 0 ? fraction : fraction | 1 << 52,
    exponent: max(1, biased) - 1075, isRegular: fraction != 0 || biased <= 1, powers)
  return signCount + shortest.write(to: digits, isLarge: magnitude > 0x1p53)
}

/// Writes the shortest text that reads back as a `Float`.
func writeShortest(
  _ value: Float, to out: UnsafeMutablePointer<UInt8>, _ powers: PowersOfTen
) -> Int {
  let magnitude = value.magnitude
  let signCount = value.sign == .minus ? 1 : 0
  out[0] = Byte.minus
  let digits = out + signCount
  if magnitude <= 0x1p24, magnitude == magnitude.rounded(.towardZero) {
    return signCount + writeDecimal(UInt64(magnitude), to: digits)
  }
  let bits = UInt64(magnitude.bitPattern)
  let biased = Int(bits >> 23)
  let fraction = bits & (1 << 23 - 1)
  let shortest = ShortestDecimal(
    significand: biased == 0 ? fraction : fraction | 1 << 23,
    exponent: max(1, biased) - 150, isRegular: fraction != 0 || biased <= 1, powers)
  return signCount + shortest.write(to: digits, isLarge: magnitude > 0x1p24)
}

/// Writes a number with a fraction, given in millionths.
private func writeMillionths(_ value: UInt64, to out: UnsafeMutablePointer<UInt8>) -> Int {
  let (whole, millionths) = value.quotientAndRemainder(dividingBy: 1_000_000)
  var end = out + writeDecimal(whole, to: out)
  end[0] = Byte.point
  writePair(millionths / 10_000, to: end + 1)
  writePair(millionths / 100 % 100, to: end + 3)
  writePair(millionths % 100, to: end + 5)
  end += 7
  while end[-1] == Byte.zero { end -= 1 }
  return end - out
}

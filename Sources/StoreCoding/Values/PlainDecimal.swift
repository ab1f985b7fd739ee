/// A fast path for JSON numbers that already have the canonical form of a stored Decimal, apart from trailing
/// zeros.
enum PlainDecimal {
  /// The number of leading bytes that form the canonical text. Nil if the number needs conversion: a zero with
  /// a sign or a fraction, a number with an exponent, or one with more than 38 bytes.
  static func canonicalCount(_ number: UnsafeBufferPointer<UInt8>) -> Int? {
    guard number.count <= 38 else { return nil }
    var point: Int?
    var isZero = true
    for (index, byte) in number.enumerated() {
      switch byte {
      case UInt8(ascii: "."): point = index
      case UInt8(ascii: "1")...UInt8(ascii: "9"): isZero = false
      case UInt8(ascii: "0"), UInt8(ascii: "-"): break
      default: return nil
      }
    }
    if isZero { return number.count == 1 ? 1 : nil }
    guard let point else { return number.count }
    var count = number.count
    while number[count - 1] == UInt8(ascii: "0") { count -= 1 }
    return count - 1 == point ? point : count
  }
}

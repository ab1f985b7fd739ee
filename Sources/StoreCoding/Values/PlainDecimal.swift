/// JSON numbers whose text is that of a stored Decimal already, but for zeros at its end.
enum PlainDecimal {
  /// How many bytes of a JSON number are the canonical text; nil for one that has to be worked out:
  /// a zero with a sign or a fraction, an exponent, more bytes than a Decimal has digits.
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

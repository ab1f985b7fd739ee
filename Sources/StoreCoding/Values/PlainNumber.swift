/// JSON numbers of which the text alone tells what they are.
enum PlainNumber {
  /// Whether the shortest text of a Double has no exponent; not all are told that have none.
  @inline(__always)
  static func isPlain(_ value: Double) -> Bool {
    value.magnitude >= 0.001 && value.magnitude < 1e15
  }

  /// The integer that so few digits are; nil for any other number.
  @inline(__always)
  static func integer(_ text: UnsafeBufferPointer<UInt8>) -> Int64? {
    guard text.count <= 18, let first = text.first else { return nil }
    let isNegative = first == UInt8(ascii: "-")
    var value: Int64 = 0
    for byte in text.dropFirst(isNegative ? 1 : 0) {
      let digit = byte &- UInt8(ascii: "0")
      guard digit < 10 else { return nil }
      value = value * 10 + Int64(digit)
    }
    // Minus zero is no integer.
    return isNegative ? (value == 0 ? nil : -value) : value
  }

  /// How many digits a number has, from its first that is not 0 on; nil but for a short one with a
  /// fraction that ends in another digit than 0, and without exponent.
  @inline(__always)
  static func fractionDigitCount(_ text: UnsafeBufferPointer<UInt8>) -> Int? {
    guard text.count <= 40, let last = text.last, last &- UInt8(ascii: "1") < 9 else { return nil }
    var count = 0
    var hasPoint = false
    for byte in text {
      let digit = byte &- UInt8(ascii: "0")
      if digit < 10 {
        if digit > 0 || count > 0 { count += 1 }
      } else if byte == UInt8(ascii: ".") {
        hasPoint = true
      } else if byte != UInt8(ascii: "-") {
        return nil
      }
    }
    return hasPoint ? count : nil
  }
}

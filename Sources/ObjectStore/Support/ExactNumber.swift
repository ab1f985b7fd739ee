/// How a JSON number is kept: exactly, an integer without fraction and exponent as an Int64, a number as a
/// Double if what is written for that has the same decimal value, any other as its text.
///
///     7 ▶ .int(7)    2.50 ▶ .double(2.5)    1.0 ▶ .double(1)    -0 ▶ .double(-0.0)
///     9007199254740993.0, 1e-400, 1e400, 12345678901234567890 ▶ .text
enum ExactNumber {
  case int(Int64)
  case double(Double)
  /// Also a text that is no number.
  case text

  init(_ text: String) {
    if let integer = Int64(text), text == "\(integer)" {
      self = .int(integer)
    } else if let double = Double(text), double.isFinite,
      let digits = DecimalDigits(text), digits.fitDouble || digits == DecimalDigits("\(double)")
    {
      self = .double(double)
    } else {
      self = .text
    }
  }
}

/// The decimal value of a number's text: 0.`digits` × 10^`exponent`, without zeros at either end.
private struct DecimalDigits: Equatable {
  private let isNegative: Bool
  private let digits: [UInt8]
  private let exponent: Int

  /// Nil if the text is no JSON number, or its exponent is beyond all use.
  init?(_ text: String) {
    var isNegative = false
    var digits: [UInt8] = []
    var zeros = 0
    var exponent = 0
    var isFraction = false
    // Of the integer, or of the fraction.
    var count = 0
    var isZero = false
    var rest = Substring(text).utf8
    if rest.first == UInt8(ascii: "-") {
      isNegative = true
      rest = rest.dropFirst()
    }
    while let byte = rest.first, byte != UInt8(ascii: "e"), byte != UInt8(ascii: "E") {
      rest = rest.dropFirst()
      switch byte {
      case UInt8(ascii: "."):
        guard !isFraction, count > 0 else { return nil }
        (isFraction, isZero, count) = (true, false, 0)
        continue
      case UInt8(ascii: "0"):
        if digits.isEmpty {
          if isFraction { exponent -= 1 }
        } else {
          // They count only if another digit follows.
          zeros += 1
          if !isFraction { exponent += 1 }
        }
      case UInt8(ascii: "1")...UInt8(ascii: "9"):
        if zeros > 0 { digits += repeatElement(UInt8(ascii: "0"), count: zeros) }
        zeros = 0
        digits.append(byte)
        if !isFraction { exponent += 1 }
      default:
        return nil
      }
      // A zero begins no longer integer.
      guard !isZero else { return nil }
      isZero = !isFraction && count == 0 && byte == UInt8(ascii: "0")
      count += 1
    }
    guard count > 0 else { return nil }
    if !rest.isEmpty {
      guard let power = Int(Substring(rest.dropFirst())), abs(power) < 1 << 40 else { return nil }
      exponent += power
    }
    self.isNegative = isNegative
    self.digits = digits
    self.exponent = digits.isEmpty ? 0 : exponent
  }

  /// Whether every number of so few digits, and of this size, is the shortest text of a Double.
  var fitDouble: Bool { digits.count <= 15 && exponent > -300 && exponent < 300 }
}

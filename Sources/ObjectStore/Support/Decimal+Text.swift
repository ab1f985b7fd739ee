package import Foundation

extension Decimal {
  /// Parses a plain number such as `-12.50` or `1e3`, independent of the current locale; nil if the text does not begin
  /// with one. Text after the number is ignored.
  package init?(plain text: String) {
    var text = text
    if let short = text.withUTF8({ ShortDecimal(UnsafeRawBufferPointer($0)) }) {
      self = short.decimal
    } else {
      self.init(string: text, locale: Self.plainLocale)
    }
  }

  private static let plainLocale = Locale(identifier: "en_US_POSIX")

  /// Plain digits without exponent, superfluous zeros or a negative zero.
  package var canonicalText: String { description }
}

extension Double {
  /// The Double nearest to the text of a stored Decimal; nil if the text is not a number. Unequal Decimals may have equal
  /// Doubles, but never Doubles in the opposite order.
  init?(nearest text: UnsafeRawBufferPointer) {
    if let short = ShortDecimal(text), let value = short.double {
      self = value
    } else {
      self.init(String(decoding: text, as: UTF8.self))
    }
  }
}

/// The digits of a number such as `-12.5`, at most 18, without an exponent.
private struct ShortDecimal {
  /// The digits without the point, at most 18.
  private var digits: Int64 = 0
  private var fractionCount = 0
  private var isNegative = false

  /// Numbers from this one on have 18 digits.
  private static let digitsLimit: Int64 = 100_000_000_000_000_000

  /// Returns nil for any other text.
  init?(_ text: UnsafeRawBufferPointer) {
    isNegative = text.first == UInt8(ascii: "-")
    let start = isNegative ? 1 : 0
    var index = start
    var point: Int?
    while index < text.count {
      let digit = text[index] &- UInt8(ascii: "0")
      if digit <= 9 {
        if digits >= Self.digitsLimit { return nil }
        digits = digits * 10 + Int64(digit)
      } else if text[index] == UInt8(ascii: "."), point == nil, index > start {
        point = index
      } else {
        return nil
      }
      index += 1
    }
    guard index > start, point != text.count - 1 else { return nil }
    fractionCount = point.map { text.count - 1 - $0 } ?? 0
    while fractionCount > 0, digits % 10 == 0 {
      digits /= 10
      fractionCount -= 1
    }
  }

  var decimal: Decimal {
    let significand = Decimal(digits)
    if digits == 0 || fractionCount == 0 && !isNegative { return significand }
    return Decimal(
      sign: isNegative ? .minus : .plus, exponent: -fractionCount, significand: significand)
  }

  /// The nearest Double; nil if a single division does not give it. Both operands are exact.
  var double: Double? {
    guard digits <= 1 << 53, fractionCount < Self.powersOfTen.count else { return nil }
    let magnitude = Double(digits) / Self.powersOfTen[fractionCount]
    return isNegative ? -magnitude : magnitude
  }

  /// The powers that a Double represents exactly.
  private static let powersOfTen: [Double] = [
    1, 1e1, 1e2, 1e3, 1e4, 1e5, 1e6, 1e7, 1e8, 1e9, 1e10, 1e11, 1e12, 1e13, 1e14, 1e15, 1e16, 1e17,
    1e18, 1e19, 1e20, 1e21, 1e22,
  ]
}

/// The value of a number by its significant digits: ±d₁d₂…dₙ × 10^`exponent`, without leading and trailing
/// zeros.
///
///     0.0120 ▶ 12 × 10^-3    120 ▶ 12 × 10^1    -0e9 ▶ 0
///
/// Two numbers are equal if their signs, digits and exponents are equal.
public struct NumberDigits: Hashable, Sendable {
  /// Empty for zero.
  private let digits: [UInt8]
  private let exponent: Int
  private let isNegative: Bool

  /// Parses a valid JSON number; nil if it has more than `limit` significant digits.
  ///
  /// - Complexity: O(*n*) in the length of the number; memory only for the significant digits.
  public init?(_ number: UnsafeBufferPointer<UInt8>, limit: Int) {
    guard let start = number.baseAddress else { return nil }
    let text = DecimalText(start, start + number.count)
    guard text.significantCount <= limit else { return nil }
    var digits: [UInt8] = []
    digits.reserveCapacity(text.significantCount)
    text.forEachDigit(limit: text.significantCount) { digits.append(Byte.zero + $0) }
    self.digits = digits
    exponent = digits.isEmpty ? 0 : text.pointPosition - digits.count
    isNegative = text.isNegative && !digits.isEmpty
  }

  /// The value in normalized form, such as `-12e-3` or `0`.
  public var text: String {
    guard !digits.isEmpty else { return "0" }
    let sign = isNegative ? "-" : ""
    let power = exponent == 0 ? "" : "e\(exponent)"
    return sign + String(decoding: digits, as: UTF8.self) + power
  }
}

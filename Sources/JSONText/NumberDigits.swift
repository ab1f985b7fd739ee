/// The value of a number by the digits that say something: ±d₁d₂…dₙ × 10^`exponent`, without zeros at
/// either end.
///
///     0.0120 ▶ 12 × 10^-3    120 ▶ 12 × 10^1    -0e9 ▶ 0
///
/// Two numbers are equal if their digits are.
public struct NumberDigits: Hashable, Sendable {
  /// No digits for zero.
  private let digits: [UInt8]
  private let exponent: Int
  private let isNegative: Bool

  /// Takes apart a valid JSON number; nil if it has more digits that say something than `limit`.
  ///
  /// - Complexity: O(n) of the number's bytes, and no memory but for those digits.
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

  /// The shortest text: `-12e-3`, `0`.
  public var text: String {
    guard !digits.isEmpty else { return "0" }
    let sign = isNegative ? "-" : ""
    let power = exponent == 0 ? "" : "e\(exponent)"
    return sign + String(decoding: digits, as: UTF8.self) + power
  }
}

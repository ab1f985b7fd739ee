package import Foundation

extension Decimal {
  /// Parses a plain number such as `-12.50` or `1e3`, independent of the current locale; nil if the text does not begin
  /// with one. Text after the number is ignored.
  package init?(plain text: String) {
    self.init(string: text, locale: Locale(identifier: "en_US_POSIX"))
  }

  /// Plain digits without exponent, superfluous zeros or a negative zero.
  package var canonicalText: String { description }
}

package import Foundation

extension Decimal {
  /// The number of a plain text such as `-12.50` or `1e3`, whatever the machine's language is; nil for
  /// other texts.
  package init?(plain text: String) {
    self.init(string: text, locale: Locale(identifier: "en_US_POSIX"))
  }
}

import Foundation
import TestSupport
import Testing

@testable import ObjectStore

/// The texts of Decimals, which are parsed without Foundation if they are short.
@Suite struct `Texts of Decimals` {
  private static func check(_ text: String) {
    let expected = Decimal(string: text, locale: Locale(identifier: "en_US_POSIX"))
    let found = Decimal(plain: text)
    #expect(found == expected, "\(text)")
    #expect(found?.description == expected?.description, "\(text)")
    #expect(found?.hashValue == expected?.hashValue, "\(text)")
    guard let expected else { return }
    let stored = Array(expected.canonicalText.utf8)
    #expect(stored.withUnsafeBytes { Double(nearest: $0) } == Double(expected.canonicalText))
  }

  @Test(arguments: [
    "0", "-0", "00", "-", "", ".", "1.", ".5", "-.5", "1.0", "1.50", "-1.50", "100", "-100", "0.10",
    "007", "1e3", "1E-3", "+1", "1,5", "1.2.3", "1x", " 1", "NaN", "999999999999999999",
    "9999999999999999999", "-999999999999999999", "0.000000000000000001", "0.0000000000000000001",
    "9007199254740992", "9007199254740993", "90071992.54740993", "9007199254740.993",
    "123456789.123456789", "12345678901234567890123456789012345678",
    "0.12345678901234567890123456789012345678",
  ])
  func `a text is parsed like by Foundation`(text: String) {
    Self.check(text)
  }

  @Test func `random texts are parsed like by Foundation`() {
    var random = SeededRandom(seed: 1)
    for _ in 0..<5_000 {
      var digits = (0..<1 + random.below(22)).map { _ in Character("\(random.below(10))") }
      if random.once(in: 2) { digits.insert(".", at: random.below(digits.count + 1)) }
      if random.once(in: 3) { digits.insert("-", at: 0) }
      Self.check(String(digits))
    }
  }
}

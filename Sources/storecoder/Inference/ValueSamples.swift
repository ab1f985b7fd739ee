/// The notation of the values at one path of a document, which `model` needs for types that JSON does not have.
struct ValueSamples {
  /// The notation of all dates.
  private(set) var dateForm = Common<DateForm>()
  /// The number of digits after the decimal point in all strings that contain a number.
  private(set) var fractionDigits = Common<Int>()
  /// The number of occurrences of each string; nil if there are too many, or strings that cannot name a case.
  private(set) var words: [String: Int]? = [:]
  /// True if there are numbers beyond the range of a Double.
  private(set) var hasInfiniteNumbers = false

  mutating func note(string: UnsafeBufferPointer<UInt8>) {
    if !dateForm.isMixed { dateForm.note(DateForm(string)) }
    if !fractionDigits.isMixed { fractionDigits.note(Self.fractionDigits(of: string)) }
    if words != nil { note(word: string) }
  }

  mutating func note(number: UnsafeBufferPointer<UInt8>) {
    if !dateForm.isMixed { dateForm.note(DateForm(number: number)) }
    // Only an exponent or more digits than these can exceed the range.
    guard number.count > 300 || number.contains(where: { $0 | 0x20 == UInt8(ascii: "e") }) else {
      return
    }
    let value = Double(String(decoding: number, as: UTF8.self)) ?? .infinity
    hasInfiniteNumbers = hasInfiniteNumbers || !value.isFinite
  }

  private mutating func note(word: UnsafeBufferPointer<UInt8>) {
    let canNameCase =
      1...ModelRules.maximumCaseLength ~= word.count
      && !NameWords.isDigit(word[0])
      && word.allSatisfy {
        NameWords.isAlphanumeric($0) || $0 == UInt8(ascii: "_") || $0 == UInt8(ascii: "-")
      } && word.contains(where: NameWords.isAlphanumeric)
    if canNameCase {
      words?[String(decoding: word, as: UTF8.self), default: 0] += 1
      if words?.count ?? 0 > ModelRules.maximumCaseCount { words = nil }
    } else {
      words = nil
    }
  }

  /// Returns the number of digits after the decimal point of a number such as `-199.00`; nil for other strings, and for
  /// notations that a number does not reproduce.
  private static func fractionDigits(of text: UnsafeBufferPointer<UInt8>) -> Int? {
    let isNegative = text.first == UInt8(ascii: "-")
    let parts = text.dropFirst(isNegative ? 1 : 0)
      .split(separator: UInt8(ascii: "."), omittingEmptySubsequences: false)
    guard parts.count == 2, let whole = parts.first, let fraction = parts.last, !whole.isEmpty,
      !fraction.isEmpty, text.count <= ModelRules.maximumDigitCount,
      whole.allSatisfy(NameWords.isDigit), fraction.allSatisfy(NameWords.isDigit),
      whole.count == 1 || whole.first != UInt8(ascii: "0")
    else { return nil }
    let isZero = parts.joined().allSatisfy { $0 == UInt8(ascii: "0") }
    return isNegative && isZero ? nil : fraction.count
  }

  mutating func merge(_ other: ValueSamples) {
    dateForm.merge(other.dateForm)
    fractionDigits.merge(other.fractionDigits)
    hasInfiniteNumbers = hasInfiniteNumbers || other.hasInfiniteNumbers
    guard let theirs = other.words else { return words = nil }
    words?.merge(theirs, uniquingKeysWith: +)
    if words?.count ?? 0 > ModelRules.maximumCaseCount { words = nil }
  }
}

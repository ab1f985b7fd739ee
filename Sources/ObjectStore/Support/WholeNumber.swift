/// The integers in the text of decimal numbers, exact to the last digit.
enum WholeNumber {
  /// More digits than any integer of 128 bits has.
  private static let digitLimit = 40

  /// Returns the integer that a number equals; nil for a number with a fraction and for one out of range.
  ///
  /// - Parameter text: A JSON number, or the description of a Double, such as `1.5e+19`.
  static func parse<T: FixedWidthInteger>(_ text: String, as type: T.Type = T.self) -> T? {
    T(text) ?? digits(text).flatMap { T($0) }
  }

  /// The digits of a number without a fraction, with its sign: `-1500` for `-1.5e3`.
  private static func digits(_ text: String) -> String? {
    let parts = text.lowercased().split(separator: "e", omittingEmptySubsequences: false)
    guard parts.count <= 2, var number = parts.first else { return nil }
    let sign = number.first == "-" ? "-" : ""
    number = number.dropFirst(sign.count)
    let halves = number.split(separator: ".", omittingEmptySubsequences: false)
    guard halves.count <= 2, !number.isEmpty,
      halves.allSatisfy({ $0.utf8.allSatisfy { (0x30...0x39).contains($0) } })
    else { return nil }
    var digits = String(halves.joined().drop { $0 == "0" })
    if digits.isEmpty { return "0" }
    guard let exponent = parts.count == 2 ? Int(parts[1]) : 0 else { return nil }
    var shift = exponent.subtractingReportingOverflow(halves.count == 2 ? halves[1].count : 0)
      .partialValue
    while shift < 0, digits.last == "0" {
      digits.removeLast()
      shift += 1
    }
    guard (0...digitLimit).contains(shift), digits.utf8.count + shift <= digitLimit else {
      return nil
    }
    return sign + digits + String(repeating: "0", count: shift)
  }
}

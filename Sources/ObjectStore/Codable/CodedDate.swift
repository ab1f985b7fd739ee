import Foundation

/// Dates in Codable values: ISO 8601 with as many digits of the second as the date needs, and `Z`.
enum CodedDate {
  /// Reads a date with any number of digits after the second, and any offset from UTC. Nil for other text.
  static func date(_ text: String) -> Date? {
    guard let point = text.firstIndex(of: ".") else { return whole(text) }
    let digits = text[text.index(after: point)...].prefix { $0.isASCII && $0.isNumber }
    guard !digits.isEmpty, let fraction = Double("0.\(digits)"),
      let date = whole(text[..<point] + text[digits.endIndex...])
    else { return nil }
    return date + fraction
  }

  private static func whole(_ text: some StringProtocol) -> Date? {
    try? Date(String(text), strategy: .iso8601)
  }

  /// The text of a date; nil if it is not finite or its year has not four digits.
  static func text(_ date: Date) -> String? {
    let time = date.timeIntervalSinceReferenceDate
    guard years.contains(time) else { return nil }
    let seconds = time.rounded(.down)
    let text = Date(timeIntervalSinceReferenceDate: seconds).formatted(.iso8601)
    if time == seconds { return text }
    for (digits, scale) in [(3, 1e3), (6, 1e6), (9, 1e9)] {
      let scaled = ((time - seconds) * scale).rounded()
      if scaled < scale, seconds + scaled / scale == time || digits == 9 {
        let fraction = String(Int(scaled))
        let padded = String(repeating: "0", count: digits - fraction.count) + fraction
        return text.dropLast() + ".\(padded)Z"
      }
    }
    return Date(timeIntervalSinceReferenceDate: seconds + 1).formatted(.iso8601)
  }

  /// The seconds since 2001 of the years 1 to 9999.
  private static let years = -63_113_904_000.0..<252_423_993_600.0
}

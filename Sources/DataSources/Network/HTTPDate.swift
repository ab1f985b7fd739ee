import Foundation

/// Parses dates of header fields.
enum HTTPDate {
  /// The three formats that recipients must accept (RFC 9110 §5.6.7).
  private static let formats = [
    "EEE, dd MMM yyyy HH:mm:ss zzz", "EEEE, dd-MMM-yy HH:mm:ss zzz", "EEE MMM d HH:mm:ss yyyy",
  ]

  /// Parses a date; nil if the text is not one.
  static func date(_ text: String) -> Date? {
    // The third format pads a day of one digit with a second space.
    let text = text.split(separator: " ").joined(separator: " ")
    let formatter = DateFormatter()
    formatter.locale = Locale(identifier: "en_US_POSIX")
    formatter.timeZone = TimeZone(secondsFromGMT: 0)
    // RFC 9110 §5.6.7: a two-digit year is at most 50 years in the future.
    formatter.twoDigitStartDate = Date(timeIntervalSinceNow: -50 * 365.25 * 86_400)
    for format in formats {
      formatter.dateFormat = format
      if let date = formatter.date(from: text) { return date }
    }
    return nil
  }
}

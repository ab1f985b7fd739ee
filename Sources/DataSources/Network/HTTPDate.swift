import Foundation

/// Dates of header fields.
enum HTTPDate {
  /// The three forms that recipients must read (RFC 9110 §5.6.7).
  private static let formats = [
    "EEE, dd MMM yyyy HH:mm:ss zzz", "EEEE, dd-MMM-yy HH:mm:ss zzz", "EEE MMM d HH:mm:ss yyyy",
  ]

  /// The date that a text says; nil if it says none.
  static func date(_ text: String) -> Date? {
    // The last of them fills a day of one digit with a second space.
    let text = text.split(separator: " ").joined(separator: " ")
    let formatter = DateFormatter()
    formatter.locale = Locale(identifier: "en_US_POSIX")
    formatter.timeZone = TimeZone(secondsFromGMT: 0)
    // Of two digits: at most 50 years from now.
    formatter.twoDigitStartDate = Date(timeIntervalSinceNow: -50 * 365.25 * 86_400)
    for format in formats {
      formatter.dateFormat = format
      if let date = formatter.date(from: text) { return date }
    }
    return nil
  }
}

import Foundation
import JSONText

/// Dates in Codable values: ISO 8601 (RFC 3339), written in UTC with as many digits of the second as the date needs.
enum CodedDate {
  /// Reads a date with any number of digits after the second, and any offset from UTC. Nil for other text and for dates
  /// that do not exist.
  static func date(_ text: String) -> Date? {
    var text = text
    let moment = text.withUTF8 { utf8 in
      utf8.baseAddress.flatMap { DateText.parseISO8601($0, utf8.count) }
    }
    guard let stored = moment?.stored(), Moment.stored.contains(stored) else { return nil }
    return Date(timeIntervalSinceReferenceDate: stored)
  }

  /// The text of a date; nil if it is not finite or its year has not four digits.
  static func text(_ date: Date) -> String? {
    var text: [UInt8] = []
    return DateText.writeISO8601(date.timeIntervalSinceReferenceDate, into: &text)
      ? String(decoding: text, as: UTF8.self) : nil
  }
}

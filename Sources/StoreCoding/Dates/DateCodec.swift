import Foundation
import JSONText
import ObjectStore

/// Reads and writes one date format. Stored dates are seconds since 2001.
struct DateCodec: Sendable {
  let format: DateFormat
  private let pattern: DateText.Pattern?

  /// Returns nil for a pattern that is not supported, and for an unknown time zone.
  init?(_ format: DateFormat) {
    self.format = format
    if case .pattern(let text) = format.kind {
      var timeZone: TimeZone?
      if let identifier = format.timeZone {
        guard let known = TimeZone(identifier: identifier) else { return nil }
        timeZone = known
      }
      guard let pattern = DateText.Pattern(text, in: timeZone) else { return nil }
      self.pattern = pattern
    } else {
      pattern = nil
    }
  }

  /// The unit of dates that are numbers; nil if the format is a string.
  var unit: DateNumber.Unit? {
    switch format.kind {
    case .unixSeconds: .seconds
    case .unixMilliseconds: .milliseconds
    case .iso8601, .rfc1123, .date, .pattern: nil
    }
  }

  /// Parses a date; nil if the string does not match the format.
  func stored(text: UnsafeBufferPointer<UInt8>) -> Double? {
    guard let start = text.baseAddress else { return nil }
    let moment =
      switch format.kind {
      case .iso8601: DateText.parseISO8601(start, text.count)
      case .date: DateText.parseDay(start, text.count)
      case .rfc1123: DateText.parseRFC1123(start, text.count)
      case .pattern: pattern?.parse(start, text.count)
      case .unixSeconds, .unixMilliseconds: nil as Moment?
      }
    return moment?.stored()
  }

  /// True if the format can represent the date.
  func canWrite(_ stored: Double) -> Bool {
    switch format.kind {
    case .unixSeconds: stored.isFinite
    case .unixMilliseconds: (stored * DateNumber.Unit.milliseconds.perSecond).isFinite
    case .iso8601, .date, .rfc1123: Moment.stored.contains(stored)
    case .pattern: pattern?.canWrite(stored) ?? false
    }
  }

  /// Writes the date into an empty buffer, without quotes. Returns false if the format cannot represent it.
  func write(_ stored: Double, into text: inout [UInt8]) -> Bool {
    switch format.kind {
    case .unixSeconds: DateNumber.write(stored, .seconds, into: &text)
    case .unixMilliseconds: DateNumber.write(stored, .milliseconds, into: &text)
    case .iso8601: DateText.writeISO8601(stored, into: &text)
    case .date: DateText.writeDateOnly(stored, into: &text)
    case .rfc1123: DateText.writeRFC1123(stored, into: &text)
    case .pattern: pattern?.write(stored, into: &text) ?? false
    }
  }
}

/// The formats of an attribute, tried in order when reading. A date is written in the first one that reads back
/// as the same date.
extension [DateCodec] {
  /// Parses a date string; nil if it matches no format.
  func stored(text: UnsafeBufferPointer<UInt8>) -> Double? {
    for codec in self {
      if let stored = codec.stored(text: text) { return stored }
    }
    return nil
  }

  /// Converts a number to a date; nil if all formats are strings.
  func stored(number: UnsafeBufferPointer<UInt8>) -> Double? {
    for codec in self {
      if let unit = codec.unit { return DateNumber.stored(number, unit) }
    }
    return nil
  }

  /// True if any format can represent the date.
  func canWrite(_ stored: Double) -> Bool {
    contains { $0.canWrite(stored) }
  }

  /// Replaces the buffer's content with the date, without quotes.
  ///
  /// - Returns: The JSON kind, number or string; nil if no format can represent the date.
  func write(_ stored: Double, into text: inout [UInt8]) -> JSONKind? {
    var first: Int?
    for index in indices {
      text.removeAll(keepingCapacity: true)
      guard self[index].write(stored, into: &text) else { continue }
      let isNumber = self[index].unit != nil
      if count == 1 || isRead(text, isNumber: isNumber, as: stored) {
        return isNumber ? .number : .string
      }
      if first == nil { first = index }
    }
    // Every format loses precision.
    guard let first else { return nil }
    return [self[first]].write(stored, into: &text)
  }

  private func isRead(_ text: [UInt8], isNumber: Bool, as stored: Double) -> Bool {
    text.withUnsafeBufferPointer {
      isNumber ? self.stored(number: $0) == stored : self.stored(text: $0) == stored
    }
  }
}

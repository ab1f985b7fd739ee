import JSONText
import ObjectStore

/// A date format, ready to read and write what the store keeps of a date: seconds since 2001.
struct DateCodec: Sendable {
  let format: DateFormat
  private let pattern: DateText.Pattern?

  /// Nil for a pattern with letters nobody knows.
  init?(_ format: DateFormat) {
    self.format = format
    if case .pattern(let text) = format.kind {
      guard let pattern = DateText.Pattern(text) else { return nil }
      self.pattern = pattern
    } else {
      pattern = nil
    }
  }

  /// What dates are numbers of in this format; nil if they are texts.
  var unit: DateNumber.Unit? {
    switch format.kind {
    case .unixSeconds: .seconds
    case .unixMilliseconds: .milliseconds
    case .iso8601, .rfc1123, .date, .pattern: nil
    }
  }

  /// The date of a text; nil if it is not of this format.
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

  /// Whether the date can be written in this format.
  func canWrite(_ stored: Double) -> Bool {
    switch format.kind {
    case .unixSeconds: stored.isFinite
    case .unixMilliseconds: (stored * DateNumber.Unit.milliseconds.perSecond).isFinite
    case .iso8601, .date, .rfc1123: Moment.stored.contains(stored)
    case .pattern: pattern?.canWrite(stored) ?? false
    }
  }

  /// Puts the date into an empty text, without quotes; false for one the format cannot write.
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

/// The formats of an attribute. They are tried in order, and the first one that is read as the same
/// date writes.
extension [DateCodec] {
  /// The date of a text; nil if it is of no format.
  func stored(text: UnsafeBufferPointer<UInt8>) -> Double? {
    for codec in self {
      if let stored = codec.stored(text: text) { return stored }
    }
    return nil
  }

  /// The date of a number; nil if dates are texts in all formats.
  func stored(number: UnsafeBufferPointer<UInt8>) -> Double? {
    for codec in self {
      if let unit = codec.unit { return DateNumber.stored(number, unit) }
    }
    return nil
  }

  /// Whether a format can write the date.
  func canWrite(_ stored: Double) -> Bool {
    contains { $0.canWrite(stored) }
  }

  /// Replaces a text by the date, without quotes.
  ///
  /// - Returns: Whether that is a number or a string; nil if no format can write the date.
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
    // Each would lose something.
    guard let first else { return nil }
    return [self[first]].write(stored, into: &text)
  }

  private func isRead(_ text: [UInt8], isNumber: Bool, as stored: Double) -> Bool {
    text.withUnsafeBufferPointer {
      isNumber ? self.stored(number: $0) == stored : self.stored(text: $0) == stored
    }
  }
}

import JSONText
import ObjectStore

/// A date format, ready to read and write.
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

  /// Whether dates are numbers in this format.
  var isNumber: Bool { format.kind == .unixSeconds || format.kind == .unixMilliseconds }

  /// What the store keeps of a moment in seconds since 1970: those of its `Date`, which counts from
  /// 2001. That costs the moments before 1985 their last bits.
  static func stored(_ seconds: Double) -> Double { seconds - secondsUntil2001 }

  /// The moment in seconds since 1970: of one that was read, the very Double.
  static func seconds(ofStored stored: Double) -> Double {
    let seconds = stored + secondsUntil2001
    if seconds == seconds.rounded() || abs(seconds) > 1e12 { return seconds }
    let nearest = CivilTime.seconds(fromMicroseconds: Int((seconds * 1e6).rounded()))
    return Self.stored(nearest) == stored ? nearest : seconds
  }

  private static let secondsUntil2001 = 978_307_200.0

  /// Seconds since 1970 of a text; nil if it is not of this format.
  func seconds(_ text: JSONString) -> Double? {
    switch format.kind {
    case .iso8601: DateText.parseISO8601(text.start, text.count)
    case .date:
      text.count == 10
        ? DateText.parseISO8601(text.start, text.count, allowsDateOnly: true) : nil
    case .rfc1123: DateText.parseRFC1123(text.start, text.count)
    case .pattern: pattern?.parse(text.start, text.count)
    case .unixSeconds, .unixMilliseconds: nil
    }
  }

  /// Seconds since 1970 of a number; nil if dates are texts in this format.
  func seconds(_ number: Double) -> Double? {
    switch format.kind {
    case .unixSeconds: number
    // To the microsecond, as texts are: 1e-3 is no exact factor.
    case .unixMilliseconds: (number * 1_000).rounded() / 1_000_000
    default: nil
    }
  }

  /// The milliseconds that are read as these seconds.
  private func milliseconds(_ seconds: Double) -> Double {
    let microseconds = (seconds * 1_000_000).rounded()
    let nearest = microseconds / 1_000
    func isRead(_ milliseconds: Double) -> Bool {
      self.seconds(milliseconds).map(Self.stored) == Self.stored(seconds)
    }
    if isRead(nearest) { return nearest }
    // The roundings on both ways may miss by a little where a Double is coarse.
    for step in [1.0, -1, 2, -2, 3, -3] {
      let candidates = [(microseconds + step) / 1_000, nearest + step * nearest.ulp]
      if let candidate = candidates.first(where: isRead) { return candidate }
    }
    return nearest
  }

  /// Whether the moment can be written in this format.
  func canWrite(_ seconds: Double) -> Bool {
    switch format.kind {
    case .unixSeconds: seconds.isFinite
    case .unixMilliseconds: milliseconds(seconds).isFinite
    case .iso8601, .date, .rfc1123: CivilTime.seconds.contains(seconds)
    case .pattern: pattern?.canWrite(seconds) ?? false
    }
  }

  /// Writes the date; false for one the format cannot write.
  func write(_ seconds: Double, to writer: inout JSONWriter, _ scratch: inout [UInt8]) -> Bool {
    scratch.removeAll(keepingCapacity: true)
    let isWritten: Bool
    switch format.kind {
    case .unixSeconds: return writer.double(seconds)
    case .unixMilliseconds: return writer.double(milliseconds(seconds))
    case .iso8601: isWritten = DateText.writeISO8601(seconds, into: &scratch)
    case .date: isWritten = DateText.writeDateOnly(seconds, into: &scratch)
    case .rfc1123: isWritten = DateText.writeRFC1123(seconds, into: &scratch)
    case .pattern: isWritten = pattern?.write(seconds, into: &scratch) ?? false
    }
    if isWritten { scratch.withUnsafeBufferPointer { writer.string($0) } }
    return isWritten
  }
}

import JSONText
import ObjectStore

/// The notation of a date: `model` declares a date if all values have the same notation, in which the date is written
/// again digit by digit.
enum DateForm: Equatable {
  /// `2024-03-01`
  case day
  /// `2024-03-01T14:53:37Z`, with a number of fraction digits, and a zone that is UTC.
  case time(separator: UInt8, fractionDigits: Int, zone: Zone)
  case unixSeconds, unixMilliseconds

  /// Notations of UTC by their fields in a pattern. A time in another zone would be written in UTC, so it remains a
  /// string, and so does a time without a zone.
  enum Zone: String {
    case letter = "X"
    case colon = "xxx"
    case digits = "xx"
    case hours = "x"

    fileprivate init?(_ text: ArraySlice<UInt8>) {
      switch String(decoding: text, as: UTF8.self) {
      case "Z": self = .letter
      case "+00:00": self = .colon
      case "+0000": self = .digits
      case "+00": self = .hours
      default: return nil
      }
    }
  }

  /// Returns nil for a string that is not a date in one of the notations.
  init?(_ text: some Collection<UInt8>) {
    guard 10...35 ~= text.count, let first = text.first, NameWords.isDigit(first) else {
      return nil
    }
    let text = Array(text)
    if text.count == 10 {
      guard
        text.withUnsafeBufferPointer({ $0.baseAddress.flatMap { DateText.parseDay($0, 10) } })
          != nil
      else { return nil }
      self = .day
      return
    }
    let isValid = text.withUnsafeBufferPointer { bytes in
      bytes.baseAddress.flatMap { DateText.parseISO8601($0, bytes.count) } != nil
    }
    // Second 60 would be written as the first second of the next minute.
    guard isValid, text.count >= 20, text[10] == UInt8(ascii: "T") || text[10] == UInt8(ascii: " "),
      text[17] != UInt8(ascii: "6")
    else { return nil }
    let fraction: ArraySlice<UInt8> =
      text[19] == UInt8(ascii: ".") ? text[20...].prefix(while: NameWords.isDigit) : []
    let zoneStart = fraction.isEmpty ? 19 : fraction.endIndex
    guard fraction.count <= 6, let zone = Zone(text[zoneStart...]) else { return nil }
    if fraction.count > 3 {
      let year = Int(String(decoding: text[..<4], as: UTF8.self)) ?? 0
      guard ModelRules.microsecondYears.contains(year) else { return nil }
    }
    self = .time(separator: text[10], fractionDigits: fraction.count, zone: zone)
  }

  /// Returns nil for a number that is not a Unix time from 2000 to 2100.
  init?(number: UnsafeBufferPointer<UInt8>) {
    guard 9...13 ~= number.count, number.allSatisfy(NameWords.isDigit),
      let value = Int(String(decoding: number, as: UTF8.self))
    else { return nil }
    if ModelRules.unixSeconds.contains(value) {
      self = .unixSeconds
    } else if ModelRules.unixMilliseconds.contains(value) {
      self = .unixMilliseconds
    } else {
      return nil
    }
  }

  /// True if values in this notation are dates under this key.
  /// - Parameter count: The number of values.
  func isDate(_ key: String, count: Int) -> Bool {
    let last = NameWords.words(key).last ?? ""
    switch self {
    case .time: return true
    case .day:
      return count >= ModelRules.minimumDayCount || ModelRules.timeWords.contains(last)
        || ModelRules.dayWords.contains(last)
    case .unixSeconds, .unixMilliseconds: return ModelRules.timeWords.contains(last)
    }
  }

  /// The format of the declaration.
  var format: DateFormat {
    switch self {
    case .day: .date
    case .unixSeconds: .unixSeconds
    case .unixMilliseconds: .unixMilliseconds
    case .time(UInt8(ascii: "T"), 0, .letter): .iso8601
    case .time(let separator, let fractionDigits, let zone):
      .format(
        "yyyy-MM-dd" + (separator == UInt8(ascii: "T") ? "'T'" : " ") + "HH:mm:ss"
          + (fractionDigits == 0 ? "" : "." + String(repeating: "S", count: fractionDigits))
          + zone.rawValue)
    }
  }
}

import JSONText

/// Dates as JSON numbers: seconds or milliseconds since 1970, in decimal.
///
/// The decimal digits are converted directly, because a `Double` of seconds since 1970 cannot represent every
/// `Date`.
enum DateNumber {
  enum Unit {
    case seconds, milliseconds

    /// The number of decimal places between a second and the unit.
    var shift: Int { self == .milliseconds ? 3 : 0 }
    var perSecond: Double { self == .milliseconds ? 1000 : 1 }
    var reading: Moment.Reading { self == .milliseconds ? .text : .number }
    /// The bound for 18-digit decimal arithmetic, in seconds. Larger values are converted as `Double`.
    var limit: Double { 1e18 / perSecond }
  }

  /// Converts a JSON number to seconds since 2001. The digits are read to the nanosecond and rounded by the next
  /// digit. A number with an exponent or more than 18 integer digits is converted as a `Double`.
  static func stored(_ number: UnsafeBufferPointer<UInt8>, _ unit: Unit) -> Double? {
    if let moment = moment(number, unit) { return moment.stored(unit.reading) }
    guard let value = Double(String(decoding: number, as: UTF8.self)) else { return nil }
    // Rounded to the microsecond, because 1e-3 is not exact as a Double.
    let seconds = unit == .seconds ? value : (value * 1000).rounded() / 1_000_000
    return seconds - Double(Moment.secondsUntil2001)
  }

  private static func moment(
    _ number: UnsafeBufferPointer<UInt8>, _ unit: Unit
  ) -> Moment? {
    let isNegative = number.first == UInt8(ascii: "-")
    var index = isNegative ? 1 : 0
    var whole = 0
    let first = index
    while index < number.count, number[index] &- 0x30 < 10 {
      whole = whole &* 10 &+ Int(number[index] &- 0x30)
      index += 1
    }
    guard index - first <= 18 else { return nil }
    var fraction = 0
    let places = 9 - unit.shift
    var count = 0
    if index < number.count, number[index] == UInt8(ascii: ".") {
      index += 1
      while index < number.count, number[index] &- 0x30 < 10 {
        let digit = Int(number[index] &- 0x30)
        if count < places {
          fraction = fraction * 10 + digit
        } else if count == places, digit >= 5 {
          fraction += 1
        }
        count += 1
        index += 1
      }
    }
    guard index == number.count else { return nil }
    while count < places {
      fraction *= 10
      count += 1
    }
    if unit == .milliseconds {
      fraction += whole % 1000 * 1_000_000
      whole /= 1000
    }
    let moment = Moment(seconds: whole, nanosecond: fraction)
    return isNegative ? moment.negated : moment
  }

  /// Appends the shortest decimal number that reads back as the stored date.
  ///
  /// - Returns: False if the date is not finite; then nothing is appended.
  static func write(_ stored: Double, _ unit: Unit, into text: inout [UInt8]) -> Bool {
    let seconds = stored + Double(Moment.secondsUntil2001)
    guard abs(seconds) < unit.limit else {
      var writer = JSONWriter(capacity: 32)
      guard writer.double(seconds * unit.perSecond) else { return false }
      writer.withBytes { text.append(contentsOf: $0) }
      return true
    }
    let moment = Moment(of: stored, places: 9, unit.reading)
    let magnitude = moment.seconds < 0 ? moment.negated : moment
    var whole = magnitude.seconds
    var fraction = magnitude.nanosecond
    var places = 9
    if unit == .milliseconds {
      whole = whole * 1000 + fraction / 1_000_000
      fraction %= 1_000_000
      places = 6
    }
    if fraction % 1000 == 0 {
      fraction /= 1000
      places -= 3
    }
    while fraction > 0, fraction % 10 == 0 {
      fraction /= 10
      places -= 1
    }
    text.withDateBuffer { buffer in
      if moment.seconds < 0 { buffer.byte(UInt8(ascii: "-")) }
      buffer.natural(whole)
      guard fraction > 0 else { return }
      buffer.byte(UInt8(ascii: "."))
      buffer.digits(fraction, places)
    }
    return true
  }
}

extension Moment {
  /// The moment at the same distance from 1970 in the opposite direction.
  fileprivate var negated: Moment {
    nanosecond == 0
      ? Moment(seconds: -seconds, nanosecond: 0)
      : Moment(seconds: -seconds - 1, nanosecond: 1_000_000_000 - nanosecond)
  }
}

extension DateBuffer {
  /// Writes a natural number of at most 18 digits without leading zeros.
  fileprivate mutating func natural(_ value: Int) {
    if value >= 1_000_000_000 {
      natural(value / 1_000_000_000)
      digits(value % 1_000_000_000, 9)
      return
    }
    var count = 1
    var power = 10
    while value >= power {
      count += 1
      power *= 10
    }
    digits(value, count)
  }
}

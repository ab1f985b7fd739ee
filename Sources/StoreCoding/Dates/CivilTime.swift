/// A moment as a calendar shows it: proleptic Gregorian, in UTC, years 0000 to 9999.
///
/// Text formats fill in the fields and ask for the seconds, or the other way round. All arithmetic
/// is in whole microseconds; `Double` is only the form in which a moment enters and leaves.
struct CivilTime {
  var year = 1970
  var month = 1
  var day = 1
  var hour = 0
  var minute = 0
  /// 60 is a leap second: the first second of the next minute.
  var second = 0
  /// 0...1,000,000; the last when a longer fraction was rounded up.
  var microsecond = 0
  /// How far the fields are ahead of UTC.
  var offsetSeconds = 0

  init() {}

  /// The moments that have a year of four digits, in seconds since 1970.
  static let seconds = -62_167_219_200.0..<253_402_300_800.0

  /// The UTC fields of a moment, given in seconds since 1970, or nil outside of the years 0000
  /// to 9999.
  ///
  /// - Parameter fractionDigits: The decimal places to round to, 1...6. Rounded, because hardly any
  ///   fraction has an exact `Double`: .123 may be a little less, and less than .1229995 after 2255.
  init?(secondsSince1970 seconds: Double, fractionDigits: Int = 6) {
    // False for NaN.
    guard Self.seconds.contains(seconds) else { return nil }
    let whole = seconds.rounded(.down)
    var step = 1
    for _ in fractionDigits..<6 { step *= 10 }
    // The difference is exact.
    let steps = ((seconds - whole) * Double(1_000_000 / step)).rounded()
    microsecond = Int(steps) * step
    var total = Int(whole)
    if microsecond == 1_000_000 {
      microsecond = 0
      total += 1
    }
    let (days, rest) = Self.floorDivide(total, by: 86_400)
    (year, month, day) = Self.date(ofDay: days)
    guard year <= 9999 else { return nil }
    hour = rest / 3600
    minute = rest / 60 % 60
    second = rest % 60
  }

  /// Whether there is such a date and such a time of day.
  var isValid: Bool {
    guard year >= 0, year <= 9999, month >= 1, month <= 12, day >= 1, hour >= 0, hour < 24,
      minute >= 0, minute < 60, second >= 0, second <= 60
    else { return false }
    return day <= 28 || day <= Self.dayCount(year: year, month: month)
  }

  /// Seconds since 1970-01-01T00:00:00Z, the `Double` nearest to the microsecond; nil if there is
  /// no such moment, such as on February 30.
  var secondsSince1970: Double? {
    guard isValid else { return nil }
    let days = Self.day(year: year, month: month, day: day)
    let seconds = days * 86_400 + hour * 3600 + minute * 60 + second - offsetSeconds
    return Self.seconds(fromMicroseconds: seconds * 1_000_000 + microsecond)
  }

  /// 0 for Sunday to 6 for Saturday.
  var weekday: Int {
    // 1970-01-01 was a Thursday.
    Self.floorDivide(Self.day(year: year, month: month, day: day) + 4, by: 7).remainder
  }

  // MARK: - Calendar

  /// Days from 1970-01-01 to a valid date.
  ///
  /// Counts in years that begin in March, so that the leap day comes last; after Howard Hinnant,
  /// "chrono-Compatible Low-Level Date Algorithms".
  static func day(year: Int, month: Int, day: Int) -> Int {
    let shiftedYear = month <= 2 ? year - 1 : year
    let (era, yearOfEra) = floorDivide(shiftedYear, by: 400)
    let dayOfYear = (153 * (month > 2 ? month - 3 : month + 9) + 2) / 5 + day - 1
    let dayOfEra = yearOfEra * 365 + yearOfEra / 4 - yearOfEra / 100 + dayOfYear
    return era * 146_097 + dayOfEra - 719_468
  }

  /// The date that is `day` days after 1970-01-01.
  static func date(ofDay day: Int) -> (year: Int, month: Int, day: Int) {
    let (era, dayOfEra) = floorDivide(day + 719_468, by: 146_097)
    let yearOfEra = (dayOfEra - dayOfEra / 1460 + dayOfEra / 36_524 - dayOfEra / 146_096) / 365
    let dayOfYear = dayOfEra - (365 * yearOfEra + yearOfEra / 4 - yearOfEra / 100)
    let shiftedMonth = (5 * dayOfYear + 2) / 153
    let month = shiftedMonth < 10 ? shiftedMonth + 3 : shiftedMonth - 9
    return (
      era * 400 + yearOfEra + (month <= 2 ? 1 : 0), month,
      dayOfYear - (153 * shiftedMonth + 2) / 5 + 1
    )
  }

  static func dayCount(year: Int, month: Int) -> Int {
    switch month {
    case 2: year % 4 == 0 && (year % 100 != 0 || year % 400 == 0) ? 29 : 28
    case 4, 6, 9, 11: 30
    default: 31
    }
  }

  // MARK: - Arithmetic

  /// The `Double` nearest to `microseconds` / 10⁶.
  static func seconds(fromMicroseconds microseconds: Int) -> Double {
    // Both are exact up to 2⁵³, about the year 2255: one rounding.
    if microseconds.magnitude <= 1 << 53 { return Double(microseconds) / 1e6 }
    // Later, divide with 10 bits more than a Double has and let the lowest stand for the rest, so
    // that the conversion is the only rounding.
    let scaled = UInt64(microseconds.magnitude).multipliedFullWidth(by: 1 << 24)
    let (quotient, remainder) = UInt64(1_000_000).dividingFullWidth(scaled)
    let seconds = Double(quotient | (remainder == 0 ? 0 : 1)) * 0x1p-24
    return microseconds < 0 ? -seconds : seconds
  }

  static func floorDivide(_ value: Int, by divisor: Int) -> (quotient: Int, remainder: Int) {
    let (quotient, remainder) = value.quotientAndRemainder(dividingBy: divisor)
    return remainder < 0 ? (quotient - 1, remainder + divisor) : (quotient, remainder)
  }
}

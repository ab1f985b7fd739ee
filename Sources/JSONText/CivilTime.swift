/// A date and time of day in the proleptic Gregorian calendar, in UTC or at an offset from it, for the years 0000
/// to 9999.
///
/// Converts between calendar fields and a ``Moment``. All arithmetic is in whole seconds and nanoseconds.
package struct CivilTime {
  package var year = 1970
  package var month = 1
  package var day = 1
  package var hour = 0
  package var minute = 0
  /// 60 for a leap second, which equals the first second of the next minute.
  package var second = 0
  /// 0...1,000,000,000; the maximum if a longer fraction was rounded up.
  package var nanosecond = 0
  /// The offset of the fields from UTC.
  package var offsetSeconds = 0

  package init() {}

  /// Creates the UTC fields of a moment; nil outside of the years 0000 to 9999.
  package init?(_ moment: Moment) {
    let (days, rest) = Self.floorDivide(moment.seconds, by: Self.secondsPerDay)
    (year, month, day) = Self.date(ofDay: days)
    guard year >= 0, year <= 9999 else { return nil }
    hour = rest / 3600
    minute = rest / 60 % 60
    second = rest % 60
    nanosecond = moment.nanosecond
  }

  package var isValid: Bool {
    guard year >= 0, year <= 9999, month >= 1, month <= 12, day >= 1, hour >= 0, hour < 24,
      minute >= 0, minute < 60, second >= 0, second <= 60
    else { return false }
    return day <= 28 || day <= Self.dayCount(year: year, month: month)
  }

  /// The moment, or nil if it does not exist, such as February 30.
  package var moment: Moment? {
    guard isValid else { return nil }
    let days = Self.day(year: year, month: month, day: day)
    let seconds = days * Self.secondsPerDay + hour * 3600 + minute * 60 + second - offsetSeconds
    // A longer fraction of the last second is not rounded up, because it would leave the year 9999.
    let isLast = seconds == Self.secondsUntilYear10000 - 1
    return Moment(
      seconds: seconds, nanosecond: isLast ? min(nanosecond, 999_999_999) : nanosecond)
  }

  /// 0 for Sunday to 6 for Saturday.
  package var weekday: Int {
    // 1970-01-01 was a Thursday.
    Self.floorDivide(Self.day(year: year, month: month, day: day) + 4, by: 7).remainder
  }

  // MARK: - Calendar

  package static let secondsPerDay = 86_400
  /// The day number of 10000-01-01, the first date whose year has five digits.
  package static let dayOfYear10000 = 2_932_897
  /// The number of seconds from 1970-01-01 to 10000-01-01.
  private static let secondsUntilYear10000 = dayOfYear10000 * secondsPerDay

  /// The number of days from 1970-01-01 to a valid date.
  ///
  /// Counts in years that begin in March, so that the leap day comes last; after Howard Hinnant,
  /// "chrono-Compatible Low-Level Date Algorithms".
  package static func day(year: Int, month: Int, day: Int) -> Int {
    let shiftedYear = month <= 2 ? year - 1 : year
    let (era, yearOfEra) = floorDivide(shiftedYear, by: 400)
    let dayOfYear = (153 * (month > 2 ? month - 3 : month + 9) + 2) / 5 + day - 1
    let dayOfEra = yearOfEra * 365 + yearOfEra / 4 - yearOfEra / 100 + dayOfYear
    return era * 146_097 + dayOfEra - 719_468
  }

  /// The date that is `day` days after 1970-01-01.
  package static func date(ofDay day: Int) -> (year: Int, month: Int, day: Int) {
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

  package static func dayCount(year: Int, month: Int) -> Int {
    switch month {
    case 2: year % 4 == 0 && (year % 100 != 0 || year % 400 == 0) ? 29 : 28
    case 4, 6, 9, 11: 30
    default: 31
    }
  }

  // MARK: - Arithmetic

  package static func floorDivide(_ value: Int, by divisor: Int) -> (quotient: Int, remainder: Int)
  {
    let (quotient, remainder) = value.quotientAndRemainder(dividingBy: divisor)
    return remainder < 0 ? (quotient - 1, remainder + divisor) : (quotient, remainder)
  }
}

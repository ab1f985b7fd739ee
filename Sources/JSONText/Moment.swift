/// A point in time: whole seconds since 1970-01-01T00:00:00Z, plus nanoseconds.
///
/// The store keeps a `Double` of seconds since 2001, as `Date` does. A fraction with up to six decimal places is
/// read as in Foundation: as the nearest `Double` since 1970, converted to seconds since 2001. That cannot produce
/// the `Date`s between two such values. With more than six places, the value is read as the nearest `Double` since
/// 2001, which can produce every `Date`.
///
///     .123456      ▶ nearest since 1970 ▶ minus 978,307,200
///     .1234567     ▶                      nearest since 2001
///
/// Dates are written with the fewest places that read back as the same `Date`, at most nine. Nine suffice except
/// within half a year of 2001, where some `Date`s would need more.
package struct Moment: Equatable {
  /// Seconds since 1970, rounded down.
  package private(set) var seconds: Int
  /// 0...999,999,999.
  package private(set) var nanosecond: Int

  /// - Parameter nanosecond: -1...1,000,000,000.
  package init(seconds: Int, nanosecond: Int) {
    self.seconds = seconds
    self.nanosecond = nanosecond
    if nanosecond == Self.perSecond {
      self.seconds += 1
      self.nanosecond = 0
    } else if nanosecond < 0 {
      self.seconds -= 1
      self.nanosecond += Self.perSecond
    }
  }

  private static let perSecond = 1_000_000_000

  /// The number of seconds from 1970 to 2001.
  package static let secondsUntil2001 = 978_307_200

  /// The range of stored dates whose year has four digits, in seconds since 2001.
  package static let stored = -63_145_526_400.0..<252_423_993_600.0

  /// The number of decimal places up to which a fraction is read relative to 1970.
  package enum Reading {
    /// Six places.
    case text
    /// Seven places: a `Double` of seconds since 1970 never prints with more for dates after 2001.
    case number

    /// True if the fraction has few enough places to be read relative to 1970.
    @inline(__always)
    func isFrom1970(_ nanosecond: Int) -> Bool {
      // Constant divisors compile to multiplications.
      self == .text ? nanosecond % 1000 == 0 : nanosecond % 100 == 0
    }
  }

  // MARK: - Reading

  /// The date as stored: seconds since 2001.
  @inline(__always)
  package func stored(_ reading: Reading = .text) -> Double {
    let stored =
      reading.isFrom1970(nanosecond)
      ? Self.nearest(seconds, nanosecond) - Double(Self.secondsUntil2001)
      : Self.nearest(seconds - Self.secondsUntil2001, nanosecond)
    // A fraction of the last second stays in the year 9999.
    return stored == Self.stored.upperBound && nanosecond > 0 ? stored.nextDown : stored
  }

  /// The `Double` nearest to a number of seconds and nanoseconds.
  @inline(__always)
  package static func nearest(_ seconds: Int, _ nanosecond: Int) -> Double {
    if nanosecond == 0 { return Double(seconds) }
    // A quotient of two exact integers is rounded once. Covers microseconds until the year 2242.
    let (microsecond, rest) = nanosecond.quotientAndRemainder(dividingBy: 1000)
    if rest == 0, seconds.magnitude < 1 << 33 {
      return Double(seconds * 1_000_000 + microsecond) / 1e6
    }
    return nearestOfMany(seconds, nanosecond)
  }

  @inline(never)
  private static func nearestOfMany(_ seconds: Int, _ nanosecond: Int) -> Double {
    if seconds.magnitude < 1 << 23 { return Double(seconds * perSecond + nanosecond) / 1e9 }
    // The quotient has 11 bits more than a Double, and its lowest bit is set for a nonzero remainder, so only the
    // conversion rounds.
    let isNegative = seconds < 0
    let whole = isNegative ? (seconds + 1).magnitude : seconds.magnitude
    let part = UInt64(isNegative ? perSecond - nanosecond : nanosecond)
    let shift = UInt64(whole.leadingZeroBitCount)
    let (quotient, remainder) = UInt64(perSecond).dividingFullWidth(
      part.multipliedFullWidth(by: 1 << shift))
    let bits = UInt64(whole) << shift | quotient | (remainder == 0 ? 0 : 1)
    let magnitude = Double(bits) * Double(bitPattern: (1023 - shift) << 52)
    return isNegative ? -magnitude : magnitude
  }

  // MARK: - Writing

  /// Creates the moment of a stored date, rounded to `places` decimal places of a second. If `places` is above six,
  /// uses the fewest places, at least six, that read back as the same date. Returns nil outside of the years 0 to
  /// 9999.
  package init?(stored: Double, places: Int = 9) {
    // False for NaN.
    guard Self.stored.contains(stored) else { return nil }
    self.init(of: stored, places: places, .text)
  }

  /// Creates the moment of any stored date less than 10¹⁸ seconds from 1970.
  package init(of stored: Double, places: Int, _ reading: Reading) {
    // Rounded, because few fractions have an exact Double: .123 may be slightly less, and after 2242 less than
    // .1229995.
    let microseconds = Self(rounding: stored, to: 1_000_000)
    let isRead = microseconds.stored(reading) == stored
    if places < 6 {
      self = isRead ? microseconds.rounded(to: places) : Self(rounding: stored, places)
      return
    }
    self = microseconds
    if abs(stored) > 0x1p32 {
      // Before 1864 and after 2137, neighboring Doubles are about a microsecond or more apart.
      for places in 3..<6 {
        let coarse = Self(rounding: stored, places)
        if coarse.stored(reading) == stored {
          self = coarse
          return
        }
      }
    }
    if places > 6, !isRead { self = Self(finest: stored, places: places, reading) }
  }

  private init(rounding stored: Double, _ places: Int) {
    var stepsPerSecond = 1.0
    for _ in 0..<places { stepsPerSecond *= 10 }
    self.init(rounding: stored, to: stepsPerSecond)
  }

  @inline(__always)
  private init(rounding stored: Double, to stepsPerSecond: Double) {
    let seconds = stored + Double(Self.secondsUntil2001)
    let whole = seconds.rounded(.down)
    // The difference is exact.
    let steps = ((seconds - whole) * stepsPerSecond).rounded()
    self.init(
      seconds: Int(whole), nanosecond: Int(steps) * (Self.perSecond / Int(stepsPerSecond)))
  }

  private func rounded(to places: Int) -> Self {
    var step = Self.perSecond
    for _ in 0..<places { step /= 10 }
    return Self(seconds: seconds, nanosecond: (nanosecond + step / 2) / step * step)
  }

  /// Tries seven to nine places.
  @inline(never)
  private init(finest stored: Double, places: Int, _ reading: Reading) {
    let whole = stored.rounded(.down)
    let fraction = stored - whole
    let seconds = Int(whole) + Self.secondsUntil2001
    var nearest = 0
    for step in [100, 10, 1].prefix(places - 6) {
      nearest = Int((fraction * Double(Self.perSecond / step)).rounded()) * step
      self.init(seconds: seconds, nanosecond: nearest)
      if self.stored(reading) == stored { return }
    }
    self.init(seconds: seconds, nanosecond: nearest)
    guard places == 9, reading.isFrom1970(nearest) else { return }
    // The nearest value would be read relative to 1970; its neighbor would not.
    let isBelow = Double(nearest) < fraction * Double(Self.perSecond)
    let neighbor = Self(seconds: seconds, nanosecond: nearest + (isBelow ? 1 : -1))
    if neighbor.stored(reading) == stored { self = neighbor }
  }
}

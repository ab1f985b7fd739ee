import Foundation
import ObjectStore
import StoreCoding
import TestSupport
import Testing

private final class Instant: Object {
  @Persisted(primaryKey: true) var id: Int
  @Persisted(.date(.iso8601)) var iso: Date?
  @Persisted(.date(.unixSeconds)) var seconds: Date?
  @Persisted(.date(.unixMilliseconds)) var milliseconds: Date?
  @Persisted(.date("yyyy-MM-dd HH:mm:ss.SSSSSSSSS")) var pattern: Date?

  /// Creates an object with the same date in every format.
  convenience init(_ id: Int, _ date: Date) {
    self.init()
    self.id = id
    (iso, seconds, milliseconds, pattern) = (date, date, date, date)
  }
}

/// A `Date` is a number of seconds since 2001, and its encoded form reads back as exactly that number.
@Suite struct `Round trips of dates` {
  /// The first and the last date with a four-digit year, in seconds since 2001.
  private static let first = -63_145_526_400.0
  private static let last = 252_423_993_600.0.nextDown
  /// Within this distance of 2001, `Date`s may differ by less than a nanosecond.
  private static let fine = 16_777_216.0

  /// Encodes the dates in every format, decodes the body, and returns the dates that differ.
  private func changed(_ dates: [Date]) throws -> [Date] {
    let coder = try makeCoder()
    let objects = dates.enumerated().map { Instant($0, $1) }
    let read = try coder.decodeArray(Instant.self, from: coder.encodeArray(objects))
    var changed: [Date] = []
    for (date, object) in zip(dates, read) {
      let found = [object.iso, object.seconds, object.milliseconds, object.pattern]
      if found != [date, date, date, date] { changed.append(date) }
    }
    return changed
  }

  @Test(arguments: [1, 2, 3] as [UInt64])
  func `a date in any four-digit year reads back from a body in every format`(seed: UInt64) throws {
    var random = SeededRandom(seed: seed)
    var dates: [Date] = []
    while dates.count < 500 {
      // Distances of half a year to thousands of years, and of about 25 years, from 2001 and from 1970.
      let exponent = Double.random(in: 24..<38, using: &random)
      let far = (Bool.random(using: &random) ? 1 : -1) * pow(2, exponent)
      guard (Self.first...Self.last).contains(far) else { continue }
      let near = Double.random(in: 700_000_000..<900_000_000, using: &random)
      for moment in [far, near, (near * 1000).rounded() / 1000, (near * 1e6).rounded() / 1e6] {
        dates.append(Date(timeIntervalSinceReferenceDate: moment))
        dates.append(Date(timeIntervalSince1970: moment))
      }
    }
    #expect(try changed(dates) == [])
  }

  @Test func `the first and last dates and the neighbors of powers of two read back`() throws {
    var moments: [Double] = [Self.first, Self.last, -63_113_904_000, -978_307_200, 0]
    for exponent in 24..<38 {
      let power = pow(2, Double(exponent))
      moments.append(power)
      moments.append(-power)
    }
    for moment in moments {
      moments += [moment.nextUp, moment.nextDown, moment + 0.5]
      moments += [moment + 0.001, moment - 0.000001]
    }
    let dates = moments.filter { (moment: Double) -> Bool in
      guard moment >= Self.first, moment <= Self.last else { return false }
      return moment == moment.rounded() || abs(moment) >= Self.fine
    }
    #expect(try changed(dates.map { Date(timeIntervalSinceReferenceDate: $0) }) == [])
  }

  @Test(
    arguments: [
      // Dates that are a Double of seconds since 1970.
      (Date(timeIntervalSince1970: 1_526_655_217.123), "37.123", "37.123000000", "217.123"),
      (Date(timeIntervalSince1970: 1_526_655_217.1234), "37.123400", "37.123400000", "217.1234"),
      (
        Date(timeIntervalSince1970: 1_526_655_217.1234567), "37.1234567", "37.123456700",
        "217.1234567"
      ),
      // A date between two such dates.
      (
        Date(timeIntervalSinceReferenceDate: 548_348_017.5000001), "37.5000001", "37.500000100",
        "217.50000012"
      ),
    ] as [(Date, String, String, String)])
  func `dates are written with the fewest digits that read back as the same date`(
    date: Date, iso: String, pattern: String, seconds: String
  ) throws {
    let instant = Instant(1, date)
    instant.milliseconds = nil
    #expect(
      try makeCoder().text(instant)
        == #"{"id":1,"iso":"2018-05-18T14:53:\#(iso)Z","seconds":1526655\#(seconds),"#
        + #""pattern":"2018-05-18 14:53:\#(pattern)"}"#)
  }

  @Test func `decoding the body of an object with the current date changes nothing`() throws {
    let coder = try makeCoder()
    for _ in 0..<20 {
      let object = Instant(1, Date())
      try coder.store.write { try coder.store.add(object, update: .modified) }
      let version = coder.store.version
      try coder.decode(Instant.self, from: coder.encode(object))
      #expect(coder.store.version == version, "\(object.iso?.timeIntervalSinceReferenceDate ?? 0)")
    }
  }

  @Test(
    arguments: [
      (".1234567", 0.1234567), (".12345678", 0.12345678), (".123456789", 0.123456789),
      (".1234567894999", 0.123456789), (".1234567895", 0.12345679), (".9999999996", 1),
      (".1", 0.1), (".12345600049", 0.123456),
    ] as [(String, Double)])
  func `fractions of a second are rounded to nine digits`(
    fraction: String, seconds: Double
  ) throws {
    let coder = try makeCoder()
    let object = try coder.decode(
      Instant.self,
      #"{"id":1,"iso":"2001-01-01T00:00:00\#(fraction)Z","seconds":978307200\#(fraction)}"#)
    let precise = Date(timeIntervalSinceReferenceDate: seconds)
    // A fraction with few digits is read as the date that Foundation creates from seconds since 1970.
    let coarse = Date(timeIntervalSince1970: 978_307_200 + seconds)
    #expect(object.iso == ((seconds * 1e6).rounded() / 1e6 == seconds ? coarse : precise))
    #expect(object.seconds == ((seconds * 1e7).rounded() / 1e7 == seconds ? coarse : precise))
  }

  @Test func `a date finer than a nanosecond is rounded to a date that round-trips`()
    throws
  {
    let coder = try makeCoder()
    let body = try coder.text(Instant(1, Date(timeIntervalSinceReferenceDate: 0.123456789_012)))
    #expect(
      body == #"{"id":1,"iso":"2001-01-01T00:00:00.123456789Z","seconds":978307200.123456789,"#
        + #""milliseconds":978307200123.456789,"pattern":"2001-01-01 00:00:00.123456789"}"#)
    let object = try coder.decode(Instant.self, body)
    #expect(object.iso == Date(timeIntervalSinceReferenceDate: 0.123456789))
    #expect(try coder.text(object) == body)
  }
}

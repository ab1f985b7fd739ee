import Foundation
import JSONText
import TestSupport
import Testing

@testable import StoreCoding

@Suite struct `Date text` {
  /// Returns the `Double` nearest to the parsed date, in seconds since 1970.
  private func parse(
    _ text: String, _ body: (UnsafePointer<UInt8>, Int) -> Moment?
  ) -> Double? {
    // The last byte is a digit that must not be read.
    var bytes = Array(text.utf8)
    bytes.append(0x30)
    return bytes.withUnsafeBufferPointer { buffer in
      buffer.baseAddress.flatMap { body($0, buffer.count - 1) }
        .map { Moment.nearest($0.seconds, $0.nanosecond) }
    }
  }

  private func iso(_ text: String) -> Double? {
    parse(text) { DateText.parseISO8601($0, $1) }
  }

  private func day(_ text: String) -> Double? {
    parse(text) { DateText.parseDay($0, $1) }
  }

  private func rfc(_ text: String) -> Double? {
    parse(text) { DateText.parseRFC1123($0, $1) }
  }

  /// The stored form of a date in seconds since 1970.
  private func stored(_ seconds: Double) -> Double { seconds - 978_307_200 }

  private func text(_ body: (inout [UInt8]) -> Bool) -> String? {
    var bytes: [UInt8] = []
    let isWritten = body(&bytes)
    #expect(isWritten || bytes.isEmpty)
    return isWritten ? String(decoding: bytes, as: UTF8.self) : nil
  }

  private func nearest(microseconds: Int) -> Double {
    let (seconds, rest) = CivilTime.floorDivide(microseconds, by: 1_000_000)
    return Moment.nearest(seconds, rest * 1000)
  }

  // MARK: - ISO 8601

  @Test(
    arguments: [
      ("1970-01-01T00:00:00Z", 0), ("2018-05-18T14:53:37Z", 1_526_655_217),
      ("2018-05-18T14:53:37.000Z", 1_526_655_217), ("2018-05-18t14:53:37z", 1_526_655_217),
      ("2018-05-18 14:53:37Z", 1_526_655_217), ("2018-05-18T14:53:37.5Z", 1_526_655_217.5),
      ("2018-05-18T14:53:37.123456Z", 1_526_655_217.123456),
      ("2018-05-18T14:53:37.1234564994Z", 1_526_655_217.123456499),
      ("2018-05-18T14:53:37.1234565Z", 1_526_655_217.1234565),
      ("2018-05-18T14:53:37.9999999999999Z", 1_526_655_218),
      ("2018-05-18T16:53:37+02:00", 1_526_655_217), ("2018-05-18T16:53:37+0200", 1_526_655_217),
      ("2018-05-18T16:53:37+02", 1_526_655_217), ("2018-05-18T14:53:37-00:00", 1_526_655_217),
      ("2018-05-18T09:23:37.25-05:30", 1_526_655_217.25),
      ("2018-05-19T14:52:37+23:59", 1_526_655_217),
      ("2016-12-31T23:59:60Z", 1_483_228_800), ("2018-05-18T14:53:60Z", 1_526_655_240),
      ("2000-02-29T00:00:00Z", 951_782_400), ("2024-02-29T00:00:00Z", 1_709_164_800),
      ("1969-12-31T23:59:59.75Z", -0.25), ("0000-01-01T00:00:00Z", -62_167_219_200),
      ("0001-01-01T00:00:00Z", -62_135_596_800), ("1500-02-28T00:00:00Z", -14_826_758_400),
      ("9999-12-31T23:59:59Z", 253_402_300_799), ("0000-01-01T00:00:00+01:00", -62_167_222_800),
      ("9999-12-31T23:59:59.999999Z", 253_402_300_799.999999),
    ] as [(String, Double)])
  func `ISO 8601 is read in all common variants`(_ text: String, _ seconds: Double) {
    #expect(iso(text) == seconds)
    #expect(day(text) == nil)
  }

  @Test(arguments: [
    "", "2018", "2018-05", "2018-05-18", "2018-05-18T", "2018-05-18T14", "2018-05-18T14:53",
    "2018-05-18T14:53Z", "2018-05-18T14:53:37", "2018-05-18T14:53:37.", "2018-05-18T14:53:37.Z",
    "2018-05-18T14:53:37.5", "2018-05-18T14:53:37,5Z", "2018-05-18T14:53:37ZZ",
    "2018-05-18T14:53:37Z ", " 2018-05-18T14:53:37Z", "2018-05-18T14:53:37 Z",
    "2018-05-18  14:53:37Z", "2018-05-18_14:53:37Z", "2018/05/18T14:53:37Z",
    "2018-5-18T14:53:37Z", "18-05-18T14:53:37Z", "12018-05-18T14:53:37Z",
    "+2018-05-18T14:53:37Z", "-2018-05-18T14:53:37Z", "20180518T145337Z",
    "2018-00-18T14:53:37Z", "2018-13-18T14:53:37Z", "2018-05-00T14:53:37Z",
    "2018-05-32T14:53:37Z", "2018-02-29T14:53:37Z", "2018-02-30T14:53:37Z",
    "1900-02-29T14:53:37Z", "2018-04-31T14:53:37Z", "2018-05-18T24:00:00Z",
    "2018-05-18T14:60:37Z", "2018-05-18T14:53:61Z", "2018-05-18T14:53:37+24:00",
    "2018-05-18T14:53:37+02:60", "2018-05-18T14:53:37+2", "2018-05-18T14:53:37+02:",
    "2018-05-18T14:53:37+02:0", "2018-05-18T14:53:37+020", "2018-05-18T14:53:37+02000",
    "2018-05-18T14:53:37+", "2018-05-18T14:53:37GMT", "2018-W20-5T14:53:37Z", "2018-138",
    "2018-05-18T-4:53:37Z", "2018-05-18T14:53:3xZ", "yesterday", "1526655217",
    "２０１８-05-18T14:53:37Z", "2018-05-18T14:53:37Z\0",
  ])
  func `a string that is not an ISO 8601 date is rejected`(_ text: String) {
    #expect(iso(text) == nil)
    if text != "2018-05-18" { #expect(day(text) == nil) }
  }

  @Test(
    arguments: [
      ("2018-05-18", 1_526_601_600), ("1970-01-01", 0), ("0000-01-01", -62_167_219_200),
      ("9999-12-31", 253_402_214_400), ("2016-02-29", 1_456_704_000),
      ("2018-02-29", nil), ("2018-05-18Z", nil), ("2018-5-18", nil), ("2018-13-01", nil),
      ("2018-00-10", nil), ("2018-01-00", nil), ("2018-04-31", nil), ("2018/05-18", nil),
      ("2018-05/18", nil), ("2O18-05-18", nil), ("2018-0518-", nil),
    ] as [(String, Double?)])
  func `a date without time is midnight UTC in the day format only`(
    _ text: String, _ seconds: Double?
  ) {
    #expect(day(text) == seconds)
    #expect(iso(text) == nil)
  }

  @Test(
    arguments: [
      (0, "1970-01-01T00:00:00Z", "1970-01-01", "Thu, 01 Jan 1970 00:00:00 GMT"),
      (1_526_655_217, "2018-05-18T14:53:37Z", "2018-05-18", "Fri, 18 May 2018 14:53:37 GMT"),
      (
        1_526_655_217.123, "2018-05-18T14:53:37.123Z", "2018-05-18", "Fri, 18 May 2018 14:53:37 GMT"
      ),
      (
        1_526_655_217.1236, "2018-05-18T14:53:37.123600Z", "2018-05-18",
        "Fri, 18 May 2018 14:53:37 GMT"
      ),
      (-0.25, "1969-12-31T23:59:59.750Z", "1969-12-31", "Wed, 31 Dec 1969 23:59:59 GMT"),
      (951_782_400, "2000-02-29T00:00:00Z", "2000-02-29", "Tue, 29 Feb 2000 00:00:00 GMT"),
      (-62_167_219_200, "0000-01-01T00:00:00Z", "0000-01-01", "Sat, 01 Jan 0000 00:00:00 GMT"),
      (
        253_402_300_799, "9999-12-31T23:59:59Z", "9999-12-31", "Fri, 31 Dec 9999 23:59:59 GMT"
      ),
      (59.9996, "1970-01-01T00:00:59.999600Z", "1970-01-01", "Thu, 01 Jan 1970 00:00:59 GMT"),
      (59.9999999, "1970-01-01T00:00:59.9999999Z", "1970-01-01", "Thu, 01 Jan 1970 00:01:00 GMT"),
    ] as [(Double, String, String, String)])
  func `dates are written in all three formats`(
    _ seconds: Double, _ iso: String, _ date: String, _ rfc: String
  ) {
    #expect(text { DateText.writeISO8601(stored(seconds), into: &$0) } == iso)
    #expect(text { DateText.writeDateOnly(stored(seconds), into: &$0) } == date)
    #expect(text { DateText.writeRFC1123(stored(seconds), into: &$0) } == rfc)
  }

  @Test(arguments: [
    Double.nan, .infinity, -.infinity, 253_402_300_800, -62_167_219_200.5, 1e300, -1e300,
  ])
  func `a date without a four-digit year is not written`(_ seconds: Double) {
    #expect(text { DateText.writeISO8601(stored(seconds), into: &$0) } == nil)
    #expect(text { DateText.writeDateOnly(stored(seconds), into: &$0) } == nil)
    #expect(text { DateText.writeRFC1123(stored(seconds), into: &$0) } == nil)
    #expect(text { DateText.Pattern("yyyy")?.write(stored(seconds), into: &$0) ?? true } == nil)
  }

  @Test(arguments: [
    "2018-05-18T14:53:37.999999Z", "2018-05-18T14:53:37.000001Z", "1904-02-29T23:59:59.123456Z",
    "2018-05-18T14:53:37.120Z", "2345-05-18T14:53:37.123Z", "2018-05-18T14:53:37Z",
    "9999-12-31T23:59:59.999Z", "9000-01-01T00:00:00.001Z",
  ])
  func `microseconds are written if present, then milliseconds, and otherwise whole seconds`(
    _ date: String
  ) throws {
    let seconds = try #require(iso(date))
    let written = try #require(text { DateText.writeISO8601(stored(seconds), into: &$0) })
    #expect(iso(written) == seconds)
    // Before 2255, a Double distinguishes microseconds.
    if date < "2255" || date.count == 24 { #expect(written == date) }
  }

  @Test(arguments: ["yyyy X", "yyyy-MM-dd HHX", "Mdyyyy", "yyyyMMHmm", "d1yyyy"])
  func `a pattern whose output would not read back is invalid`(_ pattern: String) {
    #expect(DateText.Pattern(pattern) == nil)
  }

  // MARK: - RFC 1123

  @Test(arguments: [
    "Fri, 18 May 2018 14:53:37 GMT", "18 May 2018 14:53:37 GMT", "Fri, 18 May 2018 14:53:37 UTC",
    "Fri, 18 May 2018 14:53:37 +0000", "Fri, 18 May 2018 16:53:37 +0200",
    "Fri, 18 May 2018 09:53:37 -0500", "FRI, 18 MAY 2018 14:53:37 gmt",
  ])
  func `RFC 1123 dates are read`(_ text: String) {
    #expect(rfc(text) == 1_526_655_217)
  }

  @Test(
    arguments: [
      ("Tue, 1 May 2018 00:00:00 GMT", 1_525_132_800),
      ("Tue, 01 May 2018 00:00:00 GMT", 1_525_132_800),
      ("Sat, 31 Dec 2016 23:59:60 GMT", 1_483_228_800), ("29 Feb 2024 00:00:00 GMT", 1_709_164_800),
    ] as [(String, Double)])
  func `RFC 1123 edge cases are read`(_ text: String, _ seconds: Double) {
    #expect(rfc(text) == seconds)
  }

  @Test(arguments: [
    "", "Fri", "Fri, 18 May 2018 14:53:37", "Fri, 18 May 2018 14:53:37 ",
    "Thu, 18 May 2018 14:53:37 GMT", "Fry, 18 May 2018 14:53:37 GMT",
    "Friday, 18 May 2018 14:53:37 GMT", "Fri 18 May 2018 14:53:37 GMT",
    "Fri, 18 Mai 2018 14:53:37 GMT", "Fri, 18 May 18 14:53:37 GMT",
    "Fri, 18 May 2018 14:53 GMT", "Fri, 18 May 2018 24:00:00 GMT",
    "Fri, 30 Feb 2018 14:53:37 GMT", "Fri, 18 May 2018 14:53:37 CET",
    "Fri, 18 May 2018 14:53:37 Z", "Fri, 18 May 2018 14:53:37 GMT+1",
    "Fri, 018 May 2018 14:53:37 GMT", "Fri,18 May 2018 14:53:37 GMT",
    "Fri, 18-May-2018 14:53:37 GMT", "\u{6}ri, 18 May 2018 14:53:37 GMT",
  ])
  func `a string that is not an RFC 1123 date is rejected`(_ text: String) {
    #expect(rfc(text) == nil)
  }

  // MARK: - Patterns

  @Test(
    arguments: [
      ("yyyy-MM-dd", "2018-05-18", 1_526_601_600),
      ("dd.MM.yyyy", "18.05.2018", 1_526_601_600), ("d/M/yyyy", "18/5/2018", 1_526_601_600),
      ("d/M/yyyy", "1/12/2018", 1_543_622_400), ("yyyyMMdd", "20180518", 1_526_601_600),
      ("yyyy", "2018", 1_514_764_800), ("MMM d, yyyy", "May 18, 2018", 1_526_601_600),
      ("EEEE, d MMMM yyyy", "Friday, 18 May 2018", 1_526_601_600),
      ("EEE, dd MMM yyyy HH:mm:ss 'GMT'", "Fri, 18 May 2018 14:53:37 GMT", 1_526_655_217),
      ("yyyy-MM-dd HH:mm:ss", "2018-05-18 14:53:37", 1_526_655_217),
      ("yyyy-MM-dd'T'HH:mm:ss'Z'", "2018-05-18T14:53:37Z", 1_526_655_217),
      ("yyyy-MM-dd'T'HH:mm:ss.SSSZ", "2018-05-18T14:53:37.250+0000", 1_526_655_217.25),
      ("yyyy-MM-dd'T'HH:mm:ss.SSSSSSXXX", "2018-05-18T14:53:37.123456Z", 1_526_655_217.123456),
      (
        "yyyy-MM-dd'T'HH:mm:ss.SSSSSSSSSZZZZZ", "2018-05-18T14:53:37.123456000Z",
        1_526_655_217.123456
      ),
      ("yyyy-MM-dd'T'HH:mm:ss.SX", "2018-05-18T14:53:37.5Z", 1_526_655_217.5),
      ("yyyy-MM-dd HH:mm x", "2018-05-18 14:53 +00", 1_526_655_180),
      ("yyyy-MM-dd HH:mm xxx", "2018-05-18 14:53 +00:00", 1_526_655_180),
      ("yyyy 'o''clock' H''", "2018 o'clock 7'", 1_514_790_000),
      ("'é'yyyyж", "é2018ж", 1_514_764_800),
    ] as [(String, String, Double)])
  func `dates written with a pattern read back`(
    _ pattern: String, _ expected: String, _ seconds: Double
  )
    throws
  {
    let pattern = try #require(DateText.Pattern(pattern))
    #expect(text { pattern.write(stored(seconds), into: &$0) } == expected)
    #expect(parse(expected) { pattern.parse($0, $1) } == seconds)
    #expect(parse(expected + "x") { pattern.parse($0, $1) } == nil)
    #expect(parse(String(expected.dropLast())) { pattern.parse($0, $1) } == nil)
  }

  @Test(
    arguments: [
      ("yyyy-MM-dd'T'HH:mm:ssZ", "2018-05-18T16:53:37+02:00", 1_526_655_217),
      ("yyyy-MM-dd'T'HH:mm:ssXXX", "2018-05-18T16:53:37+0200", 1_526_655_217),
      ("yyyy-MM-dd'T'HH:mm:ssZ", "2018-05-18T14:53:37Z", 1_526_655_217),
      ("d MMM yyyy", "1 MAY 2018", 1_525_132_800), ("d MMM yyyy", "01 May 2018", 1_525_132_800),
      ("yyyy ss.SSSSSSS", "1970 01.1234565", 1.1234565),
      ("yyyy ss.SSSSSSS", "1970 01.1234564", 1.1234564),
      ("yyyy ss.SSSSSSSSS", "1970 01.123456499", 1.123456499), ("yyyy ss.SS", "1970 01.25", 1.25),
      ("yyyy-MM-dd", "2018-02-29", nil), ("yyyy-MM-dd", "2018-5-18", nil),
      ("yyyy-MM-dd", "18-05-18", nil), ("EEE yyyy-MM-dd", "Thu 2018-05-18", nil),
      ("EEE yyyy-MM-dd", "Day 2018-05-18", nil), ("yyyy HH", "2018 24", nil),
      ("yyyy ss.SSS", "1970 01.25", nil), ("yyyy ss.SSS", "1970 01.2500", nil),
      ("MMMM yyyy", "Sept 2018", nil), ("yyyy-MM-dd HH:mm Z", "2018-05-18 14:53 CET", nil),
      ("yyyy-MM-dd", "", nil),
    ] as [(String, String, Double?)])
  func `patterns permit other notations of zones, months and days but no other deviations`(
    _ pattern: String, _ text: String, _ seconds: Double?
  ) throws {
    let pattern = try #require(DateText.Pattern(pattern))
    #expect(parse(text) { pattern.parse($0, $1) } == seconds)
  }

  @Test(arguments: [
    "", "MM-dd", "HH:mm", "yyy-MM-dd", "y", "yyyyy", "YYYY-MM-dd", "yyyy-MM-ddTHH:mm", "yyyy hh",
    "yyyy a", "yyyy HH a", "yyyy HH hh a", "yyyy hh aa", "yyyy hhh a", "yy yyyy", "yyyy hha h",
    "yyyy 'open", "yyyy MM MM", "yyyy MMMMM", "yyyy ddd", "yyyy DDD", "yyyy z", "yyyy ZZZZ",
    "yyyy XXXX", "yyyy m", "yyyy s", "yyyy SSSSSSSSSS", "yyyy EEEEE", "yyyy Q", "yyyy HHH",
    "'yyyy'",
  ])
  func `an unsupported date pattern is rejected`(_ pattern: String) {
    #expect(DateText.Pattern(pattern) == nil)
  }

  // MARK: - Twelve hours, short years and time zones

  @Test(
    arguments: [
      ("yyyy-MM-dd hh:mm a", "2018-05-18 02:53 PM", 1_526_655_180),
      ("yyyy-MM-dd h:mm a", "2018-05-18 2:53 PM", 1_526_655_180),
      ("yyyy-MM-dd hh:mm a", "2018-05-18 12:05 AM", 1_526_601_900),
      ("yyyy-MM-dd hh:mm a", "2018-05-18 12:05 PM", 1_526_645_100),
      ("yyyy-MM-dd ha", "2018-05-18 11PM", 1_526_684_400),
      ("dd.MM.yy", "18.05.18", 1_526_601_600), ("yyMMdd", "690101", -31_536_000),
      ("yyMMdd", "681231", 3_124_137_600), ("yyMMdd", "700101", 0),
    ] as [(String, String, Double)])
  func `patterns have hours of half a day and years of two digits`(
    _ pattern: String, _ string: String, _ seconds: Double
  ) throws {
    let pattern = try #require(DateText.Pattern(pattern))
    #expect(parse(string) { pattern.parse($0, $1) } == seconds)
    #expect(parse(string.lowercased()) { pattern.parse($0, $1) } == seconds)
    #expect(text { pattern.write(stored(seconds), into: &$0) } == string)
  }

  @Test(arguments: [
    ("yyyy hh a", "2018 00 AM"), ("yyyy hh a", "2018 13 PM"), ("yyyy hh a", "2018 01 XM"),
    ("yy", "1"), ("yy", "2018"),
  ])
  func `hours and years outside of their ranges are refused`(
    _ pattern: String, _ text: String
  ) throws {
    let pattern = try #require(DateText.Pattern(pattern))
    #expect(parse(text) { pattern.parse($0, $1) } == nil)
  }

  @Test func `a year of two digits cannot represent years before 1969 and after 2068`() throws {
    let pattern = try #require(DateText.Pattern("yyMMdd"))
    for (seconds, isWritten) in [
      (-31_536_001.0, false), (-31_536_000, true), (3_124_223_999, true), (3_124_224_000, false),
    ] {
      #expect(pattern.canWrite(stored(seconds)) == isWritten)
      #expect((text { pattern.write(stored(seconds), into: &$0) } != nil) == isWritten)
    }
  }

  @Test(
    arguments: [
      ("2018-05-18 16:53", 1_526_655_180), ("2018-01-18 15:53", 1_516_287_180),
      // Clocks were set forward from 2 to 3 and back from 3 to 2.
      ("2018-03-25 01:59", 1_521_939_540), ("2018-03-25 03:00", 1_521_939_600),
      ("2018-10-28 02:30", 1_540_686_600), ("2018-10-28 03:00", 1_540_692_000),
    ] as [(String, Double)])
  func `a pattern without a zone is in its time zone`(
    _ string: String, _ seconds: Double
  ) throws {
    let zone = try #require(TimeZone(identifier: "Europe/Berlin"))
    let pattern = try #require(DateText.Pattern("yyyy-MM-dd HH:mm", in: zone))
    #expect(parse(string) { pattern.parse($0, $1) } == seconds)
    #expect(text { pattern.write(stored(seconds), into: &$0) } == string)
  }

  @Test(arguments: ["02:00", "02:30", "02:59"])
  func `a local time that clocks skip is refused`(_ time: String) throws {
    let zone = try #require(TimeZone(identifier: "Europe/Berlin"))
    let pattern = try #require(DateText.Pattern("yyyy-MM-dd HH:mm", in: zone))
    #expect(parse("2018-03-25 \(time)") { pattern.parse($0, $1) } == nil)
    #expect(DateText.Pattern("yyyy-MM-dd HH:mm Z", in: zone) == nil)
    #expect(DateText.Pattern("yyyy-MM-dd HH", in: zone) == nil)
  }

  @Test(
    arguments: [
      ("Europe/Berlin", "25/03/2018", 1_521_932_400),
      ("Europe/Berlin", "26/03/2018", 1_522_015_200),
      ("America/New_York", "01/01/2024", 1_704_085_200),
      // Clocks were set from 0 to 1.
      ("America/Sao_Paulo", "04/11/2018", 1_541_300_400),
      // They were set from 24 back to 23.
      ("America/Sao_Paulo", "18/02/2018", 1_518_922_800),
    ] as [(String, String, Double)])
  func `a day in a time zone is its beginning there`(
    _ identifier: String, _ string: String, _ seconds: Double
  ) throws {
    let zone = try #require(TimeZone(identifier: identifier))
    let pattern = try #require(DateText.Pattern("dd/MM/yyyy", in: zone))
    #expect(parse(string) { pattern.parse($0, $1) } == seconds)
    #expect(text { pattern.write(stored(seconds), into: &$0) } == string)
    #expect(text { pattern.write(stored(seconds + 80_000), into: &$0) } == string)
  }

  @Test func `a day that clocks skip is refused`() throws {
    let zone = try #require(TimeZone(identifier: "Pacific/Apia"))
    let pattern = try #require(DateText.Pattern("yyyy-MM-dd", in: zone))
    #expect(parse("2011-12-29") { pattern.parse($0, $1) } != nil)
    #expect(parse("2011-12-30") { pattern.parse($0, $1) } == nil)
    #expect(parse("2011-12-31") { pattern.parse($0, $1) } != nil)
  }

  @Test(arguments: ["Europe/Berlin", "America/St_Johns", "Australia/Lord_Howe", "Asia/Kathmandu"])
  func `local times agree with Foundation`(_ identifier: String) throws {
    let zone = try #require(TimeZone(identifier: identifier))
    let pattern = try #require(DateText.Pattern("yyyy-MM-dd HH:mm:ss", in: zone))
    let style = Date.VerbatimFormatStyle(
      format:
        "\(year: .defaultDigits)-\(month: .twoDigits)-\(day: .twoDigits) \(hour: .twoDigits(clock: .twentyFourHour, hourCycle: .zeroBased)):\(minute: .twoDigits):\(second: .twoDigits)",
      timeZone: zone, calendar: Calendar(identifier: .gregorian))
    var random = SeededRandom(seed: 7)
    for _ in 0..<500 {
      let seconds = Double(random.below(2_000_000_000))
      let date = Date(timeIntervalSince1970: seconds)
      let string = date.formatted(style)
      #expect(text { pattern.write(stored(seconds), into: &$0) } == string)
      let read = try #require(parse(string) { pattern.parse($0, $1) })
      // The second of two equal local times is read as the first.
      #expect(read == seconds || Date(timeIntervalSince1970: read).formatted(style) == string)
    }
  }

  // MARK: - Comparison with models

  @Test func `calendar dates and weekdays agree with Foundation`() {
    var calendar = Calendar(identifier: .iso8601)
    calendar.timeZone = .gmt
    for day in stride(from: -40_000, through: 60_000, by: 7) {
      let date = CivilTime.date(ofDay: day)
      let found = calendar.dateComponents(
        [.year, .month, .day, .weekday], from: Date(timeIntervalSince1970: Double(day) * 86_400))
      #expect(date.year == found.year && date.month == found.month && date.day == found.day)
      var time = CivilTime()
      (time.year, time.month, time.day) = date
      #expect(time.weekday + 1 == found.weekday)
    }
  }

  @Test func `the days of 10,000 years are consecutive`() {
    var expected = CivilTime.day(year: 0, month: 1, day: 1)
    for year in 0...9999 {
      for month in 1...12 {
        let count = CivilTime.dayCount(year: year, month: month)
        let first = CivilTime.day(year: year, month: month, day: 1)
        let last = CivilTime.day(year: year, month: month, day: count)
        if first != expected || last != expected + count - 1 { Issue.record("\(year)-\(month)") }
        if CivilTime.date(ofDay: first) != (year, month, 1) { Issue.record("\(year)-\(month)-1") }
        if CivilTime.date(ofDay: last) != (year, month, count) { Issue.record("\(year)-\(month)") }
        expected += count
      }
    }
    #expect(expected == 2_932_897)
  }

  @Test func `ISO 8601 dates agree with the output of ISO8601FormatStyle`() throws {
    var state: UInt64 = 42
    for _ in 0..<2000 {
      state = state &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
      let seconds = Double(state >> 32)
      let date = Date(timeIntervalSince1970: seconds)
      let foundation = date.formatted(.iso8601)
      #expect(iso(foundation) == seconds)
      let own = try #require(text { DateText.writeISO8601(stored(seconds), into: &$0) })
      #expect(own == foundation)
    }
  }

  @Test func `100,000 random dates round-trip to the microsecond`() throws {
    let micro = try #require(DateText.Pattern("yyyy-MM-dd'T'HH:mm:ss.SSSSSSXXX"))
    var state: UInt64 = 7
    func next() -> UInt64 {
      state = state &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
      return state >> 11
    }
    var wrong = 0
    for _ in 0..<100_000 {
      // Until 2255, every microsecond has a distinct Double.
      let range = 253_402_300_800_000_000 + 62_167_219_200_000_000 as UInt64
      let far = Int(next() &* 4096 % range) - 62_167_219_200_000_000
      let near = Int(next() % 9_007_199_254_740_000)
      for (microseconds, unit) in [(near, 1), (far / 1000 * 1000, 1000)] {
        let seconds = nearest(microseconds: microseconds)
        let written = text { bytes in
          unit == 1
            ? micro.write(stored(seconds), into: &bytes)
            : DateText.writeISO8601(stored(seconds), into: &bytes)
        }
        if written.flatMap({ iso($0) }) != seconds { wrong += 1 }
        let rfc = text { DateText.writeRFC1123(stored(seconds.rounded(.down)), into: &$0) }
        if rfc.flatMap({ self.rfc($0) }) != seconds.rounded(.down) { wrong += 1 }
      }
    }
    #expect(wrong == 0)
  }

  @Test func `seconds are the nearest Double even in distant years`() {
    var state: UInt64 = 11
    for _ in 0..<20_000 {
      state = state &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
      let microseconds = Int(state % 253_402_300_800_000_000)
      let fraction = String(microseconds % 1_000_000 + 1_000_000).dropFirst()
      let expected = Double("\(microseconds / 1_000_000).\(fraction)")
      #expect(nearest(microseconds: microseconds) == expected)
      #expect(nearest(microseconds: -microseconds) == expected.map { -$0 })
    }
  }
}

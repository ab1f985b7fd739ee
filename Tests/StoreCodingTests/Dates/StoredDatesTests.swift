import Foundation
import ObjectStore
import StoreCoding
import TestSupport
import Testing

private final class Moments: Object {
  @Persisted(primaryKey: true) var id: Int
  @Persisted(.date(.format("yyyy-MM-dd HH:mm:ss.SSSSSS"))) var text: Date?
  @Persisted(.date(.unixSeconds)) var seconds: Date?
  @Persisted(.date(.unixMilliseconds)) var milliseconds: Date?
  @Persisted var iso: Date?
}

@Suite struct `Dates in the store` {
  /// One date in every format.
  @Test(
    arguments: [
      ("2001-01-01 00:00:00.123456", "978307200.123456", "978307200123.456"),
      ("2000-12-31 23:59:59.999999", "978307199.999999", "978307199999.999"),
      ("2018-05-18 14:53:37.100001", "1526655217.100001", "1526655217100.001"),
      ("1973-03-03 09:46:40.123456", "100000000.123456", "100000000123.456"),
      ("1970-01-01 00:00:00.100000", "0.1", "100"),
      ("1969-12-31 23:59:59.750000", "-0.25", "-250"),
      ("2200-01-01 00:00:00.333333", "7258118400.333333", "7258118400333.333"),
      ("2018-05-18 14:53:37.000000", "1526655217", "1526655217000"),
    ] as [(String, String, String)])
  func `decoded dates equal those that Foundation creates and are written unchanged`(
    _ text: String, _ seconds: String, _ milliseconds: String
  ) throws {
    let coder = try makeCoder()
    let iso = text.replacing(" ", with: "T") + "Z"
    let json = """
      {"id":1,"text":"\(text)","seconds":\(seconds),"milliseconds":\(milliseconds)}
      """
    let moments = try coder.decode(Moments.self, json)
    try coder.decode(Moments.self, #"{"id":1,"iso":"\#(iso)"}"#)
    for date in [moments.text, moments.seconds, moments.milliseconds, moments.iso] {
      #expect(date == Double(seconds).map { Date(timeIntervalSince1970: $0) })
    }
    try coder.store.write { moments.iso = nil }
    #expect(try coder.text(moments) == json)
    let version = coder.store.version
    try coder.decode(Moments.self, json)
    #expect(coder.store.version == version)
  }

  @Test func `an update dictionary has the date that decoding would store`() throws {
    let coder = try makeCoder()
    let json = #"{"id":1,"seconds":978307200.123456}"#
    let update = try coder.updateDictionary(for: Moments.self, from: Data(json.utf8))
    #expect(update["seconds"] == .date(Date(timeIntervalSince1970: 978_307_200.123456)))
  }

  @Test(arguments: ["1e300", "-1e300", "1e18"])
  func `a number beyond the range of dates is stored as the nearest Double`(_ number: String) throws
  {
    let coder = try makeCoder()
    let moments = try coder.decode(Moments.self, #"{"id":1,"seconds":\#(number)}"#)
    #expect(moments.seconds?.timeIntervalSince1970 == Double(number))
  }
}

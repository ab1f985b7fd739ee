import Foundation
import ObjectStore
import StoreCoding
import TestSupport
import Testing

private final class Departure: Object {
  @Persisted(primaryKey: true) var id: Int
  @Persisted(.date(.date, .iso8601)) var day: Date?
  @Persisted(.date(.rfc1123, .unixSeconds)) var header: Date?
  @Persisted(.date("dd/MM/yyyy", .iso8601)) var pattern: Date?
  @Persisted(.date("dd/MM/yyyy", "MM/dd/yyyy HH:mm")) var minute: Date?
  @Persisted(.date(.date, .unixMilliseconds, .unixSeconds)) var number: Date?
  @Persisted(.date(.iso8601, .unixSeconds)) var far: Date?
  @Persisted(.date("HH:mm:ss yyyy", "HH:mm:ss yyyy-MM", .rfc1123)) var clock: Date?
  @Persisted(.date(.date, .iso8601)) var stops: List<Date>
}

@Suite struct `Several date formats` {
  @Test(arguments: [
    // Dates that the first format represents exactly.
    #""day":"2018-05-18""#, #""header":"Fri, 18 May 2018 14:53:37 GMT""#,
    #""pattern":"18/05/2018""#, #""far":"2018-05-18T14:53:37Z""#,
    // Dates that it does not.
    #""day":"2018-05-18T14:53:37Z""#, #""day":"2018-05-18T00:00:00.100Z""#,
    #""header":1526655217.25"#, #""pattern":"2018-05-18T14:53:37.123456Z""#,
    #""minute":"05/18/2018 14:53""#, #""number":1526655217123"#, #""far":1000000000000"#,
    #""clock":"Fri, 18 May 2018 14:53:37 GMT""#, #""clock":"14:53:37 2018-05""#,
  ])
  func `a date is written in the first format that reads back as the same date`(member: String)
    throws
  {
    let coder = try makeCoder()
    let json = #"{"id":1,\#(member),"stops":["2018-05-18","2018-05-18T14:53:37Z"]}"#
    let object = try coder.decode(Departure.self, json)
    #expect(try coder.text(object) == json)
    let version = coder.store.version
    try coder.decode(Departure.self, from: coder.encode(object))
    #expect(coder.store.version == version)
  }

  @Test func `a date that every format would round is written in the first`() throws {
    let departure = Departure()
    departure.minute = Date(timeIntervalSince1970: 1_526_655_217.5)
    #expect(try makeCoder().text(departure) == #"{"id":0,"minute":"18/05/2018","stops":[]}"#)
  }

  @Test func `a date that no format can represent is out of range`() throws {
    let departure = Departure()
    departure.day = .distantFuture + 1e12
    #expect(
      message { _ = try makeCoder().encode(departure) }
        == "day (Departure.day): the moment 1064092211200.0 seconds since 1970 is outside the "
        + "range of a date (yyyy-MM-dd, ISO 8601)")
  }
}

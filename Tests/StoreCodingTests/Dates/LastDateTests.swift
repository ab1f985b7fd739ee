import Foundation
import ObjectStore
import StoreCoding
import TestSupport
import Testing

private final class Offer: Object {
  @Persisted(primaryKey: true) var id: Int
  @Persisted var until: Date?
  @Persisted(.date(.format("yyyy-MM-dd HH:mm:ss.SSSSSSS"))) var pattern: Date?
  @Persisted(.date(.iso8601, .unixSeconds)) var several: Date?
}

@Suite struct `The last second of the year 9999` {
  /// The last `Date` before the year 10000.
  private let last = Date(timeIntervalSinceReferenceDate: 252_423_993_600.0.nextDown)

  @Test(arguments: [
    "59.99999Z", "59.999999Z", "59.9999999Z", "59.999999999Z", "59.99999999999Z",
    "59.9999999+00:00",
  ])
  func `a fraction that would round into the year 10000 is the last date before it`(
    _ end: String
  ) throws {
    let coder = try makeCoder()
    let offer = try coder.decode(
      Offer.self,
      #"{"id":1,"until":"9999-12-31T23:59:\#(end)","several":"9999-12-31T23:59:\#(end)"}"#)
    #expect(offer.until == last)
    #expect(offer.several == last)
    let version = coder.store.version
    try coder.decode(Offer.self, try coder.text(offer))
    #expect(coder.store.version == version)
  }

  @Test func `a pattern with a fraction reads the last date and writes it back`() throws {
    let coder = try makeCoder()
    let offer = try coder.decode(Offer.self, #"{"id":1,"pattern":"9999-12-31 23:59:59.9999999"}"#)
    #expect(offer.pattern == last)
    #expect(try coder.text(offer) == #"{"id":1,"pattern":"9999-12-31 23:59:59.9999700"}"#)
  }

  @Test(arguments: ["9999-12-31T23:59:60Z", "9999-12-31T23:59:59.9-00:01"])
  func `a time in the year 10000 is refused`(_ text: String) throws {
    let coder = try makeCoder()
    #expect(kind { try coder.decode(Offer.self, #"{"id":1,"until":"\#(text)"}"#) } == .outOfRange)
  }
}

import Foundation
import StoreTesting
import TestSupport
import Testing

@Suite struct `Mapping tests with compound keys` {
  @Test func `a class with a compound key passes the check, list and round-trip expectations`()
    throws
  {
    let mapping = MappingTest(Rating.self)
    try mapping.check()
    let list = Data(
      #"""
      [{"userID":7,"restaurantID":"a|b","stars":5},{"userID":7,"restaurantID":"a","stars":1}]
      """#.utf8)
    #expect(try mapping.expectSound(list: list) == 2)
    try mapping.expectRoundTrip(Data(#"{"userID":7,"restaurantID":"a|b","stars":5}"#.utf8))
  }
}

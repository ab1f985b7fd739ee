import Foundation
import ObjectStore
import StoreCoding
import TestSupport
import Testing

@Suite struct `Flexible dates` {
  final class Stamps: Object {
    @Persisted(primaryKey: true) var id: Int
    @Persisted(.date(.unixSeconds), .flexible) var seconds: Date?
    @Persisted(.date(.unixMilliseconds), .flexible) var milliseconds: Date?
    @Persisted(.date("yyyyMMdd"), .flexible) var day: Date?
    @Persisted(.date("yyyyMMdd", .unixSeconds), .flexible) var both: Date?
    @Persisted(.date(.unixMilliseconds), .flexible) var list: List<Date>
    @Persisted(.date(.unixSeconds)) var plain: Date?
    @Persisted(.date("yyyyMMdd")) var plainDay: Date?
  }

  @Test(arguments: [
    (#""seconds":"1512085950.000216""#, #""seconds":1512085950.000216"#),
    (#""seconds":"-1.5""#, #""seconds":-1.5"#), (#""seconds":"1e9""#, #""seconds":1e9"#),
    (#""milliseconds":"1526655217123""#, #""milliseconds":1526655217123"#),
    (#""milliseconds":"1526655217123.25""#, #""milliseconds":1526655217123.25"#),
    (#""day":20200203"#, #""day":"20200203""#), (#""day":"20200203""#, #""day":"20200203""#),
    (#""both":"20200203""#, #""day":20200203"#), (#""both":20200203"#, #""seconds":20200203"#),
    (#""both":"1512085950.5""#, #""seconds":1512085950.5"#),
    (#""list":["1",2]"#, #""list":[1,2]"#),
  ])
  func `a flexible date equals the same date in its regular form`(
    flexible: String, plain: String
  ) throws {
    let coder = try makeCoder()
    func dates(_ members: String) throws -> [Date] {
      try coder.store.write { coder.store.deleteAll() }
      let object = try coder.decode(Stamps.self, "{\"id\":1,\(members)}")
      return [object.seconds, object.milliseconds, object.day, object.both].compactMap(\.self)
        + object.list
    }
    let found = try dates(flexible)
    #expect(try found == dates(plain))
    #expect(!found.isEmpty)
  }

  @Test(arguments: [
    (
      #""seconds":"soon""#,
      #"seconds (Stamps.seconds, id 1): expected a date (seconds since 1970), found string "soon""#
    ),
    (
      #""seconds":"1 2""#,
      #"seconds (Stamps.seconds, id 1): expected a date (seconds since 1970), found string "1 2""#
    ),
    (
      #""seconds":true"#,
      "seconds (Stamps.seconds, id 1): expected a date (seconds since 1970), found true"
    ),
    (
      #""day":20201303"#,
      "day (Stamps.day, id 1): expected a date (yyyyMMdd), found number 20201303"
    ),
    (#""day":2020.5"#, "day (Stamps.day, id 1): expected a date (yyyyMMdd), found number 2020.5"),
    (
      #""plain":"1""#,
      #"plain (Stamps.plain, id 1): expected a date (seconds since 1970), found string "1""#
    ),
    (
      #""plainDay":20200203"#,
      "plainDay (Stamps.plainDay, id 1): expected a date (yyyyMMdd), found number 20200203"
    ),
  ])
  func `a value in none of the forms of a date throws an error`(members: String, text: String)
    throws
  {
    let found = message { try makeCoder().decode(Stamps.self, "{\"id\":1,\(members)}") }
    #expect(found.hasPrefix(text + " at line 1, column "), "\(found)")
  }
}

import Foundation
import ObjectStore
import StoreCoding
import TestSupport
import Testing

/// Classes with compound keys; the JSON of a `Seat` also contains its key.
private enum Keyed {
  final class Seat: Object {
    @Persisted(primaryKey: true) var id: String
    @Persisted(json: "place.row") var row: Int
    @Persisted var number: UInt16
    @Persisted var taken = false
    @Persisted var neighbours: List<Seat>

    override class var compoundKey: [String] { ["row", "number"] }
    override class var codableKeys: [String: String] { ["id": "seat_id"] }
  }

  final class Ticket: Object {
    @Persisted(primaryKey: true) var id: Int
    @Persisted(json: "seat_id", .byKey) var seat: Seat?
  }

  /// A class whose key parts have a fallback.
  final class Course: Object {
    @Persisted(primaryKey: true) var id: String
    @Persisted(.unknown(.dinner)) var meal: Meal
    @Persisted(.unknown(.aisle)) var side: Side
    @Persisted var dish = ""

    override class var compoundKey: [String] { ["meal", "side"] }
  }

  enum Side: Int8, PersistableEnum {
    case window, aisle
  }
}

@Suite struct `Compound keys in JSON` {
  let coder: StoreCoder

  init() throws {
    coder = try makeCoder()
  }

  private func rating(_ userID: Int, _ restaurantID: String) -> Rating? {
    coder.store.object(ofType: Rating.self, forPrimaryKey: CompoundKey(userID, restaurantID))
  }

  @Test func `payloads with equal key parts update the same object`() throws {
    let first = try coder.decode(
      Rating.self, #"{"stars":5,"restaurantID":"cafe","note":"good","userID":7}"#)
    #expect(first.id == "7|cafe" && first.stars == 5)
    let again = try coder.decodeArray(
      Rating.self,
      #"""
      [{"userID":7,"restaurantID":"cafe","note":null},{"userID":7,"restaurantID":"a|b"},
       {"userID":7,"restaurantID":"cafe","stars":1}]
      """#)
    #expect(again.map(\.id) == ["7|cafe", #"7|a\|b"#, "7|cafe"])
    #expect(again[0] == first && first.stars == 1 && first.note == nil)
    #expect(again[1].stars == 3)
    #expect(coder.store.objects(Rating.self).count == 2)
    // The name of the key attribute is not a key of the JSON.
    let other = try coder.decode(Rating.self, #"{"id":9,"userID":1,"restaurantID":"x"}"#)
    #expect(other.id == "1|x")
  }

  @Test func `nested objects with key parts are found or created`() throws {
    try coder.decode(
      RatingReport.self,
      #"""
      {"id":1,"rating":{"userID":7,"restaurantID":"cafe"},
       "others":[{"userID":7,"restaurantID":"cafe","stars":4},{"userID":8,"restaurantID":"cafe"}]}
      """#)
    let report = coder.store.object(ofType: RatingReport.self, forPrimaryKey: 1)
    #expect(report?.rating == rating(7, "cafe") && report?.rating?.stars == 4)
    #expect(report?.others.map(\.id) == ["7|cafe", "8|cafe"])
  }

  @Test(arguments: [
    (
      #"{"userID":7,"stars":1}"#,
      "(Rating.restaurantID): no value for the primary key 'restaurantID', "
        + "found the keys 'userID', 'stars'"
    ),
    (
      #"{"restaurantID":"a"}"#,
      "(Rating.userID): no value for the primary key 'userID', found the key 'restaurantID'"
    ),
  ])
  func `a missing key part throws an error with its path`(json: String, text: String) throws {
    #expect(
      message { try coder.decode(Rating.self, json) } == "\(text) at line 1, column 1")
    #expect(
      message {
        try coder.decodeArray(Rating.self, "[{\"userID\":1,\"restaurantID\":\"x\"},\n \(json)]")
      }
        == "[1] \(text) at line 2, column 2")
    #expect(
      message { try coder.decode(RatingReport.self, #"{"id":1,"rating":\#(json)}"#) }
        == "rating \(text) at line 1, column 18")
    #expect(coder.store.version == 0)
  }

  @Test(arguments: [AttributePolicy.Mismatches.useDefault, .skipAttribute])
  func `no policy replaces a bad key part`(policy: AttributePolicy.Mismatches) throws {
    let coder = try makeCoder { $0.mismatches = policy }
    #expect(
      message { try coder.decode(Rating.self, #"{"userID":"x","restaurantID":"a"}"#) }
        == "userID (Rating.userID): no value for the primary key 'userID', found string \"x\" "
        + "at line 1, column 11")
    let nulls = try makeCoder { $0.nulls = .default }
    #expect(
      message { try nulls.decode(Rating.self, #"{"userID":null,"restaurantID":"a"}"#) }
        == "userID (Rating.userID): no value for the primary key 'userID', found null "
        + "at line 1, column 11")
    #expect(coder.store.version == 0)
  }

  @Test(arguments: [AttributePolicy.Mismatches.throw, .useDefault, .skipAttribute])
  func `an unknown enum case in a key is not replaced by the fallback`(
    policy: AttributePolicy.Mismatches
  )
    throws
  {
    let coder = try makeCoder { $0.mismatches = policy }
    #expect(
      message {
        try coder.decodeArray(
          Keyed.Course.self,
          #"[{"meal":"brunch","side":0,"dish":"a"},{"meal":"tea","side":0,"dish":"b"}]"#)
      }
        == "[0].meal (Course.meal): no value for the primary key 'meal', found string \"brunch\" "
        + "at line 1, column 10")
    #expect(
      message { try coder.decode(Keyed.Course.self, #"{"meal":"lunch","side":7}"#) }
        == "side (Course.side): no value for the primary key 'side', found number 7 "
        + "at line 1, column 24")
    #expect(
      message { try coder.decode(Keyed.Course.self, #"{"meal":"lunch","side":700}"#) }
        == "side (Course.side): no value for the primary key 'side', found number 700 "
        + "at line 1, column 24")
    #expect(coder.store.version == 0)
  }

  @Test func `an element whose key is an unknown enum case is skipped`() throws {
    let coder = try makeCoder { $0.mismatches = .skipElement }
    let result = try coder.read(
      [Keyed.Course].self,
      from: Data(
        #"[{"meal":"tea","side":0},{"meal":"lunch","side":1},{"meal":"x","side":1}]"#.utf8))
    #expect(result.objects.map(\.id) == ["lunch|1"] && result.issues.count == 2)
    #expect(coder.store.objects(Keyed.Course.self).count == 1)
  }

  @Test func `a compound key of 16 MiB throws an error that skipElement skips`() throws {
    let large = String(repeating: "a", count: 16 << 20 - 2)
    let json = #"[{"userID":7,"restaurantID":"cafe"},{"userID":8,"restaurantID":"\#(large)"}]"#
    let text =
      "[1] (Rating.id, userID 8, restaurantID \"\(large.prefix(39))…\"): "
      + "a value of 16 MiB or more is outside the range of String at line 1, column 37"
    let strict = message { try coder.decodeArray(Rating.self, json) }
    #expect(strict == text)
    let lenient = try makeCoder { $0.mismatches = .skipElement }
    let result = try lenient.read([Rating].self, from: Data(json.utf8))
    #expect(result.objects.map(\.id) == ["7|cafe"])
    #expect(result.issues.map { "\($0)" } == [text])
    try lenient.decode(
      RatingReport.self,
      #"{"id":1,"rating":{"userID":8,"restaurantID":"\#(large.dropLast())"}}"#)
    #expect(lenient.store.objects(Rating.self).count == 2)
  }

  @Test func `an error names its object by the key parts`() throws {
    #expect(
      message {
        try coder.decodeArray(
          Rating.self, #"[{"userID":7,"restaurantID":"cafe","stars":"five"}]"#)
      }.contains(#"userID 7, restaurantID "cafe""#))
  }

  @Test func `a compound key in the JSON must match its parts`() throws {
    let seat = try coder.decode(
      Keyed.Seat.self, #"{"seat_id":"3|12","place":{"row":3},"number":12}"#)
    #expect(seat.id == "3|12")
    #expect(try coder.decode(Keyed.Seat.self, #"{"number":12,"place":{"row":3}}"#) == seat)
    #expect(
      message {
        try coder.decode(Keyed.Seat.self, #"{"seat_id":"3-12","place":{"row":3},"number":12}"#)
      }
        == #"(Seat.id, place.row 3, number 12): expected "3|12", made of row, number, found String "3-12" "#
        + "at line 1, column 1")
    #expect(
      message { try coder.decode(Keyed.Seat.self, #"{"seat_id":"3|12","number":12}"#) }
        == "(Seat.row): no value for the primary key 'place.row', found the keys 'seat_id', "
        + "'number' at line 1, column 1")
    #expect(
      try coder.encode(seat).text
        == #"{"seat_id":"3|12","place":{"row":3},"number":12}"#)
  }

  @Test func `a compound key with a JSON name is written as computed from its parts`()
    throws
  {
    let seat = Keyed.Seat()
    seat.row = 3
    seat.number = 12
    seat.id = "stale"
    let neighbour = Keyed.Seat()
    neighbour.row = 4
    seat.neighbours.append(neighbour)
    let body = try coder.encode(seat)
    #expect(
      body.text
        == #"{"seat_id":"3|12","place":{"row":3},"number":12,"taken":false,"neighbours":["#
        + #"{"seat_id":"4|0","place":{"row":4},"number":0,"taken":false,"neighbours":[]}]}"#)
    #expect(try coder.decode(Keyed.Seat.self, from: body).neighbours.map(\.id) == ["4|0"])
  }

  @Test func `an object that is written once is represented elsewhere by its key parts`() throws {
    let coder = try makeCoder { $0.writesEachObjectOnce = true }
    let report = try coder.decode(
      RatingReport.self,
      #"{"id":1,"rating":{"userID":7,"restaurantID":"a","stars":3},"others":[{"userID":7,"restaurantID":"a"}]}"#
    )
    #expect(
      try coder.encode(report).text
        == #"{"id":1,"rating":{"userID":7,"restaurantID":"a","stars":3},"#
        + #""others":[{"userID":7,"restaurantID":"a"}]}"#)
  }

  @Test func `the byKey option is rejected for a link to a class with a compound key`() {
    #expect(
      message { try coder.check(Keyed.Ticket.self) }
        == "Ticket.seat: 'byKey' needs a primary key of one attribute, but that of Seat is made of "
        + "row, number")
  }

  @Test func `a compound key without a JSON name is not written`() throws {
    let json = #"{"userID":7,"restaurantID":"cafe","stars":5,"note":"good"}"#
    let rating = try coder.decode(Rating.self, json)
    #expect(try coder.encode(rating).text == json)
    #expect(try coder.encode(Rating(7, "x")).text == #"{"userID":7,"restaurantID":"x","stars":3}"#)
    let frozen = rating.frozen()
    #expect(try coder.encode(frozen).text == json)
    try coder.store.rekey(rating, in: CompoundKey(8, "cafe"))
    #expect(
      try coder.encode(rating).text
        == #"{"userID":8,"restaurantID":"cafe","stars":5,"note":"good"}"#)
  }

  @Test func `update dictionaries contain the key parts but not the compound key`() throws {
    var update = try coder.updateDictionary(
      for: Rating.self, from: Data(#"{"userID":7,"restaurantID":"cafe","stars":1}"#.utf8))
    #expect(update.keys == ["userID", "restaurantID", "stars"])
    try coder.store.write { try coder.store.create(Rating.self, value: update) }
    #expect(rating(7, "cafe")?.stars == 1)
    update["restaurantID"] = "bar"
    try coder.store.write { try coder.store.create(Rating.self, value: update) }
    #expect(rating(7, "bar")?.stars == 1)
  }

  @Test func `the explanation of a mapping shows the parts of a compound key`() throws {
    #expect(
      coder.explain(Rating.self) == """
        Rating
        attribute     JSON path     type     options                  declared by
        id            –             String   primary key              Rating.compoundKey
        userID        userID        Int      part of the primary key  name
        restaurantID  restaurantID  String   part of the primary key  name
        stars         stars         Int                               name
        note          note          String?                           name
        """)
    try coder.check(Rating.self)
  }
}

extension Store {
  fileprivate func rekey(_ rating: Rating, in key: CompoundKey) throws {
    try write { try rekey(rating, to: key) }
  }
}

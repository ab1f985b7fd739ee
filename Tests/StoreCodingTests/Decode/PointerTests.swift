import Foundation
import ObjectStore
import StoreCoding
import TestSupport
import Testing

/// An array of a payload replaces the stored one, so attributes at pointers into it do not keep former values.
@Suite struct `Pointers into arrays` {
  final class Tag: Object {
    @Persisted(primaryKey: true) var id: Int
    @Persisted(json: "/p/0") var first: Int?
  }

  final class Spot: EmbeddedObject {
    @Persisted(json: "/at/0") var x: Int? = 8
    @Persisted(json: "/at/1") var y = 9
  }

  final class Place: Object {
    @Persisted(primaryKey: true) var id: Int
    @Persisted(json: "/a/0/int") var int = 7
    @Persisted(json: "/a/0/optional") var optional: Int? = 5
    @Persisted(json: "/a/0/date") var date: Date?
    @Persisted(json: "/a/0/json") var json: JSONValue = 1
    @Persisted(json: "/a/0/skips", .null(.skip)) var skips: Int?
    @Persisted(json: "/a/0/fails", .null(.fail)) var fails: Int?
    @Persisted(json: "/a/0/spot") var spot: Spot?
    @Persisted(json: "/a/0/link") var link: Tag?
    @Persisted(json: "/a/0/key", .byKey) var key: Tag?
    @Persisted(json: "/a/0/list") var list: List<Int>
    @Persisted(json: "/a/0/set") var set: MutableSet<Int>
    @Persisted(json: "/a/0/keys", .byKey) var keys: List<Tag>
    @Persisted(json: "/a/0/map") var map: Map<String, Int>
    @Persisted(json: "/a/0/in/deep/1/text") var text: String?
  }

  final class Point: Object {
    @Persisted(primaryKey: true) var id: Int
    @Persisted(json: "/at/0") var x = 1
    @Persisted(json: "/at/1") var y = 2
    @Persisted(json: "/at/2") var z: Int?
    @Persisted(json: "/at/3") var ignored: Int?
    override class var codableIgnoredAttributes: [String] { ["ignored"] }
  }

  final class Name: Object {
    @Persisted(primaryKey: true) var id: Int
    @Persisted(json: "/names/0", .aliases("first")) var first: String?
    @Persisted(json: "last", .aliases("/names/1")) var last: String?
  }

  final class Keyed: Object {
    @Persisted(primaryKey: true, json: "/key/0") var id: Int
    @Persisted(json: "/key/1") var note: Int?
  }

  private let coder: StoreCoder

  init() throws { coder = try makeCoder() }

  private static let full = #"""
    {"id":1,"a":[{"int":1,"optional":2,"date":"2018-05-18T14:53:37Z","json":{},"skips":3,"fails":4,"spot":{"at":[1,2]},
     "link":{"id":1},"key":2,"list":[1],"set":[1],"keys":[1],"map":{"a":1},"in":{"deep":[0,{"text":"t"}]}}]}
    """#

  @Test(arguments: [
    (#"[]"#, #"{"id":1}"#), (#"[{}]"#, #"{"id":1}"#), (#"[{"in":{}}]"#, #"{"id":1}"#),
    (#"[{"in":{"deep":[]},"other":1}]"#, #"{"id":1}"#),
    (#"[{"in":{"deep":[0,{}]}}]"#, #"{"id":1}"#),
    (
      #"[{"in":{"deep":[1,{"text":"new"}]},"link":{"id":3},"int":2,"optional":4}]"#,
      #"{"id":1,"a":[{"int":2,"optional":4,"link":{"id":3},"in":{"deep":[null,{"text":"new"}]}}]}"#
    ),
    (#"[{"spot":{"at":[3]}}]"#, #"{"id":1,"a":[{"spot":{"at":[3]}}]}"#),
    (#"[{"spot":{"at":[]}}]"#, #"{"id":1,"a":[{"spot":{}}]}"#),
  ])
  func `an attribute that the array of a payload lacks has no value, whatever its type`(
    array: String, body: String
  ) throws {
    try coder.decode(Place.self, Self.full)
    let payload = #"{"id":1,"a":\#(array)}"#
    #expect(try coder.text(coder.decode(Place.self, payload)) == body)
    for text in [payload, body] {
      try expectNoVersion(in: coder.store) { try coder.decode(Place.self, text) }
    }
    #expect(try coder.text(makeCoder().decode(Place.self, payload)) == body)
  }

  @Test(arguments: [#"{"id":1}"#, #"{"id":1,"a":{}}"#, #"{"id":1,"a":{"0":{}}}"#])
  func `attributes are unchanged if the payload has no array`(payload: String) throws {
    let body = try coder.text(coder.decode(Place.self, Self.full))
    try expectNoVersion(in: coder.store) { try coder.decode(Place.self, payload) }
    #expect(try coder.text(coder.decode(Place.self, payload)) == body)
  }

  @Test(arguments: [
    ("[8,9,7,6]", "[8,9,7]"), ("[8,9]", "[8,9]"), ("[8]", "[8]"),
    ("[8,9,null]", "[8,9]"), (#"{"2":5}"#, "[3,4,5]"),
  ])
  func `a shorter array leaves no position of a longer one`(array: String, body: String) throws {
    let point = try coder.decode(Point.self, #"{"id":1,"at":[3,4,6,7]}"#)
    try coder.decode(Point.self, #"{"id":1,"at":\#(array)}"#)
    #expect(try coder.text(point) == #"{"id":1,"at":\#(body)}"#)
  }

  @Test func `an array that lacks an attribute that is never encoded does not change it`() throws {
    let point = try coder.decode(Point.self, #"{"id":1,"at":[3,4,6,7]}"#)
    try expectNoVersion(in: coder.store) { try coder.decode(Point.self, coder.text(point)) }
    #expect(point.ignored == 7)
  }

  @Test(arguments: [
    (#""names":[]"#, nil, nil), (#""names":["A"]"#, "A", nil),
    (#""names":[],"first":"B""#, "B", nil), (#""first":"B","names":[]"#, "B", nil),
    (#""names":[],"last":"C""#, nil, "C"), (#""last":"C","names":["A"]"#, "A", "C"),
    (#""names":[],"names":["A","D"]"#, "A", "D"), (#""names":["A","D"],"names":[]"#, nil, nil),
    (#""first":"B""#, "B", "b"),
  ])
  func `an array lacks an attribute with aliases only if none of its paths is present`(
    members: String, first: String?, last: String?
  ) throws {
    let name = try coder.decode(Name.self, #"{"id":1,"names":["a","b"]}"#)
    try coder.decode(Name.self, "{\"id\":1,\(members)}")
    #expect((name.first, name.last) == (first, last))
  }

  @Test func `a key that an array lacks is not replaced by a default`() throws {
    let keyed = try coder.decode(Keyed.self, #"{"key":[1,2]}"#)
    try coder.decode(Keyed.self, #"{"key":[1]}"#)
    #expect(keyed.note == nil)
    #expect(
      message { try coder.decode(Keyed.self, #"{"key":[]}"#) }
        == "(Keyed.id): no value for the primary key '/key/0', found the key 'key' at line 1, column 1"
    )
  }

  @Test func `positions that an array lacks are nil in update dictionaries and plans`() throws {
    let data = Data(#"{"id":1,"at":[3]}"#.utf8)
    let update = try coder.updateDictionary(for: Point.self, from: data)
    #expect(update["x"] == 3 && update["y"] == 2 && update["z"] == .null)
    try coder.decode(Point.self, #"{"id":1,"at":[3,4,5]}"#)
    #expect(try "\(coder.plan(Point.self, from: data))" == "~ Point 1: y 4 → 2, z 5 → null")
  }
}

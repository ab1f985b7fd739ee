import Foundation
import ObjectStore
import StoreCoding
import TestSupport
import Testing

@Suite struct `Empty and single values` {
  final class Owner: Object {
    @Persisted(primaryKey: true) var id: Int
  }

  final class Item: Object {
    @Persisted(primaryKey: true) var id: Int
    @Persisted(.emptyAsNil) var number: Int?
    @Persisted(.emptyAsNil) var url: URL?
    @Persisted(.emptyAsNil) var text: String?
    @Persisted(.emptyAsNil) var owner: Owner?
    @Persisted(.emptyAsNil) var list: List<Int>
    @Persisted(.emptyAsNil) var map: Map<String, Int>
    @Persisted(.emptyAsNil) var flag: Bool?
    @Persisted(.emptyAsNil) var json: JSONValue?
    @Persisted(.emptyAsNil, .raw()) var raw: String?
    @Persisted(.emptyAsNil) var loose: List<Int?>
  }

  final class Lists: Object {
    @Persisted(primaryKey: true) var id: Int
    @Persisted(.acceptsSingleValue) var names: List<String>
    @Persisted(.acceptsSingleValue, .mismatch(.skipElement)) var numbers: MutableSet<Int>
    @Persisted(.acceptsSingleValue) var owners: List<Owner>
    @Persisted(.acceptsSingleValue, .byKey) var keys: List<Owner>
    @Persisted(.acceptsSingleValue, .emptyAsNil) var flags: List<Bool>
    @Persisted(.acceptsSingleValue, .emptyAsNil) var words: List<String>
  }

  private func item(_ attribute: String, _ value: String) throws -> Item {
    try makeCoder().decode(Item.self, #"{"id": 1, "\#(attribute)": \#(value)}"#)
  }

  @Test(
    arguments: ["number", "url", "text", "owner", "map", "flag", "list"], [#""""#, "false", "[]"])
  func `emptyAsNil reads an empty string, false and an empty array as null`(
    attribute: String, value: String
  ) throws {
    let item = try item(attribute, value)
    switch attribute {
    case "flag" where value == "false": #expect(item.flag == false)
    case "list", "map":
      #expect(item.list.isEmpty)
      #expect(item.map.isEmpty)
    default: #expect(item[attribute] == nil)
    }
  }

  @Test func `emptyAsNil clears a value that was there`() throws {
    let coder = try makeCoder()
    let item = try coder.decode(
      Item.self, #"{"id": 1, "owner": {"id": 2}, "map": {"a": 1}, "list": [1], "number": 4}"#)
    try coder.decode(Item.self, #"{"id": 1, "owner": false, "map": [], "list": "", "number": []}"#)
    #expect(item.owner == nil)
    #expect(item.map.isEmpty)
    #expect(item.list.isEmpty)
    #expect(item.number == nil)
  }

  @Test(arguments: [("json", "false"), ("json", "[]"), ("raw", "false"), ("raw", "[]")])
  func `emptyAsNil keeps false and an empty array as JSON`(attribute: String, value: String) throws
  {
    let item = try item(attribute, value)
    #expect(attribute == "json" ? item.json == (value == "[]" ? [] : false) : item.raw == value)
  }

  @Test(arguments: [("number", "true"), ("number", "[1]"), ("map", "true"), ("list", "5")])
  func `emptyAsNil refuses values that are not empty`(attribute: String, value: String) throws {
    #expect(kind { _ = try item(attribute, value) } == .typeMismatch)
  }

  @Test func `emptyAsNil applies to elements that can be nil`() throws {
    #expect(try Array(item("loose", #"[1, "", false]"#).loose) == [1, nil, nil])
  }

  private func lists(_ text: String) throws -> Lists {
    try makeCoder().decode(Lists.self, #"{"id": 1, \#(text)}"#)
  }

  enum Role: String, PersistableEnum { case none = "", admin }

  final class Empties: Object {
    @Persisted(primaryKey: true) var id: Int
    @Persisted(.emptyAsNil) var flags: Map<String, Bool>
    @Persisted(.emptyAsNil) var list: List<Bool>
    @Persisted(.emptyAsNil) var json: Map<String, JSONValue>
    @Persisted(.emptyAsNil) var roles: Map<String, Role>
    @Persisted(.emptyAsNil) var role: Role?
    @Persisted var texts: Map<String, String>
  }

  @Test(arguments: ["flags", "list", "json", "roles"], ["false", "[]", #""""#])
  func `emptyAsNil reads an empty value in place of a collection of any element`(
    attribute: String, value: String
  ) throws {
    let coder = try makeCoder()
    let text = #"{"id": 1, "\#(attribute)": \#(value)}"#
    #expect(try coder.read(Empties.self, from: Data(text.utf8)).inserted == 1)
  }

  @Test func `an empty case remains a value, and false is nil`() throws {
    let coder = try makeCoder()
    #expect(try coder.decode(Empties.self, #"{"id": 1, "role": ""}"#).role == Role.none)
    #expect(try coder.decode(Empties.self, #"{"id": 1, "role": false}"#).role == nil)
  }

  @Test func `the coder's emptyAsNil applies to collections of strings, not to strings`() throws {
    let coder = try makeCoder { $0.emptyAsNil = true }
    let empties = try coder.decode(Empties.self, #"{"id": 1, "texts": []}"#)
    #expect(empties.texts.isEmpty)
    #expect(kind { try coder.decode(Empties.self, #"{"id": 1, "texts": {"a": false}}"#) } != nil)
  }

  final class Blobs: Object {
    @Persisted(primaryKey: true) var id: Int
    @Persisted var data: Data?
    @Persisted var list: List<Data?>
  }

  @Test func `the coder's emptyAsNil does not apply to empty data`() throws {
    let coder = try makeCoder { $0.emptyAsNil = true }
    let text = #"{"id":1,"data":"","list":[""]}"#
    let blobs = try coder.decode(Blobs.self, text)
    #expect(blobs.data == Data())
    #expect(Array(blobs.list) == [Data()])
    #expect(try coder.text(blobs) == text)
  }

  final class Place: Object {
    @Persisted(primaryKey: true) var id: Int
    @Persisted(json: "address.city", .emptyAsNil) var city: String?
    @Persisted(json: "address.geo.lat", .emptyAsNil, .aliases("lat")) var latitude: Double?
    @Persisted(json: "/tags/0/name", .emptyAsNil) var tag: String?
    @Persisted(json: "/people/*/name", .emptyAsNil) var names: List<String>
    @Persisted(json: "owner.name", .emptyAsNil) var owner: String?
    @Persisted(json: "owner.age") var age: Int?
  }

  @Test(arguments: [#""""#, "false", "[]"])
  func `emptyAsNil applies to an empty value in place of an object on the path`(value: String)
    throws
  {
    let coder = try makeCoder()
    let full =
      #"{"id": 1, "address": {"city": "C", "geo": {"lat": 2}}, "tags": [{"name": "t"}]}"#
    let place = try coder.decode(Place.self, full)
    try coder.decode(Place.self, #"{"id": 1, "address": {"geo": \#(value)}}"#)
    #expect(place.city == "C" && place.latitude == nil)
    try coder.decode(Place.self, #"{"id": 1, "address": \#(value), "tags": [\#(value)]}"#)
    #expect(place.city == nil && place.tag == nil)
    try coder.decode(Place.self, #"{"id": 1, "address": \#(value), "lat": 3}"#)
    #expect(place.city == nil && place.latitude == 3)
  }

  @Test(
    arguments: [
      (
        #"{"id": 1, "owner": ""}"#,
        #"owner (Place.owner, id 1): expected an object, found string "" at line 1, column 20"#
      ),
      (
        #"{"id": 1, "address": "x"}"#,
        #"address (Place.city, id 1): expected an object, found string "x" at line 1, column 22"#
      ),
      (
        #"{"id": 1, "people": [""]}"#,
        #"people[0] (Place.names, id 1): expected an object, found string "" at line 1, column 22"#
      ),
    ])
  func `a value on a path is refused unless it is empty and all attributes below read it as nil`(
    text: String, expected: String
  ) throws {
    #expect(message { try makeCoder().decode(Place.self, text) } == expected)
  }

  @Test func `acceptsSingleValue reads a value as a collection of one element`() throws {
    let lists = try lists(
      #""names": "a", "numbers": 5, "owners": {"id": 2}, "keys": 3, "flags": true, "words": "b""#)
    #expect(Array(lists.names) == ["a"])
    #expect(Array(lists.numbers) == [5])
    #expect(lists.owners.map(\.id) == [2])
    #expect(lists.keys.map(\.id) == [3])
    #expect(Array(lists.flags) == [true])
    #expect(Array(lists.words) == ["b"])
  }

  @Test func `acceptsSingleValue reads arrays and writes arrays`() throws {
    let coder = try makeCoder()
    let lists = try coder.decode(
      Lists.self, #"{"id": 1, "names": ["a", "b"], "keys": [3], "flags": false, "words": ""}"#)
    #expect(
      try coder.text(lists)
        == #"{"id":1,"names":["a","b"],"keys":[3],"flags":[false],"words":[]}"#)
  }

  @Test func `a single value of the wrong type is judged as an element`() throws {
    #expect(
      message { _ = try lists(#""names": 5"#) }
        == "names (Lists.names, id 1): expected String, found number 5 at line 1, column 20")
    let result = try makeCoder().read(
      Lists.self, from: Data(#"{"id": 1, "numbers": "x"}"#.utf8))
    #expect(result.objects.first?.numbers.isEmpty == true)
    #expect(result.issues.map(\.path) == ["numbers"])
  }
}

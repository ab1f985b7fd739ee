import Foundation
import ObjectStore
import StoreCoding
import TestSupport
import Testing

@Suite struct `Encoding of objects` {
  @Test func `output is compact, in declared order and without nil`() throws {
    let coder = try makeCoder()
    let person = Coding.Person()
    person.id = 7
    person.desk = Coding.Desk()
    person.nicknames.append("x")
    #expect(
      try coder.text(person)
        == #"{"id":7,"name":"nobody","desk":{"room":"","floor":1},"nicknames":["x"]}"#)
  }

  @Test func `the attributes of a superclass are written first`() throws {
    let truck = Coding.Truck()
    truck.number = 1
    truck.payload = 2.5
    #expect(try makeCoder().text(truck) == #"{"id":1,"plate":"","axles":0,"payload_kg":2.5}"#)
  }

  @Test func `ignored attributes are decoded but not encoded`() throws {
    let coder = try makeCoder()
    let user = try coder.decode(Coding.BareUser.self, fixture: "users/user.json")
    #expect(user.address != nil)
    #expect(try !coder.text(user).contains("address"))
    #expect(try !coder.encodeArray([user]).text.contains("address"))
  }

  @Test func `an envelope is written if it is requested and declared`() throws {
    let coder = try makeCoder()
    let user = Coding.User()
    user.objId = "a"
    #expect(try coder.text(user, useEnvelope: true).hasPrefix(#"{"user":{"id":"a","#))
    #expect(try coder.text(user).hasPrefix(#"{"id":"a","#))
    #expect(
      try coder.encodeArray([user, user], useEnvelope: true).text.hasPrefix(
        #"{"users":[{"id":"a","#))
    let paged = Coding.PagedUser()
    #expect(
      try coder.encodeArray([paged], useEnvelope: true).text.hasPrefix(
        #"{"data":{"items":[{"id":"","#))
    #expect(try coder.encodeArray([paged], useEnvelope: true).text.hasSuffix("}]}}"))
    let leaf = Leaf()
    #expect(try coder.text(leaf, useEnvelope: true) == #"{"id":"","name":"leaf"}"#)
    #expect(try coder.encodeArray([Leaf]()).text == "[]")
    #expect(try coder.encodeArray([Coding.User](), useEnvelope: true).text == #"{"users":[]}"#)
  }

  // MARK: - Foundation's bytes

  private struct FoundationNumbered: Encodable {
    var id = 1
    var a10 = 1
    var a2 = 2
    var B = 3
    var b = 4
    var z = "x/y"
    var empty: [Int] = []
    var é = 0.5
    var date = "1970-01-01T00:00:00Z"
    var raw = ["K": 3, "k10": 1, "k2": 2]
  }

  @Test(
    arguments: [
      ([.prettyPrinted, .sortedKeys], [.prettyPrinted, .sortedKeys]),
      ([.sortedKeys], [.sortedKeys]),
      (
        [.prettyPrinted, .sortedKeys, .withoutEscapingSlashes],
        [.prettyPrinted, .sortedKeys, .withoutEscapingSlashes]
      ),
    ] as [(StoreCoder.OutputFormatting, JSONEncoder.OutputFormatting)])
  func `sorted output has the bytes of Foundation's JSONEncoder`(
    formatting: StoreCoder.OutputFormatting, foundation: JSONEncoder.OutputFormatting
  ) throws {
    let encoder = JSONEncoder()
    encoder.outputFormatting = foundation
    let expected = try encoder.encode(FoundationNumbered()).text
    let coder = try makeCoder { $0.outputFormatting = formatting }
    let object = Coding.Numbered()
    object.id = 1
    #expect(try coder.text(object) == expected)
    try coder.store.write { try coder.store.add(object) }
    #expect(try coder.text(object) == expected)
  }

  @Test func `slashes are escaped unless the formatting disables it`() throws {
    let leaf = Leaf()
    leaf.id = "a/b"
    #expect(try makeCoder().text(leaf) == #"{"id":"a/b","name":"leaf"}"#)
    #expect(
      try makeCoder { $0.outputFormatting = [] }.text(leaf) == #"{"id":"a\/b","name":"leaf"}"#)
  }

  // MARK: - Raw JSON

  @Test func `raw JSON is inserted into the output unless it is empty`() throws {
    let coder = try makeCoder()
    let values = AllTypes()
    values.exact = #"{ "b": 1.0, "a": [ ] }"#
    #expect(try coder.text(values).hasSuffix(#""exact":{ "b": 1.0, "a": [ ] }}"#))
    values.exact = "5"
    values.minified = #""x""#
    #expect(try coder.text(values).hasSuffix(#""exact":5,"minified":"x"}"#))
    values.exact = ""
    values.minified = ""
    #expect(try !coder.text(values).contains("exact"))
    values.optMinified = ""
    #expect(try !coder.text(values).contains("inified"))
  }

  @Test func `nil attributes are omitted, unlike empty collections`() throws {
    let object = AllTypes()
    let text = try makeCoder().text(object)
    #expect(
      text == """
        {"id":0,"bool":false,"int":0,"int8":0,"int16":0,"int32":0,"int64":0,"uint":0,"uint8":0,\
        "uint16":0,"uint32":0,"uint64":0,"float":0,"double":0,"decimal":0,"string":"","data":"",\
        "date":"1970-01-01T00:00:00Z","uuid":"\(object.uuid.uuidString.lowercased())",\
        "url":"file:///","species":"cow","level":-1,"metres":0,"word":"","json":null,"bools":[],\
        "ints":[],"uint64s":[],"floats":[],"doubles":[],"decimals":[],"strings":[],"datas":[],\
        "dates":[],"uuids":[],"urls":[],"allSpecies":[],"jsons":[],"optBools":[],"optInts":[],\
        "optStrings":[],"objects":[],"leaves":[],"remarks":[],"spots":[],"intSet":[],\
        "doubleSet":[],"stringSet":[],"objectSet":[],"leafSet":[],"remarkSet":[],"intMap":{},\
        "stringMap":{},"optIntMap":{},"optStringMap":{},"objectMap":{},"leafMap":{},\
        "remarkMap":{},"spotMap":{},"optSpotMap":{}}
        """)
  }

  @Test func `an accepted trailing comma is not written`() throws {
    let coder = try makeCoder()
    let object = try coder.decode(AllTypes.self, #"{ "id": 1, "exact": [1, 2, ] }"#)
    #expect(try coder.text(object).hasSuffix(#""exact":[1,2]}"#))
  }

  @Test(
    arguments: [
      ("no", "expected a JSON value"),
      ("{", "the text ends in the middle of a value"),
      ("1 2", "unexpected text after the JSON value"), (" ", "the JSON text is empty"),
      ("[1", "the text ends in the middle of a value"),
      ("\u{FEFF}1", "expected a JSON value"),
      ("1\u{0}", "unexpected text after the JSON value"),
      ("{\"a\":1,}x", "unexpected text after the JSON value"),
    ])
  func `raw JSON that is not a single value throws an error that names the attribute`(
    text: String, reason: String
  ) throws {
    let coder = try makeCoder()
    let user = Coding.User()
    user.configJson = text
    let expected =
      "configJson (User.configJson): the text is not one JSON value: \(reason)"
    #expect(message { _ = try coder.encode(user) } == expected)
    #expect(message { _ = try coder.encodeArray([Coding.User(), user]) } == "[1].\(expected)")
    try coder.store.write { try coder.store.add(user) }
    #expect(message { _ = try coder.encode(user) } == expected)
  }

  // MARK: - Errors

  @Test func `encoding a cycle of objects throws an error with its path`() throws {
    let coder = try makeCoder()
    let farm = Coding.Farm()
    farm.id = "f"
    let owner = Coding.Owner()
    owner.farm = farm
    farm.owner = owner
    let expected =
      "owner.farm (Owner.farm): the objects refer to each other in a cycle"
    #expect(message { _ = try coder.encode(farm) } == expected)
    try coder.store.write { try coder.store.add(farm) }
    #expect(message { _ = try coder.encode(farm) } == expected)
    let link = Coding.KeyedLink()
    link.links.append(link)
    #expect(
      message { _ = try coder.encodeArray([link]) }
        == "[0].links[0] (KeyedLink.links): the objects refer to each other in a cycle")
    let first = Coding.User()
    let second = Coding.User()
    second.objId = "b"
    first.friends.append(second)
    second.friends.append(first)
    #expect(
      message { _ = try coder.encode(first) }
        == "friends[0].friends[0] (User.friends): the objects refer to each other in a cycle")
  }

  @Test func `the same object on two paths is written twice`() throws {
    let coder = try makeCoder()
    let user = Coding.User()
    let friend = Coding.User()
    friend.objId = "f"
    user.friends.append(friend)
    user.friends.append(friend)
    #expect(try coder.text(user).components(separatedBy: #"{"id":"f""#).count == 3)
  }

  @Test(arguments: [Double.nan, .infinity, -.infinity])
  func `a number that is not JSON throws an error with the attribute`(value: Double) throws {
    let coder = try makeCoder()
    let values = AllTypes()
    values.double = value
    #expect(
      message { _ = try coder.encode(values) }
        == "double (AllTypes.double): JSON has no number for \(value)")
    values.double = 0
    values.float = Float(value)
    #expect(
      message { _ = try coder.encode(values) }
        == "float (AllTypes.float): JSON has no number for \(value)")
    values.float = 0
    values.json = ["a": [.double(value)]]
    #expect(
      message { _ = try coder.encode(values) }
        == "json (AllTypes.json): JSON has no number for \(value)")
    values.json = nil
    values.doubles = [1, value]
    #expect(
      message { _ = try coder.encode(values) }
        == "doubles[1] (AllTypes.doubles): JSON has no number for \(value)")
  }

  @Test func `a date that the format cannot represent throws an error`() throws {
    let coder = try makeCoder()
    let values = AllTypes()
    values.date = Date(timeIntervalSince1970: 1e12)
    #expect(
      message { _ = try coder.encode(values) }
        == "date (AllTypes.date): the moment 1000000000000.0 seconds since 1970 is outside the range of a date (ISO 8601)"
    )
  }

  private final class Measurement: Object {
    @Persisted(primaryKey: true) var id: Int
    @Persisted var double = 0.0
    @Persisted var time: Date?
    @Persisted(.date(.date)) var day: Date?
    @Persisted(.raw()) var raw: String?
    @Persisted var numbers: MutableSet<Int?>
  }

  @Test
  func `a number or date of a managed object that its format cannot represent throws an error`()
    throws
  {
    let coder = try makeCoder()
    let measurement = try coder.decode(Measurement.self, #"{"id":1}"#)
    let moment = Date(timeIntervalSince1970: 1e12)
    try coder.store.write { measurement.double = .infinity }
    #expect(
      message { _ = try coder.encode(measurement) }
        == "double (Measurement.double): JSON has no number for inf")
    try coder.store.write { (measurement.double, measurement.time) = (0, moment) }
    #expect(
      message { _ = try coder.encode(measurement) }
        == "time (Measurement.time): the moment 1000000000000.0 seconds since 1970 is outside the range of a date (ISO 8601)"
    )
    try coder.store.write { (measurement.time, measurement.day) = (nil, moment) }
    #expect(
      message { _ = try coder.encode(measurement) }
        == "day (Measurement.day): the moment 1000000000000.0 seconds since 1970 is outside the range of a date (yyyy-MM-dd)"
    )
  }

  @Test func `raw JSON that contains the letter n is not omitted as null`() throws {
    let coder = try makeCoder()
    let measurement = Measurement()
    measurement.raw = #"{"name":null}"#
    let text = #"{"id":0,"double":0,"raw":{"name":null},"numbers":[]}"#
    #expect(try coder.text(measurement) == text)
    try coder.store.write { try coder.store.add(measurement, update: .modified) }
    #expect(try coder.text(measurement) == text)
  }

  @Test func `nil is the first element of a set in a body`() throws {
    let coder = try makeCoder()
    let measurement = Measurement()
    for number in [3, 0, nil] { measurement.numbers.insert(number) }
    let text = #"{"id":0,"double":0,"numbers":[null,0,3]}"#
    #expect(try coder.text(measurement) == text)
    try coder.store.write { try coder.store.add(measurement, update: .modified) }
    #expect(try coder.text(measurement) == text)
  }

  @Test(
    arguments: [
      ("1x", "1x"), ("1\u{0}", "1\\u{0}"), ("\u{FEFF}1", "\\u{FEFF}1"), (" 1", " 1"), ("1 ", "1 "),
      ("1\n", "1\\n"), ("", ""), ("01", "01"), ("1,2", "1,2"),
    ])
  func `a JSON number with invalid text throws an error`(text: String, found: String) throws {
    let values = AllTypes()
    values.json = .number(text)
    #expect(
      message { _ = try makeCoder().encode(values) }
        == "json (AllTypes.json): the text is not one JSON value: \(found)")
  }

  @Test func `a deleted object cannot be encoded by itself or in a list`() throws {
    let coder = try makeCoder()
    let leaves = try coder.decodeArray(Leaf.self, #"[{ "id": "a" }, { "id": "b" }]"#)
    try coder.store.write { coder.store.delete(leaves[1]) }
    #expect(message { _ = try coder.encode(leaves[1]) } == "(Leaf): the object was deleted")
    #expect(message { _ = try coder.encodeArray(leaves) } == "[1] (Leaf): the object was deleted")
  }

  @Test func `one element that cannot be encoded fails the list with its index`() throws {
    let coder = try makeCoder()
    let values = (0..<3).map { _ in AllTypes() }
    values[2].float = .nan
    #expect(
      message { _ = try coder.encodeArray(values, useEnvelope: true) }
        == "[2].float (AllTypes.float): JSON has no number for nan")
    let outer = AllTypes()
    outer.spotMap = ["p": Spot(x: .infinity, label: nil)]
    #expect(
      message { _ = try coder.encode(outer) }
        == "spotMap.p.x (Spot.x): JSON has no number for inf")
  }

  @Test func `encoding a chain of objects longer than the depth limit throws an error`() throws {
    let coder = try makeCoder()
    let first = Coding.Link()
    var last = first
    for _ in 0..<600 {
      let next = Coding.Link()
      last.next = next
      last = next
    }
    #expect(
      message { _ = try coder.encode(first) }.hasSuffix(
        "next.next (Link.next): the limit of 512 nested objects is exceeded"))
  }

  // MARK: - Managed, unmanaged, frozen

  @Test func `managed, unmanaged and frozen objects have the same output`() throws {
    var random = SeededRandom(seed: 11)
    for _ in 0..<60 {
      let coder = try makeCoder()
      let store = coder.store
      let object = randomAllTypes(&random)
      let before = try coder.text(object)
      try store.write { try store.add(object, update: .modified) }
      #expect(try coder.text(object) == before)
      #expect(try coder.encode(object.frozen()).text == before)
    }
  }

  @Test func `a frozen object is written in its frozen state`() throws {
    let coder = try makeCoder()
    let leaf = try coder.decode(Leaf.self, #"{ "id": "a", "name": "before" }"#)
    let frozen = leaf.frozen()
    try coder.decode(Leaf.self, #"{ "id": "a", "name": "after" }"#)
    #expect(try coder.encode(frozen).text == #"{"id":"a","name":"before"}"#)
    #expect(try coder.encode(leaf).text == #"{"id":"a","name":"after"}"#)
  }

  @Test func `objects encoded inside a write have their uncommitted values`() throws {
    let coder = try makeCoder()
    let leaf = try coder.decode(Leaf.self, #"{ "id": "a" }"#)
    let text = try coder.store.write {
      leaf.name = "b"
      return try coder.text(leaf)
    }
    #expect(text == #"{"id":"a","name":"b"}"#)
  }

  @Test func `results, lists and subclasses can be encoded as sequences`() throws {
    let coder = try makeCoder()
    let lot = try coder.decode(Coding.ParkingLot.self, fixture: "parking-lot/lot.json")
    #expect(try coder.encodeArray(lot.trucks).text.hasPrefix(#"[{"id":201,"plate":"NT 90 554""#))
    let vehicles: [Coding.Vehicle] = [lot.cars[0], lot.trucks[0]]
    #expect(
      try coder.encodeArray(vehicles).text
        == #"[{"id":101,"plate":"KV 48 210","doors":5,"make":"Halden"},"#
        + #"{"id":201,"plate":"NT 90 554","axles":3,"payload_kg":12500}]"#)
    #expect(
      try coder.encodeArray(coder.store.objects(Coding.Car.self)).text.hasPrefix(#"[{"id":101"#))
  }
}

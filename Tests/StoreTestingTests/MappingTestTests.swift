import Foundation
import ObjectStore
import StoreCoding
import StoreTesting
import TestSupport
import Testing

private final class Guest: Object {
  @Persisted(primaryKey: true) var id: Int
  @Persisted var name = ""
  @Persisted(json: "born_on", .date(.date)) var born: Date?
  @Persisted var photo: Data?
  @Persisted var price: Decimal?
  @Persisted var code: UUID?
  @Persisted var anything: JSONValue?
  @Persisted var tags: List<String>
  @Persisted var friends: List<Guest>
}

private final class Mistaken: Object {
  @Persisted(primaryKey: true) var id: Int
  @Persisted var name = ""

  override class var codableKeys: [String: String] { ["nmae": "name"] }
}

private final class Restless: Object {
  @Persisted(primaryKey: true) var id: Int
  @Persisted(.null(.default)) var made = UUID()
}

@Suite struct `Tests of mappings` {
  private let guests = MappingTest(Guest.self)
  private let folder: TemporaryFolder

  init() throws {
    folder = try TemporaryFolder()
  }

  private func data(_ text: String) -> Data { Data(text.utf8) }

  private func text(_ body: () throws -> Void) -> String {
    do {
      try body()
      return ""
    } catch {
      return "\(error)"
    }
  }

  @Test func `mistakes in declarations are told`() throws {
    try guests.check()
    #expect(
      text { try MappingTest(Mistaken.self).check() }
        == "Mistaken.codableKeys: 'nmae' is no attribute; did you mean 'name'?")
  }

  // MARK: - Updates

  @Test func `an update is compared attribute by attribute`() throws {
    let payload = data(#"{"id": 1, "name": "Ann", "born_on": null, "tags": ["a", "b"]}"#)
    try guests.expectUpdate(
      from: payload, is: ["id": 1, "name": "Ann", "born": nil, "tags": ["a", "b"]])
    #expect(
      text {
        try guests.expectUpdate(
          from: payload, is: ["id": 1, "name": "Anne", "tags": ["a"], "price": 3])
      } == """
        the update of Guest is not as expected:
          name: expected "Anne", found "Ann"
          tags[1]: not expected; found "b"
          price: missing; expected 3
          born: not expected; found null
        """)
    #expect(
      text { try guests.expectUpdate(from: payload, is: ["id": 1.0]) }.hasPrefix(
        "the update of Guest is not as expected:\n  name: not expected"))
  }

  @Test func `an update that only has other types of values is told so`() throws {
    #expect(
      text {
        try guests.expectUpdate(
          from: data(#"{"id": 1, "born_on": "2000-01-01"}"#),
          is: ["id": 1, "born": "2000-01-01T00:00:00.000Z"])
      } == "the update of Guest is not as expected: the types of values differ")
  }

  @Test func `an update is compared with a file, which is written once`() throws {
    let payload = data(
      #"""
      {"id": 1, "born_on": "2000-01-01", "photo": "AQI=", "price": 1.50,
       "code": "00000000-0000-4000-8000-00000000000A", "anything": {"b": [1, null]},
       "friends": [{"id": 2, "tags": []}]}
      """#)
    let golden = folder.file("goldens/update.json")
    #expect(
      text { try guests.expectUpdate(from: payload, isAt: golden) }
        == "the update of Guest was written to \(golden.path): look at it, and keep it")
    #expect(
      try String(contentsOf: golden, encoding: .utf8) == """
        {
          "id": 1,
          "born": "2000-01-01T00:00:00.000Z",
          "photo": "AQI=",
          "price": 1.5,
          "code": "00000000-0000-4000-8000-00000000000a",
          "anything": {
            "b": [
              1,
              null
            ]
          },
          "friends": [
            {
              "id": 2,
              "tags": []
            }
          ]
        }

        """)
    try guests.expectUpdate(from: payload, isAt: golden)
    #expect(
      text { try guests.expectUpdate(from: data(#"{"id": 1, "price": 2}"#), isAt: golden) }
        == """
        the update of Guest is not as update.json says:
          born: missing; expected "2000-01-01T00:00:00.000Z"
          photo: missing; expected "AQI="
          price: expected 1.5, found 2
          code: missing; expected "00000000-0000-4000-8000-00000000000a"
          anything: missing; expected an object of b
          friends: missing; expected an array of 1
        """)
  }

  // MARK: - Bodies

  @Test func `a body is compared with JSON, and with a file`() throws {
    let guest = Guest()
    guest.id = 7
    guest.name = "Jo"
    try guests.expectBody(
      of: guest, is: data(#"{"tags": [], "friends": [], "name": "Jo", "id": 7.0}"#))
    #expect(
      text { try guests.expectBody(of: guest, is: data(#"{"id": 7, "name": "Bo"}"#)) } == """
        the body of Guest is not as expected:
          name: expected "Bo", found "Jo"
          tags: not expected; found []
          friends: not expected; found []
        """)
    let golden = folder.file("body.json")
    let payload = data(#"{"id": 7, "name": "Jo"}"#)
    #expect(text { try guests.expectBody(of: payload, isAt: golden) }.contains("was written to"))
    try guests.expectBody(of: payload, isAt: golden)
  }

  @Test func `what is read and not written again is told`() throws {
    #expect(
      text {
        try guests.expectRoundTrip(
          data(#"{"id": 1, "name": "Ann", "nick": "A", "tags": [], "friends": []}"#))
      } == """
        the round trip of Guest is not as expected:
          nick: missing; expected "A"
        """)
    try guests.expectRoundTrip(data(#"{"id": 1, "name": "Ann", "tags": [], "friends": []}"#))
  }

  // MARK: - Lists

  @Test func `a list has no issues and changes nothing when it comes again`() throws {
    #expect(try guests.expectSound(list: data(#"[{"id": 1}, {"id": 2}]"#)) == 2)
    var lenient = StoreCoder.Configuration.default
    lenient.mismatches = .skipAttribute
    #expect(
      text {
        try MappingTest(Guest.self, configuration: lenient)
          .expectSound(list: data(#"[{"id": 1, "name": 3}]"#))
      } == """
        the list of Guest has 1 issue
          [0].name (Guest.name, id 1): expected String, found number 3 at line 1, column 20
        """)
    #expect(
      text { try MappingTest(Restless.self).expectSound(list: data(#"[{"id": 1, "made": null}]"#)) }
        == """
        the list of Restless changes something when it is read again
          [0]: updated
        """)
  }

  @Test func `what is no JSON is told with its place`() throws {
    #expect(
      text { _ = try JSONDifference(expected: data("[1,\n }"), found: data("[]")) }
        == "what is expected is no JSON: line 2, column 2: a character that begins no JSON value")
  }
}

@Suite struct `Differences of JSON` {
  private func lines(_ expected: String, _ found: String) throws -> [String] {
    try JSONDifference(expected: Data(expected.utf8), found: Data(found.utf8)).lines
  }

  @Test(arguments: [
    ("{}", "{}"), ("[1, 2.50]", "[1.0,25e-1]"), (#"{"a": 1, "b": null}"#, #"{"b":null,"a":1}"#),
    ("12345678901234567890", "12345678901234567890.0"), (#""é""#, #""\u00e9""#), ("-0", "0"),
    (#"{"a": 1, "a": 2}"#, #"{"a": 2}"#),
  ])
  func `are none where texts say the same`(one: String, other: String) throws {
    #expect(try lines(one, other) == [])
    #expect(try lines(other, one) == [])
  }

  @Test(arguments: [
    ("1", "2", ["the whole: expected 1, found 2"]),
    ("null", "false", ["the whole: expected null, found false"]),
    ("[]", "{}", ["the whole: expected [], found {}"]),
    (#"{"a": {"b c": [1]}}"#, #"{"a": {"b c": [2]}}"#, [#"a["b c"][0]: expected 1, found 2"#]),
    ("[1, 2]", "[1]", ["[1]: missing; expected 2"]),
    ("[]", #"[{"x": 1, "y": []}]"#, ["[0]: not expected; found an object of x, y"]),
    (#"{"a": null}"#, "{}", ["a: missing; expected null"]),
    (#""é""#, "\"e\u{301}\"", ["the whole: expected \"é\", found \"e\u{301}\""]),
    (
      "12345678901234567890", "12345678901234567891",
      ["the whole: expected 12345678901234567890, found 12345678901234567891"]
    ),
  ])
  func `tell each place`(expected: String, found: String, differences: [String]) throws {
    #expect(try lines(expected, found) == differences)
  }

  @Test func `clip long values`() throws {
    let long = String(repeating: "x", count: 100)
    #expect(
      try lines("\"\(long)\"", "1")
        == ["the whole: expected \"\(String(repeating: "x", count: 59))…, found 1"])
  }
}

@Suite struct `Fixture folders` {
  @Test func `are found further up, and name what they have`() throws {
    let fixtures = Fixtures()
    #expect(try fixtures.data("farm/farm.json").count > 100)
    let error = #expect(throws: StoreTestFailure.self) { try fixtures.data("farm/form.json") }
    #expect(
      error?.description == """
        there is no fixture 'farm/form.json' in \(fixtures.folder.path)
          beside it are: farm-centroid-scalar.json, farm.json
        """)
    #expect(error?.localizedDescription == error?.description)
    #expect(Fixtures("Nowhere").folder.lastPathComponent == "Nowhere")
  }
}

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
  @Persisted var rank: Double?
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
  @Persisted(.coding(decode: { _ in UUID() }, encode: { .string($0.uuidString) })) var made: UUID?
}

@Suite struct `Mapping tests` {
  private let guests = MappingTest(Guest.self)
  private func data(_ text: String) -> Data { Data(text.utf8) }

  @Test func `mistakes in declarations are reported`() throws {
    try guests.check()
    #expect(
      failureMessage { try MappingTest(Mistaken.self).check() }
        == """
        the declarations of Mistaken have 1 mistake:
          Mistaken.codableKeys: 'nmae' is not an attribute; did you mean 'name'?
        """)
  }

  // MARK: - Updates

  @Test func `an update is compared attribute by attribute`() throws {
    let payload = data(#"{"id": 1, "name": "Ann", "born_on": null, "tags": ["a", "b"]}"#)
    try guests.expectUpdate(
      from: payload, is: ["id": 1, "name": "Ann", "born": nil, "tags": ["a", "b"]])
    #expect(
      failureMessage {
        try guests.expectUpdate(
          from: payload, is: ["id": 1, "name": "Anne", "tags": ["a"], "price": 3])
      } == """
        the update of Guest is not as expected:
          name: expected "Anne", found "Ann"
          tags[1]: not expected; found "b"
          price: missing; expected 3
          born: not expected; found null
        """)
  }

  @Test func `values of different types are reported with their types`() throws {
    let payload = data(
      #"{"id": 1, "rank": 3, "price": 3, "born_on": "2000-01-01", "name": "Ann", "tags": []}"#)
    try guests.expectUpdate(
      from: payload,
      is: [
        "id": 1, "rank": 3.0, "price": .init(Decimal(3)), "name": "Ann", "tags": [],
        "born": .init(Date(timeIntervalSince1970: 946_684_800)),
      ])
    #expect(
      failureMessage {
        try guests.expectUpdate(
          from: payload,
          is: [
            "id": 1, "rank": 3, "price": 3, "name": "Anne", "tags": 1,
            "born": "2000-01-01T00:00:00Z",
          ])
      } == """
        the update of Guest is not as expected:
          rank: expected Int 3, found Double 3.0
          price: expected Int 3, found Decimal 3
          name: expected "Anne", found "Ann"
          tags: expected Int 1, found []
          born: expected String "2000-01-01T00:00:00Z", found Date "2000-01-01T00:00:00Z"
        """)
  }

  @Test func `strings in an update are compared by their bytes`() throws {
    #expect(
      failureMessage {
        try guests.expectUpdate(
          from: data("{\"id\": 1, \"name\": \"\u{e9}\"}"), is: ["id": 1, "name": "e\u{301}"])
      } == #"""
        the update of Guest is not as expected:
          name: expected "e\u{301}", found "\u{e9}"
        """#)
  }

  // MARK: - Bodies

  @Test func `a body is compared with JSON member by member`() throws {
    let guest = Guest()
    guest.id = 7
    guest.name = "Jo"
    try guests.expectBody(
      of: guest, is: data(#"{"tags": [], "friends": [], "name": "Jo", "id": 7.0}"#))
    #expect(
      failureMessage { try guests.expectBody(of: guest, is: data(#"{"id": 7, "name": "Bo"}"#)) }
        == """
        the body of Guest is not as expected:
          name: expected "Bo", found "Jo"
          tags: not expected; found []
          friends: not expected; found []
        """)
  }

  @Test func `a round trip reports keys that the body lacks`() throws {
    #expect(
      failureMessage {
        try guests.expectRoundTrip(
          data(#"{"id": 1, "name": "Ann", "nick": "A", "tags": [], "friends": []}"#))
      } == """
        the round trip of Guest is not as expected:
          nick: missing; expected "A"
        """)
    try guests.expectRoundTrip(data(#"{"id": 1, "name": "Ann", "tags": [], "friends": []}"#))
  }

  // MARK: - Lists

  @Test func `a list that changes the store when it is read again fails the expectation`() throws {
    #expect(try guests.expectSound(list: data(#"[{"id": 1}, {"id": 2}]"#)) == 2)
    #expect(
      failureMessage {
        try MappingTest(Restless.self).expectSound(list: data(#"[{"id": 1, "made": 1}]"#))
      }
        == """
        the list of Restless changes the store when it is read again:
          Restless 1: made
        """)
    #expect(
      failureMessage {
        try MappingTest(Owner.self).expectSound(
          list: data(#"[{"name": "a", "thing": {"id": 1, "made": 1}}]"#))
      } == """
        the list of Owner changes the store when it is read again:
          Owner: inserted
          Restless 1: made
        """)
  }

  @Test func `a list without elements fails the expectation`() {
    #expect(
      failureMessage { try guests.expectSound(list: data("[]")) }
        == "the list of Guest is empty; the test needs at least one element")
  }

  @Test func `each key that no attribute reads is reported once`() throws {
    let payload = data(
      #"""
      [{"id": 1, "nmae": "a", "anything": {"x": 1}, "a.b": 1, "friends": [{"id": 2, "nick": []}]},
       {"id": 3, "nmae": "b", "friends": [{"id": 4, "nick": {"x": 1}, "born_on": "2000-01-01"}]}]
      """#)
    #expect(
      failureMessage { try guests.expectSound(list: payload) } == """
        the list of Guest has 3 keys that no attribute reads:
          nmae: first at [0].nmae, found string "a"
          "a.b": first at [0]."a.b", found number 1
          friends.nick: first at [0].friends[0].nick, found an array
        """)
    #expect(
      failureMessage {
        try guests.expectSound(list: payload, ignoring: ["friends.nick", #""a.b""#, "nma"])
      }
        == """
        the list of Guest has 1 key that no attribute reads:
          nmae: first at [0].nmae, found string "a"
        """)
    #expect(
      try guests.expectSound(list: payload, ignoring: ["friends", "nmae", #""a.b""#]) == 2)
    #expect(try guests.expectSound(list: payload, allowingUnknownKeys: true) == 2)
  }

  @Test
  func `unknown keys are found inside paths, pointers and maps but not in raw JSON`()
    throws
  {
    let test = MappingTest(Shelf.self)
    let payload = data(
      #"""
      {"meta": {"page": 1}, "data": [{"count": 2}, {"shelves": [
        {"id": 1, "at": {"city": "Bern", "zip": 3000}, "sizes": [{"w": 1}, {"h": 2, "d": 3}],
         "books": {"a": {"title": "x", "isbn": 1}}, "raw": {"any": 1}, "box": {"title": "y", "tilte": 1}}
      ]}]}
      """#)
    #expect(
      failureMessage { try test.expectSound(list: payload) } == """
        the list of Shelf has 4 keys that no attribute reads:
          at.zip: first at data[1].shelves[0].at.zip, found number 3000
          sizes.d: first at data[1].shelves[0].sizes[1].d, found number 3
          books.*.isbn: first at data[1].shelves[0].books.a.isbn, found number 1
          box.tilte: first at data[1].shelves[0].box.tilte, found number 1
        """)
  }

  // MARK: - Issues

  /// The expectations that read a payload.
  private enum Reading: CaseIterable {
    case update, updateFile, bodyFile, roundTrip, list

    /// The subject of its failure messages.
    var what: String {
      switch self {
      case .update, .updateFile: "the update of Guest"
      case .bodyFile: "the body of Guest"
      case .roundTrip: "the round trip of Guest"
      case .list: "the list of Guest"
      }
    }

    func expect(_ payload: Data, at golden: URL, allowingIssues: Bool) throws {
      let test = MappingTest(Guest.self, environment: [:])
      switch self {
      case .update:
        try test.expectUpdate(
          from: payload, is: ["id": 1, "name": "b", "tags": [], "friends": []],
          allowingIssues: allowingIssues)
      case .updateFile:
        try test.expectUpdate(from: payload, isAt: golden, allowingIssues: allowingIssues)
      case .bodyFile:
        try test.expectBody(of: payload, isAt: golden, allowingIssues: allowingIssues)
      case .roundTrip:
        try test.expectRoundTrip(payload, allowingIssues: allowingIssues)
      case .list:
        let list = Data("[".utf8) + payload + Data("]".utf8)
        try test.expectSound(list: list, allowingIssues: allowingIssues)
      }
    }
  }

  @Test(arguments: Reading.allCases)
  private func `issues fail each expectation unless they are allowed`(
    _ reading: Reading
  ) throws {
    let folder = try TemporaryFolder()
    let golden = folder.file("golden.json")
    let payload = data(#"{"id": 1, "name": "a", "name": "b", "tags": [], "friends": []}"#)
    let (path, column) = reading == .list ? ("[0].name", 25) : ("name", 24)
    #expect(
      failureMessage { try reading.expect(payload, at: golden, allowingIssues: false) } == """
        \(reading.what): reading the payload has 1 issue:
          \(path) (Guest.name, id 1): the key 'name' occurs twice in one object at line 1, column \(column)
        """)
    #expect(!FileManager.default.fileExists(atPath: golden.path))
    // The first run records the file.
    _ = failureMessage { try reading.expect(payload, at: golden, allowingIssues: true) }
    try reading.expect(payload, at: golden, allowingIssues: true)
  }

  @Test func `a value that a lenient coder skips fails an expectation`() throws {
    var lenient = StoreCoder.Configuration.default
    lenient.mismatches = .skipAttribute
    let test = MappingTest(Guest.self, configuration: lenient)
    let payload = data(#"{"id": 1, "name": 3}"#)
    #expect(
      failureMessage { try test.expectUpdate(from: payload, is: ["id": 1]) } == """
        the update of Guest: reading the payload has 1 issue:
          name (Guest.name, id 1): expected String, found number 3 at line 1, column 19
        """)
    try test.expectUpdate(from: payload, is: ["id": 1], allowingIssues: true)
    let many = "[" + (0..<50).map { #"{"id": \#($0), "name": 3}"# }.joined(separator: ",") + "]"
    let text = failureMessage { try test.expectSound(list: data(many)) }
    #expect(text.hasPrefix("the list of Guest: reading the payload has 50 issues:\n  [0].name"))
    #expect(text.hasSuffix("\n  and 30 more"))
  }

  @Test(arguments: Reading.allCases)
  private func `the error for a refused payload names the expectation`(_ reading: Reading) throws {
    let text = failureMessage {
      try reading.expect(
        data(#"{"id": "x"}"#), at: URL(filePath: "/none"), allowingIssues: true)
    }
    #expect(text.hasPrefix("\(reading.what): the payload is refused:\n  "))
    #expect(text.contains(#"id (Guest.id): expected Int, found string "x" at line 1"#))
  }

  @Test func `the error for an object that cannot be encoded names the expectation`() throws {
    let guest = Guest()
    guest.rank = .infinity
    #expect(
      failureMessage { try guests.expectBody(of: guest, is: data("{}")) } == """
        the body of Guest: the object cannot be written:
          rank (Guest.rank): JSON has no number for inf
        """)
  }

  // MARK: - Source locations

  /// Compiles only if the type can be shared between isolation domains.
  private static let shared = MappingTest(Guest.self)

  @Test func `a failure names the source location of its expectation`() async throws {
    let line = UInt(#line + 2)
    do {
      try Self.shared.expectRoundTrip(Data("{".utf8))
      Issue.record("nothing was thrown")
    } catch let failure as StoreTestFailure {
      #expect(failure.file == #filePath && failure.line == line)
    }
    let payload = data(#"{"id": 1, "x": 1}"#)
    let url = URL(filePath: "/none/none.json")
    let list = data("[]")
    for expectation: (StaticString, UInt) throws -> Void in [
      { try MappingTest(Mistaken.self).check(file: $0, line: $1) },
      { try guests.expectUpdate(from: payload, is: [:], file: $0, line: $1) },
      { try guests.expectUpdate(from: list, isAt: url, file: $0, line: $1) },
      { try guests.expectBody(of: Guest(), is: list, file: $0, line: $1) },
      { try guests.expectBody(of: list, isAt: url, file: $0, line: $1) },
      { try guests.expectRoundTrip(payload, file: $0, line: $1) },
      { try guests.expectSound(list: list, file: $0, line: $1) },
      { _ = try Fixtures().data("none", file: $0, line: $1) },
    ] {
      let failure = #expect(throws: StoreTestFailure.self) { try expectation("/app/U.swift", 7) }
      #expect(failure?.file == "/app/U.swift" && failure?.line == 7)
      #expect(failure?.description.hasPrefix("/app/U.swift:7: \(failure?.title ?? "")") == true)
    }
    let failure = #expect(throws: StoreTestFailure.self) {
      try guests.expectSound(list: list, file: "/app/U.swift", line: 7)
    }
    #expect(
      failure?.localizedDescription
        == "/app/U.swift:7: the list of Guest is empty; the test needs at least one element")
  }
}

private final class Owner: Object {
  @Persisted var name = ""
  @Persisted var thing: Restless?
}

private final class Book: Object {
  @Persisted(primaryKey: true) var title: String
}

private final class Box: EmbeddedObject {
  @Persisted var title = ""
}

private final class Shelf: Object {
  @Persisted(primaryKey: true) var id: Int
  @Persisted(json: "at.city") var city = ""
  @Persisted(json: "/sizes/0/w") var width = 0
  @Persisted(json: "/sizes/1/h") var height = 0
  @Persisted var books: Map<String, Book?>
  @Persisted var raw = ""
  @Persisted var box: Box?

  override class var codableRawJsonSubstrings: [String] { ["raw"] }
  override class var listEnvelope: String? { "/data/1/shelves" }
}

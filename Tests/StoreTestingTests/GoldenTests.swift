import Foundation
import ObjectStore
import StoreTesting
import TestSupport
import Testing

private final class Guest: Object {
  @Persisted(primaryKey: true) var id: Int
  @Persisted(json: "born_on") var born: Date?
  @Persisted var photo: Data?
  @Persisted var price: Decimal?
  @Persisted var code: UUID?
  @Persisted var anything: JSONValue?
  @Persisted var tags: List<String>
  @Persisted var friends: List<Guest>
}

@Suite struct `Files that are expected` {
  private let guests = MappingTest(Guest.self, environment: [:])
  private let folder: TemporaryFolder

  init() throws {
    folder = try TemporaryFolder()
  }

  private func data(_ text: String) -> Data { Data(text.utf8) }

  private func text(_ url: URL) throws -> String { try String(contentsOf: url, encoding: .utf8) }

  @Test func `are written once, and compared`() throws {
    let payload = data(
      #"""
      {"id": 1, "born_on": "2000-01-01T00:00:00Z", "photo": "AQI=", "price": 1.50,
       "code": "00000000-0000-4000-8000-00000000000A", "anything": {"b": [1, null]},
       "friends": [{"id": 2, "tags": []}]}
      """#)
    let golden = folder.file("goldens/update.json")
    #expect(
      told { try guests.expectUpdate(from: payload, isAt: golden) }
        == "the update of Guest was written to \(golden.path): look at it, and keep it")
    #expect(
      try text(golden) == """
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
      told { try guests.expectUpdate(from: data(#"{"id": 1, "price": 2}"#), isAt: golden) }
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

  @Test func `may be bodies`() throws {
    let golden = folder.file("body.json")
    let payload = data(#"{"id": 7, "price": 2}"#)
    #expect(
      told { try guests.expectBody(of: payload, isAt: golden) }
        == "the body of Guest was written to \(golden.path): look at it, and keep it")
    try guests.expectBody(of: payload, isAt: golden)
  }

  @Test func `have dates as exactly as the payload`() throws {
    func payload(_ fractions: some Sequence<String>) -> Data {
      let friends = fractions.enumerated().map {
        #"{"id": \#($0), "born_on": "2026-01-01T00:00:00.\#($1)Z"}"#
      }
      return data(#"{"id": -1, "friends": [\#(friends.joined(separator: ","))]}"#)
    }
    let golden = folder.file("dates.json")
    let fractions = (0..<1_000).map { String("00\($0)".suffix(3)) }
    _ = told { try guests.expectUpdate(from: payload(fractions), isAt: golden) }
    let written = try text(golden)
    #expect(fractions.filter { !written.contains(":00.\($0)Z\"") } == [])
    let later = fractions.dropFirst() + ["000"]
    #expect(
      told { try guests.expectUpdate(from: payload(later), isAt: golden) }
        .hasSuffix("\n  and 980 more"))
    try FileManager.default.removeItem(at: golden)
    _ = told { try guests.expectUpdate(from: payload(["0001"]), isAt: golden) }
    #expect(
      told { try guests.expectUpdate(from: payload(["0009"]), isAt: golden) } == """
        the update of Guest is not as dates.json says:
          friends[0].born: expected "2026-01-01T00:00:00.000100Z", found "2026-01-01T00:00:00.000900Z"
        """)
  }

  // MARK: - Recording

  @Test(arguments: ["1", "true", "YES"]) func `are written anew, and the test fails meanwhile`(
    _ value: String
  ) throws {
    let golden = folder.file("body.json")
    let recording = MappingTest(Guest.self, environment: ["STORE_TESTING_RECORD": value])
    let message =
      "the body of Guest was written to \(golden.path): look at it, and run the tests without "
      + "STORE_TESTING_RECORD"
    for id in [1, 2] {
      #expect(
        told { try recording.expectBody(of: data(#"{"id": \#(id)}"#), isAt: golden) } == message)
      #expect(try text(golden).hasPrefix("{\n  \"id\": \(id),\n"))
    }
    // What is the same is not written, so that the next expectation of a test has its turn.
    try recording.expectBody(of: data(#"{"id": 2}"#), isAt: golden)
    try guests.expectBody(of: data(#"{"id": 2}"#), isAt: golden)
  }

  @Test(arguments: ["", "0", "false", "no"])
  func `are not written anew for a variable that says no`(
    _ value: String
  ) throws {
    let golden = folder.file("body.json")
    try data("{}").write(to: golden)
    let test = MappingTest(Guest.self, environment: ["STORE_TESTING_RECORD": value, "CI": value])
    #expect(
      told { try test.expectBody(of: data(#"{"id": 1}"#), isAt: golden) }
        .hasPrefix("the body of Guest is not as body.json says:"))
    #expect(try text(golden) == "{}")
  }

  @Test(arguments: [
    ["CI": "true"], ["TF_BUILD": "True"], ["TEAMCITY_VERSION": "2025.1"],
    ["JENKINS_URL": "http://ci.local"],
  ])
  func `are never written on CI`(_ environment: [String: String]) throws {
    let golden = folder.file("body.json")
    let payload = data(#"{"id": 1}"#)
    let message =
      "the body of Guest was not written to \(golden.path): the environment says that this is CI, "
      + "where nobody would look at it"
    let test = MappingTest(Guest.self, environment: environment)
    #expect(told { try test.expectBody(of: payload, isAt: golden) } == message)
    #expect(!FileManager.default.fileExists(atPath: golden.path))

    _ = told { try guests.expectBody(of: payload, isAt: golden) }
    try test.expectBody(of: payload, isAt: golden)
    let recording = MappingTest(
      Guest.self, environment: environment.merging(["STORE_TESTING_RECORD": "1"]) { $1 })
    try recording.expectBody(of: payload, isAt: golden)
    #expect(told { try recording.expectBody(of: data(#"{"id": 2}"#), isAt: golden) } == message)
    try test.expectBody(of: payload, isAt: golden)
  }

  @Test(arguments: ["Tests.resources", "Tests.xctest/Contents/Resources", "Shop_Tests.bundle"])
  func `are compared in a bundle, and never written there`(_ bundle: String) throws {
    let golden = folder.file("\(bundle)/goldens/body.json")
    let payload = data(#"{"id": 1}"#)
    let recording = MappingTest(Guest.self, environment: ["STORE_TESTING_RECORD": "1"])
    for test in [guests, recording] {
      #expect(
        told { try test.expectBody(of: payload, isAt: golden) }
          == "the body of Guest has nothing to be compared with: \(golden.path) is not there, and in a "
          + "bundle nothing is written: record it beside the test's source")
    }
    #expect(!FileManager.default.fileExists(atPath: golden.deletingLastPathComponent().path))

    try FileManager.default.createDirectory(
      at: golden.deletingLastPathComponent(), withIntermediateDirectories: true)
    try data(#"{"id": 1, "tags": [], "friends": []}"#).write(to: golden)
    try recording.expectBody(of: payload, isAt: golden)
    #expect(
      told { try recording.expectBody(of: data(#"{"id": 2}"#), isAt: golden) } == """
        the body of Guest is not as body.json says:
          id: expected 1, found 2
        """)
  }

  @Test func `are no bundle's where the test is in the same folder`() throws {
    let golden = URL(filePath: "/dev/null/shop.app/Tests/body.json")
    let recording = MappingTest(Guest.self, environment: ["STORE_TESTING_RECORD": "1"])
    let failure = #expect(throws: StoreTestFailure.self) {
      try recording.expectBody(
        of: data(#"{"id": 1}"#), isAt: golden, file: "/dev/null/shop.app/Tests/BodyTests.swift")
    }
    #expect(
      failure?.title == "the body of Guest cannot be written to \(golden.path): Not a directory")
  }

  // MARK: - Failures of the file system

  @Test func `that cannot be read are left as they are`() throws {
    let payload = data(#"{"id": 1}"#)
    let directory = folder.file("body.json")
    try FileManager.default.createDirectory(at: directory, withIntermediateDirectories: true)
    let loop = folder.file("loop.json")
    try FileManager.default.createSymbolicLink(at: loop, withDestinationURL: loop)
    for (golden, reason) in [
      (directory, "Is a directory"), (loop, "Too many levels of symbolic links"),
    ] {
      #expect(
        told { try guests.expectBody(of: payload, isAt: golden) }
          == "the body of Guest has nothing to be compared with: \(golden.path) cannot be read: "
          + reason)
    }
    let recording = MappingTest(Guest.self, environment: ["STORE_TESTING_RECORD": "1"])
    #expect(
      told { try recording.expectBody(of: payload, isAt: directory) }
        == "the body of Guest cannot be written to \(directory.path): Is a directory")
  }

  @Test func `that are no JSON are told`() throws {
    let golden = folder.file("body.json")
    try data("{").write(to: golden)
    #expect(
      told { try guests.expectBody(of: data(#"{"id": 1}"#), isAt: golden) }
        .hasPrefix("body.json is no JSON: line 1, column 2: "))
  }
}

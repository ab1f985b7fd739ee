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

@Suite struct `Files with expected results` {
  private let guests = MappingTest(Guest.self, environment: [:])
  private let folder: TemporaryFolder

  init() throws {
    folder = try TemporaryFolder()
  }

  private func data(_ text: String) -> Data { Data(text.utf8) }

  private func text(_ url: URL) throws -> String { try String(contentsOf: url, encoding: .utf8) }

  @Test func `a missing file with an expected update is recorded once and then compared`() throws {
    let payload = data(
      #"""
      {"id": 1, "born_on": "2000-01-01T00:00:00Z", "photo": "AQI=", "price": 1.50,
       "code": "00000000-0000-4000-8000-00000000000A", "anything": {"b": [1, null]},
       "friends": [{"id": 2, "tags": []}]}
      """#)
    let golden = folder.file("goldens/update.json")
    #expect(
      failureMessage { try guests.expectUpdate(from: payload, isAt: golden) }
        == "the update of Guest was written to \(golden.path): review it, and commit it")
    #expect(
      try text(golden) == """
        {
          "id": 1,
          "born": "2000-01-01T00:00:00Z",
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
      failureMessage {
        try guests.expectUpdate(from: data(#"{"id": 1, "price": 2}"#), isAt: golden)
      }
        == """
        the update of Guest differs from update.json:
          born: missing; expected "2000-01-01T00:00:00Z"
          photo: missing; expected "AQI="
          price: expected 1.5, found 2
          code: missing; expected "00000000-0000-4000-8000-00000000000a"
          anything: missing; expected an object of b
          friends: missing; expected an array of 1
        """)
  }

  @Test func `a missing file with an expected body is recorded once and then compared`() throws {
    let golden = folder.file("body.json")
    let payload = data(#"{"id": 7, "price": 2}"#)
    #expect(
      failureMessage { try guests.expectBody(of: payload, isAt: golden) }
        == "the body of Guest was written to \(golden.path): review it, and commit it")
    try guests.expectBody(of: payload, isAt: golden)
  }

  @Test func `recorded dates keep all fractional digits of the payload`() throws {
    func payload(_ fractions: some Sequence<String>) -> Data {
      let friends = fractions.enumerated().map {
        #"{"id": \#($0), "born_on": "2026-01-01T00:00:00.\#($1)Z"}"#
      }
      return data(#"{"id": -1, "friends": [\#(friends.joined(separator: ","))]}"#)
    }
    let golden = folder.file("dates.json")
    let fractions = (0..<1_000).map { String("00\($0)".suffix(3)) }
    _ = failureMessage { try guests.expectUpdate(from: payload(fractions), isAt: golden) }
    let written = try text(golden)
    #expect(fractions.dropFirst().filter { !written.contains(":00.\($0)Z\"") } == [])
    #expect(written.contains(#""2026-01-01T00:00:00Z""#))
    let later = fractions.dropFirst() + ["000"]
    #expect(
      failureMessage { try guests.expectUpdate(from: payload(later), isAt: golden) }
        .hasSuffix("\n  and 980 more"))
    try FileManager.default.removeItem(at: golden)
    _ = failureMessage { try guests.expectUpdate(from: payload(["0001"]), isAt: golden) }
    #expect(
      failureMessage { try guests.expectUpdate(from: payload(["0009"]), isAt: golden) } == """
        the update of Guest differs from dates.json:
          friends[0].born: expected "2026-01-01T00:00:00.000100Z", found "2026-01-01T00:00:00.000900Z"
        """)
  }

  // MARK: - Recording

  @Test(arguments: ["1", "true", "YES"])
  func `a file that differs is rewritten and the test fails while recording is on`(
    _ value: String
  ) throws {
    let golden = folder.file("body.json")
    let recording = MappingTest(Guest.self, environment: ["STORE_TESTING_RECORD": value])
    let message =
      "the body of Guest was written to \(golden.path): review it, and run the tests without "
      + "STORE_TESTING_RECORD"
    for id in [1, 2] {
      #expect(
        failureMessage { try recording.expectBody(of: data(#"{"id": \#(id)}"#), isAt: golden) }
          == message)
      #expect(try text(golden).hasPrefix("{\n  \"id\": \(id)\n}"))
    }
    // An equal file is not rewritten, so that the test continues with its next expectation.
    try recording.expectBody(of: data(#"{"id": 2}"#), isAt: golden)
    try guests.expectBody(of: data(#"{"id": 2}"#), isAt: golden)
  }

  @Test(arguments: ["", "0", "false", "no"])
  func `a recording variable that is empty, 0, false or no does not rewrite files`(
    _ value: String
  ) throws {
    let golden = folder.file("body.json")
    try data("{}").write(to: golden)
    let test = MappingTest(Guest.self, environment: ["STORE_TESTING_RECORD": value, "CI": value])
    #expect(
      failureMessage { try test.expectBody(of: data(#"{"id": 1}"#), isAt: golden) }
        .hasPrefix("the body of Guest differs from body.json:"))
    #expect(try text(golden) == "{}")
  }

  @Test(arguments: [
    ["CI": "true"], ["TF_BUILD": "True"], ["TEAMCITY_VERSION": "2025.1"],
    ["JENKINS_URL": "http://ci.local"],
  ])
  func `nothing is recorded on CI`(_ environment: [String: String]) throws {
    let golden = folder.file("body.json")
    let payload = data(#"{"id": 1}"#)
    let message =
      "the body of Guest was not written to \(golden.path): recording is disabled, because "
      + "the environment indicates CI; run the test locally and commit the file"
    let test = MappingTest(Guest.self, environment: environment)
    #expect(failureMessage { try test.expectBody(of: payload, isAt: golden) } == message)
    #expect(!FileManager.default.fileExists(atPath: golden.path))

    _ = failureMessage { try guests.expectBody(of: payload, isAt: golden) }
    try test.expectBody(of: payload, isAt: golden)
    let recording = MappingTest(
      Guest.self, environment: environment.merging(["STORE_TESTING_RECORD": "1"]) { $1 })
    try recording.expectBody(of: payload, isAt: golden)
    #expect(
      failureMessage { try recording.expectBody(of: data(#"{"id": 2}"#), isAt: golden) } == message)
    try test.expectBody(of: payload, isAt: golden)
  }

  @Test(arguments: ["Tests.resources", "Tests.xctest/Contents/Resources", "Shop_Tests.bundle"])
  func `files in a bundle are compared and never recorded`(_ bundle: String) throws {
    let golden = folder.file("\(bundle)/goldens/body.json")
    let payload = data(#"{"id": 1}"#)
    let recording = MappingTest(Guest.self, environment: ["STORE_TESTING_RECORD": "1"])
    for test in [guests, recording] {
      #expect(
        failureMessage { try test.expectBody(of: payload, isAt: golden) }
          == "the body of Guest cannot be compared: \(golden.path) does not exist, and files in a "
          + "bundle are not recorded; record it next to the test's source")
    }
    #expect(!FileManager.default.fileExists(atPath: golden.deletingLastPathComponent().path))

    try FileManager.default.createDirectory(
      at: golden.deletingLastPathComponent(), withIntermediateDirectories: true)
    try data(#"{"id": 1}"#).write(to: golden)
    try recording.expectBody(of: payload, isAt: golden)
    #expect(
      failureMessage { try recording.expectBody(of: data(#"{"id": 2}"#), isAt: golden) } == """
        the body of Guest differs from body.json:
          id: expected 1, found 2
        """)
  }

  @Test
  func `a folder that looks like a bundle does not prevent recording if it contains the test`()
    throws
  {
    let golden = URL(filePath: "/dev/null/shop.app/Tests/body.json")
    let recording = MappingTest(Guest.self, environment: ["STORE_TESTING_RECORD": "1"])
    let failure = #expect(throws: StoreTestFailure.self) {
      try recording.expectBody(
        of: data(#"{"id": 1}"#), isAt: golden, file: "/dev/null/shop.app/Tests/BodyTests.swift")
    }
    #expect(
      failure?.title == "the body of Guest cannot be written to \(golden.path): Not a directory")
  }

  // MARK: - File system errors

  @Test func `a file that cannot be read fails the test and is not rewritten`() throws {
    let payload = data(#"{"id": 1}"#)
    let directory = folder.file("body.json")
    try FileManager.default.createDirectory(at: directory, withIntermediateDirectories: true)
    let loop = folder.file("loop.json")
    try FileManager.default.createSymbolicLink(at: loop, withDestinationURL: loop)
    for (golden, reason) in [
      (directory, "Is a directory"), (loop, "Too many levels of symbolic links"),
    ] {
      #expect(
        failureMessage { try guests.expectBody(of: payload, isAt: golden) }
          == "the body of Guest cannot be compared: \(golden.path) cannot be read: "
          + reason)
    }
    let recording = MappingTest(Guest.self, environment: ["STORE_TESTING_RECORD": "1"])
    #expect(
      failureMessage { try recording.expectBody(of: payload, isAt: directory) }
        == "the body of Guest cannot be written to \(directory.path): Is a directory")
  }

  @Test func `a file that is not valid JSON fails the test with line and column`() throws {
    let golden = folder.file("body.json")
    try data("{").write(to: golden)
    #expect(
      failureMessage { try guests.expectBody(of: data(#"{"id": 1}"#), isAt: golden) }
        .hasPrefix("body.json is not valid JSON: line 1, column 2: "))
  }
}

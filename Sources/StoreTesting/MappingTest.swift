public import Foundation
public import ObjectStore
public import StoreCoding

/// Tests of how the JSON of a class maps to its attributes.
///
///     let users = MappingTest(User.self)
///     try users.check()
///     try users.expectUpdate(from: payload, is: ["objId": "u1", "address": nil])
///     try users.expectBody(of: payload, isAt: fixtures.url("user-body.json"))
///
/// Each call has a store of its own, in memory. What is not as expected is thrown, a ``StoreTestFailure`` with
/// the differences by path: so the same test works in Swift Testing and in XCTest.
public struct MappingTest<T: Object> {
  private let configuration: StoreCoder.Configuration

  /// Tests of a class, by a coder with the app's configuration.
  public init(_ type: T.Type, configuration: StoreCoder.Configuration = .default) {
    self.configuration = configuration
  }

  private func makeCoder() throws -> StoreCoder {
    StoreCoder(store: try Store(isolation: nil), configuration: configuration)
  }

  // MARK: - Declarations

  /// Expects that the declarations of the class, and of all that it leads to, are sound.
  /// - Throws: `StoreCodingError` with all mistakes.
  public func check() throws {
    try makeCoder().check(T.self)
  }

  // MARK: - What a payload changes

  /// Expects that a payload with one object changes just these attributes to these values.
  public func expectUpdate(from payload: Data, is expected: UpdateDictionary) throws {
    let found = try makeCoder().updateDictionary(for: T.self, from: payload)
    if found == expected { return }
    try fail(
      "the update of \(T.self)",
      JSONDifference(expected: JSONTree(expected), found: JSONTree(found)),
      otherwise: "the types of values")
  }

  /// Expects that a payload with one object changes what a file says, as JSON by the names of attributes:
  /// dates as ISO 8601 with milliseconds, bytes as base64.
  ///
  /// A file that is not there is written and the expectation fails: look at it, and keep it. With
  /// `STORE_TESTING_RECORD=1` in the environment it is written anew.
  public func expectUpdate(from payload: Data, isAt golden: URL) throws {
    let found = try makeCoder().updateDictionary(for: T.self, from: payload)
    try compare("the update of \(T.self)", JSONTree(found), golden)
  }

  // MARK: - What is sent

  /// Expects that an object is written as this JSON.
  public func expectBody(of object: T, is expected: Data, useEnvelope: Bool = false) throws {
    let found = try makeCoder().encode(object, useEnvelope: useEnvelope)
    try fail("the body of \(T.self)", JSONDifference(expected: expected, found: found))
  }

  /// Expects that the object of a payload is written as a file says; see ``expectUpdate(from:isAt:)`` for
  /// one that is not there.
  public func expectBody(of payload: Data, isAt golden: URL, useEnvelope: Bool = false) throws {
    let coder = try makeCoder()
    let object = try coder.decode(T.self, from: payload)
    let found = try coder.encode(object, useEnvelope: useEnvelope)
    try compare("the body of \(T.self)", JSONTree(found, of: "the body"), golden)
  }

  /// Expects that a payload with one object is written again as it was read: that each of its keys is
  /// mapped, and nothing is added.
  public func expectRoundTrip(_ payload: Data) throws {
    let coder = try makeCoder()
    let object = try coder.decode(T.self, from: payload)
    let found = try coder.encode(object, useEnvelope: true)
    try fail("the round trip of \(T.self)", JSONDifference(expected: payload, found: found))
  }

  // MARK: - What a payload does to a store

  /// Expects that a payload with a list is read without an issue, and that reading it again changes nothing.
  /// - Returns: How many objects it has.
  @discardableResult
  public func expectSound(list payload: Data) throws -> Int {
    let coder = try makeCoder()
    let result = try coder.read([T].self, from: payload)
    if !result.issues.isEmpty {
      throw StoreTestFailure(
        "the list of \(T.self) has \(result.issueCount) "
          + (result.issueCount == 1 ? "issue" : "issues"), result.issues.map { "\($0)" })
    }
    let version = coder.store.version
    let again = try coder.read([T].self, from: payload)
    guard coder.store.version == version else {
      throw StoreTestFailure(
        "the list of \(T.self) changes something when it is read again",
        zip(again.objects, again.outcomes).enumerated().compactMap { index, pair in
          pair.1 == .unchanged ? nil : "[\(index)]: \(pair.1)"
        })
    }
    return result.objects.count
  }

  // MARK: - Failing

  private func fail(
    _ what: String, _ difference: JSONDifference, says whom: String = "expected",
    otherwise: String? = nil
  ) throws {
    let title = "\(what) is not as \(whom):"
    if !difference.isEmpty { throw StoreTestFailure(title, difference.lines) }
    if let otherwise { throw StoreTestFailure("\(title) \(otherwise) differ") }
  }

  private func compare(_ what: String, _ found: JSONTree, _ golden: URL) throws {
    let isRecording = ProcessInfo.processInfo.environment["STORE_TESTING_RECORD"] == "1"
    guard !isRecording, let expected = try? Data(contentsOf: golden) else {
      try FileManager.default.createDirectory(
        at: golden.deletingLastPathComponent(), withIntermediateDirectories: true)
      try Data((found.pretty + "\n").utf8).write(to: golden)
      if isRecording { return }
      throw StoreTestFailure("\(what) was written to \(golden.path): look at it, and keep it")
    }
    let difference = JSONDifference(
      expected: try JSONTree(expected, of: golden.lastPathComponent), found: found)
    try fail(what, difference, says: "\(golden.lastPathComponent) says")
  }
}

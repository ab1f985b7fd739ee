public import Foundation
public import ObjectStore
public import StoreCoding

/// Tests the mapping between the JSON of a class and its attributes.
///
///     let users = MappingTest(User.self)
///     try users.check()
///     try users.expectUpdate(from: payload, is: ["objId": "u1", "address": nil])
///     try users.expectBody(of: payload, isAt: fixtures.url("user-body.json"))
///
/// Each call uses a new store in memory. A failed expectation throws a ``StoreTestFailure`` with its source line
/// and the differences by path, so the same test works in Swift Testing and XCTest.
///
/// An expectation that reads a payload also fails if reading reports issues (`ReadResult.issues`), such as values
/// that a lenient coder skips, unless it is called with `allowingIssues: true`.
public struct MappingTest<T: Object>: Sendable {
  private let configuration: StoreCoder.Configuration
  private let environment: [String: String]

  /// Creates tests of a class.
  /// - Parameters:
  ///   - type: The class.
  ///   - configuration: The configuration of the coder that the app uses.
  public init(_ type: T.Type, configuration: StoreCoder.Configuration = .default) {
    self.init(
      type, configuration: configuration, environment: ProcessInfo.processInfo.environment)
  }

  /// - Parameter environment: The environment variables that control the recording of files.
  package init(
    _ type: T.Type, configuration: StoreCoder.Configuration = .default,
    environment: [String: String]
  ) {
    self.configuration = configuration
    self.environment = environment
  }

  private func makeCoder() throws -> StoreCoder {
    StoreCoder(store: try Store(isolation: nil), configuration: configuration)
  }

  // MARK: - Declarations

  /// Expects that the declarations of the class, and of all classes that it links to, are valid.
  /// - Throws: ``StoreTestFailure`` with the mistakes.
  public func check(file: StaticString = #filePath, line: UInt = #line) throws {
    try StoreTestFailure.expecting(at: file, line) {
      let coder = try makeCoder()
      do {
        try coder.check(T.self)
      } catch let error as StoreCodingError {
        guard case .invalidDeclarations(let mistakes) = error.kind else { throw error }
        throw StoreTestFailure(
          "the declarations of \(T.self) have \(Self.count(mistakes.count, "mistake")):",
          FirstLines(mistakes).lines)
      }
    }
  }

  // MARK: - Updates

  /// Expects that a payload with one object sets exactly these attributes to these values.
  ///
  /// The types must match those of the attributes: 3 is an Int, 3.0 a Double.
  /// - Throws: ``StoreTestFailure``.
  public func expectUpdate(
    from payload: Data, is expected: UpdateDictionary, allowingIssues: Bool = false,
    file: StaticString = #filePath, line: UInt = #line
  ) throws {
    let what = "the update of \(T.self)"
    try StoreTestFailure.expecting(at: file, line) {
      let found = try update(what, payload, allowingIssues)
      try JSONDifference(expected: JSONTree(typed: expected), found: JSONTree(typed: found))
        .check("\(what) is not as expected:")
    }
  }

  /// Expects that a payload with one object sets exactly the attributes in a file, to the values in the file. The
  /// file is JSON with the names of attributes as keys, dates in ISO 8601, and bytes in base64.
  ///
  /// If the file does not exist, it is written, and the expectation fails: review and commit the file. With
  /// `STORE_TESTING_RECORD=1` in the environment, a file that differs is rewritten, and the expectation fails. Nothing
  /// is written if the environment indicates CI, or if the file is in a bundle.
  /// - Throws: ``StoreTestFailure``.
  public func expectUpdate(
    from payload: Data, isAt golden: URL, allowingIssues: Bool = false,
    file: StaticString = #filePath, line: UInt = #line
  ) throws {
    let what = "the update of \(T.self)"
    try StoreTestFailure.expecting(at: file, line) {
      let found = try update(what, payload, allowingIssues)
      try compare(what, JSONTree(found), golden, file)
    }
  }

  private func update(
    _ what: String, _ payload: Data, _ allowingIssues: Bool
  ) throws -> UpdateDictionary {
    // `updateDictionary` reports no issues, so the payload is also read, into a temporary store.
    _ = try object(what, payload, allowingIssues, by: makeCoder())
    return try Self.decoding(what) { try makeCoder().updateDictionary(for: T.self, from: payload) }
  }

  // MARK: - Bodies

  /// Expects that an object is encoded as this JSON.
  /// - Throws: ``StoreTestFailure``.
  public func expectBody(
    of object: T, is expected: Data, useEnvelope: Bool = false,
    file: StaticString = #filePath, line: UInt = #line
  ) throws {
    let what = "the body of \(T.self)"
    try StoreTestFailure.expecting(at: file, line) {
      let found = try encode(what, object, by: makeCoder(), useEnvelope)
      try JSONDifference(expected: expected, found: found).check("\(what) is not as expected:")
    }
  }

  /// Expects that the object of a payload is encoded as the JSON in a file. A missing file is recorded as in
  /// ``expectUpdate(from:isAt:allowingIssues:file:line:)``.
  /// - Throws: ``StoreTestFailure``.
  public func expectBody(
    of payload: Data, isAt golden: URL, useEnvelope: Bool = false, allowingIssues: Bool = false,
    file: StaticString = #filePath, line: UInt = #line
  ) throws {
    let what = "the body of \(T.self)"
    try StoreTestFailure.expecting(at: file, line) {
      let coder = try makeCoder()
      let object = try object(what, payload, allowingIssues, by: coder)
      let found = try encode(what, object, by: coder, useEnvelope)
      try compare(what, JSONTree(found, of: "the body"), golden, file)
    }
  }

  /// Expects that encoding the object of a payload returns the same JSON: each key is mapped, and none is added.
  /// - Throws: ``StoreTestFailure``.
  public func expectRoundTrip(
    _ payload: Data, allowingIssues: Bool = false,
    file: StaticString = #filePath, line: UInt = #line
  ) throws {
    let what = "the round trip of \(T.self)"
    try StoreTestFailure.expecting(at: file, line) {
      let coder = try makeCoder()
      let object = try object(what, payload, allowingIssues, by: coder)
      let found = try encode(what, object, by: coder, true)
      try JSONDifference(expected: payload, found: found).check("\(what) is not as expected:")
    }
  }

  // MARK: - Lists

  /// Expects that a payload has a list with elements, that it is read without issues, that an attribute reads each key
  /// of its objects, and that reading it again changes nothing.
  ///
  /// A key that no attribute reads was usually renamed, in the payload or in the class. To ignore known keys that the
  /// app does not use, pass their paths from an element of the list in `ignored`: `"nick"`, `"friends.nick"`; the name
  /// of a member of a map is `*`. Keys below them are ignored as well. `allowingUnknownKeys` ignores all. Keys outside the class's envelope are not
  /// checked.
  /// - Returns: The number of objects in the payload, at least one.
  /// - Throws: ``StoreTestFailure``.
  @discardableResult
  public func expectSound(
    list payload: Data, ignoring ignored: [String] = [], allowingUnknownKeys: Bool = false,
    allowingIssues: Bool = false, file: StaticString = #filePath, line: UInt = #line
  ) throws -> Int {
    let what = "the list of \(T.self)"
    return try StoreTestFailure.expecting(at: file, line) {
      let coder = try makeCoder()
      let result = try Self.decoding(what) { try coder.read([T].self, from: payload) }
      if !allowingIssues { try Self.checkIssues(what, result) }
      guard !result.objects.isEmpty else {
        throw StoreTestFailure("\(what) is empty; the test needs at least one element")
      }
      if !allowingUnknownKeys {
        try checkKeys(what, coder.audit([T].self, from: payload).unreadKeys, ignored)
      }
      let before = coder.store.holdVersion()
      _ = try Self.decoding(what) { try coder.read([T].self, from: payload) }
      try checkUnchanged(what, coder.store.changes(since: before))
      return result.objects.count
    }
  }

  private func checkKeys(_ what: String, _ keys: [Audit.Key], _ ignored: [String]) throws {
    let unknown = keys.filter { key in
      !ignored.contains { key.path == $0 || key.path.hasPrefix("\($0).") }
    }.sorted { ($0.first.line, $0.first.column) < ($1.first.line, $1.first.column) }
    guard unknown.isEmpty else {
      let lines = unknown.map { "\($0.path): first at \($0.first.location), found \($0.found)" }
      throw StoreTestFailure(
        "\(what) has \(Self.count(unknown.count, "key")) that no attribute reads:",
        FirstLines(lines).lines)
    }
  }

  private func checkUnchanged(_ what: String, _ changes: Store.Changes) throws {
    let lines = changes.classes.flatMap { changed in
      func lines(_ keys: [UpdateValue], _ what: String) -> [String] {
        keys.map { "\(changed.className)\($0 == .null ? "" : " \($0)"): \(what)" }
      }
      return lines(changed.inserted, "inserted") + lines(changed.deleted, "deleted")
        + changed.modified.flatMap { lines([$0.key], $0.attributes.joined(separator: ", ")) }
    }
    guard lines.isEmpty else {
      throw StoreTestFailure(
        "\(what) changes the store when it is read again:", FirstLines(lines).lines)
    }
  }

  // MARK: - Reading and writing

  /// Reads the object of a payload.
  private func object(
    _ what: String, _ payload: Data, _ allowingIssues: Bool, by coder: StoreCoder
  ) throws -> T {
    let result = try Self.decoding(what) { try coder.read(T.self, from: payload) }
    if !allowingIssues { try Self.checkIssues(what, result) }
    return result.objects[0]
  }

  private static func decoding<R>(_ what: String, _ body: () throws -> R) throws -> R {
    do {
      return try body()
    } catch {
      throw StoreTestFailure("\(what): the payload is refused:", lines(error))
    }
  }

  private static func checkIssues(_ what: String, _ result: ReadResult<T>) throws {
    guard result.issueCount > 0 else { return }
    throw StoreTestFailure(
      "\(what): reading the payload has \(count(result.issueCount, "issue")):",
      FirstLines(result.issues.map { "\($0)" }, of: result.issueCount).lines)
  }

  private func encode(
    _ what: String, _ object: T, by coder: StoreCoder, _ useEnvelope: Bool
  ) throws -> Data {
    do {
      return try coder.encode(object, useEnvelope: useEnvelope)
    } catch {
      throw StoreTestFailure("\(what): the object cannot be written:", Self.lines(error))
    }
  }

  private func compare(
    _ what: String, _ found: JSONTree, _ golden: URL, _ source: StaticString
  ) throws {
    try Golden(golden, source: "\(source)", environment: environment).compare(what, found)
  }

  /// The first lines of an error's description.
  private static func lines(_ error: any Error) -> [String] {
    FirstLines("\(error)".split(separator: "\n").map(String.init)).lines
  }

  private static func count(_ count: Int, _ noun: String) -> String {
    "\(count) \(noun)\(count == 1 ? "" : "s")"
  }
}

import Foundation

/// A file that says what is expected, and may be written by the test itself.
struct Golden {
  private let url: URL
  private let environment: [String: String]
  /// Whether it is a copy that a build made of the file in the repository.
  private let isInBundle: Bool

  /// - Parameter source: The file of the test.
  init(_ url: URL, source: String, environment: [String: String]) {
    self.url = url
    self.environment = environment
    // A folder around the test, too, may be called `shop.app`.
    let path = url.resolvingSymlinksInPath().pathComponents
    let around = URL(filePath: source).resolvingSymlinksInPath().pathComponents
    let common = zip(path, around).prefix { $0 == $1 }.count
    isInBundle = path[common...].dropLast().contains { name in
      Self.bundles.contains { name.hasSuffix($0) }
    }
  }

  private static let bundles = [".bundle", ".resources", ".xctest", ".app", ".appex", ".framework"]

  private func isSet(_ names: String...) -> Bool {
    names.contains {
      !["", "0", "false", "no"].contains(environment[$0, default: ""].lowercased())
    }
  }

  private var isRecording: Bool { isSet("STORE_TESTING_RECORD") && !isInBundle }

  private var isCI: Bool { isSet("CI", "TF_BUILD", "TEAMCITY_VERSION", "JENKINS_URL") }

  /// Compares what was found with what the file says; writes a file that is not there, or that
  /// says something else while the environment asks for it.
  /// - Throws: ``StoreTestFailure`` for a difference, and whenever it writes.
  func compare(_ what: String, _ found: JSONTree) throws {
    if isRecording {
      if let known = try? Data(contentsOf: url), known == Self.text(found) { return }
      try record(what, found)
      throw StoreTestFailure(
        "\(what) was written to \(url.path): look at it, and run the tests without "
          + "STORE_TESTING_RECORD")
    }
    guard let expected = try read(what) else {
      if isInBundle {
        throw StoreTestFailure(
          "\(what) has nothing to be compared with: \(url.path) is not there, and in a bundle nothing "
            + "is written: record it beside the test's source")
      }
      try record(what, found)
      throw StoreTestFailure("\(what) was written to \(url.path): look at it, and keep it")
    }
    let name = url.lastPathComponent
    try JSONDifference(expected: JSONTree(expected, of: name), found: found)
      .check("\(what) is not as \(name) says:")
  }

  /// What the file has; nil if it is not there.
  private func read(_ what: String) throws -> Data? {
    do {
      return try Data(contentsOf: url)
    } catch {
      if error.isMissingFile { return nil }
      throw StoreTestFailure(
        "\(what) has nothing to be compared with: \(url.path) cannot be read: \(error.reason)")
    }
  }

  private static func text(_ found: JSONTree) -> Data { Data((found.pretty + "\n").utf8) }

  private func record(_ what: String, _ found: JSONTree) throws {
    if isCI {
      throw StoreTestFailure(
        "\(what) was not written to \(url.path): the environment says that this is CI, where nobody "
          + "would look at it")
    }
    do {
      try FileManager.default.createDirectory(
        at: url.deletingLastPathComponent(), withIntermediateDirectories: true)
      try Self.text(found).write(to: url)
    } catch {
      throw StoreTestFailure("\(what) cannot be written to \(url.path): \(error.reason)")
    }
  }
}

extension Error {
  /// Whether a file could not be read because there is none.
  var isMissingFile: Bool {
    let code = (self as? CocoaError)?.code
    return code == .fileReadNoSuchFile || code == .fileNoSuchFile
  }
}

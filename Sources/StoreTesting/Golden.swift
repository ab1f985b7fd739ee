import Foundation

/// A file with the expected result, which the test itself can record.
struct Golden {
  private let url: URL
  private let environment: [String: String]
  /// True if the file is in a bundle: a copy, made by the build, of the file in the repository.
  private let isInBundle: Bool

  /// - Parameter source: The path of the test's source file.
  init(_ url: URL, source: String, environment: [String: String]) {
    self.url = url
    self.environment = environment
    // Folders that also contain the test's source are ignored: one of them may be called `shop.app`.
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

  /// Compares a result with the file. Writes the file if it does not exist, or if it differs and the environment
  /// requests recording; never in CI or in a bundle.
  /// - Throws: ``StoreTestFailure`` for a difference, and whenever it writes the file.
  func compare(_ what: String, _ found: JSONTree) throws {
    if isRecording {
      if let known = try? Data(contentsOf: url), known == Self.text(found) { return }
      try record(what, found)
      throw StoreTestFailure(
        "\(what) was written to \(url.path): review it, and run the tests without "
          + "STORE_TESTING_RECORD")
    }
    guard let expected = try read(what) else {
      if isInBundle {
        throw StoreTestFailure(
          "\(what) cannot be compared: \(url.path) does not exist, and files in a bundle are not "
            + "recorded; record it next to the test's source")
      }
      try record(what, found)
      throw StoreTestFailure("\(what) was written to \(url.path): review it, and commit it")
    }
    let name = url.lastPathComponent
    try JSONDifference(expected: JSONTree(expected, of: name), found: found)
      .check("\(what) differs from \(name):")
  }

  /// Returns the contents of the file, or nil if it does not exist.
  private func read(_ what: String) throws -> Data? {
    do {
      return try Data(contentsOf: url)
    } catch {
      if error.isMissingFile { return nil }
      throw StoreTestFailure(
        "\(what) cannot be compared: \(url.path) cannot be read: \(error.reason)")
    }
  }

  private static func text(_ found: JSONTree) -> Data { Data((found.pretty + "\n").utf8) }

  private func record(_ what: String, _ found: JSONTree) throws {
    if isCI {
      throw StoreTestFailure(
        "\(what) was not written to \(url.path): recording is disabled, because "
          + "the environment indicates CI; run the test locally and commit the file")
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
  /// True if a file could not be read because it does not exist.
  var isMissingFile: Bool {
    let code = (self as? CocoaError)?.code
    return code == .fileReadNoSuchFile || code == .fileNoSuchFile
  }
}

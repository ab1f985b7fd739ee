public import Foundation

/// A folder that contains the payloads of tests.
///
///     let fixtures = Fixtures()
///     let payload = try fixtures.data("users/list.json")
public struct Fixtures: Sendable {
  /// The folder.
  public let folder: URL

  /// Creates fixtures from a folder; on a device, pass `Bundle.module.resourceURL` of the test target.
  public init(_ folder: URL) {
    self.folder = folder
  }

  /// Finds the folder with this name next to the test's source file, or in one of the enclosing folders.
  ///
  /// If there is none, ``data(_:file:line:)`` throws.
  public init(_ name: String = "Fixtures", near file: String = #filePath) {
    var parent = URL(filePath: file).deletingLastPathComponent()
    while parent.pathComponents.count > 1 {
      let candidate = parent.appending(path: name)
      var isFolder: ObjCBool = false
      if FileManager.default.fileExists(atPath: candidate.path, isDirectory: &isFolder),
        isFolder.boolValue
      {
        self.init(candidate)
        return
      }
      parent.deleteLastPathComponent()
    }
    self.init(URL(filePath: file).deletingLastPathComponent().appending(path: name))
  }

  /// The URL of a file in the folder. The file need not exist.
  public func url(_ name: String) -> URL { folder.appending(path: name) }

  /// Returns the bytes of a file.
  /// - Throws: ``StoreTestFailure`` that lists the files in the same folder.
  public func data(
    _ name: String, file: StaticString = #filePath, line: UInt = #line
  ) throws -> Data {
    let url = url(name)
    return try StoreTestFailure.expecting(at: file, line) {
      do {
        return try Data(contentsOf: url)
      } catch {
        if error.isMissingFile {
          throw StoreTestFailure(
            "there is no fixture '\(name)' in \(folder.path)",
            Self.names(in: url.deletingLastPathComponent(), after: "files in its folder"))
        }
        throw StoreTestFailure(
          "the fixture '\(name)' in \(folder.path) cannot be read: \(error.reason)",
          Self.names(in: url, after: "it is a folder with"))
      }
    }
  }

  /// The names of the files in a folder, on one line; empty if it is not a folder.
  private static func names(in folder: URL, after title: String) -> [String] {
    let names = (try? FileManager.default.contentsOfDirectory(atPath: folder.path)) ?? []
    return names.isEmpty ? [] : ["\(title): \(names.sorted().joined(separator: ", "))"]
  }
}

public import Foundation

/// A folder with the payloads of tests.
///
///     let fixtures = Fixtures()
///     let payload = try fixtures.data("users/list.json")
public struct Fixtures: Sendable {
  /// The folder.
  public let folder: URL

  /// A folder that is known: on a device `Bundle.module.resourceURL` of the tests.
  public init(_ folder: URL) {
    self.folder = folder
  }

  /// The folder of this name beside the test's source, or beside one of the folders around it.
  ///
  /// Where none is found, ``data(_:file:line:)`` says so.
  public init(_ name: String = "Fixtures", near file: String = #filePath) {
    var place = URL(filePath: file).deletingLastPathComponent()
    while place.pathComponents.count > 1 {
      let candidate = place.appending(path: name)
      var isFolder: ObjCBool = false
      if FileManager.default.fileExists(atPath: candidate.path, isDirectory: &isFolder),
        isFolder.boolValue
      {
        self.init(candidate)
        return
      }
      place.deleteLastPathComponent()
    }
    self.init(URL(filePath: file).deletingLastPathComponent().appending(path: name))
  }

  /// Where a file is, or would be.
  public func url(_ name: String) -> URL { folder.appending(path: name) }

  /// The bytes of a file.
  /// - Throws: ``StoreTestFailure`` that names the files there are.
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
            Self.names(in: url.deletingLastPathComponent(), after: "beside it are"))
        }
        throw StoreTestFailure(
          "the fixture '\(name)' in \(folder.path) cannot be read: \(error.reason)",
          Self.names(in: url, after: "in it are"))
      }
    }
  }

  /// The files of a folder in a line; none of what is no folder.
  private static func names(in folder: URL, after title: String) -> [String] {
    let names = (try? FileManager.default.contentsOfDirectory(atPath: folder.path)) ?? []
    return names.isEmpty ? [] : ["\(title): \(names.sorted().joined(separator: ", "))"]
  }
}

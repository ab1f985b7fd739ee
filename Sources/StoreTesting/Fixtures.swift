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
  /// Where none is found, ``data(_:)`` says so.
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
  public func data(_ name: String) throws -> Data {
    if let data = try? Data(contentsOf: url(name)) { return data }
    let place = url(name).deletingLastPathComponent()
    let names = (try? FileManager.default.contentsOfDirectory(atPath: place.path)) ?? []
    throw StoreTestFailure(
      "there is no fixture '\(name)' in \(folder.path)",
      names.isEmpty ? [] : ["beside it are: \(names.sorted().joined(separator: ", "))"])
  }
}

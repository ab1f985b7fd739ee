import Foundation
import Testing

/// The script `.ci/layers` checks the layers that the folders of the larger modules form.
@Suite struct `Folders and imports` {
  private static let sources = URL(filePath: #filePath).deletingLastPathComponent()
    .deletingLastPathComponent().deletingLastPathComponent().appending(path: "Sources")

  /// The code of a file, without comments and string literals.
  private struct File {
    /// The path inside its module.
    let path: String
    let code: String
    /// Empty for a file outside any folder.
    var folder: String { path.contains("/") ? String(path.prefix { $0 != "/" }) : "" }

    init(_ path: String, of module: String) throws {
      self.path = path
      let text = try String(
        contentsOf: `Folders and imports`.sources.appending(path: "\(module)/\(path)"),
        encoding: .utf8)
      code = text.replacing(/"(\\.|[^"\\\n])*"/, with: "").replacing(/\/\/.*/, with: "")
    }
  }

  private static func files(_ module: String) throws -> [File] {
    let folder = sources.appending(path: module)
    let paths = try #require(FileManager.default.enumerator(atPath: folder.path))
    return try paths.compactMap { $0 as? String }.filter { $0.hasSuffix(".swift") }.sorted()
      .map { try File($0, of: module) }
  }

  @Test(arguments: ["JSONText", "ValueModels", "StoreTesting", "restaurants"])
  func `a small module has no folders`(_ module: String) throws {
    #expect(try Self.files(module).allSatisfy { $0.folder.isEmpty })
  }

  /// The store uses SQLite only through its wrapper, in one folder.
  @Test func `no source of the store imports the coder or SQLite`() throws {
    for file in try Self.files("ObjectStore") {
      for module in ["StoreCoding", "StoreSQLite", "SQLite3"] {
        #expect(!file.code.contains("import \(module)"), "\(file.path) imports \(module)")
      }
      #expect(file.folder == "File" || !file.code.contains("import StoreDatabase"), "\(file.path)")
    }
  }
}

import Foundation
import Testing

/// The folders of a module form layers, in the order shown in the Architecture article. A folder may use types of its
/// own layer and of lower layers.
@Suite struct `Folders and their layers` {
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
        contentsOf: `Folders and their layers`.sources.appending(path: "\(module)/\(path)"),
        encoding: .utf8)
      code = text.replacing(/"(\\.|[^"\\\n])*"/, with: "").replacing(/\/\/.*/, with: "")
    }

    /// The names of the types that the file defines, including nested ones.
    var types: [String] {
      let definition =
        #/^ *(?:@\w+(?:\([^)]*\))? +)*(?:[a-z]+(?:\(\w+\))? +)*(?:class|struct|enum|protocol|actor|typealias) +(_?[A-Z]\w+)/#
      return code.matches(of: definition.anchorsMatchLineEndings()).map { String($0.1) }
    }

    var words: Set<Substring> { Set(code.matches(of: /\b_?[A-Z]\w+\b/).map(\.0)) }
  }

  private static func files(_ module: String) throws -> [File] {
    let folder = sources.appending(path: module)
    let paths = try #require(FileManager.default.enumerator(atPath: folder.path))
    return try paths.compactMap { $0 as? String }.filter { $0.hasSuffix(".swift") }.sorted()
      .map { try File($0, of: module) }
  }

  /// The layers of a module, lowest first, as the diagram in the article shows them. A layer is the folders between two
  /// connecting lines.
  private static func layers(_ module: String) throws -> [[String]] {
    let article = try String(
      contentsOf: sources.appending(path: "ObjectStore/ObjectStore.docc/Architecture.md"),
      encoding: .utf8)
    let start = try #require(article.range(of: "The folders of \(module)"))
    let blocks = article[start.upperBound...].split(separator: "```", maxSplits: 2)
    let lines = try #require(blocks.dropFirst().first).split(separator: "\n")
    return lines.split { $0.contains("│") }.map { layer in
      layer.compactMap { $0.firstMatch(of: #/^ ([A-Z]\w+) /#).map { String($0.1) } }
    }
    .reversed()
  }

  /// The uses of a type in a higher layer: `file uses type of file`.
  private static func upward(_ files: [File], _ layers: [[String]]) -> [String] {
    var definitions: [String: Set<String>] = [:]
    for file in files {
      for type in file.types { definitions[type, default: []].insert(file.path) }
    }
    // A name with several definitions is ambiguous.
    let path = definitions.compactMapValues { $0.count == 1 ? $0.first : nil }
    let rank = Dictionary(
      uniqueKeysWithValues: zip(layers, 0...).flatMap { layer, index in layer.map { ($0, index) } })
    return files.flatMap { file in
      file.words.sorted().compactMap { word in
        guard let target = path[String(word)],
          let mine = rank[file.folder], let its = rank[String(target.prefix { $0 != "/" })],
          its > mine
        else { return nil }
        return "\(file.path) uses \(word) of \(target)"
      }
    }
  }

  @Test(arguments: ["ObjectStore", "StoreCoding", "storebench", "storecoder", "DataSources"])
  func `a folder does not use folders of higher layers`(_ module: String) throws {
    let files = try Self.files(module)
    let layers = try Self.layers(module)
    #expect(Set(files.map(\.folder)) == Set(layers.joined()))
    #expect(files.flatMap(\.types).count > 20)
    #expect(Self.upward(files, layers) == [])
  }

  @Test(arguments: [
    ("ObjectStore", 200), ("StoreCoding", 50), ("storebench", 50), ("storecoder", 20),
    ("DataSources", 20),
  ])
  func `the layer check finds upward uses if the layers are reversed`(
    _ module: String, _ count: Int
  ) throws {
    #expect(try Self.upward(Self.files(module), Self.layers(module).reversed()).count > count)
  }

  @Test(arguments: ["JSONText", "ValueModels", "StoreTesting", "LoopbackServer", "restaurants"])
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

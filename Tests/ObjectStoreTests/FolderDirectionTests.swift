import Foundation
import Testing

/// The folders of a module form layers, in the order of the Architecture article: each may use those
/// below it.
@Suite struct `Folders and their layers` {
  private static let sources = URL(filePath: #filePath).deletingLastPathComponent()
    .deletingLastPathComponent().deletingLastPathComponent().appending(path: "Sources")

  /// The code of a file, without comments and texts.
  private struct File {
    /// The path inside its module.
    let path: String
    let code: String
    /// Empty for a file beside the folders.
    var folder: String { path.contains("/") ? String(path.prefix { $0 != "/" }) : "" }

    init(_ path: String, of module: String) throws {
      self.path = path
      let text = try String(
        contentsOf: `Folders and their layers`.sources.appending(path: "\(module)/\(path)"),
        encoding: .utf8)
      code = text.replacing(/"(\\.|[^"\\\n])*"/, with: "").replacing(/\/\/.*/, with: "")
    }

    /// The types it defines, but for those that are nested in another and named with it.
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

  /// The folders of a module, the lowest first, as its picture in the article has them.
  private static func order(_ module: String) throws -> [String] {
    let article = try String(
      contentsOf: sources.appending(path: "ObjectStore/ObjectStore.docc/Architecture.md"),
      encoding: .utf8)
    let start = try #require(article.range(of: "The folders of \(module)"))
    let blocks = article[start.upperBound...].split(separator: "```", maxSplits: 2)
    let lines = try #require(blocks.dropFirst().first).split(separator: "\n")
    return lines.compactMap { $0.firstMatch(of: #/^ ([A-Z]\w+) /#).map { String($0.1) } }.reversed()
  }

  /// The uses that run upwards: `file uses type of file`.
  private static func upward(_ files: [File], _ order: [String]) -> [String] {
    var homes: [String: Set<String>] = [:]
    for file in files {
      for type in file.types { homes[type, default: []].insert(file.path) }
    }
    // A name that is defined twice tells nothing.
    let home = homes.compactMapValues { $0.count == 1 ? $0.first : nil }
    let rank = Dictionary(uniqueKeysWithValues: zip(order, 0...))
    return files.flatMap { file in
      file.words.sorted().compactMap { word in
        guard let target = home[String(word)],
          let mine = rank[file.folder], let its = rank[String(target.prefix { $0 != "/" })],
          its > mine
        else { return nil }
        return "\(file.path) uses \(word) of \(target)"
      }
    }
  }

  @Test(arguments: ["ObjectStore", "StoreCoding", "storebench", "storecoder", "DataSources"])
  func `a folder does not use those above it`(_ module: String) throws {
    let files = try Self.files(module)
    let order = try Self.order(module)
    #expect(Set(files.map(\.folder)) == Set(order))
    #expect(files.flatMap(\.types).count > 20)
    #expect(Self.upward(files, order) == [])
  }

  @Test(arguments: [
    ("ObjectStore", 200), ("StoreCoding", 50), ("storebench", 50), ("storecoder", 20),
    ("DataSources", 20),
  ])
  func `the other way round there would be many such uses`(
    _ module: String, _ count: Int
  ) throws {
    #expect(try Self.upward(Self.files(module), Self.order(module).reversed()).count > count)
  }

  @Test(arguments: ["JSONText", "ValueModels", "StoreTesting", "LoopbackServer", "restaurants"])
  func `a small module has no folders`(_ module: String) throws {
    #expect(try Self.files(module).allSatisfy { $0.folder.isEmpty })
  }

  /// The store does not know JSON, and SQLite only through its wrapper, in one folder.
  @Test func `no source of the store imports JSON text, the coder or SQLite`() throws {
    for file in try Self.files("ObjectStore") {
      for module in ["JSONText", "StoreCoding", "StoreSQLite", "SQLite3"] {
        #expect(!file.code.contains("import \(module)"), "\(file.path) imports \(module)")
      }
      #expect(file.folder == "File" || !file.code.contains("import StoreDatabase"), "\(file.path)")
    }
  }
}

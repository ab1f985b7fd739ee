import Foundation
import Testing

/// The folders of ObjectStore form layers, in the order of the Architecture article: each may use
/// those below it.
@Suite struct FolderDirectionTests {
  private static let sources = URL(filePath: #filePath).deletingLastPathComponent()
    .deletingLastPathComponent().deletingLastPathComponent().appending(path: "Sources/ObjectStore")

  /// The code of a file, without comments and texts.
  private struct File {
    let path: String
    let code: String
    var folder: String { String(path.prefix { $0 != "/" }) }

    init(_ path: String) throws {
      self.path = path
      let text = try String(
        contentsOf: FolderDirectionTests.sources.appending(path: path), encoding: .utf8)
      code = text.replacing(/"(\\.|[^"\\\n])*"/, with: "").replacing(/\/\/.*/, with: "")
    }

    /// The types it defines, but for those that are nested in another and named with it.
    var types: [String] {
      let definition =
        #/^ *(?:@\w+(?:\([^)]*\))? +)*(?:[a-z]+(?:\(\w+\))? +)*(?:class|struct|enum|protocol|actor|typealias) +([A-Z]\w+)/#
      return code.matches(of: definition.anchorsMatchLineEndings()).map { String($0.1) }
    }

    var words: Set<Substring> { Set(code.matches(of: /\b[A-Z]\w+\b/).map(\.0)) }
  }

  private static func files() throws -> [File] {
    let paths = try #require(FileManager.default.enumerator(atPath: sources.path))
    return try paths.compactMap { $0 as? String }.filter { $0.hasSuffix(".swift") }.sorted()
      .map { try File($0) }
  }

  /// The folders, the lowest first, as the picture in the article has them.
  private static func order() throws -> [String] {
    let article = try String(
      contentsOf: sources.appending(path: "ObjectStore.docc/Architecture.md"), encoding: .utf8)
    let picture = article.firstMatch(of: /### Who knows whom\n\n```\n(?<lines>(?:.*\n)*?)```/)
    let lines = try #require(picture).lines.split(separator: "\n")
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

  @Test func `a folder does not use those above it`() throws {
    let files = try Self.files()
    let order = try Self.order()
    #expect(Set(files.map(\.folder)) == Set(order))
    #expect(files.flatMap(\.types).count > 150)
    #expect(Self.upward(files, order) == [])
  }

  @Test func `the other way round there would be many such uses`() throws {
    #expect(try Self.upward(Self.files(), Self.order().reversed()).count > 200)
  }

  /// The store does not know JSON, and SQLite is the benchmark's alone.
  @Test func `no source of the store imports JSON text, the coder or SQLite`() throws {
    for file in try Self.files() {
      for module in ["JSONText", "StoreCoding", "CSQLite", "SQLite3"] {
        #expect(!file.code.contains("import \(module)"), "\(file.path) imports \(module)")
      }
    }
  }
}

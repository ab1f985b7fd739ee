import Foundation
import ObjectStore
import StoreCoding
import Testing

/// The code in the documentation. Every Swift block of the README and of the articles must occur, apart from
/// indentation, in a test folder named Documentation or in the example, which are run by tests, or in the app for SwiftUI, which
/// is type-checked.
@Suite struct `Documentation` {
  static let root = URL(filePath: #filePath).deletingLastPathComponent()
    .appending(path: "../../..").standardizedFileURL

  static let documents =
    [root.appending(path: "README.md")]
    + ["ObjectStore", "StoreCoding", "ValueModels", "DataSources", "StoreTesting"].flatMap {
      module in
      files(in: root.appending(path: "Sources/\(module)/\(module).docc"), ending: "md")
    }

  @Test(arguments: documents)
  func `every Swift block occurs in a documentation test`(document: URL) throws {
    let folders = ["StoreCodingTests", "ValueModelsTests", "DataSourcesTests", "StoreTestingTests"]
      .map {
        Self.root.appending(path: "Tests/\($0)/Documentation")
      }
    let examples = ["Sources/restaurants", "Tests/SwiftUI"].map { Self.root.appending(path: $0) }
    let files = (folders + examples).flatMap { Self.files(in: $0, ending: "swift") }
    let sources = try files.map {
      Self.lines(try String(contentsOf: $0, encoding: .utf8))
    }
    let text = try String(contentsOf: document, encoding: .utf8)
    for block in Self.swiftBlocks(of: text) {
      #expect(
        sources.contains { $0.contains("\n\(block)\n") },
        "\(document.lastPathComponent) has a block that no test runs:\n\(block)")
    }
  }

  /// A reader who copies the blocks into a file has all required imports.
  @Test func `the quick start imports what its test imports`() throws {
    let source = try String(contentsOf: URL(filePath: #filePath), encoding: .utf8)
    let text = try String(
      contentsOf: Self.root.appending(path: "README.md"), encoding: .utf8)
    let imports = source.components(separatedBy: "\n")
      .filter { $0.hasPrefix("import ") && $0 != "import Testing" }
    #expect(Self.swiftBlocks(of: text).first == imports.joined(separator: "\n"))
  }

  @Test func `the README has at most 151 lines`() throws {
    let text = try String(contentsOf: Self.root.appending(path: "README.md"), encoding: .utf8)
    #expect(text.split(separator: "\n", omittingEmptySubsequences: false).count <= 151)
  }

  @Test func `the documentation tests find at least 13 documents`() {
    #expect(Self.documents.count >= 13)
  }

  /// The files of a folder and its subfolders, sorted by path.
  private static func files(in folder: URL, ending: String) -> [URL] {
    let paths = FileManager.default.enumerator(atPath: folder.path)?.compactMap { $0 as? String }
    return (paths ?? []).filter { $0.hasSuffix(".\(ending)") }.sorted()
      .map { folder.appending(path: $0) }
  }

  /// The blocks fenced as Swift, normalized by ``lines(_:)``.
  private static func swiftBlocks(of markdown: String) -> [String] {
    markdown.components(separatedBy: "```swift\n").dropFirst().map { rest in
      let block = rest.components(separatedBy: "```")[0]
      return lines(block).trimmingCharacters(in: .newlines)
    }
  }

  /// The lines without indentation and without empty lines, joined by line breaks.
  private static func lines(_ text: String) -> String {
    let lines = text.components(separatedBy: "\n")
      .map { $0.trimmingCharacters(in: .whitespaces) }
      .filter { !$0.isEmpty }
    return "\n\(lines.joined(separator: "\n"))\n"
  }
}

/// The code in the README.
@Suite struct `The README` {
  final class Owner: Object {
    @Persisted(primaryKey: true) var id: Int
    @Persisted var name = ""
  }

  final class Animal: Object {
    @Persisted(primaryKey: true) var id: Int
    @Persisted var name = ""
    @Persisted var legs = 4
    @Persisted var note: String?
    @Persisted(json: "born_on", .date(.date)) var born: Date?
    @Persisted var owner: Owner?
    @Persisted var tags: List<String>

    override class var listEnvelope: String? { "animals" }
  }

  @Test func `the quick start works`() throws {
    let store = try Store()
    let coder = StoreCoder(store: store)

    let list = Data(
      """
      {"animals": [
        {"id": 7, "name": "Bella", "born_on": "2019-04-02", "owner": {"id": 1, "name": "Jo"}},
        {"id": 8, "name": "Ciao", "legs": 3, "tags": ["shy"]}
      ]}
      """.utf8)
    let animals = try coder.decodeArray(Animal.self, from: list)  // one transaction

    #expect(animals.map(\.name) == ["Bella", "Ciao"])
    #expect(animals.map(\.legs) == [4, 3])

    let detail = Data(#"{"id": 7, "note": "likes apples", "owner": {"id": 1}}"#.utf8)
    let bella = try coder.decode(Animal.self, from: detail)
    // bella.name is still "Bella" and bella.owner?.name still "Jo": the payload does not contain them.

    #expect(bella.name == "Bella" && bella.owner?.name == "Jo")
    #expect(bella.note == "likes apples")
    #expect(bella == animals[0])

    try store.update(Animal.self, key: 7, \.legs <- 3, \.note <- nil)

    try store.write {
      bella.tags.append("friendly")
    }

    let shy = store.objects(Animal.self).where { $0.legs < 4 && $0.owner.name == "Jo" }
    #expect(shy.map(\.id) == [7])

    let body = try coder.encode(bella)
    // {"id":7,"name":"Bella","legs":3,"born_on":"2019-04-02","owner":{…},"tags":["friendly"]}

    #expect(
      String(decoding: body, as: UTF8.self)
        == #"{"id":7,"name":"Bella","legs":3,"born_on":"2019-04-02","#
        + #""owner":{"id":1,"name":"Jo"},"tags":["friendly"]}"#)

    let version = store.version
    try coder.decode(Animal.self, from: body)
    #expect(store.version == version)
  }
}

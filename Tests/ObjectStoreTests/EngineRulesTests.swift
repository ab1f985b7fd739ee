import Foundation
import Testing

/// Checks that the article on the engine's rules and the comments that cite the rules agree.
@Suite struct `The rules of the engine` {
  private static let root = URL(filePath: #filePath).deletingLastPathComponent()
    .deletingLastPathComponent().deletingLastPathComponent()

  private static func text(_ path: String) throws -> String {
    try String(contentsOf: root.appending(path: path), encoding: .utf8)
  }

  /// The rules of the article by number; true if the rule is implemented.
  private static func rules() throws -> [Int: Bool] {
    let article = try text("Sources/ObjectStore/ObjectStore.docc/Maintaining/EngineRules.md")
    let pairs = article.matches(of: /\n- \*\*R(\d+)\*\*(?<unbuilt> \*Not built yet\.\*)?/).map {
      (Int($0.1) ?? 0, $0.unbuilt == nil)
    }
    #expect(Set(pairs.map(\.0)).count == pairs.count, "a rule is defined twice")
    return Dictionary(pairs) { first, _ in first }
  }

  /// The files below a folder whose comments cite each rule.
  private static func citations(below folder: String) throws -> [Int: [String]] {
    var citations: [Int: [String]] = [:]
    let names = FileManager.default.enumerator(atPath: root.appending(path: folder).path)
    for path in (names?.compactMap { $0 as? String } ?? []).sorted()
    where path.hasSuffix(".swift") && !path.hasSuffix("EngineRulesTests.swift") {
      for comment in try text("\(folder)/\(path)").matches(of: /\/\/.*/) {
        for citation in comment.0.matches(of: /\bR(\d+)\b/) {
          citations[Int(citation.1) ?? 0, default: []].append(path)
        }
      }
    }
    return citations
  }

  @Test(arguments: ["Sources", "Tests"])
  func `every cited rule is in the article, and every implemented rule is cited`(
    folder: String
  ) throws {
    let rules = try Self.rules()
    let citations = try Self.citations(below: folder)
    for (rule, paths) in citations {
      #expect(rules[rule] != nil, "R\(rule), cited by \(paths), does not exist")
      #expect(rules[rule] != false, "R\(rule), cited by \(paths), is marked as not built yet")
    }
    for rule in rules.keys.sorted() where rules[rule] == true {
      #expect(citations[rule] != nil, "nothing below \(folder) cites R\(rule)")
    }
  }

  @Test func `the article defines the rules R1 to R33`() throws {
    #expect(try Set(Self.rules().keys) == Set(1...33))
  }

  /// The article follows a payload's key through source files.
  @Test func `the files that the Architecture article names exist`() throws {
    let article = try Self.text("Sources/ObjectStore/ObjectStore.docc/Maintaining/Architecture.md")
    let files = article.matches(of: /`([\w\/+]+\.swift)`/).map { String($0.1) }
    #expect(files.count >= 8)
    for file in files {
      let url = Self.root.appending(path: "Sources/\(file)")
      #expect(FileManager.default.fileExists(atPath: url.path), "\(file)")
    }
  }
}

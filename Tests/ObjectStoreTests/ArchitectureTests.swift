import Foundation
import Testing

/// Checks the files and functions that the walkthroughs of the Architecture article name.
@Suite struct `The walkthroughs of the Architecture article` {
  private static let sources = URL(filePath: #filePath).deletingLastPathComponent()
    .deletingLastPathComponent().deletingLastPathComponent().appending(path: "Sources")

  /// The numbered steps under a heading.
  private static func steps(_ heading: String) throws -> [Substring] {
    let article = try String(
      contentsOf: sources.appending(
        path: "ObjectStore/ObjectStore.docc/Maintaining/Architecture.md"),
      encoding: .utf8)
    let start = try #require(article.range(of: "### \(heading)\n"))
    let rest = article[start.upperBound...]
    let section = rest[..<(rest.firstRange(of: "\n##")?.lowerBound ?? rest.endIndex)]
    return section.split(separator: /\n(?=\d+\. )/).filter { $0.first?.isNumber ?? false }
  }

  /// A step names at least one file, and each function that it names is in one of its files.
  @Test(arguments: [
    "From a JSON key to a column", "From a write to an observer", "From a condition to its rows",
  ])
  func `each step of a walkthrough names existing files and functions that they declare`(
    _ heading: String
  ) throws {
    let steps = try Self.steps(heading)
    #expect(steps.count >= 5)
    for step in steps {
      let paths = step.matches(of: /`(\w+\/[\w\/+]+\.swift)`/).map(\.1)
      #expect(!paths.isEmpty, "\(step)")
      let code = try paths.map {
        try String(contentsOf: Self.sources.appending(path: String($0)), encoding: .utf8)
      }
      for function in step.matches(of: /`(\w+)\([\w:]*\)`/).map(\.1) {
        #expect(
          code.contains { $0.contains("func \(function)(") || $0.contains("func \(function)<") },
          "\(heading): \(function) is in none of \(paths)")
      }
    }
  }
}

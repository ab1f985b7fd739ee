import Foundation
import Testing

/// The rules of CONTRIBUTING for documentation comments.
@Suite struct `Documentation comments` {
  private static let sources = URL(filePath: #filePath).deletingLastPathComponent()
    .deletingLastPathComponent().deletingLastPathComponent().appending(path: "Sources")

  /// The first line of each documentation comment of the sources, with its position: `path:line: text`.
  private static func summaries() throws -> [(position: String, text: Substring)] {
    let paths = try #require(FileManager.default.enumerator(atPath: sources.path))
    var summaries: [(position: String, text: Substring)] = []
    for case let path as String in paths where path.hasSuffix(".swift") {
      let text = try String(contentsOf: sources.appending(path: path), encoding: .utf8)
      var isInComment = false
      let lines = text.split(separator: "\n", omittingEmptySubsequences: false)
      for (index, line) in lines.enumerated() {
        let line = line.drop { $0 == " " }
        if line.hasPrefix("///"), !isInComment {
          summaries.append(("\(path):\(index + 1)", line.dropFirst(3).drop { $0 == " " }))
        }
        isInComment = line.hasPrefix("///")
      }
    }
    return summaries
  }

  @Test func `no documentation summary begins with What, Whether or Who`() throws {
    let summaries = try Self.summaries()
    #expect(summaries.count > 3_000)
    let opener = /(What|Whether|Who|Whose|Whom)\b/
    let wrong = summaries.filter { (try? opener.prefixMatch(in: $0.text)) != nil }
    #expect(wrong.map { "\($0.position): \($0.text)" } == [])
  }
}

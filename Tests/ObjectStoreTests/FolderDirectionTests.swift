import Foundation
import Testing

/// The folders of ObjectStore form layers: each may use those above it, never those below.
@Suite struct FolderDirectionTests {
  /// Words of the lower layers that must not stand in a folder's code.
  @Test(arguments: [
    ("Support", ["ObjectSchema", "StorageColumn", "StoreHandle", "ObjectBase", "TableLayout"]),
    ("Schema", ["ObjectBase", "StoreHandle", "TableWriter", "TableVersion", "RowBatch"]),
    ("Engine", ["ObjectBase", "ObjectSchema", "StoreHandle", "Persisted", "Results"]),
    ("Model", ["Results<", "StoreFollower"]),
  ])
  func `a folder does not use those below it`(_ folder: String, _ forbidden: [String]) throws {
    let sources = URL(filePath: #filePath).deletingLastPathComponent()
      .deletingLastPathComponent().deletingLastPathComponent()
      .appending(path: "Sources/ObjectStore/\(folder)")
    let files = try FileManager.default.contentsOfDirectory(atPath: sources.path)
      .filter { $0.hasSuffix(".swift") }
    #expect(!files.isEmpty)
    for file in files {
      let text = try String(contentsOf: sources.appending(path: file), encoding: .utf8)
      for (number, line) in text.split(separator: "\n", omittingEmptySubsequences: false)
        .enumerated()
      {
        let code = line.firstRange(of: "//").map { line[..<$0.lowerBound] } ?? line
        for word in forbidden where code.contains(word) {
          Issue.record("\(folder)/\(file):\(number + 1) uses \(word)")
        }
      }
    }
  }

  /// The store does not know JSON, and SQLite is the benchmark's alone.
  @Test func `no source of the store imports JSON text, the coder or SQLite`() throws {
    let sources = URL(filePath: #filePath).deletingLastPathComponent()
      .deletingLastPathComponent().deletingLastPathComponent()
      .appending(path: "Sources/ObjectStore")
    let files = try #require(FileManager.default.enumerator(atPath: sources.path))
    var count = 0
    for case let file as String in files where file.hasSuffix(".swift") {
      let text = try String(contentsOf: sources.appending(path: file), encoding: .utf8)
      count += 1
      for module in ["JSONText", "StoreCoding", "CSQLite", "SQLite3"] {
        #expect(!text.contains("import \(module)"), "\(file) imports \(module)")
      }
    }
    #expect(count > 20)
  }
}

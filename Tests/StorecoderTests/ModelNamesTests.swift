import Foundation
import StoreCoding
import TestSupport
import Testing

@testable import storecoder

#if os(Linux)
  /// Compiles the code of `storecoder model` with the toolchain of the tests.
  @Suite struct `Names in the code of storecoder model` {
    private let tool: StorecoderTool

    init() throws {
      tool = try StorecoderTool()
    }

    /// Runs a program of the toolchain, which finds the modules of this build.
    private func swift(_ arguments: String...) throws -> (status: Int32, output: String) {
      let build = StorecoderTool.program.deletingLastPathComponent()
      let process = Process()
      process.executableURL = URL(filePath: "/usr/bin/env")
      process.arguments =
        arguments + [
          "-I", build.appending(path: "Modules").path,
          "-I", StorecoderTool.root.appending(path: "Sources/StoreSQLite").path, "-Xcc",
          "-fmodule-map-file=\(build.path)/ObjectStoreShims.build/module.modulemap",
        ]
      let output = tool.folder.file("compiler")
      try Data().write(to: output)
      process.standardError = try FileHandle(forWritingTo: output)
      try process.run()
      process.waitUntilExit()
      return (process.terminationStatus, try String(contentsOf: output, encoding: .utf8))
    }

    /// The names of the public members of all objects, from the compiler.
    private func members() throws -> [String] {
      #if arch(arm64)
        let target = "aarch64-unknown-linux-gnu"
      #else
        let target = "x86_64-unknown-linux-gnu"
      #endif
      let outcome = try swift(
        "swift", "symbolgraph-extract", "-module-name", "ObjectStore", "-minimum-access-level",
        "public", "-target", target, "-output-dir", tool.folder.url.path)
      try #require(outcome.status == 0, "\(outcome.output)")
      struct Graph: Decodable {
        struct Symbol: Decodable { let pathComponents: [String] }
        let symbols: [Symbol]
      }
      let graph = try JSONDecoder().decode(
        Graph.self, from: Data(contentsOf: tool.folder.file("ObjectStore.symbols.json")))
      var names: Set<String> = []
      for path in graph.symbols.map(\.pathComponents) where path.count == 2 {
        guard ["ObjectBase", "Object", "EmbeddedObject"].contains(path[0]) else { continue }
        let name = path[1].prefix { $0 != "(" }
        if name.first?.isLetter ?? false, name != "subscript" { names.insert(String(name)) }
      }
      return names.sorted()
    }

    @Test func `no attribute has the name of a member of all objects`() throws {
      let members = try members()
      #expect(members.contains("rejection") && members.contains("observe"))
      #expect(members.filter { SwiftNames.swiftName($0) == $0 } == [])
    }

    private static let keywords = """
      Any Protocol Self Type _ actor any as associatedtype associativity async await borrowing break case catch class \
      consume consuming continue convenience copy default defer deinit didSet do dynamic each else enum extension \
      fallthrough false fileprivate final for func get guard if import in indirect infix init inout internal is isolated \
      lazy left let macro mutating nil none nonisolated nonmutating open operator optional override package postfix \
      precedencegroup prefix private protocol public repeat required rethrows return right self sending set some static \
      struct subscript super switch then throw throws true try typealias unowned var weak where while willSet yield \
      #if #available allCases rawValue hashValue description
      """.split(separator: " ").map(String.init)

    private static let types = """
      Array Bool BooleanLiteralType Character Class Codable Coded Data Date Decimal Dictionary Double DynamicObject \
      EmbeddedObject Equatable Error Float FloatLiteralType Foundation Hashable Int Int64 IntegerLiteralType JSONValue \
      LinkingObjects List Map MutableSet Never Object ObjectBase ObjectStore Optional PersistableEnum Persisted \
      Results Set Store String StringLiteralType Swift UInt64 URL UUID Void
      """.split(separator: " ").map(String.init)

    /// Names of letters, digits, marks, spaces, quotes and emojis.
    private static func randomNames(_ count: Int) -> [String] {
      var random = SeededRandom(seed: 11)
      let parts =
        [
          "a", "B", "c", "URL", "id", "x", "9", "0", "_", "-", ".", "/", "~", " ", "$", "#", "@",
          "\"",
        ]
        + ["\\", "\n", "\t", "`", "(", "é", "e\u{301}", "日", "🙂", "\u{202E}", "self", "in", "hash"]
      var names: Set<String> = []
      while names.count < count {
        let length = 1 + random.below(5)
        names.insert((0..<length).map { _ in parts[random.below(parts.count)] }.joined())
      }
      return names.sorted()
    }

    /// Returns the code for a file of objects with these members.
    private func code(
      _ members: [(name: String, json: String)], named className: String, count: Int = 1
    ) throws -> String {
      let texts = members.map { "\(JSONOutput.text($0.name)): \($0.json)" }.joined(separator: ", ")
      let file = try tool.file(
        "\(className).json", Array(repeating: "{\(texts)}", count: count).joined(separator: "\n"))
      let schema = try Model.schema(
        of: [JSONSource(file, envelope: nil)], named: className, hasEnums: count > 1)
      return SwiftModels(schema).text
    }

    @Test func `members with any names yield code that compiles`() throws {
      let special = try Set(members() + Self.keywords + Self.types).sorted()
      let values = ["\"x\"", "1", "1.5", "true", "null", "[1]", "\"2024-03-01T14:53:37Z\""]
      var code = ""
      let names = Set(special + Self.randomNames(2_000)).sorted()
      for (index, start) in stride(from: 0, to: names.count, by: 200).enumerated() {
        let chunk = names[start..<min(start + 200, names.count)]
        code += try self.code(
          chunk.enumerated().map { ($1, values[$0 % values.count]) }, named: "Values\(index)")
      }
      code += try self.code(special.map { ($0, "{\"a\": 1}") }, named: "Objects")
      for (index, start) in stride(from: 0, to: special.count, by: 10).enumerated() {
        let chunk = special[start..<min(start + 10, special.count)]
        code += try self.code(
          chunk.map { ($0, JSONOutput.text($0)) }, named: "Words\(index)", count: 12)
      }
      let file = try tool.file("Models.swift", code)
      let outcome = try swift(
        "swiftc", "-typecheck", "-swift-version", "6", "-parse-as-library", file)
      #expect(outcome.status == 0, "\(outcome.output)")
    }
  }
#endif

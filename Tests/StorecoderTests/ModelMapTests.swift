import Foundation
import ObjectStore
import TestSupport
import Testing

@testable import storecoder

@Suite struct `Maps of storecoder model` {
  private let tool: StorecoderTool

  init() throws {
    tool = try StorecoderTool()
  }

  /// Returns the declared type of the member `m` of a single object.
  private func type(of json: String, count: Int = 1) throws -> String {
    let objects = Array(repeating: "{\"m\": \(json)}", count: count).joined(separator: "\n")
    let source = try JSONSource(tool.file("things.json", objects), envelope: nil)
    let schema = try Model.schema(of: [source])
    try ModelRoundTrip(schema).check("[\(objects.replacing("\n", with: ","))]")
    let property = try #require(schema.root["m"])
    return schema.typeName(of: property, in: schema.root.className)
  }

  private static func members(_ names: [String], _ value: String) -> String {
    "{\(names.map { "\"\($0)\": \(value)" }.joined(separator: ", "))}"
  }

  @Test(arguments: [
    (["en", "de"], #""x""#, "Map<String, String>"),
    (["en", "zh-Hant", "pt_BR", "sr-Latn-RS"], #"{"value": "x"}"#, "Map<String, M>"),
    (["en", "to"], #"[{"a": 1}]"#, "Map<String, JSONValue>"),
    (["id", "to", "is"], #""x""#, "M?"),
    (["en", "xx"], #""x""#, "M?"),
    (["en"], #""x""#, "M?"),
    (["en", "de-"], #""x""#, "M?"),
    (["2024-03-01T14:53:37Z", "2024-03-02T14:53:37Z"], "1.5", "Map<String, Double>"),
    (["0.5", "-1", "20"], "true", "Map<String, Bool>"),
    (["Q1", "Q42", "Q64"], #"{"a": 1, "b": 2}"#, "Map<String, M>"),
    (["Q1", "Q42"], #"{"a": 1, "b": 2}"#, "M?"),
    (["line1", "line2", "line3"], #""x""#, "M?"),
    (["a1", "a2", "b3"], #"{"a": 1}"#, "M?"),
  ])
  func `an object whose values are alike is a map if its names are data`(
    names: [String], value: String, type: String
  ) throws {
    #expect(try self.type(of: Self.members(names, value)) == type)
  }

  @Test func `an object with more than forty values that are alike is a map`() throws {
    let names = (1...41).map { "n\(String($0, radix: 16))x" }
    let value = #"{"language": "x", "value": "y"}"#
    #expect(try type(of: Self.members(names, value)) == "Map<String, M>")
    #expect(try type(of: Self.members(names.dropLast(), value)) == "M?")
    #expect(try type(of: Self.members(names, "1")) == "Map<String, Int>")
    // Three objects with the same numbers are instances of a class.
    #expect(try type(of: Self.members(names, "1"), count: 3) == "M?")
    #expect(try type(of: Self.members(names, value), count: 3) == "Map<String, M>")
  }

  @Test func `an object with values of different kinds or members is no map`() throws {
    let names = (1...41).map { "n\(String($0, radix: 16))x" }
    func json(_ value: (Int) -> String) -> String {
      "{\(names.enumerated().map { "\"\($1)\": \(value($0))" }.joined(separator: ", "))}"
    }
    #expect(try type(of: json { $0 == 7 ? "1" : "\"x\"" }) == "M?")
    #expect(try type(of: json { "{\"a\($0)\": 1, \"b\($0)\": 2}" }) == "M?")
    // Each object may lack up to half of the members.
    #expect(
      try type(of: json { $0 == 7 ? #"{"a": 1}"# : #"{"a": 1, "b": 2}"# }) == "Map<String, M>")
    #expect(try type(of: Self.members(["en", "de"], "1").replacing("1}", with: "\"x\"}")) == "M?")
  }

  @Test func `the time for a model grows linearly with the number of merged classes`() throws {
    func seconds(_ count: Int) throws -> Double {
      let parts = (0..<count).map { index in
        let letters = String(index, radix: 26).map { "\($0)q" }.joined()
        return """
          "r\(letters)": {"object": "x", "card": {"brand": "v", "checks": {"a": 1, "b\(letters)": 1}, \
          "billing": {"address": {"city": null, "line": null}}}}
          """
      }
      let file = try tool.file(
        "things.json", "{\"resources\": {\(parts.joined(separator: ", ")), \"other\": 1}}")
      let source = try JSONSource(file, envelope: nil)
      return try threadSeconds { _ = try SwiftModels(Model.schema(of: [source])).text }
    }
    let (small, large) = (try seconds(50), try seconds(400))
    // Quadratic growth is 64 times.
    #expect(large < 24 * max(small, 0.005), "\(small) s, \(large) s")
  }
}

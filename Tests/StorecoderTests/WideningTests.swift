import Foundation
import ObjectStore
import TestSupport
import Testing

@Suite struct `Conversion of stored attributes to more general types` {
  private let command: StorecoderTool

  init() throws {
    command = try StorecoderTool()
  }

  private func importText(_ text: String, _ name: String = "thing.json") throws
    -> StorecoderTool.Outcome
  {
    try command.run(
      "import", command.file(name, text), "--class", "Thing", "--store", command.store)
  }

  private func type(of attribute: String) throws -> String {
    let explained = try command.run("explain", "Thing", "--store", command.store).output
    let line = explained.split(separator: "\n").first { $0.hasPrefix("\(attribute) ") }
    return line.map { String($0.split(separator: " ")[2]) } ?? explained
  }

  // The types are the same as for one file with both values.
  @Test(arguments: [
    ("1", "1.5", "Double"), ("-9007199254740992", "0.5", "Double"),
    ("9007199254740993", "0.5", "JSONValue?"), ("1.5", "2", "Double"),
    ("1.5", "9007199254740993", "JSONValue?"), ("0.5", "0.12345678901234567890", "JSONValue?"),
    ("1", "18446744073709551615", "JSONValue?"), ("18446744073709551615", "-1", "JSONValue?"),
    ("true", "1", "JSONValue?"), ("1", "true", "JSONValue?"), ("1", "\"1\"", "JSONValue?"),
    ("\"x\"", "2.5", "JSONValue?"), ("false", "\"no\"", "JSONValue?"),
    ("1", "null", "Int?"), ("1.5", "null", "Double?"),
    ("7", "{\"id\": 7, \"a\": 1}", "JSONValue?"), ("1", "[1]", "JSONValue?"),
    ("[1]", "3", "JSONValue?"), ("{\"1\": 2}", "true", "JSONValue?"),
    ("[1, 2]", "[1.5]", "List<Double>"),
    ("[1]", "[\"x\"]", "List<JSONValue>"), ("[true]", "[{\"a\": 1}, 2]", "List<JSONValue>"),
    ("[\"x\"]", "[\"y\", null]", "List<String?>"), ("[1]", "[1, null, 0.5]", "List<Double?>"),
    ("{\"1\": 2}", "{\"1\": 2.5}", "Map<String, Double>"),
    ("{\"1\": 2}", "{\"7\": \"x\"}", "Map<String, JSONValue>"),
  ])
  func `an attribute is converted to a type that represents both values`(
    first: String, second: String, type: String
  ) throws {
    _ = try importText("[{\"id\": 1, \"v\": \(first)}, {\"id\": 2, \"v\": \(first)}]")
    let outcome = try importText("[{\"id\": 2, \"v\": \(second)}, {\"id\": 3, \"v\": \(second)}]")
    #expect(outcome.errors == "")
    #expect(try self.type(of: "v") == type.split(separator: " ")[0])
    let exported = try command.run("export", "Thing", "--lines", "--store", command.store)
    let lines = exported.output.split(separator: "\n").map(String.init)
    let expected = [
      "{\"id\":1,\"v\":\(first)}", "{\"id\":2,\"v\":\(second)}", "{\"id\":3,\"v\":\(second)}",
    ]
    #expect(
      try lines.map { try StorecoderTool.canonical($0) }
        == expected.map { try StorecoderTool.canonical($0) })
    // Foundation would round these digits.
    for number in [first, second] where Double(number) != nil && number.count > 15 {
      #expect(exported.output.contains(number.prefix(16)))
    }
    let again = try importText("[{\"id\": 2, \"v\": \(second)}, {\"id\": 3, \"v\": \(second)}]")
    #expect(again.output.contains("2 objects: 0 inserted, 0 updated, 2 unchanged"))
    let checked = try command.run("query", "Thing", "--count", "--store", command.store)
    #expect(checked.output == "3\n")
  }

  @Test func `the conversion of an attribute keeps links, embedded objects and other attributes`()
    throws
  {
    _ = try importText(
      """
      [{"id": 1, "n": 1, "owner": {"id": 7, "age": 40}, "part": {"size": 1}, "parts": [{"x": 1}]},
       {"id": 2, "n": 2, "owner": {"id": 7, "age": 40}, "part": {"size": 2}, "parts": []}]
      """)
    let outcome = try importText(
      """
      [{"id": 2, "n": 2.5, "owner": {"id": 7, "age": 40.5}, "part": {"size": 2.5}, "parts": [{"x": "y"}],
        "new": true}]
      """)
    #expect(outcome.errors == "")
    let exported = try command.run("export", "Thing", "--lines", "--store", command.store)
    #expect(
      exported.output == """
        {"id":1,"n":1,"owner":{"id":7,"age":40.5},"part":{"size":1},"parts":[{"x":1}]}
        {"id":2,"n":2.5,"owner":{"id":7,"age":40.5},"part":{"size":2.5},"parts":[{"x":"y"}],"new":true}

        """)
  }

  @Test func `null among lists is imported as an empty list`() throws {
    _ = try importText(#"[{"id": 1, "l": [1]}]"#)
    let outcome = try importText(#"[{"id": 2, "l": null}, {"id": 3, "l": [3]}]"#)
    #expect(outcome.errors == "")
    let exported = try command.run("export", "Thing", "--lines", "--store", command.store)
    #expect(exported.output == "{\"id\":1,\"l\":[1]}\n{\"id\":2}\n{\"id\":3,\"l\":[3]}\n")
  }

  @Test func `a conversion keeps the schema version of an app's file`() throws {
    func open(_ version: UInt64, _ type: AttributeShape) throws -> Store {
      let schema = ObjectSchema(
        "Thing", [Property("id", .int, isPrimaryKey: true), Property("v", type)])
      return try Store(
        configuration: .file(URL(filePath: command.store), schemaVersion: version),
        schemas: [schema])
    }
    do {
      let store = try open(3, .int)
      try store.write { try store.create(dynamic: "Thing", value: ["id": 1, "v": 1]) }
    }
    let outcome = try importText(#"[{"id": 2, "v": 1.5}]"#)
    #expect(outcome.errors == "")
    #expect(throws: StoreError(.schemaTooNew(path: command.store, version: 3, known: 2))) {
      try open(2, .double)
    }
    let store = try open(3, .double)
    #expect(try store.objects(dynamic: "Thing").map { $0["v"] as? Double } == [1, 1.5])
    #expect(store.damage.isEmpty)
  }

  @Test func `diff shows converted values and changes nothing`() throws {
    _ = try importText(#"[{"id": 1, "v": 1}]"#)
    let outcome = try command.run(
      "diff", command.file("later.json", #"[{"id": 1, "v": 1.5}]"#), "--class", "Thing", "--store",
      command.store)
    #expect(outcome.errors == "")
    #expect(
      outcome.output == """
        ~ Thing 1: v 1.0 → 1.5
        0 to insert, 1 to update, 0 equal, 0 not in the file

        """)
    #expect(try type(of: "v") == "Int")
  }

  @Test(arguments: [
    ("{\"id\": 7, \"a\": 1}", "7", "Thing.v is V in the store but Int in this file", 18),
    ("{\"a\": 1}", "\"x\"", "Thing.v is V in the store but String in this file", 18),
    (
      "[{\"a\": 1}]", "[{\"a\": 1}, 3]",
      "Thing.v is List<V> in the store but List<JSONValue> in this file", 29
    ),
    ("{\"a\": {\"b\": 1}}", "{\"a\": 3}", "V.a is A in the store but Int in this file", 24),
    ("{\"id\": 7}", "{\"id\": \"7\"}", "V.id is Int in the store but String in this file", 25),
  ])
  func `values that no type can represent together are refused with their position`(
    first: String, second: String, problem: String, column: Int
  ) throws {
    _ = try importText("[{\"id\": 1, \"n\": 1, \"v\": \(first)}]")
    let before = try command.run("export", "Thing", "--store", command.store)
    for name in ["later.json", "later.ndjson"] {
      let rows = ["{\"id\": 2, \"n\": 1.5}", "{\"id\": 3,   \"v\": \(second)}"]
      let text =
        name == "later.json" ? "[\(rows.joined(separator: ",\n"))]" : rows.joined(separator: "\n")
      let outcome = try importText(text, name)
      #expect(outcome.status == 1)
      #expect(outcome.output == "")
      #expect(
        outcome.errors == """
          storecoder: \(command.folder.file(name).path): the file does not match \(command.store):
          line 2, column \(column): \(problem)
          choose another class (--class) or another store (--store)

          """)
    }
    #expect(try type(of: "n") == "Int")
    #expect(try command.run("export", "Thing", "--store", command.store).output == before.output)
  }
}

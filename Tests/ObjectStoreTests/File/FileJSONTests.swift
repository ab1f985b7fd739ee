import Foundation
import ObjectStore
import TestSupport
import Testing

/// JSON values in a file: other tools read them as JSON, and the store reads back the values that it wrote.
@Suite struct `JSON in a file` {
  private let folder: TemporaryFolder
  private let url: URL
  private var path: String { url.resolvingSymlinksInPath().path }

  init() throws {
    folder = try TemporaryFolder()
    url = folder.file("documents.store")
  }

  private func open(_ edits: StoreConfiguration.ExternalEdits = .refuse) throws -> Store {
    try Store(
      configuration: .file(url, externalEdits: edits),
      schemas: [JSONDocuments.schema])
  }

  private func write(_ values: [JSONValue]) throws {
    let store = try open()
    try store.write { try JSONDocuments.write(store, values) }
  }

  /// The values of an SQL expression for each JSON value in the file that is not null.
  private func storedValues(of expression: String) throws -> [String] {
    try EditedFile.texts(
      """
      SELECT \(expression) FROM (SELECT json AS value FROM Document UNION ALL SELECT maybe FROM Document \
      UNION ALL SELECT value FROM "Document.list" UNION ALL SELECT value FROM "Document.map") \
      WHERE value IS NOT NULL
      """, in: url)
  }

  /// Compares descriptions, because `==` ignores the sign of zero, and NaN does not equal itself.
  private func expectSame(_ found: [[JSONValue?]], _ values: [JSONValue]) {
    #expect("\(found)" == "\(JSONDocuments.expected(values))")
  }

  // MARK: - Writing

  @Test func `JSON values are stored as compact JSON text`() throws {
    try write(JSONDocuments.values)
    #expect(
      try EditedFile.texts("SELECT json FROM Document ORDER BY id", in: url) == [
        "null", "true", "false", "0", "-9223372036854775808", "9223372036854775807", "0.0", "-0.0",
        "1.5", "100.0", "5e-324", "-1.7976931348623157e+308", "18446744073709551615",
        "123456789012345678901234567890.50", "1e-400", "9007199254740993.0", #""""#,
        #""plain é 麺 🐄""#,
        #""\u0000\u001f"# + "\u{7F}" + #"\"\\/\b\t\n\f\r"# + "\u{2028}\"", "[]", "{}",
        "[1,[2,[],{}],null]",
        #"{"B":1E+400,"a":{"":"e"# + "\u{301}" + #"","\u0000\"":null},"b":[1,2.5],"é":true}"#,
      ])
    #expect(try Set(storedValues(of: "json_valid(value) || typeof(value)")) == ["1text"])
    #expect(
      try EditedFile.texts(
        "SELECT id FROM Document WHERE json_extract(json, '$.b[1]') = 2.5", in: url)
        == ["\(JSONDocuments.values.count - 1)"])
    expectSame(try JSONDocuments.read(open()), JSONDocuments.values)
  }

  @Test(arguments: 1...4)
  func `random JSON values read as they were written`(_ seed: UInt64) async throws {
    var random = SeededRandom(seed: seed)
    let values = (0..<200).map { _ in Self.value(&random, levels: random.below(6)) }
    try write(values)
    #expect(try Set(storedValues(of: "json_valid(value) || typeof(value)")) == ["1text"])
    do {
      let store = try open()
      expectSame(try JSONDocuments.read(store), values)
      try await store.integrityCheck()
      // Replace all values: the checksums must shrink by exactly what was added.
      try store.write {
        for object in try store.objects(dynamic: "Document") {
          object["json"] = JSONValue.bool(true)
        }
      }
      try await store.integrityCheck()
    }
    #expect(try EditedFile.texts("SELECT DISTINCT json FROM Document", in: url) == ["true"])
  }

  private static func value(_ random: inout SeededRandom, levels: Int) -> JSONValue {
    switch random.below(levels > 0 ? 10 : 7) {
    case 0: [.null, .bool(true), .bool(false)][random.below(3)]
    case 1: .int(Int64(bitPattern: random.next()) >> Int64(random.below(64)))
    case 2: .int(Int64(random.below(100)))
    case 3:
      Double(bitPattern: random.next()).isFinite
        ? .double(Double(random.below(1000)) / 8) : .double(-0.0)
    case 4:
      {
        let number = Double(bitPattern: random.next())
        return .double(number.isFinite ? number : 0)
      }()
    case 5: .number("\(UInt64.max)\(random.next()).\(random.next())1")
    case 6: .string(text(&random))
    case 7, 8: .array((0..<random.below(5)).map { _ in value(&random, levels: levels - 1) })
    default:
      .object(
        JSONObject(
          (0..<random.below(5)).map { _ in
            (key: text(&random), value: value(&random, levels: levels - 1))
          }))
    }
  }

  private static func text(_ random: inout SeededRandom) -> String {
    let characters = ["a", "Z", "\"", "\\", "/", "\u{0}", "\u{1B}", "\n", "é", "麺", "🐄", "\u{301}"]
    return (0..<random.below(8)).map { _ in characters[random.below(characters.count)] }.joined()
  }

  @Test func `values that JSON cannot express are stored as bytes`() throws {
    var deep: JSONValue = 7
    for _ in 0..<600 { deep = [deep] }
    let values: [JSONValue] = [
      .double(.nan), .double(-.infinity), .number("many"), .number(""), deep, [1, .double(.nan)],
    ]
    try write(values)
    expectSame(try JSONDocuments.read(open()), values)
    #expect(try EditedFile.texts("SELECT DISTINCT typeof(json) FROM Document", in: url) == ["blob"])
  }

  @Test func `numbers of attributes are stored in their notation`() async throws {
    let value: JSONValue = ["b": [.number("0.40"), .number("1E+2")], "a": .number("-0")]
    try write([value])
    #expect(
      try EditedFile.texts("SELECT json FROM Document", in: url)
        == [#"{"a":-0,"b":[0.40,1E+2]}"#])
    #expect(
      try EditedFile.texts(#"SELECT value FROM "Document.map" WHERE key = 'k0'"#, in: url)
        == [#"{"a":-0.0,"b":[0.4,100.0]}"#])
    let store = try open()
    try await store.integrityCheck()
    expectSame(try JSONDocuments.read(store), [["b": [0.4, 100.0], "a": .double(-0.0)]])
    try store.write {
      let equal: JSONValue = ["b": [0.4, 100.0], "a": .double(-0.0)]
      try JSONDocuments.write(store, [equal], update: .modified)
    }
    try await store.integrityCheck()
    #expect(
      try EditedFile.texts("SELECT json FROM Document", in: url)
        == [#"{"a":-0,"b":[0.40,1E+2]}"#])
  }

  // MARK: - Damage and edits

  @Test func `every flipped bit in a JSON value is reported as damage`() throws {
    let text = #"{"a":[1.5e+30,true,"\u001f\n"],"b":null,"c":"marked"}"#
    try write([
      ["c": "marked", "b": nil, "a": [.double(1.5e30), true, "\u{1F}\n"]]
    ])
    let bytes = try Data(contentsOf: url)
    let range = try #require(bytes.range(of: Data(text.utf8)))
    for bit in 0..<range.count * 8 {
      var damaged = bytes
      damaged[range.lowerBound + bit / 8] ^= 1 << UInt8(bit % 8)
      for name in try FileManager.default.contentsOfDirectory(atPath: folder.url.path) {
        try FileManager.default.removeItem(at: folder.file(name))
      }
      try damaged.write(to: url)
      let store = try open()
      #expect(try store.objects(dynamic: "Document").isEmpty, "bit \(bit)")
      #expect(store.damage.count == 1, "bit \(bit)")
    }
  }

  @Test(arguments: [
    (
      " { \"b\" : 1.50 , \"a\" : [ ] , \"b\" : 1E2 } ", "{\"a\":[],\"b\":1E2}",
      "{\"a\":[],\"b\":100.0}"
    ),
    ("5", "5", "5"), ("\"\\ud83d\\udc04\\u00e9\\/\"", "\"🐄é/\"", "\"🐄é/\""),
    ("-0", "-0", "-0.0"),
  ])
  func `JSON that another tool wrote is accepted if the configuration accepts edits`(
    _ text: String, _ written: String, _ element: String
  ) async throws {
    try write([1, 2])
    let quoted = "'\(text)'"
    try EditedFile.execute(
      """
      UPDATE Document SET json = \(quoted), maybe = json_set('{}', '$.x', json('[1, 2]'));
      UPDATE "Document.list" SET value = \(quoted) WHERE position = 2;
      UPDATE "Document.map" SET value = \(quoted) WHERE key = 'other'
      """, in: url)
    for edits in [StoreConfiguration.ExternalEdits.accept, .refuse] {
      let store = try open(edits)
      try await store.integrityCheck()
      let found = try JSONDocuments.read(store)
      #expect(store.damage == [])
      #expect(found.count == 2)
      for values in found {
        #expect(values[1] == ["x": [1, 2]])
        #expect(values[4] == values[0])
        #expect(values[6] == values[0])
      }
    }
    #expect(try EditedFile.texts("SELECT DISTINCT json FROM Document", in: url) == [written])
    #expect(
      try EditedFile.texts(
        "SELECT value FROM \"Document.list\" WHERE position = 2", in: url) == [element, element])
  }

  @Test(arguments: [
    "'{\"a\":'", "'[1,]'", "'01'", "'\"\\ud83d\"'", "''", "'tru'", "x'31'", "x'6500'",
    "CAST(x'22FF22' AS TEXT)",
    "replace(hex(zeroblob(300)), '0', '[') || replace(hex(zeroblob(300)), '0', ']')",
  ])
  func `invalid JSON that another tool wrote is reported as damage`(_ value: String) throws {
    try write([1])
    try EditedFile.execute("UPDATE Document SET json = \(value)", in: url)
    #expect(
      throws: StoreError(
        .fileDamaged(
          path: path, details: "Document.json: row 1 has no valid value of type JSONValue",
          setAside: path + ".damaged"))
    ) {
      try open(.accept)
    }
  }
}

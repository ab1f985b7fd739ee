import Foundation
import ObjectStore
import TestSupport
import Testing

/// Files that versions of the package wrote, one for each format. Every later version must read them. They are never
/// rewritten; a new format gets a file of its own, written to the path in `STORE_FIXTURE`.
@Suite struct `Files of each format` {
  private static let kinds: [(name: String, property: Property, value: UpdateValue, text: String)] =
    [
      ("bool", Property("bool", .bool), true, "true"),
      ("int8", Property("int8", .value(.int8)), -128, "-128"),
      ("int", Property("int", .int, isIndexed: true), .int(.min), "\(Int.min)"),
      ("uint64", Property("uint64", .value(.uint64)), .init(UInt64.max), "\(UInt64.max)"),
      ("float", Property("float", .float), 1.5, "1.5"),
      ("double", Property("double", .double), .double(-0.0), "-0.0"),
      ("nan", Property("nan", .double), .double(.nan), "nan"),
      (
        "decimal", Property("decimal", .decimal), .init(Decimal(string: "1234567890123.45") ?? 0),
        "1234567890123.45"
      ),
      ("string", Property("string", .string), "é 麺\u{0}", "é 麺\u{0}"),
      ("data", Property("data", .data), .init(Data([0, 255])), "2 bytes"),
      (
        "date", Property("date", .date), .init(Date(timeIntervalSinceReferenceDate: 0.125)),
        "2001-01-01 00:00:00 +0000"
      ),
      (
        "uuid", Property("uuid", .uuid),
        .init(UUID(uuidString: "6BA7B810-9DAD-11D1-80B4-00C04FD430C8") ?? UUID()),
        "6BA7B810-9DAD-11D1-80B4-00C04FD430C8"
      ),
      ("none", Property("none", .string, isOptional: true), .null, "nil"),
      ("list", Property("list", .list(.double), isOptional: true), [1, nil, 2.5], ""),
      ("set", Property("set", .set(.string)), ["b", "a"], ""),
      ("map", Property("map", .map(.int)), ["k": 1, "j": 2], ""),
    ]

  private static let schemas = [
    ObjectSchema(
      "Everything",
      [
        Property("id", .string, isPrimaryKey: true), Property("next", .object("Everything")),
        Property("home", .object("Home")), Property("notes", .list("Note")),
      ] + kinds.map(\.property)),
    ObjectSchema("Home", [Property("street", .string)], isEmbedded: true),
    ObjectSchema("Note", [Property("text", .string)]),
    JSONDocuments.schema,
  ]

  private static func write(_ url: URL) throws {
    let store = try Store(configuration: .file(url), schemas: schemas)
    try store.write {
      for id in ["one", "two", "three"] {
        var update = UpdateDictionary([
          ("id", .init(id)), ("home", ["street": .init("\(id) street")]),
          ("notes", [["text": "a"], ["text": "b"]]),
        ])
        for kind in kinds { update[kind.name] = kind.value }
        try store.create(dynamic: "Everything", value: update)
      }
      let one = try store.object(dynamic: "Everything", forPrimaryKey: "one")
      let three = try store.object(dynamic: "Everything", forPrimaryKey: "three")
      three?["next"] = one
      if let two = try store.object(dynamic: "Everything", forPrimaryKey: "two") {
        store.delete(two)
      }
      try JSONDocuments.write(store)
    }
  }

  @Test(.enabled(if: ProcessInfo.processInfo.environment["STORE_FIXTURE"] != nil))
  func `a fixture of the current format is written on demand`() throws {
    let path = try #require(ProcessInfo.processInfo.environment["STORE_FIXTURE"])
    try Self.write(URL(filePath: path))
  }

  @Test(arguments: [1, 2], [false, true])
  func `files of each format read as they were written`(
    _ format: Int, isReadOnly: Bool
  ) async throws {
    let folder = try TemporaryFolder()
    let url = folder.file("copy.store")
    let fixture = URL(filePath: #filePath).deletingLastPathComponent()
      .appending(path: "../../../Fixtures/stores/format-\(format).store").standardizedFileURL
    try FileManager.default.copyItem(at: fixture, to: url)
    let store = try Store(
      configuration: .file(url, readOnly: isReadOnly), schemas: Self.schemas)
    let objects = try store.objects(dynamic: "Everything")
    #expect(objects.map(\.unknownAttributes) == [[], []])
    #expect(objects.map { $0["id"] as? String } == ["one", "three"])
    for object in objects {
      let id = object["id"] as? String ?? ""
      for kind in Self.kinds where !kind.text.isEmpty {
        let value = object[kind.name]
        #expect(value.map { "\($0)" } ?? "nil" == kind.text, "\(kind.name)")
      }
      #expect(object["list"] as? List<Double?> == [1, nil, 2.5])
      #expect(object["set"] as? MutableSet<String> == ["a", "b"])
      #expect(object["map"] as? Map<String, Int> == ["j": 2, "k": 1])
      #expect((object["home"] as? DynamicObject)?["street"] as? String == "\(id) street")
      let notes = object["notes"] as? List<DynamicObject>
      #expect(notes?.map { $0["text"] as? String } == ["a", "b"])
    }
    #expect((objects.last?["next"] as? DynamicObject)?["id"] as? String == "one")
    #expect("\(try JSONDocuments.read(store))" == "\(JSONDocuments.expected())")
    try await store.integrityCheck()
    if isReadOnly { return }
    try store.write { try store.create(dynamic: "Everything", value: ["id": "four"]) }
    #expect(store.damage == [])
  }
}

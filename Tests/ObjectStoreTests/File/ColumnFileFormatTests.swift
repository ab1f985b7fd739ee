import Foundation
import TestSupport
import Testing

@testable import ObjectStore

/// The column file of a fixture, which a version of the package wrote. If the memory of a chunk or the key of an index
/// changes, the format of column files needs a new number, and the fixture a new file, written to the path in `STORE_COLUMN_FIXTURE`.
@Suite struct `The format of column files` {
  private static let schemas = [
    ObjectSchema(
      "Sample",
      [
        Property("id", .string, isPrimaryKey: true), Property("flag", .bool, isOptional: true),
        Property("number", .int, isIndexed: true), Property("ratio", .double, isOptional: true),
        Property("text", .string, isOptional: true, isIndexed: true), Property("image", .data),
        Property("amount", .decimal), Property("extra", .value(.json)),
        Property("names", .list(.string), isOptional: true), Property("sizes", .set(.int)),
        Property("scores", .map(.double), isOptional: true), Property("next", .object("Sample")),
        Property("places", .list("Place")),
      ], indexes: [["flag", "number"]]),
    ObjectSchema("Place", [Property("street", .string)], isEmbedded: true),
  ]

  private static func configuration(_ url: URL) -> StoreConfiguration {
    var configuration = StoreConfiguration.file(url)
    configuration.file.columnFileRows = 1
    return configuration
  }

  private static func update(_ number: Int) -> UpdateDictionary {
    let text = String(repeating: "é\(number) ", count: number % 7)
    let isEven = number % 2 == 0
    let own = UpdateValue.int(Int64(number))
    let score = UpdateValue.double(Double(number))
    var update: UpdateDictionary = ["id": .string("sample \(number)"), "number": own]
    update["flag"] = number % 3 == 0 ? .null : .bool(isEven)
    update["ratio"] = isEven ? .double(Double(number) / 4) : .null
    update["text"] = number % 5 == 0 ? .null : .string(text)
    update["image"] = .init(Data(text.utf8))
    update["amount"] = .init(Decimal(number) / 100)
    update["extra"] = .init(JSONValue.object(["t": .array([.string(text), .null])]))
    update["names"] = isEven ? .array([.string(text), .null, "b"]) : .array([])
    update["sizes"] = .array([3, own, 1])
    update["scores"] = ["k": score, "none": nil]
    update["places"] = isEven ? [["street": .string(text)], ["street": "b"]] : []
    return update
  }

  /// The objects as text.
  private static func content(of store: ObjectStore.Store) throws -> [String] {
    let names = schemas[0].properties.map(\.name)
    return try store.objects(dynamic: "Sample").map { sample in
      names.map { name in
        switch sample[name] {
        case let next as DynamicObject: "\(next["id"] ?? "")"
        case let places as List<DynamicObject>: "\(places.map { $0["street"] ?? "" })"
        case let image as Data: image.base64EncodedString()
        case let value?: "\(value)"
        case nil: "nil"
        }
      }.joined(separator: " | ")
    }
  }

  /// Creates the objects, and deletes some.
  private static func fill(_ store: ObjectStore.Store) throws {
    try store.write {
      for number in 0..<256 {
        let sample = try store.create(dynamic: "Sample", value: update(number))
        if number % 4 == 1 {
          sample["next"] = try store.object(dynamic: "Sample", forPrimaryKey: "sample 0")
        }
      }
      for number in stride(from: 10, to: 250, by: 20) {
        try store.object(dynamic: "Sample", forPrimaryKey: "sample \(number)").map(store.delete)
      }
    }
  }

  @Test(.enabled(if: ProcessInfo.processInfo.environment["STORE_COLUMN_FIXTURE"] != nil))
  func `a fixture of the current format is written on demand`() throws {
    let path = try #require(ProcessInfo.processInfo.environment["STORE_COLUMN_FIXTURE"])
    let store = try ObjectStore.Store(
      configuration: Self.configuration(URL(filePath: path)), schemas: Self.schemas)
    try Self.fill(store)
    store.handle.core.file?.updateColumnFiles()
  }

  @Test func `a column file of the fixture is mapped and has the objects that were written`() throws
  {
    let folder = try TemporaryFolder()
    let url = folder.file("copy.store")
    let fixture = URL(filePath: #filePath).deletingLastPathComponent()
      .appending(path: "../../../Fixtures/stores/columns-3.store").standardizedFileURL
    for end in ["", ".columns"] {
      let path = fixture.path(percentEncoded: false) + end
      try FileManager.default.copyItem(
        at: URL(filePath: path), to: folder.file("copy.store" + end))
    }
    let store = try ObjectStore.Store(
      configuration: Self.configuration(url), schemas: Self.schemas)
    let expected = try ObjectStore.Store(configuration: .inMemory(), schemas: Self.schemas)
    try Self.fill(expected)
    #expect(try Self.content(of: store) == Self.content(of: expected))
    #expect(store.handle.core.file?.mappedClasses.contains("Sample") == true)
    // The chunk is that of the file, and not read from the database because of a checksum.
    #expect(store.handle.core.file?.columnFiles.unusable.contains("Sample") == false)
    let table = try #require(
      store.handle.engine.allTables().first { $0.layout.name == "Sample" })
    let file = try #require(store.handle.tableVersion(table.index).lazyChunks)
      .takeUnretainedValue().file
    for columns in table.layout.indexedColumns.map({ [$0] })
      + table.layout.compoundIndexes.map(\.columns)
    {
      let wordCount = columns.count == 1 ? 2 : 5
      #expect(file.withPairs(columns) { $0.count } == 244 * wordCount, "\(columns)")
    }
    let queries = [
      "number > 200", "text BEGINSWITH 'é'", "text == nil", "flag == nil AND number < 99",
    ]
    for query in queries {
      func ids(_ store: ObjectStore.Store) throws -> [String] {
        try store.objects(dynamic: "Sample").filter(query).map { "\($0["id"] ?? "")" }
      }
      let goal = try ids(expected)
      #expect(try ids(store) == goal && !goal.isEmpty, "\(query)")
    }
    #expect(store.handle.tableVersion(table.index).builtIndexes.count == 3)
    #expect(store.damage == [])
  }
}

import Foundation
import ObjectStore
import StoreCoding
import TestSupport
import Testing

/// Every type of attribute with every applicable pair of options, in an object and in an embedded object.
@Suite struct `Pairs of options` {
  private static let common: [Property.Option] = [
    .null(.skip), .null(.default), .null(.fail), .mismatch(.skipAttribute), .mismatch(.useDefault),
    .mismatch(.skipElement),
  ]

  /// A shape, true if it is optional, its specific options, and example values.
  static let table: [(AttributeShape, Bool, [Property.Option], [String])] = [
    (.int, false, [.flexible], ["1", #""2""#, "true"]),
    (.int, true, [.flexible, .emptyAsNil, .writesNil], ["1", #""2""#, #""""#]),
    (.string, false, [.flexible], [#""a""#, #""""#, "1.50"]),
    (.string, true, [.flexible, .emptyAsNil, .writesNil], [#""a""#, #""""#, "true"]),
    (.string, false, [.raw(.exact), .raw(.minified)], ["[ 1, 2 ]", "5", #"{"b":1,"a":[]}"#]),
    (.string, true, [.raw(.exact), .raw(.minified), .writesNil], ["[ 1 ]", #"{"b":1,"a":[]}"#]),
    (.bool, true, [.flexible, .writesNil], ["true", "0", #""yes""#]),
    (.decimal, true, [.flexible, .writesNil], ["1.50", #""2.5""#]),
    (
      .date, true,
      [
        .dates([.unixSeconds]), .dates([.date, .iso8601]), .dates([.format("yyyyMMdd")]), .flexible,
        .emptyAsNil, .writesNil,
      ],
      [
        "20200203", #""1512085950.000216""#, #""2018-05-18""#, #""2018-05-18T14:53:37.123Z""#,
        #""""#,
      ]
    ),
    (.url, true, [.emptyAsNil, .writesNil], [#""a:b""#, #""""#]),
    (.json, false, [], ["null", "1.0", #"{"b":[]}"#]),
    (.json, true, [.writesNil, .emptyAsNil], ["null", "1.0", #"{"b":[]}"#]),
    (.list(.int), false, [.omitsEmpty, .flexible], ["[]", "[1]", #"[1,"2",null]"#]),
    (.list(.int), true, [.omitsEmpty, .emptyAsNil], ["[]", "[1,null]", #"[1,""]"#]),
    (.set(.string), false, [.omitsEmpty], ["[]", #"["a"]"#]),
    (.map(.double), true, [.omitsEmpty], ["{}", #"{"a":1,"b":null}"#]),
    (.object("Target"), true, [.byKey, .writesNil], [#"{"id":1,"n":2}"#, "3"]),
    (.list("Target"), false, [.byKey, .omitsEmpty], ["[]", #"[{"id":1},{"id":2}]"#, "[3,4]"]),
    (.set("Target"), false, [.byKey, .omitsEmpty], ["[]", #"[{"id":1}]"#, "[3]"]),
    (
      .map("Target"), true, [.byKey, .omitsEmpty], ["{}", #"{"a":{"id":1},"b":null}"#, #"{"a":3}"#]
    ),
  ]

  private static func pairs(_ options: [Property.Option]) -> [[Property.Option]] {
    options.indices.flatMap { first in
      options.indices.dropFirst(first).map {
        $0 == first ? [options[first]] : [options[first], options[$0]]
      }
    }
  }

  @Test(arguments: table.indices)
  func `decoding an encoded object changes nothing for every pair of options`(
    index: Int
  ) throws {
    let (shape, isOptional, own, values) = Self.table[index]
    let pairs = Self.pairs(Self.common + own)
    let target = ObjectSchema(
      "Target", [Property("id", .int, isPrimaryKey: true), Property("n", .int)])
    var attributes = pairs.enumerated().map {
      Property("a\($0.offset)", shape, isOptional: isOptional, options: $0.element)
    }
    func schemas() -> [ObjectSchema] {
      [
        target, ObjectSchema("Part", attributes, isEmbedded: true),
        ObjectSchema(
          "Whole",
          [Property("id", .int, isPrimaryKey: true), Property("part", .object("Part"))] + attributes
        ),
      ]
    }
    func coder() throws -> StoreCoder {
      StoreCoder(store: try Store(configuration: .inMemory(), schemas: schemas()))
    }
    let explanation = try coder().explain(dynamic: "Whole")
    let isMistaken = { (property: Property) in explanation.contains(".\(property.name): ") }
    for property in attributes where isMistaken(property) {
      #expect(property.options.contains(.writesNil), "\(explanation)")
      #expect(property.options.contains { [.null(.default), .null(.fail)].contains($0) })
    }
    attributes.removeAll(where: isMistaken)
    let (first, second) = (try coder(), try coder())
    for (id, attribute) in attributes.enumerated() {
      for value in values + ["null", "[[7]]"] {
        let member = "\"\(attribute.name)\":\(value)"
        for payload in ["{\"id\":\(id),\(member)}", "{\"id\":\(id),\"part\":{\(member)}}"] {
          guard let object = try? first.decode(dynamic: "Whole", from: Data(payload.utf8)) else {
            continue
          }
          let comment: Comment = "\(attribute.options) \(payload)"
          let version = first.store.version
          let body = try first.encode(object)
          #expect(throws: Never.self, comment) { try first.decode(dynamic: "Whole", from: body) }
          #expect(first.store.version == version, comment)
          // An object with a key keeps attributes that the payload lacks.
          try second.store.write { second.store.deleteAll() }
          let copy = try second.decode(dynamic: "Whole", from: body)
          #expect(try second.encode(copy).text == body.text, comment)
        }
      }
    }
  }
}

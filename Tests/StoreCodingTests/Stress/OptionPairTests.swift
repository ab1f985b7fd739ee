import Foundation
import ObjectStore
import StoreCoding
import TestSupport
import Testing

/// Every type of attribute with every applicable pair of options, in an object and in an embedded object.
@Suite struct `Pairs of options` {
  private static let common: [Property.Option] = [
    .null(.skip), .null(.default), .null(.fail), .mismatch(.skipAttribute), .mismatch(.useDefault),
    .mismatch(.skipElement), .aliases(["alias"]),
  ]

  private struct Halves: ValueCoding {
    func decode(_ json: JSONValue) throws -> Int { try json.decode(Int.self) / 2 }
    func encode(_ value: Int) throws -> JSONValue { try JSONValue(encoding: value * 2) }
  }

  private final class Converted: Object {
    @Persisted(.coding(Halves())) var value: Int
  }

  /// The option `.coding(Halves())`.
  private static let coding = try! ObjectSchema.of(Converted.self).properties[0].options[0]

  /// A shape, true if it is optional, its specific options, and example values.
  static let table: [(AttributeShape, Bool, [Property.Option], [String])] = [
    (.int, false, [.flexible], ["1", #""2""#, "true"]),
    (
      .int, true,
      [.flexible, .emptyAsNil, .writesNil, .string(fractionDigits: 0), coding],
      ["1", "4", #""2""#, #""""#, "[]"]
    ),
    (.string, false, [.flexible], [#""a""#, #""""#, "1.50"]),
    (.string, true, [.flexible, .emptyAsNil, .writesNil], [#""a""#, #""""#, "true"]),
    (.string, false, [.raw(.exact), .raw(.minified)], ["[ 1, 2 ]", "5", #"{"b":1,"a":[]}"#]),
    (.string, true, [.raw(.exact), .raw(.minified), .writesNil], ["[ 1 ]", #"{"b":1,"a":[]}"#]),
    (.bool, true, [.flexible, .writesNil], ["true", "0", #""yes""#]),
    (
      .decimal, true, [.flexible, .writesNil, .emptyAsNil, .string(fractionDigits: 2)],
      ["1.50", #""2.5""#, #""""#, "1e3", "-0.001"]
    ),
    (.double, false, [.flexible, .string(fractionDigits: 1)], ["1.5", #""-2""#, "1e300"]),
    (
      .data, true, [.base64(.standard), .base64(.urlSafe), .emptyAsNil, .writesNil],
      [#""_-8""#, #""AA==""#, #""+/8=""#, #""""#, "false"]
    ),
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
    (
      .list(.int), false,
      [
        .omitsEmpty, .flexible, .emptyAsNil, .acceptsSingleValue, .string(fractionDigits: 0),
        coding,
      ],
      ["[]", "[2]", #"[1,"2",null]"#, "5", #""6""#, #""""#, "false"]
    ),
    (
      .list(.int), true, [.omitsEmpty, .emptyAsNil, .acceptsSingleValue],
      ["[]", "[1,null]", #"[1,""]"#, "5", "false"]
    ),
    (.set(.string), false, [.omitsEmpty, .acceptsSingleValue], ["[]", #"["a"]"#, #""b""#]),
    (
      .list(.json), false, [.omitsEmpty, .acceptsSingleValue],
      ["[]", "[null,[]]", "5", #"{"a":1}"#]
    ),
    (
      .map(.double), true, [.omitsEmpty, .emptyAsNil],
      ["{}", #"{"a":1,"b":null}"#, "[]", "false", #"{"a":"","b":[]}"#]
    ),
    (.object("Target"), true, [.byKey, .writesNil], [#"{"id":1,"n":2}"#, "3"]),
    (
      .list("Target"), false,
      [.byKey, .omitsEmpty, .keyed(.primaryKey), .acceptsSingleValue, .emptyAsNil],
      [
        "[]", #"[{"id":1},{"id":2}]"#, "[3,4]", #"{"id":5,"n":6}"#, "7",
        #"{"8":{"n":9},"1":{"id":1}}"#,
        "{}",
      ]
    ),
    (
      .set("Target"), false, [.byKey, .omitsEmpty, .keyed(.primaryKey), .acceptsSingleValue],
      ["[]", #"[{"id":1}]"#, "[3]", #"{"8":{"n":9}}"#]
    ),
    (
      .map("Target"), true, [.byKey, .omitsEmpty, .keyed(.primaryKey), .emptyAsNil],
      ["{}", #"{"a":{"id":1},"b":null}"#, #"{"a":3}"#, #"{"8":{"n":9},"1":null}"#, "[]"]
    ),
  ]

  /// True if the options may contradict each other, or a path with a wildcard.
  private static func isRefused(_ options: [Property.Option], hasWildcard: Bool) -> Bool {
    func has(_ others: Property.Option...) -> Bool { options.contains { others.contains($0) } }
    return has(.writesNil) && has(.null(.default), .null(.fail))
      || has(.keyed(.primaryKey)) && (hasWildcard || has(.byKey, .acceptsSingleValue))
      || has(coding) && has(.flexible, .string(fractionDigits: 0))
  }

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
    try expectRoundTrips(index, Self.common) { _ in
      nil
    } member: {
      ($0, $1)
    }
  }

  @Test(arguments: table.indices.filter { [.list, .set].contains(table[$0].0.form) })
  func `decoding an encoded object changes nothing for a path with a wildcard and every option`(
    index: Int
  ) throws {
    try expectRoundTrips(index, [.null(.skip), .mismatch(.skipElement)]) {
      "/a\($0)/*/v"
    } member: { name, value in
      (name, #"[{"v":\#(value)},{},{"v":null},{"v":\#(value),"w":1}]"#)
    }
  }

  @Test(arguments: table.indices)
  func `a local attribute of every type is valid alone and with no other option`(
    index: Int
  ) throws {
    let (shape, isOptional, own, _) = Self.table[index]
    let pairs = [[.local]] + (Self.common + own).map { [.local, $0] }
    let attributes = pairs.enumerated().map {
      Property("a\($0)", shape, isOptional: isOptional, options: $1)
    }
    let key = Property("id", .int, isPrimaryKey: true)
    let schemas = [
      ObjectSchema("Target", [key, Property("n", .int)]),
      ObjectSchema("Part", [Property("n", .int)], isEmbedded: true),
      ObjectSchema("Whole", [key] + attributes),
    ]
    let coder = StoreCoder(store: try Store(configuration: .inMemory(), schemas: schemas))
    let explanation = coder.explain(dynamic: "Whole")
    let mistaken = attributes.indices.filter { explanation.contains("Whole.a\($0): ") }
    #expect(mistaken == Array(1..<pairs.count), "\(explanation)")
  }

  /// Decodes and encodes the values of a row of the table with each pair of options.
  ///
  /// - Parameters:
  ///   - common: The options that are not specific to the row.
  ///   - path: Returns the path of an attribute, given its number.
  ///   - member: Returns the name and the value of a member of a payload for a value of the table.
  private func expectRoundTrips(
    _ index: Int, _ common: [Property.Option], path: (Int) -> String?,
    member: (String, String) -> (String, String)
  ) throws {
    let (shape, isOptional, own, values) = Self.table[index]
    let pairs = Self.pairs(common + own)
    let target = ObjectSchema(
      "Target", [Property("id", .int, isPrimaryKey: true), Property("n", .int)])
    var attributes = pairs.enumerated().map { offset, options in
      let options = options.map { $0 == .aliases(["alias"]) ? .aliases(["alias\(offset)"]) : $0 }
      return Property(
        "a\(offset)", shape, isOptional: isOptional, json: path(offset), options: options)
    }
    let rest = Property("rest", .json, options: [.unread])
    func schemas() -> [ObjectSchema] {
      [
        target, ObjectSchema("Part", attributes + [rest], isEmbedded: true),
        ObjectSchema(
          "Whole",
          [Property("id", .int, isPrimaryKey: true), Property("part", .object("Part"))] + attributes
            + [rest]),
      ]
    }
    func coder() throws -> StoreCoder {
      StoreCoder(store: try Store(configuration: .inMemory(), schemas: schemas()))
    }
    let explanation = try coder().explain(dynamic: "Whole")
    let isMistaken = { (property: Property) in explanation.contains(".\(property.name): ") }
    for property in attributes where isMistaken(property) {
      #expect(
        Self.isRefused(property.options, hasWildcard: path(0) != nil),
        "\(property.options) \(explanation)")
    }
    attributes.removeAll(where: isMistaken)
    let (first, second) = (try coder(), try coder())
    for (id, attribute) in attributes.enumerated() {
      let hasAlias = explanation.contains(" alias\(attribute.name.dropFirst())")
      let names = hasAlias ? ["a", "alias"] : ["a"]
      let members = (values + ["null", "[[7]]"]).flatMap { value in names.map { (value, $0) } }
      for (value, name) in members {
        let (key, value) = member("\(name)\(attribute.name.dropFirst())", value)
        let text = #""\#(key)":\#(value),"unread":{"b":[],"a":1}"#
        for payload in [#"{"id":\#(id),\#(text)}"#, #"{"id":\#(id),"part":{\#(text)}}"#] {
          guard let object = try? first.decode(dynamic: "Whole", from: Data(payload.utf8)) else {
            continue
          }
          let comment: Comment = "\(attribute.options) \(payload)"
          let version = first.store.version
          let body = try first.encode(object)
          #expect(body.text.contains(#""unread":{"a":1,"b":[]}"#), comment)
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

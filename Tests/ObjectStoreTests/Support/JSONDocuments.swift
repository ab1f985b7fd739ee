import Foundation
import ObjectStore
import Testing

/// Objects with JSON values of every form, one object per element of ``values``.
enum JSONDocuments {
  static let schema = ObjectSchema(
    "Document",
    [
      Property("id", .int, isPrimaryKey: true), Property("json", .json),
      Property("maybe", .json, isOptional: true), Property("list", .list(.json), isOptional: true),
      Property("map", .map(.json)),
    ])

  static let values: [JSONValue] = [
    .null, .bool(true), .bool(false), .int(0), .int(.min), .int(.max), .double(0), .double(-0.0),
    .double(1.5), .double(100), .double(.leastNonzeroMagnitude), .double(-.greatestFiniteMagnitude),
    .number("18446744073709551615"), .number("123456789012345678901234567890.50"),
    .number("1e-400"), .number("9007199254740993.0"), .string(""), .string("plain é 麺 🐄"),
    .string("\u{0}\u{1F}\u{7F}\"\\/\u{8}\t\n\u{C}\r\u{2028}"), .array([]), .object([:]),
    .array([1, [2, [], [:]], nil]),
    ["b": [1, 2.5], "a": ["": "e\u{301}", "\u{0}\"": nil], "é": true, "B": .number("1E+400")],
  ]

  static func write(
    _ store: Store, _ values: [JSONValue] = values, update: UpdatePolicy = .error
  ) throws {
    for (id, value) in values.enumerated() {
      try store.create(
        dynamic: "Document",
        value: [
          "id": .init(id), "json": .json(value), "maybe": .json(value),
          "list": .array([.json(value), .null, .json(.int(Int64(id)))]),
          "map": ["k\(id)": .json(value), "other": .json([.null])],
        ], update: update)
    }
  }

  /// The values of each object, as stored.
  static func read(_ store: Store) throws -> [[JSONValue?]] {
    try store.objects(dynamic: "Document").map { object in
      let list = try #require(object["list"] as? List<JSONValue?>)
      let map = try #require(object["map"] as? Map<String, JSONValue>)
      return [object["json"] as? JSONValue, object["maybe"] as? JSONValue] + list
        + map.keys.sorted().map { map[$0] }
    }
  }

  /// The result of ``read(_:)`` after ``write(_:_:)``.
  static func expected(_ values: [JSONValue] = values) -> [[JSONValue?]] {
    values.enumerated().map { [$1, $1, $1, nil, .int(Int64($0)), $1, [.null]] }
  }
}

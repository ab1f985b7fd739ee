import Foundation
import ObjectStore

/// The JSON of values for the page of the inspector:
///
///     7, true, "text", null                            values
///     {"number": "12345678901234567890"}               a number that a Double does not represent, or nan
///     {"text": "Lorem …", "count": 70000}              the beginning of a long string
///     {"json": "[1,2]", "count": 5}                    JSON, and collections of values
///     {"link": "Owner", "key": [7]}                    a link to an object
///     {"embedded": "Address", "values": {…}}           an embedded object
///     {"list": [{"link": …}], "count": 12}             the first of several objects
///     {"map": [["a", {"link": …}]], "count": 12}
struct BrowsedValues {
  private let store: Store
  private let cache: CacheFile
  private let output: JSONOutput
  /// The maximum number of characters of a string.
  private let textLimit: Int
  /// The maximum number of objects of a collection.
  private let elementLimit: Int

  init(_ store: Store, _ cache: CacheFile, textLimit: Int, elementLimit: Int) {
    self.store = store
    self.cache = cache
    output = JSONOutput(store, cache)
    self.textLimit = textLimit
    self.elementLimit = elementLimit
  }

  /// Returns an object with its values, and with the names of those that are unknown or edited.
  /// - Parameter index: The index among all objects of the class, for objects without a key.
  func json(of object: DynamicObject, index: Int?) throws -> JSONValue {
    let schema = object.objectSchema
    var members: [(key: String, value: JSONValue)] = [
      ("class", .string(schema.className)), ("key", key(of: object)),
      ("values", try values(of: object)),
      ("unknown", .array(object.unknownAttributes.map { .string($0) })),
      ("edited", .array(object.editedAttributes.map { .string($0) })),
      ("state", .string(object.editState.rawValue)),
    ]
    if schema.keyNames.isEmpty, let index { members.append(("index", .int(Int64(index)))) }
    return .object(JSONObject(members))
  }

  private func values(of object: DynamicObject) throws -> JSONValue {
    let schema = object.objectSchema
    let properties = schema.properties.filter(\.isStored)
    // JSON has the parts of a compound key, and not the key that is made from them.
    let madeKey = schema.compoundKey.isEmpty ? nil : schema.primaryKeyProperty?.name
    let encoded = properties.filter { $0.objectClassName == nil && $0.name != madeKey }
    let plain = values(of: object, encoded.map(\.name))
    let members = try properties.map { property -> (key: String, value: JSONValue) in
      let name = property.name
      if property.objectClassName != nil { return (name, try objects(object[name])) }
      return (name, plain[name].map { json($0) } ?? text(of: object[name]))
    }
    return .object(JSONObject(members))
  }

  /// Returns the values of attributes in their JSON form. Those that JSON does not have, such as infinity, are missing.
  private func values(of object: DynamicObject, _ names: [String]) -> [String: Cell] {
    if let values = try? output.values(of: object, names) { return values }
    return names.reduce(into: [:]) { values, name in
      values.merge((try? output.values(of: object, [name])) ?? [:]) { $1 }
    }
  }

  /// Returns a value that JSON does not have, as a table shows it.
  private func text(of value: Any?) -> JSONValue {
    if let text = value as? String { return json(Cell.string(text)) }
    return value == nil ? .null : ["number": .string(CellText.text(value))]
  }

  private func json(_ cell: Cell) -> JSONValue {
    switch cell {
    case .null: return .null
    case .bool(let flag): return .bool(flag)
    case .number(let text):
      // JavaScript has only Doubles.
      return text.utf8.count <= 15 ? .number(text) : ["number": .string(text)]
    case .string(let text):
      return text.utf8.count <= textLimit ? .string(text) : clipped(text, "text")
    case .json(let text): return clipped(text, "json")
    }
  }

  /// Returns a value of an edit.
  func json(_ value: JSONValue) -> JSONValue {
    switch value {
    case .null: json(Cell.null)
    case .bool(let flag): json(Cell.bool(flag))
    case .int, .double, .number: json(Cell.number(value.jsonText))
    case .string(let text): json(Cell.string(text))
    case .array, .object: json(Cell.json(value.jsonText))
    }
  }

  private func clipped(_ text: String, _ kind: String) -> JSONValue {
    // JavaScript counts UTF-16 code units. The last one may be half of a character.
    let start = text.utf16.prefix(textLimit)
    let clipped = String(start) ?? String(start.dropLast()) ?? ""
    return [kind: .string(clipped), "count": .int(Int64(text.utf16.count))]
  }

  // MARK: - Objects

  private func objects(_ value: Any?) throws -> JSONValue {
    switch value {
    case let object as DynamicObject: return try self.object(object)
    case let list as List<DynamicObject>: return try self.list(list, count: list.count)
    case let list as List<DynamicObject?>: return try self.list(list, count: list.count)
    case let set as MutableSet<DynamicObject>: return try self.list(set, count: set.count)
    case let map as Map<String, DynamicObject>:
      return try self.map(map.prefix(elementLimit).map { ($0.key, $0.value) }, count: map.count)
    case let map as Map<String, DynamicObject?>:
      return try self.map(map.prefix(elementLimit).map { ($0.key, $0.value) }, count: map.count)
    default: return .null
    }
  }

  private func list(_ list: some Sequence<DynamicObject>, count: Int) throws -> JSONValue {
    try self.list(list.lazy.map { Optional($0) }, count: count)
  }

  private func list(_ list: some Sequence<DynamicObject?>, count: Int) throws -> JSONValue {
    let elements = try list.prefix(elementLimit).map { try $0.map { try object($0) } ?? .null }
    return ["list": .array(elements), "count": .int(Int64(count))]
  }

  private func map(_ members: [(String, DynamicObject?)], count: Int) throws -> JSONValue {
    let pairs = try members.map { name, value -> JSONValue in
      [.string(name), try value.map { try object($0) } ?? .null]
    }
    return ["map": .array(pairs), "count": .int(Int64(count))]
  }

  private func object(_ object: DynamicObject) throws -> JSONValue {
    let schema = object.objectSchema
    guard schema.isEmbedded else { return link(to: object) }
    return ["embedded": .string(schema.className), "values": try values(of: object)]
  }

  /// Returns a link to an object. One to an object without a key cannot be followed.
  func link(to object: DynamicObject) -> JSONValue {
    ["link": .string(object.objectSchema.className), "key": key(of: object)]
  }

  /// A number of a key, as a string if JavaScript would change it.
  static func number(_ text: String) -> JSONValue {
    text.utf8.count <= 15 ? .number(text) : .string(text)
  }

  /// The values of the key; null for an object without a key.
  private func key(of object: DynamicObject) -> JSONValue {
    let names = object.objectSchema.keyNames
    if names.isEmpty { return .null }
    return .array(
      names.map { name in
        switch object[name] {
        case let text as String: .string(text)
        case let flag as Bool: .bool(flag)
        case let date as Date: .string(date.formatted(.iso8601))
        case let number as any BinaryInteger: Self.number("\(number)")
        case let value?: .string("\(value)")
        case nil: .null
        }
      })
  }
}

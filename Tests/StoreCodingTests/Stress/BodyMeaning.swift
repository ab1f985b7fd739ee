import Foundation
import ObjectStore
import StoreCoding
import TestSupport

/// The meaning of JSON objects of generated classes, independent of its notation: a date is a number of milliseconds, an
/// object with a key is this key, a set is sorted, and nil is absent.
///
/// It contains each value that was said about each attribute of each object with a key, of all documents that it has read.
struct BodyMeaning {
  /// An object with a key.
  struct Reference: Hashable, CustomStringConvertible {
    let name: String
    let id: Int
    var description: String { "\(name) \(id)" }
  }

  let classes: [String: BodyClass]
  let configuration: CodingConfiguration
  private var isBody = false
  /// The values by object and attribute. Members that no attribute reads have their path as a name, which begins with `/`.
  var facts: [Reference: [String: [JSONValue]]] = [:]

  init(_ generated: BodyClasses) {
    classes = generated.classes
    configuration = generated.configuration
  }

  /// Reads a document.
  ///
  /// - Parameter isBody: True to leave out null for elements of arrays that are not known.
  mutating func read(_ document: Data, isBody: Bool = false) {
    self.isBody = isBody
    guard case .object(let members) = Self.item(document, classes["Whole"]) else { return }
    _ = object(members, "Whole", id: nil)
  }

  /// The object in the envelope of a document.
  static func item(_ document: Data, _ declared: BodyClass?) -> JSONValue {
    let value = json(document)
    return declared?.envelope == nil ? value : value["data"]?["item"] ?? .null
  }

  static func json(_ text: Data) -> JSONValue {
    text.withUnsafeBytes { JSONValue(text: $0, keepsNotation: true) } ?? .null
  }

  static func json(_ text: String) -> JSONValue { json(Data(text.utf8)) }

  /// Returns the statements of `body` that this meaning does not contain.
  ///
  /// - Parameter keepsEqual: True if objects without a key may be former ones with the same values, of which more is known.
  func missing(from body: BodyMeaning, keepsEqual: Bool) -> [String] {
    var texts: [String] = []
    for (reference, attributes) in body.facts {
      for (name, values) in attributes {
        let said = facts[reference]?[name] ?? []
        for value in values where !said.contains(where: { Self.covers($0, value, keepsEqual) }) {
          texts.append(
            "\(reference).\(name): \(Self.text(value)), not in \(said.map(Self.text))")
        }
      }
    }
    return texts.sorted()
  }

  /// True if a value contains all members of another one.
  private static func covers(
    _ said: JSONValue, _ value: JSONValue, _ keepsEqual: Bool
  ) -> Bool {
    switch (said, value) {
    case (.object(let said), .object(let members)):
      members.allSatisfy { name, value in
        guard let own = said[name] else {
          return name.hasPrefix("/") ? said["stored"] != nil : keepsEqual
        }
        return covers(own, value, keepsEqual)
      }
    case (.array(let said), .array(let values)):
      said.count == values.count && zip(said, values).allSatisfy { covers($0, $1, keepsEqual) }
    default: said == value
    }
  }

  /// Returns a value without nulls in objects and without empty arrays.
  static func reduced(_ value: JSONValue) -> JSONValue {
    switch value {
    case .object(let members):
      return .object(
        JSONObject(
          members.filter { !$0.key.hasPrefix("/") && $0.key != "stored" }
            .map { (key: $0.key, value: reduced($0.value)) }.filter { $0.value != .null }))
    case .array(let elements):
      return elements.isEmpty ? .null : .array(elements.map(reduced))
    default: return value
    }
  }

  // MARK: - Objects

  /// Returns the key of an object, or its attributes by name.
  ///
  /// - Parameter id: The key outside of the object.
  mutating func object(_ members: JSONObject, _ name: String, id: Int?) -> JSONValue? {
    guard let declared = classes[name] else { return nil }
    var values: [(key: String, value: JSONValue)] = []
    for attribute in declared.attributes {
      guard let found = found(attribute, in: members), let value = value(found, attribute) else {
        continue
      }
      if isBody, value == .null, attribute.path.contains(where: { Int($0) != nil }) { continue }
      values.append((attribute.name, value))
    }
    rest(of: .object(members), declared, [], &values)
    guard declared.hasKey else { return .object(JSONObject(values)) }
    guard let id = members["id"].flatMap(Self.integer) ?? id else { return nil }
    let reference = Reference(name: name, id: id)
    for (name, value) in values { facts[reference, default: [:]][name, default: []].append(value) }
    if facts[reference] == nil { facts[reference] = [:] }
    return .string("\(reference)")
  }

  /// Returns the value that an attribute reads in an object, of a path with `*` as an array; nil if there is none.
  func found(_ attribute: BodyAttribute, in members: JSONObject) -> JSONValue? {
    var hasNull = false
    for path in [attribute.path] + attribute.aliases {
      let value = Self.value(at: path.prefix { $0 != "*" }, in: .object(members))
      // A null on the path is not the value of an attribute with other paths.
      if value == .some(.null), !attribute.aliases.isEmpty,
        Self.value(at: path.prefix { $0 != "*" }.dropLast(), in: .object(members)) == .some(.null)
      {
        hasNull = true
        continue
      }
      if case .array(let elements)? = value, path.contains("*") {
        return .array(elements.map { $0["v"] ?? .null })
      }
      if let value { return value }
    }
    return hasNull ? .some(.null) : nil
  }

  /// The value at a path. Null in place of an object on the path is null.
  static func value(at path: ArraySlice<String>, in json: JSONValue) -> JSONValue? {
    guard let first = path.first else { return json }
    if json == .null { return json }
    guard let next = json[first] ?? Int(first).flatMap({ json[$0] }) else { return nil }
    return value(at: path.dropFirst(), in: next)
  }

  /// Appends the members that no attribute reads, and the objects along paths that are empty.
  func rest(
    of json: JSONValue, _ declared: BodyClass, _ path: [String],
    _ values: inout [(key: String, value: JSONValue)]
  ) {
    let paths = declared.attributes.flatMap { [$0.path] + $0.aliases }
    if paths.contains(where: { $0.prefix { $0 != "*" } == path[...] }) || path == ["id"] { return }
    let isWrapper = path.isEmpty || declared.wrappers.contains(path)
    let name = path.reduce("") { "\($0)/\($1)" }
    switch json {
    case .object(let members) where isWrapper:
      if members.isEmpty, !path.isEmpty { values.append((name, [:])) }
      for (name, value) in members { rest(of: value, declared, path + [name], &values) }
    case .array(let elements) where isWrapper:
      for (index, element) in elements.enumerated() where element != .null {
        rest(of: element, declared, path + ["\(index)"], &values)
      }
    default: values.append((name, .string(Self.text(json))))
    }
  }

  // MARK: - Values

  /// Returns the meaning of a value of an attribute; nil if the attribute does not accept it.
  mutating func value(_ json: JSONValue, _ attribute: BodyAttribute) -> JSONValue? {
    if isNil(json, attribute) { return .null }
    guard attribute.isCollection else { return element(json, attribute) }
    if attribute.form == .map || attribute.isKeyed {
      guard case .object(let members) = json else { return nil }
      var values: [(key: String, value: JSONValue)] = []
      for (name, value) in members {
        let id = attribute.isKeyed && !attribute.hasAnyNames ? Int(name) : nil
        guard let value = elementOrNull(value, attribute, id: id) else {
          if attribute.has(.mismatch(.skipElement)) { continue }
          return nil
        }
        values.append((name, value))
      }
      if values.isEmpty { return .null }
      if attribute.form == .map { return .array(["map", .object(JSONObject(values))]) }
      return .array(Self.sorted(values.map(\.value)))
    }
    var elements: [JSONValue] = []
    if case .array(let values) = json {
      elements = values
    } else {
      guard attribute.has(.acceptsSingleValue) else { return nil }
      elements = [json]
    }
    var values: [JSONValue] = []
    for element in elements {
      guard let value = elementOrNull(element, attribute, id: nil) else {
        if attribute.has(.mismatch(.skipElement)) { continue }
        return nil
      }
      values.append(value)
    }
    if values.isEmpty { return .null }
    return .array(attribute.form == .set ? Self.sorted(values) : values)
  }

  private static func sorted(_ values: [JSONValue]) -> [JSONValue] {
    Set(values).sorted { "\($0)" < "\($1)" }
  }

  private mutating func elementOrNull(
    _ json: JSONValue, _ attribute: BodyAttribute, id: Int?
  ) -> JSONValue? {
    if json == .null || isNilSpelling(json, attribute) {
      return attribute.isOptional ? .some(.null) : nil
    }
    if attribute.isOptional, isEmptyNil(json, attribute, isElement: true) { return .some(.null) }
    return element(json, attribute, id: id)
  }

  private func isNil(_ json: JSONValue, _ attribute: BodyAttribute) -> Bool {
    if json == .null { return true }
    if !attribute.isCollection, isNilSpelling(json, attribute) { return true }
    guard attribute.isOptional || attribute.isCollection || attribute.form == .link else {
      return false
    }
    return isEmptyNil(json, attribute, isElement: false)
  }

  private func isNilSpelling(_ json: JSONValue, _ attribute: BodyAttribute) -> Bool {
    attribute.nilSpellings.contains { Self.text($0) == Self.text(json) }
  }

  private func isEmptyNil(
    _ json: JSONValue, _ attribute: BodyAttribute, isElement: Bool
  ) -> Bool {
    let hasOwn = [.string, .data, .json, .raw].contains(attribute.kind)
    let isList = !isElement && attribute.isCollection
    guard attribute.has(.emptyAsNil) || configuration.emptyAsNil && (!hasOwn || isList) else {
      return false
    }
    switch json {
    case .string(""): return true
    case .bool(false):
      return isList || ![.bool, .json, .raw].contains(attribute.kind)
    case .array([]):
      return !isList && ![.json, .raw].contains(attribute.kind) || attribute.form == .map
    case .object([:]): return !isList && attribute.kind == .object
    default: return false
    }
  }

  private mutating func element(
    _ json: JSONValue, _ attribute: BodyAttribute, id: Int? = nil
  ) -> JSONValue? {
    let text = Self.numberText(json)
    var string: String?
    if case .string(let value) = json { string = value }
    switch attribute.kind {
    case .int:
      if case .bool(let value) = json { return .int(value ? 1 : 0) }
      return Self.integer(json).map { .int(Int64(attribute.isConverted ? $0 / 2 : $0)) }
    case .string:
      if case .bool(let value) = json { return .string("\(value)") }
      return (string ?? text).map { .string($0) }
    case .bool:
      switch json {
      case .bool: return json
      case .string("yes"), .string("true"): return true
      case .string("no"), .string("false"): return false
      default: return text == "1" ? true : text == "0" ? false : nil
      }
    case .double: return (text ?? string).flatMap(Double.init).map { .double($0) }
    case .decimal:
      return (text ?? string).flatMap { Decimal(string: $0) }.map { .string("\($0)") }
    case .data:
      guard var string else { return nil }
      string = string.replacing("-", with: "+").replacing("_", with: "/")
      while string.utf8.count % 4 != 0 { string += "=" }
      return .string(string)
    case .date: return milliseconds(text ?? string, attribute).map { .int($0) }
    case .url: return string.map { .string($0) }
    case .uuid: return string.map { .string($0.lowercased()) }
    case .raw where json == .string(""): return .null
    case .json, .raw: return .string(Self.text(json))
    case .object:
      let target = attribute.target ?? ""
      if case .object(let members) = json { return object(members, target, id: id) }
      guard let id = Self.integer(json), attribute.has(.byKey) else { return nil }
      return .string("\(Reference(name: target, id: id))")
    }
  }

  static func numberText(_ json: JSONValue) -> String? {
    switch json {
    case .int(let value): "\(value)"
    case .double(let value): "\(value)"
    case .number(let text): text
    default: nil
    }
  }

  private static func integer(_ json: JSONValue) -> Int? {
    var text = numberText(json)
    if case .string(let string) = json { text = string }
    guard let text, let value = Decimal(string: text) else { return nil }
    return Int("\(value)")
  }

  /// A text of a value that does not depend on its notation.
  static func text(_ json: JSONValue) -> String {
    switch json {
    case .null: "null"
    case .bool(let value): "\(value)"
    case .int, .double, .number: Decimal(string: numberText(json) ?? "").map { "\($0)" } ?? "?"
    case .string(let value): "\"\(value)\""
    case .array(let values): "[\(values.map(text).joined(separator: ","))]"
    case .object(let members):
      "{\(members.map { "\($0.key):\(text($0.value))" }.joined(separator: ","))}"
    }
  }

  // MARK: - Dates

  private func milliseconds(_ text: String?, _ attribute: BodyAttribute) -> Int64? {
    guard let text else { return nil }
    let formats = attribute.dates ?? configuration.dates
    if formats == [.format("yyyyMMdd")] {
      guard text.utf8.count == 8, Int(text) != nil else { return nil }
      return Self.days(text.prefix(4), text.dropFirst(4).prefix(2), text.suffix(2))
        .map { $0 * 86_400_000 }
    }
    if let number = Double(text) {
      if formats.contains(.unixMilliseconds) { return Int64(number.rounded()) }
      return formats.contains(.unixSeconds) ? Int64((number * 1000).rounded()) : nil
    }
    let parts = text.split(separator: "T", omittingEmptySubsequences: false)
    let day = parts[0].split(separator: "-")
    guard day.count == 3, let days = Self.days(day[0], day[1], day[2]) else { return nil }
    guard parts.count == 2 else { return days * 86_400_000 }
    var time = parts[1]
    var offset: Int64 = 0
    if time.hasSuffix("Z") { time.removeLast() }
    if time.hasSuffix("+02:00") {
      time.removeLast(6)
      offset = 7_200_000
    }
    let numbers = time.split(separator: ":").compactMap { Double($0) }
    guard numbers.count == 3 else { return nil }
    let seconds = numbers[0] * 3600 + numbers[1] * 60 + numbers[2]
    return days * 86_400_000 + Int64((seconds * 1000).rounded()) - offset
  }

  /// The number of days since 1970.
  private static func days(_ year: Substring, _ month: Substring, _ day: Substring) -> Int64? {
    guard let year = Int64(year), let month = Int64(month), let day = Int64(day) else { return nil }
    let shifted = month <= 2 ? year - 1 : year
    let dayOfYear = (153 * ((month + 9) % 12) + 2) / 5 + day - 1
    return 365 * shifted + shifted / 4 - shifted / 100 + shifted / 400 + dayOfYear - 719_468
  }

  // MARK: - Stored values

  /// Returns the meaning of the stored value of an attribute.
  func stored(_ attribute: BodyAttribute, of object: DynamicObject) -> JSONValue {
    guard attribute.form == .list || attribute.form == .set else {
      return stored(object[attribute.name], attribute)
    }
    var values: [JSONValue] = []
    func append(_ list: some Sequence) {
      for element in list { values.append(stored(element as Any?, attribute)) }
    }
    if let list = object[attribute.name] as? any Sequence { append(list) }
    if values.isEmpty { return .null }
    return .array(attribute.form == .set || attribute.isKeyed ? Self.sorted(values) : values)
  }

  private func stored(_ value: Any?, _ attribute: BodyAttribute) -> JSONValue {
    switch value {
    case let map as Map<String, Int>:
      return members(map.map { ($0.key, $0.value as Any?) }, attribute)
    case let map as Map<String, Double?>:
      return members(map.map { ($0.key, $0.value as Any?) }, attribute)
    case let map as Map<String, DynamicObject>:
      return members(map.map { ($0.key, $0.value as Any?) }, attribute)
    case let map as Map<String, DynamicObject?>:
      return members(map.map { ($0.key, $0.value as Any?) }, attribute)
    case let value as Bool: return .bool(value)
    case let value as Int: return .int(Int64(value))
    case let value as Double: return .double(value)
    case let value as Decimal: return .string("\(value)")
    case let value as Data: return .string(value.base64EncodedString())
    case let value as Date: return .int(Int64((value.timeIntervalSince1970 * 1000).rounded()))
    case let value as UUID: return .string(value.uuidString.lowercased())
    case let value as URL: return .string(value.absoluteString)
    case let value as JSONValue: return value == .null ? .null : .string(Self.text(value))
    case let value as String where attribute.kind == .raw:
      return value.isEmpty || value == "null" ? .null : .string(Self.text(Self.json(value)))
    case let value as String: return .string(value)
    case let object as DynamicObject:
      guard let declared = classes[object.objectSchema.className] else { return .null }
      if declared.hasKey {
        return .string("\(Reference(name: declared.name, id: object["id"] as? Int ?? -1))")
      }
      let known = declared.attributes.filter { object.isKnown($0.name) }
      // The members that no attribute reads are not compared.
      return .object(
        JSONObject([("stored", true)] + known.map { ($0.name, stored($0, of: object)) }))
    default: return .null
    }
  }

  private func members(_ pairs: [(String, Any?)], _ attribute: BodyAttribute) -> JSONValue {
    if pairs.isEmpty { return .null }
    return .array([
      "map", .object(JSONObject(pairs.map { (key: $0, value: stored($1, attribute)) })),
    ])
  }
}

import Foundation
import JSONText
import ObjectStore

// Unmanaged objects: attributes are read by name, and the types of their values are determined at run time.

extension ObjectEncoder {
  /// True if the attribute is omitted.
  static func isAbsent(_ field: CodingField, _ value: Any?, _ rules: BodyRules) -> Bool {
    let isAbsent =
      switch value {
      case nil: !field.writesNil
      case let text as String: field.raw != nil && isAbsent(field, rawText: text.utf8)
      case let json as JSONValue: field.omitsJSONNull && json == .null
      case let elements as any Sequence where field.omitsEmpty: CodingField.isEmpty(elements)
      default: false
      }
    let isNil =
      switch value {
      case nil: true
      case let text as String: field.raw != nil && isNull(rawText: text.utf8)
      case let json as JSONValue: json == .null
      default: false
      }
    return rules.omits(field, isAbsent: isAbsent, isNil: isNil)
  }

  mutating func attribute(_ value: Any?, _ field: CodingField) throws {
    guard let value else { return try null(field) }
    switch field.form {
    case .scalar:
      try scalar(value, field)
    case .link:
      try target(value, field)
    case .list where field.isKeyed, .set where field.isKeyed, .map where field.isKeyed:
      try keyed(value, field)
    case .list, .set:
      let omitsNil = rules.nils == .omitted
      if omitsNil { rules.nils = .asDeclared }
      writer.beginArray()
      let elements = field.form == .set ? Self.sorted(value, field) : Self.elements(value)
      for (index, element) in elements.enumerated() {
        do {
          if field.hasElementPath {
            try nested(field.path.elementPath?[...] ?? []) { try $0.element(element, field) }
          } else {
            try self.element(element, field)
          }
        } catch var error as StoreCodingError {
          error.prepend(index: index)
          throw error
        }
      }
      writer.endArray()
      if omitsNil { rules.nils = .omitted }
    case .map:
      writer.beginObject()
      var pairs = Self.pairs(value)
      if configuration.sortsReadably {
        pairs = configuration.keyOrder.sorted(pairs, by: \.0)
      }
      for (key, element) in pairs {
        writer.key(key)
        do {
          try self.element(element, field)
        } catch var error as StoreCodingError {
          error.prepend(key: key)
          throw error
        }
      }
      writer.endObject()
    case .linkingObjects:
      break
    }
  }

  mutating func element(_ value: Any, _ field: CodingField) throws {
    if Self.isNil(value) {
      try null(field)
    } else if field.target != nil {
      try target(value, field)
    } else {
      try scalar(value, field)
    }
  }

  mutating func target(_ value: Any, _ field: CodingField) throws {
    guard let object = value as? ObjectBase, let plan = field.target else {
      writer.null()
      return
    }
    guard field.isByKey || field.isByIdentifier, let key = plan.keyField else {
      return try self.object(object, plan)
    }
    if object.isInvalidated {
      throw StoreCodingError(.objectInvalidated, attribute: plan.className)
    }
    try self.key(of: plan, field) { try $0.attribute(object[key.name], key) }
  }

  mutating func scalar(_ value: Any, _ field: CodingField) throws {
    guard let value = value as? any ScalarValue else {
      writer.null()
      return
    }
    if let flag = value as? Bool {
      try bool(flag, field)
      return
    }
    if field.coding == nil, let coded = value as? any CodablePersistable {
      try json(Self.json(of: coded, field), field)
      return
    }
    let cell = Self.cell(of: value)
    if field.scalar.isBytes {
      try cell.bytes.withUnsafeBytes { try text($0, field) }
    } else if field.scalar == .bool {
      try bool(cell.word != 0, field)
    } else {
      try number(cell.word, field)
    }
  }

  /// The JSON of a Codable value, whose `encode(to:)` is user code.
  private static func json(
    of value: some CodablePersistable, _ field: CodingField
  ) throws -> JSONValue {
    do {
      return try DeepStack.onCaller { try JSONValue(encoding: value) }
    } catch {
      throw StoreCodingError(
        .notJSON, attribute: field.fullName, expected: "\(type(of: value)) that can be encoded",
        found: (error as? EncodingError)?.reason ?? "\(error)")
    }
  }

  /// The stored form of a value, whose type may be user-defined.
  static func cell(of value: any ScalarValue) -> (word: UInt64, bytes: [UInt8]) {
    // Copies the bytes, because those of the cell do not outlive the call.
    DeepStack.onCaller { value._encode { (word: $0.word, bytes: Array($0.bytes)) } }
  }

  /// The compound key computed from an object's parts, regardless of its current key; nil if a part is missing.
  static func compoundKey(_ object: ObjectBase, _ plan: CodingPlan) -> String? {
    (plan.codingClass.schema.key(of: object) as? CompoundKey)?.text
  }

  /// True if the value is a boxed optional that is nil.
  static func isNil(_ value: Any) -> Bool {
    let mirror = Mirror(reflecting: value)
    return mirror.displayStyle == .optional && mirror.children.isEmpty
  }

  static func elements(_ value: Any) -> [Any] {
    func open(_ sequence: some Sequence) -> [Any] { sequence.map { $0 as Any } }
    return (value as? any Sequence).map { open($0) } ?? []
  }

  /// The elements of a set in storage order: null first, then by bits or bytes.
  static func sorted(_ set: Any, _ field: CodingField) -> [Any] {
    let elements = elements(set)
    guard field.target == nil else { return elements }
    let keyed = elements.map { element -> (rank: Int, word: UInt64, bytes: [UInt8], value: Any) in
      guard let value = element as? any ScalarValue, !isNil(element) else {
        return (0, 0, [], element)
      }
      let cell = Self.cell(of: value)
      return field.scalar.isBytes ? (1, 0, cell.bytes, element) : (1, cell.word, [], element)
    }
    return keyed.sorted { a, b in
      if a.rank != b.rank { return a.rank < b.rank }
      return a.word != b.word ? a.word < b.word : a.bytes.lexicographicallyPrecedes(b.bytes)
    }.map(\.value)
  }

  static func pairs(_ value: Any) -> [(String, Any)] {
    elements(value).compactMap { element in
      let parts = Mirror(reflecting: element).children.map(\.value)
      guard parts.count == 2, let key = parts[0] as? String else { return nil }
      return (key, parts[1])
    }
  }
}

public import Foundation

/// A value of an ``UpdateDictionary``. ``null`` clears an attribute; an attribute without a value remains unchanged.
public enum UpdateValue: Sendable {
  /// Clears an optional attribute or a link, or empties a collection.
  case null
  /// A Boolean.
  case bool(Bool)
  /// An integer that fits an Int64; the attribute may be of any width that can hold it.
  case int(Int64)
  /// An integer that fits a UInt64 but not an Int64.
  case uint(UInt64)
  /// A number with a fraction, or an explicit Double.
  case double(Double)
  /// An exact number of up to 38 digits.
  case decimal(Decimal)
  /// A string, a URL's string, or the raw value of an enum.
  case string(String)
  /// Bytes.
  case data(Data)
  /// A date.
  case date(Date)
  /// A UUID.
  case uuid(UUID)
  /// A JSON value.
  case json(JSONValue)
  /// The elements of a list or set, in order.
  case array([UpdateValue])
  /// A nested object, or the pairs of a map.
  case object(UpdateDictionary)
  /// An object of the store.
  indirect case reference(_AnyObjectReference)
  /// A Codable value whose `encode(to:)` threw an error. Storing it throws a ``StoreError``.
  case unencodable(_UnencodableValue)

  /// Creates a value from a scalar in a variable: `["id": .init(number)]`.
  @inlinable
  public init(_ value: some ScalarValue) {
    self = value._updateValue
  }

  /// Creates a value from an optional; nil becomes null.
  @inlinable
  public init(_ value: (some ScalarValue)?) {
    self = value.map { $0._updateValue } ?? .null
  }

  /// Creates the elements of a list or set.
  public init(_ values: [some ScalarValue]) {
    self = .array(values.map { $0._updateValue })
  }

  /// Creates a link: to the object itself if it is managed, otherwise to an object with all of its values,
  /// including defaults. An existing object with the same key is updated with them.
  public init(_ object: ObjectBase) {
    self = UpdateValue(object: object)
  }

  init(object: ObjectBase) {
    var open: Set<ObjectIdentifier> = []
    self.init(object: object, &open)
  }

  /// - Parameter open: The enclosing objects. If an object occurs again in a cycle, only its key is included, or null
  ///   if it has none.
  private init(object: ObjectBase, _ open: inout Set<ObjectIdentifier>) {
    if let reference = _AnyObjectReference(object) {
      self = .reference(reference)
      return
    }
    let schema = object.objectSchema
    var update = UpdateDictionary()
    guard open.insert(ObjectIdentifier(object)).inserted else {
      guard schema.primaryKeyProperty != nil else {
        self = .null
        return
      }
      for name in schema.keyNames {
        update.append(name, UpdateValue(any: object[name]) ?? .null)
      }
      self = .object(update)
      return
    }
    defer { open.remove(ObjectIdentifier(object)) }
    for property in schema.storedProperties {
      // The key is derived from its parts; the value in an unmanaged object is ignored.
      if property.isPrimaryKey, !schema.keyParts.isEmpty { continue }
      let value = object[property.name]
      switch (property.shape.form, value) {
      case (_, let target as ObjectBase):
        update.append(property.name, UpdateValue(object: target, &open))
      case (.map, let map as any AnyMap) where property.shape.target != nil:
        var members = UpdateDictionary()
        for (key, element) in map.pairs {
          members.append(key, Self.element(element, &open))
        }
        update.append(property.name, .object(members))
      case (.list, let elements as any Sequence), (.set, let elements as any Sequence):
        if property.shape.target == nil { fallthrough }
        update.append(property.name, .array(Self.elements(elements, &open)))
      default:
        update.append(property.name, UpdateValue(any: value) ?? .null)
      }
    }
    self = .object(update)
  }

  private static func elements(
    _ sequence: some Sequence, _ open: inout Set<ObjectIdentifier>
  ) -> [UpdateValue] {
    var values: [UpdateValue] = []
    for element in sequence { values.append(Self.element(element, &open)) }
    return values
  }

  private static func element(
    _ element: Any, _ open: inout Set<ObjectIdentifier>
  ) -> UpdateValue {
    if let optional = element as? any AnyOptional {
      return optional.unwrapped.map { Self.element($0, &open) } ?? .null
    }
    return (element as? ObjectBase).map { UpdateValue(object: $0, &open) } ?? .null
  }
}

extension UpdateValue: ExpressibleByNilLiteral, ExpressibleByBooleanLiteral,
  ExpressibleByIntegerLiteral, ExpressibleByFloatLiteral, ExpressibleByStringLiteral,
  ExpressibleByArrayLiteral, ExpressibleByDictionaryLiteral
{
  /// Creates `.null` from `nil`.
  public init(nilLiteral: ()) { self = .null }

  /// Creates `.bool` from `true` and `false`.
  public init(booleanLiteral value: Bool) { self = .bool(value) }

  /// Creates `.int` from `3`; a number beyond 64 bits does not compile.
  public init(integerLiteral value: Int64) { self = .int(value) }

  /// Creates `.double` from `2.5`.
  public init(floatLiteral value: Double) { self = .double(value) }

  /// Creates `.string` from `"text"`.
  public init(stringLiteral value: String) { self = .string(value) }

  /// Creates `.array` from `[1, "two"]`.
  public init(arrayLiteral elements: UpdateValue...) { self = .array(elements) }

  /// Creates `.object` from `["name": "Bella"]`; the last value of a repeated name is kept.
  public init(dictionaryLiteral elements: (String, UpdateValue)...) {
    self = .object(UpdateDictionary(elements))
  }
}

extension UpdateValue {
  /// The type of a scalar, for messages; nil for null, arrays, objects and references.
  package var typeName: String? {
    switch self {
    case .bool: "Bool"
    case .int, .uint: "Int"
    case .double: "Double"
    case .decimal: "Decimal"
    case .string: "String"
    case .data: "Data"
    case .date: "Date"
    case .uuid: "UUID"
    case .json: "JSONValue"
    case .null, .array, .object, .reference, .unencodable: nil
    }
  }

  /// The type and value, escaped and truncated, for messages about unexpected values.
  package var found: String {
    switch self {
    case .string(var text):
      "String \(text.withUTF8 { MessageText.quoted(UnsafeRawBufferPointer($0)) })"
    case .data: "Data of \(self)"
    case .json: "JSONValue"
    case .array(let values): "an array of \(values.count)"
    case .object: "an object"
    default: typeName.map { "\($0) \(self)" } ?? "\(self)"
    }
  }
}

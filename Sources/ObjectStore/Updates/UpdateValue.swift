public import Foundation

/// A value of an ``UpdateDictionary``: absent is the lack of one, ``null`` clears.
public enum UpdateValue: Sendable {
  /// Clears an optional attribute or a link, empties a collection.
  case null
  /// A truth value.
  case bool(Bool)
  /// An integer that an Int64 holds; the attribute may be of any width that holds it.
  case int(Int64)
  /// An integer that an Int64 does not hold.
  case uint(UInt64)
  /// A number with a fraction, or one that is to be a Double.
  case double(Double)
  /// A number of up to 38 digits, exactly.
  case decimal(Decimal)
  /// A text; also a URL's, or the raw value of an enum.
  case string(String)
  /// Bytes.
  case data(Data)
  /// A moment.
  case date(Date)
  /// A UUID.
  case uuid(UUID)
  /// Any JSON.
  case json(JSONValue)
  /// The elements of a list or set, in order.
  case array([UpdateValue])
  /// A nested object, or the pairs of a map.
  case object(UpdateDictionary)
  /// An object of the store.
  indirect case reference(_AnyObjectReference)

  /// A value held in a variable: `["id": .init(number)]`.
  @inlinable
  public init(_ value: some ScalarValue) {
    self = value._updateValue
  }

  /// Nil becomes null.
  @inlinable
  public init(_ value: (some ScalarValue)?) {
    self = value.map { $0._updateValue } ?? .null
  }

  /// The elements of a list or set.
  public init(_ values: [some ScalarValue]) {
    self = .array(values.map { $0._updateValue })
  }

  /// A link: to the object itself if it is managed, else to an object with all values of this one,
  /// defaults included; one of its key in the store takes them.
  public init(_ object: ObjectBase) {
    self = UpdateValue(object: object)
  }

  init(object: ObjectBase) {
    var open: Set<ObjectIdentifier> = []
    self.init(object: object, &open)
  }

  /// - Parameter open: the objects around this one. One that comes again, in a circle, is named by
  ///   its key alone, or is null without one.
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
      // Made of its parts: what an unmanaged object has there does not count.
      if property.isPrimaryKey, !schema.keyParts.isEmpty { continue }
      let value = object[property.name]
      switch (property.shape.form, value) {
      case (_, let target as ObjectBase):
        update.append(property.name, UpdateValue(object: target, &open))
      case (.map, let map as any MapContent) where property.shape.target != nil:
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
    if let optional = element as? any OptionalBox {
      return optional.boxed.map { Self.element($0, &open) } ?? .null
    }
    return (element as? ObjectBase).map { UpdateValue(object: $0, &open) } ?? .null
  }
}

extension UpdateValue: ExpressibleByNilLiteral, ExpressibleByBooleanLiteral,
  ExpressibleByIntegerLiteral, ExpressibleByFloatLiteral, ExpressibleByStringLiteral,
  ExpressibleByArrayLiteral, ExpressibleByDictionaryLiteral
{
  /// `nil` makes `.null`.
  public init(nilLiteral: ()) { self = .null }

  /// `true` and `false` make `.bool`.
  public init(booleanLiteral value: Bool) { self = .bool(value) }

  /// `3` makes `.int`; a number beyond 64 bits does not compile.
  public init(integerLiteral value: Int64) { self = .int(value) }

  /// `2.5` makes `.double`.
  public init(floatLiteral value: Double) { self = .double(value) }

  /// `"text"` makes `.string`.
  public init(stringLiteral value: String) { self = .string(value) }

  /// `[1, "two"]` makes `.array`.
  public init(arrayLiteral elements: UpdateValue...) { self = .array(elements) }

  /// `["name": "Bella"]` makes `.object`; of a name that comes twice the last value counts.
  public init(dictionaryLiteral elements: (String, UpdateValue)...) {
    self = .object(UpdateDictionary(elements))
  }
}

extension UpdateValue {
  /// The type of a single value, as messages name it; nil for null, arrays and objects.
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
    case .null, .array, .object, .reference: nil
    }
  }

  /// The value's type and its text, escaped and clipped, as messages show what was found.
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

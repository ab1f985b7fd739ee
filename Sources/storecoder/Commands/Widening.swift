import ObjectStore

/// The conversion of a stored attribute to a more general type.
struct Widening: Sendable {
  let className: String
  let name: String
  let form: AttributeShape.Form
  /// True if the values, or the elements, become Double; otherwise they become JSON.
  let isDouble: Bool
  /// True if an element may be null.
  let isOptional: Bool

  init(_ property: Property, of className: String) {
    self.className = className
    name = property.name
    form = property.shape.form
    isDouble = property.type == .double
    isOptional = property.isOptional
  }

  /// A stored integer that a Double cannot represent.
  struct Inexact: Error {
    let className: String
    let name: String
  }

  /// Converts the stored values.
  /// - Throws: `Inexact`.
  static func run(_ widenings: [Widening], _ migration: Migration) throws {
    let byClass = Dictionary(grouping: widenings, by: \.className).sorted { $0.key < $1.key }
    for (className, widenings) in byClass {
      try migration.enumerate(className) { old, new in
        for widening in widenings { try widening.move(old[widening.name], to: new) }
      }
    }
  }

  private func move(_ value: Any?, to object: DynamicObject) throws {
    let value = UpdateValue(any: value) ?? .null
    guard isDouble else {
      object[name] =
        collection(of: value) { Self.json($0) } ?? (value.isNull ? nil : Self.json(value))
      return
    }
    object[name] =
      isOptional
      ? try collection(of: value) { try double($0) } ?? double(value)
      : try collection(of: value) { try double($0) ?? 0 } ?? double(value)
  }

  /// Converts the elements of a collection; nil if the attribute is not a collection.
  private func collection<Element: CollectionElement>(
    of value: UpdateValue, _ element: (UpdateValue) throws -> Element
  ) rethrows -> Any? {
    switch (form, value) {
    case (.list, .array(let values)): List(try values.map(element))
    case (.map, .object(let pairs)):
      Map(
        try [String: Element](
          pairs.map { ($0.key, try element($0.value)) }, uniquingKeysWith: { $1 }))
    default: nil
    }
  }

  /// Returns an integer as a Double; nil for null.
  private func double(_ value: UpdateValue) throws -> Double? {
    guard case .int(let integer) = value else { return nil }
    guard let double = Double(exactly: integer) else {
      throw Inexact(className: className, name: name)
    }
    return double
  }

  private static func json(_ value: UpdateValue) -> JSONValue {
    switch value {
    case .bool(let flag): .bool(flag)
    case .int(let number): .int(number)
    case .uint(let number): JSONValue(exactNumber: "\(number)")
    // A whole number is written without a fraction.
    case .double(let number): Int64(exactly: number).map { .int($0) } ?? .double(number)
    case .string(let text): .string(text)
    case .json(let json): json
    case .array(let values): .array(values.map(json))
    case .object(let pairs): .object(JSONObject(pairs.map { (key: $0.key, value: json($0.value)) }))
    default: .null
    }
  }
}

extension UpdateValue {
  fileprivate var isNull: Bool { if case .null = self { true } else { false } }
}

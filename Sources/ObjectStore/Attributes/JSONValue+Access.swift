public import Foundation

// Access to a value without switching over its cases.
//
//     let rings = feature["geometry"]?["coordinates"]?.elements ?? []
//     let points = rings.flatMap(\.elements).map { $0.elements.compactMap(\.doubleValue) }

extension JSONValue {
  /// A Boolean value that indicates whether the value is null.
  public var isNull: Bool { if case .null = self { true } else { false } }

  /// The Boolean value; nil for any other value.
  public var boolValue: Bool? { if case .bool(let value) = self { value } else { nil } }

  /// The string; nil for any other value.
  public var stringValue: String? { if case .string(let text) = self { text } else { nil } }

  /// The integer that a number equals, if it is in range; nil for any other value.
  ///
  /// A `double` has the digits with which it is written: 1e23 is a one with 23 zeros.
  public var intValue: Int? { wholeNumber() }

  /// The integer that a number equals; nil for any other value, for a number with a fraction, and for one out of range.
  func wholeNumber<T: FixedWidthInteger>(as type: T.Type = T.self) -> T? {
    switch self {
    case .int(let value): T(exactly: value)
    // A double stands for the number whose digits it is written with.
    case .double(let value):
      value.magnitude < 0x1p53 ? T(exactly: value) : WholeNumber.parse("\(value)")
    case .number(let text): WholeNumber.parse(text)
    default: nil
    }
  }

  /// The Double nearest to a number; nil for any other value, and for a number that is too large.
  public var doubleValue: Double? {
    switch self {
    case .int(let value): return Double(value)
    case .double(let value): return value
    case .number(let text):
      guard let value = Double(text), value.isFinite else { return nil }
      return value
    default: return nil
    }
  }

  /// The decimal value of a number, exact up to 38 digits; nil for any other value, and for a number out of the range
  /// of Decimal.
  public var decimalValue: Decimal? {
    switch self {
    case .int(let value): return Decimal(value)
    case .double(let value):
      return value.isFinite
        ? Decimal(plain: "\(value)") : nil
    case .number(let text):
      return Decimal(plain: text)
    default: return nil
    }
  }

  /// The elements of an array; empty for any other value.
  public var elements: [JSONValue] { if case .array(let elements) = self { elements } else { [] } }

  /// The members of an object; empty for any other value.
  public var members: JSONObject {
    if case .object(let members) = self { members } else { JSONObject() }
  }

  /// Returns an object with these members.
  public static func object(_ members: [String: JSONValue]) -> JSONValue {
    .object(JSONObject(members))
  }
}

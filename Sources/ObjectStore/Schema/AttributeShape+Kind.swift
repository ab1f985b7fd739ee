extension AttributeShape {
  /// The type of an attribute's value or of a collection's elements.
  @frozen
  public enum Kind: UInt8, Sendable, Hashable, CaseIterable {
    /// A Boolean.
    case bool
    /// An `Int`.
    case int
    /// A signed 8-bit integer.
    case int8
    /// A signed 16-bit integer.
    case int16
    /// A signed 32-bit integer.
    case int32
    /// A signed 64-bit integer.
    case int64
    /// A `UInt`.
    case uint
    /// An unsigned 8-bit integer.
    case uint8
    /// An unsigned 16-bit integer.
    case uint16
    /// An unsigned 32-bit integer.
    case uint32
    /// An unsigned 64-bit integer.
    case uint64
    /// A 32-bit floating-point number.
    case float
    /// A 64-bit floating-point number.
    case double
    /// A decimal number of up to 38 digits.
    case decimal
    /// A string.
    case string
    /// Bytes; base64 in JSON.
    case data
    /// A point in time.
    case date
    /// A UUID.
    case uuid
    /// A URL.
    case url
    /// Any JSON value.
    case json

    /// The name of the Swift type, for messages.
    public var name: String {
      switch self {
      case .bool: "Bool"
      case .int: "Int"
      case .int8: "Int8"
      case .int16: "Int16"
      case .int32: "Int32"
      case .int64: "Int64"
      case .uint: "UInt"
      case .uint8: "UInt8"
      case .uint16: "UInt16"
      case .uint32: "UInt32"
      case .uint64: "UInt64"
      case .float: "Float"
      case .double: "Double"
      case .decimal: "Decimal"
      case .string: "String"
      case .data: "Data"
      case .date: "Date"
      case .uuid: "UUID"
      case .url: "URL"
      case .json: "JSONValue"
      }
    }

    /// The range of a signed integer type; nil for other types.
    public var signedRange: ClosedRange<Int64>? {
      switch self {
      case .int, .int64: .min ... .max
      case .int8: Int64(Int8.min)...Int64(Int8.max)
      case .int16: Int64(Int16.min)...Int64(Int16.max)
      case .int32: Int64(Int32.min)...Int64(Int32.max)
      default: nil
      }
    }

    /// The largest value of an unsigned integer type; nil for other types.
    public var unsignedMaximum: UInt64? {
      switch self {
      case .uint, .uint64: .max
      case .uint8: UInt64(UInt8.max)
      case .uint16: UInt64(UInt16.max)
      case .uint32: UInt64(UInt32.max)
      default: nil
      }
    }

    /// The representation of a value in a cell.
    var column: ColumnLayout.Kind {
      switch self {
      case .bool: .byte
      case .decimal, .string, .data, .uuid, .url, .json: .bytes
      default: .word
      }
    }

    /// True if cells store the value as bytes.
    package var isBytes: Bool { column == .bytes }

    package var isNumber: Bool {
      signedRange != nil || unsignedMaximum != nil || self == .double || self == .float
        || self == .decimal
    }

    /// True if the type can be a primary key.
    var canBeKey: Bool {
      switch self {
      case .string, .uuid: true
      default: signedRange != nil || unsignedMaximum != nil
      }
    }
  }
}

package typealias ScalarKind = AttributeShape.Kind

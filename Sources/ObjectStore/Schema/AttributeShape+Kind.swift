extension AttributeShape {
  /// What a single value is, whatever attribute or collection holds it.
  @frozen
  public enum Kind: UInt8, Sendable, Hashable, CaseIterable {
    /// A truth value.
    case bool
    /// An `Int`.
    case int
    /// An integer of 8 bits.
    case int8
    /// An integer of 16 bits.
    case int16
    /// An integer of 32 bits.
    case int32
    /// An integer of 64 bits.
    case int64
    /// A `UInt`.
    case uint
    /// An integer of 8 bits that is never negative.
    case uint8
    /// An integer of 16 bits that is never negative.
    case uint16
    /// An integer of 32 bits that is never negative.
    case uint32
    /// An integer of 64 bits that is never negative.
    case uint64
    /// A number of 32 bits.
    case float
    /// A number of 64 bits.
    case double
    /// A decimal number of up to 38 digits.
    case decimal
    /// A text.
    case string
    /// Bytes; base64 in JSON.
    case data
    /// A moment.
    case date
    /// A UUID.
    case uuid
    /// A URL.
    case url
    /// Any JSON.
    case json

    /// The Swift type's name, as messages show it.
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

    /// The range of a signed integer type; nil for any other.
    public var signedRange: ClosedRange<Int64>? {
      switch self {
      case .int, .int64: .min ... .max
      case .int8: Int64(Int8.min)...Int64(Int8.max)
      case .int16: Int64(Int16.min)...Int64(Int16.max)
      case .int32: Int64(Int32.min)...Int64(Int32.max)
      default: nil
      }
    }

    /// The largest value of an unsigned integer type; nil for any other.
    public var unsignedMaximum: UInt64? {
      switch self {
      case .uint, .uint64: .max
      case .uint8: UInt64(UInt8.max)
      case .uint16: UInt64(UInt16.max)
      case .uint32: UInt64(UInt32.max)
      default: nil
      }
    }

    /// How a cell holds it.
    var column: ColumnLayout.Kind {
      switch self {
      case .bool: .byte
      case .decimal, .string, .data, .uuid, .url, .json: .text
      default: .word
      }
    }

    /// Whether its cells hold bytes.
    package var isText: Bool { column == .text }

    package var isNumber: Bool {
      signedRange != nil || unsignedMaximum != nil || self == .double || self == .float
        || self == .decimal
    }

    /// Whether it can be a primary key.
    var canBeKey: Bool {
      switch self {
      case .string, .uuid: true
      default: signedRange != nil || unsignedMaximum != nil
      }
    }
  }
}

package typealias ScalarKind = AttributeShape.Kind

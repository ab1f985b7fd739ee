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

    /// Whether it can be a primary key.
    var canBeKey: Bool {
      switch self {
      case .string, .uuid: true
      default: signedRange != nil || unsignedMaximum != nil
      }
    }

    /// Whether an index over it is of use.
    var canBeIndexed: Bool { IndexKey(self) != nil }
  }
}

package typealias ScalarKind = AttributeShape.Kind

/// The type of a value: its kind, and what narrows it.
public struct _ScalarType: Sendable, Hashable {
  /// How it is stored; of an enum, its raw value's kind.
  package let kind: ScalarKind
  /// For enums: the type's name and its raw values; nil for any other type.
  package let cases: EnumCases?

  /// The type of a kind; `cases` if it is an enum.
  package init(_ kind: ScalarKind, cases: EnumCases? = nil) {
    self.kind = kind
    self.cases = cases
  }

  /// The type as messages show it: `Int`, `Role`.
  package var name: String { cases?.typeName ?? kind.name }
}

package typealias ScalarType = _ScalarType

/// The raw values an enum attribute accepts.
package final class EnumCases: Sendable, Hashable {
  /// Name of the enum.
  package let typeName: String
  /// For enums of numbers: the raw values' bits.
  package let words: [UInt64]
  /// For enums of texts: the raw values' bytes.
  package let texts: [[UInt8]]

  init(typeName: String, words: [UInt64], texts: [[UInt8]]) {
    self.typeName = typeName
    self.words = words
    self.texts = texts
  }

  /// Whether the bits are those of a case.
  package func contains(word: UInt64) -> Bool { words.contains(word) }

  /// Whether the bytes are those of a case.
  package func contains(text: UnsafeRawBufferPointer) -> Bool {
    texts.contains { $0.withUnsafeBytes { $0.hasSameBytes(as: text) } }
  }

  package static func == (a: EnumCases, b: EnumCases) -> Bool { a === b }

  package func hash(into hasher: inout Hasher) { hasher.combine(ObjectIdentifier(self)) }
}

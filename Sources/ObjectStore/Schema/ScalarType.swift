/// What a single value is, whatever attribute or collection holds it.
@frozen
public enum ScalarKind: UInt8, Sendable, Hashable, CaseIterable {
  case bool
  case int, int8, int16, int32, int64
  case uint, uint8, uint16, uint32, uint64
  case float, double
  case decimal
  case string
  case data
  case date
  case uuid
  case url
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

  /// Whether it can be a primary key.
  var canBeKey: Bool {
    switch self {
    case .string, .uuid: true
    default: signedRange != nil || unsignedMaximum != nil
    }
  }

  /// Whether an index over it is of use.
  var canBeIndexed: Bool {
    canBeKey || self == .bool || self == .date
  }
}

/// The type of a value: its kind, and what narrows it.
public struct ScalarType: Sendable, Hashable {
  /// How it is stored; of an enum, its raw value's kind.
  public let kind: ScalarKind
  /// For enums: the type's name and its raw values; nil for any other type.
  public let cases: EnumCases?

  /// The type of a kind; `cases` if it is an enum.
  public init(_ kind: ScalarKind, cases: EnumCases? = nil) {
    self.kind = kind
    self.cases = cases
  }

  /// The type as messages show it: `Int`, `Role`.
  public var name: String { cases?.typeName ?? kind.name }
}

/// The raw values an enum attribute accepts.
public final class EnumCases: Sendable, Hashable {
  /// Name of the enum.
  public let typeName: String
  /// For enums of numbers: the raw values' bits.
  public let words: [UInt64]
  /// For enums of texts: the raw values' bytes.
  public let texts: [[UInt8]]

  init(typeName: String, words: [UInt64], texts: [[UInt8]]) {
    self.typeName = typeName
    self.words = words
    self.texts = texts
  }

  /// Whether the bits are those of a case.
  public func contains(word: UInt64) -> Bool { words.contains(word) }

  /// Whether the bytes are those of a case.
  public func contains(text: UnsafeRawBufferPointer) -> Bool {
    texts.contains { $0.withUnsafeBytes { $0.hasSameBytes(as: text) } }
  }

  public static func == (a: EnumCases, b: EnumCases) -> Bool { a === b }

  public func hash(into hasher: inout Hasher) { hasher.combine(ObjectIdentifier(self)) }
}

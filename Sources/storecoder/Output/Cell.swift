import Foundation
import JSONText
import ObjectStore

/// A value of a row, as it is grouped, compared and written.
enum Cell {
  case null
  case bool(Bool)
  /// A number in the notation of JSON.
  case number(String)
  case string(String)
  /// An array or an object, as JSON.
  case json(String)

  /// Parses the JSON text of a value.
  init(json text: some Collection<UInt8>) throws {
    switch text.first {
    case UInt8(ascii: "n"), nil: self = .null
    case UInt8(ascii: "t"): self = .bool(true)
    case UInt8(ascii: "f"): self = .bool(false)
    case UInt8(ascii: "{"), UInt8(ascii: "["): self = .json(String(decoding: text, as: UTF8.self))
    case UInt8(ascii: "\""):
      var reader = JSONReader(
        try Array(text).withUnsafeBytes { try JSONInput(copying: $0, encoding: .utf8) })
      self = .string(try reader.string().string)
    default: self = .number(String(decoding: text, as: UTF8.self))
    }
  }

  init(_ number: Int) { self = .number("\(number)") }

  /// The value as JSON on one line.
  var jsonText: String {
    switch self {
    case .null: "null"
    case .bool(let flag): flag ? "true" : "false"
    case .number(let text), .json(let text): text
    case .string(let text): JSONValue.string(text).jsonText
    }
  }

  /// The value without quotes; empty for null.
  var plainText: String {
    switch self {
    case .null: ""
    case .string(let text): text
    case .bool, .number, .json: jsonText
    }
  }

  /// The value on one line of a table.
  var tableText: String { self == .null ? "–" : CellText.text(plainText) }

  /// The number; nil for other values.
  var double: Double? {
    if case .number(let text) = self { Double(text) } else { nil }
  }
}

/// Numbers are equal if their values are. Strings are equal if they have the same code points, as in conditions.
extension Cell: Hashable {
  static func == (a: Self, b: Self) -> Bool {
    switch (a, b) {
    case (.null, .null): true
    case (.bool(let a), .bool(let b)): a == b
    case (.number(let a), .number(let b)):
      a == b || Double(a) == Double(b) && Decimal(string: a) == Decimal(string: b)
    case (.string(let a), .string(let b)), (.json(let a), .json(let b)):
      a.utf8.elementsEqual(b.utf8)
    default: false
    }
  }

  func hash(into hasher: inout Hasher) {
    hasher.combine(rank)
    switch self {
    case .null: break
    case .bool(let flag): hasher.combine(flag)
    case .number(let text): hasher.combine(Double(text))
    case .string(let text), .json(let text):
      for byte in text.utf8 { hasher.combine(byte) }
    }
  }
}

/// Null, then Booleans, numbers by value, strings by their bytes, and other values.
extension Cell: Comparable {
  private var rank: Int {
    switch self {
    case .null: 0
    case .bool: 1
    case .number: 2
    case .string: 3
    case .json: 4
    }
  }

  static func < (a: Self, b: Self) -> Bool {
    switch (a, b) {
    case (.bool(let a), .bool(let b)): return !a && b
    case (.number(let a), .number(let b)): return isLess(a, b)
    case (.string(let a), .string(let b)), (.json(let a), .json(let b)):
      return a.utf8.lexicographicallyPrecedes(b.utf8)
    default: return a.rank < b.rank
    }
  }

  private static func isLess(_ a: String, _ b: String) -> Bool {
    let (first, second) = (Double(a) ?? 0, Double(b) ?? 0)
    if first != second || a == b { return first < second }
    // A Double cannot tell large integers apart.
    return Decimal(string: a) ?? 0 < Decimal(string: b) ?? 0
  }
}

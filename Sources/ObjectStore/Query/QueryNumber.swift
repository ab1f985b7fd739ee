import Foundation

/// A number of any type. Comparisons are exact, except between a Decimal and a Double that no Decimal can represent.
enum QueryNumber {
  case int(Int64)
  /// A value greater than `Int64.max`.
  case uint(UInt64)
  case double(Double)
  case decimal(Decimal)

  /// Compares two numbers: below 0, 0 or above 0; nil if either is NaN.
  ///
  /// A Double compared with a Decimal counts as its shortest decimal representation: 0.1 is one tenth.
  static func order(_ a: QueryNumber, _ b: QueryNumber) -> Int? {
    switch (a, b) {
    case (.int(let a), .int(let b)): return sign(a, b)
    case (.uint(let a), .uint(let b)): return sign(a, b)
    case (.int, .uint): return -1
    case (.uint, .int): return 1
    case (.double(let a), .double(let b)):
      return a < b ? -1 : a > b ? 1 : a == b ? 0 : nil
    case (.int(let a), .double(let b)): return order(a, b)
    case (.double(let a), .int(let b)): return order(b, a).map { -$0 }
    case (.uint(let a), .double(let b)): return order(a, b)
    case (.double(let a), .uint(let b)): return order(b, a).map { -$0 }
    case (.decimal, .double(let value)) where !isDecimal(value),
      (.double(let value), .decimal) where !isDecimal(value):
      return order(.double(a.asDouble), .double(b.asDouble))
    case (.decimal(let a), _): return sign(a, b.asDecimal)
    case (_, .decimal(let b)): return sign(a.asDecimal, b)
    }
  }

  /// Compares two numbers for sorting: NaN is last (R11).
  static func compare(_ a: QueryNumber, _ b: QueryNumber) -> Int {
    order(a, b) ?? (a.isNaN ? 1 : 0) - (b.isNaN ? 1 : 0)
  }

  private static func sign<T: Comparable>(_ a: T, _ b: T) -> Int { a < b ? -1 : a > b ? 1 : 0 }

  private static func order<T: FixedWidthInteger>(_ a: T, _ b: Double) -> Int? {
    if b.isNaN { return nil }
    // A Double represents both bounds exactly.
    if b >= Double(sign: .plus, exponent: T.isSigned ? 63 : 64, significand: 1) { return -1 }
    if b < (T.isSigned ? -0x1p63 : 0) { return 1 }
    let whole = b.rounded(.down)
    let integer = T(whole)
    if a != integer { return a < integer ? -1 : 1 }
    return b > whole ? -1 : 0
  }

  /// True if a Decimal can hold the Double's decimal representation: it is finite and within the exponent range of a
  /// Decimal.
  static func isDecimal(_ value: Double) -> Bool {
    value == 0 || value.magnitude < 1e127 && value.magnitude > 1e-110
  }

  var asDecimal: Decimal {
    switch self {
    case .int(let value): Decimal(value)
    case .uint(let value): Decimal(value)
    case .decimal(let value): value
    case .double(let value):
      Decimal(plain: "\(value)") ?? 0
    }
  }

  var isNaN: Bool {
    switch self {
    case .int, .uint: false
    case .double(let value): value.isNaN
    case .decimal(let value): value.isNaN
    }
  }

  /// The nearest Double.
  var asDouble: Double {
    switch self {
    case .int(let value): Double(value)
    case .uint(let value): Double(value)
    case .double(let value): value
    case .decimal(let value): Double(value.description) ?? .nan
    }
  }
}

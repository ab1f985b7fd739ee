import Foundation

/// A value that attributes are compared with. Equality is that of queries, except that NaN equals NaN, so that a predicate
/// equals itself.
enum QueryValue: Sendable, Hashable {
  case null
  case bool(Bool)
  case int(Int64)
  /// A value greater than `Int64.max`.
  case uint(UInt64)
  /// Any Double except NaN.
  case double(Double)
  case nan
  case decimal(Decimal)
  case string(ExactString)
  case data(Data)
  case date(Date)
  case uuid(UUID)
  /// A JSON value in the form of ``StoredJSON``, where equal values have equal bytes.
  case json([UInt8])
  /// A row of a store, for comparison with links.
  case row(table: Int, slot: Int, ObjectIdentifier)
}

extension QueryValue {
  static func string(_ text: String) -> QueryValue { .string(ExactString(text)) }

  init(_ number: QueryNumber) {
    switch number {
    case .int(let value): self = .int(value)
    case .uint(let value): self = .uint(value)
    case .double(let value): self = value.isNaN ? .nan : .double(value)
    case .decimal(let value): self = .decimal(value)
    }
  }

  /// The value as a number; nil for other types.
  var number: QueryNumber? {
    switch self {
    case .int(let value): .int(value)
    case .uint(let value): .uint(value)
    case .double(let value): .double(value)
    case .nan: .double(.nan)
    case .decimal(let value): .decimal(value)
    default: nil
    }
  }

  /// The type and value, for error messages.
  var found: String {
    switch self {
    case .null: "null"
    case .bool: "Bool \(QueryText.text(self))"
    case .int, .uint: "Int \(QueryText.text(self))"
    case .double, .nan: "Double \(QueryText.text(self))"
    case .decimal: "Decimal \(QueryText.text(self))"
    case .string: "String \(MessageText.clipped(QueryText.text(self)))"
    case .data: "Data"
    case .date: "a Date"
    case .uuid: "a UUID"
    case .json: "a JSON value"
    case .row: "an object"
    }
  }
}

import Foundation
import TestSupport

@testable import ObjectStore

/// A naive evaluation of queries, which reads the attributes of an object one by one. Query results are compared with
/// it.
struct NaiveQuery {
  enum Value {
    case null
    case number(QueryNumber)
    case bool(Bool)
    case text(String)
    case data(Data)
    case date(Date)
    case uuid(UUID)
    case object(ObjectBase)
  }

  /// The queried object, followed by the elements of nested collections, innermost last.
  private var scopes: [Any?]

  static func holds(_ node: QueryNode, _ object: ObjectBase) -> Bool {
    NaiveQuery(scopes: [object]).holds(node)
  }

  private func holds(_ node: QueryNode) -> Bool {
    switch node {
    case .constant(let value): value
    case .edits(let condition):
      switch ((scopes.last ?? nil) as? Object)?.editState {
      case .created, .edited: condition == .edited
      case .rejected: true
      case .clean, nil: false
      }
    case .and(let nodes): nodes.allSatisfy(holds)
    case .or(let nodes): nodes.contains(where: holds)
    case .not(let node): !holds(node)
    case .comparison(let left, let comparison, let right):
      Self.holds(value(left), comparison, value(right))
    case .isIn(let operand, let values, let options):
      values.contains {
        Self.holds(value(operand), QueryComparison(.equal, options), value(.value($0)))
      }
    case .isElement(let operand, let attribute, let options):
      elements(attribute).contains {
        Self.holds(Self.value($0), QueryComparison(.equal, options), value(operand))
      }
    case .between(let operand, let low, let high):
      Self.holds(value(operand), QueryComparison(.greaterOrEqual), value(.value(low)))
        && Self.holds(value(operand), QueryComparison(.lessOrEqual), value(.value(high)))
    case .quantified(let quantifier, let attribute, let node):
      switch quantifier {
      case .any: elements(attribute).contains { inside($0).holds(node) }
      case .all: elements(attribute).allSatisfy { inside($0).holds(node) }
      case .none: !elements(attribute).contains { inside($0).holds(node) }
      }
    }
  }

  private func inside(_ element: Any?) -> NaiveQuery { NaiveQuery(scopes: scopes + [element]) }

  // MARK: - Reading

  /// The values at the end of a path: one value, or the elements of the collections on it.
  private func ends(_ attribute: QueryAttribute) -> [Any?] {
    var ends = [scopes[scopes.count - 1 - attribute.scope]]
    for name in attribute.names {
      ends = ends.flatMap { Self.elements($0) ?? [$0] }.map { ($0 as? ObjectBase)?[name] }
      // After a null link, a collection has no elements and a value is null.
      if Self.collections.contains(name) { ends.removeAll { $0 == nil } }
    }
    return ends
  }

  private func elements(_ attribute: QueryAttribute) -> [Any?] {
    ends(attribute).flatMap { Self.elements($0) ?? [$0] }
  }

  private static let collections = Set(
    QueryWorld.collections.map { $0.path[0] } + ["objects", "listedBy", "holders"])

  /// The elements of a collection; nil for other values.
  private static func elements(_ any: Any?) -> [Any?]? {
    switch any {
    case let map as Map<String, Int>: map.map { $0.value }
    case let map as Map<String, Int?>: map.map { $0.value as Any? }
    case let map as Map<String, String>: map.map { $0.value }
    case let map as Map<String, String?>: map.map { $0.value as Any? }
    case is String, is Data, nil: nil
    case let elements as any Sequence: elements.map { $0 as Any? }
    default: nil
    }
  }

  private func value(_ operand: QueryOperand) -> Value {
    switch operand {
    case .value(let value): return Self.value(value)
    case .attribute(let attribute): return Self.value(ends(attribute)[0])
    case .count(let attribute): return .number(.int(Int64(elements(attribute).count)))
    case .known(let attribute):
      let owner = ends(QueryAttribute(attribute.names.dropLast(), scope: attribute.scope))[0]
      let isKnown = attribute.names.last.flatMap { (owner as? ObjectBase)?.isKnown(named: $0) }
      return .bool(isKnown ?? false)
    case .countWhere(let attribute, let node):
      return .number(.int(Int64(elements(attribute).count { inside($0).holds(node) })))
    case .aggregate(let aggregate, let attribute, let names):
      let values = elements(attribute).map {
        Self.value(inside($0).ends(QueryAttribute(names))[0])
      }
      return Self.aggregateValue(aggregate, values)
    }
  }

  private static func aggregateValue(_ aggregate: QueryAggregate, _ values: [Value]) -> Value {
    let dates = values.compactMap { if case .date(let date) = $0 { date } else { nil } }
    if let first = dates.min(), let last = dates.max() {
      return .date(aggregate == .min ? first : last)
    }
    let numbers = values.compactMap { if case .number(let number) = $0 { number } else { nil } }
    let doubles = numbers.map(\.naiveDouble)
    switch aggregate {
    case .min, .max:
      let sorted = numbers.sorted {
        $0.naiveOrder($1).map { $0 < 0 } ?? (!$0.isNaN && $1.isNaN)
      }
      return (aggregate == .min ? sorted.first : sorted.last).map { .number($0) } ?? .null
    case .sum:
      if case .decimal? = numbers.first {
        return .number(.decimal(numbers.reduce(0) { $0 + $1.naiveDecimal }))
      }
      if case .double? = numbers.first { return .number(.double(doubles.reduce(0, +))) }
      return .number(.int(Int64(doubles.reduce(0, +))))
    case .average:
      if numbers.isEmpty { return .null }
      if case .decimal? = numbers.first {
        return .number(
          .decimal(numbers.reduce(0) { $0 + $1.naiveDecimal } / Decimal(numbers.count)))
      }
      return .number(.double(doubles.reduce(0, +) / Double(numbers.count)))
    }
  }

  private static func value(_ any: Any?) -> Value {
    switch any {
    case let value as Bool: .bool(value)
    case let value as Int: .number(.int(Int64(value)))
    case let value as UInt64:
      .number(Int64(exactly: value).map { .int($0) } ?? .uint(value))
    case let value as UInt:
      .number(Int64(exactly: value).map { .int($0) } ?? .uint(UInt64(value)))
    case let value as Float: .number(.double(Double(value)))
    case let value as Double: .number(.double(value))
    case let value as Decimal: .number(.decimal(value))
    case let value as String: .text(value)
    case let value as URL: .text(value.absoluteString)
    case let value as Word: .text(value.text)
    case let value as Species: .text(value.rawValue)
    case let value as Level: .number(.int(Int64(value.rawValue)))
    case let value as Metres: .number(.double(value.value))
    case let value as Data: .data(value)
    case let value as Date: .date(value)
    case let value as UUID: .uuid(value)
    case let value as ObjectBase: .object(value)
    case let value as any FixedWidthInteger: .number(.int(Int64(value)))
    default: .null
    }
  }

  private static func value(_ value: QueryValue) -> Value {
    switch value {
    case .null: .null
    case .bool(let value): .bool(value)
    case .int(let value): .number(.int(value))
    case .uint(let value): .number(.uint(value))
    case .double(let value): .number(.double(value))
    case .nan: .number(.double(.nan))
    case .decimal(let value): .number(.decimal(value))
    case .string(let value): .text(value.text)
    case .data(let value): .data(value)
    case .date(let value): .date(value)
    case .uuid(let value): .uuid(value)
    // Random queries do not contain these.
    case .json, .row: .null
    }
  }

  // MARK: - Comparing

  private static func holds(_ a: Value, _ comparison: QueryComparison, _ b: Value) -> Bool {
    let operation = comparison.operation
    if case .null = a {
      if case .null = b { return operation == .equal }
      return operation == .notEqual
    }
    if case .null = b { return operation == .notEqual }
    switch (a, b) {
    case (.number(let a), .number(let b)): return holds(operation, a.naiveOrder(b))
    case (.bool(let a), .bool(let b)): return (a == b) == (operation == .equal)
    case (.date(let a), .date(let b)):
      return holds(operation, a < b ? -1 : a > b ? 1 : 0)
    case (.uuid(let a), .uuid(let b)): return (a == b) == (operation == .equal)
    case (.object(let a), .object(let b)): return (a == b) == (operation == .equal)
    case (.data(let a), .data(let b)): return holds(operation, Array(a), Array(b), like: false)
    case (.text(let a), .text(let b)):
      let (a, b) = (folded(a, comparison.options), folded(b, comparison.options))
      return holds(operation, Array(a.unicodeScalars), Array(b.unicodeScalars), like: true)
    default: return false
    }
  }

  private static func holds(_ operation: QueryComparison.Operation, _ order: Int?) -> Bool {
    guard let order else { return operation == .notEqual }
    return switch operation {
    case .equal: order == 0
    case .notEqual: order != 0
    case .less: order < 0
    case .lessOrEqual: order <= 0
    case .greater: order > 0
    case .greaterOrEqual: order >= 0
    default: false
    }
  }

  private static func holds<T: Comparable>(
    _ operation: QueryComparison.Operation, _ a: [T], _ b: [T], like: Bool
  ) -> Bool {
    switch operation {
    case .beginsWith: a.starts(with: b)
    case .endsWith: a.reversed().starts(with: b.reversed())
    case .contains: (0...a.count).contains { a[$0...].starts(with: b) }
    case .like: isLike(a[...], b[...])
    default:
      holds(
        operation,
        a == b ? 0 : a.lexicographicallyPrecedes(b) ? -1 : 1)
    }
  }

  private static func isLike<T: Comparable>(_ a: ArraySlice<T>, _ b: ArraySlice<T>) -> Bool {
    guard let scalar = b.first as? Unicode.Scalar?, let sign = scalar else { return a.isEmpty }
    let rest = b.dropFirst()
    switch sign {
    case "*": return (a.startIndex...a.endIndex).contains { isLike(a[$0...], rest) }
    case "?": return !a.isEmpty && isLike(a.dropFirst(), rest)
    case "\\" where !rest.isEmpty:
      return a.first == rest.first && isLike(a.dropFirst(), rest.dropFirst())
    default: return a.first == b.first && isLike(a.dropFirst(), rest)
    }
  }

  private static func folded(_ text: String, _ options: TextOptions) -> String {
    var how: String.CompareOptions = []
    if options.contains(.caseInsensitive) { how.insert(.caseInsensitive) }
    if options.contains(.diacriticInsensitive) { how.insert(.diacriticInsensitive) }
    return how.isEmpty ? text : text.folding(options: how, locale: nil)
  }
}

extension QueryNumber {
  fileprivate var naiveDecimal: Decimal {
    switch self {
    case .int(let value): Decimal(value)
    case .uint(let value): Decimal(value)
    case .decimal(let value): value
    case .double(let value): Decimal(string: value.description) ?? .nan
    }
  }

  fileprivate var naiveDouble: Double {
    switch self {
    case .int(let value): Double(value)
    case .uint(let value): Double(value)
    case .decimal(let value): Double(value.description) ?? .nan
    case .double(let value): value
    }
  }

  private var naiveInteger: Int128? {
    switch self {
    case .int(let value): Int128(value)
    case .uint(let value): Int128(value)
    case .double, .decimal: nil
    }
  }

  /// Negative, zero or positive; nil for NaN.
  fileprivate func naiveOrder(_ other: QueryNumber) -> Int? {
    func sign<T: Comparable>(_ a: T, _ b: T) -> Int { a < b ? -1 : a > b ? 1 : 0 }
    let (a, b) = (naiveDouble, other.naiveDouble)
    if a.isNaN || b.isNaN { return nil }
    if let one = naiveInteger, let two = other.naiveInteger { return sign(one, two) }
    if case .double = self, case .double = other { return sign(a, b) }
    // Rounding is harmless for numbers far apart; otherwise whole parts are exact in 128 bits.
    if !a.isFinite || !b.isFinite || abs(a) > 0x1p100 || abs(b) > 0x1p100 { return sign(a, b) }
    if case .decimal = self { return sign(naiveDecimal, other.naiveDecimal) }
    if case .decimal = other { return sign(naiveDecimal, other.naiveDecimal) }
    let (whole, otherWhole) = (
      naiveInteger ?? Int128(a.rounded(.down)), other.naiveInteger ?? Int128(b.rounded(.down))
    )
    if whole != otherWhole { return sign(whole, otherWhole) }
    let fraction = naiveInteger == nil ? a - a.rounded(.down) : 0
    let otherFraction = other.naiveInteger == nil ? b - b.rounded(.down) : 0
    return sign(fraction, otherFraction)
  }
}

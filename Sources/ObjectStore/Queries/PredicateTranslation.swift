import Foundation

/// Translates an expression of Foundation's `Predicate` into a ``QueryNode``.
///
/// The macro produces a tree of generic types, one for each operator. The supported ones conform to
/// ``TranslatableExpression``. None of them is evaluated for rows.
struct PredicateTranslation {
  /// The value of a variable: the queried object, an element of a collection, or an optional that is not nil.
  private struct Binding {
    let names: [String]
    /// The number of enclosing collections.
    let depth: Int
  }

  private var bindings: [PredicateExpressions.VariableID: Binding] = [:]
  private var depth = 0

  static func node<Input>(_ predicate: Foundation.Predicate<Input>) throws -> QueryNode {
    var translation = PredicateTranslation()
    translation.bindings[predicate.variable.key] = Binding(names: [], depth: 0)
    return try translation.condition(predicate.expression)
  }

  /// The translation of an expression.
  indirect enum Part {
    case condition(QueryNode)
    case operand(QueryOperand)
    /// Captured values.
    case values([QueryValue])
    /// A bound of nil leaves the range open at that end.
    case range(QueryOperand?, QueryOperand?, includesUpper: Bool)
    /// The elements of a collection that match a condition.
    case filtered(QueryAttribute, QueryNode)
    /// The part, or nil if one of the attributes is null.
    case optional(Part, nullIf: [QueryAttribute])
    /// The operand, or the value if one of the attributes is null.
    case coalesced(QueryOperand, QueryValue, nullIf: [QueryAttribute])
  }

  // MARK: - Expressions

  mutating func part(_ expression: any PredicateExpression) throws -> Part {
    guard let expression = expression as? any TranslatableExpression else {
      let name = "\(type(of: expression))".prefix { $0 != "<" }
      throw Self.untranslatable("\(name)")
    }
    return try expression.translated(&self)
  }

  /// Translates an expression of type Bool.
  mutating func condition(_ expression: any PredicateExpression) throws -> QueryNode {
    let part = try part(expression)
    switch part {
    case .condition(let node): return node
    case .operand(.value(.bool(let value))): return .constant(value)
    default: return try compared(part, .equal, .operand(.value(.bool(true))))
    }
  }

  /// Translates an expression that is an attribute or a path to one.
  mutating func attribute(
    _ expression: any PredicateExpression, for operation: String
  ) throws -> QueryAttribute {
    guard case .operand(.attribute(let attribute)) = try part(expression) else {
      throw Self.untranslatable("\(operation) of an expression that is not an attribute")
    }
    return attribute
  }

  func variable(_ id: PredicateExpressions.VariableID) throws -> QueryAttribute {
    guard let binding = bindings[id] else {
      throw Self.untranslatable("a variable of another predicate")
    }
    return QueryAttribute(binding.names, scope: depth - binding.depth)
  }

  /// Returns the result of `body`, with a variable bound to an attribute.
  mutating func withBinding<R>(
    _ id: PredicateExpressions.VariableID, to attribute: QueryAttribute,
    _ body: (inout PredicateTranslation) throws -> R
  ) rethrows -> R {
    bindings[id] = Binding(names: attribute.names, depth: depth - attribute.scope)
    defer { bindings[id] = nil }
    return try body(&self)
  }

  /// Translates a condition on the elements of a collection.
  mutating func elementCondition(
    _ id: PredicateExpressions.VariableID, _ test: any PredicateExpression
  ) throws -> QueryNode {
    depth += 1
    defer { depth -= 1 }
    return try withBinding(id, to: QueryAttribute([])) { try $0.condition(test) }
  }

  // MARK: - Comparing

  func compared(
    _ left: Part, _ operation: QueryComparison.Operation, _ right: Part
  ) throws -> QueryNode {
    switch (left, right) {
    case (.operand(let left), .operand(let right)):
      return .comparison(left, QueryComparison(operation), right)
    case (.condition(let node), .operand(.value(.bool(let value)))):
      return try Self.holds(node, operation, value)
    case (.optional(let part, let attributes), .operand(.value(.null))):
      if case .coalesced = part { throw Self.untranslatable("a comparison of ?? with nil") }
      switch operation {
      case .equal: return Self.isNull(attributes)
      case .notEqual: return .not(Self.isNull(attributes))
      default: return .constant(false)
      }
    case (.optional(let part, let attributes), .operand):
      let node = try compared(part, operation, right)
      return operation == .notEqual
        ? .or([Self.isNull(attributes), node]) : Self.isPresent(attributes, node)
    case (.coalesced(let operand, let value, let attributes), .operand(let other)):
      let node = QueryNode.comparison(operand, QueryComparison(operation), other)
      let ofValue: QueryNode
      if case .value(let constant) = other {
        ofValue = .constant(Self.holds(value, operation, constant))
      } else {
        ofValue = .comparison(.value(value), QueryComparison(operation), other)
      }
      switch ofValue {
      case .constant(false): return Self.isPresent(attributes, node)
      case .constant: return .or([Self.isNull(attributes), node])
      default:
        return .or([Self.isPresent(attributes, node), .and([Self.isNull(attributes), ofValue])])
      }
    case (.operand, _):
      if case .operand = right { break }
      guard let flipped = operation.flipped else { break }
      return try compared(right, flipped, left)
    default: break
    }
    throw Self.untranslatable("\(operation.rawValue) between these expressions")
  }

  private static func holds(
    _ node: QueryNode, _ operation: QueryComparison.Operation, _ value: Bool
  ) throws -> QueryNode {
    switch operation {
    case .equal: value ? node : .not(node)
    case .notEqual: value ? .not(node) : node
    default: throw untranslatable("\(operation.rawValue) between conditions")
    }
  }

  private static func isNull(_ attributes: [QueryAttribute]) -> QueryNode {
    let nodes = attributes.map {
      QueryNode.comparison(.attribute($0), QueryComparison(.equal), .value(.null))
    }
    return nodes.count == 1 ? nodes[0] : .or(nodes)
  }

  /// The condition, restricted to rows in which no attribute is null.
  static func isPresent(_ attributes: [QueryAttribute], _ node: QueryNode) -> QueryNode {
    let needed = attributes.filter { !node.isFalse(whereNull: $0) }
    return needed.isEmpty ? node : .and([.not(isNull(needed)), node])
  }

  /// Compares two constants. Constants of different kinds are unequal.
  private static func holds(
    _ a: QueryValue, _ operation: QueryComparison.Operation, _ b: QueryValue
  ) -> Bool {
    let order: Int?
    switch (a, b) {
    case (.string(let a), .string(let b)):
      order = a == b ? 0 : a.text.precedesByBytes(b.text) ? -1 : 1
    case (.date(let a), .date(let b)): order = a < b ? -1 : a > b ? 1 : 0
    default:
      if let a = a.number, let b = b.number {
        order = QueryNumber.order(a, b)
      } else {
        order = a == b ? 0 : nil
      }
    }
    guard let order else { return operation == .notEqual }
    return operation.holds(order)
  }

  // MARK: - Strings and members

  func stringComparison(
    _ left: Part, _ comparison: QueryComparison, _ right: Part
  ) throws -> QueryNode {
    guard case .operand(let string) = left, case .operand(let other) = right else {
      throw Self.untranslatable("\(comparison.operation.rawValue) between these expressions")
    }
    return .comparison(string, comparison, other)
  }

  /// Translates a test of whether a collection or range contains an element.
  func contains(_ collection: Part, _ element: Part) throws -> QueryNode {
    switch (collection, element) {
    case (.operand(.attribute(let attribute)), .operand(let operand)):
      return .isElement(operand, of: attribute, [])
    case (.values(let values), .operand(let operand)):
      return .isIn(operand, values, [])
    case (.values(let values), _):
      return .or(try values.map { try compared(element, .equal, .operand(.value($0))) })
    case (.range(.value(let low)?, .value(let high)?, includesUpper: true), .operand(let operand)):
      return .between(operand, low, high)
    case (.range(let low, let high, let includesUpper), _):
      return .and(
        try [
          low.map { try compared(element, .greaterOrEqual, .operand($0)) },
          high.map { try compared(element, includesUpper ? .lessOrEqual : .less, .operand($0)) },
        ].compactMap { $0 })
    default: throw Self.untranslatable("contains of an expression that is not a stored collection")
    }
  }

  // MARK: - Constants

  /// Translates a captured value, or a value computed from captured values.
  static func constant(_ any: Any) throws -> Part {
    if let optional = any as? any CapturedOptional {
      guard let value = optional.captured else { return .operand(.value(.null)) }
      return try constant(value)
    }
    if let range = any as? any CapturedRange { return range.part }
    if let value = value(any) { return .operand(.value(value)) }
    if let sequence = any as? any Sequence, !(any is any StringProtocol) {
      var values: [QueryValue] = []
      for element in sequence {
        guard case .operand(.value(let value)) = try constant(element) else {
          throw untranslatable("a value of \(type(of: element))")
        }
        values.append(value)
      }
      return .values(values)
    }
    throw untranslatable("a value of \(type(of: any))")
  }

  private static func value(_ any: Any) -> QueryValue? {
    switch any {
    case let value as any ScalarValue: QueryValue(value._updateValue)
    case let substring as Substring: .string(String(substring))
    case let character as Character: .string(String(character))
    default: nil
    }
  }

  static func untranslatable(_ what: String) -> StoreError {
    StoreError(.invalidQuery("#Predicate: \(what) is not supported in a query"))
  }
}

/// An expression of Foundation's `Predicate` that a query supports, or rejects with a specific error.
protocol TranslatableExpression {
  typealias Part = PredicateTranslation.Part

  func translated(_ translation: inout PredicateTranslation) throws -> Part
}

/// An expression that a query rejects by default, with an error that names the operator.
protocol UnsupportedExpression: TranslatableExpression {
  /// The name of the operator, for the error message.
  var feature: String { get }
}

extension UnsupportedExpression {
  func translated(_ translation: inout PredicateTranslation) throws -> Part {
    throw PredicateTranslation.untranslatable(feature)
  }
}

/// An expression that a query supports only with captured values as operands.
protocol ConstantExpression: UnsupportedExpression, PredicateExpression {}

extension ConstantExpression {
  func translated(_ translation: inout PredicateTranslation) throws -> Part {
    if let constant = try constantPart() { return constant }
    throw PredicateTranslation.untranslatable(feature)
  }
}

// MARK: - Captured values

/// An optional of any type.
protocol CapturedOptional {
  var captured: Any? { get }
}

extension Optional: CapturedOptional {
  var captured: Any? { self }
}

/// A range with bounds that a query supports.
protocol CapturedRange {
  var part: PredicateTranslation.Part { get }
}

extension ClosedRange: CapturedRange where Bound: ScalarValue {
  var part: PredicateTranslation.Part {
    .range(
      .value(QueryValue(lowerBound)), .value(QueryValue(upperBound)), includesUpper: true)
  }
}

extension Range: CapturedRange where Bound: ScalarValue {
  var part: PredicateTranslation.Part {
    .range(
      .value(QueryValue(lowerBound)), .value(QueryValue(upperBound)), includesUpper: false)
  }
}

extension PartialRangeFrom: CapturedRange where Bound: ScalarValue {
  var part: PredicateTranslation.Part {
    .range(.value(QueryValue(lowerBound)), nil, includesUpper: true)
  }
}

extension PartialRangeThrough: CapturedRange where Bound: ScalarValue {
  var part: PredicateTranslation.Part {
    .range(nil, .value(QueryValue(upperBound)), includesUpper: true)
  }
}

extension PartialRangeUpTo: CapturedRange where Bound: ScalarValue {
  var part: PredicateTranslation.Part {
    .range(nil, .value(QueryValue(upperBound)), includesUpper: false)
  }
}

// MARK: - Conditions that null excludes

extension QueryNode {
  /// True if the condition is known to be false where the attribute is null.
  fileprivate func isFalse(whereNull attribute: QueryAttribute) -> Bool {
    switch self {
    case .and(let nodes): nodes.contains { $0.isFalse(whereNull: attribute) }
    case .or(let nodes): !nodes.isEmpty && nodes.allSatisfy { $0.isFalse(whereNull: attribute) }
    case .comparison(.attribute(let path), let comparison, .value(let value)):
      comparison.operation != .notEqual && value != .null && path.isAt(orBehind: attribute)
    case .isIn(.attribute(let path), let values, _):
      !values.contains(.null) && path.isAt(orBehind: attribute)
    case .between(.attribute(let path), _, _): path.isAt(orBehind: attribute)
    case .isElement(_, let path, _), .quantified(.any, let path, _):
      path.isAt(orBehind: attribute)
    default: false
    }
  }
}

extension QueryAttribute {
  fileprivate func isAt(orBehind other: QueryAttribute) -> Bool {
    scope == other.scope && names.starts(with: other.names)
  }
}

import Foundation

// Translations of the operators of `#Predicate`.

// MARK: - Values and attributes

extension PredicateExpressions.Value: TranslatableExpression {
  func translated(_ translation: inout PredicateTranslation) throws -> Part {
    try PredicateTranslation.constant(value)
  }
}

extension PredicateExpressions.NilLiteral: TranslatableExpression {
  func translated(_ translation: inout PredicateTranslation) throws -> Part {
    .operand(.value(.null))
  }
}

extension PredicateExpressions.Variable: TranslatableExpression {
  func translated(_ translation: inout PredicateTranslation) throws -> Part {
    .operand(.attribute(try translation.variable(key)))
  }
}

extension PredicateExpressions.KeyPath: TranslatableExpression {
  func translated(_ translation: inout PredicateTranslation) throws -> Part {
    if let constant = try constantPart() { return constant }
    if let type = Root.Output.self as? any CountedCollection.Type {
      if type.isCount(keyPath) { return .operand(try count(&translation)) }
      if type.isEmpty(keyPath) {
        return .condition(
          .comparison(try count(&translation), QueryComparison(.equal), .value(.int(0))))
      }
    }
    if Root.Output.self == String.self, keyPath == \String.isEmpty {
      let string = try translation.part(root)
      return .condition(try translation.compared(string, .equal, .operand(.value(.string("")))))
    }
    if Root.Output.self is ObjectBase.Type {
      let base = try translation.attribute(root, for: "an attribute")
      return .operand(
        .attribute(
          QueryAttribute(
            base.names + (try _KeyPathRecorder.names(keyPath)), scope: base.scope)))
    }
    if let type = Root.Output.self as? any PersistableEnum.Type, isRawValue(of: type) {
      return try translation.part(root)
    }
    throw PredicateTranslation.untranslatable("a member of \(Root.Output.self)")
  }

  private func count(_ translation: inout PredicateTranslation) throws -> QueryOperand {
    switch try translation.part(root) {
    case .operand(.attribute(let attribute)) where Root.Output.self is any _QueryCollection.Type:
      return .count(attribute)
    case .filtered(let attribute, let node): return .countWhere(attribute, node)
    default:
      throw PredicateTranslation.untranslatable(
        "count of an expression that is not a stored collection")
    }
  }

  /// True if the key path returns the raw value of every case. Key paths to synthesized members are not equal across
  /// modules, so their values are compared.
  private func isRawValue<E: PersistableEnum>(of type: E.Type) -> Bool {
    guard let keyPath = keyPath as? Swift.KeyPath<E, E.RawValue> else { return false }
    return E.allCases.allSatisfy { QueryValue($0[keyPath: keyPath]) == QueryValue($0.rawValue) }
  }
}

/// A collection that recognizes the key paths of its `count` and `isEmpty`. Foundation's `kind` of a key path
/// recognizes only those of the standard library.
private protocol CountedCollection {
  static func isCount(_ keyPath: AnyKeyPath) -> Bool
  static func isEmpty(_ keyPath: AnyKeyPath) -> Bool
}

extension List: CountedCollection {
  static func isCount(_ keyPath: AnyKeyPath) -> Bool { keyPath == \Self.count }
  static func isEmpty(_ keyPath: AnyKeyPath) -> Bool { keyPath == \Self.isEmpty }
}

extension MutableSet: CountedCollection {
  static func isCount(_ keyPath: AnyKeyPath) -> Bool { keyPath == \Self.count }
  static func isEmpty(_ keyPath: AnyKeyPath) -> Bool { keyPath == \Self.isEmpty }
}

extension LinkingObjects: CountedCollection {
  static func isCount(_ keyPath: AnyKeyPath) -> Bool { keyPath == \Self.count }
  static func isEmpty(_ keyPath: AnyKeyPath) -> Bool { keyPath == \Self.isEmpty }
}

/// The result type of `filter`.
extension Array: CountedCollection {
  static func isCount(_ keyPath: AnyKeyPath) -> Bool { keyPath == \Self.count }
  static func isEmpty(_ keyPath: AnyKeyPath) -> Bool { keyPath == \Self.isEmpty }
}

extension PredicateExpression {
  /// The translation of an expression without variables. Nil for other expressions.
  func constantPart() throws -> PredicateTranslation.Part? {
    guard let value = try? evaluate(PredicateBindings()) else { return nil }
    return try PredicateTranslation.constant(value)
  }
}

// MARK: - Optionals

extension PredicateExpressions.OptionalFlatMap: TranslatableExpression {
  func translated(_ translation: inout PredicateTranslation) throws -> Part {
    let attribute = try translation.attribute(wrapped, for: "?.")
    let part = try translation.withBinding(variable.key, to: attribute) { try $0.part(transform) }
    return switch part {
    // An attribute behind a null link is null.
    case .operand(.attribute): part
    case .optional(let inner, let attributes): .optional(inner, nullIf: [attribute] + attributes)
    default: .optional(part, nullIf: [attribute])
    }
  }
}

extension PredicateExpressions.NilCoalesce: TranslatableExpression {
  func translated(_ translation: inout PredicateTranslation) throws -> Part {
    guard case .operand(.value(let value)) = try translation.part(rhs) else {
      throw PredicateTranslation.untranslatable("?? with a default that is not a constant")
    }
    switch try translation.part(lhs) {
    case .operand(.attribute(let attribute)):
      return .coalesced(.attribute(attribute), value, nullIf: [attribute])
    case .optional(.operand(let operand), let attributes):
      return .coalesced(operand, value, nullIf: attributes)
    case .optional(.condition(let node), let attributes):
      guard case .bool(let value) = value else { break }
      // `x ?? true` holds unless x is false, and `x ?? false` holds only if x is true.
      return .condition(
        try translation.compared(
          .optional(.condition(node), nullIf: attributes), value ? .notEqual : .equal,
          .operand(.value(.bool(!value)))))
    default: break
    }
    throw PredicateTranslation.untranslatable("?? of an expression that is not an attribute")
  }
}

extension PredicateExpressions.ForcedUnwrap: TranslatableExpression {
  func translated(_ translation: inout PredicateTranslation) throws -> Part {
    let part = try translation.part(inner)
    if case .optional(let some, _) = part { return some }
    return part
  }
}

// MARK: - Conditions

extension PredicateExpressions.Conjunction: TranslatableExpression {
  func translated(_ translation: inout PredicateTranslation) throws -> Part {
    .condition(.and([try translation.condition(lhs), try translation.condition(rhs)]))
  }
}

extension PredicateExpressions.Disjunction: TranslatableExpression {
  func translated(_ translation: inout PredicateTranslation) throws -> Part {
    .condition(.or([try translation.condition(lhs), try translation.condition(rhs)]))
  }
}

extension PredicateExpressions.Negation: TranslatableExpression {
  func translated(_ translation: inout PredicateTranslation) throws -> Part {
    .condition(.not(try translation.condition(wrapped)))
  }
}

extension PredicateExpressions.Conditional: TranslatableExpression {
  func translated(_ translation: inout PredicateTranslation) throws -> Part {
    guard If.Output.self == Bool.self else {
      throw PredicateTranslation.untranslatable("? : between values")
    }
    let test = try translation.condition(test)
    return .condition(
      .or([
        .and([test, try translation.condition(trueBranch)]),
        .and([.not(test), try translation.condition(falseBranch)]),
      ]))
  }
}

// MARK: - Comparisons

extension PredicateExpressions.Equal: TranslatableExpression {
  func translated(_ translation: inout PredicateTranslation) throws -> Part {
    .condition(
      try translation.compared(try translation.part(lhs), .equal, try translation.part(rhs)))
  }
}

extension PredicateExpressions.NotEqual: TranslatableExpression {
  func translated(_ translation: inout PredicateTranslation) throws -> Part {
    .condition(
      try translation.compared(try translation.part(lhs), .notEqual, try translation.part(rhs)))
  }
}

extension PredicateExpressions.Comparison: TranslatableExpression {
  func translated(_ translation: inout PredicateTranslation) throws -> Part {
    let operation: QueryComparison.Operation =
      switch op {
      case .lessThan: .less
      case .lessThanOrEqual: .lessOrEqual
      case .greaterThan: .greater
      case .greaterThanOrEqual: .greaterOrEqual
      @unknown default: throw PredicateTranslation.untranslatable("\(op)")
      }
    return .condition(
      try translation.compared(try translation.part(lhs), operation, try translation.part(rhs)))
  }
}

// MARK: - Ranges

extension PredicateExpressions.ClosedRange: TranslatableExpression {
  func translated(_ translation: inout PredicateTranslation) throws -> Part {
    guard case .operand(let low) = try translation.part(lower),
      case .operand(let high) = try translation.part(upper)
    else { throw PredicateTranslation.untranslatable("... between these expressions") }
    return .range(low, high, includesUpper: true)
  }
}

extension PredicateExpressions.Range: TranslatableExpression {
  func translated(_ translation: inout PredicateTranslation) throws -> Part {
    guard case .operand(let low) = try translation.part(lower),
      case .operand(let high) = try translation.part(upper)
    else { throw PredicateTranslation.untranslatable("..< between these expressions") }
    return .range(low, high, includesUpper: false)
  }
}

extension PredicateExpressions.RangeExpressionContains: TranslatableExpression {
  func translated(_ translation: inout PredicateTranslation) throws -> Part {
    .condition(
      try translation.contains(try translation.part(range), try translation.part(element)))
  }
}

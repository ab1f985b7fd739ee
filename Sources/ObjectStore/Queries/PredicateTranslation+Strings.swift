import Foundation

// Translations of the operators of `#Predicate` on strings and collections, and the operators that a query does not
// support.

// MARK: - Strings

extension PredicateExpressions.CollectionContainsCollection: TranslatableExpression {
  func translated(_ translation: inout PredicateTranslation) throws -> Part {
    guard Base.Output.self is any StringProtocol.Type else {
      throw PredicateTranslation.untranslatable("contains of several elements")
    }
    return .condition(
      try translation.stringComparison(
        try translation.part(base), QueryComparison(.contains), try translation.part(other)))
  }
}

extension PredicateExpressions.SequenceStartsWith: TranslatableExpression {
  func translated(_ translation: inout PredicateTranslation) throws -> Part {
    guard Base.Output.self is any StringProtocol.Type else {
      throw PredicateTranslation.untranslatable("starts(with:) of a collection")
    }
    return .condition(
      try translation.stringComparison(
        try translation.part(base), QueryComparison(.beginsWith), try translation.part(prefix)))
  }
}

#if canImport(Darwin)
  extension PredicateExpressions.StringLocalizedStandardContains: TranslatableExpression {
    /// Ignores case and diacritics, independently of the locale.
    func translated(_ translation: inout PredicateTranslation) throws -> Part {
      .condition(
        try translation.stringComparison(
          try translation.part(root),
          QueryComparison(.contains, [.caseInsensitive, .diacriticInsensitive]),
          try translation.part(other)))
    }
  }

  extension PredicateExpressions.StringCaseInsensitiveCompare: UnsupportedExpression {
    var feature: String { "caseInsensitiveCompare" }
  }

  extension PredicateExpressions.StringLocalizedCompare: UnsupportedExpression {
    var feature: String { "localizedCompare" }
  }
#endif

extension PredicateExpressions.StringContainsRegex: UnsupportedExpression {
  var feature: String { "a regular expression" }
}

// MARK: - Collections

extension PredicateExpressions.SequenceContains: TranslatableExpression {
  func translated(_ translation: inout PredicateTranslation) throws -> Part {
    let (base, element) = (try translation.part(sequence), try translation.part(element))
    if LHS.Output.self is any StringProtocol.Type {
      return .condition(try translation.stringComparison(base, QueryComparison(.contains), element))
    }
    return .condition(try translation.contains(base, element))
  }
}

extension PredicateExpressions.SequenceContainsWhere: TranslatableExpression {
  func translated(_ translation: inout PredicateTranslation) throws -> Part {
    let attribute = try translation.attribute(sequence, for: "contains(where:)")
    return .condition(
      .quantified(.any, attribute, try translation.elementCondition(variable.key, test)))
  }
}

extension PredicateExpressions.SequenceAllSatisfy: TranslatableExpression {
  func translated(_ translation: inout PredicateTranslation) throws -> Part {
    let attribute = try translation.attribute(sequence, for: "allSatisfy")
    return .condition(
      .quantified(.all, attribute, try translation.elementCondition(variable.key, test)))
  }
}

extension PredicateExpressions.Filter: TranslatableExpression {
  func translated(_ translation: inout PredicateTranslation) throws -> Part {
    let attribute = try translation.attribute(sequence, for: "filter")
    return .filtered(attribute, try translation.elementCondition(variable.key, filter))
  }
}

extension PredicateExpressions.SequenceMaximum: TranslatableExpression {
  func translated(_ translation: inout PredicateTranslation) throws -> Part {
    .operand(.aggregate(.max, of: try translation.attribute(elements, for: "max()"), []))
  }
}

extension PredicateExpressions.SequenceMinimum: TranslatableExpression {
  func translated(_ translation: inout PredicateTranslation) throws -> Part {
    .operand(.aggregate(.min, of: try translation.attribute(elements, for: "min()"), []))
  }
}

// MARK: - Arithmetic on captured values

extension PredicateExpressions.Arithmetic: ConstantExpression {
  var feature: String {
    let sign =
      switch op {
      case .add: "+"
      case .subtract: "-"
      case .multiply: "*"
      @unknown default: "\(op)"
      }
    return "arithmetic (\(sign)) on an attribute"
  }
}

extension PredicateExpressions.UnaryMinus: ConstantExpression {
  var feature: String { "arithmetic (-) on an attribute" }
}

extension PredicateExpressions.IntDivision: ConstantExpression {
  var feature: String { "arithmetic (/) on an attribute" }
}

extension PredicateExpressions.FloatDivision: ConstantExpression {
  var feature: String { "arithmetic (/) on an attribute" }
}

extension PredicateExpressions.IntRemainder: ConstantExpression {
  var feature: String { "arithmetic (%) on an attribute" }
}

// MARK: - Unsupported operators

extension PredicateExpressions.CollectionIndexSubscript: UnsupportedExpression {
  var feature: String { "an element by its index" }
}

extension PredicateExpressions.CollectionRangeSubscript: UnsupportedExpression {
  var feature: String { "a subscript by a range" }
}

extension PredicateExpressions.DictionaryKeySubscript: UnsupportedExpression {
  var feature: String { "a value by its key" }
}

extension PredicateExpressions.ConditionalCast: UnsupportedExpression {
  var feature: String { "as?" }
}

extension PredicateExpressions.ForceCast: UnsupportedExpression {
  var feature: String { "as!" }
}

extension PredicateExpressions.TypeCheck: UnsupportedExpression {
  var feature: String { "is" }
}

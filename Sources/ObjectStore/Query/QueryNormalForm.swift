// A normal form for conditions that can be written in several ways. Its variants become equal values, which are parsed
// back from their text unchanged and get the same plan.

extension QueryNode {
  /// The same condition in its normal form.
  ///
  /// Nested ANDs and ORs are flattened. Double negation is removed, and negated ANY and NONE are exchanged. An
  /// attribute on the right of a value is moved to the left. A subquery count that only tests for existence becomes a
  /// quantifier. ALL remains only if its text is a single comparison.
  var normalized: QueryNode {
    switch self {
    case .constant, .edits: self
    case .and(let nodes):
      Self.joined(nodes, isAnd: true)
    case .or(let nodes):
      Self.joined(nodes, isAnd: false)
    case .not(let node): Self.negated(node.normalized)
    case .comparison(let left, let comparison, let right):
      Self.compared(left.normalized, comparison, right.normalized)
    case .isIn(let operand, let values, let options):
      .isIn(operand.normalized, values, options)
    case .isElement(let operand, let collection, let options):
      .isElement(operand.normalized, of: collection, options)
    case .between(let operand, let low, let high): .between(operand.normalized, low, high)
    case .quantified(let quantifier, let attribute, let node):
      Self.quantification(quantifier, attribute, node.normalized)
    }
  }

  private static func joined(_ nodes: [QueryNode], isAnd: Bool) -> QueryNode {
    var parts: [QueryNode] = []
    for node in nodes.map(\.normalized) {
      switch node {
      case .and(let more) where isAnd: parts += more
      case .or(let more) where !isAnd: parts += more
      default: parts.append(node)
      }
    }
    return switch parts.count {
    case 0: .constant(isAnd)
    case 1: parts[0]
    default: isAnd ? .and(parts) : .or(parts)
    }
  }

  private static func negated(_ node: QueryNode) -> QueryNode {
    switch node {
    case .constant(let value): .constant(!value)
    case .not(let inner): inner
    case .quantified(.any, let attribute, let inner): .quantified(.none, attribute, inner)
    case .quantified(.none, let attribute, let inner): .quantified(.any, attribute, inner)
    default: .not(node)
    }
  }

  private static func compared(
    _ left: QueryOperand, _ comparison: QueryComparison, _ right: QueryOperand
  ) -> QueryNode {
    if case .value = left, let flipped = comparison.operation.flipped {
      if case .value = right { return .comparison(left, comparison, right) }
      return compared(right, QueryComparison(flipped, comparison.options), left)
    }
    if case .countWhere(let attribute, let node) = left, case .value(.int(let bound)) = right {
      switch (comparison.operation, bound) {
      case (.greater, 0), (.greaterOrEqual, 1), (.notEqual, 0):
        return quantification(.any, attribute, node)
      case (.equal, 0), (.less, 1), (.lessOrEqual, 0):
        return quantification(.none, attribute, node)
      default: break
      }
    }
    return .comparison(left, comparison, right)
  }

  private static func quantification(
    _ quantifier: QueryQuantifier, _ attribute: QueryAttribute, _ node: QueryNode
  ) -> QueryNode {
    guard let (names, predicate) = node.elementPredicate else {
      return quantifier == .all
        ? quantification(.none, attribute, negated(node)) : .quantified(quantifier, attribute, node)
    }
    return .quantified(
      quantifier, QueryAttribute(attribute.names + names, scope: attribute.scope), predicate)
  }

  /// The path and the condition, if this is a single comparison of an element, or of one of its attributes, with
  /// operands that do not depend on the element; nil for other conditions. `ANY`, `ALL` and `NONE` accept only such
  /// conditions.
  private var elementPredicate: ([String], QueryNode)? {
    func end(of element: QueryAttribute) -> QueryOperand {
      .attribute(QueryAttribute([], json: element.json))
    }
    return switch self {
    case .comparison(.attribute(let element), let comparison, let right)
    where element.scope == 0 && right.asOuter != nil:
      (element.names, .comparison(end(of: element), comparison, right))
    case .comparison(.known(let element), let comparison, let right)
    where element.scope == 0 && !element.names.isEmpty && right.asOuter != nil:
      // The collection may be the last name but one. The last one may be a collection, too, but is not entered.
      (
        Array(element.names.dropLast()),
        .comparison(.known(QueryAttribute(Array(element.names.suffix(1)))), comparison, right)
      )
    case .isIn(.attribute(let element), let values, let options) where element.scope == 0:
      (element.names, .isIn(end(of: element), values, options))
    case .between(.attribute(let element), let low, let high) where element.scope == 0:
      (element.names, .between(end(of: element), low, high))
    default: nil
    }
  }

  /// True if the condition can be written after `ANY`, `ALL` or `NONE` and a path.
  var isElementPredicate: Bool { elementPredicate?.0.isEmpty ?? false }
}

extension QueryOperand {
  fileprivate var normalized: QueryOperand {
    if case .countWhere(let attribute, let node) = self {
      return .countWhere(attribute, node.normalized)
    }
    return self
  }

  /// The operand as written outside the collection; nil for an attribute of the element, and for counts and aggregates.
  var asOuter: QueryOperand? {
    switch self {
    case .value: self
    case .attribute(let attribute) where attribute.scope > 0:
      .attribute(attribute.moved(by: -1))
    default: nil
    }
  }
}

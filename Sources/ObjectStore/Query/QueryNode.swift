/// A condition on objects: a tree that refers to attributes by name, independent of any class.
///
/// The closure form, the format form and `#Predicate` all produce such a tree. ``QueryBinding`` resolves the
/// attributes in the schema of a class, and ``QueryPlan`` finds the rows.
indirect enum QueryNode: Sendable, Hashable {
  case constant(Bool)
  case and([QueryNode])
  case or([QueryNode])
  case not(QueryNode)
  case comparison(QueryOperand, QueryComparison, QueryOperand)
  /// The value is one of these.
  case isIn(QueryOperand, [QueryValue], TextOptions)
  /// The value is an element of the collection.
  case isElement(QueryOperand, of: QueryAttribute, TextOptions)
  /// Both bounds are included.
  case between(QueryOperand, QueryValue, QueryValue)
  /// A condition on some, all or none of the elements of a collection. Inside it, scope 0 is the element and scope 1
  /// the enclosing object.
  case quantified(QueryQuantifier, QueryAttribute, QueryNode)
  /// The object or element has unconfirmed edits.
  case edits(EditCondition)
}

/// A condition on the edits of an object of a class that tracks them. The raw values are its form in the format.
enum EditCondition: String, Sendable, Hashable, CaseIterable {
  /// The object has unconfirmed edits.
  case edited = "@edited"
  /// The server rejected the last upload of the object.
  case rejected = "@rejected"
}

/// The number of elements of a collection that must match: some, all or none.
enum QueryQuantifier: String, Sendable, Hashable {
  case any = "ANY"
  case all = "ALL"
  case none = "NONE"
}

/// One side of a comparison.
enum QueryOperand: Sendable, Hashable {
  case value(QueryValue)
  case attribute(QueryAttribute)
  /// The number of elements of a collection.
  case count(QueryAttribute)
  /// An aggregate of the elements of a collection, or of one of their attributes.
  case aggregate(QueryAggregate, of: QueryAttribute, [String])
  /// The number of elements for which a condition holds.
  case countWhere(QueryAttribute, QueryNode)
  /// True if the store knows the server's value of the attribute. False if a link on the path is null.
  case known(QueryAttribute)
}

/// An aggregate of a collection of numbers or, for the minimum and maximum, dates. Nulls are ignored.
enum QueryAggregate: String, Sendable, Hashable {
  case min, max, sum
  case average = "avg"
}

// MARK: - Scopes

extension QueryNode {
  /// Returns the condition as written inside `count` more collections. Scopes of `first` and above increase by `count`.
  func moved(by count: Int, from first: Int = 0) -> QueryNode {
    mapped(first) { attribute, first in
      attribute.scope >= first ? attribute.moved(by: count) : attribute
    }
  }

  /// Returns this condition on the object at the end of a path as a condition on the object at its start.
  func prefixed(by names: [String]) -> QueryNode {
    if names.isEmpty { return self }
    return mapped(0) { attribute, depth in
      attribute.scope == depth
        ? QueryAttribute(names + attribute.names, scope: attribute.scope, json: attribute.json)
        : attribute
    }
  }

  /// - Parameter depth: The depth passed to `change`; it grows by one inside each collection.
  fileprivate func mapped(
    _ depth: Int, _ change: (QueryAttribute, _ depth: Int) -> QueryAttribute
  ) -> QueryNode {
    switch self {
    case .constant, .edits: self
    case .and(let nodes): .and(nodes.map { $0.mapped(depth, change) })
    case .or(let nodes): .or(nodes.map { $0.mapped(depth, change) })
    case .not(let node): .not(node.mapped(depth, change))
    case .comparison(let left, let comparison, let right):
      .comparison(left.mapped(depth, change), comparison, right.mapped(depth, change))
    case .isIn(let operand, let values, let options):
      .isIn(operand.mapped(depth, change), values, options)
    case .isElement(let operand, let attribute, let options):
      .isElement(operand.mapped(depth, change), of: change(attribute, depth), options)
    case .between(let operand, let low, let high):
      .between(operand.mapped(depth, change), low, high)
    case .quantified(let quantifier, let attribute, let node):
      .quantified(quantifier, change(attribute, depth), node.mapped(depth + 1, change))
    }
  }
}

extension QueryNode {
  /// True if the condition depends on the edits of objects.
  var readsEdits: Bool {
    switch self {
    case .constant: false
    case .edits: true
    case .and(let nodes), .or(let nodes): nodes.contains(where: \.readsEdits)
    case .not(let node), .quantified(_, _, let node): node.readsEdits
    case .comparison(let left, _, let right): left.readsEdits || right.readsEdits
    case .isIn(let operand, _, _), .isElement(let operand, _, _), .between(let operand, _, _):
      operand.readsEdits
    }
  }
}

extension QueryOperand {
  fileprivate var readsEdits: Bool {
    if case .countWhere(_, let node) = self { node.readsEdits } else { false }
  }

  func moved(by count: Int) -> QueryOperand {
    mapped(0) { attribute, first in
      attribute.scope >= first ? attribute.moved(by: count) : attribute
    }
  }

  fileprivate func mapped(
    _ depth: Int, _ change: (QueryAttribute, _ depth: Int) -> QueryAttribute
  ) -> QueryOperand {
    switch self {
    case .value: self
    case .attribute(let attribute): .attribute(change(attribute, depth))
    case .count(let attribute): .count(change(attribute, depth))
    case .aggregate(let aggregate, let attribute, let names):
      .aggregate(aggregate, of: change(attribute, depth), names)
    case .countWhere(let attribute, let node):
      .countWhere(change(attribute, depth), node.mapped(depth + 1, change))
    case .known(let attribute): .known(change(attribute, depth))
    }
  }
}

import Foundation

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

/// An operation that compares two values, with its options.
struct QueryComparison: Sendable, Hashable {
  enum Operation: String, Sendable, Hashable {
    case equal = "=="
    case notEqual = "!="
    case less = "<"
    case lessOrEqual = "<="
    case greater = ">"
    case greaterOrEqual = ">="
    case contains = "CONTAINS"
    case beginsWith = "BEGINSWITH"
    case endsWith = "ENDSWITH"
    case like = "LIKE"
    /// Word search; see ``TextSearch``.
    case text = "TEXT"

    /// True if the operation searches within a string or data.
    var isText: Bool {
      switch self {
      case .contains, .beginsWith, .endsWith, .like, .text: true
      default: false
      }
    }

    /// True if the operation compares by order.
    var isOrder: Bool {
      switch self {
      case .less, .lessOrEqual, .greater, .greaterOrEqual: true
      default: false
      }
    }

    /// The equivalent operation for exchanged operands; nil if there is none.
    var flipped: Operation? {
      switch self {
      case .equal, .notEqual: self
      case .less: .greater
      case .lessOrEqual: .greaterOrEqual
      case .greater: .less
      case .greaterOrEqual: .lessOrEqual
      default: nil
      }
    }
  }

  var operation: Operation
  var options: TextOptions = []

  init(_ operation: Operation, _ options: TextOptions = []) {
    self.operation = operation
    self.options = options
  }
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
}

/// An aggregate of a collection of numbers or, for the minimum and maximum, dates. Nulls are ignored.
enum QueryAggregate: String, Sendable, Hashable {
  case min, max, sum
  case average = "avg"
}

/// An attribute, identified by its path, such as `publisher.name`, or a value inside a JSON attribute, such as
/// `extra["from"]`. An empty path is the object or element itself.
struct QueryAttribute: Sendable, Hashable {
  var names: [String]
  /// The number of quantified collections between the condition and the object that has the attribute.
  var scope = 0
  /// The path from the JSON value of the attribute or element to the value inside it; empty for the whole value.
  var json: [JSONStep] = []

  init(_ names: [String], scope: Int = 0, json: [JSONStep] = []) {
    self.names = names
    self.scope = scope
    self.json = json
  }

  /// Names are compared by their bytes, as in a schema.
  static func == (a: QueryAttribute, b: QueryAttribute) -> Bool {
    a.scope == b.scope && a.json == b.json
      && a.names.elementsEqual(b.names) { $0.hasSameBytes(as: $1) }
  }

  func hash(into hasher: inout Hasher) {
    for name in names { hasher.combine(ExactString(name)) }
    hasher.combine(scope)
    hasher.combine(json)
  }

  /// Returns the attribute as written inside `count` more collections.
  func moved(by count: Int) -> QueryAttribute {
    QueryAttribute(names, scope: scope + count, json: json)
  }
}

/// Options for comparing strings.
public struct TextOptions: OptionSet, Sendable, Hashable {
  /// The options as bits.
  public let rawValue: UInt8

  /// Creates the options with these bits.
  public init(rawValue: UInt8) { self.rawValue = rawValue }

  /// Ignores case, so that `A` equals `a`: `[c]` in a format.
  public static let caseInsensitive = TextOptions(rawValue: 1)
  /// Ignores diacritics, so that `é` equals `e`: `[d]` in a format.
  public static let diacriticInsensitive = TextOptions(rawValue: 2)

  /// The options in format syntax: `[cd]`, or an empty string.
  var text: String {
    isEmpty
      ? ""
      : "[" + (contains(.caseInsensitive) ? "c" : "")
        + (contains(.diacriticInsensitive) ? "d" : "") + "]"
  }
}

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
    }
  }
}

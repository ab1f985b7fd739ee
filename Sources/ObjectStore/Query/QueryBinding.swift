import Foundation

/// Resolves the attributes of a query against the schema of a class and builds the filter that evaluates it.
struct QueryBinding {
  let catalog: QueryCatalog
  /// The types against which the attributes of each scope are resolved; the innermost scope is last.
  var scopes: [Scope]

  enum Scope {
    case row(Int)
    case value(ScalarKind)

    var table: Int? { if case .row(let table) = self { table } else { nil } }
  }

  init(_ catalog: QueryCatalog, table: Int) {
    self.catalog = catalog
    scopes = [.row(table)]
  }

  /// Returns a reader of the attribute that sorts, groups or distinguishes objects.
  ///
  /// - Throws: `invalidQuery`, `unknownAttribute`.
  static func reader(
    _ names: [String], _ catalog: QueryCatalog, table: Int
  ) throws -> OperandReader {
    var binding = QueryBinding(catalog, table: table)
    let attribute = QueryOperand.attribute(QueryAttribute(names))
    let reader = try binding.reader(attribute)
    if reader.family == .json {
      throw StoreError(
        .invalidQuery("\(binding.text(attribute)) is JSON, which cannot be sorted or sectioned"))
    }
    reader.names = names
    return reader
  }

  /// - Throws: `invalidQuery`, `unknownAttribute`, `typeMismatch`.
  static func filter(_ node: QueryNode, _ catalog: QueryCatalog, table: Int) throws -> RowFilter {
    var binding = QueryBinding(catalog, table: table)
    return try binding.filter(node)
  }

  // MARK: - Conditions

  mutating func filter(_ node: QueryNode) throws -> RowFilter {
    let filter = try unnamedFilter(node)
    filter.node = node
    return filter
  }

  private mutating func unnamedFilter(_ node: QueryNode) throws -> RowFilter {
    switch node {
    case .constant(let value): return ConstantFilter(value)
    case .and(let nodes): return AndFilter(try gathered(nodes, isAnd: true))
    case .or(let nodes): return OrFilter(try gathered(nodes, isAnd: false))
    case .not(let node): return NotFilter(try filter(node))
    case .comparison(let left, let comparison, let right):
      return try comparisonFilter(left, comparison, right)
    case .isIn(let operand, let values, let options):
      return try membership(operand, values, options)
    case .isElement(let operand, let collection, let options):
      // Inside the quantifier, the scopes of the operand are one level further out.
      return try quantified(
        .any, collection,
        .comparison(
          .attribute(QueryAttribute([])), QueryComparison(.equal, options), operand.moved(by: 1)))
    case .between(let operand, let low, let high):
      let lower = QueryNode.comparison(
        operand, QueryComparison(.greaterOrEqual), .value(low))
      let upper = QueryNode.comparison(operand, QueryComparison(.lessOrEqual), .value(high))
      return AndFilter([try filter(lower), try filter(upper)])
    case .quantified(let quantifier, let attribute, let inner):
      return try quantified(quantifier, attribute, inner)
    case .edits(let condition):
      return try edits(condition)
    }
  }

  private func edits(_ condition: EditCondition) throws(StoreError) -> RowFilter {
    guard let table = scopes.last?.table else {
      throw StoreError(.invalidQuery("\(condition.rawValue): values have no edits"))
    }
    let (schema, layout) = catalog.table(table)
    guard let base = catalog.base(table) else {
      throw StoreError(
        .invalidQuery(
          "\(condition.rawValue): \(StoreError(.editsNotTracked(className: schema.className)))"))
    }
    return EditFilter(condition, base, layout)
  }

  private mutating func quantified(
    _ quantifier: QueryQuantifier, _ attribute: QueryAttribute, _ inner: QueryNode
  ) throws -> RowFilter {
    let (collection, scope, rest) = try self.collection(attribute)
    scopes.append(scope)
    defer { scopes.removeLast() }
    let filter: RowFilter
    if try leadsThroughCollection(rest, scope) {
      // `orders.items`: the condition applies to each item of each order. NONE then contains an inner ANY.
      filter = try quantified(
        quantifier == .none ? .any : quantifier, QueryAttribute(rest),
        inner.moved(by: 1, from: 1))
    } else {
      filter = try self.filter(inner.prefixed(by: rest))
    }
    return QuantifiedFilter(quantifier, collection, filter)
  }

  private func leadsThroughCollection(_ names: [String], _ scope: Scope) throws -> Bool {
    guard !names.isEmpty, let start = scope.table else { return false }
    let (_, table, rest) = try follow(QueryAttribute(names), start)
    let property = try property(rest[0], catalog.table(table).0)
    return property.shape.isCollection || !property.isStored
  }
}

/// The attributes that a query reads, as paths from the objects that it queries. A change of one of them can change
/// whether an object matches, and its index.
struct QueryDependencies {
  private(set) var paths: [[String]] = []

  /// The last name of a path to an attribute of which the query reads only whether it is known.
  static let known = "@known"

  init(_ verbs: some Sequence<ResultsQuery.Verb>) {
    for verb in verbs {
      switch verb {
      case .filter(_, let node): add(node, in: [[]])
      case .sort(let keys): for key in keys { add(key.reader) }
      case .distinct(let readers): for reader in readers { add(reader) }
      case .limit: break
      }
    }
  }

  init(_ node: QueryNode) {
    add(node, in: [[]])
  }

  private mutating func add(_ reader: OperandReader) {
    paths.append(reader.names)
  }

  /// - Parameter scopes: The paths of the nested scopes, the innermost last. Attributes in a scope are relative to its
  ///   path.
  private mutating func add(_ node: QueryNode, in scopes: [[String]]) {
    switch node {
    case .constant: break
    case .edits: paths.append((scopes.last ?? []) + ["editState"])
    case .and(let nodes), .or(let nodes): for node in nodes { add(node, in: scopes) }
    case .not(let node): add(node, in: scopes)
    case .comparison(let left, _, let right):
      add(left, in: scopes)
      add(right, in: scopes)
    case .isIn(let operand, _, _), .between(let operand, _, _): add(operand, in: scopes)
    case .isElement(let operand, let attribute, _):
      add(operand, in: scopes)
      _ = add(attribute, in: scopes)
    case .quantified(_, let attribute, let node):
      add(node, in: scopes + [add(attribute, in: scopes)])
    }
  }

  private mutating func add(_ operand: QueryOperand, in scopes: [[String]]) {
    switch operand {
    case .value: break
    case .attribute(let attribute), .count(let attribute): _ = add(attribute, in: scopes)
    case .aggregate(_, let attribute, let names):
      let path = add(attribute, in: scopes)
      if !names.isEmpty { paths.append(path + names) }
    case .countWhere(let attribute, let node):
      add(node, in: scopes + [add(attribute, in: scopes)])
    case .known(let attribute): paths.append(path(attribute, in: scopes) + [Self.known])
    }
  }

  private mutating func add(_ attribute: QueryAttribute, in scopes: [[String]]) -> [String] {
    let path = path(attribute, in: scopes)
    if !path.isEmpty { paths.append(path) }
    return path
  }

  private func path(_ attribute: QueryAttribute, in scopes: [[String]]) -> [String] {
    let start = scopes.count - 1 - attribute.scope
    return (scopes.indices.contains(start) ? scopes[start] : []) + attribute.names
  }
}

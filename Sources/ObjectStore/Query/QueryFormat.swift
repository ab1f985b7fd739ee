import Foundation

/// Parses a query string, such as `"rank > %@ AND ANY tags ==[c] 'new'"`. The grammar is the part of NSPredicate's that
/// concerns stored attributes, with the additional operator `TEXT`.
///
///     query      := and (("OR" | "||") and)*
///     and        := not (("AND" | "&&") not)*
///     not        := ("NOT" | "!") not | "(" query ")" | "TRUEPREDICATE" | "FALSEPREDICATE" | comparison
///     comparison := ["ANY" | "SOME" | "ALL" | "NONE"] operand operator ["[c]" | "[d]" | "[cd]"] operand
///                 | ["ANY" | "SOME" | "ALL" | "NONE"] path ".@known"
///     operand    := number | text | "true" | "false" | "nil" | "%@" | "%K" | path | "{" operands "}"
///                 | "SUBQUERY(" path "," variable "," query ").@count" | "CAST(" value "," type ")"
///     operator   := "==" | "!=" | "<" | "<=" | … | "CONTAINS" | "BEGINSWITH" | "ENDSWITH" | "LIKE" | "TEXT"
///     path       := ["SELF" | variable] names, with "@count", "@known", "@min", "@max", "@sum" or "@avg",
///                 or steps in JSON
///     step       := "[" text | index | "%@" "]"
struct QueryFormat {
  /// The value substituted for a `%@` or `%K`.
  enum Argument {
    case value(QueryValue)
    case list([QueryValue])
  }

  let text: [UInt8]
  let arguments: [Argument]
  var index = 0
  var nextArgument = 0
  /// The variables of the enclosing subqueries, innermost last.
  var variables: [String] = []
  private var depth = 0
  /// The nesting depth of braces and casts around the current operand.
  var operandDepth = 0

  /// The maximum nesting depth. Hand-written queries never reach it.
  static let depthLimit = 200

  /// - Throws: `invalidQuery` with the column.
  static func parse(_ text: String, _ arguments: [Argument]) throws(StoreError) -> QueryNode {
    var parser = QueryFormat(text: Array(text.utf8), arguments: arguments)
    let node = try parser.query()
    parser.skipSpace()
    guard parser.index == parser.text.count else {
      throw parser.error("AND, OR or the end of the query")
    }
    guard parser.nextArgument == arguments.count else {
      throw parser.error(
        "a placeholder for argument \(parser.nextArgument + 1) of \(arguments.count)")
    }
    return node
  }

  private init(text: [UInt8], arguments: [Argument]) {
    self.text = text
    self.arguments = arguments
  }

  /// True if a name is a keyword of the format.
  static func isReserved(_ name: String) -> Bool { reserved.contains(name.uppercased()) }

  private static let reserved: Set<String> = [
    "AND", "OR", "NOT", "ANY", "SOME", "ALL", "NONE", "IN", "BETWEEN", "CONTAINS", "BEGINSWITH",
    "ENDSWITH", "LIKE", "MATCHES", "TEXT", "TRUE", "FALSE", "YES", "NO", "NIL", "NULL", "SELF",
    "TRUEPREDICATE", "FALSEPREDICATE", "SUBQUERY", "CAST",
  ]

  // MARK: - Conditions

  mutating func query() throws(StoreError) -> QueryNode {
    depth += 1
    defer { depth -= 1 }
    if depth > Self.depthLimit {
      throw error("at most \(Self.depthLimit) levels")
    }
    var nodes = [try and()]
    while accept(word: "OR") || accept("||") { nodes.append(try and()) }
    return nodes.count == 1 ? nodes[0] : .or(nodes)
  }

  mutating func and() throws(StoreError) -> QueryNode {
    var nodes = [try not()]
    while accept(word: "AND") || accept("&&") { nodes.append(try not()) }
    return nodes.count == 1 ? nodes[0] : .and(nodes)
  }

  private mutating func not() throws(StoreError) -> QueryNode {
    var count = 0
    while accept(word: "NOT") || !peek("!=") && accept("!") { count += 1 }
    let node = try primary()
    return count % 2 == 0 ? node : .not(node)
  }

  private mutating func primary() throws(StoreError) -> QueryNode {
    if accept("(") {
      let node = try query()
      guard accept(")") else { throw error("')'") }
      return node
    }
    if accept(word: "TRUEPREDICATE") { return .constant(true) }
    if accept(word: "FALSEPREDICATE") { return .constant(false) }
    for condition in EditCondition.allCases where accept(word: condition.rawValue) {
      return .edits(condition)
    }
    return try comparison()
  }

  private mutating func comparison() throws(StoreError) -> QueryNode {
    var quantifier: QueryQuantifier?
    if accept(word: "ANY") || accept(word: "SOME") {
      quantifier = .any
    } else if accept(word: "ALL") {
      quantifier = .all
    } else if accept(word: "NONE") {
      quantifier = QueryQuantifier.none
    }
    let start = index
    let left = try operand()
    guard let quantifier else { return try comparison(left) }
    let element: QueryOperand
    let collection: QueryAttribute
    switch left {
    case .operand(.attribute(let attribute)):
      element = .attribute(QueryAttribute([], json: attribute.json))
      collection = QueryAttribute(attribute.names, scope: attribute.scope)
    case .operand(.known(let attribute)) where attribute.names.count > 1:
      element = .known(QueryAttribute(Array(attribute.names.suffix(1))))
      collection = QueryAttribute(Array(attribute.names.dropLast()), scope: attribute.scope)
    case .operand(.known):
      throw error("an attribute of the elements before @known", at: start)
    default:
      throw error("an attribute", at: start)
    }
    // The left side of the operator refers to the element, the right side to the enclosing object.
    variables.append("")
    defer { variables.removeLast() }
    return .quantified(quantifier, collection, try comparison(.operand(element)))
  }

  enum Operand {
    case operand(QueryOperand)
    case list([QueryValue])
  }

  private mutating func comparison(_ left: Operand) throws(StoreError) -> QueryNode {
    skipSpace()
    let start = index
    if accept(word: "IN") {
      let options = try options()
      let one = try single(left, at: start)
      switch try operand() {
      case .list(let values): return .isIn(one, values, options)
      case .operand(.attribute(let attribute)): return .isElement(one, of: attribute, options)
      case .operand: throw error("a list of values or a collection after IN", at: start)
      }
    }
    if accept(word: "BETWEEN") {
      let one = try single(left, at: start)
      guard case .list(let values) = try operand(), values.count == 2 else {
        throw error("two values in braces after BETWEEN", at: start)
      }
      return .between(one, values[0], values[1])
    }
    if case .operand(.known(let attribute)) = left, isAtEndOfCondition() {
      return .comparison(.known(attribute), QueryComparison(.equal), .value(.bool(true)))
    }
    let operation = try operation()
    let options = try options()
    let one = try single(left, at: start)
    let rightStart = index
    let right = try single(try operand(), at: rightStart)
    return .comparison(one, QueryComparison(operation, options), right)
  }

  private mutating func isAtEndOfCondition() -> Bool {
    index == text.count || peek(")") || peek("&&") || peek("||") || peek(word: "AND")
      || peek(word: "OR")
  }

  private func single(_ operand: Operand, at offset: Int) throws(StoreError) -> QueryOperand {
    guard case .operand(let operand) = operand else { throw error("one value", at: offset) }
    return operand
  }

  private mutating func operation() throws(StoreError) -> QueryComparison.Operation {
    for (symbol, operation) in Self.symbols where accept(symbol) { return operation }
    for operation in [
      QueryComparison.Operation.contains, .beginsWith, .endsWith, .like, .text,
    ] where accept(word: operation.rawValue) { return operation }
    if peek(word: "MATCHES") {
      throw error("LIKE with * and ? instead of MATCHES (regular expressions are not supported)")
    }
    throw error("an operator")
  }

  // Longer operators precede their prefixes.
  private static let symbols: [(String, QueryComparison.Operation)] = [
    ("==", .equal), ("!=", .notEqual), ("<>", .notEqual), ("<=", .lessOrEqual),
    ("=<", .lessOrEqual),
    (">=", .greaterOrEqual), ("=>", .greaterOrEqual), ("=", .equal), ("<", .less), (">", .greater),
  ]

  private mutating func options() throws(StoreError) -> TextOptions {
    guard index < text.count, text[index] == UInt8(ascii: "[") else { return [] }
    index += 1
    var options: TextOptions = []
    while index < text.count, text[index] != UInt8(ascii: "]") {
      switch text[index] | 0x20 {
      case UInt8(ascii: "c"): options.insert(.caseInsensitive)
      case UInt8(ascii: "d"): options.insert(.diacriticInsensitive)
      default: throw error("'c' or 'd'")
      }
      index += 1
    }
    guard index < text.count else { throw error("']'") }
    index += 1
    return options
  }
}

import Foundation

/// Reads the format form of a query: `"rank > %@ AND ANY tags ==[c] 'new'"`, the grammar of
/// NSPredicate as far as it asks for stored attributes.
///
///     query      := and (("OR" | "||") and)*
///     and        := not (("AND" | "&&") not)*
///     not        := ("NOT" | "!") not | "(" query ")" | "TRUEPREDICATE" | "FALSEPREDICATE" | comparison
///     comparison := ["ANY" | "SOME" | "ALL" | "NONE"] operand operator ["[c]" | "[d]" | "[cd]"] operand
///     operand    := number | text | "true" | "false" | "nil" | "%@" | "%K" | path | "{" operands "}"
///                 | "SUBQUERY(" path "," variable "," query ").@count" | "CAST(" value "," type ")"
///     path       := ["SELF" | variable] names, with "@count", "@min", "@max", "@sum" or "@avg"
struct QueryFormat {
  /// What stands for a `%@` or `%K`.
  enum Argument {
    case value(QueryValue)
    case list([QueryValue])
  }

  private let text: [UInt8]
  private let arguments: [Argument]
  private var index = 0
  private var nextArgument = 0
  /// The variables of the subqueries around, the innermost last.
  private var variables: [String] = []
  private var depth = 0

  /// Queries that are nested deeper are refused: none is by intent.
  private static let depthLimit = 200

  /// - Throws: `invalidQuery` with the column.
  static func parse(_ text: String, _ arguments: [Argument]) throws(StoreError) -> QueryNode {
    var parser = QueryFormat(text: Array(text.utf8), arguments: arguments)
    let node = try parser.query()
    parser.skipSpace()
    guard parser.index == parser.text.count else {
      throw parser.error("AND, OR or the end of the query")
    }
    guard parser.nextArgument == arguments.count else {
      throw StoreError(
        .invalidQuery(
          "the query \"\(MessageText.clipped(text))\" has \(parser.nextArgument) places for "
            + "arguments, and \(arguments.count) were given"))
    }
    return node
  }

  private init(text: [UInt8], arguments: [Argument]) {
    self.text = text
    self.arguments = arguments
  }

  /// Whether a name means something else to the format.
  static func isReserved(_ name: String) -> Bool { reserved.contains(name.uppercased()) }

  private static let reserved: Set<String> = [
    "AND", "OR", "NOT", "ANY", "SOME", "ALL", "NONE", "IN", "BETWEEN", "CONTAINS", "BEGINSWITH",
    "ENDSWITH", "LIKE", "MATCHES", "TEXT", "TRUE", "FALSE", "YES", "NO", "NIL", "NULL", "SELF",
    "TRUEPREDICATE", "FALSEPREDICATE", "SUBQUERY", "CAST",
  ]

  // MARK: - Conditions

  private mutating func query() throws(StoreError) -> QueryNode {
    depth += 1
    defer { depth -= 1 }
    if depth > Self.depthLimit {
      throw StoreError(.invalidQuery("a query has at most \(Self.depthLimit) levels"))
    }
    var nodes = [try and()]
    while accept(word: "OR") || accept("||") { nodes.append(try and()) }
    return nodes.count == 1 ? nodes[0] : .or(nodes)
  }

  private mutating func and() throws(StoreError) -> QueryNode {
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
    guard case .operand(.attribute(let attribute)) = left else {
      throw error("an attribute", at: start)
    }
    // What is left of the operator is the element, what is right of it of the object around.
    variables.append("")
    defer { variables.removeLast() }
    let element = Operand.operand(.attribute(QueryAttribute([])))
    return .quantified(quantifier, attribute, try comparison(element))
  }

  private enum Operand {
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
      case .operand: throw error("a list of values or a collection", at: start)
      }
    }
    if accept(word: "BETWEEN") {
      let one = try single(left, at: start)
      guard case .list(let values) = try operand(), values.count == 2 else {
        throw error("two values in braces behind BETWEEN", at: start)
      }
      return .between(one, values[0], values[1])
    }
    let operation = try operation()
    let options = try options()
    let one = try single(left, at: start)
    let rightStart = index
    let right = try single(try operand(), at: rightStart)
    return .comparison(one, QueryComparison(operation, options), right)
  }

  private func single(_ operand: Operand, at place: Int) throws(StoreError) -> QueryOperand {
    guard case .operand(let operand) = operand else { throw error("one value", at: place) }
    return operand
  }

  private mutating func operation() throws(StoreError) -> QueryComparison.Operation {
    for (sign, operation) in Self.signs where accept(sign) { return operation }
    for operation in [
      QueryComparison.Operation.contains, .beginsWith, .endsWith, .like,
    ] where accept(word: operation.rawValue) { return operation }
    if peek(word: "MATCHES") {
      throw StoreError(
        .invalidQuery("MATCHES, regular expressions, is not supported; use LIKE, with * and ?"))
    }
    throw error("an operator")
  }

  // The longer ones first.
  private static let signs: [(String, QueryComparison.Operation)] = [
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

  // MARK: - Operands

  private mutating func operand() throws(StoreError) -> Operand {
    skipSpace()
    guard index < text.count else { throw error("a value or an attribute") }
    let start = index
    switch text[index] {
    case UInt8(ascii: "{"):
      index += 1
      return .list(try list())
    case UInt8(ascii: "\""), UInt8(ascii: "'"):
      return .operand(.value(.string(try string())))
    case UInt8(ascii: "-"), UInt8(ascii: "+"), UInt8(ascii: "."),
      UInt8(ascii: "0")...UInt8(ascii: "9"):
      return .operand(.value(try number()))
    case UInt8(ascii: "%"):
      return try argument()
    default: break
    }
    if accept(word: "SUBQUERY") { return .operand(try subquery()) }
    if accept(word: "CAST") { return .operand(.value(try cast())) }
    if accept(word: "true") || accept(word: "YES") { return .operand(.value(.bool(true))) }
    if accept(word: "false") || accept(word: "NO") { return .operand(.value(.bool(false))) }
    if accept(word: "nil") || accept(word: "NULL") { return .operand(.value(.null)) }
    return .operand(try path(from: start))
  }

  private mutating func list() throws(StoreError) -> [QueryValue] {
    var values: [QueryValue] = []
    if accept("}") { return values }
    repeat {
      let start = index
      switch try operand() {
      case .operand(.value(let value)): values.append(value)
      case .list(let more): values += more
      case .operand: throw error("a value", at: start)
      }
    } while accept(",")
    guard accept("}") else { throw error("',' or '}'") }
    return values
  }

  private mutating func argument() throws(StoreError) -> Operand {
    let start = index
    index += 1
    let kind = index < text.count ? text[index] : 0
    index += 1
    if kind == UInt8(ascii: "K") {
      guard case .value(.string(let names)) = try nextArgument(at: start) else {
        throw error("a name as the argument of %K", at: start)
      }
      return .operand(
        .attribute(QueryAttribute(names.split(separator: ".").map(String.init), scope: rootScope)))
    }
    if kind != UInt8(ascii: "@") {
      // %d, %ld, %lu, %f … of C.
      while index < text.count, Self.isLetter(text[index]) { index += 1 }
      guard Self.isLetter(kind) else { throw error("%@ or %K", at: start) }
    }
    switch try nextArgument(at: start) {
    case .value(let value): return .operand(.value(value))
    case .list(let values): return .list(values)
    }
  }

  private mutating func nextArgument(at place: Int) throws(StoreError) -> Argument {
    guard nextArgument < arguments.count else {
      throw error("an argument for this place; \(arguments.count) were given", at: place)
    }
    defer { nextArgument += 1 }
    return arguments[nextArgument]
  }

  /// What a plain name is an attribute of: the object that the query is about.
  private var rootScope: Int { variables.count }

  private mutating func path(from start: Int) throws(StoreError) -> QueryOperand {
    var names: [String] = []
    var scope = rootScope
    if index < text.count, text[index] == UInt8(ascii: "$") {
      let variable = "$" + (try name(after: 1))
      guard let place = variables.lastIndex(of: variable) else {
        throw error("a variable that is known here", at: start)
      }
      scope = variables.count - 1 - place
    } else if !accept(word: "SELF") {
      names.append(try name())
    }
    while index < text.count, text[index] == UInt8(ascii: ".") {
      index += 1
      if index < text.count, text[index] == UInt8(ascii: "@") {
        return try figure(QueryAttribute(names, scope: scope))
      }
      names.append(try name())
    }
    return .attribute(QueryAttribute(names, scope: scope))
  }

  /// `@count`, `@max`, and what of: `guests.@max.age` and `guests.age.@max` are one.
  private mutating func figure(_ attribute: QueryAttribute) throws(StoreError) -> QueryOperand {
    let start = index
    let word = try name(after: 1)
    if word.lowercased() == "count" { return .count(attribute) }
    guard let aggregate = QueryAggregate(rawValue: word.lowercased()) else {
      throw error("@count, @min, @max, @sum or @avg", at: start)
    }
    var names: [String] = []
    while index < text.count, text[index] == UInt8(ascii: ".") {
      index += 1
      names.append(try name())
    }
    return .aggregate(aggregate, of: attribute, names)
  }

  private mutating func subquery() throws(StoreError) -> QueryOperand {
    guard accept("(") else { throw error("'('") }
    skipSpace()
    guard case .attribute(let collection) = try path(from: index) else {
      throw error("a collection")
    }
    guard accept(",") else { throw error("','") }
    skipSpace()
    guard index < text.count, text[index] == UInt8(ascii: "$") else { throw error("a variable") }
    variables.append("$" + (try name(after: 1)))
    defer { variables.removeLast() }
    guard accept(",") else { throw error("','") }
    let node = try query()
    guard accept(")") else { throw error("')'") }
    guard accept(".@count") else { throw error(".@count behind SUBQUERY(…)") }
    return .countWhere(collection, node)
  }

  private mutating func cast() throws(StoreError) -> QueryValue {
    guard accept("(") else { throw error("'('") }
    let start = index
    guard case .operand(.value(let value)) = try operand(), accept(",") else {
      throw error("a value and a type", at: start)
    }
    skipSpace()
    let type = try string()
    guard accept(")") else { throw error("')'") }
    switch (type, value) {
    case ("NSDate", _):
      if let seconds = value.number?.asDouble {
        return .date(Date(timeIntervalSinceReferenceDate: seconds))
      }
    case ("Decimal", .string(let text)):
      if let number = Decimal(string: text, locale: Locale(identifier: "en_US_POSIX")) {
        return .decimal(number)
      }
    case ("Double", .string(let text)):
      if let number = Double(text) { return .double(number) }
    case ("Data", .string(let text)):
      if let data = Data(base64Encoded: text) { return .data(data) }
    case ("UUID", .string(let text)):
      if let uuid = UUID(uuidString: text) { return .uuid(uuid) }
    default: break
    }
    throw error("a value that is a \(MessageText.clipped(type))", at: start)
  }

  // MARK: - Tokens

  private mutating func name(after offset: Int = 0) throws(StoreError) -> String {
    index += offset
    if index < text.count, text[index] == UInt8(ascii: "#") { index += 1 }
    let start = index
    while index < text.count, Self.isName(text[index]) { index += 1 }
    guard index > start else { throw error("a name") }
    return String(decoding: text[start..<index], as: UTF8.self)
  }

  private static func isLetter(_ byte: UInt8) -> Bool {
    (0x41...0x5A).contains(byte & ~0x20)
  }

  private static func isName(_ byte: UInt8) -> Bool {
    isLetter(byte) || (0x30...0x39).contains(byte) || byte == UInt8(ascii: "_") || byte >= 0x80
  }

  private mutating func string() throws(StoreError) -> String {
    skipSpace()
    let start = index
    guard index < text.count, text[index] == UInt8(ascii: "\"") || text[index] == UInt8(ascii: "'")
    else { throw error("a text") }
    let quote = text[index]
    index += 1
    var bytes: [UInt8] = []
    while index < text.count, text[index] != quote {
      if text[index] == UInt8(ascii: "\\") {
        index += 1
        guard index < text.count else { break }
        switch text[index] {
        case UInt8(ascii: "n"): bytes.append(0x0A)
        case UInt8(ascii: "r"): bytes.append(0x0D)
        case UInt8(ascii: "t"): bytes.append(0x09)
        case UInt8(ascii: "u"):
          let hex = String(decoding: text[(index + 1)...].prefix(4), as: UTF8.self)
          guard hex.utf8.count == 4, let code = UInt32(hex, radix: 16),
            let scalar = Unicode.Scalar(code)
          else { throw error("four hexadecimal digits behind \\u", at: index) }
          bytes += Array(String(Character(scalar)).utf8)
          index += 4
        default: bytes.append(text[index])
        }
      } else {
        bytes.append(text[index])
      }
      index += 1
    }
    guard index < text.count else { throw error("the end of the text", at: start) }
    index += 1
    return String(decoding: bytes, as: UTF8.self)
  }

  private mutating func number() throws(StoreError) -> QueryValue {
    let start = index
    if text[index] == UInt8(ascii: "+") || text[index] == UInt8(ascii: "-") { index += 1 }
    while index < text.count {
      let byte = text[index]
      let isExponentSign =
        (byte == UInt8(ascii: "+") || byte == UInt8(ascii: "-")) && text[index - 1] | 0x20 == 0x65
      guard Self.isName(byte) || byte == UInt8(ascii: ".") || isExponentSign else { break }
      index += 1
    }
    let token = String(decoding: text[start..<index], as: UTF8.self)
    let digits = token.hasPrefix("+") ? String(token.dropFirst()) : token
    if let value = Int64(digits) { return .int(value) }
    if let value = UInt64(digits) { return .uint(value) }
    if !digits.lowercased().contains(where: { "xinp".contains($0) }), let value = Double(digits) {
      return .double(value)
    }
    throw error("a number", at: start)
  }

  private mutating func skipSpace() {
    while index < text.count, text[index] <= 0x20 { index += 1 }
  }

  private mutating func peek(_ sign: String) -> Bool {
    skipSpace()
    return text[index...].starts(with: sign.utf8)
  }

  private mutating func accept(_ sign: String) -> Bool {
    guard peek(sign) else { return false }
    index += sign.utf8.count
    return true
  }

  /// Whether a word of the format comes next, in any case of its letters.
  private mutating func peek(word: String) -> Bool {
    skipSpace()
    let end = index + word.utf8.count
    guard end <= text.count, end == text.count || !Self.isName(text[end]) else { return false }
    return zip(text[index..<end], word.utf8).allSatisfy { $0 | 0x20 == $1 | 0x20 }
  }

  private mutating func accept(word: String) -> Bool {
    guard peek(word: word) else { return false }
    // `true.x` is an attribute's path, as is a name with a `#`.
    index += word.utf8.count
    return true
  }

  private func error(_ expected: String, at place: Int? = nil) -> StoreError {
    let place = place ?? index
    let column = String(decoding: text[..<min(place, text.count)], as: UTF8.self).count + 1
    let whole = MessageText.clipped(String(decoding: text, as: UTF8.self), characterCount: 120)
    return StoreError(
      .invalidQuery("the query \"\(whole)\": expected \(expected) at column \(column)"))
  }
}

import Foundation

extension QueryFormat {
  mutating func operand() throws(StoreError) -> Operand {
    skipSpace()
    operandDepth += 1
    defer { operandDepth -= 1 }
    if operandDepth > Self.depthLimit { throw error("at most \(Self.depthLimit) levels") }
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

  mutating func list() throws(StoreError) -> [QueryValue] {
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
      guard case .value(.string(let path)) = try nextArgument(at: start) else {
        throw error("a name as the argument of %K", at: start)
      }
      let names = path.text.split(separator: ".", omittingEmptySubsequences: false).map(String.init)
      guard names.allSatisfy({ !$0.isEmpty && $0.utf8.allSatisfy(Self.isName) }) else {
        throw error("names separated by dots as the argument of %K", at: start)
      }
      return .operand(.attribute(QueryAttribute(names, scope: rootScope)))
    }
    if kind != UInt8(ascii: "@") {
      // The printf specifiers of C: %d, %ld, %lu, %f …
      while index < text.count, Self.isLetter(text[index]) { index += 1 }
      guard Self.isLetter(kind) else { throw error("%@ or %K", at: start) }
    }
    switch try nextArgument(at: start) {
    case .value(let value): return .operand(.value(value))
    case .list(let values): return .list(values)
    }
  }

  mutating func nextArgument(at offset: Int) throws(StoreError) -> Argument {
    guard nextArgument < arguments.count else {
      throw error("an argument for this placeholder; \(arguments.count) were given", at: offset)
    }
    defer { nextArgument += 1 }
    return arguments[nextArgument]
  }

  /// The scope of names without a variable: the object that the whole query tests.
  private var rootScope: Int { variables.count }

  mutating func path(from start: Int) throws(StoreError) -> QueryOperand {
    var names: [String] = []
    var scope = rootScope
    if index < text.count, text[index] == UInt8(ascii: "$") {
      let variable = "$" + (try name(after: 1))
      guard let position = variables.lastIndex(of: variable) else {
        throw error("a variable of an enclosing SUBQUERY", at: start)
      }
      scope = variables.count - 1 - position
    } else if !accept(word: "SELF") {
      names.append(try name())
    }
    while index < text.count, text[index] == UInt8(ascii: ".") {
      index += 1
      if index < text.count, text[index] == UInt8(ascii: "@") {
        return try function(of: QueryAttribute(names, scope: scope))
      }
      names.append(try name())
    }
    var steps: [JSONStep] = []
    while index < text.count, text[index] == UInt8(ascii: "[") {
      index += 1
      steps.append(try jsonStep())
      guard accept("]") else { throw error("']'") }
    }
    return .attribute(QueryAttribute(names, scope: scope, json: steps))
  }

  /// Parses a name, an index or a `%@` between brackets.
  private mutating func jsonStep() throws(StoreError) -> JSONStep {
    skipSpace()
    let start = index
    switch try operand() {
    case .operand(.value(.string(let name))): return .member(name)
    case .operand(.value(.int(let number))) where number >= 0: return .element(Int(number))
    default: throw error("a name in quotes or an index", at: start)
    }
  }

  /// Parses a function of an attribute: `@known`, or an aggregate, such as `@count` or `@max`. `guests.@max.age` and
  /// `guests.age.@max` are equivalent.
  private mutating func function(of attribute: QueryAttribute) throws(StoreError) -> QueryOperand {
    let start = index
    let word = try name(after: 1)
    if word.lowercased() == "count" { return .count(attribute) }
    if word.lowercased() == "known" { return .known(attribute) }
    guard let aggregate = QueryAggregate(rawValue: word.lowercased()) else {
      throw error("@count, @known, @min, @max, @sum or @avg", at: start)
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
    guard accept(".@count") else { throw error(".@count after SUBQUERY(…)") }
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
    case ("Decimal", .string(let string)):
      if let number = Decimal(plain: string.text) {
        return .decimal(number)
      }
    case ("Double", .string(let string)):
      if let number = Double(string.text) { return QueryValue(.double(number)) }
    case ("Data", .string(let string)):
      if let data = Data(base64Encoded: string.text) { return .data(data) }
    case ("JSON", .string(let string)):
      var text = string.text
      if let value = text.withUTF8({ JSONValue(text: UnsafeRawBufferPointer($0)) }) {
        return .json(value.withStored(keepsNotation: false) { Array($0) })
      }
      throw error("JSON text", at: start)
    case ("UUID", .string(let string)):
      if let uuid = UUID(uuidString: string.text) { return .uuid(uuid) }
    default: break
    }
    throw error("a value that can be cast to \(MessageText.clipped(type))", at: start)
  }
}

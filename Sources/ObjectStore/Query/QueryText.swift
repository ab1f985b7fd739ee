import Foundation
import JSONText

/// Writes a query in the format that ``QueryFormat`` reads.
struct QueryText {
  /// The variables of the enclosing collections, innermost last.
  private var variables: [String] = []

  static func text(_ node: QueryNode) -> String {
    var writer = QueryText()
    return writer.text(node, inside: 0)
  }

  static func text(_ operand: QueryOperand) -> String {
    var writer = QueryText()
    return writer.text(operand)
  }

  /// - Parameter strength: The precedence of the enclosing operator: 1 for OR, 2 for AND, 3 for NOT.
  private mutating func text(_ node: QueryNode, inside strength: Int) -> String {
    switch node {
    case .edits(let condition): return condition.rawValue
    case .constant(let value): return value ? "TRUEPREDICATE" : "FALSEPREDICATE"
    case .and(let nodes): return joined(nodes, " AND ", 2, inside: strength, empty: true)
    case .or(let nodes): return joined(nodes, " OR ", 1, inside: strength, empty: false)
    case .not(let node): return "NOT " + text(node, inside: 3)
    case .comparison(let left, let comparison, let right):
      return
        "\(text(left)) \(comparison.operation.rawValue)\(comparison.options.text) \(text(right))"
    case .isIn(let operand, let values, let options):
      return "\(text(operand)) IN\(options.text) \(Self.text(values))"
    case .isElement(let operand, let attribute, let options):
      return "\(text(operand)) IN\(options.text) \(text(attribute))"
    case .between(let operand, let low, let high):
      return "\(text(operand)) BETWEEN \(Self.text([low, high]))"
    case .quantified(let quantifier, let attribute, let node):
      return quantified(quantifier, attribute, node)
    }
  }

  private mutating func joined(
    _ nodes: [QueryNode], _ separator: String, _ strength: Int, inside outer: Int, empty: Bool
  ) -> String {
    if nodes.isEmpty { return empty ? "TRUEPREDICATE" : "FALSEPREDICATE" }
    if nodes.count == 1 { return text(nodes[0], inside: outer) }
    var texts: [String] = []
    for node in nodes { texts.append(text(node, inside: strength)) }
    let whole = texts.joined(separator: separator)
    return outer > strength ? "(\(whole))" : whole
  }

  private mutating func quantified(
    _ quantifier: QueryQuantifier, _ attribute: QueryAttribute, _ node: QueryNode
  ) -> String {
    // `ANY tags == "x"` if the condition is a single comparison; otherwise a subquery.
    if node.isElementPredicate {
      return "\(quantifier.rawValue) \(elementText(node, text(attribute)))"
    }
    let condition = quantifier == .all ? QueryNode.not(node) : node
    let count = text(.countWhere(attribute, condition))
    return "\(count) \(quantifier == .any ? ">" : "==") 0"
  }

  /// The text of a single comparison of elements, as written after `ANY`.
  private mutating func elementText(_ node: QueryNode, _ collection: String) -> String {
    switch node {
    case .comparison(let left, let comparison, let right):
      let operation = comparison.operation.rawValue + comparison.options.text
      return "\(collection)\(Self.end(of: left)) \(operation) \(text(right.asOuter ?? right))"
    case .isIn(let left, let values, let options):
      return "\(collection)\(Self.end(of: left)) IN\(options.text) \(Self.text(values))"
    case .between(let left, let low, let high):
      return "\(collection)\(Self.end(of: left)) BETWEEN \(Self.text([low, high]))"
    default: return text(node, inside: 0)
    }
  }

  /// The path from an element to an operand: inside its JSON, such as `["from"]`, or `.note.@known`.
  private static func end(of operand: QueryOperand) -> String {
    switch operand {
    case .attribute(let attribute): text(attribute.json)
    case .known(let attribute): attribute.names.map { ".\(escaped($0))" }.joined() + ".@known"
    default: ""
    }
  }

  static func text(_ steps: [JSONStep]) -> String {
    steps.map { step in
      switch step {
      case .member(let name): "[\(quoted(name.text))]"
      case .element(let index): "[\(index)]"
      }
    }.joined()
  }

  private static func text(_ values: [QueryValue]) -> String {
    "{" + values.map(text).joined(separator: ", ") + "}"
  }

  private mutating func text(_ operand: QueryOperand) -> String {
    switch operand {
    case .value(let value): return Self.text(value)
    case .attribute(let attribute): return text(attribute)
    case .count(let attribute): return "\(text(attribute)).@count"
    case .known(let attribute): return "\(text(attribute)).@known"
    case .aggregate(let aggregate, let attribute, let names):
      return ([text(attribute), "@\(aggregate.rawValue)"] + names.map(Self.escaped))
        .joined(separator: ".")
    case .countWhere(let attribute, let node):
      let collection = text(attribute)
      let variable = "$x\(variables.count)"
      variables.append(variable)
      defer { variables.removeLast() }
      return "SUBQUERY(\(collection), \(variable), \(text(node, inside: 0))).@count"
    }
  }

  private func text(_ attribute: QueryAttribute) -> String {
    let index = variables.count - 1 - attribute.scope
    let start = index >= 0 ? [variables[index]] : attribute.names.isEmpty ? ["SELF"] : []
    return (start + attribute.names.map(Self.escaped)).joined(separator: ".")
      + Self.text(attribute.json)
  }

  /// Prepends `#` to a name that is a keyword or begins with a digit. A name with characters that need quotes is also
  /// quoted.
  private static func escaped(_ name: String) -> String {
    if name.isEmpty || !name.utf8.allSatisfy(QueryFormat.isName) { return "#" + quoted(name) }
    let isNumber = name.utf8.first.map { (0x30...0x39).contains($0) } ?? false
    return isNumber || QueryFormat.isReserved(name) ? "#\(name)" : name
  }

  static func text(_ value: QueryValue) -> String {
    switch value {
    case .null: return "nil"
    case .bool(let value): return value ? "true" : "false"
    case .int(let value): return "\(value)"
    case .uint(let value): return "\(value)"
    case .nan: return "CAST(\"nan\", \"Double\")"
    case .double(let value):
      if value.isInfinite { return "CAST(\"\(value)\", \"Double\")" }
      let text = "\(value)"
      return text.contains { ".eE".contains($0) } ? text : text + ".0"
    case .decimal(let value): return "CAST(\"\(value)\", \"Decimal\")"
    case .string(let string): return quoted(string.text)
    case .data(let data): return "CAST(\"\(data.base64EncodedString())\", \"Data\")"
    case .date(let date):
      return "CAST(\(text(QueryValue(.double(date.timeIntervalSinceReferenceDate)))), \"NSDate\")"
    case .uuid(let uuid): return "CAST(\"\(UUIDText.text(uuid))\", \"UUID\")"
    case .json(let bytes): return "CAST(\(quoted(json(bytes))), \"JSON\")"
    case .row(let table, let slot, _): return "an object (table \(table), row \(slot))"
    }
  }

  private static func json(_ bytes: [UInt8]) -> String {
    var text = JSONWriter(capacity: 256)
    bytes.withUnsafeBytes {
      var reader = StoredJSONReader($0)
      _ = reader.write(to: &text)
    }
    return text.withBytes { String(decoding: $0, as: UTF8.self) }
  }

  private static func quoted(_ text: String) -> String {
    var result = "\""
    for scalar in text.unicodeScalars {
      switch scalar {
      case "\"": result += "\\\""
      case "\\": result += "\\\\"
      case "\n": result += "\\n"
      case "\r": result += "\\r"
      case "\t": result += "\\t"
      default:
        if scalar.value < 0x20 {
          let hex = String(scalar.value, radix: 16)
          result += "\\u" + String(repeating: "0", count: 4 - hex.count) + hex
        } else {
          result.unicodeScalars.append(scalar)
        }
      }
    }
    return result + "\""
  }
}

/// Identifiers and literals of Swift for JSON keys and strings.
package enum SwiftNames {
  /// The public members of every object, and names that an attribute cannot have.
  private static let takenNames: Set<String> = [
    "attributeName", "cachePolicy", "changes", "codableAlwaysEncoded", "codableIgnoredAttributes",
    "codableKeys", "codableRawJsonSubstrings", "codableShape", "compoundKey", "description",
    "editState", "editedAttributes", "frozen", "hash", "hashValue", "indexedProperties", "indexes",
    "init", "isInvalidated", "isKnown", "isManaged", "isWhole", "listEnvelope", "objectEnvelope",
    "objectSchema",
    "observe", "primaryKey", "rejection", "self", "tableName", "tracksEdits",
    "unknownAttributes",
  ]

  private static let keywords: Set<String> = [
    "as", "associatedtype", "break", "case", "catch", "class", "continue", "default", "defer",
    "deinit",
    "do", "else", "enum", "extension", "fallthrough", "false", "fileprivate", "for", "func",
    "guard",
    "if", "import", "in", "inout", "internal", "is", "let", "nil", "operator", "precedencegroup",
    "private", "protocol", "public", "repeat", "rethrows", "return", "static", "struct",
    "subscript",
    "super", "switch", "throw", "throws", "true", "try", "typealias", "var", "where", "while",
  ]

  /// `first_name` → `firstName`.
  package static func swiftName(_ key: String) -> String {
    let words = key.split { !($0.isLetter || $0.isNumber) || !$0.isASCII }.map(String.init)
    guard let first = words.first else { return "value" }
    // An acronym is lowercased as one word: `URLPath` → `urlPath`.
    let capitals = first.prefix { !$0.isLowercase }.count
    let head = capitals == first.count ? capitals : capitals > 1 ? capitals - 1 : capitals
    var name = first.prefix(head).lowercased() + first.dropFirst(head)
    for word in words.dropFirst() { name += word.prefix(1).uppercased() + word.dropFirst() }
    if name.first?.isNumber ?? true { name = "n\(name)" }
    while takenNames.contains(name) { name += "Value" }
    return name
  }

  /// Returns a key for `json:`: as a JSON Pointer if it would otherwise be parsed as a path.
  package static func path(_ key: String) -> String {
    guard key.contains(".") || key.hasPrefix("/") || key.isEmpty else { return key }
    return "/" + key.replacing("~", with: "~0").replacing("/", with: "~1")
  }

  /// True for control and format characters, and for separators other than the space.
  private static func isInvisible(_ scalar: Unicode.Scalar) -> Bool {
    switch scalar.properties.generalCategory {
    case .control, .format, .lineSeparator, .paragraphSeparator: true
    case .spaceSeparator: scalar != " "
    default: false
    }
  }

  package static func literal(_ text: String) -> String {
    let escaped = text.map { character -> String in
      switch character {
      case "\\": "\\\\"
      case "\"": "\\\""
      case "\n": "\\n"
      case "\r": "\\r"
      case "\t": "\\t"
      case _ where character.unicodeScalars.contains(where: isInvisible):
        character.unicodeScalars.map { "\\u{\(String($0.value, radix: 16))}" }.joined()
      default: String(character)
      }
    }.joined()
    return "\"\(escaped)\""
  }

  /// Returns the name of an enum's case: `in-review` → `inReview`.
  package static func caseName(_ rawValue: String) -> String {
    let name = swiftName(rawValue)
    // `.none` of an optional enum is nil.
    return name == "none" || name == "rawValue" || name == "allCases" ? "\(name)Value" : name
  }

  /// Returns a name in backticks if it is a keyword.
  package static func escaped(_ name: String) -> String {
    keywords.contains(name) ? "`\(name)`" : name
  }

  /// Returns the name, with a number appended if it is taken.
  package static func unique(_ name: String, among taken: (String) -> Bool) -> String {
    if !taken(name) { return name }
    return (2...).lazy.map { "\(name)\($0)" }.first { !taken($0) } ?? name
  }
}

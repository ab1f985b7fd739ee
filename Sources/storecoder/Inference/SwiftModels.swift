import ObjectStore

/// Writes classes as Swift source that decodes the file from which they were inferred.
struct SwiftModels {
  private let schema: InferredSchema
  private let envelope: String?
  private let classNames: [String: String]

  init(_ schema: InferredSchema, envelope: String? = nil) {
    self.schema = schema
    self.envelope = envelope
    var names: [String: String] = [:]
    for entry in schema.classes {
      let name =
        Self.takenTypes.contains(entry.className) ? "\(entry.className)Item" : entry.className
      names[entry.className] = ClassNames.unique(name) { names.values.contains($0) }
    }
    classNames = names
  }

  /// Names of types in Swift, Foundation and ObjectStore that a class must not hide.
  private static let takenTypes: Set<String> = [
    "Any", "Array", "Bool", "Character", "Class", "Data", "Date", "Decimal", "Dictionary", "Double",
    "DynamicObject", "EmbeddedObject", "Error", "Float", "Int", "JSONValue", "LinkingObjects",
    "List",
    "Map", "MutableSet", "Never", "Object", "ObjectBase", "Optional", "Persisted", "Property",
    "Protocol", "Range", "Results", "Self", "Sequence", "Set", "Store", "String", "Task", "Type",
    "URL",
    "UUID", "Void",
  ]

  /// Members of every object, and keywords that cannot follow a dot.
  private static let takenNames: Set<String> = [
    "codableIgnoredAttributes", "codableKeys", "codableRawJsonSubstrings", "columns", "compoundKey",
    "description",
    "epoch", "handle", "hash", "hashValue", "indexes", "indexedProperties", "init", "isInvalidated",
    "isManaged", "listEnvelope", "objectEnvelope", "objectSchema", "observe", "owner", "primaryKey",
    "reference", "row", "self", "slot", "storage", "tableName",
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

  var text: String {
    (["import ObjectStore\n"] + schema.classes.map(text)).joined(separator: "\n")
  }

  private func text(_ entry: ObjectSchema) -> String {
    let name = classNames[entry.className] ?? entry.className
    var lines = ["final class \(name): \(entry.isEmbedded ? "EmbeddedObject" : "Object") {"]
    var names: Set<String> = []
    for property in entry.properties where property.name != schema.syntheticKey {
      let swiftName = ClassNames.unique(Self.swiftName(property.name)) { names.contains($0) }
      names.insert(swiftName)
      lines.append("  \(declaration(property, swiftName))")
    }
    if entry.className == schema.root.className, let envelope {
      lines += ["", "  override class var listEnvelope: String? { \(Self.literal(envelope)) }"]
    }
    return lines.joined(separator: "\n") + "\n}\n"
  }

  private func declaration(_ property: Property, _ name: String) -> String {
    var arguments: [String] = []
    if property.isPrimaryKey { arguments.append("primaryKey: true") }
    if name != property.name { arguments.append("json: \(Self.literal(Self.path(property.name)))") }
    if property.options.contains(.byKey) { arguments.append(".byKey") }
    if property.options.contains(.writesNil) { arguments.append(".writesNil") }
    if property.options.contains(.omitsEmpty) { arguments.append(".omitsEmpty") }
    let list = arguments.isEmpty ? "" : "(\(arguments.joined(separator: ", ")))"
    let shown = Self.keywords.contains(name) ? "`\(name)`" : name
    return "@Persisted\(list) var \(shown)\(type(property))"
  }

  /// Returns the type annotation, or an initial value that implies the type.
  private func type(_ property: Property) -> String {
    let element: String
    if let target = property.objectClassName {
      element = classNames[target] ?? target
    } else {
      switch property.type {
      case .bool: element = "Bool"
      case .double: element = "Double"
      case .string: element = "String"
      case .json: element = "JSONValue"
      default: element = property.shape.scalar?.kind == .uint64 ? "UInt64" : "Int"
      }
    }
    switch property.shape.form {
    case .list: return ": List<\(element)\(property.isOptional ? "?" : "")>"
    case .set: return ": MutableSet<\(element)>"
    case .map:
      return
        ": Map<String, \(element)\(property.isOptional || property.objectClassName != nil ? "?" : "")>"
    default: break
    }
    if property.isOptional { return ": \(element)?" }
    if property.isPrimaryKey { return ": \(element)" }
    switch element {
    case "Bool": return " = false"
    case "Int": return " = 0"
    case "Double": return " = 0.0"
    case "String": return " = \"\""
    default: return ": \(element)"
    }
  }

  // MARK: - Names

  /// `first_name` → `firstName`.
  static func swiftName(_ key: String) -> String {
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
  private static func path(_ key: String) -> String {
    guard key.contains(".") || key.hasPrefix("/") || key.isEmpty else { return key }
    return "/" + key.replacing("~", with: "~0").replacing("/", with: "~1")
  }

  private static func literal(_ text: String) -> String {
    let escaped = text.map { character -> String in
      switch character {
      case "\\": "\\\\"
      case "\"": "\\\""
      case "\n": "\\n"
      case "\r": "\\r"
      case "\t": "\\t"
      case _ where character.unicodeScalars.contains { $0.properties.generalCategory == .control }:
        character.unicodeScalars.map { "\\u{\(String($0.value, radix: 16))}" }.joined()
      default: String(character)
      }
    }.joined()
    return "\"\(escaped)\""
  }
}

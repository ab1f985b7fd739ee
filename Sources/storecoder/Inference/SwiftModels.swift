import ObjectStore
import StoreCoding

/// Writes classes as Swift source that decodes the file from which they were inferred.
struct SwiftModels {
  private let schema: ModelSchema
  private let envelope: String?
  private let classNames: [String: String]

  init(_ schema: ModelSchema, envelope: String? = nil) {
    self.schema = schema
    self.envelope = envelope
    var names: [String: String] = [:]
    var taken: Set<String> = []
    for entry in schema.classes {
      let base =
        Self.takenTypes.contains(entry.className) ? "\(entry.className)Item" : entry.className
      let name = SwiftNames.unique(base, among: taken.contains)
      taken.insert(name)
      names[entry.className] = name
    }
    classNames = names
  }

  /// Names of types in Swift, Foundation and ObjectStore that a class must not hide.
  private static let takenTypes: Set<String> = [
    "Any", "Array", "Bool", "BooleanLiteralType", "Character", "Class", "Coded", "Data", "Date",
    "Decimal", "Dictionary",
    "Double",
    "DynamicObject", "EmbeddedObject", "Error", "Float", "FloatLiteralType", "Int",
    "IntegerLiteralType", "JSONValue", "LinkingObjects",
    "List",
    "Map", "MutableSet", "Never", "Object", "ObjectBase", "Optional", "Persistable",
    "PersistableEnum", "Persisted", "Property",
    "Protocol", "Range", "Results", "Self", "Sequence", "Set", "Store", "String",
    "StringLiteralType", "Task", "Type", "UInt64",
    "URL",
    "UUID", "Void",
  ]

  var text: String {
    let classes = schema.classes.map(text)
    let usesFoundation = schema.classes.contains { entry in
      entry.properties.contains { $0.type == .date || $0.type == .decimal }
    }
    return
      (["\(usesFoundation ? "import Foundation\n" : "")import ObjectStore\n"] + classes
      + schema.enums.map(\.text)).joined(separator: "\n")
  }

  private func text(_ entry: ObjectSchema) -> String {
    let name = classNames[entry.className] ?? entry.className
    var lines = ["final class \(name): \(entry.isEmbedded ? "EmbeddedObject" : "Object") {"]
    var names: Set<String> = []
    for property in entry.properties {
      let swiftName = SwiftNames.unique(SwiftNames.swiftName(property.name)) { names.contains($0) }
      names.insert(swiftName)
      lines.append("  \(declaration(property, swiftName, in: entry.className))")
    }
    if entry.className == schema.root.className, let envelope {
      lines += [
        "", "  override class var listEnvelope: String? { \(SwiftNames.literal(envelope)) }",
      ]
    }
    return lines.joined(separator: "\n") + "\n}\n"
  }

  private func declaration(
    _ property: Property, _ name: String, in className: String
  ) -> String {
    let enumeration = schema.enumeration(of: property, in: className)
    var arguments: [String] = []
    if property.isPrimaryKey { arguments.append("primaryKey: true") }
    if let path = property.declaredKey {
      arguments.append("json: \(SwiftNames.literal(path))")
    } else if name != property.name {
      arguments.append("json: \(SwiftNames.literal(SwiftNames.path(property.name)))")
    }
    // Options that only affect writing follow those that affect the type.
    let isWriting: (Property.Option) -> Bool = { $0 == .writesNil || $0 == .omitsEmpty }
    arguments += property.options.filter { !isWriting($0) }.compactMap(Self.option)
    if enumeration != nil { arguments.append(".unknown(.\(ModelEnum.fallback))") }
    arguments += property.options.filter(isWriting).compactMap(Self.option)
    let list = arguments.isEmpty ? "" : "(\(arguments.joined(separator: ", ")))"
    let type =
      enumeration != nil && property.shape.form == .scalar && !property.isOptional
      ? ": \(schema.typeName(of: property, in: className)) = .\(ModelEnum.fallback)"
      : type(property, in: className)
    return "@Persisted\(list) var \(SwiftNames.escaped(name))\(type)"
  }

  private static func option(_ option: Property.Option) -> String? {
    switch option {
    case .byKey: ".byKey"
    case .keyed(.primaryKey): ".keyed"
    case .writesNil: ".writesNil"
    case .omitsEmpty: ".omitsEmpty"
    case .dates(let formats): ".date(\(formats.map(format).joined(separator: ", ")))"
    case .string(let digits): ".asString(fractionDigits: \(digits))"
    case .aliases(let keys):
      ".aliases(\(keys.map { SwiftNames.literal(SwiftNames.path($0)) }.joined(separator: ", ")))"
    default: nil
    }
  }

  private static func format(_ format: DateFormat) -> String {
    switch format.kind {
    case .iso8601: ".iso8601"
    case .rfc1123: ".rfc1123"
    case .unixSeconds: ".unixSeconds"
    case .unixMilliseconds: ".unixMilliseconds"
    case .date: ".date"
    case .pattern(let pattern): SwiftNames.literal(pattern)
    }
  }

  /// Returns the type annotation, or an initial value that implies the type.
  private func type(_ property: Property, in className: String) -> String {
    let element: String
    if let name = schema.typeNames["\(className).\(property.name)"] {
      element = name
    } else if let target = property.objectClassName {
      element = classNames[target] ?? target
    } else {
      switch property.type {
      case .bool: element = "Bool"
      case .double: element = "Double"
      case .string: element = "String"
      case .json: element = "JSONValue"
      case .date: element = "Date"
      case .decimal: element = "Decimal"
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
}

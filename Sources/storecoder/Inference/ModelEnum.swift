import ObjectStore
import StoreCoding

/// An enum for the few strings of an attribute that repeat often.
struct ModelEnum {
  let name: String
  /// The raw values, sorted.
  let rawValues: [String]
  /// The raw value of the case for values that the file does not contain.
  static let fallback = "unknown"

  /// Returns nil if the strings do not repeat, or cannot name cases.
  init?(_ attribute: RefinedAttribute, in className: String, _ isTaken: (String) -> Bool) {
    let property = attribute.property
    guard property.type == .string, property.shape.form != .map, let values = attribute.values,
      let words = values.samples?.words, words.count > 1,
      values.strings
        >= max(
          ModelRules.minimumEnumCount, words.count * ModelRules.minimumRepetition)
    else { return nil }
    let base = className + ClassNames.name(property.name, isPlural: property.shape.isCollection)
    name = SwiftNames.unique(base, among: isTaken)
    rawValues = Set(words.keys).union([Self.fallback]).sorted()
  }

  var text: String {
    var names: Set<String> = []
    var lines = ["enum \(name): String, PersistableEnum {"]
    for rawValue in rawValues {
      let name = SwiftNames.unique(SwiftNames.caseName(rawValue)) { names.contains($0) }
      names.insert(name)
      let value = name == rawValue ? "" : " = \(SwiftNames.literal(rawValue))"
      lines.append("  case \(SwiftNames.escaped(name))\(value)")
    }
    return lines.joined(separator: "\n") + "\n}\n"
  }
}

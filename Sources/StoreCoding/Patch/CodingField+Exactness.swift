import JSONText
import ObjectStore

// The values whose JSON is what the server sent. Others have several written forms, of which the store does not know which
// one the server uses.

extension CodingField {
  /// True if the server has sent the attribute's value as this JSON, as far as can be known. Numbers may be in another
  /// notation.
  func isExact(_ value: JSONValue) -> Bool {
    guard aliases.isEmpty, !hasElementPath, !isKeyed, !nilSpellings.contains(value) else {
      return false
    }
    switch (form, value) {
    case (.scalar, _), (.link, _): return isExactElement(value)
    // An empty collection may have been null.
    case (.list, .array(let elements)):
      return !acceptsSingleValue && hasExactElements && !elements.isEmpty
        && elements.allSatisfy { isExactElement($0) }
    case (.map, .object(let members)):
      return hasExactElements && !members.isEmpty
        && members.allSatisfy { isExactElement($0.value) }
    // The order of a set is not the server's.
    default: return false
    }
  }

  /// True if no element of a collection is skipped, or read as nil without being null.
  private var hasExactElements: Bool { !skipsElements && emptyElements.isEmpty }

  private func isExactElement(_ value: JSONValue) -> Bool {
    if form != .scalar, value == .null { return true }
    if let target {
      guard isByKey, !target.hasCompoundKey, let key = target.keyField else { return false }
      return key.isExactScalar(value)
    }
    return isExactScalar(value)
  }

  private func isExactScalar(_ value: JSONValue) -> Bool {
    guard !isConverted, !isFlexible, unknown == nil, coded == nil else { return false }
    switch scalar {
    case .date, .data, .uuid, .float: return raw != nil
    case .double: return value.isExactDouble
    default: return true
    }
  }
}

extension JSONValue {
  /// True if the number of a Double is what the server sent: any number of up to 15 digits is the shortest form of the
  /// nearest Double. One with more digits may be rounded.
  fileprivate var isExactDouble: Bool {
    var text: String
    switch self {
    case .int(let value): text = "\(value)"
    case .double(let value): text = "\(value)"
    case .number(let value): text = value
    default: return false
    }
    return text.withUTF8 { NumberDigits($0, limit: 15) != nil }
  }
}

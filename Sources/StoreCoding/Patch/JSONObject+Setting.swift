import ObjectStore

// Values at the paths of a body.

extension JSONObject {
  /// Sets the value at a path, or removes it.
  ///
  /// - Parameter other: Shows where the path leads through objects instead of arrays if this object has neither.
  mutating func set(
    _ value: JSONValue?, at path: ArraySlice<JSONPath.Component>, like other: JSONObject
  ) {
    guard let first = path.first else { return }
    let member: JSONValue? = self[first.key] ?? nil
    self[first.key] = member.setting(value, at: path.dropFirst(), like: other[first.key] ?? nil)
  }

  /// Removes the objects and arrays on a path, before its end, that have no members.
  mutating func removeEmptyValues(along path: ArraySlice<JSONPath.Component>) {
    guard
      case .object(let members)? = JSONValue?.some(.object(self)).removingEmptyValues(along: path)
    else {
      self = JSONObject()
      return
    }
    self = members
  }
}

extension JSONValue? {
  private var isObject: Bool { if case .object? = self { true } else { false } }

  /// Returns the value without objects and arrays on a path, before its end, that have no members.
  fileprivate func removingEmptyValues(along path: ArraySlice<JSONPath.Component>) -> JSONValue? {
    guard let first = path.first else { return self }
    switch self {
    case .object(var members)?:
      let member: JSONValue? = members[first.key] ?? nil
      members[first.key] = member.removingEmptyValues(along: path.dropFirst())
      return members.isEmpty ? nil : .object(members)
    case .array(var elements)?:
      if let index = first.index, index < elements.count {
        elements[index] =
          Optional(elements[index]).removingEmptyValues(along: path.dropFirst()) ?? .null
      }
      while elements.last == .null { elements.removeLast() }
      return elements.isEmpty ? nil : .array(elements)
    default: return self
    }
  }

  /// Returns the value with another one at a path.
  ///
  /// An element of an array that is removed becomes null, or is dropped at the end.
  fileprivate func setting(
    _ value: JSONValue?, at path: ArraySlice<JSONPath.Component>, like other: JSONValue?
  ) -> JSONValue? {
    guard let first = path.first else { return value }
    guard let index = first.index, !(self ?? other).isObject else {
      var (members, others) = (JSONObject(), JSONObject())
      if case .object(let own) = self { members = own }
      if case .object(let own) = other { others = own }
      members.set(value, at: path, like: others)
      return .object(members)
    }
    var elements: [JSONValue] = []
    if case .array(let own) = self { elements = own }
    while elements.count <= index { elements.append(.null) }
    elements[index] =
      Optional(elements[index]).setting(value, at: path.dropFirst(), like: nil) ?? .null
    while elements.last == .null { elements.removeLast() }
    return .array(elements)
  }
}

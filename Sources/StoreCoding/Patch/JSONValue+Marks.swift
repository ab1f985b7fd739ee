import ObjectStore

// States of which a part is not known.

extension JSONValue {
  /// Returns the value with the elements of a former array where the elements of this one are unknown.
  ///
  /// - Parameters:
  ///   - former: The former array.
  ///   - marked: This array, with unknown values marked.
  func completed(from former: JSONValue?, _ marked: JSONValue?) -> JSONValue {
    guard case .array(let marks) = marked else { return self }
    var elements: [JSONValue] = []
    if case .array(let own) = self { elements = own }
    for (index, mark) in marks.enumerated() where mark == .unknown {
      guard let known = former?[index], known != .null, known != .unknown else { continue }
      while elements.count <= index { elements.append(.null) }
      elements[index] = known
    }
    return .array(elements)
  }

  /// Returns an object with the members of another one, at any depth outside of arrays; otherwise the other value.
  func adding(_ other: JSONValue) -> JSONValue {
    guard case .object(var members) = self, case .object(let others) = other else { return other }
    for (name, value) in others { members[name] = members[name]?.adding(value) ?? value }
    return .object(members)
  }

  /// Returns an object with the members for nil that it lacks, at any depth outside of arrays; other values unchanged.
  ///
  /// - Parameter marked: The object with nil written, and with unknown values marked.
  func addingNulls(of marked: JSONValue?) -> JSONValue {
    guard case .object(var members) = self, case .object(let marks) = marked else { return self }
    for (name, mark) in marks {
      switch (members[name], mark) {
      case (let value?, .object): members[name] = value.addingNulls(of: mark)
      case (.none, .object):
        let nulls = JSONValue.object(JSONObject()).addingNulls(of: mark)
        if nulls != .object(JSONObject()) { members[name] = nulls }
      case (.none, _) where !mark.containsUnknown: members[name] = mark
      default: break
      }
    }
    return .object(members)
  }
}

extension JSONObject {
  /// The members of the object at a name; none if there is no object.
  func object(named name: String) -> JSONObject {
    if case .object(let members) = self[name] { members } else { JSONObject() }
  }
}

extension JSONValue? {
  /// True if a value equals the former one where it is known.
  ///
  /// - Parameter marked: The value with what is unknown marked.
  func equals(_ former: JSONValue?, _ marked: JSONValue?) -> Bool {
    switch (former, marked) {
    case (_, JSONValue.unknown?): return true
    case (.object(let former)?, .object(let marks)?):
      var members = JSONObject()
      switch self {
      case .object(let own)?: members = own
      // An object along a path without any value; null in an array.
      case .none, JSONValue.null?: break
      case .some: return false
      }
      return former.allSatisfy { members[$0.key].equals($0.value, marks[$0.key]) }
        && members.allSatisfy {
          former[$0.key] != nil || JSONValue?.some($0.value).equals(.none, marks[$0.key])
        }
    case (.array(let former)?, .array(let marks)?):
      var elements: [JSONValue] = []
      switch self {
      case .array(let own)?: elements = own
      // An array along a path without any value; null in an array.
      case .none, JSONValue.null?: break
      case .some: return false
      }
      if marks.contains(.unknown) || marks.count > elements.count {
        // An array along a path, which ends with its last value.
        return marks.indices.allSatisfy { index in
          func element(of array: [JSONValue]) -> JSONValue {
            index < array.count ? array[index] : .null
          }
          return JSONValue?.some(element(of: elements))
            .equals(element(of: former), marks[index])
        }
      }
      return self != nil && self != .null && former.count == elements.count
        && elements.indices.allSatisfy {
          JSONValue?.some(elements[$0])
            .equals(former[$0], $0 < marks.count ? marks[$0] : .none)
        }
    default: return former.isIdentical(to: self)
    }
  }
}

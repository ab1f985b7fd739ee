import ObjectStore

/// JSON Merge Patches (RFC 7396).
enum MergePatch {
  /// Returns the patch that changes one object into another.
  ///
  /// - Parameters:
  ///   - node: The attributes at and below the object; nil inside the value of an attribute that is no object. An object
  ///     along a dotted path is never removed, because the server may keep other members in it.
  ///   - elements: The field of a map or a keyed list, if its value is compared: each member is an object of its class.
  ///   - nodes: Returns the members of a class.
  /// - Throws: `notMergeable`, with the path, if a member of an object becomes null.
  static func difference(
    from base: JSONObject, to new: JSONObject, along node: EncodeNode?,
    elementsOf elements: CodingField? = nil, _ nodes: (CodingPlan) -> EncodeNode
  ) throws(StoreCodingError) -> JSONObject {
    var members: [(key: String, value: JSONValue)] = []
    for (name, old) in base {
      guard case .none = new[name] else { continue }
      if case .object(let old) = old, let child = node?.node(named: name) {
        let difference = try difference(from: old, to: JSONObject(), along: child, nodes)
        members.append((name, .object(difference)))
      } else {
        members.append((name, node?.field(named: name)?.nilSpellings.first ?? .null))
      }
    }
    for (name, value) in new {
      do throws(StoreCodingError) {
        if case .object(let old) = base[name], case .object(let value) = value {
          let field = node?.field(named: name)
          // A resource identifier is a value: both of its members name the resource.
          if field?.isByIdentifier ?? false {
            if !base[name].isIdentical(to: .object(value)) {
              members.append((name, .object(value)))
            }
            continue
          }
          let isLink = field?.shape.form == .link
          let target = elements?.target ?? (isLink ? field?.target : nil)
          if let target,
            replacesObject(old, by: value, of: target, isKeyOutside: elements?.isKeyed ?? false)
          {
            members.append((name, .object(value)))
            continue
          }
          if let target, isReference(value, of: target, isKeyOutside: elements?.isKeyed ?? false) {
            continue
          }
          let difference = try difference(
            from: old, to: value, along: node?.node(named: name) ?? target.map(nodes),
            elementsOf: field?.target == nil || isLink ? nil : field, nodes)
          if !difference.isEmpty { members.append((name, .object(difference))) }
        } else if !base[name].isIdentical(to: value) {
          try checkMembers(value)
          members.append((name, value))
        }
      } catch {
        throw prefixed(error, name)
      }
    }
    return JSONObject(members)
  }

  /// True if a value is of another object than the former one. Nothing is said about the members that it lacks.
  private static func replacesObject(
    _ old: JSONObject, by value: JSONObject, of target: CodingPlan, isKeyOutside: Bool
  ) -> Bool {
    if isKeyOutside { return false }
    return target.identifyingFields.contains { field in
      let path = field.path.components[...]
      return !old[path].isIdentical(to: value[path])
    }
  }

  /// True if a value has the key of an object and nothing else, and so says nothing about other members.
  ///
  /// - Parameter isKeyOutside: True for an element of a keyed list, whose key is the name of the value.
  private static func isReference(
    _ value: JSONObject, of target: CodingPlan, isKeyOutside: Bool
  ) -> Bool {
    if target.identifyingFields.isEmpty { return false }
    if isKeyOutside, value.isEmpty { return true }
    let names = Set(target.identifyingFields.map { $0.path.components[0].key })
    return value.count == names.count && names.allSatisfy { value[$0] != nil }
  }

  /// Throws an error if the value of a member is null or an object with such a member. Arrays are replaced whole and may
  /// contain null.
  private static func checkMembers(_ value: JSONValue) throws(StoreCodingError) {
    switch value {
    case .null: throw StoreCodingError(.notMergeable)
    case .object(let members):
      for (name, value) in members {
        do throws(StoreCodingError) { try checkMembers(value) } catch {
          throw prefixed(error, name)
        }
      }
    default: break
    }
  }

  private static func prefixed(_ error: StoreCodingError, _ name: String) -> StoreCodingError {
    var error = error
    error.prepend(key: name)
    return error
  }
}

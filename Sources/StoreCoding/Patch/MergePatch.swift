import ObjectStore

/// JSON Merge Patches (RFC 7396).
enum MergePatch {
  /// Returns the patch that changes one object into another.
  ///
  /// - Parameters:
  ///   - base: The former object, with `JSONValue.unknown` for values that are not known.
  ///   - marked: The new object with nil written, and with `JSONValue.unknown` for values that are not known.
  ///   - node: The attributes at and below the object; nil inside the value of an attribute that is no object. An object
  ///     along a dotted path is never removed, because the server may keep other members in it.
  ///   - elements: The field of a map or a keyed list, if its value is compared: each member is an object of its class.
  ///   - keepsUnread: True inside an embedded object that payloads update in place, of which the server may have members that
  ///     the new object lacks.
  ///   - nodes: Returns the members of a class.
  /// - Throws: `notMergeable`, with the path, if a member of an object becomes null.
  static func difference(
    from base: JSONObject, to new: JSONObject, _ marked: JSONObject, along node: EncodeNode?,
    elementsOf elements: CodingField? = nil, keepsUnread: Bool = false,
    _ nodes: (CodingPlan) -> EncodeNode
  ) throws(StoreCodingError) -> JSONObject {
    var members: [(key: String, value: JSONValue)] = []
    for (name, old) in base {
      guard case .none = new[name], !JSONValue?.none.equals(old, marked[name]),
        !keepsUnread || node?.isRead(name) ?? true
      else { continue }
      let child = node?.node(named: name)
      if case .object(let old) = old, let child {
        let difference = try difference(
          from: old, to: JSONObject(), marked.object(named: name), along: child,
          keepsUnread: keepsUnread, nodes)
        if !difference.isEmpty { members.append((name, .object(difference))) }
      } else if child != nil, case .array(let marks) = marked[name], marks.contains(.unknown) {
        members.append((name, JSONValue.array([]).completed(from: old, marked[name])))
      } else {
        members.append((name, node?.field(named: name)?.nilSpellings.first ?? .null))
      }
    }
    for (name, value) in new where !JSONValue?.some(value).equals(base[name], marked[name]) {
      do throws(StoreCodingError) {
        let field = node?.field(named: name)
        // A resource identifier is a value: both of its members name the resource.
        if field?.isByIdentifier ?? false {
          members.append((name, value))
          continue
        }
        let isLink = field?.shape.form == .link
        let target = elements?.target ?? (isLink ? field?.target : nil)
        if case .object(let old) = base[name], case .object(let object) = value {
          if let target,
            replacesObject(old, by: object, of: target, isKeyOutside: elements?.isKeyed ?? false)
          {
            try checkMembers(value)
            members.append((name, value.addingNulls(of: marked[name])))
            continue
          }
          let difference = try difference(
            from: old, to: object, marked.object(named: name),
            along: node?.node(named: name) ?? target.map(nodes),
            elementsOf: field?.target == nil || isLink ? nil : field,
            keepsUnread: field?.isInPlace ?? false || keepsUnread && target?.keyAttribute ?? -1 < 0,
            nodes)
          if difference.isEmpty { continue }
          if field?.aliases.isEmpty ?? true {
            members.append((name, .object(difference)))
          } else {
            // The server may have the former members at another path.
            try checkMembers(value)
            members.append((name, value.adding(.object(difference))))
          }
        } else {
          try checkMembers(value)
          // The server may have an object, whose members would stay.
          let isWhole = base[name] == .unknown && target != nil
          members.append(
            (
              name,
              isWhole
                ? value.addingNulls(of: marked[name])
                : value.completed(from: base[name], marked[name])
            ))
        }
      } catch {
        throw prefixed(error, name)
      }
    }
    return JSONObject(members)
  }

  /// True if a value is of another object than the former one, whose members it would otherwise keep.
  private static func replacesObject(
    _ old: JSONObject, by value: JSONObject, of target: CodingPlan, isKeyOutside: Bool
  ) -> Bool {
    if isKeyOutside { return false }
    return target.identifyingFields.contains { field in
      let path = field.path.components[...]
      return !old[path].isIdentical(to: value[path])
    }
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

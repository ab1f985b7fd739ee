import ObjectStore

/// The operations of a JSON Patch (RFC 6902).
///
/// A value is set by `add`, which also replaces an existing one. Values of attributes are units: only the objects along
/// the dotted paths of a class are compared member by member.
struct JSONPatch {
  private var tests: [JSONValue] = []
  private var changes: [JSONValue] = []

  /// Creates the patch that changes one body into another.
  ///
  /// - Parameters:
  ///   - base: The former body, with empty collections.
  ///   - document: The former body as an ordinary body, which may lack empty collections. The patch applies to it.
  ///   - new: The new body, with empty collections.
  ///   - node: The members of the class.
  ///   - pointer: The pointer (RFC 6901) to the body in the document.
  init(
    from base: JSONObject, in document: JSONObject, to new: JSONObject, along node: EncodeNode,
    at pointer: String
  ) {
    compare(base, document, new, node, pointer)
  }

  /// Adds a test of a value that the patch does not change.
  mutating func test(_ value: JSONValue, at pointer: String) {
    let path = JSONValue.string(pointer)
    if tests.contains(where: { $0["path"] == path }) { return }
    tests.append(["op": "test", "path": path, "value": value])
  }

  /// Sets a value to null.
  mutating func clear(at pointer: String) {
    changes.append(["op": "add", "path": .string(pointer), "value": .null])
  }

  /// The operations.
  ///
  /// - Parameter includingTests: True to begin with a test of each value that is changed or removed.
  func operations(includingTests: Bool) -> [JSONValue] {
    includingTests ? tests + changes : changes
  }

  private mutating func compare(
    _ base: JSONObject, _ document: JSONObject, _ new: JSONObject, _ node: EncodeNode,
    _ pointer: String
  ) {
    for (name, old) in document {
      guard case .none = new[name] else { continue }
      // An object along a dotted path is not removed, because the server may keep other members in it.
      if case .object(let old) = old, let child = node.child(named: name) {
        compare(old, old, JSONObject(), child, Self.pointer(pointer, name))
      } else {
        tests.append(Self.operation("test", pointer, name, old))
        changes.append(Self.operation("remove", pointer, name))
      }
    }
    for (name, value) in new where !base[name].isIdentical(to: value) {
      if case .object(let base) = base[name], case .object(let old) = document[name],
        case .object(let value) = value, let child = node.child(named: name)
      {
        compare(base, old, value, child, Self.pointer(pointer, name))
      } else {
        if let old = document[name] {
          tests.append(Self.operation("test", pointer, name, old))
        }
        changes.append(Self.operation("add", pointer, name, value))
      }
    }
  }

  private static func operation(
    _ kind: String, _ pointer: String, _ name: String, _ value: JSONValue? = JSONValue?.none
  ) -> JSONValue {
    var members: [(key: String, value: JSONValue)] = [
      ("op", .string(kind)), ("path", .string(Self.pointer(pointer, name))),
    ]
    if let value { members.append(("value", value)) }
    return .object(JSONObject(members))
  }

  /// The pointer to a member (RFC 6901, section 3).
  static func pointer(_ pointer: String, _ name: String) -> String {
    "\(pointer)/\(JSONPath.escaped(name))"
  }
}

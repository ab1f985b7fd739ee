import ObjectStore

/// The operations of a JSON Patch (RFC 6902).
///
/// A member is set by `add`, which also replaces an existing one, and an element of an array by `replace`, because `add`
/// would insert it. Values of attributes are units: only the objects and arrays along the paths of a class are compared
/// member by member.
struct JSONPatch {
  private var tests: [JSONValue] = []
  private var changes: [JSONValue] = []
  /// True if elements without attributes are null in the document.
  private let isComplete: Bool

  /// Creates the patch that changes one body into another.
  ///
  /// - Parameters:
  ///   - base: The former body, with empty collections.
  ///   - document: The former body as an ordinary body, which may lack empty collections. The patch applies to it.
  ///   - new: The new body, with empty collections.
  ///   - node: The members of the class.
  ///   - pointer: The pointer (RFC 6901) to the body in the document.
  ///   - isComplete: True if the document is the former body; false if the document may have elements that no attribute
  ///     reads.
  init(
    from base: JSONObject, in document: JSONObject, to new: JSONObject, along node: EncodeNode,
    at pointer: String, isComplete: Bool
  ) {
    self.isComplete = isComplete
    compare(base, document, new, node, pointer)
  }

  /// Adds a test of a value that the patch does not change.
  mutating func test(_ value: JSONValue, at pointer: String) {
    let path = JSONValue.string(pointer)
    if tests.contains(where: { $0["path"] == path }) { return }
    addTest(of: value, at: pointer)
  }

  /// Sets a member, or an element of an array, to the form of nil.
  mutating func clear(at pointer: String, isElement: Bool, to null: JSONValue) {
    changes.append(Self.operation(isElement ? "replace" : "add", pointer, null))
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
      let pointer = Self.pointer(pointer, name)
      switch (old, node.node(named: name)) {
      // An object or array along a path is not removed, because the server may keep other members in it.
      case (.object(let old), let child?):
        compare(old, old, JSONObject(), child, pointer)
      case (.array(let old), let child?) where child.isArray:
        compare(old, old, [], child, pointer)
      default:
        addTest(of: old, at: pointer)
        if let spelling = node.field(named: name)?.nilSpellings.first {
          changes.append(Self.operation("add", pointer, spelling))
        } else {
          changes.append(Self.operation("remove", pointer))
        }
      }
    }
    for (name, value) in new where !base[name].isIdentical(to: value) {
      let pointer = Self.pointer(pointer, name)
      let (former, old): (JSONValue?, JSONValue?) = (base[name] ?? nil, document[name] ?? nil)
      let child = node.node(named: name)
      if compare(former, old, value, child, pointer) { continue }
      // The server has an object or array with elements that no attribute reads.
      if old == nil, !isComplete, let child, child.containsGaps,
        compare(child.emptyValue, child.emptyValue, value, child, pointer)
      {
        continue
      }
      if let old { addTest(of: old, at: pointer) }
      changes.append(Self.operation("add", pointer, value))
    }
  }

  /// Compares objects or arrays along a path; returns false for other values.
  private mutating func compare(
    _ base: JSONValue?, _ document: JSONValue?, _ new: JSONValue, _ node: EncodeNode?,
    _ pointer: String
  ) -> Bool {
    guard let node else { return false }
    switch (base, document, new) {
    case (.object(let base), .object(let old), .object(let new)):
      compare(base, old, new, node, pointer)
    case (.array(let base), .array(let old), .array(let new)):
      compare(base, old, new, node, pointer)
    default: return false
    }
    return true
  }

  /// Compares the elements of arrays that have attributes. The server may have other elements.
  private mutating func compare(
    _ base: [JSONValue], _ document: [JSONValue], _ new: [JSONValue], _ node: EncodeNode,
    _ pointer: String
  ) {
    var count = document.count
    for member in node.members {
      let index = member.index
      func element(_ elements: [JSONValue]) -> JSONValue {
        index < elements.count ? elements[index] : .null
      }
      let (former, value) = (element(base), element(new))
      if former.isIdentical(to: value) { continue }
      var child: EncodeNode?
      if case .node(let node) = member.content { child = node }
      let old = element(document)
      let goal = value == .null ? child?.emptyValue ?? .null : value
      if compare(former, old, goal, child, "\(pointer)/\(index)") { continue }
      if !isComplete, index >= count, let child, child.containsGaps,
        compare(child.emptyValue, child.emptyValue, goal, child, "\(pointer)/\(index)")
      {
        continue
      }
      if !isComplete, node.hasGaps, index >= count {
        changes.append(Self.operation("replace", "\(pointer)/\(index)", value))
        continue
      }
      while count < index {
        changes.append(Self.operation("add", "\(pointer)/\(count)", .null))
        count += 1
      }
      if index < count {
        addTest(of: old, at: "\(pointer)/\(index)")
        changes.append(Self.operation("replace", "\(pointer)/\(index)", value))
      } else {
        changes.append(Self.operation("add", "\(pointer)/\(index)", value))
        count += 1
      }
    }
  }

  private mutating func addTest(of value: JSONValue, at pointer: String) {
    if value.containsUnknown { return }
    tests.append(Self.operation("test", pointer, value))
  }

  private static func operation(
    _ kind: String, _ pointer: String, _ value: JSONValue? = JSONValue?.none
  ) -> JSONValue {
    var members: [(key: String, value: JSONValue)] = [
      ("op", .string(kind)), ("path", .string(pointer)),
    ]
    if let value { members.append(("value", value)) }
    return .object(JSONObject(members))
  }

  /// The pointer to a member (RFC 6901, section 3).
  static func pointer(_ pointer: String, _ name: String) -> String {
    "\(pointer)/\(JSONPath.escaped(name))"
  }
}

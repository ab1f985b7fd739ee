import ObjectStore

/// The operations of a JSON Patch (RFC 6902).
///
/// A member is set by `add`, which also replaces an existing one, and an element of an array by `replace`, because `add`
/// would insert it. Values of attributes are units: only the objects and arrays along the paths of a class are compared
/// member by member.
struct JSONPatch {
  private var tests: [JSONValue] = []
  private(set) var changes: [JSONValue] = []
  /// The values that are tested.
  private let tested: CodingConfiguration.BodyFormat.Tests
  /// True if elements without attributes are null in the document.
  private let isComplete: Bool
  /// The pointers to objects of the document that have values of attributes that bodies do not contain.
  private let knownObjects: Set<String>
  /// True inside an embedded object that payloads update in place, of which the server may have members that the new state
  /// lacks.
  private var keepsUnreadMembers = false

  /// Two states of an object, or of a part of it.
  struct States<Value> {
    /// The former state, with empty collections, and with `JSONValue.unknown` for values that are not known.
    var base: Value
    /// The former state as an ordinary body, which may lack empty collections. The patch applies to it.
    var document: Value
    /// The new state, with empty collections.
    var new: Value
    /// The new state with `JSONValue.unknown` for values that are not known.
    var marked: Value
  }

  /// Creates the patch that changes one body into another.
  ///
  /// - Parameters:
  ///   - states: The bodies.
  ///   - node: The members of the class.
  ///   - pointer: The pointer (RFC 6901) to the body in the document.
  ///   - isComplete: True if the document is the former body; false if the document may have elements that no attribute
  ///     reads.
  ///   - knownObjects: The pointers to objects of the document that have values of attributes that bodies do not contain.
  ///   - tests: The former values that are tested.
  init(
    _ states: States<JSONObject>, along node: EncodeNode, at pointer: String, isComplete: Bool,
    knownObjects: Set<String>, tests: CodingConfiguration.BodyFormat.Tests
  ) {
    self.isComplete = isComplete
    self.knownObjects = knownObjects
    tested = tests
    compare(states, node, pointer)
  }

  /// Adds a test of an attribute that the patch does not change.
  mutating func test(_ value: JSONValue, of field: CodingField, at pointer: String) {
    let path = JSONValue.string(pointer)
    if tests.contains(where: { $0["path"] == path }) { return }
    addTest(of: value, field, at: pointer)
  }

  /// Sets an element of an array to the form of nil.
  mutating func clear(elementAt pointer: String, to null: JSONValue) {
    changes.append(Self.operation("replace", pointer, null))
  }

  /// The operations, beginning with the tests.
  var operations: [JSONValue] { tests + changes }

  // MARK: - Objects

  private mutating func compare(
    _ states: States<JSONObject>, _ node: EncodeNode, _ pointer: String
  ) {
    for (name, old) in states.document {
      guard case .none = states.new[name], states.marked[name] != .unknown,
        !keepsUnreadMembers || node.isRead(name)
      else { continue }
      let pointer = Self.pointer(pointer, name)
      // An object or array along a path is not removed, because the server may keep other members in it.
      if let child = node.node(named: name), let empty = old.emptyContainer {
        var part = member(name, of: states)
        part.new = empty
        if compare(part, child, pointer) { continue }
      }
      remove(old, node.field(named: name), at: pointer)
    }
    for (name, value) in states.new
    where !JSONValue?.some(value).equals(states.base[name], states.marked[name]) {
      let pointer = Self.pointer(pointer, name)
      let states = member(name, of: states)
      let child = node.node(named: name)
      if compare(states, child, pointer) { continue }
      if compareContent(states, node.field(named: name), pointer) { continue }
      if let old = states.document { addTest(of: old, node.field(named: name), at: pointer) }
      changes.append(Self.operation("add", pointer, value))
    }
  }

  /// Compares an embedded object member by member that payloads update in place, or of which not everything is known, because
  /// `add` would remove the rest; returns false for other values.
  private mutating func compareContent(
    _ states: States<JSONValue?>, _ field: CodingField?, _ pointer: String
  ) -> Bool {
    guard let field, field.form == .link, field.aliases.isEmpty, let target = field.target,
      target.identifyingFields.isEmpty, let node = target.encodeNode,
      case .object(let document)? = states.document, case .object(let new)? = states.new,
      case .object(let marked)? = states.marked,
      field.isInPlace || keepsUnreadMembers || states.marked?.containsUnknown ?? false
    else { return false }
    let outer = keepsUnreadMembers
    keepsUnreadMembers = outer || field.isInPlace
    defer { keepsUnreadMembers = outer }
    compare(
      States(base: states.base.members, document: document, new: new, marked: marked), node, pointer
    )
    return true
  }

  private func member(_ name: String, of states: States<JSONObject>) -> States<JSONValue?> {
    States(
      base: states.base[name], document: states.document[name], new: states.new[name],
      marked: states.marked[name])
  }

  /// Sets an attribute to nil.
  private mutating func remove(_ old: JSONValue, _ field: CodingField?, at pointer: String) {
    guard let field else {
      addTest(of: old, nil, at: pointer)
      changes.append(Self.operation("remove", pointer))
      return
    }
    if old == .null || field.nilSpellings.contains(old) { return }
    addTest(of: old, field, at: pointer)
    if let null = field.nilInPatch {
      changes.append(Self.operation("add", pointer, null))
    } else {
      // A target of `remove` must exist (RFC 6902, section 4.2).
      if old == .unknown { changes.append(Self.operation("add", pointer, .null)) }
      changes.append(Self.operation("remove", pointer))
    }
  }

  /// Compares objects or arrays along a path; returns false for other values, and for those that the server lacks.
  ///
  /// - Parameter isElement: True for an element of an array.
  private mutating func compare(
    _ states: States<JSONValue?>, _ node: EncodeNode?, _ pointer: String, isElement: Bool = false
  ) -> Bool {
    guard let node else { return false }
    switch (states.document, states.new) {
    case (.object(let document)?, .object(let new)?):
      let members = States(
        base: states.base.members, document: document, new: new, marked: states.marked.members)
      if node.isKnown(in: document) || knownObjects.contains(pointer)
        || !isComplete && node.containsGaps
      {
        compare(members, node, pointer)
      } else {
        setWhole(states, node, pointer, isElement: isElement) {
          $0.compare(members, node, pointer)
        }
      }
      return true
    case (.array(let document)?, .array(let new)?):
      let elements = States(
        base: states.base.elements, document: document, new: new, marked: states.marked.elements)
      if node.isKnown(in: document) || !isComplete && node.containsGaps {
        compare(elements, node, pointer)
      } else {
        setWhole(states, node, pointer, isElement: isElement) {
          $0.compare(elements, node, pointer)
        }
      }
      return true
    case (.none, _):
      // The server has an object or array with members that no attribute reads, or that bodies do not contain.
      guard !isComplete && node.containsGaps || knownObjects.contains(pointer) else { return false }
      var states = states
      states.base = node.emptyValue
      states.document = node.emptyValue
      switch (node.isArray, states.new) {
      case (true, .array), (false, .object): break
      default: return false
      }
      return compare(states, node, pointer)
    default: return false
    }
  }

  /// Sets the object or array along a path whole if a part of it differs: no value shows what the server has of it.
  private mutating func setWhole(
    _ states: States<JSONValue?>, _ node: EncodeNode, _ pointer: String, isElement: Bool,
    comparing compare: (inout JSONPatch) -> Void
  ) {
    var difference = self
    difference.changes = []
    compare(&difference)
    if difference.changes.isEmpty { return }
    tests = difference.tests
    // In an array, `add` would insert the value.
    changes.append(
      Self.operation(
        isElement ? "replace" : "add", pointer,
        node.addingNulls(to: states.new, of: states.document) ?? states.new))
  }

  // MARK: - Arrays

  /// Compares the elements of arrays that have attributes. The server may have other elements.
  private mutating func compare(
    _ states: States<[JSONValue]>, _ node: EncodeNode, _ pointer: String
  ) {
    var count = states.document.count
    for (member, name) in zip(node.members, node.names) {
      let index = member.index
      let elementPointer = "\(pointer)/\(index)"
      func element(_ elements: [JSONValue]) -> JSONValue {
        index < elements.count ? elements[index] : .null
      }
      let (former, value) = (element(states.base), element(states.new))
      let (old, mark) = (element(states.document), element(states.marked))
      if JSONValue?.some(value).equals(former, mark) { continue }
      var child: EncodeNode?
      if case .node(let node) = member.content { child = node }
      let goal = value == .null ? child?.emptyValue ?? .null : value
      let part = States<JSONValue?>(base: former, document: old, new: goal, marked: mark)
      if compare(part, child, elementPointer, isElement: true) { continue }
      if !isComplete, index >= count, let child, child.containsGaps {
        var part = part
        part.document = .none
        if compare(part, child, elementPointer, isElement: true) { continue }
      }
      if !isComplete, node.hasGaps, index >= count {
        changes.append(Self.operation("replace", elementPointer, value))
        continue
      }
      while count < index {
        changes.append(Self.operation("add", "\(pointer)/\(count)", .null))
        count += 1
      }
      if index < count {
        addTest(of: old, node.field(named: name), at: elementPointer)
        changes.append(Self.operation("replace", elementPointer, value))
      } else {
        changes.append(Self.operation("add", elementPointer, value))
        count += 1
      }
    }
  }

  // MARK: - Tests

  /// Tests a former value, or the parts of an embedded object that can be tested.
  ///
  /// - Parameter field: The attribute; nil for a member that no attribute reads, which is kept as it was sent.
  private mutating func addTest(of value: JSONValue, _ field: CodingField?, at pointer: String) {
    if tested == .none || value.containsUnknown || value == .null && tested == .exact { return }
    if tested == .all || field?.isExact(value) ?? true {
      tests.append(Self.operation("test", pointer, value))
      return
    }
    guard let field, field.form == .link, field.aliases.isEmpty, let target = field.target,
      target.identifyingFields.isEmpty, let node = target.encodeNode
    else { return }
    addTests(of: value, node, at: pointer)
  }

  private mutating func addTests(of value: JSONValue, _ node: EncodeNode, at pointer: String) {
    func parts(_ name: String, _ value: JSONValue) {
      let pointer = Self.pointer(pointer, name)
      if let child = node.node(named: name) {
        addTests(of: value, child, at: pointer)
      } else if let field = node.field(named: name) {
        addTest(of: value, field, at: pointer)
      } else if !node.fields.contains(where: { $0.mayRead(in: name) }) {
        addTest(of: value, nil, at: pointer)
      }
    }
    switch value {
    case .object(let members):
      for (name, value) in members { parts(name, value) }
    case .array(let elements):
      for (index, value) in elements.enumerated() { parts("\(index)", value) }
    default: break
    }
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

extension CodingField {
  /// True if an alias leads through a member of an object, which is then only a part of what the server sent.
  fileprivate func mayRead(in name: String) -> Bool {
    aliases.contains { $0.components.dropLast().contains { $0.key == name } }
  }

  /// The value that sets the attribute to nil; nil if its member is removed. A server that uses another of several paths
  /// does not have the member.
  fileprivate var nilInPatch: JSONValue? {
    if let spelling = nilSpellings.first { return spelling }
    return aliases.isEmpty ? JSONValue?.none : .null
  }
}

extension EncodeNode {
  /// True if an attribute reads the member, or a part of it.
  func isRead(_ name: String) -> Bool { field(named: name) != nil || node(named: name) != nil }

  /// Returns an object or array along a path with the form of nil for attributes that have a value in the document and
  /// may have it at another path; nil if it has no members.
  fileprivate func addingNulls(to value: JSONValue?, of document: JSONValue?) -> JSONValue? {
    switch document {
    case .object(let document)?:
      var members = value.members
      for (name, old) in document where old != .null {
        if let child = node(named: name) {
          members[name] = child.addingNulls(to: members[name], of: old)
        } else if case .none = members[name] {
          members[name] = field(named: name)?.nilInPatch
        }
      }
      return members.isEmpty ? value : .object(members)
    case .array(let document)?:
      var elements = value.elements
      for (index, old) in document.enumerated() where old != .null {
        var element = index < elements.count ? elements[index] : .null
        if let child = node(named: "\(index)") {
          element = child.addingNulls(to: element == .null ? nil : element, of: old) ?? .null
          if element == .null { continue }
        } else if element == .null {
          guard let null = field(named: "\(index)")?.nilInPatch else { continue }
          element = null
        }
        while elements.count <= index { elements.append(.null) }
        elements[index] = element
      }
      return elements.isEmpty ? value : .array(elements)
    default: return value
    }
  }

  /// True if a body shows that the server has the object: it contains a value that is not nil at the only path of an
  /// attribute, or a member that no attribute reads.
  fileprivate func isKnown(in document: JSONObject) -> Bool {
    document.contains { name, value in
      if let field = field(named: name) {
        return field.aliases.isEmpty && value != .null && !field.nilSpellings.contains(value)
      }
      guard let child = node(named: name) else { return true }
      switch value {
      case .object(let members): return child.isKnown(in: members)
      case .array(let elements): return child.isKnown(in: elements)
      default: return true
      }
    }
  }

  /// True if a body shows that the server has the array with all elements of the body: it contains a value at the only path
  /// of an attribute, and its last value is not one that the server may have at another path.
  fileprivate func isKnown(in elements: [JSONValue]) -> Bool {
    guard let last = elements.lastIndex(where: { $0 != .null }) else { return false }
    if isKnown(last, in: elements) { return true }
    return !hasAliases(at: last) && elements.indices.contains { isKnown($0, in: elements) }
  }

  private func isKnown(_ index: Int, in elements: [JSONValue]) -> Bool {
    let name = "\(index)"
    if let field = field(named: name) { return field.aliases.isEmpty && elements[index] != .null }
    guard let child = node(named: name) else { return elements[index] != .null }
    switch elements[index] {
    case .object(let members): return child.isKnown(in: members)
    case .array(let elements): return child.isKnown(in: elements)
    default: return false
    }
  }

  /// True if an attribute in an element of an array has other paths.
  private func hasAliases(at index: Int) -> Bool {
    let name = "\(index)"
    return field(named: name).map { !$0.aliases.isEmpty }
      ?? node(named: name)?.fields.contains { !$0.aliases.isEmpty } ?? false
  }
}

extension JSONValue {
  /// The object or array without members; nil for other values.
  fileprivate var emptyContainer: JSONValue? {
    switch self {
    case .object: .object(JSONObject())
    case .array: .array([])
    default: JSONValue?.none
    }
  }
}

extension JSONValue? {
  fileprivate var members: JSONObject {
    if case .object(let members)? = self { members } else { JSONObject() }
  }

  fileprivate var elements: [JSONValue] {
    if case .array(let elements)? = self { elements } else { [] }
  }
}

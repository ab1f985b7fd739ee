import JSONText
import ObjectStore

/// A walk along the names and indices of a path in the JSON of a class, to the attribute whose value is there.
///
///     path         lines ──▶ 2 ──▶ quantity
///     attribute    lines     [2]   .count
///
/// Aliases lead to their attribute. A walk that has left the mapping stays outside.
struct AttributeWalk {
  private enum Position {
    /// An object, or an object or array along a declared path.
    case node(PlanNode, CodingPlan)
    /// Inside the envelope of an object: the rest of its components.
    case envelope(ArraySlice<JSONPath.Component>, CodingPlan)
    /// The value of an attribute, and the path from its elements to their values.
    case value(CodingField, elementPath: [JSONPath.Component]?)
    /// An element of a collection, or a value around it: the rest of the path to the element's value.
    case element(CodingField, rest: ArraySlice<JSONPath.Component>)
    /// All elements of a collection whose path has a `*`: the rest of the path.
    case elements(rest: ArraySlice<JSONPath.Component>)
    /// No attribute.
    case outside
  }

  private var position: Position
  /// The attributes and elements along the path, such as `lines[2].count`.
  private var text = ""
  /// True to also accept names that are spelled in another style than the keys of the class, the names of attributes,
  /// and the object of a JSON:API relationship in place of its data.
  private let isLenient: Bool

  /// Creates a walk at the beginning of an object's JSON. Its path may also begin with the envelope of the object.
  init(_ plan: CodingPlan, isLenient: Bool = false) {
    position = .node(plan.root, plan)
    self.isLenient = isLenient
  }

  /// The attribute at the position; nil if there is none.
  var attribute: String? {
    switch position {
    case .value: return text
    case .element(_, let rest), .elements(let rest): return rest.isEmpty ? text : nil
    case .node(let node, let plan):
      guard isLenient, node !== plan.root, node.names == ["data"],
        let field = node.members[0].field, field.isByIdentifier
      else { return nil }
      return text.isEmpty ? field.name : "\(text).\(field.name)"
    case .envelope, .outside: return nil
    }
  }

  /// True if no further name leads to an attribute.
  var isOutside: Bool { if case .outside = position { true } else { false } }

  /// The size of ``attribute`` in bytes.
  var byteCount: Int { text.utf8.count }

  /// True if the position is in a list or set, or in an array of a pointer, so that its next name can be an index.
  var hasIndices: Bool {
    switch position {
    case .value(let field, _): !field.isKeyed && (field.form == .list || field.form == .set)
    case .node(let node, _): node.indices.contains { $0 >= 0 }
    case .element(_, let rest): rest.first?.index != nil
    case .envelope, .elements, .outside: false
    }
  }

  /// True if the position is in an object of which an attribute, or the path of one, has exactly this name.
  func hasMember(_ name: String) -> Bool {
    switch position {
    case .node(let node, _): node.index(of: name) != nil
    case .envelope(let rest, let plan): rest.isEmpty && plan.root.index(of: name) != nil
    case .value, .element, .elements, .outside: false
    }
  }

  /// Moves to the member with this name, or to the element with this index.
  mutating func step(_ name: String) {
    switch position {
    case .node(let node, let plan):
      if let field = field(of: node, plan, name) {
        append(name: field.field.name)
        position = .value(field.field, elementPath: field.path.elementPath)
      } else if let node = self.node(below: node, name) {
        position = .node(node, plan)
      } else if node === plan.root, text.isEmpty, let envelope = plan.objectEnvelope,
        envelope.components.first?.key.hasSameBytes(as: name) ?? false
      {
        position = .envelope(envelope.components.dropFirst(), plan)
      } else {
        position = .outside
      }
    case .envelope(let rest, let plan):
      if rest.isEmpty {
        stepInto(plan, name)
      } else if rest.first?.key.hasSameBytes(as: name) ?? false {
        position = .envelope(rest.dropFirst(), plan)
      } else {
        position = .outside
      }
    case .value(let field, let elementPath): step(name, into: field, elementPath)
    case .element(let field, let rest):
      if !rest.isEmpty {
        let isOnPath = rest.first?.key.hasSameBytes(as: name) ?? false
        position = isOnPath ? .element(field, rest: rest.dropFirst()) : .outside
      } else if let target = field.target {
        stepInto(target, name)
      } else if !field.holdsJSON {
        position = .outside
      }
    case .elements(let rest):
      let isOnPath = rest.first?.key.hasSameBytes(as: name) ?? false
      position = isOnPath ? .elements(rest: rest.dropFirst()) : .outside
    case .outside: break
    }
  }

  private mutating func step(
    _ name: String, into field: CodingField, _ elementPath: [JSONPath.Component]?
  ) {
    switch field.form {
    case .link:
      if let target = field.target { stepInto(target, name) } else { position = .outside }
    case .list, .set:
      if elementPath != nil, name == "*" {
        position = .elements(rest: elementPath?[...] ?? [])
      } else if field.isKeyed {
        append(name: Self.text(ofKey: name))
        position = .element(field, rest: [])
      } else if let index = Int(name), index >= 0, "\(index)" == name {
        text += "[\(index)]"
        position = .element(field, rest: elementPath?[...] ?? [])
      } else {
        position = .outside
      }
    case .map:
      append(name: Self.text(ofKey: name))
      position = .element(field, rest: [])
    case .scalar, .linkingObjects:
      // Values inside JSON belong to the attribute that keeps it.
      if !field.holdsJSON { position = .outside }
    }
  }

  private mutating func stepInto(_ plan: CodingPlan, _ name: String) {
    position = .node(plan.root, plan)
    step(name)
  }

  private mutating func append(name: String) {
    if !text.isEmpty { text += "." }
    text += name
  }

  /// A name in a map, in the form of error messages: long ones are clipped, and special characters quoted.
  private static func text(ofKey key: String) -> String {
    var path = PathText()
    path.prepend(.key(key))
    return path.text
  }

  // MARK: - Members

  private func field(
    of node: PlanNode, _ plan: CodingPlan, _ name: String
  ) -> (field: CodingField, path: JSONPath)? {
    if let index = node.index(of: name) { return node.members[index].attribute }
    guard isLenient, let letters = AttributeLetters(of: name) else { return nil }
    let similar = node.similarNames[letters, default: []].compactMap { node.members[$0].attribute }
    if let first = similar.first {
      return similar.allSatisfy { $0.field === first.field } ? first : nil
    }
    guard node === plan.root, let named = plan.similarFields[letters], named.count == 1 else {
      return nil
    }
    return (named[0], named[0].path)
  }

  private func node(below node: PlanNode, _ name: String) -> PlanNode? {
    var index = node.index(of: name)
    if index == nil, isLenient, let letters = AttributeLetters(of: name),
      let similar = node.similarNames[letters], similar.count == 1
    {
      index = similar[0]
    }
    guard let index, case .node(let below) = node.members[index] else { return nil }
    return below
  }
}

extension PlanNode {
  /// The index of the member with this name or index; nil if there is none.
  fileprivate func index(of name: String) -> Int? {
    var name = name
    let index = name.withUTF8 { keys.index(of: $0) }
    return index < 0 ? nil : index
  }
}

extension PlanNode.Member {
  /// The attribute whose value the member has, and its path here; nil for a node and a constant.
  fileprivate var attribute: (field: CodingField, path: JSONPath)? {
    switch self {
    case .field(let field): (field, field.path)
    case .alias(let alias): (alias.field, alias.path)
    case .node, .constant: nil
    }
  }
}

extension CodingField {
  /// True if the value, or each element, is any JSON, so that paths may lead into it.
  fileprivate var holdsJSON: Bool {
    raw != nil || coded != nil || coding != nil || scalar == .json && target == nil
  }
}

extension CodingPlan {
  /// Returns the path of an attribute in the JSON, without the envelope; nil if the attribute has no place in it.
  ///
  /// - Parameter names: The names of the links to the attribute, and its own name.
  func codingPath(of names: [String]) -> String? {
    var plan = self
    var paths: [JSONPath] = []
    /// The link to the object, if the JSON contains only the object's key.
    var keyLink: CodingField?
    for (index, name) in names.enumerated() {
      guard let field = plan.fields.first(where: { $0.name.hasSameBytes(as: name) }),
        field.hasPath, keyLink == nil || field.property.isPrimaryKey
      else { return nil }
      // With `.byKey`, the value of the link is the key itself.
      if !(keyLink?.isByKey ?? false) { paths.append(field.path) }
      guard index < names.count - 1 else { break }
      guard field.form == .link, let target = field.target else { return nil }
      keyLink = field.isByKey || field.isByIdentifier ? field : nil
      plan = target
    }
    return paths.isEmpty ? nil : JSONPath.text(of: paths)
  }
}

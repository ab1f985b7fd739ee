/// An attribute whose JSON object receives the members of each payload, and the objects inside it that do as well.
package struct MergedMembers: Sendable {
  /// An object whose members are merged one by one. All other values are replaced.
  package struct Node: Sendable {
    /// The members that are merged objects themselves.
    let children: [ExactString: Node]

    package init(_ children: [(name: String, node: Node)]) {
      self.children = Dictionary(
        children.map { (ExactString($0.name), $0.node) }, uniquingKeysWith: { $1 })
    }

    /// Returns the result of applying values in order, at least one: an object sets its members in an object before it;
    /// any other value replaces what is before it. A child that is null is removed.
    ///
    /// - Complexity: O(n log n) in the number of members of all values.
    func merge(_ values: [JSONValue]) -> JSONValue {
      var objects: [JSONObject] = []
      for case .object(let object) in values.reversed().prefix(while: \.isObject) {
        objects.append(object)
      }
      guard var members = objects.first else { return values[values.count - 1] }
      if objects.count > 1 {
        members = JSONObject(objects.reversed().flatMap(Array.init)) { name, values in
          children[ExactString(name)]?.merge(values) ?? values[values.count - 1]
        }
      }
      for (name, child) in children {
        let name = name.text
        guard let value = members[name] else { continue }
        let merged = child.merge([value])
        let isEmpty = merged == .null || merged == [:]
        members[name] = isEmpty ? JSONValue?.none : merged
      }
      return .object(members)
    }
  }

  let attribute: Int
  let root: Node
  /// The maximum number of members of an object; nil for no limit.
  var limit: Int?

  package init(attribute: Int, root: Node) {
    self.attribute = attribute
    self.root = root
  }
}

extension JSONValue {
  /// True if the value is an object, also if it is empty.
  var isObject: Bool {
    if case .object = self { true } else { false }
  }
}

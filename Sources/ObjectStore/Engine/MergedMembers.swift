/// An attribute whose JSON object receives the members of each payload, and the objects inside it that do as well.
package struct MergedMembers: Sendable {
  /// An object whose members are merged one by one. All other values are replaced.
  package struct Node: Sendable {
    /// The members that are merged objects themselves.
    let children: [String: Node]

    package init(_ children: [String: Node]) { self.children = children }

    /// Sets the members of `update` in an object and leaves the others unchanged.
    func merge(_ update: JSONValue, into value: inout JSONValue) {
      guard case .object(var members) = value, case .object(let newMembers) = update else {
        value = update
        return
      }
      for (name, newValue) in newMembers {
        if let child = children[name], var member = members[name] {
          child.merge(newValue, into: &member)
          members[name] = member
        } else {
          members[name] = newValue
        }
      }
      value = .object(members)
    }
  }

  let attribute: Int
  let root: Node

  package init(attribute: Int, root: Node) {
    self.attribute = attribute
    self.root = root
  }
}

import JSONText
import ObjectStore

// The members of JSON objects that no attribute reads.

extension PlanNode {
  /// The objects along paths, in which unread members are merged.
  var mergedMembers: MergedMembers.Node {
    MergedMembers.Node(childNodes.map { ($0.name, $0.node.mergedMembers) })
  }

  /// True if the node is `other` or below it.
  func isBelow(_ other: PlanNode) -> Bool {
    self === other || other.childNodes.contains { isBelow($0.node) }
  }

  /// The members of an object that no attribute reads, also inside the objects along paths.
  func unread(in object: JSONObject) -> JSONObject {
    var unread = object
    for (name, value) in object {
      var name = name
      let index = name.withUTF8 { keys.index(of: $0) }
      guard index >= 0 else { continue }
      unread[name] = nil
      if case .node(let node) = members[index], case .object(let members) = value {
        let below = node.unread(in: members)
        if !below.isEmpty { unread[name] = .object(below) }
      }
    }
    return unread
  }
}

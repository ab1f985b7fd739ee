import ObjectStore

/// The path of an audit from the decoded object to the current value, without indices.
///
/// Equal paths have the same node, so that the text of a path is built once, whatever its depth and the number of values
/// at it:
///
///     0 ── "friends" ▶ 1 ── "nick" ▶ 2
///                       └── "next" ▶ 3
///
/// The number of nodes is bounded: above the limit, only those of the current path are kept.
struct AuditPaths {
  /// The paths of the attributes of a class at one node, by attribute.
  final class Attributes {
    let paths: [String]
    /// The ids of the attributes in the audit; empty for an attribute without a field.
    let ids: [String]

    init(of plan: CodingPlan, at path: String) {
      let count = (plan.fields.map(\.attribute).max() ?? -1) + 1
      var paths = [String](repeating: "", count: count)
      var ids = paths
      for field in plan.fields {
        let text = JSONPath.text(of: field.path.components)
        let whole = path.isEmpty || text.isEmpty ? path + text : "\(path).\(text)"
        paths[field.attribute] = whole
        ids[field.attribute] = Audit.Attribute.id(whole, field.fullName)
      }
      self.paths = paths
      self.ids = ids
    }
  }

  private struct Node {
    /// The last component of the path. Not used in the root.
    let component: JSONPath.Component
    /// The text of the path; nil until it is needed.
    var text: String?
  }

  private struct Edge: Hashable {
    let parent: Int
    /// The key; paths of an audit have no indices.
    let key: ExactString
  }

  private struct ClassAtNode: Hashable {
    let node: Int
    let plan: ObjectIdentifier
  }

  /// The maximum number of nodes that are not on the current path.
  private static let nodeLimit = 10_000
  /// The maximum number of classes at nodes.
  private static let attributesLimit = 1_000
  private static let root = Node(component: .key(""), text: "")

  private var nodes = [root]
  private var children: [Edge: Int] = [:]
  private var attributes: [ClassAtNode: Attributes] = [:]
  /// The nodes from the root to the current value. A decoded object begins with the root again.
  private var stack = [0]
  /// The index in `stack` of the last root.
  private var rootIndex = 0

  /// Appends a component to the path.
  mutating func append(_ component: JSONPath.Component) {
    if nodes.count - stack.count >= Self.nodeLimit { removeOthers() }
    let edge = Edge(parent: stack[stack.count - 1], key: ExactString(component.key))
    if let known = children[edge] {
      stack.append(known)
      return
    }
    children[edge] = nodes.count
    stack.append(nodes.count)
    nodes.append(Node(component: component))
  }

  /// Removes components from the end of the path.
  mutating func removeLast(_ count: Int = 1) {
    stack.removeLast(count)
  }

  /// The number of components, for ``removeLast(_:)``.
  var count: Int { stack.count }

  /// Begins an empty path.
  ///
  /// - Returns: The argument of ``endObject(_:)``, which returns to the current path.
  mutating func beginObject() -> Int {
    let outer = rootIndex
    rootIndex = stack.count
    stack.append(0)
    return outer
  }

  /// Returns to the path before ``beginObject()``.
  mutating func endObject(_ outer: Int) {
    stack.removeLast(stack.count - rootIndex)
    rootIndex = outer
  }

  /// The text of the path.
  var text: String {
    mutating get {
      let node = stack[stack.count - 1]
      if let known = nodes[node].text { return known }
      let text = newText()
      nodes[node].text = text
      return text
    }
  }

  private func newText() -> String {
    let nodes = nodes
    return JSONPath.text(of: stack[(rootIndex + 1)...].lazy.map { nodes[$0].component })
  }

  /// Returns the paths of the attributes of an object at the path.
  mutating func attributes(of plan: CodingPlan) -> Attributes {
    let key = ClassAtNode(node: stack[stack.count - 1], plan: ObjectIdentifier(plan))
    if let known = attributes[key] { return known }
    if attributes.count >= Self.attributesLimit { attributes = [:] }
    let made = Attributes(of: plan, at: text)
    attributes[key] = made
    return made
  }

  /// Removes all nodes that are not on the current path.
  private mutating func removeOthers() {
    let path = stack.map { $0 == 0 ? nil : nodes[$0].component }
    nodes = [Self.root]
    children = [:]
    attributes = [:]
    stack = []
    for component in path {
      if let component { append(component) } else { stack.append(0) }
    }
  }
}

import ObjectStore

/// A member of an object, or of an object along a dotted path, that no attribute reads; or a mark about other members.
struct UnreadMember {
  enum Kind {
    case member
    /// A duplicate replaces the object of `node`, so the members before the mark that belong to it are discarded.
    case discard
    /// Null is in place of the object of `node`, so the stored members that belong to it are removed.
    case removal
    /// An array is in place of the object of `node`, with the same effect as null.
    case array
  }

  let name: BatchCell
  let keyOffset: Int
  let valueOffset: Int
  /// The nesting depth of the value.
  let depth: Int
  // Unowned: the plan that is being read owns its nodes.
  let node: Unmanaged<PlanNode>
  var kind = Kind.member

  init(
    name: BatchCell, keyOffset: Int, valueOffset: Int, depth: Int, node: PlanNode
  ) {
    self.name = name
    self.keyOffset = keyOffset
    self.valueOffset = valueOffset
    self.depth = depth
    self.node = .passUnretained(node)
  }

  init(_ mark: Kind, _ node: PlanNode) {
    self.init(name: .absent, keyOffset: 0, valueOffset: 0, depth: 0, node: node)
    kind = mark
  }

  /// True for a mark that removes the stored members of an object.
  var isRemoval: Bool { kind == .removal || kind == .array }

  /// True if the member belongs to a node itself.
  func isOf(_ other: PlanNode) -> Bool {
    node.toOpaque() == Unmanaged.passUnretained(other).toOpaque()
  }

  /// True if the member belongs to a node or to one below it.
  func isBelow(_ other: PlanNode) -> Bool { node._withUnsafeGuaranteedRef { $0.isBelow(other) } }
}

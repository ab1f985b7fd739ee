import JSONText

/// The keys of one object shape, or the places of an array, and what stands under each.
final class PlanNode {
  enum Member {
    case field(CodingField)
    case node(PlanNode)

    /// The fields at and below it.
    var fields: [CodingField] {
      switch self {
      case .field(let field): [field]
      case .node(let node): node.fields
      }
    }
  }

  let keys: JSONKeySet
  /// One per key, in the order of the table.
  let members: ContiguousArray<Member>
  /// For a node of an array: the index each member stands at; empty for an object.
  let indices: [Int]
  let names: [String]
  /// The members as the decoder's loop reads them: no references to count.
  let steps: UnsafeMutablePointer<DecodeStep>

  init(_ children: [(component: JSONPath.Component, member: Member)]) {
    let isArray =
      !children.isEmpty
      && children.allSatisfy { $0.component.index != nil }
    names = children.map(\.component.key)
    keys = JSONKeySet(names)
    members = ContiguousArray(children.map(\.member))
    indices = isArray ? children.map { $0.component.index ?? 0 } : []
    steps = .allocate(capacity: max(1, children.count))
    for (index, child) in children.enumerated() {
      (steps + index).initialize(to: DecodeStep(child.member))
    }
  }

  deinit {
    steps.deallocate()
  }

  /// `Class.attribute` of the attribute a key leads to, if it leads to one.
  func attribute(ofKey key: UnsafeBufferPointer<UInt8>) -> String? {
    let index = keys.index(of: key)
    guard index >= 0, case .field(let field) = members[index] else { return nil }
    return field.fullName
  }

  /// All fields below this node.
  var fields: [CodingField] { members.flatMap(\.fields) }
}

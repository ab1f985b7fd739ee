import JSONText

/// The keys of an object, or the indices of an array, each with a field or a child node.
final class PlanNode {
  enum Member {
    case field(CodingField)
    case node(PlanNode)

    /// The fields at and below the member.
    var fields: [CodingField] {
      switch self {
      case .field(let field): [field]
      case .node(let node): node.fields
      }
    }
  }

  let keys: JSONKeySet
  /// The members in the order of `keys`.
  let members: ContiguousArray<Member>
  /// The index of each member if the node is an array; empty for an object.
  let indices: [Int]
  let names: [String]
  /// The members in the form used by the decode loop, without reference counting.
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

  /// `Class.attribute` of the attribute of a key, or nil.
  func attribute(ofKey key: UnsafeBufferPointer<UInt8>) -> String? {
    let index = keys.index(of: key)
    guard index >= 0, case .field(let field) = members[index] else { return nil }
    return field.fullName
  }

  var fields: [CodingField] { members.flatMap(\.fields) }
}

import JSONText

/// The keys of an object, or the indices of an array, each with a field or a child node.
final class PlanNode {
  enum Member {
    case field(CodingField)
    case alias(AliasedField)
    case node(PlanNode)
    /// A member that has this string in every object: the type of a resource.
    case constant(String)

    /// The fields at and below the member, without aliases.
    var fields: [CodingField] {
      switch self {
      case .field(let field): [field]
      case .alias, .constant: []
      case .node(let node): node.fields
      }
    }

    /// The aliases at and below the member.
    var aliases: [AliasedField] {
      switch self {
      case .field, .constant: []
      case .alias(let alias): [alias]
      case .node(let node): node.aliases
      }
    }

    /// The field whose value the member has; nil for a node and a constant.
    var field: CodingField? {
      switch self {
      case .field(let field): field
      case .alias(let alias): alias.field
      case .node, .constant: nil
      }
    }
  }

  let keys: JSONKeySet
  /// The members in the order of `keys`.
  let members: ContiguousArray<Member>
  /// The array index of each member; -1 for a member that only an object has. Empty if no member has one.
  let indices: [Int]
  let names: [String]
  /// The fields at and below the members that only an object has, without aliases.
  let objectFields: [CodingField]
  /// The fields at and below the members that have an index and are expected in an array, without aliases.
  let arrayFields: [CodingField]
  /// The empty values that all fields below the node read as null, and which may stand in place of the node.
  let emptyValues: EmptyValues
  /// The order of each member among the failures of the node: that of its first attribute.
  let ranks: [Int]
  /// The members in the form used by the decode loop, without reference counting.
  let steps: UnsafeMutablePointer<DecodeStep>

  init(_ children: [(component: JSONPath.Component, member: Member)]) {
    let hasIndices = children.contains { $0.component.index != nil }
    ranks = children.map { child in
      child.member.field?.attribute ?? child.member.fields.map(\.attribute).min() ?? .max
    }
    names = children.map(\.component.key)
    keys = JSONKeySet(names)
    members = ContiguousArray(children.map(\.member))
    indices = hasIndices ? children.map { $0.component.index ?? -1 } : []
    objectFields = children.flatMap { $0.component.index == nil ? $0.member.fields : [] }
    arrayFields = children.flatMap { $0.component.index == nil ? [] : $0.member.fields }
    let fields = objectFields + arrayFields
    emptyValues = fields.dropFirst().reduce(fields.first?.emptyValues ?? []) {
      $0.intersection($1.emptyValues)
    }
    childNodes = children.compactMap { component, member in
      guard case .node(let node) = member else { return nil }
      return (component.key, node)
    }
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
    return index < 0 ? nil : members[index].field?.fullName
  }

  /// The fields at and below the node, without aliases.
  var fields: [CodingField] { members.flatMap(\.fields) }

  /// The aliases at and below the node.
  var aliases: [AliasedField] { members.flatMap(\.aliases) }

  /// The child nodes with their names.
  let childNodes: [(name: String, node: PlanNode)]

  /// The indices of the members by their names without the differences between key styles.
  private(set) lazy var similarNames = Dictionary(
    grouping: names.indices.compactMap { index in
      AttributeLetters(of: names[index]).map { (letters: $0, index: index) }
    }, by: \.letters
  ).mapValues { $0.map(\.index) }
}

/// A field with one of the paths at which its value may be.
final class AliasedField {
  let field: CodingField
  /// The index among the paths of the field: 0 for its own path, 1 for its first alias.
  let rank: Int

  init(_ field: CodingField, rank: Int) {
    self.field = field
    self.rank = rank
  }

  var path: JSONPath { rank == 0 ? field.path : field.aliases[rank - 1] }
}

import Foundation
import JSONText
import ObjectStore

/// The members of one output object, in the order they are written.
final class EncodeNode {
  /// The content of a member. All cases have class instances, so that a copy retains one.
  enum Content {
    case field(CodingField)
    case node(EncodeNode)
    case constant(Constant)
  }

  /// A string that is the same in every object.
  final class Constant {
    let text: String

    init(_ text: String) { self.text = text }
  }

  struct Member {
    /// The key with quotes and escapes.
    let literal: [UInt8]
    /// The index of the member if the node is an array.
    let index: Int
    let content: Content
  }

  /// The encoder's operation for a member. Common cases do not touch a class instance.
  struct Step {
    enum Operation: UInt8 {
      case int, string, bool, double, isoDate, day, object
      /// All other members; see `members`.
      case other
    }

    let operation: Operation
    /// True if nil is written as null instead of omitted.
    let writesNil: Bool
    let attribute: Int
    /// The key; readable up to the next multiple of eight bytes.
    let literal: UnsafeBufferPointer<UInt8>
    /// Owned by the member; nil if the member is a node.
    let field: Unmanaged<CodingField>?
  }

  let members: [Member]
  /// The names of the members.
  let names: [String]
  /// All fields at and below this node.
  let fields: [CodingField]
  /// One step per member.
  let steps: UnsafeMutablePointer<Step>

  /// True if all components are pointer indices, so that the node is an array, unless the server has an object.
  let isArray: Bool
  /// True if the node or one below it is an array.
  let containsArray: Bool

  /// The members of some of the attributes, whose defaults were recorded before.
  convenience init(
    _ fields: [CodingField], of plan: CodingPlan, _ configuration: CodingConfiguration
  ) {
    self.init(
      fields.map { ($0.path.components[...], $0) }, configuration, type: plan.resourceType,
      isRoot: true)
  }

  private init(
    _ fields: [(rest: ArraySlice<JSONPath.Component>, field: CodingField)],
    _ configuration: CodingConfiguration, type: String? = nil, isRoot: Bool = false
  ) {
    self.fields = fields.map(\.field)
    let (order, groups) = fields.groupedByKey { $0.rest.first?.key }
    var sorted = Array(zip(order, groups))
    isArray =
      !isRoot
      && fields.allSatisfy { if case .index = $0.rest.first { true } else { false } }
    if isArray {
      sorted = sorted.sorted(byNumber: { Int($0.0) ?? 0 })
    } else if configuration.outputFormatting.contains(.sortedKeys) {
      sorted = configuration.keyOrder.sorted(sorted, by: \.0)
    }
    var members = sorted.map { key, group in
      let group = group.map { (rest: $0.rest.dropFirst(), field: $0.field) }
      let leaf = group.first { $0.rest.isEmpty }?.field
      return Member(
        literal: Self.literal(key, configuration), index: Int(key) ?? 0,
        content: leaf.map { .field($0) } ?? .node(EncodeNode(group, configuration)))
    }
    var names = sorted.map(\.0)
    if let type {
      let name = "type"
      let order = configuration.keyOrder
      let isSorted = configuration.outputFormatting.contains(.sortedKeys)
      let index =
        isSorted ? names.firstIndex { order.precedes(name, $0) } ?? names.count : 0
      names.insert(name, at: index)
      members.insert(
        Member(
          literal: Self.literal(name, configuration), index: 0,
          content: .constant(Constant(type))),
        at: index)
    }
    containsArray =
      isArray
      || members.contains {
        if case .node(let child) = $0.content { child.containsArray } else { false }
      }
    self.members = members
    self.names = names
    steps = .allocate(capacity: max(1, members.count))
    for (index, member) in members.enumerated() {
      let count = member.literal.count
      let literal = UnsafeMutablePointer<UInt8>.allocate(capacity: (count + 7) & ~7)
      literal.initialize(repeating: 0, count: (count + 7) & ~7)
      literal.update(from: member.literal, count: count)
      var field: CodingField?
      if case .field(let leaf) = member.content { field = leaf }
      (steps + index).initialize(
        to: Step(
          operation: field.map { Self.operation($0) } ?? .other,
          writesNil: field?.writesNil ?? false,
          attribute: field?.attribute ?? 0,
          literal: UnsafeBufferPointer(start: literal, count: count),
          field: field.map { Unmanaged.passUnretained($0) }))
    }
  }

  /// The object or array at a member along the paths of the class; nil if the member is an attribute.
  func node(named name: String) -> EncodeNode? {
    for (member, other) in zip(members, names) where ExactString(other) == ExactString(name) {
      if case .node(let child) = member.content { return child }
    }
    return nil
  }

  /// The attribute that is a member; nil if the member is an object or array along the paths of the class.
  func field(named name: String) -> CodingField? {
    for (member, other) in zip(members, names) where ExactString(other) == ExactString(name) {
      if case .field(let field) = member.content { return field }
    }
    return nil
  }

  /// The indices of the members of an array in the order of their names, for an object in place of the array.
  func nameOrder(_ keyOrder: JSONKeyOrder) -> [Int] {
    keyOrder.sorted(names.indices, by: { names[$0] })
  }

  /// True for an array with elements, before others, that have no attributes.
  var hasGaps: Bool { zip(members, 0...).contains { $0.index != $1 } }

  /// True if the object or array, or one below it along the paths of the class, has gaps.
  var containsGaps: Bool {
    isArray && hasGaps
      || members.contains {
        if case .node(let child) = $0.content { child.containsGaps } else { false }
      }
  }

  /// The value without members.
  var emptyValue: JSONValue { isArray ? .array([]) : .object(JSONObject()) }

  /// Adds all attributes of an array to some of its attributes.
  func attributes(completing selected: Set<Int>) -> Set<Int> {
    var selected = selected
    for case .node(let child) in members.map(\.content) {
      let attributes = Set(child.fields.map(\.attribute))
      if attributes.isDisjoint(with: selected) { continue }
      selected = child.isArray ? selected.union(attributes) : child.attributes(completing: selected)
    }
    return selected
  }

  deinit {
    for index in members.indices { steps[index].literal.deallocate() }
    steps.deallocate()
  }

  private static func operation(_ field: CodingField) -> Step.Operation {
    guard field.nilSpellings.isEmpty else { return .other }
    if field.form == .link { return field.isByKey || field.isByIdentifier ? .other : .object }
    guard field.form == .scalar, field.raw == nil, !field.isConverted else { return .other }
    switch field.scalar {
    case .bool: return .bool
    case .double: return .double
    case .date where field.dates.map(\.format) == [.iso8601]: return .isoDate
    case .date where field.dates.map(\.format) == [.date]: return .day
    case .string, .url: return .string
    case let kind where kind.signedRange != nil: return .int
    default: return .other
    }
  }

  private static func literal(
    _ key: String, _ configuration: CodingConfiguration
  ) -> [UInt8] {
    var writer = JSONWriter(formatting: configuration.writerFormatting, capacity: 64)
    var key = key
    key.withUTF8 { writer.string($0) }
    return writer.withBytes { Array($0) }
  }
}

extension JSONKeyOrder {
  func precedes(_ a: String, _ b: String) -> Bool {
    var (a, b) = (a, b)
    return a.withUTF8 { a in b.withUTF8 { b in areInIncreasingOrder(a, b) } }
  }

  /// Returns the elements in the order of their names.
  func sorted<Element>(_ elements: some Sequence<Element>, by name: (Element) -> String)
    -> [Element]
  {
    let elements = Array(elements)
    return order(of: elements.map(name)).map { elements[$0] }
  }

  /// The indices of the names in order. Not generic, so that all elements share one sort.
  private func order(of names: [String]) -> [Int] {
    names.indices.sorted { precedes(names[$0], names[$1]) }
  }
}

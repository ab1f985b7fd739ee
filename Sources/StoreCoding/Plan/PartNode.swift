import JSONText

/// A location in a payload at or above its parts. The nodes of a payload form a tree:
///
///     ["posts": …, "data.users": …]
///
///     root ── "posts" ▶ part 0
///         └── "data"  ▶ node ── "users" ▶ part 1
final class PartNode {
  /// The part at this location; nil if parts are below it.
  let part: PayloadPart?
  let children: ContiguousArray<PartNode>
  /// The names of the children.
  let names: [String]
  let keys: JSONKeySet
  /// The index of each child in an array; nil for a child that is a member of an object only.
  let indices: [Int?]
  /// True if an array may contain a part.
  var hasIndices: Bool { indices.contains { $0 != nil } }
  /// The parts at and below this location.
  let parts: [PayloadPart]
  /// The first part at or below this location that must be present; nil if all are optional.
  var requiredPart: PayloadPart? { parts.first { !$0.isOptional } }

  /// Creates the root of a payload with one part.
  convenience init(_ part: PayloadPart) {
    var mistakes: [String] = []
    self.init([(part.path?.components[...] ?? [], part)], mistakes: &mistakes)
  }

  /// Creates a node for the parts at and below a location.
  ///
  /// - Parameters:
  ///   - parts: The parts with the rest of their paths; at least one.
  ///   - mistakes: Receives a sentence for each part that contains another.
  init(
    _ parts: [(rest: ArraySlice<JSONPath.Component>, part: PayloadPart)],
    mistakes: inout [String]
  ) {
    part = parts.first { $0.rest.isEmpty }?.part
    if let part, parts.count > 1 {
      for (_, inner) in parts where inner.index != part.index {
        mistakes.append(
          "the section '\(part.path?.text ?? "")' contains the section '\(inner.path?.text ?? "")'"
        )
      }
    }
    let (order, groups) = (part == nil ? parts : []).groupedByKey { $0.rest.first?.key }
    names = order
    keys = JSONKeySet(order)
    // An index in a pointer is also a key: `/a/0` and `a.0` are the same location.
    indices = groups.map { $0.lazy.compactMap { $0.rest.first?.index }.first }
    var children: ContiguousArray<PartNode> = []
    for group in groups {
      children.append(PartNode(group.map { ($0.rest.dropFirst(), $0.part) }, mistakes: &mistakes))
    }
    self.children = children
    self.parts = parts.map(\.part)
  }
}

import JSONText
import ObjectStore

/// A location in a payload at or above sections. The nodes of a document form a tree:
///
///     ["posts": …, "data.users": …]
///
///     root ── "posts" ▶ section 0
///         └── "data"  ▶ node ── "users" ▶ section 1
final class DocumentNode {
  struct Section {
    enum Content {
      case one(CodingPlan)
      case list(CodingPlan)
      case keyed(CodingPlan)
      case deleted(CodingPlan)
      case mixed(TaggedClasses)

      /// True if null is an empty section: in place of one resource of JSON:API.
      var acceptsNull: Bool {
        switch self {
        case .one(let plan): plan.resourceType != nil
        case .mixed(let classes): classes.acceptsSingleObject
        case .list, .keyed, .deleted: false
        }
      }
    }

    /// The index among the sections of the document.
    let index: Int
    /// The path from the top of the payload; nil if the payload is the section.
    let path: JSONPath?
    let content: Content
    let classes: [Object.Type]
    let isOptional: Bool

    /// The path from each element of an array to its object.
    var elementPath: [JSONPath.Component] { path?.elementPath ?? [] }
  }

  /// The section at this location; nil if sections are below it.
  let section: Section?
  let children: ContiguousArray<DocumentNode>
  /// The names of the children.
  let names: [String]
  let keys: JSONKeySet
  /// The index of each child in an array; nil for a child that is a member of an object only.
  let indices: [Int?]
  /// True if an array may contain a section.
  var hasIndices: Bool { indices.contains { $0 != nil } }
  /// The first section at or below this location.
  let firstSection: Section
  /// The first section at or below this location that must be present; nil if all are optional.
  let requiredSection: Section?
  /// The indices of the sections at and below this location.
  let sectionIndices: [Int]

  /// Creates a node for the sections at and below a location.
  ///
  /// - Parameters:
  ///   - sections: The sections with the rest of their paths; at least one.
  ///   - mistakes: Receives a sentence for each section that contains another.
  init(
    _ sections: [(rest: ArraySlice<JSONPath.Component>, section: Section)],
    mistakes: inout [String]
  ) {
    section = sections.first { $0.rest.isEmpty }?.section
    if let section, sections.count > 1 {
      for (_, inner) in sections where inner.index != section.index {
        mistakes.append(
          "the section '\(section.path?.text ?? "")' contains the section '\(inner.path?.text ?? "")'"
        )
      }
    }
    let (order, groups) = (section == nil ? sections : []).groupedByKey { $0.rest.first?.key }
    names = order
    keys = JSONKeySet(order)
    // An index in a pointer is also a key: `/a/0` and `a.0` are the same location.
    indices = groups.map { $0.lazy.compactMap { $0.rest.first?.index }.first }
    var children: ContiguousArray<DocumentNode> = []
    for group in groups {
      children.append(
        DocumentNode(group.map { ($0.rest.dropFirst(), $0.section) }, mistakes: &mistakes))
    }
    self.children = children
    firstSection = sections[0].section
    requiredSection = sections.lazy.map(\.section).first { !$0.isOptional }
    sectionIndices = sections.map(\.section.index)
  }
}

/// The classes of the elements of a list, by the value of a tag.
struct TaggedClasses {
  /// The path of the tag in each element.
  let tag: JSONPath
  let tags: JSONKeySet
  /// The class of each tag.
  let plans: [CodingPlan]
  /// The class of elements with an unknown tag or without one; nil to skip or reject them.
  let otherwise: CodingPlan?
  /// True if one object, which is not in an array, is read as well.
  let acceptsSingleObject: Bool
  /// The tags for error messages.
  let quotedTags: String

  init(
    tag: JSONPath, _ classes: [(tag: String, plan: CodingPlan)], otherwise: CodingPlan?,
    acceptsSingleObject: Bool
  ) {
    self.tag = tag
    self.acceptsSingleObject = acceptsSingleObject
    tags = JSONKeySet(classes.map(\.tag))
    plans = classes.map(\.plan)
    self.otherwise = otherwise
    quotedTags = classes.map { "'\($0.tag)'" }.joined(separator: ", ")
  }
}

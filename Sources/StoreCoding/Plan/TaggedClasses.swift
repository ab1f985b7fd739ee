import JSONText

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

import ObjectStore

/// A part of a payload that contains objects. A payload of one class has one part; the parts of a document are its
/// sections.
struct PayloadPart {
  enum Content {
    case one(CodingPlan)
    case list(CodingPlan)
    case keys(CodingPlan)
    case keyed(CodingPlan)
    case deleted(CodingPlan)
    case mixed(TaggedClasses)

    /// True if the part is a list.
    var isArray: Bool {
      switch self {
      case .one, .keyed: false
      case .list, .keys, .mixed, .deleted: true
      }
    }

    /// True if null is an empty part: in place of one resource of JSON:API.
    var acceptsNull: Bool {
      switch self {
      case .one(let plan): plan.resourceType != nil
      case .mixed(let classes): classes.acceptsSingleObject
      case .list, .keys, .keyed, .deleted: false
      }
    }
  }

  let content: Content
  /// The classes of the objects: at least one; several if a tag determines the class.
  let plans: [CodingPlan]
  /// The path from the top of the payload; nil if the payload is the part.
  let path: JSONPath?
  /// The index among the parts of the payload.
  var index = 0
  /// True if the part may be absent or null.
  var isOptional = false
  /// True if the part is a section of a document.
  var isSection = false
  /// The meaning of attributes that the objects lack.
  var absent = AbsentAttributes.keep
  /// The key of the object, from the call; nil if the object contains it.
  var key: (any ObjectKey)?
  /// The version of the store at the time of the request; nil to apply all values.
  var version: StoreVersion?

  init(_ content: Content, at path: JSONPath?) {
    self.content = content
    self.path = path
    plans =
      switch content {
      case .one(let plan), .list(let plan), .keys(let plan), .keyed(let plan), .deleted(let plan):
        [plan]
      case .mixed(let classes): classes.plans + (classes.otherwise.map { [$0] } ?? [])
      }
  }

  /// The class of the objects of a part with one class.
  var plan: CodingPlan { plans[0] }

  /// True if the path has a `*`, which enters the members of an object as well as the elements of an array.
  var entersMembers: Bool { path?.elementPath != nil }

  /// The expected JSON of a list, for error messages; nil for an array of objects.
  var expectedList: String? {
    if entersMembers { return "an array or an object" }
    if case .keys(let plan) = content { return "an array of keys of \(plan.className) objects" }
    return nil
  }

  /// The path from each element of a list to its object.
  var elementPath: [JSONPath.Component] { path?.elementPath ?? [] }
}

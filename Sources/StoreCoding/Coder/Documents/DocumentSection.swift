public import ObjectStore

/// A part of a payload that contains objects of one or several classes.
///
/// Sections describe a payload with several kinds of objects, by the path of each part:
///
///     let document = try coder.read(
///       [
///         "posts": .list(Post.self), "users": .keyed(User.self), "viewer": .one(User.self).optional,
///         "removed.post_ids": .deleted(Post.self),
///         "included": .mixed(by: "type", ["people": Person.self, "tags": Tag.self]),
///       ], from: data)
public struct DocumentSection: Sendable {
  enum Content: Sendable {
    case one(Object.Type)
    case list(Object.Type)
    case keys(Object.Type)
    case keyed(Object.Type)
    case deleted(Object.Type)
    case mixed(tag: String, [String: Object.Type], otherwise: Object.Type?)
  }

  let content: Content
  private(set) var isOptional = false
  /// True for resources of JSON:API, of which a document has an array or one.
  private(set) var containsResources = false
  /// The classes given for resources that are none.
  private(set) var otherClasses: [Object.Type] = []

  private init(_ content: Content) {
    self.content = content
  }

  /// One object. Null in place of a JSON:API resource is an empty section.
  public static func one<T: Object>(_ type: T.Type) -> DocumentSection { .init(.one(type)) }

  /// An array of objects. The path of the section may contain a `*` (`"/posts/edges/*/node"`), which enters the members of
  /// an object as well as the elements of an array, in document order; the names of the members are not read.
  public static func list<T: Object>(_ type: T.Type) -> DocumentSection { .init(.list(type)) }

  /// An array of primary keys: `[9129911, 9127761]`. An object that does not exist is created with the declared defaults of
  /// its other attributes, as by a link with `byKey`. Complete objects are decoded as well.
  ///
  /// The result has the objects in the order of the keys. The path of the section may contain a `*`, as in
  /// ``list(_:)``.
  public static func keys<T: Object>(_ type: T.Type) -> DocumentSection { .init(.keys(type)) }

  /// A JSON object whose members are objects and whose names are their primary keys. An object that contains another
  /// key is an error. An empty array is an empty section, because PHP encodes an empty map as `[]`.
  public static func keyed<T: Object>(_ type: T.Type) -> DocumentSection { .init(.keyed(type)) }

  /// An array of objects to delete: their primary keys, or JSON objects that contain their keys.
  ///
  /// Objects are deleted after all sections are stored. An object that is both stored and deleted by a payload does not
  /// exist afterwards. A key without an object has no effect.
  public static func deleted<T: Object>(_ type: T.Type) -> DocumentSection { .init(.deleted(type)) }

  /// An array of objects of several classes. The value at a path inside each element, its tag, determines its class.
  ///
  /// An element with an unknown tag is skipped and reported as an issue, because servers add types. An element without
  /// a tag is an error.
  /// - Parameters:
  ///   - tag: The path of the tag in each element, such as `"type"` or `"meta.kind"`. A tag is a string, a number or a
  ///     Boolean.
  ///   - classes: The class of each tag.
  ///   - otherwise: The class of elements with an unknown tag or without a tag.
  public static func mixed(
    by tag: String, _ classes: [String: Object.Type], otherwise: Object.Type? = nil
  ) -> DocumentSection {
    .init(.mixed(tag: tag, classes, otherwise: otherwise))
  }

  /// JSON:API resources of several classes: an array, such as `included`, or one resource or null. See
  /// `CodableShape.jsonAPI(type:)`.
  ///
  /// A resource of another type is skipped and reported as an issue.
  public static func resources(_ types: Object.Type...) -> DocumentSection {
    var classes: [String: Object.Type] = [:]
    var others: [Object.Type] = []
    for type in types {
      if let name = type.codableShape.resourceType {
        classes[name] = type
      } else {
        others.append(type)
      }
    }
    var section = DocumentSection(.mixed(tag: "type", classes, otherwise: nil))
    section.otherClasses = others
    section.containsResources = true
    return section
  }

  /// The same section, which may be absent or null. Without this, an absent section is the error `envelopeNotFound`.
  public var optional: DocumentSection {
    var section = self
    section.isOptional = true
    return section
  }
}

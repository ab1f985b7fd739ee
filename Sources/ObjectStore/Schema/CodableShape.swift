/// The arrangement of a class's attributes in a JSON object.
public enum CodableShape: Sendable, Hashable {
  /// Attributes are members of the object, under their keys and paths.
  case object
  /// A resource object of JSON:API 1.1:
  ///
  ///     {"type": "articles", "id": "1", "attributes": {"title": "…"},
  ///      "relationships": {"author": {"data": {"type": "people", "id": "9"}}}}
  ///
  /// The primary key is at `id`, as a string. Links and collections of objects are at `relationships.….data`, as resource
  /// identifiers. All other attributes are at `attributes.…`. A key that an attribute declares is inside these objects,
  /// unless it is a pointer. Envelopes are `data` unless the class declares others. The classes of links need the same
  /// shape.
  /// - Parameter type: The type of the resource. An object with another type, or without one, is an error.
  case jsonAPI(type: String)

  /// The type of a JSON:API resource; nil for another shape.
  package var resourceType: String? {
    if case .jsonAPI(let type) = self { type } else { nil }
  }
}

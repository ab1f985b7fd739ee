/// An attribute, identified by its path, such as `publisher.name`, or a value inside a JSON attribute, such as
/// `extra["from"]`. An empty path is the object or element itself.
struct QueryAttribute: Sendable, Hashable {
  var names: [String]
  /// The number of quantified collections between the condition and the object that has the attribute.
  var scope = 0
  /// The path from the JSON value of the attribute or element to the value inside it; empty for the whole value.
  var json: [JSONStep] = []

  init(_ names: [String], scope: Int = 0, json: [JSONStep] = []) {
    self.names = names
    self.scope = scope
    self.json = json
  }

  /// Names are compared by their bytes, as in a schema.
  static func == (a: QueryAttribute, b: QueryAttribute) -> Bool {
    a.scope == b.scope && a.json == b.json
      && a.names.elementsEqual(b.names) { $0.hasSameBytes(as: $1) }
  }

  func hash(into hasher: inout Hasher) {
    for name in names { hasher.combine(ExactString(name)) }
    hasher.combine(scope)
    hasher.combine(json)
  }

  /// Returns the attribute as written inside `count` more collections.
  func moved(by count: Int) -> QueryAttribute {
    QueryAttribute(names, scope: scope + count, json: json)
  }
}

/// Which class an attribute leads to: a declared one, or one that a schema made at run time describes.
///
/// The folder knows no model class: a declared one is a type that nobody here looks into.
package struct ClassID: Sendable {
  /// The name, as messages show it.
  package let name: String
  /// The class itself; nil for one that only a schema describes.
  let type: (any SendableMetatype.Type)?

  init(name: String, type: (any SendableMetatype.Type)? = nil) {
    self.name = name
    self.type = type
  }
}

extension ClassID: Hashable {
  private var typeID: ObjectIdentifier? { type.map { ObjectIdentifier($0) } }

  /// Declared classes are told apart by their types, others by their names.
  package static func == (a: Self, b: Self) -> Bool {
    a.typeID == b.typeID && (a.type != nil || a.name == b.name)
  }

  package func hash(into hasher: inout Hasher) {
    if let typeID { hasher.combine(typeID) } else { hasher.combine(name) }
  }
}

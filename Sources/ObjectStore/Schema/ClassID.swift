/// The identity of a class: a declared class, or one described by a schema created at run time.
///
/// This folder does not depend on model classes, so a declared class is an opaque type.
package struct ClassID: Sendable {
  /// The class name in messages.
  package let name: String
  /// The declared class; nil for a class described only by a schema.
  let type: (any SendableMetatype.Type)?

  init(name: String, type: (any SendableMetatype.Type)? = nil) {
    self.name = name
    self.type = type
  }
}

extension ClassID: Hashable {
  private var typeID: ObjectIdentifier? { type.map { ObjectIdentifier($0) } }

  /// Declared classes are compared by type, others by name.
  package static func == (a: Self, b: Self) -> Bool {
    a.typeID == b.typeID && (a.type != nil || a.name == b.name)
  }

  package func hash(into hasher: inout Hasher) {
    if let typeID { hasher.combine(typeID) } else { hasher.combine(name) }
  }
}

/// What a class says about its JSON besides its attributes.
package struct ClassDeclarations: Sendable, Hashable {
  /// A JSON key, and the class that declares it.
  package struct Key: Sendable, Hashable {
    package let text: String
    package let className: String
  }

  /// The JSON keys by attribute.
  package private(set) var keys: [String: Key] = [:]
  /// The attributes that are not encoded, with the classes that say so.
  package private(set) var ignoredNames: [String: String] = [:]
  /// The attributes that keep JSON as text, with the classes that say so.
  package private(set) var rawNames: [String: String] = [:]
  /// Where a single object stands in a response; nil for bare.
  package private(set) var objectEnvelope: String?
  /// Where a list stands in a response; nil for bare.
  package private(set) var listEnvelope: String?

  init() {}

  /// Adds what a class says to what its superclasses said. An entry of the class itself wins; what it
  /// repeats stays theirs.
  mutating func add(
    className: String, keys: [String: String], ignored: [String], raw: [String],
    objectEnvelope: String?, listEnvelope: String?
  ) {
    for (name, key) in keys where self.keys[name]?.text != key {
      self.keys[name] = Key(text: key, className: className)
    }
    for name in ignored where ignoredNames[name] == nil { ignoredNames[name] = className }
    for name in raw where rawNames[name] == nil { rawNames[name] = className }
    self.objectEnvelope = objectEnvelope
    self.listEnvelope = listEnvelope
  }
}

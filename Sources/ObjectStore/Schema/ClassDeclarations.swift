/// What a class says besides its attributes: about its JSON, its indexes of several attributes, and what
/// its primary key is made of.
package struct ClassDeclarations: Sendable, Hashable {
  /// A JSON key, and the class that declares it.
  package struct Key: Sendable, Hashable {
    package let text: String
    package let className: String
  }

  /// An index of several attributes, and the class that declares it.
  package struct Index: Sendable, Hashable {
    package let names: [String]
    package let className: String

    /// As explanations and messages show one: `(kind, born)`.
    static func text(_ names: [String]) -> String { "(\(names.joined(separator: ", ")))" }
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
  /// The indexes of several attributes, those of superclasses first.
  package private(set) var indexes: [Index] = []

  /// The attributes that the primary key is made of; empty for a key of its own.
  package private(set) var compoundKey: [String] = []
  /// The class that says so.
  package private(set) var compoundKeyClass = ""

  init() {}

  /// Adds what a class says to what its superclasses said. An entry of the class itself wins; what it
  /// repeats stays theirs.
  mutating func add(
    className: String, keys: [String: String], ignored: [String], raw: [String],
    objectEnvelope: String?, listEnvelope: String?, indexes: [[String]], compoundKey: [String]
  ) {
    for (name, key) in keys where self.keys[name]?.text != key {
      self.keys[name] = Key(text: key, className: className)
    }
    for name in ignored where ignoredNames[name] == nil { ignoredNames[name] = className }
    for name in raw where rawNames[name] == nil { rawNames[name] = className }
    self.objectEnvelope = objectEnvelope
    self.listEnvelope = listEnvelope
    if self.compoundKey != compoundKey {
      self.compoundKey = compoundKey
      compoundKeyClass = className
    }
    let inherited = Set(self.indexes.map(\.names))
    for names in indexes where !inherited.contains(names) {
      self.indexes.append(Index(names: names, className: className))
    }
  }
}

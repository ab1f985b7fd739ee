/// The declarations of a class other than its attributes: JSON mapping, compound indexes and compound key.
package struct ClassDeclarations: Sendable, Hashable {
  /// A JSON key and the class that declares it.
  package struct Key: Sendable, Hashable {
    package let text: String
    package let className: String
  }

  /// A compound index and the class that declares it.
  package struct Index: Sendable, Hashable {
    package let names: [String]
    package let className: String

    /// Returns the names as shown in explanations and messages: `(kind, born)`.
    static func text(_ names: [String]) -> String { "(\(names.joined(separator: ", ")))" }
  }

  // Names of attributes are compared by their bytes, as in JSON and in files.
  /// The JSON keys by attribute.
  package private(set) var keys: [ExactString: Key] = [:]
  /// The attributes that are not encoded, with the declaring classes.
  package private(set) var ignoredNames: [ExactString: String] = [:]
  /// The attributes that are in every body, with the declaring classes.
  package private(set) var alwaysEncodedNames: [ExactString: String] = [:]
  /// The attributes that keep JSON as text, with the declaring classes.
  package private(set) var rawNames: [ExactString: String] = [:]
  /// The path to a single object in a response; nil if the response is the object.
  package private(set) var objectEnvelope: String?
  /// The path to a list in a response; nil if the response is the list.
  package private(set) var listEnvelope: String?
  /// The arrangement of the attributes in a JSON object.
  package private(set) var shape: CodableShape = .object
  /// The compound indexes, those of superclasses first.
  package private(set) var indexes: [Index] = []

  /// The attributes that form the primary key; empty if the primary key is not compound.
  package private(set) var compoundKey: [String] = []
  /// The class that declares the compound key.
  package private(set) var compoundKeyClass = ""

  init() {}

  /// True if both are equal, and their texts for JSON have the same bytes: JSON distinguishes é from e with a combining
  /// accent, which `==` does not.
  package func isExactlySame(as other: ClassDeclarations) -> Bool {
    guard self == other else { return false }
    let texts = [
      (objectEnvelope, other.objectEnvelope), (listEnvelope, other.listEnvelope),
      (shape.resourceType, other.shape.resourceType),
    ]
    return texts.allSatisfy { ($0 ?? "").hasSameBytes(as: $1 ?? "") }
      && keys.allSatisfy { other.keys[$0]?.text.hasSameBytes(as: $1.text) ?? false }
  }

  /// Adds the declarations of a class to those of its superclasses. An entry of the class replaces an inherited one;
  /// an identical entry remains attributed to the superclass.
  mutating func add(
    className: String, keys: [String: String], ignored: [String],
    alwaysEncoded: [String], raw: [String], objectEnvelope: String?, listEnvelope: String?,
    shape: CodableShape, indexes: [[String]], compoundKey: [String]
  ) {
    for (name, key) in keys {
      let name = ExactString(name)
      if let known = self.keys[name], known.text.hasSameBytes(as: key) { continue }
      self.keys[name] = Key(text: key, className: className)
    }
    func note(_ names: [String], in known: inout [ExactString: String]) {
      for name in names.map({ ExactString($0) }) where known[name] == nil {
        known[name] = className
      }
    }
    note(ignored, in: &ignoredNames)
    note(alwaysEncoded, in: &alwaysEncodedNames)
    note(raw, in: &rawNames)
    self.objectEnvelope = objectEnvelope
    self.listEnvelope = listEnvelope
    self.shape = shape
    if self.compoundKey.map({ ExactString($0) }) != compoundKey.map({ ExactString($0) }) {
      self.compoundKey = compoundKey
      compoundKeyClass = className
    }
    let inherited = Set(self.indexes.map { $0.names.map { ExactString($0) } })
    for names in indexes where !inherited.contains(names.map { ExactString($0) }) {
      self.indexes.append(Index(names: names, className: className))
    }
  }
}

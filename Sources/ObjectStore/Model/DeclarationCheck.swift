/// Finds every mistake in a class's declarations at once, each with what to write instead.
struct DeclarationCheck {
  private(set) var mistakes: [String] = []

  private let type: ObjectBase.Type
  private let properties: [Property]
  private let className: String

  init(_ type: ObjectBase.Type, _ properties: [Property]) {
    self.type = type
    self.properties = properties
    className = String(describing: type)
    checkKeys()
    checkIndexes()
    checkLinks()
    checkCoding()
  }

  private func property(_ name: String) -> Property? { properties.first { $0.name == name } }

  private mutating func report(_ text: String) { mistakes.append("\(className)\(text)") }

  /// Reports a name that is no attribute.
  private mutating func checkName(_ name: String, in declaration: String) {
    guard property(name) == nil else { return }
    let suggestion = Suggestion.nearest(to: name, among: properties.map(\.name))
    report(
      ".\(declaration): '\(name)' is no attribute"
        + (suggestion.map { "; did you mean '\($0)'?" } ?? ""))
  }

  private mutating func checkKeys() {
    if let name = type.primaryKey() { checkName(name, in: "primaryKey()") }
    let keys = properties.filter(\.isPrimaryKey)
    if keys.count > 1 {
      report(": more than one primary key: \(keys.map(\.name).joined(separator: ", "))")
    }
    for key in keys {
      if type is EmbeddedObject.Type {
        report(".\(key.name): an embedded object cannot have a primary key")
      }
      if key.shape.form != .scalar || !(key.shape.scalar?.kind.canBeKey ?? false)
        || key.shape.scalar?.cases != nil
      {
        report(
          ".\(key.name): a \(key.shape.name) cannot be a primary key; "
            + "use an integer, String or UUID")
      } else if key.isOptional {
        report(".\(key.name): a primary key cannot be optional")
      }
    }
  }

  private mutating func checkIndexes() {
    for name in type.indexedProperties() { checkName(name, in: "indexedProperties()") }
    for property in properties where property.isIndexed {
      guard property.shape.form == .scalar, property.shape.scalar?.kind.canBeIndexed ?? false
      else {
        report(".\(property.name): a \(property.shape.name) cannot be indexed")
        continue
      }
    }
  }

  private mutating func checkLinks() {
    for property in properties {
      guard let target = property.shape.target else { continue }
      if target == Object.self || target == EmbeddedObject.self || target == ObjectBase.self {
        report(".\(property.name): link to a class of your own, not to \(target)")
      }
      if property.shape.form == .set, property.shape.isEmbedded {
        report(".\(property.name): a set cannot hold embedded objects; use a List")
      }
      guard property.shape.form == .linkingObjects else { continue }
      guard let origin = property.originPropertyName else {
        report(
          ".\(property.name): name the attribute of \(target) that links here: "
            + "@Persisted(originProperty: \"…\")")
        continue
      }
      // The source class may be this one, and its schema in the making: look at it plainly.
      let source =
        target == type ? properties : ClassReflection(target).properties
      guard let link = source.first(where: { $0.name == origin }) else {
        let suggestion = Suggestion.nearest(to: origin, among: source.map(\.name))
        report(
          ".\(property.name): originProperty '\(origin)' is no attribute of \(target)"
            + (suggestion.map { "; did you mean '\($0)'?" } ?? ""))
        continue
      }
      // A subclass inherits the attribute; nothing links to its own rows, which is no mistake.
      if link.shape.form == .linkingObjects || !(link.shape.target.map(isClass(below:)) ?? false) {
        report(
          ".\(property.name): originProperty '\(origin)' of \(target) is \(link.shape.name), "
            + "not a link to \(className)")
      }
    }
  }

  /// Whether the class is `ancestor` or derives from it.
  private func isClass(below ancestor: ObjectBase.Type) -> Bool {
    var next: AnyClass? = type
    while let current = next {
      if current == ancestor { return true }
      next = _getSuperclass(current)
    }
    return false
  }

  private mutating func checkCoding() {
    for name in type.codableKeys.keys.sorted() { checkName(name, in: "codableKeys") }
    for name in type.codableIgnoredAttributes {
      checkName(name, in: "codableIgnoredAttributes")
      if let key = property(name), key.isPrimaryKey {
        report(".codableIgnoredAttributes: the primary key '\(name)' cannot be ignored")
      }
    }
    for name in type.codableRawJsonSubstrings {
      checkName(name, in: "codableRawJsonSubstrings")
      if let raw = property(name), raw.shape.form != .scalar || raw.shape.scalar?.kind != .string {
        report(
          ".codableRawJsonSubstrings: '\(name)' is \(raw.shape.name); only a String keeps raw JSON")
      }
    }
  }
}

/// Finds what somebody meant who wrote something else.
package enum Suggestion {
  /// The candidate closest to `name` by edit distance, if it is close enough to be meant.
  package static func nearest(to name: String, among candidates: [String]) -> String? {
    let count = name.count
    let limit = max(2, count / 3)
    // A name may be as long as a payload: what differs more in length alone is not compared.
    let ranked = candidates.filter { abs($0.count - count) <= limit }
      .map { ($0, distance(name.lowercased(), $0.lowercased())) }
    guard let best = ranked.min(by: { $0.1 < $1.1 }) else { return nil }
    return best.1 <= limit ? best.0 : nil
  }

  /// Levenshtein's distance, O(|a| · |b|).
  private static func distance(_ a: String, _ b: String) -> Int {
    let b = Array(b)
    var previous = Array(0...b.count)
    for (i, first) in a.enumerated() {
      var current = [i + 1]
      for (j, second) in b.enumerated() {
        current.append(
          min(previous[j + 1] + 1, current[j] + 1, previous[j] + (first == second ? 0 : 1)))
      }
      previous = current
    }
    return previous[b.count]
  }
}

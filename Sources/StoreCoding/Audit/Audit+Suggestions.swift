import ObjectStore

extension Audit {
  /// Declarations of attributes for the keys that no attribute reads, as `storecoder model` writes them, by class:
  ///
  ///     // Order
  ///     @Persisted var note: String?
  ///     @Persisted(json: "ship_to.zip") var shipToZip: Int?
  ///
  /// The types follow from the kinds of the values: a string is a `String`, even if it is a date, and an object is a
  /// `JSONValue`. All values are optional, because stored objects do not have them. Empty if there is nothing to suggest.
  public var suggestions: String {
    var classNames: [String] = []
    // The same class may occur at several paths.
    var keys: [String: [Key]] = [:]
    for key in unreadKeys {
      guard let path = key.declaredPath else { continue }
      if keys[key.className] == nil { classNames.append(key.className) }
      if let index = keys[key.className]?.firstIndex(where: {
        $0.declaredPath?.hasSameBytes(as: path) == true
      }) {
        keys[key.className]?[index].add(key)
      } else {
        keys[key.className, default: []].append(key)
      }
    }
    return classNames.sorted().map { className in
      var taken = names(in: className)
      let lines = keys[className, default: []].map { $0.declaration(&taken) }
      return (["// \(className)"] + lines).joined(separator: "\n")
    }.joined(separator: "\n\n")
  }

  /// The names of the attributes of a class.
  private func names(in className: String) -> Set<String> {
    let prefix = "\(className)."
    return Set(
      attributes.filter { $0.name.hasPrefix(prefix) }.map {
        String($0.name.dropFirst(prefix.count))
      }
    )
  }
}

extension Audit.Key {
  /// The declaration of an attribute that reads the key.
  ///
  /// - Parameter taken: The names of other attributes, to which the name of this one is added.
  fileprivate func declaration(_ taken: inout Set<String>) -> String {
    let path = declaredPath ?? ""
    let name = SwiftNames.unique(SwiftNames.swiftName(path)) { taken.contains($0) }
    taken.insert(name)
    var arguments = name == path ? [] : ["json: \(SwiftNames.literal(path))"]
    let type: String
    if kinds.keys.allSatisfy({ $0 == .array }) {
      type = "List<\(Self.type(elementKinds))\(elementKinds[.null] == nil ? "" : "?")>"
      arguments.append(".omitsEmpty")
    } else {
      type = "\(Self.type(kinds))?"
    }
    let list = arguments.isEmpty ? "" : "(\(arguments.joined(separator: ", ")))"
    return "@Persisted\(list) var \(SwiftNames.escaped(name)): \(type)"
  }

  /// The type of values of these kinds.
  private static func type(_ kinds: [Audit.Kind: Int]) -> String {
    switch Set(kinds.keys).subtracting([.null]) {
    case [.string]: "String"
    case [.bool]: "Bool"
    case [.integer]: "Int"
    case [.number], [.integer, .number]: "Double"
    default: "JSONValue"
    }
  }
}

package import ObjectStore

/// Finds the mistakes in a mapping: attributes that the class does not have, pairs that contradict each other, and
/// a missing primary key.
struct MappingCheck<Value: MappedPersistable> {
  private(set) var mistakes: [String] = []

  private let className: String
  /// The name of the primary key; nil if there is none or it is a compound key.
  private let key: String?
  /// The names of the parts of a compound key; empty if there is none.
  private let keyParts: [String]

  /// - Parameter schema: The valid schema of the class.
  init(_ mapping: Value.Fields, _ schema: ObjectSchema) {
    className = schema.className
    keyParts = schema.compoundKey
    key = keyParts.isEmpty ? schema.primaryKeyProperty?.name : nil
    var pairs: [(field: Field<Value, Value.ManagedObject>, name: String)] = []
    for field in mapping {
      guard let name = attribute(of: field) else { continue }
      if !repeats(field, name, among: pairs) { check(field, name) }
      pairs.append((field, name))
    }
    if let key, !mapping.contains(where: \.isKey), !pairs.contains(where: { $0.name == key }) {
      report("\(className).\(key) is the primary key, but no .key pairs it")
    }
    for part in keyParts where !pairs.contains(where: { $0.name == part }) {
      report("\(className).\(part) is a part of the primary key, but no .field pairs it")
    }
  }

  private mutating func report(_ mistake: String) {
    mistakes.append("\(Value.self).mapping: \(mistake)")
  }

  /// Returns the name of the attribute that stores a field, or reports an error and returns nil if there is none.
  private mutating func attribute(of field: Field<Value, Value.ManagedObject>) -> String? {
    do {
      let names = try Value.ManagedObject.attributeNames(along: field.objectPath)
      if names.count == 1 { return names[0] }
      let path = names.joined(separator: ".")
      report(
        "\(field.valuePath) is paired with \(path), which is not an attribute of \(className) itself"
      )
    } catch {
      report("\(field.valuePath) is not paired with an attribute: \(error)")
    }
    return nil
  }

  /// Returns true and reports an error if an earlier pair has one of the two attributes.
  private mutating func repeats(
    _ field: Field<Value, Value.ManagedObject>, _ name: String,
    among pairs: [(field: Field<Value, Value.ManagedObject>, name: String)]
  ) -> Bool {
    let path = field.valuePath as AnyKeyPath
    for (other, otherName) in pairs {
      let isSameValue = path == other.valuePath as AnyKeyPath
      switch (isSameValue, name == otherName) {
      case (true, true): report("\(path) and \(className).\(name) are paired twice")
      case (true, false):
        report(
          "\(path) is paired twice, with \(className).\(otherName) and with \(className).\(name)")
      case (false, true):
        report("\(other.valuePath) and \(path) are both paired with \(className).\(name)")
      case (false, false): continue
      }
      return true
    }
    return false
  }

  private mutating func check(_ field: Field<Value, Value.ManagedObject>, _ name: String) {
    switch (field.isKey, key) {
    case (true, nil):
      report(
        "\(className) has no primary key of one attribute: pair \(className).\(name) by .field instead of .key"
      )
    case (true, let key?) where key != name:
      report(
        ".key is for the primary key, which is \(className).\(key) and not \(className).\(name)")
    case (false, name?): report("\(className).\(name) is the primary key: pair it by .key")
    default: break
    }
  }
}

extension Store {
  /// Validates a type of values at its first use.
  /// - Throws: `invalidDeclarations` with all errors.
  package func check<Value: Persistable>(_ type: Value.Type) throws(StoreError) {
    try checkedTypes.check(type) { mistakes(of: [type]) }
  }

  /// The errors in the classes and mappings of types and of all types that are reachable from them.
  func mistakes(of types: [any Persistable.Type]) -> [String] {
    var mistakes: [String] = []
    var seen: Set<ObjectIdentifier> = []
    for type in types {
      let found = codingSchemas(from: managedClass(of: type)).flatMap(\.mistakes)
      mistakes += (found + type._mistakes(&seen)).filter { !mistakes.contains($0) }
    }
    return mistakes
  }

  private func managedClass<Value: Persistable>(of type: Value.Type) -> Object.Type {
    Value.ManagedObject.self
  }
}

import ObjectStore

/// The classes of a store merged with those of a JSON file. Each attribute gets a type that can represent both.
///
///     store     file       both
///     Int       Double     Double, or JSON if a Double cannot represent all of them
///     Int       String     JSON: values of several types
///     List      List       List, with the elements' types merged
///     a link    String     none: refused
struct JoinedClasses {
  private(set) var schemas: [ObjectSchema]
  /// Attributes and keys that cannot be merged.
  private(set) var mistakes: [Mistake] = []
  /// Attributes whose stored values must be converted.
  private(set) var widenings: [Widening] = []
  private let new: InferredSchema
  private let inexact: Set<String>

  struct Mistake {
    let text: String
    /// The offset in the file in bytes; nil if unknown.
    let byteOffset: Int?
  }

  /// - Parameter inexact: Attributes, as `Class.attribute`, with stored integers that a Double cannot represent.
  init(_ old: [ObjectSchema], _ new: InferredSchema, inexact: Set<String> = []) {
    schemas = old
    self.new = new
    self.inexact = inexact
    for schema in new.classes {
      if let known = old.firstIndex(where: { $0.className == schema.className }) {
        schemas[known] = join(old[known], schema)
      } else {
        schemas.append(schema)
      }
    }
    relaxTargets()
    dropUnreached(old)
  }

  /// Makes all attributes of a class optional if all of its objects in the file are empty.
  private mutating func relaxTargets() {
    for schema in schemas {
      let vague = schema.properties.filter { new.vague.contains("\(schema.className).\($0.name)") }
      for target in vague.compactMap(\.objectClassName) {
        guard let index = schemas.firstIndex(where: { $0.className == target }),
          new.classes.allSatisfy({ $0.className != target })
        else { continue }
        schemas[index] = schemas[index].with(
          schemas[index].properties.map { schemas[index].lackedByNew($0) })
      }
    }
  }

  /// Removes the inferred classes to which no attribute links, because the store keeps their objects as JSON.
  private mutating func dropUnreached(_ old: [ObjectSchema]) {
    var reached: Set<String> = []
    var rest = [new.root.className] + old.map(\.className)
    while let name = rest.popLast() {
      guard reached.insert(name).inserted else { continue }
      let schema = schemas.first { $0.className == name }
      rest += schema?.properties.compactMap(\.objectClassName) ?? []
    }
    schemas.removeAll { !reached.contains($0.className) }
  }

  // MARK: - Merging two classes

  private mutating func join(_ old: ObjectSchema, _ new: ObjectSchema) -> ObjectSchema {
    if !old.hasSameKey(as: new) {
      mistakes.append(keyMistake(old, new))
      return old
    }
    var properties = old.properties.map { property in
      guard let other = new[property.name] else { return old.lackedByNew(property) }
      if self.new.vague.contains("\(old.className).\(property.name)") {
        // An optional collection would have nil elements.
        return property.isCollection
          ? property : property.with(isOptional: true, Self.options(property, other))
      }
      return join(property, other, old)
    }
    for property in new.properties where old[property.name] == nil {
      // Stored objects lack the attribute.
      properties.append(
        property.isCollection
          ? property.with(isOptional: property.isOptional, property.options + [.omitsEmpty])
          : property.with(isOptional: true, property.options.filter { $0 != .writesNil }))
    }
    return old.with(properties)
  }

  private func keyMistake(_ old: ObjectSchema, _ new: ObjectSchema) -> Mistake {
    let name = old.className
    func words(_ schema: ObjectSchema) -> String {
      if schema.isEmbedded { return "embedded in other objects" }
      let names = schema.keyNames.map { "'\($0)'" }.joined(separator: ", ")
      let isMade =
        name == self.new.root.className && names == self.new.syntheticKey.map { "'\($0)'" }
      return names.isEmpty || isMade ? "without a key" : "identified by \(names)"
    }
    let text = "objects of \(name) are \(words(old)) in the store"
    guard words(new) == "without a key", let key = old.primaryKeyProperty,
      let values = self.new.values[ExactString("\(name).\(key.name)")]
    else {
      return Mistake(
        text: text + " but \(words(new)) in this file", byteOffset: self.new.firstOffsets[name])
    }
    let article = key.type == .string ? "a string" : "an integer"
    return Mistake(
      text: text + ", but in this file not all have \(article) as '\(key.name)'",
      byteOffset: values.firstOffset(unlike: key.shape))
  }

  private mutating func join(
    _ old: Property, _ new: Property, _ schema: ObjectSchema
  ) -> Property {
    let fullName = "\(schema.className).\(old.name)"
    let isKey = old.isPrimaryKey || schema.compoundKey.contains(old.name)
    let values = self.new.values[ExactString(fullName)]
    // Null among collections is an empty collection; an attribute that is a plain value in the store remains one.
    let found =
      old.objectClassName == nil && new.options.contains(.byKey)
      ? values?.plain ?? new : old.isCollection ? values?.collection ?? new : new
    let isOptional = old.isOptional || found.isOptional
    let options = Self.options(old, found)
    if old.options.contains(.byKey) != found.options.contains(.byKey) {
      let keys =
        found.objectClassName == nil ? ", where not all values are keys of existing objects" : ""
      mistakes.append(
        Mistake(
          text: "\(fullName) is \(words(old)) in the store but \(words(found)) in this file\(keys)",
          byteOffset: values?.firstOffsets.first()))
      return old
    }
    if old.isSame(as: found) { return old.with(isOptional: isOptional, options) }
    let isInexact = inexact.contains(fullName) || values?.hasInexactNumbers ?? false
    guard !isKey, let shape = old.shape.joined(with: found.shape, isInexact: isInexact)
    else {
      mistakes.append(
        Mistake(
          text: "\(fullName) is \(old.typeName) in the store but \(new.typeName) in this file",
          byteOffset: values?.offset(unlike: old.shape)))
      return old
    }
    let isJSON = shape.scalar?.kind == .json
    let joined = Property(
      old.name, shape, isOptional: isJSON ? shape.form == .scalar : isOptional,
      isIndexed: old.isIndexed && shape.form == old.shape.form && !isJSON,
      options: isJSON && shape.form == .scalar ? options.filter { $0 == .writesNil } : options)
    if !joined.isSame(as: old) { widenings.append(Widening(joined, of: schema.className)) }
    return joined
  }

  private func words(_ property: Property) -> String {
    property.options.contains(.byKey)
      ? "\(property.typeName) by key"
      : property.objectClassName == nil
        ? property.typeName : "\(property.typeName) in full"
  }

  /// The merged options. Nil is written as null only if every nil value was null in its file.
  private static func options(_ old: Property, _ new: Property) -> [Property.Option] {
    func writesNil(_ property: Property) -> Bool { property.options.contains(.writesNil) }
    func isNeverNil(_ property: Property) -> Bool { !property.isOptional && !property.isCollection }
    var options: [Property.Option] = []
    if writesNil(old) || isNeverNil(old), writesNil(new) || isNeverNil(new),
      writesNil(old) || writesNil(new)
    {
      options.append(.writesNil)
    }
    if old.options.contains(.omitsEmpty) || new.options.contains(.omitsEmpty) {
      options.append(.omitsEmpty)
    }
    if old.options.contains(.byKey) { options.append(.byKey) }
    return options
  }
}

extension AttributeShape {
  /// Returns a shape that can represent the values of both; nil if this shape is a link, a set or of a type that
  /// cannot be converted.
  ///
  /// - Parameter isInexact: True if there are numbers that a Double cannot represent.
  fileprivate func joined(with other: AttributeShape, isInexact: Bool) -> AttributeShape? {
    guard target == nil, let kind = scalar?.kind else { return nil }
    if form == .scalar, kind == .json { return self }
    guard Self.joinable.contains(kind), form != .set else { return nil }
    guard form == other.form else { return .json }
    let element = other.scalar.map { Self.join(kind, $0.kind, isInexact) } ?? .json
    return switch form {
    case .list: .list(element)
    case .map: .map(element)
    default: .value(element)
    }
  }

  private static let joinable: Set<ScalarKind> = [.bool, .int, .uint64, .double, .string, .json]

  private static func join(_ old: ScalarKind, _ new: ScalarKind, _ isInexact: Bool) -> Kind {
    if Set([old, new]) == [.int, .double], !isInexact { return .double }
    guard old == new else { return .json }
    return switch old {
    case .bool: .bool
    case .int: .int
    case .uint64: .uint64
    case .double: .double
    case .string: .string
    default: .json
    }
  }
}

extension FoundValues {
  /// The offset of the first value that does not match the shape; if there is none, of the first value.
  fileprivate func offset(unlike shape: AttributeShape) -> Int? {
    firstOffset(unlike: shape) ?? firstOffsets.first()
  }

  /// The offset of the first value that does not match the shape; nil if there is none.
  fileprivate func firstOffset(unlike shape: AttributeShape) -> Int? {
    let isList = shape.form == .list || shape.form == .set
    let kind: FirstOffsets.Kind? =
      shape.target != nil || shape.form == .map
      ? .object : shape.scalar.map { offsetKind(of: $0.kind) }
    let other = isList ? firstOffsets.first(but: .array) : firstOffsets.first(but: kind)
    return other ?? (isList ? elementOffsets.first(but: kind) : nil)
  }

  private func offsetKind(of scalar: ScalarKind) -> FirstOffsets.Kind {
    scalar == .string ? .string : scalar == .bool ? .bool : .number
  }
}

extension ObjectSchema {
  /// True if objects of the file's class have the same key as those of the store. A compound key matches if each object
  /// has all of its parts.
  fileprivate func hasSameKey(as new: ObjectSchema) -> Bool {
    if compoundKey.isEmpty { return primaryKeyProperty?.name == new.primaryKeyProperty?.name }
    let names = new.primaryKeyProperty.map { [$0.name] } ?? []
    return names.allSatisfy(compoundKey.contains)
      && compoundKey.allSatisfy { new[$0].map { !$0.isOptional } ?? false }
  }

  /// Returns the attribute as it must be declared if the file's objects lack it. They always have the parts of a
  /// compound key.
  fileprivate func lackedByNew(_ property: Property) -> Property {
    compoundKey.contains(property.name) ? property : property.lackedByNew
  }
}

extension Property {
  var isCollection: Bool { shape.isCollection }

  /// Returns the attribute with the given options, limited to the three that inferred classes use.
  func with(isOptional: Bool, _ options: [Option]) -> Property {
    Property(
      name, shape, isPrimaryKey: isPrimaryKey, isOptional: isOptional && !isPrimaryKey,
      isIndexed: isIndexed,
      options: [.writesNil, .omitsEmpty, .byKey].filter { options.contains($0) })
  }

  /// The attribute as it must be declared if the file's objects lack it.
  fileprivate var lackedByNew: Property {
    isCollection
      ? with(isOptional: isOptional, options + [.omitsEmpty])
      : with(isOptional: true, options.filter { $0 != .writesNil })
  }

  /// The name of the type without `?`: nullability is never the reason for a mismatch.
  fileprivate var typeName: String {
    isCollection || !shape.isOptional ? shape.name : String(shape.name.dropLast())
  }

  fileprivate func isSame(as other: Property) -> Bool {
    shape.form == other.shape.form && type == other.type
      && objectClassName == other.objectClassName && shape.scalar?.kind == other.shape.scalar?.kind
  }
}

import ObjectStore

/// The classes of a store and those of a file as one: what the store has, and what holds both.
///
///     store     file       both
///     Int       Double     Double, or JSON if that does not hold all of them
///     Int       String     JSON: values of several types
///     List      List       the same of the elements
///     a link    a text     nothing
struct JoinedClasses {
  private(set) var schemas: [ObjectSchema]
  /// What nothing holds.
  private(set) var mistakes: [Mistake] = []
  /// Attributes whose stored values go over to other types.
  private(set) var widenings: [Widening] = []
  private let new: InferredSchema
  private let inexact: Set<String>

  struct Mistake {
    let text: String
    /// Where it stands in the file, in bytes from its beginning; nil if that is not known.
    let place: Int?
  }

  /// - Parameter inexact: Attributes, as `Class.attribute`, whose stored integers a Double does not hold.
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

  /// Objects without members came where the store has a class: they lack all that it has.
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

  /// Classes of the file whose objects are JSON in the store are none.
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

  // MARK: - Two classes of one name

  private mutating func join(_ old: ObjectSchema, _ new: ObjectSchema) -> ObjectSchema {
    if !old.isToldApart(in: new) {
      mistakes.append(keyMistake(old, new))
      return old
    }
    var properties = old.properties.map { property in
      guard let other = new[property.name] else { return old.lackedByNew(property) }
      if self.new.vague.contains("\(old.className).\(property.name)") {
        // Nil elements are no nil collection.
        return property.isCollection
          ? property : property.with(isOptional: true, Self.options(property, other))
      }
      return join(property, other, old)
    }
    for property in new.properties where old[property.name] == nil {
      // Old ones lack it.
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
      if schema.isEmbedded { return "part of other objects" }
      let names = schema.keyNames.map { "'\($0)'" }.joined(separator: ", ")
      let isMade = name == self.new.root.className && names == self.new.madeKey.map { "'\($0)'" }
      return names.isEmpty || isMade ? "without a key" : "told apart by \(names)"
    }
    let text = "objects of \(name) are \(words(old)) in the store, here "
    guard words(new) == "without a key", let key = old.primaryKeyProperty,
      let values = self.new.values["\(name).\(key.name)"]
    else { return Mistake(text: text + words(new), place: self.new.places[name]) }
    let article = key.type == .string ? "a string" : "an integer"
    return Mistake(
      text: text + "not each has \(article) as its '\(key.name)'",
      place: values.firstPlace(unlike: key.shape))
  }

  private mutating func join(
    _ old: Property, _ new: Property, _ schema: ObjectSchema
  ) -> Property {
    let fullName = "\(schema.className).\(old.name)"
    let isKey = old.isPrimaryKey || schema.compoundKey.contains(old.name)
    let values = self.new.values[fullName]
    // Null beside values is an empty collection; what is a value in the store stays one.
    let found =
      old.objectClassName == nil && new.options.contains(.byKey)
      ? values?.plain ?? new : old.isCollection ? values?.collection ?? new : new
    let isOptional = old.isOptional || found.isOptional
    let options = Self.options(old, found)
    if old.options.contains(.byKey) != found.options.contains(.byKey) {
      mistakes.append(
        Mistake(
          text: "\(fullName) is \(words(old)) in the store, here \(words(found))",
          place: values?.places.first()))
      return old
    }
    if old.isSame(as: found) { return old.with(isOptional: isOptional, options) }
    let isInexact = inexact.contains(fullName) || values?.hasInexactNumbers ?? false
    guard !isKey, let shape = old.shape.joined(with: found.shape, isInexact: isInexact)
    else {
      mistakes.append(
        Mistake(
          text: "\(fullName) is \(old.typeName) in the store, here \(new.typeName)",
          place: values?.place(unlike: old.shape)))
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
        ? "\(property.typeName), not all keys of objects that are there"
        : "\(property.typeName) in full"
  }

  /// Nil is written as null if all that is nil was null.
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
  /// What holds the values of both; nil if one has objects and the other has not.
  ///
  /// - Parameter isInexact: Whether there are numbers that a Double does not hold.
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
  /// The position of the first value that is not in the form of an attribute, or else of the first value.
  fileprivate func place(unlike shape: AttributeShape) -> Int? {
    firstPlace(unlike: shape) ?? places.first()
  }

  /// The position of the first value that is not in the form of an attribute; nil if there is none.
  fileprivate func firstPlace(unlike shape: AttributeShape) -> Int? {
    let isList = shape.form == .list || shape.form == .set
    let kind: FirstPlaces.Kind? =
      shape.target != nil || shape.form == .map
      ? .object : shape.scalar.map { placeKind(of: $0.kind) }
    let other = isList ? places.first(but: .array) : places.first(but: kind)
    return other ?? (isList ? elementPlaces.first(but: kind) : nil)
  }

  private func placeKind(of scalar: ScalarKind) -> FirstPlaces.Kind {
    scalar == .string ? .string : scalar == .bool ? .bool : .number
  }
}

extension ObjectSchema {
  /// Whether objects of a class of a file, where it says so or where each has all parts of the key, are told
  /// apart as those of the store.
  fileprivate func isToldApart(in new: ObjectSchema) -> Bool {
    if compoundKey.isEmpty { return primaryKeyProperty?.name == new.primaryKeyProperty?.name }
    let names = new.primaryKeyProperty.map { [$0.name] } ?? []
    return names.allSatisfy(compoundKey.contains)
      && compoundKey.allSatisfy { new[$0].map { !$0.isOptional } ?? false }
  }

  /// The attribute where new objects lack it; none lacks what tells it apart.
  fileprivate func lackedByNew(_ property: Property) -> Property {
    compoundKey.contains(property.name) ? property : property.lackedByNew
  }
}

extension Property {
  var isCollection: Bool { shape.isCollection }

  /// The same with other options, of the three that a class of a file has; what is optional stays so.
  func with(isOptional: Bool, _ options: [Option]) -> Property {
    Property(
      name, shape, isPrimaryKey: isPrimaryKey, isOptional: isOptional && !isPrimaryKey,
      isIndexed: isIndexed,
      options: [.writesNil, .omitsEmpty, .byKey].filter { options.contains($0) })
  }

  /// The same where new objects lack it.
  fileprivate var lackedByNew: Property {
    isCollection
      ? with(isOptional: isOptional, options + [.omitsEmpty])
      : with(isOptional: true, options.filter { $0 != .writesNil })
  }

  /// Without a word of null, which never is what does not fit.
  fileprivate var typeName: String {
    isCollection || !shape.isOptional ? shape.name : String(shape.name.dropLast())
  }

  fileprivate func isSame(as other: Property) -> Bool {
    shape.form == other.shape.form && type == other.type
      && objectClassName == other.objectClassName && shape.scalar?.kind == other.shape.scalar?.kind
  }
}

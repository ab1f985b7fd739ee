import ObjectStore

/// Classes that objects of a file can be of.
struct InferredSchema {
  /// The class of the file's objects, first, and those that it leads to.
  let classes: [ObjectSchema]
  /// The attribute of the first class that is made of an object's content, since no member tells the objects
  /// apart; nil where one does.
  let madeKey: String?
  /// Attributes of which only nulls, or only empty collections or objects, were seen, as `Class.attribute`:
  /// they can be anything.
  let vague: Set<String>
  /// What else was seen of attributes, as `Class.attribute`.
  let values: [String: FoundValues]
  /// Where the first object of each class stands in the file.
  let places: [String: Int]

  var root: ObjectSchema { classes[0] }
}

/// What was seen of an attribute that its type does not say.
struct FoundValues {
  /// Where its values stand, and the elements of those that are arrays.
  let places: FirstPlaces
  let elementPlaces: FirstPlaces
  /// Whether there are numbers that a Double does not hold.
  let hasInexactNumbers: Bool
  /// The collection that it would be if none were null or missing; nil for what is none.
  var collection: Property?
  /// What it is if the objects that its values are the keys of are not looked for; nil if they were not found.
  var plain: Property?

  init(_ shape: Shape) {
    places = shape.places
    elementPlaces = shape.elements?.places ?? FirstPlaces()
    hasInexactNumbers = shape.beyondDouble + (shape.elements?.beyondDouble ?? 0) > 0
  }
}

/// Makes classes of what was seen.
struct SchemaMaker {
  /// The shape that stands for each, where several became one class.
  private var representative: [ObjectIdentifier: ObjectShape] = [:]
  private var shapeBySign: [String: ObjectShape] = [:]
  private var nameByShape: [ObjectIdentifier: String] = [:]
  private var takenNames: Set<String> = []
  private var visited: Set<ObjectIdentifier> = []
  var classes: [ObjectSchema] = []
  private var vague: Set<String> = []
  var values: [String: FoundValues] = [:]
  private var places: [String: Int] = [:]
  var shapes: [String: ObjectShape] = [:]
  /// What the classes around are called by their keys.
  private var path: [String] = []
  /// Where the store says what objects are; nil where the file does.
  private var stored: StoredShapes?

  /// - Parameters:
  ///   - name: What the class of the file's objects is called.
  ///   - key: The member that tells them apart; nil for the one that looks like it.
  ///   - compoundKey: The members that tell them apart in the store; empty if one does, or it has none.
  ///   - links: Where values that are keys of other objects become links: the keys that a store has besides,
  ///     by class; nil where they stay what they are.
  ///   - stored: What the file has of the classes of a store that says what they are.
  /// - Throws: `CommandError` for a key that is none.
  static func schema(
    of root: ObjectShape, named name: String, key: String? = nil, compoundKey: [String] = [],
    links: StoredKeys? = nil, stored: StoredShapes? = nil
  ) throws -> InferredSchema {
    if let key {
      guard let member = root[key], root.isKey(member) else {
        throw CommandError(
          text:
            "'\(key)' is no key of \(name): not each object has an integer, or each a text, there")
      }
    }
    if root.members.isEmpty {
      throw CommandError(text: "the objects have no member of which a class could be made")
    }
    func isKey(_ name: String) -> Bool { root[name].map { root.isKey($0) } ?? false }
    let hasParts = !compoundKey.isEmpty && compoundKey.allSatisfy(isKey)
    // Of two objects with one key the later one counts, so they need not be the same.
    let found = key ?? (hasParts ? nil : KeySamples.names.first(where: isKey))
    var maker = SchemaMaker()
    maker.stored = stored
    let shapes = stored?.shapes ?? [name: root]
    let root = shapes[name] ?? root
    maker.takenNames = Set(shapes.keys)
    repeat {
      maker.visited = Set(shapes.values.map { ObjectIdentifier($0) })
      maker.shapeBySign = [:]
    } while shapes.sorted(by: { $0.key < $1.key })
      .contains { maker.join($0.value, inside: [$0.key]) }
    var madeKey: String?
    if found == nil, !hasParts {
      madeKey = ClassNames.unique("_key") { root[$0] != nil }
    }
    maker.nameByShape[ObjectIdentifier(root)] = name
    maker.path = [name]
    maker.make(root, name, key: found, madeKey: madeKey)
    // The root was made last, since it leads to the others.
    maker.classes.reverse()
    if let links { maker.link(links) }
    return InferredSchema(
      classes: maker.classes, madeKey: madeKey, vague: maker.vague,
      values: maker.values, places: maker.places)
  }

  private init() {}

  // MARK: - One class for what has one name

  /// Joins shapes of one name that have a key in common, or all members; true if that made a difference.
  private mutating func join(_ shape: ObjectShape, inside names: [String]) -> Bool {
    for member in shape.members {
      for (child, isPlural) in member.shape.nestedObjects where !child.isMap {
        let child = resolved(child)
        let name = ClassNames.name(member.name, isPlural: isPlural)
        if child.isVaried || names.contains(name) { continue }
        for sign in signs(of: child, name) {
          if let known = shapeBySign[sign].map(resolved), known !== child {
            known.merge(child)
            representative[ObjectIdentifier(child)] = known
            return true
          }
          shapeBySign[sign] = child
        }
        if visited.insert(ObjectIdentifier(child)).inserted,
          join(child, inside: names + [name])
        {
          return true
        }
      }
    }
    return false
  }

  /// What shapes of one class have in common with each other alone.
  private func signs(of shape: ObjectShape, _ name: String) -> [String] {
    let key = shape.key.map { ["\(name) key \($0)"] } ?? []
    return key + ["\(name) \(shape.members.map(\.name).sorted())"]
  }

  private func resolved(_ shape: ObjectShape) -> ObjectShape {
    var shape = shape
    while let other = representative[ObjectIdentifier(shape)] { shape = other }
    return shape
  }

  // MARK: - Classes

  private mutating func make(
    _ shape: ObjectShape, _ name: String, key: String?, madeKey: String? = nil
  ) {
    var properties: [Property] = []
    if let madeKey { properties.append(Property(madeKey, .string, isPrimaryKey: true)) }
    for member in shape.members {
      properties.append(property(member, of: shape, in: name, isKey: member.name == key))
    }
    places[name] = shape.firstPlace
    shapes[name] = shape
    classes.append(
      ObjectSchema(
        name, properties, isEmbedded: key == nil && madeKey == nil))
  }

  private mutating func property(
    _ member: ObjectShape.Member, of owner: ObjectShape, in className: String, isKey: Bool
  ) -> Property {
    let shape = member.shape
    let absent = owner.count - member.count
    let fullName = "\(className).\(member.name)"
    values[fullName] = FoundValues(shape)
    if isKey {
      return Property(
        member.name, shape.strings > 0 ? .string : .int, isPrimaryKey: true)
    }
    let link = stored?.links[fullName]
    let found = link.map { storedLink($0) } ?? attribute(member.name, shape, in: className)
    if shape.isVague, link == nil { vague.insert(fullName) }
    var options: [Property.Option] = []
    if found.isCollection {
      let hasNullElements = found.scalar?.kind != .json && shape.elements?.nulls ?? 0 > 0
      // Nothing, null and empty are one for a collection.
      if shape.nulls > 0 || absent > 0 && shape.emptyCount > 0 {
        values[fullName]?.collection = Property(
          member.name, found, isOptional: hasNullElements, options: [.omitsEmpty])
        return Property(
          member.name, .json, isOptional: true, options: absent == 0 ? [.writesNil] : [])
      }
      if absent > 0 { options.append(.omitsEmpty) }
      return Property(member.name, found, isOptional: hasNullElements, options: options)
    }
    let isOptional = shape.nulls + absent > 0 || shape.kindCount == 0
    if shape.nulls > 0, absent == 0 { options.append(.writesNil) }
    let isLink = found.form == .link
    return Property(
      member.name, found, isOptional: isOptional || isLink, options: options)
  }

  /// What the store says a link is; its class is made of what the file has of it.
  private mutating func storedLink(_ link: Property) -> AttributeShape {
    if let name = link.objectClassName, let shape = stored?.shapes[name],
      nameByShape.updateValue(name, forKey: ObjectIdentifier(shape)) == nil
    {
      path.append(name)
      make(shape, name, key: stored?.key(of: name))
      path.removeLast()
    }
    return link.shape
  }

  /// What an attribute is, of which these values were seen.
  private mutating func attribute(
    _ name: String, _ shape: Shape, in className: String
  ) -> AttributeShape {
    guard shape.kindCount == 1 else { return .json }
    if shape.arrays > 0 { return list(name, shape.element, in: className) }
    if let object = shape.object { return self.object(name, object, in: className) }
    return shape.valueKind.map { .value($0) } ?? .json
  }

  private mutating func list(
    _ name: String, _ element: Shape?, in className: String
  ) -> AttributeShape {
    guard let element, element.kindCount == 1 else { return .list(.json) }
    if let kind = element.valueKind { return .list(kind) }
    guard let object = element.object, element.nulls == 0, !object.isMap,
      let target = target(name, object, isPlural: true, in: className)
    else { return .list(.json) }
    return .list(target)
  }

  private mutating func object(
    _ name: String, _ object: ObjectShape, in className: String
  ) -> AttributeShape {
    guard object.isMap else {
      return target(name, object, isPlural: false, in: className).map { .object($0) } ?? .json
    }
    guard let value = object.mapValue, value.kindCount == 1, value.nulls == 0 else {
      return .map(.json)
    }
    if let kind = value.valueKind { return .map(kind) }
    guard let object = value.object, !object.isMap,
      let target = target(name, object, isPlural: true, in: className)
    else { return .map(.json) }
    return .map(target)
  }

  /// The class of objects; nil for those that are kept as JSON.
  private mutating func target(
    _ name: String, _ shape: ObjectShape, isPlural: Bool, in className: String
  ) -> String? {
    let shape = resolved(shape)
    if let known = nameByShape[ObjectIdentifier(shape)] { return known }
    if shape.isVaried || shape.isMap { return nil }
    let base = ClassNames.name(name, isPlural: isPlural)
    // Of what is nested in itself nobody knows how deep it goes.
    if path.contains(base) { return nil }
    path.append(base)
    defer { path.removeLast() }
    let unique =
      takenNames.contains(base)
      ? ClassNames.unique(className + base) { takenNames.contains($0) } : base
    takenNames.insert(unique)
    nameByShape[ObjectIdentifier(shape)] = unique
    make(shape, unique, key: shape.key)
    return unique
  }
}

extension Shape {
  /// The kind of plain values, if all are of one; nil for objects, arrays, and values of several.
  var valueKind: AttributeShape.Kind? {
    guard kindCount == 1, arrays == 0, object == nil else { return nil }
    if bools > 0 { return .bool }
    if strings > 0 { return .string }
    if hugeIntegers > 0 || fractions > 0 && beyondDouble > 0 { return nil }
    if largeNaturals > 0 { return fractions > 0 || negatives > 0 ? nil : .uint64 }
    return fractions > 0 ? .double : .int
  }

  /// What stands in the collection: an array's elements, a map's values.
  var elements: Shape? {
    if arrays > 0 { return element }
    return object.flatMap { $0.isMap ? $0.mapValue : nil }
  }

  /// Whether it says nothing of its type: only nulls, empty arrays, empty objects.
  var isVague: Bool {
    kindCount == 0 || arrays > 0 && kindCount == 1 && arrays == emptyArrays
      || kindCount == 1 && object?.members.isEmpty ?? false
  }

  /// How many of the collections were empty.
  var emptyCount: Int {
    emptyArrays + (object.map { $0.emptyCount } ?? 0)
  }

  /// The objects in it, and whether they are several.
  fileprivate var nestedObjects: [(ObjectShape, isPlural: Bool)] {
    guard kindCount == 1 else { return [] }
    if let object {
      guard object.isMap else { return [(object, false)] }
      return object.mapValue?.object.map { [($0, true)] } ?? []
    }
    return element?.object.map { [($0, true)] } ?? []
  }
}

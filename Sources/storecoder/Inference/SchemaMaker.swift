import ObjectStore
import StoreCoding

/// Derives classes from the shapes found in a file.
struct SchemaMaker {
  /// The shape into which each merged shape was merged.
  private var representative: [ObjectIdentifier: ObjectShape] = [:]
  private var shapeBySignature: [String: SignedShape] = [:]
  /// True if two shapes were merged in this walk.
  private var hasJoined = false
  private var nameByShape: [ObjectIdentifier: String] = [:]
  private var takenNames: Set<String> = []
  private var visited: Set<ObjectIdentifier> = []
  var classes: [ObjectSchema] = []
  private var vague: Set<String> = []
  var values: [ExactString: FoundValues] = [:]
  private var firstOffsets: [String: Int] = [:]
  var shapes: [String: ObjectShape] = [:]
  /// The names of the enclosing classes.
  private var path: [String] = []
  /// The file's shapes, grouped by the classes of the store; nil if only the file determines the classes.
  private var stored: StoredShapes?
  /// True to represent objects in wrappers without a class for the wrapper.
  private var unwraps = false
  private var wrapperPaths: [String: String] = [:]

  /// - Parameters:
  ///   - name: The name of the class of the file's objects.
  ///   - key: The member that is their key; nil to choose one by its name.
  ///   - compoundKey: The parts of their compound key in the store; empty if they have none.
  ///   - links: The keys of the objects in the store, by class, if values that are keys of other objects become links;
  ///     nil to keep them as values.
  ///   - stored: The file's shapes, grouped by the classes of the store, if the store determines the classes.
  ///   - unwraps: True to represent objects in wrappers, such as `{"edges": [{"node": {…}}]}`, without a class for the
  ///     wrapper.
  /// - Throws: `CommandError` for a member that cannot be the key.
  static func schema(
    of root: ObjectShape, named name: String, key: String? = nil, compoundKey: [String] = [],
    links: StoredKeys? = nil, stored: StoredShapes? = nil, unwraps: Bool = false
  ) throws -> InferredSchema {
    if let key {
      guard let member = root[key], root.isKey(member) else {
        throw CommandError(
          text:
            "'\(key)' cannot be the key of \(name): it must be an integer in each object, or a string in each"
        )
      }
    }
    if root.members.isEmpty {
      throw CommandError(text: "the objects have no members to make a class of")
    }
    func isKey(_ name: String) -> Bool { root[name].map { root.isKey($0) } ?? false }
    let hasParts = !compoundKey.isEmpty && compoundKey.allSatisfy(isKey)
    // Objects with the same key are merged, so they need not be equal.
    let found = key ?? (hasParts ? nil : KeySamples.names.first(where: isKey))
    var maker = SchemaMaker()
    maker.stored = stored
    maker.unwraps = unwraps
    let shapes = stored?.shapes ?? [name: root]
    let root = shapes[name] ?? root
    maker.takenNames = Set(shapes.keys)
    repeat {
      maker.visited = Set(shapes.values.map { ObjectIdentifier($0) })
      maker.shapeBySignature = [:]
      maker.hasJoined = false
      for (name, shape) in shapes.sorted(by: { $0.key < $1.key }) {
        maker.join(shape, inside: [name])
      }
    } while maker.hasJoined
    var syntheticKey: String?
    if found == nil, !hasParts {
      syntheticKey = SwiftNames.unique("_key") { root[$0] != nil }
    }
    maker.nameByShape[ObjectIdentifier(root)] = name
    maker.path = [name]
    maker.make(root, name, key: found, syntheticKey: syntheticKey)
    // The root was made last, after the classes that it links to.
    maker.classes.reverse()
    if let links { maker.link(links) }
    return InferredSchema(
      classes: maker.classes, syntheticKey: syntheticKey, vague: maker.vague,
      values: maker.values, firstOffsets: maker.firstOffsets, shapes: maker.shapes,
      wrapperPaths: maker.wrapperPaths)
  }

  private init() {}

  // MARK: - Merging shapes of the same name

  /// A shape, and the number of its members when its signature was recorded.
  private struct SignedShape {
    let shape: ObjectShape
    let memberCount: Int
  }

  /// Merges shapes of the same name that have the same key attribute, or the same members.
  ///
  /// The next walk visits the contents of a merged shape, because they may match shapes that this walk has passed.
  /// Walks are few: a merge leads to others only at a deeper level.
  private mutating func join(_ shape: ObjectShape, inside names: [String]) {
    for member in shape.members {
      let list = unwraps ? wrappedList(member, of: shape, inside: names) : nil
      for (child, isPlural) in (list?.shape ?? member.shape).nestedObjects where !child.isMap {
        let child = resolved(child)
        let name = ClassNames.name(list?.typeName ?? member.name, isPlural: isPlural)
        if child.isVaried || names.contains(name) { continue }
        if let known = known(child, name) {
          known.merge(child, resolving: resolved)
          representative[ObjectIdentifier(child)] = known
          hasJoined = true
        } else if visited.insert(ObjectIdentifier(child)).inserted {
          join(child, inside: names + [name])
        }
      }
    }
  }

  /// Returns an earlier shape of the same class; nil if there is none, and the shape is now known itself.
  private mutating func known(_ shape: ObjectShape, _ name: String) -> ObjectShape? {
    let key = shape.key
    let byKey = key.map { "\(name) key \($0)" }
    let byMembers = "\(name) \(shape.members.map(\.name).sorted())"
    for signature in [byKey, byMembers] {
      guard let signature else { continue }
      if let entry = shapeBySignature[signature] {
        let known = resolved(entry.shape)
        // A merge may have changed the shape. Members are only added.
        let isCurrent =
          signature == byKey ? known.key == key : known.members.count == entry.memberCount
        if known !== shape, isCurrent { return known }
      }
      shapeBySignature[signature] = SignedShape(shape: shape, memberCount: shape.members.count)
    }
    return nil
  }

  func resolved(_ shape: ObjectShape) -> ObjectShape {
    var shape = shape
    while let other = representative[ObjectIdentifier(shape)] { shape = other }
    return shape
  }

  // MARK: - Classes

  private mutating func make(
    _ shape: ObjectShape, _ name: String, key: String?, syntheticKey: String? = nil
  ) {
    var properties: [Property] = []
    if let syntheticKey { properties.append(Property(syntheticKey, .string, isPrimaryKey: true)) }
    for member in shape.members {
      properties.append(property(member, of: shape, in: name, isKey: member.name == key))
    }
    firstOffsets[name] = shape.firstOffset
    shapes[name] = shape
    classes.append(
      ObjectSchema(
        name, properties, isEmbedded: key == nil && syntheticKey == nil))
  }

  private mutating func property(
    _ member: ObjectShape.Member, of owner: ObjectShape, in className: String, isKey: Bool
  ) -> Property {
    let fullName = "\(className).\(member.name)"
    var (shape, typeName) = (member.shape, member.name)
    if unwraps, !isKey, let list = wrappedList(member, of: owner, inside: path) {
      (shape, typeName) = (list.shape, list.typeName)
      wrapperPaths[fullName] = list.path
    }
    let absent = owner.count - member.count
    values[ExactString(fullName)] = FoundValues(shape)
    if isKey {
      return Property(
        member.name, shape.strings > 0 ? .string : .int, isPrimaryKey: true)
    }
    let link = stored?.links[fullName]
    let found = link.map { storedLink($0) } ?? attribute(typeName, shape, in: className)
    if shape.isVague, link == nil { vague.insert(fullName) }
    var options: [Property.Option] = []
    if found.isCollection {
      let hasNullElements = found.scalar?.kind != .json && shape.elements?.nulls ?? 0 > 0
      // A collection does not distinguish missing, null and empty, so an attribute that needs the distinction
      // becomes JSON.
      if shape.nulls > 0 || absent > 0 && shape.emptyCount > 0 {
        values[ExactString(fullName)]?.collection = Property(
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

  /// Returns the shape of a link declared in the store, and creates its class from the objects in the file.
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

  /// Returns the shape of an attribute with these values.
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

  /// Returns the class name of nested objects; nil if they are kept as JSON.
  private mutating func target(
    _ name: String, _ shape: ObjectShape, isPlural: Bool, in className: String
  ) -> String? {
    let shape = resolved(shape)
    if let known = nameByShape[ObjectIdentifier(shape)] { return known }
    if shape.isVaried || shape.isMap { return nil }
    let base = ClassNames.name(name, isPlural: isPlural)
    // Objects nested in objects of the same name can reach any depth, so they are kept as JSON.
    if path.contains(base) { return nil }
    path.append(base)
    defer { path.removeLast() }
    let unique =
      takenNames.contains(base)
      ? SwiftNames.unique(className + base) { takenNames.contains($0) } : base
    takenNames.insert(unique)
    nameByShape[ObjectIdentifier(shape)] = unique
    make(shape, unique, key: shape.key)
    return unique
  }
}

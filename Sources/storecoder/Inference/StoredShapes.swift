import ObjectStore

/// What a file has of the classes of a store, however deep it stands: what `export` wrote of objects whose
/// links lead in circles. The store says what tells them apart, and where links are.
struct StoredShapes {
  /// All that was seen of a class, in any place. What a link of the store leads to is left out there.
  private(set) var shapes: [String: ObjectShape] = [:]
  /// The links of the store, as `Class.attribute`.
  private(set) var links: [String: Property] = [:]
  private let classes: [String: ObjectSchema]

  /// Nil where the file has something else than the store has links, or two objects with one key.
  init?(of root: ObjectShape, named name: String, in schemas: [ObjectSchema]) {
    classes = Dictionary(
      schemas.map { ($0.className, $0) }, uniquingKeysWith: { first, _ in first })
    guard let schema = classes[name], collect(root, schema) else { return nil }
    for (className, shape) in shapes {
      guard let key = key(of: className), let parts = shape.keys.first(named: key)?.parts else {
        continue
      }
      // Of the file's own objects the later one counts.
      if parts.hasConflict, className != name { return nil }
      if parts.isComplete { shape.leaveOut(parts.aloneCount) }
    }
  }

  /// The attribute that tells a class's objects apart; nil for parts of others.
  func key(of className: String) -> String? { classes[className]?.primaryKeyProperty?.name }

  /// Whether links lead from a class back to itself, of which an object is written once.
  static func haveCircles(_ schemas: [ObjectSchema]) -> Bool {
    var targets: [String: [String]] = [:]
    for schema in schemas {
      targets[schema.className] = schema.properties.filter { !$0.options.contains(.byKey) }
        .compactMap(\.objectClassName)
    }
    return targets.keys.contains { start in
      var reached: Set<String> = []
      var rest = targets[start] ?? []
      while let name = rest.popLast() {
        if reached.insert(name).inserted { rest += targets[name] ?? [] }
      }
      return reached.contains(start)
    }
  }

  // MARK: - Collecting

  /// False where something does not fit the store.
  private mutating func collect(_ shape: ObjectShape, _ schema: ObjectSchema) -> Bool {
    var targets: [(ObjectShape, ObjectSchema)] = []
    for member in shape.members {
      guard let property = schema[member.name], !property.options.contains(.byKey),
        let target = property.objectClassName.flatMap({ classes[$0] })
      else { continue }
      links["\(schema.className).\(member.name)"] = property
      if member.shape.kindCount == 0 { continue }
      guard let values = Self.values(of: member.shape, as: property.shape.form) else {
        return false
      }
      if values.count == 0 { continue }
      guard values.kindCount == 1, let objects = values.object, Self.fits(objects, target) else {
        return false
      }
      targets.append((objects, target))
    }
    let all = shapes[schema.className] ?? ObjectShape()
    shapes[schema.className] = all
    all.merge(shape) { links["\(schema.className).\($0)"] != nil }
    return targets.allSatisfy { collect($0, $1) }
  }

  /// What stands for objects; nil if it is not in this form.
  private static func values(of shape: Shape, as form: AttributeShape.Form) -> Shape? {
    guard shape.kindCount == 1 else { return nil }
    switch form {
    case .list, .set:
      guard shape.arrays > 0, shape.element?.nulls ?? 0 == 0 else { return nil }
      return shape.element ?? Shape()
    case .map:
      guard let object = shape.object else { return nil }
      return object.members.isEmpty ? Shape() : object.mapValue
    default: return shape
    }
  }

  /// Whether each of the objects has the key of a class.
  private static func fits(_ objects: ObjectShape, _ target: ObjectSchema) -> Bool {
    guard let key = target.primaryKeyProperty else { return target.isEmbedded }
    guard let member = objects[key.name], objects.isKey(member),
      objects.keys.first(named: key.name) != nil
    else { return false }
    return key.type == (member.shape.strings > 0 ? .string : .int)
  }
}

extension [KeySamples] {
  func first(named name: String) -> KeySamples? { first { $0.name == name } }
}

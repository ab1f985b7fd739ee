import ObjectStore

/// The shapes of a file's objects at any depth, grouped by the classes of a store. Used for exports of cyclic
/// links: the schema of the store determines the keys and the links.
struct StoredShapes {
  /// The merged shape of each class. Linked objects are only counted in it; their members are in the shape of their
  /// class.
  private(set) var shapes: [String: ObjectShape] = [:]
  /// The links of the store, as `Class.attribute`.
  private(set) var links: [String: Property] = [:]
  private let classes: [String: ObjectSchema]

  /// Returns nil if values in the file do not match the links of the store, or if two different objects have the
  /// same key.
  init?(of root: ObjectShape, named name: String, in schemas: [ObjectSchema]) {
    classes = Dictionary(
      schemas.map { ($0.className, $0) }, uniquingKeysWith: { first, _ in first })
    guard let schema = classes[name], collect(root, schema) else { return nil }
    for (className, shape) in shapes {
      guard let key = key(of: className), let parts = shape.keys.first(named: key)?.parts else {
        continue
      }
      // The file's own objects with the same key are merged.
      if parts.hasConflict, className != name { return nil }
      if parts.isComplete { shape.leaveOut(parts.aloneCount) }
    }
  }

  /// The primary key of a class; nil if it has none.
  func key(of className: String) -> String? { classes[className]?.primaryKeyProperty?.name }

  /// True if links other than those by key lead from a class back to itself.
  static func haveCycles(_ schemas: [ObjectSchema]) -> Bool {
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

  /// Merges a shape and the targets of its links. Returns false if one does not match the store.
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

  /// Returns the shape of the linked objects; nil if the values do not have this form.
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

  /// True if objects can belong to a class: each has its key, or the class is embedded.
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

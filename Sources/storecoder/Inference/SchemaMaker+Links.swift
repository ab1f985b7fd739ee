import ObjectStore

/// The classes of a store that have keys, and hashes of the keys of their objects.
typealias StoredKeys = [String: (schema: ObjectSchema, keys: Set<Int>)]

// Where names say so: values that are keys of other objects become links.

extension SchemaMaker {
  /// Makes links of the attributes all of whose values are keys of objects that the file or the store has.
  mutating func link(_ stored: StoredKeys) {
    for index in classes.indices {
      let schema = classes[index]
      let properties = schema.properties.map { property in
        guard let target = target(of: property, in: schema.className, stored) else {
          return property
        }
        values["\(schema.className).\(property.name)"]?.plain = property
        return Property(
          property.name, property.isCollection ? .list(target) : .object(target),
          isOptional: !property.isCollection,
          options: property.options + [.byKey])
      }
      classes[index] = schema.with(properties)
    }
  }

  /// The class that the values are keys of; nil if they are not.
  private func target(
    of property: Property, in className: String, _ stored: StoredKeys
  ) -> String? {
    let isValue =
      property.shape.form == .scalar || property.shape.form == .list && !property.isOptional
    guard isValue, !property.isPrimaryKey,
      let found = shapes[className]?[property.name]?.references?.places, !found.isEmpty
    else { return nil }
    return ClassNames.targets(of: property.name).first { name in
      let schema = classes.first { $0.className == name } ?? stored[name]?.schema
      guard let key = schema?.primaryKeyProperty, key.type == property.type else { return false }
      let keys = shapes[name]?.keys.first { $0.name == key.name }?.places ?? [:]
      // The file's own objects have its order: none may be made before its turn.
      let isOrdered = name == classes.first?.className
      return found.allSatisfy { value, place in
        if stored[name]?.keys.contains(value) ?? false { return true }
        return keys[value].map { !isOrdered || $0 < place } ?? false
      }
    }
  }
}

import ObjectStore

/// The classes of a store that have keys, and hashes of the keys of their objects.
typealias StoredKeys = [String: (schema: ObjectSchema, keys: Set<Int>)]

// Turns values that are keys of other objects into links, if the names of the members suggest it.

extension SchemaMaker {
  /// Turns attributes into links if all of their values are keys of objects in the file or the store.
  mutating func link(_ stored: StoredKeys) {
    for index in classes.indices {
      let schema = classes[index]
      let properties = schema.properties.map { property in
        guard let target = target(of: property, in: schema.className, stored) else {
          return property
        }
        values[ExactString("\(schema.className).\(property.name)")]?.plain = property
        return Property(
          property.name, property.shape.isCollection ? .list(target) : .object(target),
          isOptional: !property.shape.isCollection,
          options: property.options + [.byKey])
      }
      classes[index] = schema.with(properties)
    }
  }

  /// Returns the class to whose keys all values belong; nil if there is none.
  private func target(
    of property: Property, in className: String, _ stored: StoredKeys
  ) -> String? {
    let isValue =
      property.shape.form == .scalar || property.shape.form == .list && !property.isOptional
    guard isValue, !property.isPrimaryKey,
      let found = shapes[className]?[property.name]?.references?.offsets, !found.isEmpty
    else { return nil }
    return ClassNames.targets(of: property.name).first { name in
      let schema = classes.first { $0.className == name } ?? stored[name]?.schema
      guard let key = schema?.primaryKeyProperty, key.type == property.type else { return false }
      let keys = shapes[name]?.keys.first { $0.name == key.name }?.offsets ?? [:]
      // The file's own objects are stored in file order, so a reference must not create an object that comes later.
      let isOrdered = name == classes.first?.className
      return found.allSatisfy { value, offset in
        if stored[name]?.keys.contains(value) ?? false { return true }
        return keys[value].map { !isOrdered || $0 < offset } ?? false
      }
    }
  }
}

extension FileClass {
  /// A schema that describes the class as the file stores it.
  ///
  /// - Parameter names: The names of the classes in the file. Attributes that refer to any other class are omitted: no
  ///   object of such a class was ever written.
  func schema(among names: Set<String>) -> ObjectSchema {
    let known = attributes.filter { $0.target.map(names.contains) ?? true }
    let properties = known.map { attribute in
      var shape = attribute.shape
      shape.isOptional = false
      return Property(
        attribute.name, shape, isPrimaryKey: attribute.isPrimaryKey,
        isOptional: attribute.isOptional, isIndexed: attribute.isIndexed)
    }
    return ObjectSchema(
      name, properties, isEmbedded: identity == .embedded,
      compoundKey: keyParts.map { attributes[$0].name },
      tracksEdits: names.contains(name + ObjectSchema.baseSuffix))
  }
}

extension FileClass {
  /// What a class would say of itself that is as the file has it.
  ///
  /// - Parameter names: the classes there are: attributes that lead to another one, of which no object was
  ///   ever written, are left out.
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
      compoundKey: keyParts.map { attributes[$0].name })
  }
}

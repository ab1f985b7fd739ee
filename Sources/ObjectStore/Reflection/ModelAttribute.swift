/// An attribute of a class, and the location of its wrapper in objects.
struct ModelAttribute: Sendable {
  let property: Property
  /// The byte offset of the wrapper inside the object.
  let offset: Int
  let wrapper: any PersistedWrapper.Type

  init(_ property: Property, offset: Int, wrapper: any PersistedWrapper.Type) {
    self.property = property
    self.offset = offset
    self.wrapper = wrapper
  }
}

/// An attribute found by reflection, and the location of its wrapper.
struct ReflectedAttribute {
  let property: Property
  let offset: Int
  let wrapper: any PersistedWrapper.Type

  /// Returns the attribute with the property from its schema.
  func attribute(_ property: Property) -> ModelAttribute {
    ModelAttribute(property, offset: offset, wrapper: wrapper)
  }
}

/// An attribute of a class, and how its objects reach it.
struct ModelAttribute: Sendable {
  let property: Property
  /// Byte offset of the wrapper inside the object.
  let offset: Int
  let wrapper: any PersistedWrapper.Type

  init(_ property: Property, offset: Int, wrapper: any PersistedWrapper.Type) {
    self.property = property
    self.offset = offset
    self.wrapper = wrapper
  }
}

/// An attribute that reflection found, and where its wrapper stands.
struct ReflectedAttribute {
  let property: Property
  let offset: Int
  let wrapper: any PersistedWrapper.Type

  /// The same with the property as its schema has it.
  func attribute(_ property: Property) -> ModelAttribute {
    ModelAttribute(property, offset: offset, wrapper: wrapper)
  }
}

/// An attribute of a mapped value and its new value.
public struct FieldValue<Value: MappedPersistable>: PropertyValueType {
  public let propertyValuePair: PropertyValuePair

  /// Creates an attribute with its new value for an update: `.set(\.realName, "Anthony Stark")`.
  /// - Precondition: The mapping has a field for the attribute, with the same type in the store.
  public static func set<Attribute>(
    _ keyPath: WritableKeyPath<Value, Attribute>, _ attribute: Attribute
  ) -> FieldValue {
    FieldValue(propertyValuePair: (Value.names(keyPath).joined(separator: "."), attribute))
  }
}

/// The type for values without partial updates.
public enum DefaultPropertyValue: PropertyValueType {
  /// Never called, because the type has no instances.
  public var propertyValuePair: PropertyValuePair {
    switch self {}
  }
}

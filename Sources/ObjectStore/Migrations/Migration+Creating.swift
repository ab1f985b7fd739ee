extension Migration {
  /// Creates an object from the values of an update. Attributes that the update lacks take their defaults.
  ///
  /// Nested dictionaries also create objects: they are not matched with existing objects by key.
  /// - Throws: `unknownClass`, `embeddedAlone`; `unknownAttribute`, `typeMismatch`, `outOfRange`,
  ///   `nullForNonOptional`.
  @discardableResult
  public func create(_ className: String, _ value: UpdateDictionary = [:]) throws -> DynamicObject {
    let sides = try open()
    let new = sides.new
    let entry = try new.entry(named: className)
    if isUndescribed(sides.classes[entry.table]) {
      throw StoreError(.unknownClass(name: className, suggestion: nil))
    }
    if entry.schema.isEmbedded { throw StoreError(.embeddedAlone(className: className)) }
    return try new.create(in: entry, value, .error)
  }
}

extension Migration {
  /// All objects of a class as they are to be, live, in order of insertion.
  /// - Throws: `unknownClass`.
  public func objects(_ className: String) throws -> Results<DynamicObject> {
    let new = try open().new
    return Results(new, try new.entry(named: className))
  }

  /// A new object of a class, with the values of an update; what it lacks has its default.
  ///
  /// Dictionaries inside of it are new objects, too: none is found by its key.
  /// - Throws: `unknownClass`, `embeddedAlone`; `unknownAttribute`, `typeMismatch`, `outOfRange`,
  ///   `nullForNonOptional`.
  @discardableResult
  public func create(_ className: String, _ value: UpdateDictionary = [:]) throws -> DynamicObject {
    let sides = try open()
    let new = sides.new
    let entry = try new.entry(named: className)
    if isOnlyNamed(sides.classes[entry.table]) {
      throw StoreError(.unknownClass(name: className, suggestion: nil))
    }
    if entry.schema.isEmbedded { throw StoreError(.embeddedAlone(className: className)) }
    return try new.create(in: entry, value, .error)
  }
}

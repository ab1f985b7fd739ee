extension Migration {
  /// Returns live results with the objects of a class in the migrated store, in order of insertion.
  /// - Throws: `unknownClass`.
  public func objects(_ className: String) throws -> Results<DynamicObject> {
    let new = try open().new
    return Results(new, try new.entry(named: className))
  }
}

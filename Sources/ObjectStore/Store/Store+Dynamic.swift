// Classes by name: those that only a schema describes, and declared ones that the store has met.

extension Store {
  /// The classes that this store knows: those of the schemas it was given, and the declared ones it has
  /// met, in the order in which they came.
  public var schemas: [ObjectSchema] { handle.core.allEntries().map(\.schema) }

  /// All objects of the class with this name, live, in order of insertion.
  ///
  ///     let user = ObjectSchema("User", [Property("id", .int, isPrimaryKey: true)])
  ///     let store = try Store(configuration: .inMemory(), schemas: [user])
  ///     for user in try store.objects(dynamic: "User") { print(user["id"] as? Int ?? 0) }
  ///
  /// - Throws: `unknownClass` for a name that neither a schema nor a class met so far has.
  /// - Complexity: O(1).
  public func objects(
    // Without a second parameter the compiler reports a mistake in the closure of `objects(Animal.self).where`
    // as a missing label of this call (Swift 6.3.1).
    dynamic className: String, _: Void = ()
  ) throws -> Results<DynamicObject> {
    Results(handle, try handle.entry(named: className))
  }

  /// The object of the class with this name that has this primary key; nil if there is none.
  ///
  /// - Throws: `unknownClass`; `noPrimaryKey`; `typeMismatch` for a key of another type than the
  ///   class's, where integers of all widths are one type.
  /// - Complexity: O(1).
  public func object<Key: ObjectKey>(
    dynamic className: String, forPrimaryKey key: Key
  ) throws -> DynamicObject? {
    let entry = try handle.entry(named: className)
    if let error = entry.mismatch(ofKey: key) { throw error }
    return handle.object(of: key, entry)
  }

  /// An object of the class with this name, with the values of an update: a new one, or, by its key,
  /// the existing one with just the named attributes changed.
  ///
  /// Attributes of a new object that the update lacks are null, or zero, empty, the beginning of 1970;
  /// a key that is a UUID is made.
  /// - Throws: `unknownClass`; `embeddedAlone` for a class whose objects others own; and what ``create(_:value:update:)-(_,UpdateDictionary,_)`` throws.
  @discardableResult
  public func create(
    dynamic className: String, value: UpdateDictionary = [:], update: UpdatePolicy = .error
  ) throws -> DynamicObject {
    let entry = try handle.entry(named: className)
    if entry.schema.isEmbedded { throw StoreError(.embeddedAlone(className: className)) }
    return try handle.create(in: entry, value, update)
  }
}

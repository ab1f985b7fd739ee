// Access to classes by name: classes that only a schema describes, and declared classes that the store knows.

extension Store {
  /// The classes that this store knows, in the order in which they were registered: those of the schemas that it was
  /// opened with, and the declared classes used so far.
  public var schemas: [ObjectSchema] {
    handle.core.allEntries().filter { !$0.isBase }.map(\.schema)
  }

  /// Returns live results with all objects of the class with this name, in order of insertion.
  ///
  ///     let user = ObjectSchema("User", [Property("id", .int, isPrimaryKey: true)])
  ///     let store = try Store(configuration: .inMemory(), schemas: [user])
  ///     for user in try store.objects(dynamic: "User") { print(user["id"] as? Int ?? 0) }
  ///
  /// - Throws: `unknownClass` if neither a schema nor a class used so far has this name. A declared class is found by
  ///   its ``ObjectBase/tableName``.
  /// - Complexity: O(1).
  public func objects(
    // Without a second parameter the compiler (Swift 6.3.1) reports an error in the closure of
    // `objects(Animal.self).where` as a missing label of this call.
    dynamic className: String, _: Void = ()
  ) throws -> Results<DynamicObject> {
    Results(handle, try handle.entry(named: className))
  }

  /// Returns the object of the class with this name that has this primary key, or nil if there is none.
  ///
  /// - Throws: `unknownClass`; `noPrimaryKey`; `typeMismatch` for a key whose type differs from that of the class's
  ///   key. Integer types of all widths count as one type.
  /// - Complexity: O(1).
  public func object<Key: ObjectKey>(
    dynamic className: String, forPrimaryKey key: Key
  ) throws -> DynamicObject? {
    let entry = try handle.entry(named: className)
    if let error = entry.mismatch(ofKey: key) { throw error }
    return handle.object(of: key, entry)
  }

  /// Creates an object of the class with this name, or updates the existing object with the same key.
  ///
  /// An update of an existing object changes only the named attributes. Attributes of a new object that the update
  /// lacks take the defaults of the declared class. In a class that only a schema describes, they are null, zero,
  /// empty, or the start of 1970, and UUIDs are generated.
  /// - Throws: `unknownClass`; `embeddedAlone` for an embedded class; and the errors of
  ///   ``create(_:value:update:)-(_,UpdateDictionary,_)``.
  @discardableResult
  public func create(
    dynamic className: String, value: UpdateDictionary = [:], update: UpdatePolicy = .error
  ) throws -> DynamicObject {
    let entry = try handle.entry(named: className)
    if entry.schema.isEmbedded { throw StoreError(.embeddedAlone(className: className)) }
    return try handle.create(in: entry, value, update)
  }
}

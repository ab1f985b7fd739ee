public import ObjectStore

/// The operations on the values of a ``Container`` inside its ``Container/write(_:)``.
///
/// Each call is atomic: if it throws, it has changed nothing. After the end of the block, calls throw `notWriting`.
public struct WriteTransaction {
  /// The store that is written to, for direct access to objects.
  public let store: Store

  init(_ store: Store) {
    self.store = store
  }

  // MARK: - Adding

  /// Adds a value. With `update`, an object with the value's primary key is updated. Equal attributes are not
  /// written, so that adding an equal value changes nothing; an unknown attribute that shows the value stays unknown.
  ///
  /// For a ``MappedPersistable`` value, only the mapped attributes are written. For any other value, all attributes
  /// of its managed object and of the objects of nested values are written, including those for which
  /// ``Persistable/managedObject()`` keeps the defaults. For a class without a primary key, each value is inserted.
  /// - Throws: `invalidDeclarations` as in ``Container/check(_:)``, `duplicatePrimaryKey` without `update`,
  ///   `notWriting`, and the errors of `Store.add`.
  public func add<T: Persistable>(_ value: T, update: Bool = true) throws {
    try addAll(CollectionOfOne(value), update: update)
  }

  /// Adds several values: all of them or, if one cannot be added, none.
  /// - Throws: The same errors as ``add(_:update:)``.
  public func addAll<S: Sequence>(_ values: S, update: Bool = true) throws
  where S.Element: Persistable {
    try savepoint {
      try store.check(S.Element.self)
      for value in values { _ = try value._place(in: store, replacing: update) }
    }
  }

  // MARK: - Partial updates

  /// Changes the attributes in `values` of the object whose primary key is among them. A missing object is inserted,
  /// with defaults for the other attributes. If `values` has an attribute several times, the last one applies. For a
  /// nested mapped value, only its mapped attributes change, as if it were added.
  ///
  ///     try transaction.update(Character.self, values: [.identifier(1455), .realName("Anthony Stark")])
  ///
  /// - Throws: `primaryKeyNotFound` if the primary key is not in `values`, `noPrimaryKey`, `unknownAttribute`,
  ///   `typeMismatch` and others for a name or a value that the class does not support, `invalidDeclarations` as in
  ///   ``Container/check(_:)``.
  public func update<T: Persistable>(_ type: T.Type, values: [T.PropertyValue]) throws {
    try checkWriting()
    try store.check(type)
    let dictionary = try dictionary(values)
    for name in try keyNames(T.ManagedObject.self) where dictionary[name] == nil {
      throw StoreError(
        .primaryKeyNotFound(className: "\(T.ManagedObject.self)", attribute: name))
    }
    try store.create(T.ManagedObject.self, value: dictionary, update: .modified)
  }

  /// Changes the attributes in `values` of the object with a primary key. A value for the key itself is ignored.
  ///
  /// - Precondition: The key has the type of the class's primary key.
  /// - Returns: False if there is no such object.
  /// - Throws: `noPrimaryKey`, `invalidKeyPath` for a different value of a part of a compound key, and the errors of
  ///   ``update(_:values:)``.
  @discardableResult
  public func update<T: Persistable, Key: ObjectKey>(
    _ type: T.Type, key: Key, values: [T.PropertyValue]
  ) throws -> Bool {
    try checkWriting()
    try store.check(type)
    var dictionary = try dictionary(values)
    let names = try keyNames(T.ManagedObject.self)
    guard let object = store.object(ofType: T.ManagedObject.self, forPrimaryKey: key) else {
      return false
    }
    try object.objectSchema.checkParts(in: dictionary, of: object)
    for name in names { dictionary[name] = UpdateValue(any: object[name]) }
    try store.create(T.ManagedObject.self, value: dictionary, update: .modified)
    return true
  }

  /// Changes attributes of the object with a primary key, with type-checked assignments.
  ///
  ///     try transaction.update(Character.self, key: 1455, \.realName <- "Anthony Stark", \.alias <- nil)
  ///
  /// - Throws: The errors of `Store.update`.
  @discardableResult
  public func update<T: Persistable, Key: ObjectKey>(
    _ type: T.Type, key: Key, _ assignments: Assignment<T.ManagedObject>...,
    missing: Store.MissingObject = .ignore
  ) throws -> Store.UpdateOutcome {
    try checkWriting()
    return try store.update(T.ManagedObject.self, key: key, assignments, missing: missing)
  }

  /// The name of the primary key, or the names of the parts of a compound key.
  private func keyNames(_ type: Object.Type) throws -> [String] {
    let schema = try ObjectSchema.of(type)
    if schema.primaryKeyProperty == nil {
      throw StoreError(.noPrimaryKey(className: schema.className))
    }
    return schema.keyNames
  }

  private func dictionary<V: PropertyValueType>(_ values: [V]) throws -> UpdateDictionary {
    var dictionary = UpdateDictionary()
    for value in values {
      let (name, value) = value.propertyValuePair
      let element: UpdateValue? =
        switch value {
        case let value as any Persistable: value._update
        case let values as [any Persistable]: .array(values.map(\._update))
        default: UpdateValue(any: value)
        }
      guard let element else {
        throw StoreError(
          .typeMismatch(
            attribute: name, expected: "a value an attribute can hold",
            found: value.map { "\(Swift.type(of: $0))" } ?? "nil"))
      }
      dictionary[name] = element
    }
    return dictionary
  }

  // MARK: - Deleting

  /// Deletes the object with the value's primary key; returns false if there is none.
  /// - Throws: `noPrimaryKey`, `notWriting`, `invalidDeclarations` as in ``Container/check(_:)``.
  @discardableResult
  public func delete<T: Persistable>(_ value: T) throws -> Bool {
    try checkWriting()
    try store.check(T.self)
    _ = try keyNames(T.ManagedObject.self)
    guard let key = try value._key(in: store) else { return false }
    return try delete(type(of: value), key: key)
  }

  /// Deletes the object with a primary key; returns false if there is none.
  ///
  /// - Precondition: The key has the type of the class's primary key.
  /// - Throws: `notWriting`.
  @discardableResult
  public func delete<T: Persistable, Key: ObjectKey>(
    _ type: T.Type, key: Key
  ) throws -> Bool {
    try checkWriting()
    guard let object = store.object(ofType: T.ManagedObject.self, forPrimaryKey: key) else {
      return false
    }
    store.delete(object)
    return true
  }

  /// Deletes all values of a type.
  /// - Throws: `notWriting`.
  public func deleteAll<T: Persistable>(_ type: T.Type) throws {
    try checkWriting()
    store.delete(store.objects(T.ManagedObject.self))
  }

  /// Deletes the values of a query.
  /// - Throws: `notWriting`.
  public func deleteAll<T: Persistable>(_ type: T.Type, matching query: T.Query) throws {
    try checkWriting()
    store.delete(Container(store: store).values(type, matching: query).objects)
  }

  // MARK: - Atomicity

  private func checkWriting() throws {
    guard store.isInWriteTransaction else { throw StoreError(.notWriting) }
  }

  private func savepoint<R>(_ body: () throws -> R) throws -> R {
    try checkWriting()
    return try store.write(body)
  }
}

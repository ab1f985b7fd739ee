import ObjectStore
import ValueModels

/// How values become objects of a store, and back.
struct StoreMapping<Value, ObjectType: Object> {
  /// Looks at what the values say of themselves, the first time.
  let check: (Store) throws -> Void
  /// The value that an object keeps.
  let value: (ObjectType) throws -> Value
  /// The object that keeps a value; it may be in no store yet.
  let object: (Value, Store) throws -> ObjectType
  /// Puts a value into the store, in the open write; returns its object.
  let put: (Value, Store) throws -> ObjectType

  /// By mappers.
  init(_ toValue: Mapper<ObjectType, Value>, _ toObject: StoreMapper<Value, ObjectType>) {
    check = { _ in }
    value = { try toValue.map($0) }
    object = { try toObject.map($0, in: $1) }
    put = { value, store in
      let object = try toObject.map(value, in: store)
      let hasKey = object.objectSchema.primaryKeyProperty != nil
      try store.add(object, update: hasKey ? .modified : .error)
      guard !object.isManaged, let key = Self.key(of: object) else { return object }
      // An object with its key was there, and has the values now.
      return store.object(ofType: ObjectType.self, forPrimaryKey: key) ?? object
    }
  }

  /// The values' own.
  init() where Value: Persistable, Value.ManagedObject == ObjectType {
    check = { try $0.check(Value.self) }
    value = Value._reader
    object = { value, _ in value.managedObject() }
    put = { value, store in try value._place(in: store, replacing: true) }
  }

  /// The primary key of an object; nil for a class without one.
  static func key(of object: ObjectType) -> (any ObjectKey)? {
    object.objectSchema.key(of: object)
  }

  /// The primary keys of objects that are in no store yet, and of all that they link to. Nil where an object of a store
  /// is among them, which may have been changed with all that it links to, and for links that are not understood.
  static func keysOfGraph(_ objects: [ObjectType]) -> [any ObjectKey]? {
    var keys: [any ObjectKey] = []
    var seen: Set<ObjectIdentifier> = []
    var pending: [ObjectBase] = objects
    while let object = pending.popLast() {
      guard seen.insert(ObjectIdentifier(object)).inserted else { continue }
      if object.isManaged { return nil }
      if let key = object.objectSchema.key(of: object) { keys.append(key) }
      for property in object.objectSchema.properties
      where property.isStored && property.objectClassName != nil {
        guard let value = object[property.name] else { continue }
        guard let linked = linked(by: value) else { return nil }
        pending += linked
      }
    }
    return keys
  }

  /// The objects in the value of an attribute that links; nil for a ``Map``.
  private static func linked(by value: Any) -> [ObjectBase]? {
    if let object = value as? ObjectBase { return [object] }
    guard let elements = value as? any Sequence else { return nil }
    let objects = elements.map { $0 as? ObjectBase }
    let linked = objects.compactMap(\.self)
    return linked.count == objects.count ? linked : nil
  }
}

import ObjectStore
import ValueModels

/// The conversion between values and objects of a store.
struct StoreMapping<Value, ObjectType: Object> {
  /// Validates the declarations of the value type at its first use.
  let check: (Store) throws -> Void
  /// Returns the value of an object.
  let value: (ObjectType) throws -> Value
  /// Returns the object for a value. It may be unmanaged.
  let object: (Value, Store) throws -> ObjectType
  /// Stores a value in the open write transaction and returns its object.
  let put: (Value, Store) throws -> ObjectType

  /// Creates a mapping from two mappers.
  init(_ toValue: Mapper<ObjectType, Value>, _ toObject: StoreMapper<Value, ObjectType>) {
    check = { _ in }
    value = { try toValue.map($0) }
    object = { try toObject.map($0, in: $1) }
    put = { value, store in
      let object = try toObject.map(value, in: store)
      let hasKey = object.objectSchema.primaryKeyProperty != nil
      try store.add(object, update: hasKey ? .modified : .error)
      guard !object.isManaged, let key = Self.key(of: object) else { return object }
      // `add` updated the existing object with this key and left this one unmanaged.
      return store.object(ofType: ObjectType.self, forPrimaryKey: key) ?? object
    }
  }

  /// Creates a mapping from the value type's own conversion.
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

  /// The primary keys of unmanaged objects and of all objects that are reachable from them. Nil if a managed object
  /// is reachable, because it and everything that it links to may have changed, and for links of an unsupported type.
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

  /// The objects in the value of a link attribute; nil for a ``Map``.
  private static func linked(by value: Any) -> [ObjectBase]? {
    if let object = value as? ObjectBase { return [object] }
    guard let elements = value as? any Sequence else { return nil }
    let objects = elements.map { $0 as? ObjectBase }
    let linked = objects.compactMap(\.self)
    return linked.count == objects.count ? linked : nil
  }
}

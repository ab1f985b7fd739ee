public import ObjectStore

/// A ``Persistable`` value that declares its reading, writing, updates and queries in one list of attribute pairs.
///
///     struct Character: MappedPersistable {
///       var identifier = 0
///       var name = ""
///       var publisher: Publisher?
///
///       typealias ManagedObject = CharacterObject
///       static let mapping: Fields = [
///         .key(\.identifier, \.identifier),
///         .field(\.name, \.name),
///         .field(\.publisher, \.publisher),
///       ]
///     }
///
///     try transaction.add(character)
///     try transaction.update(Character.self, values: [.set(\.identifier, 1455), .set(\.name, "Iron Man")])
///     container.values(Character.self).where { $0.publisher.name == "Marvel" }.sorted(by: \.name)
///
/// Adding a value writes only the mapped attributes; the object keeps its other attributes. A class with a primary
/// key needs a ``Field/key(_:_:)``; adding a value of a class without one always inserts a new object. For a class
/// with a `compoundKey`, each part needs a `.field`; a field for the compound key itself is read and not written.
///
/// A container validates a mapping at its first use; see ``Container/check(_:)``.
public protocol MappedPersistable: Persistable where PropertyValue == FieldValue<Self> {
  /// The pairs of attributes of the value and its managed object.
  typealias Fields = [Field<Self, ManagedObject>]

  /// Creates a value whose attributes are then set by the mapping.
  init()

  /// The pairs of attributes. Prefer a `static let`: a computed property is evaluated for each value.
  static var mapping: Fields { get }
}

extension MappedPersistable {
  public init(managedObject: ManagedObject) {
    self.init()
    for field in Self.mapping { field.read(&self, managedObject) }
  }

  public static var _reader: (ManagedObject) -> Self {
    let mapping = mapping
    return { object in
      var value = Self()
      for field in mapping { field.read(&value, object) }
      return value
    }
  }

  /// Returns a new unmanaged object with the mapped attributes.
  public func managedObject() -> ManagedObject {
    let object = ManagedObject()
    for field in Self.mapping { field.fill(self, object) }
    return object
  }

  public func _place(in store: Store, replacing: Bool) throws -> ManagedObject {
    let mapping = Self.mapping
    let schema = try ObjectSchema.of(ManagedObject.self)
    let key = try key(mapping, schema, in: store)
    let hasCompoundKey = !schema.compoundKey.isEmpty
    let known = key.flatMap {
      replacing ? store.object(ofType: ManagedObject.self, forPrimaryKey: $0) : nil
    }
    let shown = known?.unknownAttributes(showing: managedObject()) ?? []
    var assignments: [Assignment<ManagedObject>] = []
    for field in mapping
    where shown.isEmpty || !shown.contains(ManagedObject.attributeName(for: field.objectPath)) {
      guard case .attribute(let make) = field.write else { continue }
      // An object that is found or created by a compound key already has these attributes.
      if hasCompoundKey, try Self.isOfKey(field, in: store) { continue }
      assignments.append(try make(self, store, replacing))
    }
    guard let key else {
      let object = try store.create(ManagedObject.self)
      try store.update(object, assignments)
      return object
    }
    let object = try known ?? store.create(ManagedObject.self, value: schema.keyValues(key))
    try store.update(object, assignments)
    return object
  }

  public func _key(in store: Store) throws -> (any ObjectKey)? {
    try key(Self.mapping, ObjectSchema.of(ManagedObject.self), in: store)
  }

  private func key(
    _ mapping: Fields, _ schema: ObjectSchema, in store: Store
  ) throws -> (any ObjectKey)? {
    if schema.compoundKey.isEmpty {
      for field in mapping {
        if case .key(let read) = field.write { return read(self) }
      }
      return nil
    }
    let object = ManagedObject()
    for field in mapping where try Self.isOfKey(field, in: store) { field.fill(self, object) }
    return schema.key(of: object)
  }

  /// True for a compound key or one of its parts.
  private static func isOfKey(
    _ field: Field<Self, ManagedObject>, in store: Store
  ) throws -> Bool {
    try store.isOfKey(field.objectPath, ManagedObject.self)
  }

  public var _update: UpdateValue {
    let object = ManagedObject()
    let schema = object.objectSchema
    let compoundKeyName = schema.compoundKey.isEmpty ? nil : schema.primaryKeyProperty?.name
    var update = UpdateDictionary()
    for field in Self.mapping {
      let name = ManagedObject.attributeName(for: field.objectPath)
      if name == compoundKeyName { continue }
      if let nested = field.nested {
        update[name] = nested.update(self)
      } else {
        field.fill(self, object)
        update[name] = UpdateValue(any: object[name]) ?? .null
      }
    }
    return .object(update)
  }

  public static func _mistakes(_ seen: inout Set<ObjectIdentifier>) -> [String] {
    guard seen.insert(ObjectIdentifier(self)).inserted else { return [] }
    let mapping = mapping
    // The mistakes of an invalid class are reported for the class itself.
    let schema = try? ObjectSchema.of(ManagedObject.self)
    var mistakes = schema.map { MappingCheck<Self>(mapping, $0).mistakes } ?? []
    for field in mapping { mistakes += field.nested?.mistakes(&seen) ?? [] }
    return mistakes
  }

  /// Returns the field that maps an attribute of the value.
  static func field(_ keyPath: PartialKeyPath<Self>) -> Field<Self, ManagedObject> {
    guard let field = mapping.first(where: { ($0.valuePath as AnyKeyPath) == keyPath }) else {
      misuse("\(Self.self): the mapping has no field for \(keyPath)")
    }
    return field
  }

  /// The attribute names along the path from the managed object.
  static func names(_ keyPath: PartialKeyPath<Self>) -> [String] {
    let field = field(keyPath)
    guard field.isPlain else {
      misuse(
        "\(Self.self): \(keyPath) has another type in the store; query by the attribute of the managed object"
      )
    }
    return ManagedObject.attributeNames(for: field.objectPath)
  }
}

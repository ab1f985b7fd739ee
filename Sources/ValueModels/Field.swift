public import ObjectStore

/// The key path of a value's attribute, for example `\.name`.
public typealias AttributePath<Root, Attribute> = any WritableKeyPath<Root, Attribute> & Sendable

/// The key path of an object's attribute.
public typealias ObjectAttributePath<Root, Attribute> =
  any ReferenceWritableKeyPath<Root, Attribute> & Sendable

/// A pair of a value's attribute and the attribute of the managed object that stores it, for conversion in both
/// directions. See ``MappedPersistable``.
public struct Field<Value, ManagedObject: Object>: Sendable {
  /// The attribute of the value.
  let valuePath: any AnyKeyPath & Sendable
  /// The attribute of the managed object.
  let objectPath: any PartialKeyPath<ManagedObject> & Sendable
  /// True if both attributes have the same type, so that a query can use either.
  let isPlain: Bool
  /// Copies the attribute from the object to the value.
  let read: @Sendable (inout Value, ManagedObject) -> Void
  /// Copies the attribute from the value to an unmanaged object.
  let fill: @Sendable (Value, ManagedObject) -> Void
  let write: Write
  /// Nil unless the attribute contains nested values.
  let nested: NestedType?

  /// The conversion from the value to a managed object.
  enum Write: Sendable {
    case key(@Sendable (Value) -> any PrimaryKeyValue)
    /// With `true`, existing objects of nested values are updated as well.
    case attribute(@Sendable (Value, Store, Bool) throws -> Assignment<ManagedObject>)
  }

  /// Operations on the type of a nested value.
  struct NestedType: Sendable {
    /// See ``Persistable/_mistakes(_:)``.
    let mistakes: @Sendable (inout Set<ObjectIdentifier>) -> [String]
    /// Returns the nested values as part of an update.
    let update: @Sendable (Value) -> UpdateValue
  }

  /// True for a field that was created by ``key(_:_:)``.
  var isKey: Bool { if case .key = write { true } else { false } }

  private init(
    _ valuePath: any AnyKeyPath & Sendable,
    _ objectPath: any PartialKeyPath<ManagedObject> & Sendable,
    isPlain: Bool = true, nested: NestedType? = nil, _ write: Write,
    fill: @escaping @Sendable (Value, ManagedObject) -> Void,
    read: @escaping @Sendable (inout Value, ManagedObject) -> Void
  ) {
    self.valuePath = valuePath
    self.objectPath = objectPath
    self.isPlain = isPlain
    self.nested = nested
    self.write = write
    self.fill = fill
    self.read = read
  }

  // MARK: - Values

  /// The primary key.
  public static func key<V: PrimaryKeyValue>(
    _ value: AttributePath<Value, V>,
    _ object: ObjectAttributePath<ManagedObject, V>
  ) -> Field {
    Field(
      value, object, .key { $0[keyPath: value] },
      fill: { $1[keyPath: object] = $0[keyPath: value] }
    ) {
      $0[keyPath: value] = $1[keyPath: object]
    }
  }

  /// An attribute of the same type in the value and the object.
  public static func field<V: PersistableValue>(
    _ value: AttributePath<Value, V>,
    _ object: ObjectAttributePath<ManagedObject, V>
  ) -> Field {
    Field(
      value, object, .attribute { of, _, _ in object <- of[keyPath: value] },
      fill: { $1[keyPath: object] = $0[keyPath: value] }
    ) {
      $0[keyPath: value] = $1[keyPath: object]
    }
  }

  /// An attribute of different types: `from` converts from the object to the value, `to` from the value to the
  /// object.
  ///
  ///     .field(\.stars, \.rank, from: { Stars($0) }, to: { $0.count })
  ///
  /// Use it for embedded objects, too. Queries use the attribute of the managed object.
  public static func field<V, Stored: PersistableValue>(
    _ value: AttributePath<Value, V>,
    _ object: ObjectAttributePath<ManagedObject, Stored>,
    from: @escaping @Sendable (Stored) -> V, to: @escaping @Sendable (V) -> Stored
  ) -> Field {
    Field(
      value, object, isPlain: false, .attribute { of, _, _ in object <- to(of[keyPath: value]) },
      fill: { $1[keyPath: object] = to($0[keyPath: value]) }
    ) {
      $0[keyPath: value] = from($1[keyPath: object])
    }
  }

  // MARK: - Collections of values

  /// An array that is stored as a list.
  public static func field<Element: CollectionElement>(
    _ value: AttributePath<Value, [Element]>,
    _ object: ObjectAttributePath<ManagedObject, List<Element>>
  ) -> Field {
    Field(
      value, object, .attribute { of, _, _ in object <- of[keyPath: value] },
      fill: { $1[keyPath: object] = List($0[keyPath: value]) }
    ) {
      $0[keyPath: value] = Array($1[keyPath: object])
    }
  }

  /// A set.
  public static func field<Element: ScalarValue>(
    _ value: AttributePath<Value, Set<Element>>,
    _ object: ObjectAttributePath<ManagedObject, MutableSet<Element>>
  ) -> Field {
    Field(
      value, object, .attribute { of, _, _ in object <- MutableSet(of[keyPath: value]) },
      fill: { $1[keyPath: object] = MutableSet($0[keyPath: value]) }
    ) {
      $0[keyPath: value] = Set($1[keyPath: object])
    }
  }

  /// A dictionary that is stored as a map.
  public static func field<Element: ScalarValue>(
    _ value: AttributePath<Value, [String: Element]>,
    _ object: ObjectAttributePath<ManagedObject, Map<String, Element>>
  ) -> Field {
    Field(
      value, object, .attribute { of, _, _ in object <- Map(of[keyPath: value]) },
      fill: { $1[keyPath: object] = Map($0[keyPath: value]) }
    ) {
      $0[keyPath: value] = $1[keyPath: object].dictionary
    }
  }

  // MARK: - Nested values

  /// A nested value that is stored as a linked object. The object with the value's primary key is updated or
  /// inserted; without `update` it must not exist.
  public static func field<Nested: Persistable>(
    _ value: AttributePath<Value, Nested?>,
    _ object: ObjectAttributePath<ManagedObject, Nested.ManagedObject?>
  ) -> Field {
    Field(
      value, object,
      nested: NestedType(
        mistakes: { Nested._mistakes(&$0) }, update: { $0[keyPath: value]?._update ?? .null }),
      .attribute { of, store, replacing in
        object <- (try of[keyPath: value].map { try $0._place(in: store, replacing: replacing) })
      },
      fill: { $1[keyPath: object] = $0[keyPath: value].map { $0.managedObject() } }
    ) {
      $0[keyPath: value] = $1[keyPath: object].map(Nested.init(managedObject:))
    }
  }

  /// Nested values that are stored as a list of linked objects, each updated or inserted by its primary key.
  public static func field<Nested: Persistable>(
    _ value: AttributePath<Value, [Nested]>,
    _ object: ObjectAttributePath<ManagedObject, List<Nested.ManagedObject>>
  ) -> Field {
    Field(
      value, object,
      nested: NestedType(
        mistakes: { Nested._mistakes(&$0) },
        update: { .array($0[keyPath: value].map(\._update)) }),
      .attribute { of, store, replacing in
        object <- (try of[keyPath: value].map { try $0._place(in: store, replacing: replacing) })
      },
      fill: { $1[keyPath: object] = List($0[keyPath: value].map { $0.managedObject() }) }
    ) {
      $0[keyPath: value] = $1[keyPath: object].map(Nested._reader)
    }
  }
}

public import ObjectStore

/// The key path of a value's attribute, as `\.name` is.
public typealias AttributePath<Root, Attribute> = any WritableKeyPath<Root, Attribute> & Sendable

/// The key path of an object's attribute.
public typealias ObjectAttributePath<Root, Attribute> =
  any ReferenceWritableKeyPath<Root, Attribute> & Sendable

/// One attribute of a value and the attribute of the managed object that keeps it: both directions in one
/// line. See ``MappedPersistable``.
public struct Field<Value, ManagedObject: Object>: Sendable {
  /// The value's attribute.
  let valuePath: any AnyKeyPath & Sendable
  /// The managed object's.
  let objectPath: any PartialKeyPath<ManagedObject> & Sendable
  /// Whether both have the same values, so that queries of one are queries of the other.
  let isPlain: Bool
  /// From the object to the value.
  let read: @Sendable (inout Value, ManagedObject) -> Void
  /// From the value to an object in no store.
  let fill: @Sendable (Value, ManagedObject) -> Void
  let write: Write
  /// Of a field with values inside of the value.
  let inside: Inside?

  /// From the value to an object in a store.
  enum Write: Sendable {
    case key(@Sendable (Value) -> any PrimaryKeyValue)
    /// With `true` objects of values inside take these values, too, if they are there already.
    case attribute(@Sendable (Value, Store, Bool) throws -> Assignment<ManagedObject>)
  }

  /// What is asked of the type of values that are kept as objects of their own.
  struct Inside: Sendable {
    /// See ``Persistable/_mistakes(_:)``.
    let mistakes: @Sendable (inout Set<ObjectIdentifier>) -> [String]
    /// What an update says of the values inside of this one.
    let update: @Sendable (Value) -> UpdateValue
  }

  /// Whether it was made by ``key(_:_:)``.
  var isKey: Bool { if case .key = write { true } else { false } }

  private init(
    _ valuePath: any AnyKeyPath & Sendable,
    _ objectPath: any PartialKeyPath<ManagedObject> & Sendable,
    isPlain: Bool = true, inside: Inside? = nil, _ write: Write,
    fill: @escaping @Sendable (Value, ManagedObject) -> Void,
    read: @escaping @Sendable (inout Value, ManagedObject) -> Void
  ) {
    self.valuePath = valuePath
    self.objectPath = objectPath
    self.isPlain = isPlain
    self.inside = inside
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

  /// An attribute of the same type on both sides.
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

  /// Attributes of different types: `from` makes the value's of the object's, `to` the other way round.
  ///
  ///     .field(\.stars, \.rank, from: { Stars($0) }, to: { $0.count })
  ///
  /// An embedded object is mapped so, too. Queries ask for it by the managed object's attribute.
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

  /// An array that is kept as a list.
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

  /// A dictionary that is kept as a map.
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

  // MARK: - Values inside of values

  /// A value that is kept as an object of its own, which is linked to. Its object takes the value, too,
  /// found by its primary key; without `update` there must be none.
  public static func field<Nested: Persistable>(
    _ value: AttributePath<Value, Nested?>,
    _ object: ObjectAttributePath<ManagedObject, Nested.ManagedObject?>
  ) -> Field {
    Field(
      value, object,
      inside: Inside(
        mistakes: { Nested._mistakes(&$0) }, update: { $0[keyPath: value]?._update ?? .null }),
      .attribute { of, store, replacing in
        object <- (try of[keyPath: value].map { try $0._place(in: store, replacing: replacing) })
      },
      fill: { $1[keyPath: object] = $0[keyPath: value].map { $0.managedObject() } }
    ) {
      $0[keyPath: value] = $1[keyPath: object].map(Nested.init(managedObject:))
    }
  }

  /// Values that are kept as a list of objects, each found by its primary key or made.
  public static func field<Nested: Persistable>(
    _ value: AttributePath<Value, [Nested]>,
    _ object: ObjectAttributePath<ManagedObject, List<Nested.ManagedObject>>
  ) -> Field {
    Field(
      value, object,
      inside: Inside(
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

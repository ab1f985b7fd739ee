public import ObjectStoreShims

/// A property wrapper that declares an attribute of a model class.
///
///     final class Animal: Object {
///       @Persisted(primaryKey: true) var id: Int
///       @Persisted var name = ""
///       @Persisted(json: "born_on", .date("yyyy-MM-dd")) var born: Date?
///       @Persisted var owner: Owner?
///       @Persisted(originProperty: "animals") var farms: LinkingObjects<Farm>
///     }
///
/// The value is stored in the wrapper while the object is unmanaged, and in the object's row once it is managed. The
/// wrapper finds its column by its byte offset inside the object, which the compiler folds to a constant.
///
// Frozen: without it, builds for library distribution cannot have inlinable initializers.
// The compiler quotes the next line in its error if a type is not an attribute type.
/// A link is optional: `Owner?`. Enums are `PersistableEnum`, Codable types `CodablePersistable`, others `CustomPersistable`.
@propertyWrapper
@frozen public struct Persisted<Value: PersistableValue> {
  @usableFromInline var value: Value
  /// 0, or the number assigned by the probe; see ``WrapperProbe``.
  @usableFromInline var tag: UInt32

  /// Evaluates only what the mode of the thread needs: `value` unless it is 1, and `tag` while a probe runs.
  @inlinable @inline(__always)
  init(
    _ value: @autoclosure () -> Value = Value._storageDefault, tag: @autoclosure () -> UInt32
  ) {
    let mode = store_wrapper_mode_get()
    self.value = mode == 1 ? Value._storagePlaceholder : value()
    self.tag = mode > 1 ? tag() : 0
  }

  // `init()` must be declared here, in the type itself: the compiler finds no other for attributes without a default.

  /// Creates an attribute with the initial value of its type: 0, false, "", nil, the first case, …
  @inlinable @inline(__always)
  public init() {
    self.init(tag: takeProbeTag())
  }

  /// Creates an attribute with a default that is evaluated for each object.
  @inlinable @inline(__always)
  public init(wrappedValue: @autoclosure () -> Value) {
    self.init(wrappedValue(), tag: takeProbeTag())
  }

  // Initializers without options are inlined and build no empty array, which would take a fifth of the time
  // to create an object.

  /// Creates an attribute without a default, with its JSON key.
  @inlinable @inline(__always)
  public init(indexed: Bool = false, json: String? = nil) {
    self.init(tag: takeProbeTag(primaryKey: false, indexed: indexed, json: json))
  }

  /// Creates an attribute with a default and its JSON key.
  @inlinable @inline(__always)
  public init(
    wrappedValue: @autoclosure () -> Value, indexed: Bool = false, json: String? = nil
  ) {
    self.init(wrappedValue(), tag: takeProbeTag(primaryKey: false, indexed: indexed, json: json))
  }

  /// Creates an attribute without a default, with JSON options.
  ///
  /// - Parameters:
  ///   - indexed: True to index the attribute, so that queries and sorting by it need no scan. Supported for
  ///     numbers, dates, Booleans, strings, UUIDs and enums.
  ///   - json: The JSON key, dotted path or pointer, which overrides `codableKeys`; nil to use `codableKeys` or the
  ///     attribute's name.
  ///   - options: Options for decoding and encoding the attribute.
  public init(
    indexed: Bool = false, json: String? = nil, _ options: AttributeOption<Value>...
  ) {
    self.init(tag: takeProbeTag(indexed: indexed, json: json, options.map(\.option)))
  }

  /// Creates an attribute with a default that is evaluated for each object, and with JSON options.
  public init(
    wrappedValue: @autoclosure () -> Value, indexed: Bool = false, json: String? = nil,
    _ options: AttributeOption<Value>...
  ) {
    self.init(
      wrappedValue(), tag: takeProbeTag(indexed: indexed, json: json, options.map(\.option)))
  }

  /// Creates an attribute with exactly one option, the most common number of options. For an accessor, neither the
  /// option nor an array is created.
  @inlinable @inline(__always)
  public init(
    indexed: Bool = false, json: String? = nil,
    _ option: @autoclosure () -> AttributeOption<Value>
  ) {
    self.init(tag: takeProbeTag(indexed: indexed, json: json, option().option))
  }

  /// Creates an attribute with one option and a default.
  @inlinable @inline(__always)
  public init(
    wrappedValue: @autoclosure () -> Value, indexed: Bool = false, json: String? = nil,
    _ option: @autoclosure () -> AttributeOption<Value>
  ) {
    self.init(wrappedValue(), tag: takeProbeTag(indexed: indexed, json: json, option().option))
  }

  /// Creates the inverse of `originProperty`, a link or a collection: the objects that refer to this one through that
  /// attribute.
  public init<Source: Object>(originProperty: String) where Value == LinkingObjects<Source> {
    self.init(tag: takeProbeTag(AttributeFlags(originProperty: originProperty)))
  }

  @available(
    *, unavailable, message: "@Persisted works in subclasses of Object and EmbeddedObject only"
  )
  public var wrappedValue: Value {
    get { misuse("unavailable") }
    set { misuse("unavailable") }
  }

  /// The byte offset of the wrapper inside its object. The whole expression folds to a constant as long as
  /// the key path does not escape.
  @inlinable @inline(__always)
  static func offset<S: ObjectBase>(
    _ object: S, _ storage: ReferenceWritableKeyPath<S, Self>
  ) -> Int {
    let base = Unmanaged.passUnretained(object).toOpaque()
    return withUnsafeMutablePointer(to: &object[keyPath: storage]) {
      UnsafeMutableRawPointer($0) - base
    }
  }

  /// The wrapper at an offset inside an object. Compiling this takes a third of the time of a key path, and
  /// each accessor of each model contains it.
  @inlinable @inline(__always)
  static func wrapper(_ object: ObjectBase, _ offset: Int) -> UnsafeMutablePointer<Self> {
    (Unmanaged.passUnretained(object).toOpaque() + offset).assumingMemoryBound(to: Self.self)
  }

  /// The value of an attribute in `object`.
  ///
  // The compiler quotes the next line in its error if a class that is not a model uses the wrapper.
  /// `@Persisted` works in subclasses of Object and EmbeddedObject only: this class is not one.
  public static subscript<S: ObjectBase>(
    _enclosingInstance object: S,
    wrapped wrapped: ReferenceWritableKeyPath<S, Value>,
    storage storage: ReferenceWritableKeyPath<S, Self>
  ) -> Value {
    // Both accessors must be inlined: a call here costs 340 ns instead of 2.
    @inlinable @inline(__always)
    get {
      let offset = offset(object, storage)
      if let table = object.storage {
        return Value._storageRead(
          object, Value._readsInline ? object.column(offset, table) : object.locate(offset))
      }
      return Value._storageGet(&wrapper(object, offset).pointee.value, object, offset)
    }
    @inlinable @inline(__always)
    set {
      let offset = offset(object, storage)
      if object.storage != nil {
        Value._storageWrite(object, object.writableColumn(offset), newValue)
      } else {
        Value._storageSet(&wrapper(object, offset).pointee.value, newValue, object, offset)
      }
    }
  }
}

// MARK: - Primary keys

extension Persisted where Value: _KeyAttribute {
  /// Creates a primary key without a default.
  ///
  /// - Parameters:
  ///   - primaryKey: True for a primary key; false declares an ordinary attribute.
  ///   - indexed: True to also index the key for ranges and sorting. Lookups by key need no index.
  ///   - json: The JSON key, dotted path or pointer, which overrides `codableKeys`; nil to use `codableKeys` or the
  ///     attribute's name.
  @inlinable @inline(__always)
  public init(primaryKey: Bool, indexed: Bool = false, json: String? = nil) {
    self.init(tag: takeProbeTag(primaryKey: primaryKey, indexed: indexed, json: json))
  }

  /// Creates a primary key with a default that is evaluated for each object: `= UUID()`.
  @inlinable @inline(__always)
  public init(
    wrappedValue: @autoclosure () -> Value, primaryKey: Bool, indexed: Bool = false,
    json: String? = nil
  ) {
    self.init(
      wrappedValue(), tag: takeProbeTag(primaryKey: primaryKey, indexed: indexed, json: json))
  }

  /// Creates a primary key without a default, with JSON options.
  public init(
    primaryKey: Bool, indexed: Bool = false, json: String? = nil,
    _ options: AttributeOption<Value>...
  ) {
    self.init(
      tag: takeProbeTag(primaryKey: primaryKey, indexed: indexed, json: json, options.map(\.option))
    )
  }

  /// Creates a primary key with a default and JSON options.
  public init(
    wrappedValue: @autoclosure () -> Value, primaryKey: Bool, indexed: Bool = false,
    json: String? = nil, _ options: AttributeOption<Value>...
  ) {
    self.init(
      wrappedValue(),
      tag: takeProbeTag(primaryKey: primaryKey, indexed: indexed, json: json, options.map(\.option))
    )
  }
}

public import ObjectStoreShims

/// An attribute of a model class.
///
///     final class Animal: Object {
///       @Persisted(primaryKey: true) var id: Int
///       @Persisted var name = ""
///       @Persisted(json: "born_on", .date("yyyy-MM-dd")) var born: Date?
///       @Persisted var owner: Owner?
///       @Persisted(originProperty: "animals") var farms: LinkingObjects<Farm>
///     }
///
/// While its object is unmanaged the value stands in the wrapper; once managed it is read from and
/// written to the object's row. The wrapper finds its column by its byte offset inside the object,
/// which the compiler folds to a constant.
///
// Frozen: a build for distribution has no inlinable initializer otherwise.
// The compiler shows the next line where a type is no attribute.
/// A link is an optional: `Owner?`. An enum conforms to `PersistableEnum`, another type to `CustomPersistable`.
@propertyWrapper
@frozen public struct Persisted<Value: PersistableValue> {
  @usableFromInline var value: Value
  /// 0, or the number the probe gave it; see ``WrapperProbe``.
  @usableFromInline var tag: UInt32

  // `init()` must stand here: where no default is given, the compiler looks nowhere else.

  /// An attribute whose value begins as its type's: 0, false, "", nil, the first case …
  @inlinable @inline(__always)
  public init() {
    value = store_wrapper_mode_get() == 1 ? Value._storagePlaceholder : Value._storageDefault
    tag = store_wrapper_mode_get() > 1 ? takeProbeTag() : 0
  }

  /// An attribute with a default, evaluated for each object.
  @inlinable @inline(__always)
  public init(wrappedValue: @autoclosure () -> Value) {
    let mode = store_wrapper_mode_get()
    value = mode == 1 ? Value._storagePlaceholder : wrappedValue()
    tag = mode > 1 ? takeProbeTag() : 0
  }

  // Those without options are inlined and build no array of none: a fifth of making an object.

  /// An attribute without a default, with its JSON key.
  @inlinable @inline(__always)
  public init(indexed: Bool = false, json: String? = nil) {
    value = store_wrapper_mode_get() == 1 ? Value._storagePlaceholder : Value._storageDefault
    tag =
      store_wrapper_mode_get() > 1
      ? takeProbeTag(isPrimaryKey: false, isIndexed: indexed, json: json) : 0
  }

  /// An attribute with a default, and its JSON key.
  @inlinable @inline(__always)
  public init(
    wrappedValue: @autoclosure () -> Value, indexed: Bool = false, json: String? = nil
  ) {
    let mode = store_wrapper_mode_get()
    value = mode == 1 ? Value._storagePlaceholder : wrappedValue()
    tag = mode > 1 ? takeProbeTag(isPrimaryKey: false, isIndexed: indexed, json: json) : 0
  }

  /// An attribute without a default, with its JSON.
  ///
  /// - Parameters:
  ///   - indexed: whether queries and orders find objects by its value without looking at all; for
  ///     numbers, dates, truth values, texts, UUIDs and enums.
  ///   - json: its JSON key, dotted path or pointer; wins over `codableKeys`. Nil: not said here.
  ///   - options: how it is read from and written to JSON.
  public init(
    indexed: Bool = false, json: String? = nil, _ options: AttributeOption<Value>...
  ) {
    value = store_wrapper_mode_get() == 1 ? Value._storagePlaceholder : Value._storageDefault
    tag =
      store_wrapper_mode_get() > 1
      ? takeProbeTag(
        AttributeFlags(isIndexed: indexed, json: json, options: options.map(\.option))) : 0
  }

  /// An attribute with a default, evaluated for each object, and with its JSON.
  public init(
    wrappedValue: @autoclosure () -> Value, indexed: Bool = false, json: String? = nil,
    _ options: AttributeOption<Value>...
  ) {
    let mode = store_wrapper_mode_get()
    value = mode == 1 ? Value._storagePlaceholder : wrappedValue()
    tag =
      mode > 1
      ? takeProbeTag(
        AttributeFlags(isIndexed: indexed, json: json, options: options.map(\.option))) : 0
  }

  /// One option, the usual number: neither it nor an array is made for an accessor.
  @inlinable @inline(__always)
  public init(
    indexed: Bool = false, json: String? = nil,
    _ option: @autoclosure () -> AttributeOption<Value>
  ) {
    let mode = store_wrapper_mode_get()
    value = mode == 1 ? Value._storagePlaceholder : Value._storageDefault
    tag =
      mode > 1
      ? takeProbeTag(
        AttributeFlags(isIndexed: indexed, json: json, options: [option().option])) : 0
  }

  /// One option, and a default.
  @inlinable @inline(__always)
  public init(
    wrappedValue: @autoclosure () -> Value, indexed: Bool = false, json: String? = nil,
    _ option: @autoclosure () -> AttributeOption<Value>
  ) {
    let mode = store_wrapper_mode_get()
    value = mode == 1 ? Value._storagePlaceholder : wrappedValue()
    tag =
      mode > 1
      ? takeProbeTag(
        AttributeFlags(isIndexed: indexed, json: json, options: [option().option])) : 0
  }

  /// The objects whose attribute `originProperty` (a link or a collection) refers to this one.
  public init<Source: Object>(originProperty: String) where Value == LinkingObjects<Source> {
    value = store_wrapper_mode_get() == 1 ? Value._storagePlaceholder : Value._storageDefault
    tag =
      store_wrapper_mode_get() > 1
      ? takeProbeTag(AttributeFlags(originProperty: originProperty)) : 0
  }

  @available(
    *, unavailable, message: "@Persisted works in subclasses of Object and EmbeddedObject only"
  )
  public var wrappedValue: Value {
    get { misuse("unavailable") }
    set { misuse("unavailable") }
  }

  /// Byte offset of the wrapper inside its object. The key path must not escape: then the whole
  /// expression folds to a constant.
  @inlinable @inline(__always)
  static func offset<S: ObjectBase>(
    _ object: S, _ storage: ReferenceWritableKeyPath<S, Self>
  ) -> Int {
    let base = Unmanaged.passUnretained(object).toOpaque()
    return withUnsafeMutablePointer(to: &object[keyPath: storage]) {
      UnsafeMutableRawPointer($0) - base
    }
  }

  /// The wrapper at an offset inside an object: found so it costs the compiler a third of what a key path
  /// does, and each accessor of each model needs it.
  @inlinable @inline(__always)
  static func wrapper(_ object: ObjectBase, _ offset: Int) -> UnsafeMutablePointer<Self> {
    (Unmanaged.passUnretained(object).toOpaque() + offset).assumingMemoryBound(to: Self.self)
  }

  /// The value of an attribute in `object`.
  ///
  // The compiler shows the next line where a class that is none uses the wrapper.
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
  /// A primary key without a default: objects are told apart by it.
  ///
  /// - Parameters:
  ///   - primaryKey: true; with false it is an attribute as all others.
  ///   - indexed: whether ranges and orders of the key are found without looking at all; objects are
  ///     found by their key in any case.
  ///   - json: its JSON key, dotted path or pointer; wins over `codableKeys`. Nil: not said here.
  @inlinable @inline(__always)
  public init(primaryKey: Bool, indexed: Bool = false, json: String? = nil) {
    value = store_wrapper_mode_get() == 1 ? Value._storagePlaceholder : Value._storageDefault
    tag =
      store_wrapper_mode_get() > 1
      ? takeProbeTag(isPrimaryKey: primaryKey, isIndexed: indexed, json: json) : 0
  }

  /// A primary key with a default, evaluated for each object: `= UUID()`.
  @inlinable @inline(__always)
  public init(
    wrappedValue: @autoclosure () -> Value, primaryKey: Bool, indexed: Bool = false,
    json: String? = nil
  ) {
    let mode = store_wrapper_mode_get()
    value = mode == 1 ? Value._storagePlaceholder : wrappedValue()
    tag =
      mode > 1 ? takeProbeTag(isPrimaryKey: primaryKey, isIndexed: indexed, json: json) : 0
  }

  /// A primary key without a default, with options of its JSON.
  public init(
    primaryKey: Bool, indexed: Bool = false, json: String? = nil,
    _ options: AttributeOption<Value>...
  ) {
    value = store_wrapper_mode_get() == 1 ? Value._storagePlaceholder : Value._storageDefault
    tag =
      store_wrapper_mode_get() > 1
      ? takeProbeTag(
        AttributeFlags(
          isPrimaryKey: primaryKey, isIndexed: indexed, json: json,
          options: options.map(\.option))) : 0
  }

  /// A primary key with a default, and with options of its JSON.
  public init(
    wrappedValue: @autoclosure () -> Value, primaryKey: Bool, indexed: Bool = false,
    json: String? = nil, _ options: AttributeOption<Value>...
  ) {
    let mode = store_wrapper_mode_get()
    value = mode == 1 ? Value._storagePlaceholder : wrappedValue()
    tag =
      mode > 1
      ? takeProbeTag(
        AttributeFlags(
          isPrimaryKey: primaryKey, isIndexed: indexed, json: json,
          options: options.map(\.option))) : 0
  }
}

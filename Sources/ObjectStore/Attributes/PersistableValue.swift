/// A type that a `@Persisted` attribute can have: scalars, optionals of them, links, collections.
///
/// Do not conform your own types to this protocol; see ``PersistableEnum``, ``CodablePersistable`` and
/// ``CustomPersistable``.
public typealias PersistableValue = _PersistableEnumOrCodablePersistableOrOptionalLink

/// The requirements of ``PersistableValue``, which inlined code of the property wrapper calls. The compiler prints the name
/// of this protocol for an attribute of another type, so the name is advice.
nonisolated public protocol _PersistableEnumOrCodablePersistableOrOptionalLink: SendableMetatype {
  /// The value of an attribute declared without a default.
  static var _storageDefault: Self { get }
  /// A value that is cheap to create, for the wrappers of accessors, which never return it.
  static var _storagePlaceholder: Self { get }
  /// The shape of the attribute in the schema.
  static var _storageShape: AttributeShape { get }
  /// True if reading is so fast that a call to find the column would be noticeable. The lookup is then
  /// inlined into each accessor of each model.
  static var _readsInline: Bool { get }
  /// Reads the attribute of a managed object; `column` is its index.
  static func _storageRead(_ object: ObjectBase, _ column: Int) -> Self
  /// Writes the attribute of a managed object; `column` is its index.
  static func _storageWrite(_ object: ObjectBase, _ column: Int, _ value: Self)
  /// Reads the attribute of an unmanaged object.
  static func _storageGet(_ stored: inout Self, _ object: ObjectBase, _ offset: Int) -> Self
  /// Assigns the attribute of an unmanaged object.
  static func _storageSet(
    _ stored: inout Self, _ value: Self, _ object: ObjectBase, _ offset: Int)
  /// Returns the batch cell of the value.
  static func _storageExport(_ value: Self, _ export: _BatchExport) throws -> _BatchCell
  /// Returns the value that the recording object returns in `round` 0 or 1; see ``_KeyPathRecorder``.
  static func _storageSentinel(_ round: Int, _ recorder: _KeyPathRecorder) -> Self
  /// Returns true if `value` is the sentinel of `round`.
  static func _storageIsSentinel(_ value: Self, _ round: Int, _ recorder: _KeyPathRecorder) -> Bool
  /// Returns the value as `Any`, or nil for an optional that is nil.
  static func _storageAny(_ value: Self) -> Any?
  /// Returns the value in an `Any`, or nil if it is of another type.
  static func _storageValue(_ any: Any?) -> Self?
}

extension PersistableValue {
  @inlinable public static var _readsInline: Bool { false }

  @inlinable @inline(__always)
  public static var _storagePlaceholder: Self { _storageDefault }

  @inlinable @inline(__always)
  public static func _storageGet(
    _ stored: inout Self, _ object: ObjectBase, _ offset: Int
  ) -> Self { stored }

  @inlinable @inline(__always)
  public static func _storageSet(
    _ stored: inout Self, _ value: Self, _ object: ObjectBase, _ offset: Int
  ) { stored = value }

  public static func _storageAny(_ value: Self) -> Any? { value }

  public static func _storageValue(_ any: Any?) -> Self? { any as? Self }
}

/// A type that an optional attribute can wrap. The compiler prints the name of this protocol for another type, so the name
/// is advice.
nonisolated public protocol _PersistableEnumOrCodablePersistable: SendableMetatype {
  /// The shape of an optional attribute of this type in the schema.
  static var _optionalShape: AttributeShape { get }
  /// Reads the optional attribute of a managed object; `column` is its index.
  static func _optionalRead(_ object: ObjectBase, _ column: Int) -> Self?
  /// Writes the optional attribute of a managed object; `column` is its index.
  static func _optionalWrite(_ object: ObjectBase, _ column: Int, _ value: Self?)
  /// Returns the batch cell of the value, a null cell for nil.
  static func _optionalExport(_ value: Self?, _ export: _BatchExport) throws -> _BatchCell
  /// Returns the value that the recording object returns in `round` 0 or 1; see ``_KeyPathRecorder``.
  static func _optionalSentinel(_ round: Int, _ recorder: _KeyPathRecorder) -> Self?
  /// Returns true if `value` is the sentinel of `round`.
  static func _optionalIsSentinel(_ value: Self?, _ round: Int, _ recorder: _KeyPathRecorder)
    -> Bool
}

// The compiler quotes the next line in its error if an optional is not an attribute type.
/// A link is optional: `Owner?`. Enums are `PersistableEnum`, Codable types `CodablePersistable`, others `CustomPersistable`.
extension Optional: PersistableValue where Wrapped: _PersistableEnumOrCodablePersistable {
  @inlinable public static var _storageDefault: Self { nil }

  public static var _storageShape: AttributeShape { Wrapped._optionalShape }

  @inlinable @inline(__always)
  public static func _storageRead(_ object: ObjectBase, _ column: Int) -> Self {
    Wrapped._optionalRead(object, column)
  }

  @inlinable
  public static func _storageWrite(_ object: ObjectBase, _ column: Int, _ value: Self) {
    Wrapped._optionalWrite(object, column, value)
  }

  public static func _storageExport(_ value: Self, _ export: _BatchExport) throws -> _BatchCell {
    try Wrapped._optionalExport(value, export)
  }

  public static func _storageSentinel(_ round: Int, _ recorder: _KeyPathRecorder) -> Self {
    Wrapped._optionalSentinel(round, recorder)
  }

  public static func _storageIsSentinel(
    _ value: Self, _ round: Int, _ recorder: _KeyPathRecorder
  ) -> Bool {
    Wrapped._optionalIsSentinel(value, round, recorder)
  }

  public static func _storageAny(_ value: Self) -> Any? { value.map { $0 as Any } }

  public static func _storageValue(_ any: Any?) -> Self? {
    guard let any else { return .some(nil) }
    if let value = any as? Wrapped { return .some(value) }
    if let type = Wrapped.self as? any PersistableValue.Type,
      let value = type._storageValue(any) as? Wrapped
    {
      return .some(value)
    }
    return any as? Self
  }
}

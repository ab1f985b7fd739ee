/// Everything a `@Persisted` attribute may hold: scalars, optionals of them, links, collections.
///
/// Do not conform types of your own to it; see ``PersistableEnum`` and ``CustomPersistable``. Its
/// requirements are what the property wrapper's inlined code calls.
nonisolated public protocol PersistableValue: SendableMetatype {
  /// The value of an attribute declared without one.
  static var _storageDefault: Self { get }
  /// Any value, cheaply made: an accessor never shows it.
  static var _storagePlaceholder: Self { get }
  /// What the attribute is, for the schema.
  static var _storageShape: AttributeShape { get }
  /// Whether reading is so quick that a call to find the column would be felt: the search is inlined then,
  /// into each accessor of each model.
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
  /// The value as a batch takes it.
  static func _storageExport(_ value: Self, _ export: _BatchExport) throws -> _BatchCell
  /// The value the recording object gives out in `round` 0 or 1; see ``_KeyPathRecorder``.
  static func _storageSentinel(_ round: Int, _ recorder: _KeyPathRecorder) -> Self
  /// Whether `value` is that one.
  static func _storageIsSentinel(_ value: Self, _ round: Int, _ recorder: _KeyPathRecorder) -> Bool
  /// The value as `Any`, with nil for a missing optional.
  static func _storageAny(_ value: Self) -> Any?
  /// The value in an `Any`; nil if it is of another type.
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

/// What may stand in an optional attribute.
nonisolated public protocol _OptionalContent: SendableMetatype {
  /// What an optional attribute of the type is, for the schema.
  static var _optionalShape: AttributeShape { get }
  /// Reads the optional attribute of a managed object; `column` is its index.
  static func _optionalRead(_ object: ObjectBase, _ column: Int) -> Self?
  /// Writes the optional attribute of a managed object; `column` is its index.
  static func _optionalWrite(_ object: ObjectBase, _ column: Int, _ value: Self?)
  /// The value as a batch takes it; nil is null.
  static func _optionalExport(_ value: Self?, _ export: _BatchExport) throws -> _BatchCell
  /// The value the recording object gives out in `round` 0 or 1; see ``_KeyPathRecorder``.
  static func _optionalSentinel(_ round: Int, _ recorder: _KeyPathRecorder) -> Self?
  /// Whether `value` is that one.
  static func _optionalIsSentinel(_ value: Self?, _ round: Int, _ recorder: _KeyPathRecorder)
    -> Bool
}

// The compiler shows the next line where an optional is no attribute.
/// A link is an optional: `Owner?`. An enum conforms to `PersistableEnum`, another type to `CustomPersistable`.
extension Optional: PersistableValue where Wrapped: _OptionalContent {
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

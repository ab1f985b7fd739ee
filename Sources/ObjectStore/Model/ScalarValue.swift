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

/// A value as the store keeps it: bits, or bytes.
// Frozen: a build for distribution has no inlinable initializer otherwise.
@frozen public struct _ScalarCell {
  /// The bits of a number; 0 for a text.
  public var word: UInt64
  /// The bytes of a text; empty for a number. They hold only during the call that gives them.
  public var bytes: UnsafeRawBufferPointer

  /// A number's bits.
  @inlinable
  public init(word: UInt64) {
    self.word = word
    bytes = UnsafeRawBufferPointer(start: nil, count: 0)
  }

  /// A text's bytes, which must outlive the cell.
  @inlinable
  public init(bytes: UnsafeRawBufferPointer) {
    word = 0
    self.bytes = bytes
  }
}

typealias ScalarCell = _ScalarCell

/// A single value: `Int`, `String`, `Date`, an enum …
nonisolated public protocol ScalarValue: PersistableValue, _OptionalContent, CollectionElement,
  Hashable, Sendable
{
  /// The kind, with the cases of an enum.
  static var _scalarType: _ScalarType { get }
  /// The kind alone, which costs nothing to tell.
  static var _scalarKind: AttributeShape.Kind { get }
  /// Whether its cells are bytes and not words (`Bool`).
  static var _isByte: Bool { get }
  /// The value a cell holds; texts lie in the column.
  static func _decode(_ word: UInt64, _ column: UnsafeMutablePointer<_StorageColumn>) -> Self
  /// Gives `body` the value as a cell holds it; its bytes hold during the call.
  func _encode<R>(_ body: (_ScalarCell) throws -> R) rethrows -> R
  /// The value as an update has it.
  var _updateValue: UpdateValue { get }
  /// A value nobody has by chance; `round` 0 and 1 give different ones where the type has two.
  static func _sentinel(_ round: Int) -> Self
}

extension ScalarValue {
  @inlinable public static var _isByte: Bool { false }

  public static var _scalarType: _ScalarType { _ScalarType(_scalarKind) }

  public static var _storageShape: AttributeShape { AttributeShape(.scalar, scalar: _scalarType) }

  public static var _optionalShape: AttributeShape {
    AttributeShape(.scalar, scalar: _scalarType, isOptional: true)
  }

  @inlinable @inline(__always)
  static func read(_ row: Int, _ column: UnsafeMutablePointer<_StorageColumn>) -> Self {
    _decode(_isByte ? UInt64(column.pointee.byte(row)) : column.pointee.word(row), column)
  }

  @inlinable @inline(__always)
  public static func _storageRead(_ object: ObjectBase, _ column: Int) -> Self {
    read(object.row, object.columns + column)
  }

  @inlinable @inline(__always)
  public static func _optionalRead(_ object: ObjectBase, _ column: Int) -> Self? {
    let column = object.columns + column
    return column.pointee.isNull(object.row) ? nil : read(object.row, column)
  }

  @inlinable
  public static func _storageWrite(_ object: ObjectBase, _ column: Int, _ value: Self) {
    value._encode { object.write($0, column: column) }
  }

  @inlinable
  public static func _optionalWrite(_ object: ObjectBase, _ column: Int, _ value: Self?) {
    if let value {
      value._encode { object.write($0, column: column) }
    } else {
      object.writeNull(column: column)
    }
  }

  public static func _storageExport(_ value: Self, _ export: _BatchExport) throws -> _BatchCell {
    try value._encode { try export.cell($0, _scalarKind) }
  }

  public static func _optionalExport(_ value: Self?, _ export: _BatchExport) throws -> _BatchCell {
    try value.map { try _storageExport($0, export) } ?? .null
  }

  public static func _storageSentinel(_ round: Int, _ recorder: _KeyPathRecorder) -> Self {
    _sentinel(round)
  }

  public static func _storageIsSentinel(
    _ value: Self, _ round: Int, _ recorder: _KeyPathRecorder
  ) -> Bool {
    value == _sentinel(round)
  }

  public static func _optionalSentinel(_ round: Int, _ recorder: _KeyPathRecorder) -> Self? {
    _sentinel(round)
  }

  public static func _optionalIsSentinel(
    _ value: Self?, _ round: Int, _ recorder: _KeyPathRecorder
  ) -> Bool {
    value == _sentinel(round)
  }
}

// The compiler shows the next line where an optional is no attribute.
/// An enum of yours is a `PersistableEnum`, another type of yours `CustomPersistable`.
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
    return (any as? Wrapped).map { .some($0) } ?? (any as? Self)
  }
}

/// What can be a primary key: integers, `String`, `UUID`.
nonisolated public protocol PrimaryKeyValue: ScalarValue, _KeyAttribute {}

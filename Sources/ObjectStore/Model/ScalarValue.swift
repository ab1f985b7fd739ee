/// Everything a `@Persisted` attribute may hold: scalars, optionals of them, links, collections.
///
/// Do not conform types of your own to it; see ``PersistableEnum`` and ``CustomPersistable``. Its
/// requirements are what the property wrapper's inlined code calls.
nonisolated public protocol PersistableValue: SendableMetatype {
  /// The value of an attribute declared without one.
  static var storageDefault: Self { get }
  /// Any value, cheaply made: an accessor never shows it.
  static var storagePlaceholder: Self { get }
  /// What the attribute is, for the schema.
  static var storageShape: AttributeShape { get }
  /// Reads the attribute of a managed object; `column` is its index.
  static func storageRead(_ object: ObjectBase, _ column: Int) -> Self
  /// Writes the attribute of a managed object; `column` is its index.
  static func storageWrite(_ object: ObjectBase, _ column: Int, _ value: Self)
  /// Reads the attribute of an unmanaged object.
  static func storageGet(_ stored: inout Self, _ object: ObjectBase, _ offset: Int) -> Self
  /// Assigns the attribute of an unmanaged object.
  static func storageSet(
    _ stored: inout Self, _ value: Self, _ object: ObjectBase, _ offset: Int)
  /// The value as a batch takes it.
  static func storageExport(_ value: Self, _ export: BatchExport) throws -> BatchCell
  /// The value the recording object gives out in `round` 0 or 1; see ``KeyPathRecorder``.
  static func storageSentinel(_ round: Int, _ recorder: KeyPathRecorder) -> Self
  /// Whether `value` is that one.
  static func storageIsSentinel(_ value: Self, _ round: Int, _ recorder: KeyPathRecorder) -> Bool
  /// The value as `Any`, with nil for a missing optional.
  static func storageAny(_ value: Self) -> Any?
  /// The value in an `Any`; nil if it is of another type.
  static func storageValue(_ any: Any?) -> Self?
}

extension PersistableValue {
  @inlinable @inline(__always)
  public static var storagePlaceholder: Self { storageDefault }

  @inlinable @inline(__always)
  public static func storageGet(
    _ stored: inout Self, _ object: ObjectBase, _ offset: Int
  ) -> Self { stored }

  @inlinable @inline(__always)
  public static func storageSet(
    _ stored: inout Self, _ value: Self, _ object: ObjectBase, _ offset: Int
  ) { stored = value }

  public static func storageAny(_ value: Self) -> Any? { value }

  public static func storageValue(_ any: Any?) -> Self? { any as? Self }
}

/// What may stand in an optional attribute.
nonisolated public protocol OptionalContent: SendableMetatype {
  /// What an optional attribute of the type is, for the schema.
  static var optionalShape: AttributeShape { get }
  /// Reads the optional attribute of a managed object; `column` is its index.
  static func optionalRead(_ object: ObjectBase, _ column: Int) -> Self?
  /// Writes the optional attribute of a managed object; `column` is its index.
  static func optionalWrite(_ object: ObjectBase, _ column: Int, _ value: Self?)
  /// The value as a batch takes it; nil is null.
  static func optionalExport(_ value: Self?, _ export: BatchExport) throws -> BatchCell
  /// The value the recording object gives out in `round` 0 or 1; see ``KeyPathRecorder``.
  static func optionalSentinel(_ round: Int, _ recorder: KeyPathRecorder) -> Self?
  /// Whether `value` is that one.
  static func optionalIsSentinel(_ value: Self?, _ round: Int, _ recorder: KeyPathRecorder) -> Bool
}

/// A value as the store keeps it: bits, or bytes.
// Frozen: a build for distribution has no inlinable initializer otherwise.
@frozen public struct ScalarCell {
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

/// A single value: `Int`, `String`, `Date`, an enum …
nonisolated public protocol ScalarValue: PersistableValue, OptionalContent, CollectionElement,
  Hashable, Sendable
{
  /// The kind, with the cases of an enum.
  static var scalarType: ScalarType { get }
  /// The kind alone, which costs nothing to tell.
  static var scalarKind: ScalarKind { get }
  /// Whether its cells are bytes and not words (`Bool`).
  static var isByte: Bool { get }
  /// The value a cell holds; texts lie in the column.
  static func decode(_ word: UInt64, _ column: UnsafeMutablePointer<StorageColumn>) -> Self
  /// Gives `body` the value as a cell holds it; its bytes hold during the call.
  func encode<R>(_ body: (ScalarCell) throws -> R) rethrows -> R
  /// The value as an update has it.
  var _updateValue: UpdateValue { get }
  /// A value nobody has by chance; `round` 0 and 1 give different ones where the type has two.
  static func sentinel(_ round: Int) -> Self
}

extension ScalarValue {
  @inlinable public static var isByte: Bool { false }

  public static var scalarType: ScalarType { ScalarType(scalarKind) }

  public static var storageShape: AttributeShape { AttributeShape(.scalar, scalar: scalarType) }

  public static var optionalShape: AttributeShape {
    AttributeShape(.scalar, scalar: scalarType, isOptional: true)
  }

  @inlinable @inline(__always)
  static func read(_ row: Int, _ column: UnsafeMutablePointer<StorageColumn>) -> Self {
    decode(isByte ? UInt64(column.pointee.byte(row)) : column.pointee.word(row), column)
  }

  @inlinable @inline(__always)
  public static func storageRead(_ object: ObjectBase, _ column: Int) -> Self {
    read(object.row, object.columns + column)
  }

  @inlinable @inline(__always)
  public static func optionalRead(_ object: ObjectBase, _ column: Int) -> Self? {
    let column = object.columns + column
    return column.pointee.isNull(object.row) ? nil : read(object.row, column)
  }

  @inlinable
  public static func storageWrite(_ object: ObjectBase, _ column: Int, _ value: Self) {
    value.encode { object.write($0, column: column) }
  }

  @inlinable
  public static func optionalWrite(_ object: ObjectBase, _ column: Int, _ value: Self?) {
    if let value {
      value.encode { object.write($0, column: column) }
    } else {
      object.writeNull(column: column)
    }
  }

  public static func storageExport(_ value: Self, _ export: BatchExport) throws -> BatchCell {
    try value.encode { try export.cell($0, scalarKind) }
  }

  public static func optionalExport(_ value: Self?, _ export: BatchExport) throws -> BatchCell {
    try value.map { try storageExport($0, export) } ?? .null
  }

  public static func storageSentinel(_ round: Int, _ recorder: KeyPathRecorder) -> Self {
    sentinel(round)
  }

  public static func storageIsSentinel(
    _ value: Self, _ round: Int, _ recorder: KeyPathRecorder
  ) -> Bool {
    value == sentinel(round)
  }

  public static func optionalSentinel(_ round: Int, _ recorder: KeyPathRecorder) -> Self? {
    sentinel(round)
  }

  public static func optionalIsSentinel(
    _ value: Self?, _ round: Int, _ recorder: KeyPathRecorder
  ) -> Bool {
    value == sentinel(round)
  }
}

extension Optional: PersistableValue where Wrapped: OptionalContent {
  @inlinable public static var storageDefault: Self { nil }

  public static var storageShape: AttributeShape { Wrapped.optionalShape }

  @inlinable @inline(__always)
  public static func storageRead(_ object: ObjectBase, _ column: Int) -> Self {
    Wrapped.optionalRead(object, column)
  }

  @inlinable
  public static func storageWrite(_ object: ObjectBase, _ column: Int, _ value: Self) {
    Wrapped.optionalWrite(object, column, value)
  }

  public static func storageExport(_ value: Self, _ export: BatchExport) throws -> BatchCell {
    try Wrapped.optionalExport(value, export)
  }

  public static func storageSentinel(_ round: Int, _ recorder: KeyPathRecorder) -> Self {
    Wrapped.optionalSentinel(round, recorder)
  }

  public static func storageIsSentinel(
    _ value: Self, _ round: Int, _ recorder: KeyPathRecorder
  ) -> Bool {
    Wrapped.optionalIsSentinel(value, round, recorder)
  }

  public static func storageAny(_ value: Self) -> Any? { value.map { $0 as Any } }

  public static func storageValue(_ any: Any?) -> Self? {
    guard let any else { return .some(nil) }
    return (any as? Wrapped).map { .some($0) } ?? (any as? Self)
  }
}

/// What can be a primary key: integers, `String`, `UUID`.
nonisolated public protocol PrimaryKeyValue: ScalarValue, KeyAttribute {}

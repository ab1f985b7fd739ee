/// A type with a single value: `Int`, `String`, `Date`, an enum, …
nonisolated public protocol ScalarValue: PersistableValue, _PersistableEnumOrCodablePersistable,
  CollectionElement,
  _QueryScalar, Hashable, Sendable
where _QueryBase == Self {
  /// The built-in type that is stored: the raw value of an enum, or the persisted type of a custom type.
  associatedtype _QueryStored = Self
  /// The kind, including the cases of an enum.
  static var _scalarType: _ScalarType { get }
  /// The kind without the cases of an enum, which costs nothing to compute.
  static var _scalarKind: AttributeShape.Kind { get }
  /// True if its cells are bytes instead of words (`Bool`).
  static var _isByte: Bool { get }
  /// Decodes the value of a cell; the bytes of strings are in the column.
  static func _decode(_ word: UInt64, _ column: UnsafeMutablePointer<_StorageColumn>) -> Self
  /// Calls `body` with the cell of the value; its bytes are valid only during the call.
  func _encode<R>(_ body: (_ScalarCell) throws -> R) rethrows -> R
  /// The value as an ``UpdateValue``.
  var _updateValue: UpdateValue { get }
  /// A value that is unlikely to occur by chance; rounds 0 and 1 return different values if the type has two.
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

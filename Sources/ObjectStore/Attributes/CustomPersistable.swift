/// A custom type that is stored as another type: `struct Meters: CustomPersistable`.
///
///     struct Meters: CustomPersistable {
///       var value: Double
///       init(persistedValue: Double) { value = persistedValue }
///       var persistableValue: Double { value }
///     }
nonisolated public protocol CustomPersistable: ScalarValue, _KeyAttribute
where _QueryStored == PersistedType._QueryStored {
  /// The type of the stored value.
  associatedtype PersistedType: ScalarValue
  /// Creates a value from the stored value.
  init(persistedValue: PersistedType)
  /// The value to store.
  var persistableValue: PersistedType { get }
}

extension CustomPersistable {
  public static var _storageDefault: Self { Self(persistedValue: PersistedType._storageDefault) }
  public static var _isByte: Bool { PersistedType._isByte }
  public static var _scalarKind: AttributeShape.Kind { PersistedType._scalarKind }
  public static var _scalarType: _ScalarType { PersistedType._scalarType }
  @inlinable
  public static func _decode(
    _ word: UInt64, _ column: UnsafeMutablePointer<_StorageColumn>
  ) -> Self {
    Self(persistedValue: PersistedType._decode(word, column))
  }
  public func _encode<R>(_ body: (_ScalarCell) throws -> R) rethrows -> R {
    try persistableValue._encode(body)
  }
  public static func _storageWrite(_ object: ObjectBase, _ column: Int, _ value: Self) {
    PersistedType._storageWrite(object, column, value.persistableValue)
  }
  public static func _optionalWrite(_ object: ObjectBase, _ column: Int, _ value: Self?) {
    PersistedType._optionalWrite(object, column, value?.persistableValue)
  }
  public static func _sentinel(_ round: Int) -> Self {
    Self(persistedValue: PersistedType._sentinel(round))
  }
}

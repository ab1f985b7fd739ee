/// A value that identifies an object: a value of its primary key, or a ``CompoundKey``.
///
/// Do not conform your own types to this protocol. Its requirements are used by methods that take a key.
nonisolated public protocol ObjectKey: Hashable, Sendable {
  /// The kind of the key's column.
  static var _scalarKind: AttributeShape.Kind { get }
  /// Calls `body` with the key's column value; its bytes are valid only during the call.
  func _encode<R>(_ body: (_ScalarCell) throws -> R) rethrows -> R
  /// The key as an ``UpdateValue``.
  var _updateValue: UpdateValue { get }
  /// The key itself if it has several parts; otherwise nil.
  var _compoundKey: CompoundKey? { get }
}

extension ObjectKey {
  @inlinable @inline(__always)
  public var _compoundKey: CompoundKey? { nil }
}
/// A type that can be a primary key: integers, `String`, `UUID`.
nonisolated public protocol PrimaryKeyValue: ScalarValue, ObjectKey, _KeyAttribute {}

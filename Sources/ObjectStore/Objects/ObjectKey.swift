/// What an object is found by: a value of its primary key, or a ``CompoundKey``.
///
/// Do not conform types of your own to it. Its requirements are what calls that take a key look at.
nonisolated public protocol ObjectKey: Hashable, Sendable {
  /// The kind of the key's column.
  static var _scalarKind: AttributeShape.Kind { get }
  /// Gives `body` the key as its column holds it; its bytes hold during the call.
  func _encode<R>(_ body: (_ScalarCell) throws -> R) rethrows -> R
  /// The key as an update has it.
  var _updateValue: UpdateValue { get }
  /// The key itself if it is made of several parts; else nil.
  var _compoundKey: CompoundKey? { get }
}

extension ObjectKey {
  @inlinable @inline(__always)
  public var _compoundKey: CompoundKey? { nil }
}
/// What can be a primary key: integers, `String`, `UUID`.
nonisolated public protocol PrimaryKeyValue: ScalarValue, ObjectKey, _KeyAttribute {}

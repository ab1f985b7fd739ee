/// A type that can be a primary key: integers, `String`, `UUID`.
nonisolated public protocol PrimaryKeyValue: ScalarValue, ObjectKey, _KeyAttribute {}

extension PrimaryKeyValue {
  @inlinable @inline(__always)
  public var _keyKind: AttributeShape.Kind? { Self._scalarKind }
}

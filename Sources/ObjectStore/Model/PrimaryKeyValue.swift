/// What can be a primary key: integers, `String`, `UUID`.
nonisolated public protocol PrimaryKeyValue: ScalarValue, ObjectKey, _KeyAttribute {}

/// What queries compare: a single value, or one that may be null.
nonisolated public protocol _QueryScalar {
  /// The value where it is not null.
  associatedtype _QueryBase: ScalarValue
}

extension Optional: _QueryScalar where Wrapped: ScalarValue {
  public typealias _QueryBase = Wrapped
}

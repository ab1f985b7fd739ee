extension CachePolicy {
  /// The same policy, which also keeps the objects for which the predicate holds. One that names an object of
  /// a store cannot be a class's: evicting throws.
  public func keeping(_ predicate: StorePredicate) -> CachePolicy {
    keeping(predicate.description)
  }

  /// The same policy, which also keeps the objects for which a condition holds: those that were edited and not
  /// uploaded yet.
  public func keeping<T: Object>(
    _ type: T.Type, _ condition: (QueryPath<T>) -> some _QueryCondition
  ) -> CachePolicy {
    keeping(StorePredicate(type, condition))
  }
}

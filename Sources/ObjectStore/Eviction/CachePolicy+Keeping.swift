extension CachePolicy {
  /// Returns a copy of the policy that also keeps the objects that match the predicate. Evicting throws if the
  /// predicate refers to an object of a store.
  public func keeping(_ predicate: StorePredicate) -> CachePolicy {
    keeping(predicate.description)
  }

  /// Returns a copy of the policy that also keeps the objects that match a condition, for example those with edits that
  /// are not uploaded yet.
  public func keeping<T: Object>(
    _ type: T.Type, _ condition: (QueryPath<T>) -> some _QueryCondition
  ) -> CachePolicy {
    keeping(StorePredicate(type, condition))
  }
}

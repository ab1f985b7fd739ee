extension CachePolicy {
  /// Creates a policy like ``init(maximumAge:since:maximumCount:updatesCountAsUse:)-(_,String,_,_)``, with a key path
  /// to the attribute. A key path that does not refer to an attribute is misuse.
  public init<T: Object>(
    maximumAge: Duration, since date: PartialKeyPath<T>, maximumCount: Int? = nil,
    updatesCountAsUse: Bool = false
  ) {
    self.init(
      maximumAge: maximumAge, since: T.attributeName(for: date), maximumCount: maximumCount,
      updatesCountAsUse: updatesCountAsUse)
  }

  /// Creates a policy like ``init(maximumCount:since:updatesCountAsUse:)-(_,String?,_)``, with a key path to the
  /// attribute. A key path that does not refer to an attribute is misuse.
  public init<T: Object>(
    maximumCount: Int, since date: PartialKeyPath<T>, updatesCountAsUse: Bool = false
  ) {
    self.init(
      maximumCount: maximumCount, since: T.attributeName(for: date),
      updatesCountAsUse: updatesCountAsUse)
  }
}

extension CachePolicy {
  /// ``init(maximumAge:since:maximumCount:updatesCountAsUse:)-(_,String,_,_)`` with the attribute by its key
  /// path. One that is no attribute is misuse.
  public init<T: Object>(
    maximumAge: Duration, since date: PartialKeyPath<T>, maximumCount: Int? = nil,
    updatesCountAsUse: Bool = false
  ) {
    self.init(
      maximumAge: maximumAge, since: T.attributeName(for: date), maximumCount: maximumCount,
      updatesCountAsUse: updatesCountAsUse)
  }

  /// ``init(maximumCount:since:updatesCountAsUse:)-(_,String?,_)`` with the attribute by its key path. One that
  /// is no attribute is misuse.
  public init<T: Object>(
    maximumCount: Int, since date: PartialKeyPath<T>, updatesCountAsUse: Bool = false
  ) {
    self.init(
      maximumCount: maximumCount, since: T.attributeName(for: date),
      updatesCountAsUse: updatesCountAsUse)
  }
}

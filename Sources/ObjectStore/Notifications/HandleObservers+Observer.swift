extension HandleObservers {
  /// Receives deliveries.
  class Observer {
    let state = ObservationToken.State()

    /// Called at each delivery. The version may not have changed since the last one, or since the observer was added.
    func notify(_ differences: Differences) {}

    /// Notes the changes since a version without a notification, if the observer was notified of that version.
    func skip(_ differences: Differences, since earlier: Version) {}

    /// Called when the store is deallocated.
    func end() {}
  }
}

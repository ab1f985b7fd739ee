extension HandleObservers {
  /// Receives deliveries.
  class Observer {
    let state = ObservationToken.State()

    /// Called at each delivery. The version may not have changed since the last one, or since the observer was added.
    func notify(_ differences: Differences) {}

    /// Called when the store is deallocated.
    func end() {}
  }
}

/// The observers of one handle.
///
///     commit ─▶ later on the handle's actor, in refresh(), or at the beginning of `write`
///                 └─▶ advance ─▶ each observer in order: the difference between the version of its
///                                last report and the version shown now
///
/// Delivery happens in the handle's isolation, and never inside a write. Commits during a delivery are merged into
/// one change of the next delivery.
final class HandleObservers: ChangeDelivery {
  private unowned let handle: StoreHandle
  private var observers: [Observer] = []
  private var isDelivering = false

  private init(_ handle: StoreHandle) {
    self.handle = handle
  }

  /// Adds an observer that calls a closure.
  ///
  /// - Parameter actor: The actor of the observation, which a store that follows none follows from now on.
  static func add<Change>(
    _ finder: ChangeFinder<Change>, on actor: (any Actor)?, _ body: @escaping (Change) -> Void
  ) -> ObservationToken {
    if let actor { finder.handle.followObserver?(actor) }
    return add(ChangeCallback(finder, body), of: finder)
  }

  /// Adds an observer to the handle of a finder, starting with the next delivery.
  static func add<Change>(_ observer: Observer, of finder: ChangeFinder<Change>) -> ObservationToken
  {
    let handle = finder.handle
    if handle.hasEnded {
      observer.state.cancel()
      observer.end()
      return ObservationToken(observer.state)
    }
    let all = handle.delivery as? HandleObservers ?? HandleObservers(handle)
    handle.delivery = all
    let cancelled = all.takeCancelled()
    all.observers.append(observer)
    if let rows = finder.observed {
      handle.core.observed.add(ObserverRegistration(rows, observer.state))
    }
    handle.requestDelivery?()
    let token = ObservationToken(observer.state, onCancel: handle.requestDelivery)
    withExtendedLifetime((handle, cancelled)) {}
    return token
  }

  /// Removes the cancelled observers from the list and returns them.
  ///
  /// The caller retains the result until it is done with the list: a closure of an observer may hold the last reference
  /// to the store, whose deallocation removes all observers, or to an object with a custom `deinit`.
  private func takeCancelled() -> [Observer] {
    var (cancelled, others): ([Observer], [Observer]) = ([], [])
    // Read once for each observer: other threads may cancel meanwhile.
    for observer in observers {
      if observer.state.isCancelled { cancelled.append(observer) } else { others.append(observer) }
    }
    if !cancelled.isEmpty { observers = others }
    return cancelled
  }

  func deliver() throws(StoreError) {
    guard !isDelivering, !handle.isWriting else { return }
    // Released last: this may deallocate the store, and with it this list.
    let released = (handle, takeCancelled())
    defer { withExtendedLifetime(released) {} }
    if observers.isEmpty {
      handle.delivery = nil
      return
    }
    isDelivering = true
    defer { isDelivering = false }
    var differences = Differences(handle)
    var wasLeftOpen = false
    // Observers added by these callbacks wait for the next delivery.
    for observer in observers where !observer.state.isCancelled {
      // A previous callback may have written.
      if handle.version !== differences.shown { differences = Differences(handle) }
      observer.notify(differences)
      if handle.undoOpenWrites() { wasLeftOpen = true }
    }
    if wasLeftOpen { throw StoreError(.unbalancedWrite) }
  }

  /// Does not notify the observers of some tokens of the changes between two versions: an earlier one, and the one shown.
  /// Observers that have not been notified of the earlier version are notified of all changes later.
  func skipChanges(since earlier: Version, _ tokens: [ObservationToken]) {
    let differences = Differences(handle)
    if differences.shown === earlier { return }
    for observer in observers where tokens.contains(where: { $0.isOf(observer.state) }) {
      observer.skip(differences, since: earlier)
    }
  }

  func end() {
    handle.delivery = nil
    let ended = observers
    observers = []
    for observer in ended where !observer.state.isCancelled {
      observer.state.cancel()
      observer.end()
    }
  }
}

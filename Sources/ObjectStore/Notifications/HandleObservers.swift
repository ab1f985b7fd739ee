/// The observers of one handle.
///
///     commit ─▶ a later turn of the handle's actor, refresh(), or at the beginning of `write`
///                 └─▶ advance ─▶ each observer in turn: the difference of the version it was told last
///                                and the one shown now
///
/// Everything happens in the handle's isolation, and never inside a write: what commits meanwhile is told
/// the next time, in one.
final class HandleObservers: ChangeDelivery {
  private unowned let handle: StoreHandle
  private var observers: [Observer] = []
  private var isDelivering = false

  /// One that wants to know.
  class Observer {
    let state = ObservationToken.State()

    /// The handle shows a version that it has not told of, or, to one that was just added, any.
    func tell(_ differences: Differences) {}

    /// The store is gone.
    func end() {}
  }

  /// What is different between the version shown and earlier ones; found once for all who ask.
  struct Differences {
    let shown: Version
    private let engine: StoreEngine
    private let known = Known()

    private final class Known {
      var last: VersionDifference?
    }

    init(_ handle: StoreHandle) {
      shown = handle.version
      engine = handle.engine
    }

    func since(_ earlier: Version) -> VersionDifference {
      if let last = known.last, last.earlier === earlier { return last }
      let difference = VersionDifference(earlier, shown, engine)
      known.last = difference
      return difference
    }
  }

  private init(_ handle: StoreHandle) {
    self.handle = handle
  }

  /// Enters what calls a closure.
  static func add<Change>(
    _ finder: ChangeFinder<Change>, _ body: @escaping (Change) -> Void
  ) -> ObservationToken {
    add(ChangeCallback(finder, body), of: finder)
  }

  /// Enters an observer of a finder's handle, which tells it when it delivers the next time.
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
  /// The caller keeps the result until it is done with the list: what an observer's closure captures may be the
  /// last reference to the store, whose end removes all observers, or to an object with a `deinit` of its own.
  private func takeCancelled() -> [Observer] {
    var (cancelled, others): ([Observer], [Observer]) = ([], [])
    // Asked once each: other threads may cancel meanwhile.
    for observer in observers {
      if observer.state.isCancelled { cancelled.append(observer) } else { others.append(observer) }
    }
    if !cancelled.isEmpty { observers = others }
    return cancelled
  }

  func deliver() throws(StoreError) {
    guard !isDelivering, !handle.isWriting else { return }
    // Released last: it may end the store, and with it this list.
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
    // Observers that are added by these callbacks wait for the next delivery.
    for observer in observers where !observer.state.isCancelled {
      // A callback before this one may have written.
      if handle.version !== differences.shown { differences = Differences(handle) }
      observer.tell(differences)
      if handle.undoOpenWrites() { wasLeftOpen = true }
    }
    if wasLeftOpen { throw StoreError(.unbalancedWrite) }
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

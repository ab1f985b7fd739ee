import Synchronization

/// Keeps an observation going: it ends with ``cancel()``, or when the last reference to its token goes.
///
/// Both may happen on any thread. Inside its own callback a token may be cancelled, too; what is
/// delivered then is the last.
public final class ObservationToken: Sendable {
  private let state: State

  /// Shared with the observer, which looks at it before each delivery.
  final class State: Sendable {
    private let flag = Atomic(false)
    var isCancelled: Bool { flag.load(ordering: .acquiring) }
    func cancel() { flag.store(true, ordering: .releasing) }
  }

  init(_ state: State) { self.state = state }

  deinit { state.cancel() }

  /// Ends the observation: nothing is delivered any more. What its closure holds is let go at the next
  /// delivery, or when somebody else begins to observe.
  public func cancel() { state.cancel() }
}

import Synchronization

/// Keeps an observation going: it ends with ``cancel()``, or when the last reference to its token goes.
///
/// Both may happen on any thread. Inside its own callback a token may be cancelled, too; what is
/// delivered then is the last.
public final class ObservationToken: Sendable {
  private let state: State
  /// Asks the observer's handle to release the cancelled observer; nil where it follows no actor.
  private let onCancel: (@Sendable () -> Void)?

  /// Shared with the observer, which looks at it before each delivery.
  final class State: Sendable {
    private let flag = Atomic(false)
    var isCancelled: Bool { flag.load(ordering: .acquiring) }
    /// - Returns: False if it was cancelled before.
    @discardableResult
    func cancel() -> Bool { !flag.exchange(true, ordering: .acquiringAndReleasing) }
  }

  init(_ state: State, onCancel: (@Sendable () -> Void)? = nil) {
    self.state = state
    self.onCancel = onCancel
  }

  deinit { cancel() }

  /// Ends the observation: nothing is delivered any more.
  ///
  /// The observer's closure is released in the isolation of its store: where the store follows an actor, in a later
  /// turn of that; else at the next delivery, or when the next observation begins.
  public func cancel() {
    if state.cancel() { onCancel?() }
  }
}

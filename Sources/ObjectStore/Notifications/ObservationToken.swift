import Synchronization

/// Keeps an observation alive until ``cancel()`` is called or the last reference to the token is released.
///
/// Both may happen on any thread. A token may be cancelled inside its own callback, which is then the last call.
public final class ObservationToken: Sendable {
  private let state: State
  /// Requests the observer's handle to release the cancelled observer. Nil if the handle follows no actor or queue.
  private let onCancel: (@Sendable () -> Void)?

  /// The state shared with the observer, which checks it before each delivery.
  final class State: Sendable {
    private let flag = Atomic(false)
    var isCancelled: Bool { flag.load(ordering: .acquiring) }
    /// - Returns: True if it was not cancelled before.
    @discardableResult
    func cancel() -> Bool { !flag.exchange(true, ordering: .acquiringAndReleasing) }
  }

  init(_ state: State, onCancel: (@Sendable () -> Void)? = nil) {
    self.state = state
    self.onCancel = onCancel
  }

  deinit { cancel() }

  func isOf(_ state: State) -> Bool { self.state === state }

  /// Ends the observation.
  ///
  /// The observer's closure is released in the isolation of its store: later on the actor or queue if the store follows
  /// one, otherwise in the next delivery or when the next observation begins.
  public func cancel() {
    if state.cancel() { onCancel?() }
  }
}

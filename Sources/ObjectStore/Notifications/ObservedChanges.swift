/// The changes of an observed object, collection or store, as an asynchronous sequence:
///
///     for await change in animals.changes {
///       if case .update(_, let deletions, let insertions, let modifications) = change { … }
///     }
///
/// Each loop is an observation of its own, which begins with the initial state for collections and sections. Use the
/// sequence in the isolation of the store. Changes that occur while the loop is busy are merged into one. The sequence
/// ends with the ``Store`` and when its task is cancelled.
public struct ObservedChanges<Change>: AsyncSequence {
  private let makeFinder: () -> ChangeFinder<Change>

  init(_ makeFinder: @escaping () -> ChangeFinder<Change>) { self.makeFinder = makeFinder }

  /// Begins an observation and returns an iterator over its changes.
  public func makeAsyncIterator() -> Iterator { Iterator(makeFinder()) }

  /// Waits for the changes, one by one.
  public struct Iterator: AsyncIteratorProtocol {
    private let finder: ChangeFinder<Change>
    private let signal = Signal()
    private let token: ObservationToken

    init(_ finder: ChangeFinder<Change>) {
      self.finder = finder
      token = HandleObservers.add(SignalObserver(signal), of: finder)
    }

    /// Returns the next change, or nil at the end.
    public mutating func next(isolation actor: isolated (any Actor)?) async -> Change? {
      if let actor { finder.handle.followObserver?(actor) }
      while !finder.isOver, !finder.handle.hasEnded, !Task.isCancelled {
        if !finder.handle.isWriting,
          let change = finder.next(HandleObservers.Differences(finder.handle))
        {
          return change
        }
        if await !signal.wait(isolation: actor) { break }
      }
      token.cancel()
      return nil
    }
  }
}

@available(
  *, unavailable, message: "changes stay in the isolation of their store: begin the loop there"
)
extension ObservedChanges: Sendable {}

/// Wakes a loop when there may be a change.
private final class SignalObserver: HandleObservers.Observer {
  private let signal: Signal

  init(_ signal: Signal) { self.signal = signal }

  override func notify(_ differences: HandleObservers.Differences) { signal.raise() }

  override func end() { signal.end() }
}

/// A resettable signal that tasks wait for.
// Sendable: `lock` guards all mutable state.
private final class Signal: @unchecked Sendable {
  private let lock = Lock()
  // Copies of an iterator may wait at the same time.
  private var waiting: [CheckedContinuation<Void, Never>] = []
  private var isRaised = false
  private var isOver = false

  /// Waits until the next `raise()`, or returns at once if it was raised since the last call. False after `end()`.
  func wait(isolation actor: isolated (any Actor)?) async -> Bool {
    await withTaskCancellationHandler {
      await withCheckedContinuation(isolation: actor) { continuation in
        let isDue = lock.withLock {
          if isRaised || isOver || Task.isCancelled { return true }
          waiting.append(continuation)
          return false
        }
        if isDue { continuation.resume() }
      }
    } onCancel: {
      end()
    }
    return lock.withLock {
      isRaised = false
      return !isOver
    }
  }

  func raise() { wake { $0.isRaised = true } }

  func end() { wake { $0.isOver = true } }

  private func wake(_ change: (Signal) -> Void) {
    let continuations = lock.withLock {
      change(self)
      defer { waiting = [] }
      return waiting
    }
    for continuation in continuations { continuation.resume() }
  }
}

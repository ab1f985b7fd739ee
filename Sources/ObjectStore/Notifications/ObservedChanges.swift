/// The changes of an observed thing, as an asynchronous sequence:
///
///     for await change in animals.changes {
///       if case .update(_, let deletions, let insertions, let modifications) = change { … }
///     }
///
/// Each loop begins with the current state. Use it in the isolation of the store. Changes that occur while the loop
/// is busy are merged into one. The sequence ends with the ``Store`` and when its task is cancelled.
public struct ObservedChanges<Change>: AsyncSequence {
  private let makeFinder: () -> ChangeFinder<Change>

  init(_ makeFinder: @escaping () -> ChangeFinder<Change>) { self.makeFinder = makeFinder }

  /// Begins an observation and returns an iterator over its changes.
  public func makeAsyncIterator() -> Iterator { Iterator(makeFinder()) }

  /// Waits for the changes, one by one.
  public struct Iterator: AsyncIteratorProtocol {
    private let finder: ChangeFinder<Change>
    private let alarm = Alarm()
    private let token: ObservationToken

    init(_ finder: ChangeFinder<Change>) {
      self.finder = finder
      token = HandleObservers.add(AlarmObserver(alarm), of: finder)
    }

    /// Returns the next change, or nil at the end.
    public mutating func next(isolation actor: isolated (any Actor)?) async -> Change? {
      while !finder.isOver, !finder.handle.hasEnded, !Task.isCancelled {
        if !finder.handle.isWriting,
          let change = finder.next(HandleObservers.Differences(finder.handle))
        {
          return change
        }
        if await !alarm.wait(isolation: actor) { break }
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
private final class AlarmObserver: HandleObservers.Observer {
  private let alarm: Alarm

  init(_ alarm: Alarm) { self.alarm = alarm }

  override func tell(_ differences: HandleObservers.Differences) { alarm.ring() }

  override func end() { alarm.end() }
}

/// A latch that tasks wait for.
// Sendable: `lock` guards all mutable state.
private final class Alarm: @unchecked Sendable {
  private let lock = Lock()
  // Copies of an iterator may wait at once.
  private var waiting: [CheckedContinuation<Void, Never>] = []
  private var hasRung = false
  private var isOver = false

  /// Waits until the next `ring()`, or returns at once if it rang since the last call. False after `end()`.
  func wait(isolation actor: isolated (any Actor)?) async -> Bool {
    await withTaskCancellationHandler {
      await withCheckedContinuation(isolation: actor) { continuation in
        let isDue = lock.withLock {
          if hasRung || isOver || Task.isCancelled { return true }
          waiting.append(continuation)
          return false
        }
        if isDue { continuation.resume() }
      }
    } onCancel: {
      end()
    }
    return lock.withLock {
      hasRung = false
      return !isOver
    }
  }

  func ring() { wake { $0.hasRung = true } }

  func end() { wake { $0.isOver = true } }

  private func wake(_ change: (Alarm) -> Void) {
    let sleepers = lock.withLock {
      change(self)
      defer { waiting = [] }
      return waiting
    }
    for sleeper in sleepers { sleeper.resume() }
  }
}

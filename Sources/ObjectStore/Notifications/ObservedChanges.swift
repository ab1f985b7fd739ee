/// What happens to something observed, as a sequence to be awaited:
///
///     for await change in animals.changes {
///       if case .update(_, let deletions, let insertions, let modifications) = change { … }
///     }
///
/// Each loop begins with how things are by then. It belongs to the isolation of the store; what happens
/// while the loop is busy comes as one change. It ends when the ``Store`` goes and when its task is
/// cancelled.
public struct ObservedChanges<Change>: AsyncSequence {
  private let makeFinder: () -> ChangeFinder<Change>

  init(_ makeFinder: @escaping () -> ChangeFinder<Change>) { self.makeFinder = makeFinder }

  /// Begins to observe.
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

    /// The next change; nil at the end.
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

/// Wakes a loop when there may be something to tell.
private final class AlarmObserver: HandleObservers.Observer {
  private let alarm: Alarm

  init(_ alarm: Alarm) { self.alarm = alarm }

  override func tell(_ differences: HandleObservers.Differences) { alarm.ring() }

  override func end() { alarm.end() }
}

/// What tasks wait for.
// Sendable: everything is guarded by `lock`.
private final class Alarm: @unchecked Sendable {
  private let lock = Lock()
  // Copies of an iterator may wait at once.
  private var waiting: [CheckedContinuation<Void, Never>] = []
  private var hasRung = false
  private var isOver = false

  /// Waits until it rings, or has rung since the last time; false if it never will again.
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

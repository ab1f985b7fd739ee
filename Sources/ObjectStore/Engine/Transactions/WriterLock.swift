/// The writer lock: one holder at a time, first come, first served. See ``WriterQueue`` for the rules.
///
/// Each blocked thread waits on a condition of its own, so that a release wakes only one. A suspended task waits for
/// its continuation. When a task is notified that the lock is free, it gets a grace period to run before a thread may
/// pass it. Each time a task is passed, its next grace period doubles, up to about a second. Threads that write without
/// pause therefore cannot starve a task, and no thread waits forever for a task that needs that very thread.
// Sendable: all mutable properties are guarded by `lock`.
final class WriterLock: @unchecked Sendable {
  typealias Ticket = WriterQueue.Ticket

  private let lock = Lock()
  private var queue = WriterQueue()
  /// The thread that holds the lock; 0 while it is free, or while its new holder has not run yet.
  private var thread: UInt = 0
  private var conditions: [Ticket: Condition] = [:]
  /// The blocked thread that was granted the lock and has not woken up yet.
  private var granted: Ticket?
  private var continuations: [Ticket: CheckedContinuation<Void, Never>] = [:]
  /// The time from which a thread may pass the notified task.
  private var passTime: UInt64 = 0

  /// The first grace period of a notified task: far longer than an executor needs to run it, unless the executor is
  /// blocked.
  private static let graceNanoseconds: UInt64 = 2_000_000

  /// The number of waiting threads and tasks.
  var waiterCount: Int { lock.withLock { queue.waiterCount } }

  // MARK: - Threads

  /// Acquires the lock; blocks the thread until the lock is available.
  ///
  /// - Throws: `alreadyWriting` if the calling thread holds it.
  func acquire() throws(StoreError) {
    let thread = Lock.currentThread
    let isOwn = lock.withLock {
      if queue.isHeld && self.thread == thread { return true }
      if !queue.acquire() { waitInQueue() }
      self.thread = thread
      return false
    }
    if isOwn { throw StoreError(.alreadyWriting) }
  }

  /// Waits until the calling thread holds the writer lock. The caller holds `lock`.
  @inline(never)
  private func waitInQueue() {
    let ticket = queue.joinAsThread()
    let condition = Condition()
    conditions[ticket] = condition
    while granted != ticket {
      if queue.isHeld || queue.firstThread != ticket {
        lock.wait(for: condition)
      } else if monotonicNanoseconds() < passTime {
        lock.wait(for: condition, until: passTime)
      } else {
        _ = queue.pass(thread: ticket)
        granted = ticket
      }
    }
    granted = nil
    conditions[ticket] = nil
  }

  // MARK: - Tasks

  /// Acquires the lock; suspends the task until the lock is available.
  ///
  /// The task joins the queue in the caller's isolation, before it suspends, so that calls of one actor are served in
  /// order.
  ///
  /// - Throws: `CancellationError` if the task is cancelled before it acquires the lock.
  nonisolated(nonsending) func acquireSuspending() async throws {
    let ticket: Ticket? = lock.withLock {
      guard !queue.acquire() else {
        thread = Lock.currentThread
        return nil
      }
      return queue.joinAsTask()
    }
    guard let ticket else { return }
    // Acquired here, in the caller's isolation: the handler's closure may run elsewhere, and a lock acquired there
    // would be held by a task that still waits for its actor.
    while try !acquire(ticket) {
      await withTaskCancellationHandler {
        await waitForNotification(ticket)
      } onCancel: {
        leave(ticket)
      }
    }
  }

  private func acquire(_ ticket: Ticket) throws -> Bool {
    if Task.isCancelled {
      leave(ticket)
      throw CancellationError()
    }
    return lock.withLock {
      guard queue.acquire(task: ticket) else { return false }
      thread = Lock.currentThread
      return true
    }
  }

  /// Suspends until the task is notified or leaves the queue.
  private nonisolated(nonsending) func waitForNotification(_ ticket: Ticket) async {
    await withCheckedContinuation { continuation in
      let isWaiting = lock.withLock {
        guard queue.isWaiting(task: ticket) else { return false }
        continuations[ticket] = continuation
        return true
      }
      if !isWaiting { continuation.resume() }
    }
  }

  private func leave(_ ticket: Ticket) {
    let (mine, next) = lock.withLock {
      (continuations.removeValue(forKey: ticket), notify(queue.leave(task: ticket)))
    }
    mine?.resume()
    next?.resume()
  }

  // MARK: - Releasing

  /// Releases the lock, from any thread.
  func release() {
    let next = lock.withLock {
      thread = 0
      return notify(queue.release())
    }
    next?.resume()
  }

  /// Wakes the next thread, or returns the continuation of the next task, to be resumed outside `lock`.
  @inline(__always)
  private func notify(_ next: WriterQueue.Next) -> CheckedContinuation<Void, Never>? {
    if case .noWaiter = next, queue.firstThread == nil { return nil }
    return notifyWaiter(next)
  }

  @inline(never)
  private func notifyWaiter(_ next: WriterQueue.Next) -> CheckedContinuation<Void, Never>? {
    switch next {
    case .granted(let ticket):
      granted = ticket
      conditions[ticket]?.signal()
      return nil
    case .notified(let ticket):
      let grace = Self.graceNanoseconds << UInt64(min(queue.timesPassed(task: ticket), 9))
      passTime = monotonicNanoseconds() + grace
      wakeFirstThread()
      return continuations.removeValue(forKey: ticket)
    case .noWaiter:
      wakeFirstThread()
      return nil
    }
  }

  /// Wakes the first waiting thread. If the lock is free and a task was notified, the thread then waits for the pass
  /// time.
  private func wakeFirstThread() {
    if let ticket = queue.firstThread { conditions[ticket]?.signal() }
  }
}

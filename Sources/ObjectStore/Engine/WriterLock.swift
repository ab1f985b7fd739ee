/// The writer's turn: one at a time, first come, first served. See ``WriterQueue`` for the rules.
///
/// Who blocks a thread waits for its condition, one each, so that a release wakes one. Who is
/// suspended waits for its continuation. A called task gets some time to run before a thread may pass
/// it; if it was passed all the same, it gets twice the time when it is called again. So a task is
/// not starved by threads that write without a pause, and no thread waits for ever for a task that
/// needs that very thread.
// Sendable: everything that changes is guarded by `lock`.
final class WriterLock: @unchecked Sendable {
  typealias Ticket = WriterQueue.Ticket

  private let lock = Lock()
  private var queue = WriterQueue()
  /// The thread that holds the turn; 0 while nobody does, or who does has not run yet.
  private var thread: UInt = 0
  private var conditions: [Ticket: Condition] = [:]
  /// The blocked thread that was given the turn and has not noticed yet.
  private var granted: Ticket?
  private var continuations: [Ticket: CheckedContinuation<Void, Never>] = [:]
  /// When the called task may be passed.
  private var passTime: UInt64 = 0

  /// The time a called task has to run: far more than an executor needs that is not blocked.
  private static let graceNanoseconds: UInt64 = 2_000_000

  /// How many wait.
  var lineCount: Int { lock.withLock { queue.lineCount } }

  // MARK: - Threads

  /// Takes the turn; blocks the thread while it is not free.
  /// - Throws: `alreadyWriting` if the calling thread holds it.
  func acquire() throws(StoreError) {
    let thread = Lock.currentThread
    let isOwn = lock.withLock {
      if queue.isHeld && self.thread == thread { return true }
      if !queue.claim() { waitInLine() }
      self.thread = thread
      return false
    }
    if isOwn { throw StoreError(.alreadyWriting) }
  }

  /// Returns when the turn is the calling thread's; the lock is held.
  @inline(never)
  private func waitInLine() {
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

  /// Takes the turn; suspends while it is not free.
  ///
  /// It takes its place in line in the caller's isolation, before it suspends, so that calls of one
  /// actor are served in the order they were made.
  /// - Throws: `CancellationError` if the task is cancelled before it has the turn.
  nonisolated(nonsending) func acquireSuspending() async throws {
    let ticket: Ticket? = lock.withLock {
      guard !queue.claim() else {
        thread = Lock.currentThread
        return nil
      }
      return queue.joinAsTask()
    }
    guard let ticket else { return }
    // The turn is taken here, in the caller's isolation: the handler's closure may run elsewhere, and
    // a turn taken there would be held by a task that still waits for its actor.
    while try !acquire(ticket) {
      await withTaskCancellationHandler {
        await waitForCall(ticket)
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
      guard queue.claim(task: ticket) else { return false }
      thread = Lock.currentThread
      return true
    }
  }

  /// Suspends until the task is called, or leaves the line.
  private nonisolated(nonsending) func waitForCall(_ ticket: Ticket) async {
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
      (continuations.removeValue(forKey: ticket), tell(queue.leave(task: ticket)))
    }
    mine?.resume()
    next?.resume()
  }

  // MARK: - The end

  /// Gives the turn up, from any thread.
  func release() {
    let next = lock.withLock {
      thread = 0
      return tell(queue.release())
    }
    next?.resume()
  }

  /// Wakes the thread that comes next, or returns the task, to be resumed without the lock.
  @inline(__always)
  private func tell(_ next: WriterQueue.Next) -> CheckedContinuation<Void, Never>? {
    if case .nobody = next, queue.firstThread == nil { return nil }
    return tellSomebody(next)
  }

  @inline(never)
  private func tellSomebody(_ next: WriterQueue.Next) -> CheckedContinuation<Void, Never>? {
    switch next {
    case .granted(let ticket):
      granted = ticket
      conditions[ticket]?.signal()
      return nil
    case .called(let ticket):
      let grace = Self.graceNanoseconds << UInt64(min(queue.timesPassed(task: ticket), 9))
      passTime = monotonicNanoseconds() + grace
      tellFirstThread()
      return continuations.removeValue(forKey: ticket)
    case .nobody:
      tellFirstThread()
      return nil
    }
  }

  /// The turn is free and a task was called: a thread behind it has to look at the clock.
  private func tellFirstThread() {
    if let ticket = queue.firstThread { conditions[ticket]?.signal() }
  }
}

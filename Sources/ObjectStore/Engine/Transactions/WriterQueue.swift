/// The state and the rules of the writer lock's queue, without threads, tasks or clocks.
///
/// Only running code holds the writer lock (R21). A waiting thread is blocked and runs as soon as it is woken, so it
/// can be granted the lock. A waiting task is suspended and first needs a thread, which may be the one that another
/// writer blocks. It is therefore only notified that the lock is free, and acquires the lock itself once it runs.
///
///     thread   waits ───── first in queue, lock free: granted ──▶ holds ─ release ─▶ (removed)
///                └────── lock free, task ahead is late: passes ───▲
///
///     task     waits ─── first in queue, lock free ──▶ notified ── runs, lock free: acquires ──▶ holds
///               ▲ │                                     │    │
///               │ └ cancelled ─▶ (removed) ◀─ cancelled ┘    │
///               └────────── runs, but was passed ────────────┘
///
/// Invariant: the lock is free only while the queue is empty or its first waiter is a notified task. Except for
/// passing, which only a thread may do, the lock is granted in order of arrival.
struct WriterQueue {
  /// The identifier of a waiter; smaller ones are served first.
  typealias Ticket = UInt64

  /// The waiter to notify after a change.
  enum Next: Equatable {
    /// No waiter to notify: the lock is held, the queue is empty, or a task that was notified earlier has not run yet.
    case noWaiter
    /// The thread now holds the lock.
    case granted(Ticket)
    /// The task is notified that the lock is free, and should acquire it.
    case notified(Ticket)
  }

  private(set) var isHeld = false
  private var threads = TicketQueue()
  /// May contain tickets of tasks that have left, which are absent from ``states``.
  private var tasks = TicketQueue()
  private var states: [Ticket: TaskState] = [:]
  private var lastTicket: Ticket = 0

  private struct TaskState {
    var isNotified = false
    /// The number of times that the notified task ran and found the lock held.
    var timesPassed = 0
  }

  // MARK: - Joining

  /// Acquires the lock if it is free and the queue is empty.
  mutating func acquire() -> Bool {
    if isHeld || threads.first != nil || !states.isEmpty { return false }
    isHeld = true
    return true
  }

  mutating func joinAsThread() -> Ticket {
    lastTicket += 1
    threads.append(lastTicket)
    return lastTicket
  }

  mutating func joinAsTask() -> Ticket {
    lastTicket += 1
    tasks.append(lastTicket)
    states[lastTicket] = TaskState()
    return lastTicket
  }

  // MARK: - Waiting

  var waiterCount: Int { threads.count + states.count }

  /// The first waiting thread, which may pass a notified task.
  var firstThread: Ticket? { threads.first }

  /// Acquires the lock for the first waiting thread, ahead of waiting tasks, if the lock is free.
  mutating func pass(thread ticket: Ticket) -> Bool {
    guard !isHeld, threads.first == ticket else { return false }
    threads.removeFirst()
    isHeld = true
    return true
  }

  /// True if the task must keep waiting: it is in the queue and has not been notified.
  func isWaiting(task ticket: Ticket) -> Bool {
    states[ticket].map { !$0.isNotified } ?? false
  }

  func timesPassed(task ticket: Ticket) -> Int { states[ticket]?.timesPassed ?? 0 }

  /// Acquires the lock for a running task if the task was notified and the lock is free. If the lock is held, the task
  /// waits again.
  mutating func acquire(task ticket: Ticket) -> Bool {
    guard states[ticket]?.isNotified ?? false else { return false }
    if isHeld {
      states[ticket]?.isNotified = false
      states[ticket]?.timesPassed += 1
      return false
    }
    isHeld = true
    remove(ticket)
    return true
  }

  // MARK: - Leaving

  /// Releases the lock.
  mutating func release() -> Next {
    isHeld = false
    return next()
  }

  /// Removes a cancelled task from the queue. Does nothing if it holds the lock.
  mutating func leave(task ticket: Ticket) -> Next {
    guard states[ticket] != nil else { return .noWaiter }
    remove(ticket)
    return next()
  }

  private mutating func remove(_ ticket: Ticket) {
    states[ticket] = nil
    while let first = tasks.first, states[first] == nil { tasks.removeFirst() }
  }

  private mutating func next() -> Next {
    guard !isHeld else { return .noWaiter }
    if let task = tasks.first, task < threads.first ?? .max {
      if states[task]?.isNotified ?? true { return .noWaiter }
      states[task]?.isNotified = true
      return .notified(task)
    }
    guard let thread = threads.first else { return .noWaiter }
    threads.removeFirst()
    isHeld = true
    return .granted(thread)
  }
}

/// A first-in, first-out queue with operations in amortized constant time.
private struct TicketQueue {
  private var tickets: ContiguousArray<WriterQueue.Ticket> = []
  private var head = 0

  var first: WriterQueue.Ticket? { head < tickets.count ? tickets[head] : nil }

  var count: Int { tickets.count - head }

  mutating func append(_ ticket: WriterQueue.Ticket) { tickets.append(ticket) }

  mutating func removeFirst() {
    head += 1
    guard head * 2 > tickets.count else { return }
    tickets.removeFirst(head)
    head = 0
  }
}

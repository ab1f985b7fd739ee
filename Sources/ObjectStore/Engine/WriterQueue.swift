/// Who may write now and who comes next: the rules of the turn, without threads, tasks or clocks.
///
/// The turn is held only by code that runs (R21). A thread in line is blocked, so it runs as soon as it is
/// woken: it can be given the turn. A task in line is suspended and needs a thread first, which may be
/// the one that another writer blocks: it is called, and takes the turn itself once it runs.
///
///     thread   waits ───── first in line, turn free: granted ────▶ holds ─ release ─▶ (gone)
///                └────── turn free, the task in front late: passes ─▲
///
///     task     waits ── first in line, turn free: called ──▶ called ── runs, turn free: claims ──▶ holds
///               ▲ │                                          │    │
///               │ └ cancelled ▶ (gone)      cancelled ▶ (gone)    │
///               └────────────── runs, but was passed ─────────────┘
///
/// What may be trusted: the turn is free only while nobody is in line or the first one is a called
/// task. Apart from passing, which only a thread may do, the turn goes by the order of arrival.
struct WriterQueue {
  /// A place in line; smaller ones come first.
  typealias Ticket = UInt64

  /// Who has to be told after a change.
  enum Next: Equatable {
    /// The turn is held, or nobody waits, or who was called before has still to run.
    case nobody
    /// The thread holds the turn now.
    case granted(Ticket)
    /// The task is to run and claim.
    case called(Ticket)
  }

  private(set) var isHeld = false
  private var threads = Line()
  /// With tickets of tasks that left; ``states`` does not have them.
  private var tasks = Line()
  private var states: [Ticket: TaskState] = [:]
  private var lastTicket: Ticket = 0

  private struct TaskState {
    var isCalled = false
    /// How often it ran and found the turn taken.
    var timesPassed = 0
  }

  // MARK: - Arriving

  /// Takes the turn if it is free and nobody is in line.
  mutating func claim() -> Bool {
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

  // MARK: - In line

  var lineCount: Int { threads.count + states.count }

  /// The thread that may pass a called task.
  var firstThread: Ticket? { threads.first }

  /// Takes the turn past the tasks in front, if it is free.
  mutating func pass(thread ticket: Ticket) -> Bool {
    guard !isHeld, threads.first == ticket else { return false }
    threads.removeFirst()
    isHeld = true
    return true
  }

  /// Whether the task has to wait on: it is in line and was not called.
  func isWaiting(task ticket: Ticket) -> Bool {
    states[ticket].map { !$0.isCalled } ?? false
  }

  func timesPassed(task ticket: Ticket) -> Int { states[ticket]?.timesPassed ?? 0 }

  /// A task that runs takes the turn if it was called and nobody was faster; else it waits again.
  mutating func claim(task ticket: Ticket) -> Bool {
    guard states[ticket]?.isCalled ?? false else { return false }
    if isHeld {
      states[ticket]?.isCalled = false
      states[ticket]?.timesPassed += 1
      return false
    }
    isHeld = true
    remove(ticket)
    return true
  }

  // MARK: - Leaving

  /// Gives the turn up.
  mutating func release() -> Next {
    isHeld = false
    return next()
  }

  /// A cancelled task leaves the line; nothing happens if it holds the turn.
  mutating func leave(task ticket: Ticket) -> Next {
    guard states[ticket] != nil else { return .nobody }
    remove(ticket)
    return next()
  }

  private mutating func remove(_ ticket: Ticket) {
    states[ticket] = nil
    while let first = tasks.first, states[first] == nil { tasks.removeFirst() }
  }

  private mutating func next() -> Next {
    guard !isHeld else { return .nobody }
    if let task = tasks.first, task < threads.first ?? .max {
      if states[task]?.isCalled ?? true { return .nobody }
      states[task]?.isCalled = true
      return .called(task)
    }
    guard let thread = threads.first else { return .nobody }
    threads.removeFirst()
    isHeld = true
    return .granted(thread)
  }
}

/// First in, first out, at constant cost.
private struct Line {
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

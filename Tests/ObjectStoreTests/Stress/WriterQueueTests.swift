import TestSupport
import Testing

@testable import ObjectStore

/// An event at the writer lock.
private enum Event: Hashable {
  case threadArrives, taskArrives, release
  /// The waiter is given by its index in the queue.
  case passes(Int), runs(Int), leaves(Int)
}

/// A naive writer queue: an array that is searched.
private struct NaiveQueue {
  struct Waiter {
    let ticket: UInt64
    let isTask: Bool
    var isNotified = false
  }

  var isHeld = false
  var waiters: [Waiter] = []

  /// All events that can happen next.
  var events: [Event] {
    var events: [Event] = [.threadArrives, .taskArrives]
    if isHeld { events.append(.release) }
    for (index, waiter) in waiters.enumerated() {
      if waiter.isTask {
        events += [.leaves(index)]
        if waiter.isNotified { events += [.runs(index)] }
      } else if !isHeld {
        events += [.passes(index)]
      }
    }
    return events
  }

  mutating func next() -> WriterQueue.Next {
    guard !isHeld, let first = waiters.first else { return .noWaiter }
    if !first.isTask {
      isHeld = true
      waiters.removeFirst()
      return .granted(first.ticket)
    }
    if first.isNotified { return .noWaiter }
    waiters[0].isNotified = true
    return .notified(first.ticket)
  }
}

/// The queue and its model, with the invariants that both must satisfy.
private struct Pair {
  var queue = WriterQueue()
  var naive = NaiveQueue()

  mutating func run(_ event: Event) -> Bool {
    switch event {
    case .threadArrives, .taskArrives:
      let isFree = !naive.isHeld && naive.waiters.isEmpty
      guard queue.acquire() == isFree else { return false }
      naive.isHeld = naive.isHeld || isFree
      if isFree { break }
      let isTask = event == .taskArrives
      let ticket = isTask ? queue.joinAsTask() : queue.joinAsThread()
      naive.waiters.append(NaiveQueue.Waiter(ticket: ticket, isTask: isTask))
    case .release:
      naive.isHeld = false
      guard queue.release() == naive.next() else { return false }
    case .passes(let index):
      let ticket = naive.waiters[index].ticket
      let isFirst = naive.waiters.first { !$0.isTask }?.ticket == ticket
      guard queue.pass(thread: ticket) == isFirst else { return false }
      guard isFirst else { break }
      naive.isHeld = true
      naive.waiters.remove(at: index)
    case .runs(let index):
      let ticket = naive.waiters[index].ticket
      let before = queue.timesPassed(task: ticket)
      guard queue.acquire(task: ticket) == !naive.isHeld else { return false }
      if naive.isHeld {
        naive.waiters[index].isNotified = false
        guard queue.timesPassed(task: ticket) == before + 1 else { return false }
      } else {
        naive.isHeld = true
        naive.waiters.remove(at: index)
      }
    case .leaves(let index):
      let ticket = naive.waiters.remove(at: index).ticket
      guard queue.leave(task: ticket) == naive.next() else { return false }
      guard !queue.isWaiting(task: ticket), !queue.acquire(task: ticket) else { return false }
    }
    return isSound
  }

  private var isSound: Bool {
    guard queue.isHeld == naive.isHeld else { return false }
    guard queue.firstThread == naive.waiters.first(where: { !$0.isTask })?.ticket else {
      return false
    }
    for waiter in naive.waiters where waiter.isTask {
      guard queue.isWaiting(task: waiter.ticket) == !waiter.isNotified else { return false }
    }
    // If the lock is free, the first waiter must be a task that was notified.
    guard let first = naive.waiters.first, !naive.isHeld else { return true }
    return first.isTask && first.isNotified
  }
}

// R21
@Suite struct `The writer queue` {
  @Test func `the writer queue matches a naive queue for every short sequence of events`() {
    var count = 0
    func explore(_ pair: Pair, _ course: [Event]) {
      count += 1
      guard course.count < 8 else { return }
      for event in pair.naive.events {
        // Four waiters are enough to exercise every rule.
        if pair.naive.waiters.count == 4, event == .threadArrives || event == .taskArrives {
          continue
        }
        var next = pair
        guard next.run(event) else {
          Issue.record("\(course + [event])")
          return
        }
        explore(next, course + [event])
      }
    }
    explore(Pair(), [])
    #expect(count > 10_000)
  }

  @Test(arguments: [UInt64(1), 2, 3, 4])
  func `the writer queue matches a naive queue for long random sequences of events`(_ seed: UInt64)
  {
    var random = SeededRandom(seed: seed)
    var pair = Pair()
    for step in 0..<5_000 {
      var events = pair.naive.events
      if pair.naive.waiters.count > 20 {
        events.removeAll { $0 == .threadArrives || $0 == .taskArrives }
      }
      let event = events[random.below(events.count)]
      if !pair.run(event) {
        Issue.record("seed \(seed), step \(step): \(event)")
        return
      }
    }
  }

  @Test func `a writer queue serves 100,000 waiters after 50,000 others have left`() {
    var queue = WriterQueue()
    _ = queue.acquire()
    var tasks: [UInt64] = []
    for _ in 0..<50_000 {
      tasks.append(queue.joinAsTask())
      _ = queue.joinAsThread()
      tasks.append(queue.joinAsTask())
    }
    for index in stride(from: 99_999, to: 0, by: -2) { _ = queue.leave(task: tasks[index]) }
    var (served, claimed) = (0, 0)
    while true {
      let next = queue.release()
      if case .notified(let ticket) = next { claimed += queue.acquire(task: ticket) ? 1 : 0 }
      if next == .noWaiter { break }
      served += 1
    }
    #expect(served == 100_000 && claimed == 50_000)
  }
}

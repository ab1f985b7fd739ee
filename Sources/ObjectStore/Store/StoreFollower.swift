import Dispatch

/// Advances a handle that follows an actor or a queue, on that actor or queue, after another handle commits. Commits
/// that arrive before it runs share one advance. R20.
final class StoreFollower: Sendable {
  private let engine: StoreEngine
  private let listener: UInt64
  private let next: Advance

  enum Isolation {
    case actor(any Actor)
    case queue(DispatchQueue)
  }

  init(_ store: Store, _ isolation: Isolation) {
    engine = store.handle.engine
    let next =
      switch isolation {
      case .actor(let actor): Advance(store, actor, nil)
      case .queue(let queue): Advance(store, nil, queue)
      }
    self.next = next
    listener = engine.addListener { next.schedule() }
    store.handle.requestDelivery = { next.schedule() }
  }

  deinit {
    engine.removeListener(listener)
    // A scheduled advance may still be pending although the handle now belongs to another isolation
    // domain.
    next.end()
  }

  func follows(_ isolation: Isolation) -> Bool {
    switch isolation {
    case .actor(let actor): next.actor === actor
    case .queue(let queue): next.queue === queue
    }
  }

  // Sendable: `lock` guards the mutable state. The store is used only in its isolation, and reading a weak reference
  // is safe on any thread.
  private final class Advance: @unchecked Sendable {
    // The store rather than its handle, because a weak reference makes each retain of an object slower, and every
    // managed object retains the handle.
    private weak var store: Store?
    /// Nil after the actor is deallocated, or for a queue.
    private(set) weak var actor: (any Actor)?
    let queue: DispatchQueue?
    private let lock = Lock()
    private var isScheduled = false
    private var isOver = false

    init(_ store: Store, _ actor: (any Actor)?, _ queue: DispatchQueue?) {
      self.store = store
      self.actor = actor
      self.queue = queue
    }

    func schedule() {
      let isFirst = lock.withLock {
        defer { isScheduled = true }
        return !isScheduled
      }
      guard isFirst else { return }
      if let actor {
        Task { await self.run(on: actor) }
      } else {
        queue?.async { self.run() }
      }
    }

    private func run(on actor: isolated any Actor) { run() }

    func end() {
      lock.withLock { isOver = true }
    }

    private func run() {
      let isActive = lock.withLock {
        isScheduled = false
        return !isOver
      }
      // An error means that a write left open by an observer was rolled back. There is no caller to report it to.
      if isActive { try? store?.handle.advanceAndDeliver() }
    }
  }
}

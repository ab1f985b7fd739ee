import Dispatch

/// Advances a handle that was opened on an actor or a queue, in a later turn of that, after somebody
/// else committed. However many commits come meanwhile, one turn is taken. R20.
final class StoreFollower: Sendable {
  private let engine: StoreEngine
  private let listener: UInt64
  private let next: Advance

  /// What a handle stays in.
  enum Isolation {
    case actor(any Actor)
    case queue(DispatchQueue)
  }

  init(_ handle: StoreHandle, _ isolation: Isolation) {
    engine = handle.engine
    let next =
      switch isolation {
      case .actor(let actor): Advance(handle, actor, nil)
      case .queue(let queue): Advance(handle, nil, queue)
      }
    self.next = next
    listener = handle.engine.addListener { next.schedule() }
    handle.requestDelivery = { next.schedule() }
  }

  deinit {
    engine.removeListener(listener)
    // A turn may be on its way, while the handle lives elsewhere by now.
    next.end()
  }

  /// Whether this is what it follows.
  func follows(_ isolation: Isolation) -> Bool {
    switch isolation {
    case .actor(let actor): next.actor === actor
    case .queue(let queue): next.queue === queue
    }
  }

  // Sendable: what varies is guarded by `lock`; the handle is touched in its isolation alone, and reading
  // weak references is safe on any thread.
  private final class Advance: @unchecked Sendable {
    private weak var handle: StoreHandle?
    /// Nil once it is gone, or for a queue.
    private(set) weak var actor: (any Actor)?
    let queue: DispatchQueue?
    private let lock = Lock()
    private var isScheduled = false
    private var isOver = false

    init(_ handle: StoreHandle, _ actor: (any Actor)?, _ queue: DispatchQueue?) {
      self.handle = handle
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
        Task { await self.take(on: actor) }
      } else {
        queue?.async { self.take() }
      }
    }

    private func take(on actor: isolated any Actor) { take() }

    func end() {
      lock.withLock { isOver = true }
    }

    private func take() {
      let isWanted = lock.withLock {
        isScheduled = false
        return !isOver
      }
      // An observer's open write was undone; there is no caller to report it to.
      if isWanted { try? handle?.advanceAndDeliver() }
    }
  }
}

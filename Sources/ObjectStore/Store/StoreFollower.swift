/// Advances a handle that was opened on an actor, in a later turn of that actor, after somebody
/// else committed. However many commits come meanwhile, one turn is taken. R20.
final class StoreFollower: Sendable {
  private let engine: StoreEngine
  private let listener: UInt64
  private let next: Advance

  init(_ handle: StoreHandle, _ actor: any Actor) {
    engine = handle.engine
    let next = Advance(handle, actor)
    self.next = next
    listener = handle.engine.addListener { next.schedule() }
    handle.requestDelivery = { next.schedule() }
  }

  deinit {
    engine.removeListener(listener)
  }

  /// The actor it follows; nil once that is gone.
  var actor: (any Actor)? { next.actor }

  // Sendable: `isScheduled` is guarded by `lock`; the handle is touched on its actor alone, and reading
  // weak references is safe on any thread.
  private final class Advance: @unchecked Sendable {
    private weak var handle: StoreHandle?
    private(set) weak var actor: (any Actor)?
    private let lock = Lock()
    private var isScheduled = false

    init(_ handle: StoreHandle, _ actor: any Actor) {
      self.handle = handle
      self.actor = actor
    }

    func schedule() {
      let isFirst = lock.withLock {
        defer { isScheduled = true }
        return !isScheduled
      }
      guard isFirst, let actor else { return }
      Task { await self.take(on: actor) }
    }

    private func take(on actor: isolated any Actor) {
      lock.withLock { isScheduled = false }
      handle?.advanceAndDeliver()
    }
  }
}

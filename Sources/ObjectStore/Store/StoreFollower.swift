/// Advances a handle that was opened on an actor, in a later turn of that actor, after somebody
/// else committed. However many commits come meanwhile, one turn is taken. R20.
// Sendable: `isScheduled` is guarded by `lock`; the handle is touched on its actor alone.
final class StoreFollower: Sendable {
  private let engine: StoreEngine
  private let listener: UInt64
  private let turn: Turn

  init(_ handle: StoreHandle, _ actor: any Actor) {
    engine = handle.engine
    let turn = Turn(handle, actor)
    self.turn = turn
    listener = handle.engine.addListener { turn.schedule() }
    handle.requestDelivery = { turn.schedule() }
  }

  deinit {
    engine.removeListener(listener)
  }

  /// The actor it follows; nil once that is gone.
  var actor: (any Actor)? { turn.actor }

  // Sendable: see above.
  private final class Turn: @unchecked Sendable {
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

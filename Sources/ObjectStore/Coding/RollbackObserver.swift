/// Calls a closure if the write, or the savepoint, in which it was added is rolled back.
private final class RollbackObserver: AttachableBox {
  private let body: () -> Void

  init(_ body: @escaping () -> Void) {
    self.body = body
  }

  func attach(to location: CollectionLocation) {}

  func detach() { body() }
}

extension Store {
  /// Calls `body` if the open write is rolled back; if it is a savepoint, also if only this is. Does nothing outside a
  /// write.
  package func onRollback(_ body: @escaping () -> Void) {
    if isInWriteTransaction { handle.attachments.note(RollbackObserver(body)) }
  }
}

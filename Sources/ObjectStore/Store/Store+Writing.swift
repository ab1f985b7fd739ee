extension Store {
  /// A Boolean value that indicates whether a write of this handle is open.
  public var isInWriteTransaction: Bool { handle.isWriting }

  /// Runs `body` as one transaction: commits its changes, or rolls them back if it throws.
  ///
  /// Inside another write of this handle it is a savepoint: an error rolls back only the inner part, and nothing is
  /// committed before the outermost write ends. A write without changes creates no version.
  ///
  /// The call blocks while another handle writes.
  /// - Throws: Any error of `body`, and then rolls its changes back. Before `body`: `alreadyWriting` inside a write of
  ///   another handle of this store; `writeInDefault` while a default is evaluated; `unbalancedWrite` if an observer, notified first, left a write open. After `body`, also with a rollback:
  ///   `unbalancedWrite` if it left a write open; the first error of a value that an assignment could not store, such as
  ///   `valueTooLarge`, `typeMismatch` for NaN as a date, `objectInvalidated`, `collectionsTooLarge` or
  ///   `tooManyObjects`; `fileFailed` if the file could not record the commit.
  @discardableResult
  public func write<R>(_ body: () throws -> R) throws -> R {
    try handle.write(body)
  }

  /// Runs `body` as ``write(_:)`` does, and does not notify some observers of its changes, because their views already show
  /// them:
  ///
  ///     try store.write(withoutNotifying: [token]) { list.move(from: 3, to: 0) }
  ///
  /// The next change that these observers receive begins after this write. An observer that has not yet received an earlier
  /// change, in a write inside a notification, is notified of both together. Other observers are notified as usual, among them
  /// those of other handles. The observer of an object that the write deletes is not notified any more. Inside another write,
  /// it is the same as ``write(_:)``.
  /// - Throws: The errors of ``write(_:)``.
  @discardableResult
  public func write<R>(
    withoutNotifying tokens: [ObservationToken], _ body: () throws -> R
  ) throws -> R {
    if handle.isWriting { return try write(body) }
    var start: Version?
    let result = try handle.write {
      start = handle.transaction?.previous
      return try body()
    }
    if let start, let observers = handle.delivery as? HandleObservers {
      observers.skipChanges(since: start, tokens)
    }
    return result
  }

  /// Begins a transaction. ``commitWrite()`` or ``cancelWrite()`` ends it.
  ///
  /// There must be no `await` between the two calls. The call blocks while another handle writes.
  /// - Throws: The errors that ``write(_:)`` throws before its block.
  public func beginWrite() throws {
    try handle.begin()
  }

  /// Commits the innermost open write.
  ///
  /// Inside the block of a ``write(_:)``, it can end the write of that block but no outer one.
  /// - Throws: `notWriting` if no write is open; `unbalancedWrite` for a write that the running block did not begin,
  ///   which stays open; the errors that ``write(_:)`` throws after its block, in which case the write was rolled back.
  public func commitWrite() throws {
    _ = try handle.writableTransaction()
    guard handle.mayEndWrite() else { throw StoreError(.unbalancedWrite) }
    try handle.commit()
  }

  /// Rolls back the innermost open write. Does nothing if no write is open.
  ///
  /// Inside the block of a ``write(_:)``, it can end the write of that block but no outer one. For an outer one, it
  /// does nothing, and the ``write(_:)`` that runs the block throws `unbalancedWrite`.
  public func cancelWrite() {
    guard let transaction = handle.transaction else { return }
    if handle.evaluation.isRunning {
      transaction.failure.note(StoreError(.writeInDefault))
    } else if handle.mayEndWrite() {
      handle.cancel()
    }
  }

  /// The asynchronous form of ``write(_:)``: suspends instead of blocking while another handle writes.
  ///
  /// Writers are served in order of arrival. A blocking ``write(_:)`` may overtake a suspended task that is next but
  /// has not resumed yet, because the blocked thread may be the one that the task needs.
  ///
  /// Unlike ``write(_:)``, it does not notify observers before `body`.
  /// - Throws: The errors of ``write(_:)``; `CancellationError` if the task is cancelled before `body` begins. Once
  ///   `body` runs, cancellation has no effect.
  @discardableResult
  public nonisolated(nonsending) func asyncWrite<R>(_ body: () throws -> R) async throws -> R {
    if handle.isWriting { return try write(body) }
    try Task.checkCancellation()
    try await handle.engine.writerLock.acquireSuspending()
    handle.open()
    return try handle.runWriteBlock(body)
  }

  /// Runs `work` outside the caller's isolation with a separate handle, then advances this handle to the newest
  /// version.
  ///
  /// Cancelling the task does not stop `work`, which may check `Task.isCancelled`.
  ///
  ///     let count = try await store.inBackground { store in
  ///       try StoreCoder(store: store).decodeArray(User.self, from: data).count
  ///     }
  ///
  /// The result is `Sendable`: values, keys, an ``ObjectProtocol/reference``, a ``Frozen`` object. Objects cannot
  /// leave the closure. If `work` returns objects, the result is unusable.
  @discardableResult
  public nonisolated(nonsending) func inBackground<R: Sendable>(
    _ work: @Sendable @escaping (Store) throws -> R
  ) async throws -> R {
    let result = try await Self.run(handle.core, work)
    refresh()
    return result
  }

  /// A variant of ``inBackground(_:)-(_)`` for work that returns objects. They cannot leave the closure, so the result
  /// is unusable.
  @_disfavoredOverload @discardableResult
  public nonisolated(nonsending) func inBackground<R>(
    _ work: @Sendable @escaping (Store) throws -> R
  ) async throws -> _ObjectsStayInBackground {
    try await Self.run(handle.core) { _ = try work($0) }
    refresh()
    return _ObjectsStayInBackground()
  }

  @concurrent
  private static func run<R: Sendable>(
    _ core: StoreCore, _ work: @Sendable (Store) throws -> R
  ) async throws -> R {
    try work(Store(core: core))
  }
}

// Transactions.

extension Store {
  /// Whether a write of this handle is open.
  public var isInWriteTransaction: Bool { handle.isWriting }

  /// Runs `body` as one transaction: commits what it changed, or undoes it if it throws.
  ///
  /// Inside another write of this handle it is a savepoint: an error undoes only the inner part,
  /// and nothing is committed before the outermost write ends. A write that changes nothing makes
  /// no version.
  ///
  /// Waits while another handle writes.
  /// - Throws: what `body` throws; `valueTooLarge` if it assigned a value that cannot be stored;
  ///   `unbalancedWrite` if it left a write open, or an observer that is notified before it begins did;
  ///   `alreadyWriting` inside a write of another handle of this store.
  @discardableResult
  public func write<R>(_ body: () throws -> R) throws -> R {
    try handle.begin()
    return try handle.runWriteBlock(body)
  }

  /// Begins a transaction that ``commitWrite()`` or ``cancelWrite()`` ends.
  ///
  /// No `await` may stand between them. Waits while another handle writes.
  /// - Throws: `alreadyWriting` inside a write of another handle of this store.
  public func beginWrite() throws {
    try handle.begin()
  }

  /// Commits the innermost write begun.
  ///
  /// In the block of a ``write(_:)`` it may end that write, but none around it.
  /// - Throws: `notWriting` if none is open; `unbalancedWrite` for one that the running block did not
  ///   begin, which stays open; `valueTooLarge` if the write assigned a value that cannot be stored,
  ///   and then it was undone.
  public func commitWrite() throws {
    _ = try handle.writableTransaction()
    guard handle.mayEndWrite() else { throw StoreError(.unbalancedWrite) }
    try handle.commit()
  }

  /// Undoes the innermost write begun; nothing happens if none is open.
  ///
  /// In the block of a ``write(_:)`` it may end that write, but none around it: then nothing happens
  /// here, and the block's ``write(_:)`` throws `unbalancedWrite`.
  public func cancelWrite() {
    guard let transaction = handle.transaction else { return }
    if handle.evaluation.isRunning {
      transaction.failure.note(StoreError(.writeInDefault))
    } else if handle.mayEndWrite() {
      handle.cancel()
    }
  }

  /// ``write(_:)`` that suspends instead of blocking while another handle writes.
  ///
  /// First come, first served; but a plain ``write(_:)``, which blocks its thread, may go first if
  /// the task does not run when its turn comes, since it may need that very thread.
  /// - Throws: what ``write(_:)`` throws; `CancellationError` if the task is cancelled before it has
  ///   the turn, and then `body` does not run. Once `body` runs, cancelling changes nothing.
  @discardableResult
  public nonisolated(nonsending) func asyncWrite<R>(_ body: () throws -> R) async throws -> R {
    if handle.isWriting { return try write(body) }
    try Task.checkCancellation()
    try await handle.engine.writerLock.acquireSuspending()
    handle.open()
    return try handle.runWriteBlock(body)
  }

  /// Runs `work` off the caller's isolation with a handle of its own, then shows what it wrote.
  ///
  /// It runs, and to its end, also if the task is cancelled: `work` may ask `Task.isCancelled`.
  ///
  ///     let count = try await store.inBackground { store in
  ///       try StoreCoder(store: store).decodeArray(User.self, from: data).count
  ///     }
  ///
  /// The result is `Sendable`: values, keys, a ``ObjectProtocol/reference``, a ``Frozen`` object. Objects
  /// stay behind; work may end with them, but nothing can be done with the result.
  @discardableResult
  public nonisolated(nonsending) func inBackground<R: Sendable>(
    _ work: @Sendable @escaping (Store) throws -> R
  ) async throws -> R {
    let result = try await Self.run(handle.core, work)
    refresh()
    return result
  }

  /// ``inBackground(_:)-(_)`` for work that ends with objects, which cannot leave it.
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

public import ObjectStore
import Synchronization

extension CacheRepository {
  /// The origin of the keys of values that were created locally.
  public enum CreatedKeys: Sendable, Hashable {
    /// The client chooses the keys. A created value is put with an ``IdQuery``, so that sending it twice creates one
    /// value.
    case final
    /// The server assigns the keys. A created value is put with a ``VoidQuery``, and the object gets the key of the
    /// response. An upload does not repeat such a request that the server may have executed; the value stays for the next
    /// upload, for which the server may create a second value.
    case temporary
  }
}

extension CacheRepository where Main: PutDataSource & DeleteDataSource {
  /// Sends the unconfirmed edits of the class of the cache to the main source.
  ///
  ///     try await repository.put(item, forId: "x7", operation: .cacheSync)   // offline: throws, the edit stays
  ///     …
  ///     let summary = try await repository.upload()                          // online again
  ///
  /// Edits are sent one object at a time, in the order of `Store.takeEdits()`, wherever they were made:
  ///
  /// | edit | call of the main source |
  /// |---|---|
  /// | creation | `put` in an ``IdQuery``, or in a ``VoidQuery`` for ``CreatedKeys/temporary`` |
  /// | change | `put` in a ``ChangesQuery`` since the server's value if it is known and the source supports it, else in an ``IdQuery`` |
  /// | deletion | `delete` of an ``IdQuery`` |
  ///
  /// The type of the ids is that of the primary key, so a network source needs routes for them. Only the attributes that the
  /// mapper reads are sent; the edits of other attributes end with the confirmation. An object that was deleted and
  /// created again before the deletion was confirmed is put in an ``IdQuery``.
  ///
  /// | outcome | edit |
  /// |---|---|
  /// | a response | confirmed; the response is stored |
  /// | `notFound`, 410 | a deletion is confirmed; for a change, `resolveConflict` is called; a creation stays for the next upload |
  /// | 409, 412, 428 | the server's value is fetched and stored beneath the edit, which stays for the next upload; a deletion of a value that has changed is rejected |
  /// | any other 4xx that is not temporary | rejected; `Object.rejection` has the messages |
  /// | an error of the connection, 401, 407, 408, 425, 429, 502, 503, 504 | after the retries, it stays with all that follow |
  /// | any other error | after the retries, it stays for the next upload |
  ///
  /// An edit that waits for the creation of an object of another class stays until that object is uploaded. Concurrent
  /// uploads of a repository run one after the other.
  ///
  /// - Parameters:
  ///   - retry: The policy for each edit, in addition to the retries of the main source. A creation with
  ///     ``CreatedKeys/temporary`` is repeated only if the server has certainly not executed it: after 429, 503 and a
  ///     failure to connect.
  ///   - createdKeys: The origin of the keys of created values.
  ///   - resolveConflict: A closure that is called for a value with edits that the server does not have: `.keep`, the
  ///     default, rejects its edits, `.server` deletes it, and `.local` creates it again.
  /// - Returns: The numbers of edits by outcome.
  /// - Throws: `CancellationError`: the edit in flight is then released. `StoreError.editsNotTracked`. Errors of mappers and of
  ///   the store, `queryNotSupported` and other errors that are mistakes of the program. The first `EncodingError`, after
  ///   the other edits were sent.
  @discardableResult
  public func upload<ObjectType: Object>(
    retry: Retry = Retry(), createdKeys: CreatedKeys = .final,
    resolveConflict: @escaping @Sendable (Edit.Conflict) throws -> Edit.Choice = { _ in .keep }
  ) async throws -> Edit.Summary where Cache == StoreDataSource<Main.Value, ObjectType> {
    guard let editCache else {
      let className = try ObjectSchema.of(ObjectType.self).className
      throw StoreError(.editsNotTracked(className: className))
    }
    let isReachable = Mutex(true)
    return try await uploadMutex.withLock {
      try await editCache.upload(
        send: { edit in
          let sent = try await self.send(edit, retry, createdKeys)
          if sent == nil { isReachable.withLock { $0 = false } }
          return sent ?? .later
        },
        resolve: resolveConflict,
        while: { isReachable.withLock { $0 } })
    }
  }

  /// Sends an edit; returns nil if the main source cannot be reached.
  private func send(
    _ edit: PendingEdit<Value>, _ retry: Retry, _ createdKeys: CreatedKeys
  ) async throws -> SentEdit<Value>? {
    let key = IdentifierString.string(of: edit.key)
    // No earlier response is being stored then, and none is until the write ends.
    let write = try await cacheMutex.withLock {
      ledger.begin(.ids([key]), isDeletion: edit.kind == .deleted)
    }
    defer { ledger.end(write, nil, nil) }
    do {
      let response = try await retry.repeating {
        try await self.call(edit, edit.key, createdKeys)
      } while: {
        edit.kind == .created && createdKeys == .temporary
          ? EditFailure.isWorthRepeating($0) : EditFailure($0).isWorthRetrying
      }
      complete(write)
      return .confirmed(response)
    } catch {
      if error is CancellationError { throw error }
      try Task.checkCancellation()
      if (error as? DataSourceError)?.isRejection != true { complete(write) }
      return try await outcome(of: edit, error)
    }
  }

  private func complete(_ write: CacheEntryLedger.Write) {
    ledger.complete(write, affecting: ledger.isNested ? .all : write.affectedKeys)
  }

  private func outcome(
    of edit: PendingEdit<Value>, _ error: any Error
  ) async throws -> SentEdit<Value>? {
    switch EditFailure(error) {
    case .misuse: throw error
    case .unreachable: return nil
    case .uncertain: return .later
    case .refused(let error): return .rejected(error)
    case .conflicting:
      do {
        return .conflicting(try await current(edit.key))
      } catch {
        if case .gone = EditFailure(error) { return .gone }
        return .conflicting(nil)
      }
    case .gone: return .gone
    }
  }

  private func current(_ key: some ObjectKey) async throws -> Value {
    try await main.get(IdQuery(key))
  }

  /// Sends an edit once, and returns the response to a put.
  private func call(
    _ edit: PendingEdit<Value>, _ key: some ObjectKey, _ createdKeys: CreatedKeys
  ) async throws -> Value? {
    guard let value = edit.value else {
      try await main.delete(IdQuery(key))
      return nil
    }
    if edit.kind == .created, createdKeys == .temporary {
      return try await main.put(value, in: VoidQuery())
    }
    return try await putChanges(
      value, in: edit.previous.map { ChangesQuery(key, since: $0) }, orWholeIn: IdQuery(key))
  }
}

extension CacheRepository where Main: PutDataSource {
  /// Puts the value of an edit.
  ///
  /// - Parameters:
  ///   - changes: The query for its changes; nil if the main source's value is not known.
  ///   - whole: The query for the whole value, if the changes cannot be put.
  func putChanges(
    _ value: Value, in changes: (any Query)?, orWholeIn whole: any Query
  ) async throws -> Value {
    if let changes {
      do {
        return try await main.put(value, in: changes)
      } catch DataSourceError.queryNotSupported {
        // The source has no route for changes.
      }
    }
    return try await main.put(value, in: whole)
  }
}

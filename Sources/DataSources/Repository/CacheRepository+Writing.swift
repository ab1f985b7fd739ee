extension CacheRepository: PutRepository, PutDataSource where Main: PutDataSource {
  /// Puts a value. ``RepositoryOperation/mainSync``, the default, puts it in the main source and then stores the main
  /// source's response in the cache; ``RepositoryOperation/cacheSync`` puts it in the cache first. The cache gets the
  /// ``IdQuery`` of a ``ChangesQuery``.
  /// - Throws: The errors of the sources. If the second source fails, the first one keeps the value, and the cached
  ///   value counts as outdated. If the main source is first, a query that the cache does not support is rejected
  ///   before the main source is called.
  ///
  /// If the cache is a ``StoreDataSource`` of a class that tracks edits, a put with ``RepositoryOperation/cacheSync``
  /// that fails in the main source is an edit: it stays when the value is refreshed, and
  /// ``upload(retry:createdKeys:resolveConflict:)`` sends it later. If the main source refuses it, for example with
  /// the status 422, `Object.rejection` has the reason, and it is sent when the value is put or edited again. A value that
  /// links to an object which the main source does not have yet is not sent, but fails and stays for the upload.
  @discardableResult
  public func put(
    _ value: Value, in query: some Query, operation: RepositoryOperation
  ) async throws -> Value {
    // Later reads use the id.
    let cacheQuery = (query as? any PreviousValueQuery)?.idQuery ?? query
    let storedQuery: any Query = editCache == nil ? cacheQuery : query
    return try await write(
      WriteRequest(
        verb: .put, query: cacheQuery, affectedKeys: AffectedKeys(of: cacheQuery),
        lookup: cacheQuery.isSingleKey ? Lookup(cacheQuery, isOfList: false) : nil,
        send: { try await self.main.put($0, in: query) },
        putInCache: { try await self.cache.put($0, in: storedQuery) },
        store: { sent, response in
          guard let edits = self.editCache else {
            return try await self.keep(response, answering: cacheQuery)
          }
          let kept = try await edits.keep([response], replacing: [sent], in: query)
          return kept.first() ?? KeptResponse(response, at: nil)
        },
        putEdits: { value, edits in
          try edits.check(.put, cacheQuery)
          return try await edits.putEdits([value], in: query)
        },
        sendEdits: (query as? any PreviousValueQuery).map { changes in
          { pending in
            guard let pending, let sent = pending.value else {
              return try await self.main.put(value, in: query)
            }
            return try await self.putChanges(
              sent, in: pending.previous.map { changes.replacingPrevious(with: $0) },
              orWholeIn: cacheQuery)
          }
        },
        values: { [$0] }, content: { $0[0] }, kept: { $0.first() }),
      value, operation)
  }

  /// Puts several values in the same order of sources as ``put(_:in:operation:)``.
  /// - Throws: The same errors as ``put(_:in:operation:)``; ``DataSourceError/illegalArgument(_:)`` if the numbers of
  ///   ids and values differ.
  @discardableResult
  public func putAll(
    _ values: [Value], in query: some Query, operation: RepositoryOperation
  ) async throws -> [Value] {
    try (query as? any IdentifiersQuery)?.check(count: values.count)
    return try await write(
      WriteRequest(
        // The values of a list under one id have ids of their own.
        verb: .putAll, query: query,
        affectedKeys: query is any IdentifiersQuery ? AffectedKeys(of: query) : .all,
        lookup: query.isSingleKey ? Lookup(query, isOfList: true) : nil,
        send: { try await self.main.putAll($0, in: query) },
        putInCache: { try await self.cache.putAll($0, in: query) },
        store: { sent, response in
          guard let edits = self.editCache else {
            return try await self.keepAll(response, answering: query)
          }
          return try await edits.keep(response, replacing: sent, in: query)
        },
        putEdits: { values, edits in
          try edits.check(.putAll, query)
          return try await edits.putEdits(values, in: query)
        },
        values: { $0 }, content: { $0 }, kept: { $0 }),
      values, operation)
  }
}

extension CacheRepository: DeleteRepository, DeleteDataSource
where Main: DeleteDataSource, Cache: DeleteDataSource {
  /// Deletes the value of a query in the same order of sources as ``put(_:in:operation:)``.
  /// - Throws: The errors of the sources. If the second source fails, the deletion in the first one remains.
  public func delete(_ query: some Query, operation: RepositoryOperation) async throws {
    try await remove(.delete, query, operation) {
      try await self.main.delete(query)
    } fromCache: {
      try await self.cache.delete(query)
    }
  }

  /// Deletes all values of a query in the same order of sources as ``put(_:in:operation:)``.
  /// - Throws: The errors of the sources. If the second source fails, the deletion in the first one remains.
  public func deleteAll(_ query: some Query, operation: RepositoryOperation) async throws {
    try await remove(.deleteAll, query, operation) {
      try await self.main.deleteAll(query)
    } fromCache: {
      try await self.cache.deleteAll(query)
    }
  }

  private func remove(
    _ verb: DataSourceError.Verb, _ query: some Query, _ operation: RepositoryOperation,
    fromMain: @escaping () async throws -> Void, fromCache: @escaping () async throws -> Void
  ) async throws {
    let values = Self.values(namedBy: query)
    try await write(
      WriteRequest(
        verb: verb, query: query, affectedKeys: AffectedKeys(of: query), lookup: nil,
        send: fromMain, putInCache: fromCache,
        store: { _, _ in
          if let edits = self.editCache {
            try await edits.deleteConfirmed(query, verb)
          } else {
            try await fromCache()
          }
          return KeptResponse((), at: nil)
        },
        putEdits: { _, edits in
          EditedValues(values: [], edits: try await edits.deleteEdits(query, verb))
        },
        values: { values }, content: { _ in () }, kept: { _ in nil }),
      (), operation)
  }

  private static func values(namedBy query: any Query) -> [Value]? {
    switch query {
    case let query as ObjectQuery<Value>: [query.value]
    case let query as ObjectsQuery<Value>: query.values
    default: nil
    }
  }
}

extension CacheRepository {
  /// Writes as an operation specifies. The affected entries become outdated before anything is sent, and again at
  /// the end, so that they are outdated if a step fails.
  private func write<Content>(
    _ request: WriteRequest<Content, Value>, _ content: Content, _ operation: RepositoryOperation
  ) async throws -> Content {
    if operation.isMainFirst {
      try reportingCache?.check(request.verb, request.query)
    }
    let write = ledger.begin(request.affectedKeys, isDeletion: request.isDeletion)
    var outcome: CacheEntryLedger.Outcome?
    defer { ledger.end(write, request.lookup, outcome) }
    switch operation.kind {
    case .main:
      let response = try await send(content, request, write)
      await complete(response, request, write)
      return response
    case .cache:
      let kept = try await putInCache(content, request, write)
      outcome = .unconfirmed
      return kept
    case .cacheSync:
      if let editCache {
        let (response, stored) = try await writeEdits(content, request, write, editCache)
        outcome = stored
        return response
      }
      let kept = try await putInCache(content, request, write)
      let response = try await send(kept, request, write)
      await complete(response, request, write)
      // The cache has the sent content, which may differ from the main source's response.
      outcome = .unconfirmed
      return response
    case .standard, .mainSync, .staleWhileRevalidate:
      let requested = ledger.now
      let response = try await send(content, request, write)
      do {
        return try await cacheMutex.withLock {
          // A superseded deletion is still applied: at worst the value is fetched again, whereas a superseded put
          // could leave an older value in the cache permanently.
          if await complete(response, request, write), !request.isDeletion { return response }
          let kept = try await request.store(content, response)
          let count = request.values(kept.response)?.count ?? 0
          outcome = .stored(at: kept.query, count: count, requested: requested)
          return kept.response
        }
      } catch {
        await complete(response, request, write)
        throw error
      }
    }
  }

  /// Writes the caller's content to the cache.
  private func putInCache<Content>(
    _ content: Content, _ request: WriteRequest<Content, Value>, _ write: CacheEntryLedger.Write
  ) async throws -> Content {
    try await cacheMutex.withLock {
      let kept = try await request.putInCache(content)
      await complete(kept, request, write)
      return kept
    }
  }

  /// Writes to the main source. An error other than a rejection completes the write, because the main source may have
  /// executed it.
  ///
  /// - Parameter edited: The content with its edits, if the cache tracks edits.
  func send<Content>(
    _ content: Content, _ request: WriteRequest<Content, Value>, _ write: CacheEntryLedger.Write,
    _ edited: EditedValues<Value>? = nil
  ) async throws -> Content {
    do {
      if let edited, let sendEdits = request.sendEdits {
        return try await sendEdits(edited.pending)
      }
      return try await request.send(content)
    } catch {
      if (error as? DataSourceError)?.isRejection != true {
        await complete(content, request, write)
      }
      throw error
    }
  }

  /// Marks a write as completed.
  /// - Returns: True if the write is superseded, so that its response must not be stored.
  @discardableResult
  func complete<Content>(
    _ content: Content, _ request: WriteRequest<Content, Value>, _ write: CacheEntryLedger.Write
  ) async -> Bool {
    let keys =
      ledger.isUncontested(write) ? write.affectedKeys : await affectedKeys(content, request)
    ledger.complete(write, affecting: keys)
    return ledger.isSuperseded(write, affecting: keys)
  }

  /// The values in the cache that a write may affect.
  private func affectedKeys<Content>(
    _ content: Content, _ request: WriteRequest<Content, Value>
  ) async -> AffectedKeys {
    // A deletion by id affects only that id, as does a put by id unless values are nested.
    if case .ids = request.affectedKeys, request.isDeletion || !ledger.isNested {
      return request.affectedKeys
    }
    guard let values = request.values(content),
      let keys = try? await reportingCache?.keys(of: values, in: request.query)
    else { return .all }
    return .ids(keys)
  }
}

extension RepositoryOperation {
  /// True if puts and deletions go to the main source first and then to the cache.
  fileprivate var isMainFirst: Bool {
    switch kind {
    case .main, .cache, .cacheSync: false
    case .standard, .mainSync, .staleWhileRevalidate: true
    }
  }
}

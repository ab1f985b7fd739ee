/// A response of the main source.
struct FetchedResponse<Response: Sendable>: Sendable {
  let response: Response
  /// The error with which the cache failed to store the response; nil if it stored it, or was not used.
  var cacheError: (any Error)?
}

/// A response that was read from the cache.
private struct CachedResponse<Response> {
  let response: Response
  let entry: CacheEntryLedger.Entry
  let isAbsent: Bool
}

extension CacheRepository {
  /// Reads as an operation specifies.
  func read<Response>(
    _ request: ReadRequest<Response>, _ operation: RepositoryOperation
  ) async throws -> Response {
    switch operation.kind {
    case .main:
      return try await request.fetch()
    case .mainSync:
      let fetched = try await fetch(request)
      if let error = fetched.cacheError { throw error }
      return fetched.response
    case .cache(let ignoresValidation):
      let cached = try await cached(request)
      if !ignoresValidation, await !isValid(cached, request) {
        throw DataSourceError.notValid(query: request.query.nameInMessages)
      }
      return cached.response
    case .standard, .cacheSync, .staleWhileRevalidate:
      guard let cached = try await cachedIfPresent(request) else {
        return try await fetch(request).response
      }
      if await isValid(cached, request) { return cached.response }
      if case .staleWhileRevalidate = operation.kind {
        let epoch = ledger.epoch(of: request.lookup)
        request.flights.start(FlightKey(request.lookup, in: epoch)) {
          try await self.fetch(request, in: epoch)
        }
        return cached.response
      }
      do {
        return try await fetch(request).response
      } catch DataSourceError.notFound(let query) {
        // A response of the main source rather than a failure, so the fallback does not apply.
        throw DataSourceError.notFound(query: query)
      } catch {
        try Task.checkCancellation()
        guard case .cacheSync(let fallback) = operation.kind, fallback(error) else { throw error }
        return cached.response
      }
    }
  }

  // MARK: - The main source

  private func fetch<Response>(
    _ request: ReadRequest<Response>
  ) async throws -> FetchedResponse<Response> {
    let epoch = ledger.epoch(of: request.lookup)
    return try await request.flights.run(FlightKey(request.lookup, in: epoch)) {
      try await self.fetch(request, in: epoch)
    }
  }

  private func fetch<Response>(
    _ request: ReadRequest<Response>, in epoch: Int
  ) async throws -> FetchedResponse<Response> {
    let number = ledger.beginFetch()
    let state = await request.cacheState()
    let requested = ledger.now
    let response: Response
    do {
      response = try await request.fetch()
    } catch DataSourceError.notFound(let query) {
      ledger.record(request.lookup, .absent, started: number, in: epoch)
      throw DataSourceError.notFound(query: query)
    }
    return try await cacheMutex.withLock {
      guard ledger.canStore(request.lookup, in: epoch) else {
        return FetchedResponse(response: response)
      }
      do {
        let kept = try await request.store(response, state)
        let count = request.count(kept.response)
        ledger.record(
          request.lookup, .stored(at: kept.query, count: count, requested: requested),
          started: number, in: epoch)
        return FetchedResponse(response: kept.response)
      } catch DataSourceError.notFound(let query) where self.reportingCache != nil {
        // Deleted in the cache; the main source has not confirmed it.
        ledger.record(request.lookup, .absent, started: number, in: epoch)
        throw DataSourceError.notFound(query: query)
      } catch {
        try Task.checkCancellation()
        ledger.record(request.lookup, .rejected, started: number, in: epoch)
        return FetchedResponse(response: response, cacheError: error)
      }
    }
  }

  // MARK: - The cache

  /// The cached response and the state of its entry.
  private func cached<Response>(
    _ request: ReadRequest<Response>
  ) async throws -> CachedResponse<Response> {
    // Get the entry before reading the cache: a later state may describe a different response.
    var entry = ledger.entry(for: request.lookup)
    let response: Response
    if let location = entry.location, !entry.isOutdated || request.lookup.isPage {
      response = try await request.readCache(location)
    } else {
      response = try await request.readCache(request.query)
      if !request.lookup.canBeComplete(withCount: request.count(response)) {
        entry.isOutdated = true
      }
    }
    // Values may have been deleted, or, without a location, the cache may have returned values of its own.
    if let count = entry.valueCount, request.count(response) != count { entry.isOutdated = true }
    return CachedResponse(
      response: response, entry: entry,
      isAbsent: entry.isAbsent || !entry.hasResponse && request.count(response) == 0)
  }

  /// The cached response. Nil if the cache has none or cannot be read, if the list is empty but not known to be empty
  /// in the main source, or if the main source has no value.
  private func cachedIfPresent<Response>(
    _ request: ReadRequest<Response>
  ) async throws -> CachedResponse<Response>? {
    do {
      let cached = try await cached(request)
      return cached.isAbsent ? nil : cached
    } catch let error as DataSourceError where error.isMisuse {
      throw error
    } catch {
      try Task.checkCancellation()
      return nil
    }
  }

  private func isValid<Response>(
    _ cached: CachedResponse<Response>, _ request: ReadRequest<Response>
  ) async -> Bool {
    if cached.entry.isAbsent { return false }
    return cached.entry.isOutdated
      ? await validator.allowsOutdated()
      : await request.isValid(cached.response, cached.entry.age)
  }
}

import ObjectStore

// Writes to a cache that tracks edits, and their upload.

extension CacheRepository {
  /// Writes content to the cache and then to the main source. The edit is in flight meanwhile.
  ///
  ///     cache: edit ──▶ take ──▶ main source ──▶ confirm, store the response
  ///                                        └───▶ reject or release; the error is thrown
  func writeEdits<Content>(
    _ content: Content, _ request: WriteRequest<Content, Value>, _ write: CacheEntryLedger.Write,
    _ edits: any EditCache<Value>
  ) async throws -> (response: Content, outcome: CacheEntryLedger.Outcome) {
    let (edited, put) = try await cacheMutex.withLock {
      let edited = try await request.putEdits(content, edits)
      let put = request.content(edited.values)
      await complete(put, request, write)
      return (edited, put)
    }
    if let name = edited.prerequisite {
      throw DataSourceError.failed(
        "the value links to \(name), which the main source does not have yet; an upload sends it first"
      )
    }
    let requested = ledger.now
    let response: Content
    do {
      response = try await send(put, request, write, edited)
    } catch {
      await settle(edited.edits, by: error, isDeletion: request.isDeletion, edits)
      throw error
    }
    let isSuperseded = await complete(response, request, write)
    // Later edits of the same attributes stay, so a superseded put is confirmed as well.
    let values = isSuperseded || request.isDeletion ? nil : request.values(response)
    let kept = try await confirm(edited.edits, with: values, edits)
    guard let kept, let stored = request.kept(kept) else { return (response, .unconfirmed) }
    let count = kept.response.count
    return (stored.response, .stored(at: stored.query, count: count, requested: requested))
  }

  /// Confirms edits, also in a cancelled task, because the main source has applied them.
  private func confirm(
    _ taken: [Edit?], with response: [Value]?, _ edits: any EditCache<Value>
  ) async throws -> KeptResponse<[Value]>? {
    try await Task {
      try await self.cacheMutex.withLock {
        do {
          return try await edits.confirm(taken, with: response)
        } catch {
          try? await edits.settle(taken, by: .uncertain)
          throw error
        }
      }
    }.value
  }

  /// Settles edits that the main source has not confirmed, also in a cancelled task.
  private func settle(
    _ taken: [Edit?], by error: any Error, isDeletion: Bool, _ edits: any EditCache<Value>
  ) async {
    let failure = EditFailure(error)
    await Task {
      if isDeletion, case .gone = failure {
        _ = try? await edits.confirm(taken, with: nil)
      } else {
        // If the store cannot record it, the edits are offered again in the next process.
        try? await edits.settle(taken, by: failure)
      }
    }.value
  }
}

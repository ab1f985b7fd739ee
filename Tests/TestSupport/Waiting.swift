public import Testing

/// Waits until `condition` is true, yielding to other tasks. Records an issue after twenty minutes.
///
///     await waitUntil { await barn.version == 2 }
public nonisolated(nonsending) func waitUntil(
  _ comment: @autoclosure () -> Comment? = nil, sourceLocation: SourceLocation = #_sourceLocation,
  _ condition: nonisolated(nonsending) () async throws -> Bool
) async rethrows {
  // Longer than all tests together take: they start concurrently, and one may wait for all others.
  let deadline = ContinuousClock.now + .seconds(1_200)
  while try await !condition() {
    guard ContinuousClock.now < deadline else {
      Issue.record(
        comment() ?? "the condition did not become true within twenty minutes",
        sourceLocation: sourceLocation)
      return
    }
    await Task.yield()
  }
}

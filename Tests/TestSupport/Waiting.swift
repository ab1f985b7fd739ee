public import Testing

/// Waits until `condition` holds and gives other tasks their turn meanwhile; after five minutes that it
/// never did is an issue.
///
///     await waitUntil { await barn.version == 2 }
public nonisolated(nonsending) func waitUntil(
  _ comment: @autoclosure () -> Comment? = nil, sourceLocation: SourceLocation = #_sourceLocation,
  _ condition: nonisolated(nonsending) () async throws -> Bool
) async rethrows {
  // More than all tests take together: they begin at once, and one may wait for all others.
  let deadline = ContinuousClock.now + .seconds(300)
  while try await !condition() {
    guard ContinuousClock.now < deadline else {
      Issue.record(comment() ?? "it did not come to pass", sourceLocation: sourceLocation)
      return
    }
    await Task.yield()
  }
}

/// A source whose values can be observed.
nonisolated public protocol ObserveDataSource<Value>: Sendable {
  /// The type of the values.
  associatedtype Value: Sendable

  /// The values of a query, now and after each change.
  ///
  ///     for try await items in source.observe(AllObjectsQuery()) { … }
  ///
  /// A consumer that is slower than the changes receives only the latest values. The stream ends when its task is
  /// cancelled.
  func observe(_ query: some Query) -> AsyncThrowingStream<[Value], any Error>
}

extension AsyncThrowingStream where Element: Sendable, Failure == any Error {
  /// Creates a stream of the latest value that `body` yields. It ends with `body`, whose task is cancelled with the
  /// stream.
  static func latest(
    _ body: @escaping @Sendable (_ yield: @Sendable (Element) -> Void) async throws -> Void
  ) -> AsyncThrowingStream {
    AsyncThrowingStream(bufferingPolicy: .bufferingNewest(1)) { continuation in
      let task = Task {
        do {
          try await body { continuation.yield($0) }
          continuation.finish()
        } catch {
          continuation.finish(throwing: error)
        }
      }
      continuation.onTermination = { _ in task.cancel() }
    }
  }
}

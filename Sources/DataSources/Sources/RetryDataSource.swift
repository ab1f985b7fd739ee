/// Asks a source again when it failed, as a ``Retry`` says.
///
///     let patient = RetryDataSource(source, retry: Retry(attempts: 3)) { $0 is URLError }
public struct RetryDataSource<Source: Sendable>: Sendable {
  private let source: Source
  private let retry: Retry
  private let isWorthIt: @Sendable (any Error) -> Bool

  /// - Parameters:
  ///   - source: the source that is asked.
  ///   - retry: how often, and after how long.
  ///   - isWorthIt: whether to ask again after this error. It is not asked for a ``DataSourceError``, which
  ///     would come again, nor when the task is cancelled.
  public init(
    _ source: Source, retry: Retry = Retry(),
    isWorthIt: @escaping @Sendable (any Error) -> Bool = { _ in true }
  ) {
    self.source = source
    self.retry = retry
    self.isWorthIt = isWorthIt
  }

  private func repeating<R>(_ body: () async throws -> R) async throws -> R {
    try await retry.repeating(body) { !($0 is DataSourceError) && isWorthIt($0) }
  }
}

extension RetryDataSource: GetDataSource where Source: GetDataSource {
  public typealias Value = Source.Value

  public func get(_ query: some Query) async throws -> Source.Value {
    try await repeating { try await source.get(query) }
  }

  public func getAll(_ query: some Query) async throws -> [Source.Value] {
    try await repeating { try await source.getAll(query) }
  }
}

extension RetryDataSource: PutDataSource where Source: PutDataSource {
  @discardableResult
  public func put(_ value: Source.Value, in query: some Query) async throws -> Source.Value {
    try await repeating { try await source.put(value, in: query) }
  }

  @discardableResult
  public func putAll(
    _ values: [Source.Value], in query: some Query
  ) async throws -> [Source.Value] {
    try await repeating { try await source.putAll(values, in: query) }
  }
}

extension RetryDataSource: DeleteDataSource where Source: DeleteDataSource {
  public func delete(_ query: some Query) async throws {
    try await repeating { try await source.delete(query) }
  }

  public func deleteAll(_ query: some Query) async throws {
    try await repeating { try await source.deleteAll(query) }
  }
}

/// A source that retries the failed calls of another source.
///
///     let patient = RetryDataSource(source, retry: Retry(attempts: 3)) { $0 is URLError }
///
/// Every verb is retried, including a `put` that may have been executed. If repeating it is not safe, as with a
/// `POST`, let `isWorthIt` accept only errors that occur before execution, or use the retries of
/// ``NetworkDataSource``, which distinguishes these cases. The retrying source supports the same verbs as its source.
/// Observation is not retried.
public struct RetryDataSource<Source: Sendable>: Sendable {
  private let source: Source
  private let retry: Retry
  private let isWorthIt: @Sendable (any Error) -> Bool

  /// Creates a retrying source.
  /// - Parameters:
  ///   - source: The underlying source.
  ///   - retry: The number of attempts and the delays between them.
  ///   - isWorthIt: A closure that returns true if the call should be retried after an error. It is not called for a
  ///     ``DataSourceError``, which would occur again, nor after the task was cancelled.
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

extension RetryDataSource: ObserveDataSource where Source: ObserveDataSource {
  public func observe(_ query: some Query) -> AsyncThrowingStream<[Source.Value], any Error> {
    source.observe(query)
  }
}

extension RetryDataSource: CacheDataSource where Source: CacheDataSource {
  public var isNested: Bool { source.isNested }

  public func check(_ verb: DataSourceError.Verb, _ query: some Query) throws {
    try source.check(verb, query)
  }

  public func keep(
    _ value: Source.Value, answering query: some Query
  ) async throws -> KeptResponse<Source.Value> {
    try await repeating { try await source.keep(value, answering: query) }
  }

  public func keepAll(
    _ values: [Source.Value], answering query: some Query
  ) async throws -> KeptResponse<[Source.Value]> {
    try await keepAll(values, answering: query, since: nil)
  }

  public func state(beforeRequesting query: some Query) async -> (any Sendable)? {
    await source.state(beforeRequesting: query)
  }

  public func keepAll(
    _ values: [Source.Value], answering query: some Query, since state: (any Sendable)?
  ) async throws -> KeptResponse<[Source.Value]> {
    try await repeating { try await source.keepAll(values, answering: query, since: state) }
  }

  public func keys(of values: [Source.Value], in query: some Query) async throws -> [String]? {
    try await source.keys(of: values, in: query)
  }
}

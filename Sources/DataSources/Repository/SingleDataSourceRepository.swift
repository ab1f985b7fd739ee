/// A repository of one source, which ignores the operation. It supports the same verbs as its source.
public struct SingleDataSourceRepository<Source: Sendable>: Sendable {
  private let source: Source

  /// Creates a repository of this source.
  public init(_ source: Source) {
    self.source = source
  }
}

extension SingleDataSourceRepository: GetRepository, GetDataSource
where Source: GetDataSource {
  public typealias Value = Source.Value

  public func get(
    _ query: some Query, operation: RepositoryOperation
  ) async throws -> Source.Value {
    try await source.get(query)
  }

  public func getAll(
    _ query: some Query, operation: RepositoryOperation
  ) async throws -> [Source.Value] {
    try await source.getAll(query)
  }
}

extension SingleDataSourceRepository: PutRepository, PutDataSource
where Source: PutDataSource {
  public typealias Value = Source.Value

  @discardableResult
  public func put(
    _ value: Source.Value, in query: some Query, operation: RepositoryOperation
  ) async throws -> Source.Value {
    try await source.put(value, in: query)
  }

  @discardableResult
  public func putAll(
    _ values: [Source.Value], in query: some Query, operation: RepositoryOperation
  ) async throws -> [Source.Value] {
    try await source.putAll(values, in: query)
  }
}

extension SingleDataSourceRepository: DeleteRepository, DeleteDataSource
where Source: DeleteDataSource {
  public func delete(_ query: some Query, operation: RepositoryOperation) async throws {
    try await source.delete(query)
  }

  public func deleteAll(_ query: some Query, operation: RepositoryOperation) async throws {
    try await source.deleteAll(query)
  }
}

extension SingleDataSourceRepository: ObserveDataSource where Source: ObserveDataSource {
  public func observe(
    _ query: some Query
  ) -> AsyncThrowingStream<[Source.Value], any Error> {
    source.observe(query)
  }
}

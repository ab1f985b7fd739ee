/// A data source to which values can be written with an operation.
nonisolated public protocol PutRepository<Value>: PutDataSource {
  /// Puts a value.
  @discardableResult
  func put(
    _ value: Value, in query: some Query, operation: RepositoryOperation
  ) async throws -> Value

  /// Puts several values.
  @discardableResult
  func putAll(
    _ values: [Value], in query: some Query, operation: RepositoryOperation
  ) async throws -> [Value]
}

extension PutRepository {
  /// Puts a value with the ``RepositoryOperation/default`` operation.
  @discardableResult
  public func put(_ value: Value, in query: some Query) async throws -> Value {
    try await put(value, in: query, operation: .default)
  }

  /// Puts a value under an id.
  /// - Throws: ``DataSourceError/illegalArgument(_:)`` for nil.
  @discardableResult
  public func put<ID: Hashable & Sendable>(
    _ value: Value, forId id: ID?, operation: RepositoryOperation
  ) async throws -> Value {
    try await put(value, in: IdQuery(IdentifierString.present(id)), operation: operation)
  }

  /// Puts several values with the ``RepositoryOperation/default`` operation.
  @discardableResult
  public func putAll(_ values: [Value], in query: some Query) async throws -> [Value] {
    try await putAll(values, in: query, operation: .default)
  }

  /// Puts a list under an id.
  /// - Throws: ``DataSourceError/illegalArgument(_:)`` for nil.
  @discardableResult
  public func putAll<ID: Hashable & Sendable>(
    _ values: [Value], forId id: ID?, operation: RepositoryOperation
  ) async throws -> [Value] {
    try await putAll(values, in: IdQuery(IdentifierString.present(id)), operation: operation)
  }

  /// Puts each value under the id at the same index.
  /// - Throws: ``DataSourceError/illegalArgument(_:)`` if one is nil.
  @discardableResult
  public func putAll<ID: Hashable & Sendable>(
    _ values: [Value], forIds ids: [ID?], operation: RepositoryOperation
  ) async throws -> [Value] {
    try await putAll(values, in: IdsQuery(IdentifierString.present(ids)), operation: operation)
  }
}

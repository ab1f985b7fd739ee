/// A data source from which values can be deleted with an operation.
nonisolated public protocol DeleteRepository: DeleteDataSource {
  /// Deletes the value of a query.
  func delete(_ query: some Query, operation: RepositoryOperation) async throws

  /// Deletes all values of a query.
  func deleteAll(_ query: some Query, operation: RepositoryOperation) async throws
}

extension DeleteRepository {
  /// Deletes the value of a query with the ``RepositoryOperation/default`` operation.
  public func delete(_ query: some Query) async throws {
    try await delete(query, operation: .default)
  }

  /// Deletes all values of a query with the ``RepositoryOperation/default`` operation.
  public func deleteAll(_ query: some Query) async throws {
    try await deleteAll(query, operation: .default)
  }

  /// Deletes the value with an id.
  /// - Throws: ``DataSourceError/illegalArgument(_:)`` for nil, for a dictionary and for an optional collection of ids.
  public func delete<ID: Hashable & Sendable>(
    _ id: ID?, operation: RepositoryOperation
  ) async throws {
    try await delete(IdQuery(IdentifierString.single(id)), operation: operation)
  }

  /// Deletes the values with these ids. A string or a `Data` counts as one id.
  public func delete<IDs: Collection & Hashable & Sendable>(
    _ ids: IDs, operation: RepositoryOperation
  ) async throws where IDs.Element: Hashable & Sendable {
    try await delete(IdentifierString.query(ids), operation: operation)
  }

  /// Deletes the values with these optional ids.
  /// - Throws: ``DataSourceError/illegalArgument(_:)`` if one is nil.
  public func delete<IDs: Collection & Hashable & Sendable, ID: Hashable & Sendable>(
    _ ids: IDs, operation: RepositoryOperation
  ) async throws where IDs.Element == ID? {
    try await delete(IdsQuery(IdentifierString.present(ids)), operation: operation)
  }
}

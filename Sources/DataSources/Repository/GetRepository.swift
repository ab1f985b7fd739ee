/// A data source whose values can be read with an operation. Without one, it uses ``RepositoryOperation/default``.
nonisolated public protocol GetRepository<Value>: GetDataSource {
  /// Returns the value of a query.
  func get(_ query: some Query, operation: RepositoryOperation) async throws -> Value

  /// Returns the values of a query.
  func getAll(_ query: some Query, operation: RepositoryOperation) async throws -> [Value]
}

extension GetRepository {
  /// Returns the value of a query with the ``RepositoryOperation/default`` operation.
  public func get(_ query: some Query) async throws -> Value {
    try await get(query, operation: .default)
  }

  /// Returns the values of a query with the ``RepositoryOperation/default`` operation.
  public func getAll(_ query: some Query) async throws -> [Value] {
    try await getAll(query, operation: .default)
  }

  /// Returns the value with an id.
  /// - Throws: ``DataSourceError/illegalArgument(_:)`` for nil.
  public func get<ID: Hashable & Sendable>(
    _ id: ID?, operation: RepositoryOperation
  ) async throws -> Value {
    try await get(IdQuery(IdentifierString.present(id)), operation: operation)
  }

  /// Returns the list that is stored under an id.
  /// - Throws: ``DataSourceError/illegalArgument(_:)`` for nil, for a dictionary and for an optional collection of ids.
  public func getAll<ID: Hashable & Sendable>(
    _ id: ID?, operation: RepositoryOperation
  ) async throws -> [Value] {
    try await getAll(IdQuery(IdentifierString.single(id)), operation: operation)
  }

  /// Returns the values with these ids, in the order of the ids. A string or a `Data` counts as one id.
  public func getAll<IDs: Collection & Hashable & Sendable>(
    _ ids: IDs, operation: RepositoryOperation
  ) async throws -> [Value] where IDs.Element: Hashable & Sendable {
    try await getAll(IdentifierString.query(ids), operation: operation)
  }

  /// Returns the values with these optional ids.
  /// - Throws: ``DataSourceError/illegalArgument(_:)`` if one is nil.
  public func getAll<IDs: Collection & Hashable & Sendable, ID: Hashable & Sendable>(
    _ ids: IDs, operation: RepositoryOperation
  ) async throws -> [Value] where IDs.Element == ID? {
    try await getAll(IdsQuery(IdentifierString.present(ids)), operation: operation)
  }
}

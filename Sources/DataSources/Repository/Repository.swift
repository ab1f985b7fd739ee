/// A data source whose values can be read with an operation. Without one, it uses ``RepositoryOperation/default``.
nonisolated public protocol GetRepository<Value>: GetDataSource {
  /// Returns the value of a query.
  func get(_ query: some Query, operation: RepositoryOperation) async throws -> Value

  /// Returns the values of a query.
  func getAll(_ query: some Query, operation: RepositoryOperation) async throws -> [Value]
}

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

/// A data source from which values can be deleted with an operation.
nonisolated public protocol DeleteRepository: DeleteDataSource {
  /// Deletes the value of a query.
  func delete(_ query: some Query, operation: RepositoryOperation) async throws

  /// Deletes all values of a query.
  func deleteAll(_ query: some Query, operation: RepositoryOperation) async throws
}

/// A repository for reading, writing and deleting.
public typealias Repository = GetRepository & PutRepository & DeleteRepository

// MARK: - Default operation and ids

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

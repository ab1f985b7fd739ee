/// Gives values of one or more data sources.
nonisolated public protocol GetRepository<Value>: Sendable {
  /// What it gives.
  associatedtype Value: Sendable

  /// The value that a query asks for.
  func get(_ query: some Query, operation: RepositoryOperation) async throws -> Value

  /// The values that a query asks for.
  func getAll(_ query: some Query, operation: RepositoryOperation) async throws -> [Value]
}

/// Takes values for one or more data sources.
nonisolated public protocol PutRepository<Value>: Sendable {
  /// What it takes.
  associatedtype Value: Sendable

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

/// Deletes values of one or more data sources.
nonisolated public protocol DeleteRepository: Sendable {
  /// Deletes what a query asks for.
  func delete(_ query: some Query, operation: RepositoryOperation) async throws

  /// Deletes all that a query asks for.
  func deleteAll(_ query: some Query, operation: RepositoryOperation) async throws
}

/// Gives, takes and deletes.
public typealias Repository = GetRepository & PutRepository & DeleteRepository

// MARK: - By default, and by ids

extension GetRepository {
  /// The value that a query asks for, by the ``RepositoryOperation/default`` operation.
  public func get(_ query: some Query) async throws -> Value {
    try await get(query, operation: .default)
  }

  /// The values that a query asks for, by the ``RepositoryOperation/default`` operation.
  public func getAll(_ query: some Query) async throws -> [Value] {
    try await getAll(query, operation: .default)
  }

  /// The value with an id.
  @_disfavoredOverload
  public func get<ID: Hashable & Sendable>(
    _ id: ID, operation: RepositoryOperation = .default
  ) async throws -> Value {
    try await get(IdQuery(id), operation: operation)
  }

  /// The value with an id that may be nil, as one has that no server has seen.
  /// - Throws: ``DataSourceError/illegalArgument(_:)`` for nil.
  @_disfavoredOverload
  public func get<ID: Hashable & Sendable>(
    _ id: ID?, operation: RepositoryOperation = .default
  ) async throws -> Value {
    try await get(IdQuery(IdentifierString.present(id)), operation: operation)
  }

  /// The values that are kept under an id as a list.
  @_disfavoredOverload
  public func getAll<ID: Hashable & Sendable>(
    _ id: ID, operation: RepositoryOperation = .default
  ) async throws -> [Value] {
    try await getAll(IdQuery(IdentifierString.single(id)), operation: operation)
  }

  /// The values that are kept as a list under an id that may be nil.
  /// - Throws: ``DataSourceError/illegalArgument(_:)`` for nil, and for several.
  @_disfavoredOverload
  public func getAll<ID: Hashable & Sendable>(
    _ id: ID?, operation: RepositoryOperation = .default
  ) async throws -> [Value] {
    try await getAll(IdQuery(IdentifierString.presentSingle(id)), operation: operation)
  }

  /// Returns the values with these ids, in the order of the ids. A string and `Data` are one id, as in `getAll(IdQuery(id))`; any other
  /// collection of ids is `getAll(IdsQuery(ids))`.
  @_disfavoredOverload
  public func getAll<IDs: Collection & Hashable & Sendable>(
    _ ids: IDs, operation: RepositoryOperation = .default
  ) async throws -> [Value] where IDs.Element: Hashable & Sendable {
    try await getAll(IdentifierString.query(ids), operation: operation)
  }

  /// Returns the values with these ids.
  /// - Throws: ``DataSourceError/illegalArgument(_:)`` if one is nil.
  @_disfavoredOverload
  public func getAll<IDs: Collection & Hashable & Sendable, ID: Hashable & Sendable>(
    _ ids: IDs, operation: RepositoryOperation = .default
  ) async throws -> [Value] where IDs.Element == ID? {
    try await getAll(IdsQuery(IdentifierString.present(ids)), operation: operation)
  }
}

extension PutRepository {
  /// Puts a value where the query says, by default where the source knows itself.
  @discardableResult
  public func put(
    _ value: Value, in query: some Query = VoidQuery()
  ) async throws -> Value {
    try await put(value, in: query, operation: .default)
  }

  /// Puts a value under an id.
  @discardableResult
  public func put<ID: Hashable & Sendable>(
    _ value: Value, forId id: ID, operation: RepositoryOperation = .default
  ) async throws -> Value {
    try await put(value, in: IdQuery(id), operation: operation)
  }

  /// Puts a value under an id that may be nil.
  /// - Throws: ``DataSourceError/illegalArgument(_:)`` for nil.
  @discardableResult
  public func put<ID: Hashable & Sendable>(
    _ value: Value, forId id: ID?, operation: RepositoryOperation = .default
  ) async throws -> Value {
    try await put(value, in: IdQuery(IdentifierString.present(id)), operation: operation)
  }

  /// Puts values where the query says, by default where the source knows itself.
  @discardableResult
  public func putAll(
    _ values: [Value], in query: some Query = VoidQuery()
  ) async throws -> [Value] {
    try await putAll(values, in: query, operation: .default)
  }

  /// Puts a list under an id.
  @discardableResult
  public func putAll<ID: Hashable & Sendable>(
    _ values: [Value], forId id: ID, operation: RepositoryOperation = .default
  ) async throws -> [Value] {
    try await putAll(values, in: IdQuery(id), operation: operation)
  }

  /// Puts a list under an id that may be nil.
  /// - Throws: ``DataSourceError/illegalArgument(_:)`` for nil.
  @discardableResult
  public func putAll<ID: Hashable & Sendable>(
    _ values: [Value], forId id: ID?, operation: RepositoryOperation = .default
  ) async throws -> [Value] {
    try await putAll(values, in: IdQuery(IdentifierString.present(id)), operation: operation)
  }

  /// Puts values under ids, each under its own.
  @discardableResult
  public func putAll<ID: Hashable & Sendable>(
    _ values: [Value], forIds ids: [ID], operation: RepositoryOperation = .default
  ) async throws -> [Value] {
    try await putAll(values, in: IdsQuery(ids), operation: operation)
  }

  /// Puts values under ids that may be nil, each under its own.
  /// - Throws: ``DataSourceError/illegalArgument(_:)`` if one is.
  @discardableResult
  public func putAll<ID: Hashable & Sendable>(
    _ values: [Value], forIds ids: [ID?], operation: RepositoryOperation = .default
  ) async throws -> [Value] {
    try await putAll(values, in: IdsQuery(IdentifierString.present(ids)), operation: operation)
  }
}

extension DeleteRepository {
  /// Deletes what a query asks for.
  public func delete(_ query: some Query) async throws {
    try await delete(query, operation: .default)
  }

  /// Deletes all that a query asks for.
  public func deleteAll(_ query: some Query) async throws {
    try await deleteAll(query, operation: .default)
  }

  /// Deletes the value with an id.
  @_disfavoredOverload
  public func delete<ID: Hashable & Sendable>(
    _ id: ID, operation: RepositoryOperation = .default
  ) async throws {
    try await delete(IdQuery(IdentifierString.single(id)), operation: operation)
  }

  /// Deletes the value with an id that may be nil.
  /// - Throws: ``DataSourceError/illegalArgument(_:)`` for nil, and for several.
  @_disfavoredOverload
  public func delete<ID: Hashable & Sendable>(
    _ id: ID?, operation: RepositoryOperation = .default
  ) async throws {
    try await delete(IdQuery(IdentifierString.presentSingle(id)), operation: operation)
  }

  /// Deletes the values with these ids. A string and `Data` are one id, as in `delete(IdQuery(id))`; any other collection of
  /// ids is `delete(IdsQuery(ids))`.
  @_disfavoredOverload
  public func delete<IDs: Collection & Hashable & Sendable>(
    _ ids: IDs, operation: RepositoryOperation = .default
  ) async throws where IDs.Element: Hashable & Sendable {
    try await delete(IdentifierString.query(ids), operation: operation)
  }

  /// Deletes the values with these ids.
  /// - Throws: ``DataSourceError/illegalArgument(_:)`` if one is nil.
  @_disfavoredOverload
  public func delete<IDs: Collection & Hashable & Sendable, ID: Hashable & Sendable>(
    _ ids: IDs, operation: RepositoryOperation = .default
  ) async throws where IDs.Element == ID? {
    try await delete(IdsQuery(IdentifierString.present(ids)), operation: operation)
  }
}

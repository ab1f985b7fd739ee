/// A source from which values can be read.
///
/// The methods for reading, writing and deleting are `async` and throw in all sources, and their parameters and
/// results are `Sendable`. A source throws ``DataSourceError/queryNotSupported(query:verb:source:)`` for a query
/// that it does not support.
nonisolated public protocol GetDataSource<Value>: Sendable {
  /// The type of the values.
  associatedtype Value: Sendable

  /// Returns the value of a query.
  /// - Throws: ``DataSourceError/notFound(query:)`` if there is none.
  func get(_ query: some Query) async throws -> Value

  /// Returns the values of a query.
  func getAll(_ query: some Query) async throws -> [Value]
}

// An id is optional, because a value that the server does not have yet has none. A collection is passed to the methods for
// several ids, which need no conversion to an optional.

extension GetDataSource {
  /// Returns the value with an id: `get(IdQuery(id))`.
  /// - Throws: ``DataSourceError/illegalArgument(_:)`` for nil.
  public func get<ID: Hashable & Sendable>(_ id: ID?) async throws -> Value {
    try await get(IdQuery(IdentifierString.present(id)))
  }

  /// Returns the list that is stored under an id: `getAll(IdQuery(id))`.
  /// - Throws: ``DataSourceError/illegalArgument(_:)`` for nil, for a dictionary and for an optional collection of ids.
  public func getAll<ID: Hashable & Sendable>(_ id: ID?) async throws -> [Value] {
    try await getAll(IdQuery(IdentifierString.single(id)))
  }

  /// Returns the values with these ids, in the order of the ids: `getAll(IdsQuery(ids))`. A string and `Data` are one
  /// id: `getAll(IdQuery(id))`.
  public func getAll<IDs: Collection & Hashable & Sendable>(
    _ ids: IDs
  ) async throws -> [Value] where IDs.Element: Hashable & Sendable {
    try await getAll(IdentifierString.query(ids))
  }

  /// Returns the values with these optional ids.
  /// - Throws: ``DataSourceError/illegalArgument(_:)`` if one is nil.
  public func getAll<IDs: Collection & Hashable & Sendable, ID: Hashable & Sendable>(
    _ ids: IDs
  ) async throws -> [Value] where IDs.Element == ID? {
    try await getAll(IdsQuery(IdentifierString.present(ids)))
  }
}

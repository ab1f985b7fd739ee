/// A source from which values can be deleted. Deleting a value that does not exist is not an error.
nonisolated public protocol DeleteDataSource: Sendable {
  /// Deletes the value of a query.
  func delete(_ query: some Query) async throws

  /// Deletes all values of a query. In the sources of this module, this is the same as ``delete(_:)-(Query)``.
  func deleteAll(_ query: some Query) async throws
}

extension DeleteDataSource {
  /// Deletes the value with an id: `delete(IdQuery(id))`.
  /// - Throws: ``DataSourceError/illegalArgument(_:)`` for nil, for a dictionary and for an optional collection of ids.
  public func delete<ID: Hashable & Sendable>(_ id: ID?) async throws {
    try await delete(IdQuery(IdentifierString.single(id)))
  }

  /// Deletes the values with these ids: `delete(IdsQuery(ids))`. A string or a `Data` counts as one id:
  /// `delete(IdQuery(id))`.
  public func delete<IDs: Collection & Hashable & Sendable>(
    _ ids: IDs
  ) async throws where IDs.Element: Hashable & Sendable {
    try await delete(IdentifierString.query(ids))
  }

  /// Deletes the values with these optional ids.
  /// - Throws: ``DataSourceError/illegalArgument(_:)`` if one is nil.
  public func delete<IDs: Collection & Hashable & Sendable, ID: Hashable & Sendable>(
    _ ids: IDs
  ) async throws where IDs.Element == ID? {
    try await delete(IdsQuery(IdentifierString.present(ids)))
  }
}

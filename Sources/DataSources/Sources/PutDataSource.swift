/// A source to which values can be written.
nonisolated public protocol PutDataSource<Value>: Sendable {
  /// The type of the values.
  associatedtype Value: Sendable

  /// Puts a value under the key of a query, replacing an existing one.
  /// - Returns: The value as it is stored.
  @discardableResult
  func put(_ value: Value, in query: some Query) async throws -> Value

  /// Puts several values: all of them or, if one fails, none.
  /// - Returns: The values as they are stored.
  @discardableResult
  func putAll(_ values: [Value], in query: some Query) async throws -> [Value]
}

extension PutDataSource {
  /// Puts a value under the key that the source derives from it: `put(value, in: VoidQuery())`.
  @discardableResult
  public func put(_ value: Value) async throws -> Value {
    try await put(value, in: VoidQuery())
  }

  /// Puts a value under an id: `put(value, in: IdQuery(id))`.
  /// - Throws: ``DataSourceError/illegalArgument(_:)`` for nil.
  @discardableResult
  public func put<ID: Hashable & Sendable>(_ value: Value, forId id: ID?) async throws -> Value {
    try await put(value, in: IdQuery(IdentifierString.present(id)))
  }

  /// Puts values under the keys that the source derives from them: `putAll(values, in: VoidQuery())`.
  @discardableResult
  public func putAll(_ values: [Value]) async throws -> [Value] {
    try await putAll(values, in: VoidQuery())
  }

  /// Puts a list under an id: `putAll(values, in: IdQuery(id))`.
  /// - Throws: ``DataSourceError/illegalArgument(_:)`` for nil.
  @discardableResult
  public func putAll<ID: Hashable & Sendable>(
    _ values: [Value], forId id: ID?
  ) async throws -> [Value] {
    try await putAll(values, in: IdQuery(IdentifierString.present(id)))
  }

  /// Puts each value under the id at the same index: `putAll(values, in: IdsQuery(ids))`.
  /// - Throws: ``DataSourceError/illegalArgument(_:)`` if one is nil.
  @discardableResult
  public func putAll<ID: Hashable & Sendable>(
    _ values: [Value], forIds ids: [ID?]
  ) async throws -> [Value] {
    try await putAll(values, in: IdsQuery(IdentifierString.present(ids)))
  }
}

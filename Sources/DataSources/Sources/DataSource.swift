/// Gives values.
///
/// All verbs of all sources are `async` and throw; what they take and give is `Sendable`. A query that a
/// source cannot answer is a thrown ``DataSourceError/queryNotSupported(query:verb:source:)``.
nonisolated public protocol GetDataSource<Value>: Sendable {
  /// What it gives.
  associatedtype Value: Sendable

  /// The value that a query asks for.
  /// - Throws: ``DataSourceError/notFound(query:)`` if there is none.
  func get(_ query: some Query) async throws -> Value

  /// The values that a query asks for.
  func getAll(_ query: some Query) async throws -> [Value]
}

/// Takes values.
nonisolated public protocol PutDataSource<Value>: Sendable {
  /// What it takes.
  associatedtype Value: Sendable

  /// Puts a value where the query says, in place of what is there.
  /// - Returns: The value as it is kept.
  @discardableResult
  func put(_ value: Value, in query: some Query) async throws -> Value

  /// Puts several values: all of them or, if something fails, none.
  /// - Returns: The values as they are kept.
  @discardableResult
  func putAll(_ values: [Value], in query: some Query) async throws -> [Value]
}

/// Deletes values. One that is not there is deleted already: that is no error.
nonisolated public protocol DeleteDataSource: Sendable {
  /// Deletes what a query asks for.
  func delete(_ query: some Query) async throws

  /// Deletes all that a query asks for; in the sources here the same as ``delete(_:)-(Query)``.
  func deleteAll(_ query: some Query) async throws
}

/// Says what the values of a query are, now and whenever they differ.
nonisolated public protocol ObserveDataSource<Value>: Sendable {
  /// What it tells of.
  associatedtype Value: Sendable

  /// The values of a query: those of now, and then again after each change.
  ///
  ///     for try await items in source.observe(AllObjectsQuery()) { … }
  ///
  /// Who is busy meanwhile is told the newest values alone. It ends when its task is cancelled.
  func observe(_ query: some Query) -> AsyncThrowingStream<[Value], any Error>
}

/// Gives, takes and deletes.
public typealias DataSource = GetDataSource & PutDataSource & DeleteDataSource

// MARK: - By ids

extension GetDataSource {
  /// The value with an id: `get(IdQuery(id))`.
  @_disfavoredOverload
  public func get<ID: Hashable & Sendable>(_ id: ID) async throws -> Value {
    try await get(IdQuery(id))
  }

  /// The value with an id that may be nil, as one has that no server has seen.
  /// - Throws: ``DataSourceError/illegalArgument(_:)`` for nil.
  @_disfavoredOverload
  public func get<ID: Hashable & Sendable>(_ id: ID?) async throws -> Value {
    try await get(IdQuery(IdentifierString.present(id)))
  }

  /// The values that are kept under an id as a list: `getAll(IdQuery(id))`.
  @_disfavoredOverload
  public func getAll<ID: Hashable & Sendable>(_ id: ID) async throws -> [Value] {
    try await getAll(IdQuery(IdentifierString.single(id)))
  }

  /// The values that are kept as a list under an id that may be nil.
  /// - Throws: ``DataSourceError/illegalArgument(_:)`` for nil, and for several.
  @_disfavoredOverload
  public func getAll<ID: Hashable & Sendable>(_ id: ID?) async throws -> [Value] {
    try await getAll(IdQuery(IdentifierString.presentSingle(id)))
  }

  /// Returns the values with these ids, in the order of the ids. A string and `Data` are one id, as in `getAll(IdQuery(id))`; any other
  /// collection of ids is `getAll(IdsQuery(ids))`.
  @_disfavoredOverload
  public func getAll<IDs: Collection & Hashable & Sendable>(
    _ ids: IDs
  ) async throws -> [Value] where IDs.Element: Hashable & Sendable {
    try await getAll(IdentifierString.query(ids))
  }

  /// Returns the values with these ids.
  /// - Throws: ``DataSourceError/illegalArgument(_:)`` if one is nil.
  @_disfavoredOverload
  public func getAll<IDs: Collection & Hashable & Sendable, ID: Hashable & Sendable>(
    _ ids: IDs
  ) async throws -> [Value] where IDs.Element == ID? {
    try await getAll(IdsQuery(IdentifierString.present(ids)))
  }
}

extension PutDataSource {
  /// Puts a value whose place the source knows itself: `put(value, in: VoidQuery())`.
  @discardableResult
  public func put(_ value: Value) async throws -> Value {
    try await put(value, in: VoidQuery())
  }

  /// Puts a value under an id: `put(value, in: IdQuery(id))`.
  @discardableResult
  public func put<ID: Hashable & Sendable>(_ value: Value, forId id: ID) async throws -> Value {
    try await put(value, in: IdQuery(id))
  }

  /// Puts a value under an id that may be nil.
  /// - Throws: ``DataSourceError/illegalArgument(_:)`` for nil.
  @discardableResult
  public func put<ID: Hashable & Sendable>(_ value: Value, forId id: ID?) async throws -> Value {
    try await put(value, in: IdQuery(IdentifierString.present(id)))
  }

  /// Puts values whose places the source knows itself: `putAll(values, in: VoidQuery())`.
  @discardableResult
  public func putAll(_ values: [Value]) async throws -> [Value] {
    try await putAll(values, in: VoidQuery())
  }

  /// Puts a list under an id: `putAll(values, in: IdQuery(id))`.
  @discardableResult
  public func putAll<ID: Hashable & Sendable>(
    _ values: [Value], forId id: ID
  ) async throws -> [Value] {
    try await putAll(values, in: IdQuery(id))
  }

  /// Puts a list under an id that may be nil.
  /// - Throws: ``DataSourceError/illegalArgument(_:)`` for nil.
  @discardableResult
  public func putAll<ID: Hashable & Sendable>(
    _ values: [Value], forId id: ID?
  ) async throws -> [Value] {
    try await putAll(values, in: IdQuery(IdentifierString.present(id)))
  }

  /// Puts values under ids, each under its own: `putAll(values, in: IdsQuery(ids))`.
  @discardableResult
  public func putAll<ID: Hashable & Sendable>(
    _ values: [Value], forIds ids: [ID]
  ) async throws -> [Value] {
    try await putAll(values, in: IdsQuery(ids))
  }

  /// Puts values under ids that may be nil, each under its own.
  /// - Throws: ``DataSourceError/illegalArgument(_:)`` if one is.
  @discardableResult
  public func putAll<ID: Hashable & Sendable>(
    _ values: [Value], forIds ids: [ID?]
  ) async throws -> [Value] {
    try await putAll(values, in: IdsQuery(IdentifierString.present(ids)))
  }
}

extension DeleteDataSource {
  /// Deletes the value with an id: `delete(IdQuery(id))`.
  @_disfavoredOverload
  public func delete<ID: Hashable & Sendable>(_ id: ID) async throws {
    try await delete(IdQuery(IdentifierString.single(id)))
  }

  /// Deletes the value with an id that may be nil.
  /// - Throws: ``DataSourceError/illegalArgument(_:)`` for nil, and for several.
  @_disfavoredOverload
  public func delete<ID: Hashable & Sendable>(_ id: ID?) async throws {
    try await delete(IdQuery(IdentifierString.presentSingle(id)))
  }

  /// Deletes the values with these ids. A string and `Data` are one id, as in `delete(IdQuery(id))`; any other collection of
  /// ids is `delete(IdsQuery(ids))`.
  @_disfavoredOverload
  public func delete<IDs: Collection & Hashable & Sendable>(
    _ ids: IDs
  ) async throws where IDs.Element: Hashable & Sendable {
    try await delete(IdentifierString.query(ids))
  }

  /// Deletes the values with these ids.
  /// - Throws: ``DataSourceError/illegalArgument(_:)`` if one is nil.
  @_disfavoredOverload
  public func delete<IDs: Collection & Hashable & Sendable, ID: Hashable & Sendable>(
    _ ids: IDs
  ) async throws where IDs.Element == ID? {
    try await delete(IdsQuery(IdentifierString.present(ids)))
  }
}

// MARK: - What sources have in common

extension Query {
  /// The error of a source that does not know the query.
  func notSupported(_ verb: DataSourceError.Verb, _ source: Any.Type) -> DataSourceError {
    .queryNotSupported(query: typedNameInMessages, verb: verb, source: "\(source)")
  }

  /// The error of a source that has no answer.
  var notFound: DataSourceError { .notFound(query: nameInMessages) }
}

extension IdentifiersQuery {
  /// - Throws: ``DataSourceError/illegalArgument(_:)`` for another number of values than of ids.
  func check(count: Int) throws {
    guard identifiers.count == count else {
      throw DataSourceError.illegalArgument(
        "\(count) values were given for \(identifiers.count) ids")
    }
  }
}

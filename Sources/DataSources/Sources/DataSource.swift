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

/// A source from which values can be deleted. Deleting a value that does not exist is not an error.
nonisolated public protocol DeleteDataSource: Sendable {
  /// Deletes the value of a query.
  func delete(_ query: some Query) async throws

  /// Deletes all values of a query. In the sources of this module, this is the same as ``delete(_:)-(Query)``.
  func deleteAll(_ query: some Query) async throws
}

/// A source whose values can be observed.
nonisolated public protocol ObserveDataSource<Value>: Sendable {
  /// The type of the values.
  associatedtype Value: Sendable

  /// The values of a query, now and after each change.
  ///
  ///     for try await items in source.observe(AllObjectsQuery()) { … }
  ///
  /// A consumer that is slower than the changes receives only the latest values. The stream ends when its task is
  /// cancelled.
  func observe(_ query: some Query) -> AsyncThrowingStream<[Value], any Error>
}

extension AsyncThrowingStream where Element: Sendable, Failure == any Error {
  /// Creates a stream of the latest value that `body` yields. It ends with `body`, whose task is cancelled with the
  /// stream.
  static func latest(
    _ body: @escaping @Sendable (_ yield: @Sendable (Element) -> Void) async throws -> Void
  ) -> AsyncThrowingStream {
    AsyncThrowingStream(bufferingPolicy: .bufferingNewest(1)) { continuation in
      let task = Task {
        do {
          try await body { continuation.yield($0) }
          continuation.finish()
        } catch {
          continuation.finish(throwing: error)
        }
      }
      continuation.onTermination = { _ in task.cancel() }
    }
  }
}

/// A source for reading, writing and deleting.
public typealias DataSource = GetDataSource & PutDataSource & DeleteDataSource

// MARK: - By ids

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

// MARK: - Errors

extension Query {
  /// The error of a source that does not support the query.
  func notSupported(_ verb: DataSourceError.Verb, _ source: Any.Type) -> DataSourceError {
    .queryNotSupported(query: typedNameInMessages, verb: verb, source: "\(source)")
  }

  /// The error of a source that has no result.
  var notFound: DataSourceError { .notFound(query: nameInMessages) }
}

extension IdentifiersQuery {
  /// - Throws: ``DataSourceError/illegalArgument(_:)`` if the numbers of values and ids differ.
  func check(count: Int) throws {
    guard identifiers.count == count else {
      throw DataSourceError.illegalArgument(
        "\(count) values were passed for \(identifiers.count) ids")
    }
  }
}

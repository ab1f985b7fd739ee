/// A source that reports where it stores a response, so that a ``CacheRepository`` can consider cached lists valid.
///
/// For a page, a search or several ids, a cache may not return the server's response to the same query, because it
/// may hold different values in a different order. For each response that it stores, a cache data source therefore
/// returns a query that finds exactly that response again. A ``StoreDataSource`` returns the keys of the values in
/// their order; an ``InMemoryDataSource`` returns the query itself if it stores a list under its key.
nonisolated public protocol CacheDataSource<Value>: GetDataSource, PutDataSource {
  /// A Boolean value that indicates whether storing one value can change the result of another key or query, for
  /// example because values embed other keyed values. A repository then stores no response that was requested before
  /// or during a put or a deletion. The default is true.
  var isNested: Bool { get }

  /// Checks whether the source supports a query, regardless of the value. A repository calls it before it calls its
  /// main source.
  /// - Throws: ``DataSourceError/queryNotSupported(query:verb:source:)``.
  func check(_ verb: DataSourceError.Verb, _ query: some Query) throws

  /// Stores the value that another source returned or accepted for a query.
  /// - Throws: ``DataSourceError/notFound(query:)`` if the value was deleted in this source, and the other source has
  ///   not confirmed the deletion. A repository then treats the value as absent.
  func keep(_ value: Value, answering query: some Query) async throws -> KeptResponse<Value>

  /// Stores the values that another source returned or accepted for a query, under their own keys. They may differ
  /// from the values that the query identifies, and may be in a different order.
  func keepAll(_ values: [Value], answering query: some Query) async throws -> KeptResponse<[Value]>

  /// Returns a state with which the source recognizes later changes of its values. A repository calls this method
  /// before it requests a list, and passes the state with the response to ``keepAll(_:answering:since:)``. The default
  /// is nil: no state is needed.
  func state(beforeRequesting query: some Query) async -> (any Sendable)?

  /// Stores the values that another source returned for a query, and may remove values that a complete response lacks,
  /// unless they have changed since the request. The default is ``keepAll(_:answering:)``, which removes nothing.
  ///
  /// `state` is the result of ``state(beforeRequesting:)``. If it is nil, nothing is removed.
  func keepAll(
    _ values: [Value], answering query: some Query, since state: (any Sendable)?
  ) async throws -> KeptResponse<[Value]>

  /// Returns the keys, in the form of ``IdQuery``, of everything that is written when values are stored for a query,
  /// including nested values; or of everything that an ``ObjectQuery`` of them deletes. A repository uses them to
  /// detect that concurrent writes overlap, so that the late response to an older put does not replace a newer one.
  /// Nil, the default, means unknown: then any two writes may overlap.
  func keys(of values: [Value], in query: some Query) async throws -> [String]?
}

extension CacheDataSource {
  /// True by default.
  public var isNested: Bool { true }

  /// Supports every query by default.
  public func check(_ verb: DataSourceError.Verb, _ query: some Query) throws {}

  /// No state by default.
  public func state(beforeRequesting query: some Query) async -> (any Sendable)? { nil }

  /// Removes nothing by default.
  public func keepAll(
    _ values: [Value], answering query: some Query, since state: (any Sendable)?
  ) async throws -> KeptResponse<[Value]> {
    try await keepAll(values, answering: query)
  }

  /// Unknown by default.
  public func keys(of values: [Value], in query: some Query) async throws -> [String]? { nil }
}

extension Query {
  /// True if the response to this query contains all values that a store has for it, unless they no longer exist.
  var isComplete: Bool {
    if self is any PaginationQuery { return false }
    return self is AllObjectsQuery || self is any IdentifiersQuery || self is any StoreQuery
  }

  /// True if a store evaluates this query itself, and all results are one list.
  var isEvaluatedByStore: Bool { isComplete && !(self is any IdentifiersQuery) }

  /// True if this query reads exactly what a put by it wrote: it has one key, and is neither the query for all values
  /// nor for a page.
  var isSingleKey: Bool {
    self is any KeyQuery && !(self is AllObjectsQuery) && !(self is any PaginationQuery)
  }
}

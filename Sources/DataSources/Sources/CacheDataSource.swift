/// A source that can say where it keeps an answer: of such a cache a ``CacheRepository`` can hold lists valid.
///
/// What a server answered to a page, a search, or several ids, a cache need not answer to the same query: it has
/// other values, too, and another order. So one that takes an answer gives a query by which just this answer is
/// found again. A ``StoreDataSource`` gives the keys of the values in their order, an ``InMemoryDataSource`` the
/// query itself where it keeps a list under it.
nonisolated public protocol CacheDataSource<Value>: GetDataSource, PutDataSource {
  /// Whether keeping a value may change what another key or query gives, as where values contain values with keys
  /// of their own. A repository then keeps no answer that was asked for before or while anything was put or
  /// deleted. By default it may, as in any cache that is none of these.
  var isNested: Bool { get }

  /// Refuses what it would refuse whatever the value, before anybody else is asked to do it.
  /// - Throws: ``DataSourceError/queryNotSupported(query:verb:source:)``.
  func check(_ verb: DataSourceError.Verb, _ query: some Query) throws

  /// Takes the value that another source gave or took for a query.
  func keep(_ value: Value, answering query: some Query) async throws -> KeptAnswer<Value>

  /// Takes the values that another source gave or took for a query, by their own keys: there may be others
  /// than the query names, in another order.
  func keepAll(_ values: [Value], answering query: some Query) async throws -> KeptAnswer<[Value]>

  /// The keys, as ``IdQuery`` has them, of all that is written where values are kept for a query, also of what is in
  /// them; or of what an ``ObjectQuery`` of them deletes. By these a repository tells whether two that were sent at
  /// once are about the same, so that an older put's late answer does not follow a newer one. Nil if nobody
  /// knows, which is the default: then they may be.
  func keys(of values: [Value], in query: some Query) async throws -> [String]?
}

extension CacheDataSource {
  /// It may.
  public var isNested: Bool { true }

  /// Refuses nothing.
  public func check(_ verb: DataSourceError.Verb, _ query: some Query) throws {}

  /// Nobody knows.
  public func keys(of values: [Value], in query: some Query) async throws -> [String]? { nil }
}

/// An answer as a ``CacheDataSource`` keeps it.
public struct KeptAnswer<Answer: Sendable>: Sendable {
  /// The answer as it is kept.
  public var answer: Answer
  /// The query by which it is found again: just this, in this order, as long as no part of it is deleted. Nil if
  /// there is none.
  public var query: (any Query)?

  /// An answer that is found again by a query.
  public init(_ answer: Answer, at query: (any Query)?) {
    self.answer = answer
    self.query = query
  }
}

extension GetDataSource where Self: PutDataSource {
  /// Keeps a value as a ``CacheDataSource`` does. Any other source is taken at its word that what is put under
  /// a key is found by it.
  func keepIfItCan(_ value: Value, answering query: some Query) async throws -> KeptAnswer<Value> {
    if let cache = self as? any CacheDataSource<Value> {
      return try await cache.keep(value, answering: query)
    }
    return KeptAnswer(try await put(value, in: query), at: query.isSingleKey ? query : nil)
  }

  /// Keeps a list as a ``CacheDataSource`` does; any other source cannot say where it is.
  func keepAllIfItCan(
    _ values: [Value], answering query: some Query
  ) async throws -> KeptAnswer<[Value]> {
    if let cache = self as? any CacheDataSource<Value> {
      return try await cache.keepAll(values, answering: query)
    }
    return KeptAnswer(try await putAll(values, in: query), at: nil)
  }
}

extension Query {
  /// Whether what is put by this query is what it gets: by one key, and not as one of many.
  var isSingleKey: Bool {
    self is any KeyQuery && !(self is AllObjectsQuery) && !(self is any PaginationQuery)
  }
}

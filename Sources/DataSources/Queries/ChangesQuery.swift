/// A query with which a put sends only the changes since an earlier value.
///
///     .put(ChangesQuery<Int, Item>.self, by: .patch) { "items/\($0.id)" }   // a route
///
///     try await source.put(item, in: ChangesQuery(7, since: previous))
///
/// A ``NetworkDataSource`` compares the two values and sends the difference. A ``StoreDataSource`` of a class that tracks
/// edits stores the attributes that differ, so that only these are edits; objects to which the value links are stored
/// whole. Any other source treats the query as an ``IdQuery`` and stores the whole value.
///
/// In a ``CacheRepository``, the server gets the difference, and the cache stores the server's response as for an
/// ``IdQuery``. If the cache tracks edits, a put with ``RepositoryOperation/cacheSync`` sends all unconfirmed edits of the
/// object.
public struct ChangesQuery<ID: Hashable & Sendable, Value: Sendable>: KeyQuery, DescribedQuery {
  /// The id.
  public let id: ID
  /// The value that the server last had.
  public let previous: Value

  /// Creates a query for the value with an id, of which the server has an earlier state.
  public init(_ id: ID, since previous: Value) {
    self.id = id
    self.previous = previous
  }

  /// The id's string, as in ``IdQuery``.
  public var key: String { IdentifierString.string(of: id) }

  /// A description such as `ChangesQuery(7)`, without the value.
  public var description: String { "ChangesQuery(\(key))" }
}

extension ChangesQuery: Equatable where Value: Equatable {}

extension ChangesQuery: Hashable where Value: Hashable {}

extension ChangesQuery: IdentifierQuery {
  var identifier: any Hashable { id }
}

/// A type-erased ``ChangesQuery``.
protocol PreviousValueQuery: IdentifierQuery {
  var previousValue: any Sendable { get }
  /// The query for the value without its earlier state.
  var idQuery: any Query { get }
  /// Returns the query with an earlier value of another type.
  func replacingPrevious(with previous: some Sendable) -> any Query
}

extension ChangesQuery: PreviousValueQuery {
  var previousValue: any Sendable { previous }

  var idQuery: any Query { IdQuery(id) }

  func replacingPrevious(with previous: some Sendable) -> any Query {
    ChangesQuery<ID, _>(id, since: previous)
  }
}

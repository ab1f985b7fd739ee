/// A query for a page of all values, or, if it is also a ``StoreQuery``, of the values that satisfy its predicate.
nonisolated public protocol PaginationQuery: Query {
  /// The number of values before the page.
  var offset: Int { get }
  /// The maximum number of values on the page.
  var limit: Int { get }
}

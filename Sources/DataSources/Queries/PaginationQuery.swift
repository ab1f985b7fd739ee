public import ObjectStore

/// Asks for a page: a query that is a ``StoreQuery``, too, for a page of what that asks for.
nonisolated public protocol PaginationQuery: Query {
  /// How many values stand before the page.
  var offset: Int { get }
  /// How many values the page has at most.
  var limit: Int { get }
}

/// Asks for a page of all values.
///
///     let page = try await source.getAll(PaginationOffsetLimitQuery(offset: 40, limit: 20))
public struct PaginationOffsetLimitQuery: PaginationQuery, KeyQuery, Hashable, DescribedQuery {
  public let offset: Int
  public let limit: Int
  /// The order of the pages in a store; empty for that of insertion.
  public let order: [StoreSortDescriptor]

  /// Asks for `limit` values behind the first `offset`.
  public init(offset: Int, limit: Int, order: [StoreSortDescriptor] = []) {
    self.offset = offset
    self.limit = limit
    self.order = order
  }

  /// Offset, limit and order as a text.
  public var key: String {
    order.reduce("page \(offset)+\(limit)") {
      "\($0) \($1.ascending ? "+" : "-")\($1.keyPath)"
    }
  }

  /// `PaginationOffsetLimitQuery(40, 20)`.
  public var description: String { "PaginationOffsetLimitQuery(\(offset), \(limit))" }
}

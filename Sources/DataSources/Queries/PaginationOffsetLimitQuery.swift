public import ObjectStore

/// A query for a page of all values.
///
///     let page = try await source.getAll(PaginationOffsetLimitQuery(offset: 40, limit: 20))
public struct PaginationOffsetLimitQuery: PaginationQuery, KeyQuery, Hashable, DescribedQuery {
  public let offset: Int
  public let limit: Int
  /// The sort order in a store; empty for the order of insertion.
  public let order: [StoreSortDescriptor]

  /// Creates a query for at most `limit` values after the first `offset`.
  public init(offset: Int, limit: Int, order: [StoreSortDescriptor] = []) {
    self.offset = offset
    self.limit = limit
    self.order = order
  }

  /// A string of the offset, the limit and the order.
  public var key: String {
    order.reduce("page \(offset)+\(limit)") {
      "\($0) \($1.ascending ? "+" : "-")\($1.keyPath)"
    }
  }

  /// A description such as `PaginationOffsetLimitQuery(40, 20)`.
  public var description: String { "PaginationOffsetLimitQuery(\(offset), \(limit))" }
}

/// A query for all values, in the order of insertion.
public struct DefaultQuery: QueryType, Sendable, Hashable {
  /// Creates the query.
  public init() {}
}

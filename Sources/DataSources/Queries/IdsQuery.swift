/// A query for the values with several ids, in the order of the ids.
public struct IdsQuery<ID: Hashable & Sendable>: Query, Hashable, DescribedQuery {
  /// The ids.
  public let ids: [ID]

  /// Creates a query for the values with these ids.
  public init(_ ids: [ID]) {
    self.ids = ids
  }

  /// The number of ids.
  public var description: String { "IdsQuery of \(ids.count)" }
}

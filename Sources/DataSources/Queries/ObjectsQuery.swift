/// A query that identifies several values by the values themselves.
public struct ObjectsQuery<Value: Sendable>: Query {
  /// The values.
  public let values: [Value]

  /// Creates a query for these values.
  public init(_ values: [Value]) {
    self.values = values
  }
}

extension ObjectsQuery: Equatable where Value: Equatable {}

extension ObjectsQuery: Hashable where Value: Hashable {}

extension ObjectsQuery: ValuesQuery {
  var valueKeys: [String]? {
    let keys = values.compactMap(IdentifierString.key(of:))
    return keys.count == values.count ? keys : nil
  }
}

import ObjectStore

/// A response as a ``CacheDataSource`` stores it.
public struct KeptResponse<Response: Sendable>: Sendable {
  /// The stored response.
  public var response: Response
  /// The query that finds exactly this response again, in the same order, as long as no part of it is deleted. Nil if
  /// there is none.
  public var query: (any Query)?

  /// Creates a stored response.
  public init(_ response: Response, at query: (any Query)?) {
    self.response = response
    self.query = query
  }
}

extension KeptResponse {
  /// Returns the first value of a list and the query that finds it; nil for an empty list.
  func first<Value>() -> KeptResponse<Value>? where Response == [Value] {
    guard let value = response.first else { return nil }
    let key = (query as? any IdentifiersQuery)?.identifiers.first as? any ObjectKey
    return KeptResponse<Value>(value, at: key.map(KeyOfStoreQuery.init))
  }
}

/// A request to a data source: a predefined query or a type of your own.
///
///     struct SearchTextQuery: Query {
///       let text: String
///     }
///
/// Make a query `Hashable` so that equal queries are recognized: a ``CacheRepository`` then knows the age of the
/// cached response, and shares one request among concurrent callers.
nonisolated public protocol Query: Sendable {}

/// A query whose content may appear in messages.
protocol DescribedQuery: Query, CustomStringConvertible {}

extension Query {
  /// The name of the query in messages. The content of a query type that is not declared here is omitted.
  var nameInMessages: String {
    (self as? any DescribedQuery)?.description ?? "\(type(of: self))"
  }

  /// The name with the generic type of ids, because queries with ids of different types are different queries.
  var typedNameInMessages: String {
    switch self {
    case let query as any IdentifierQuery:
      "\(type(of: self))(\(IdentifierString.string(of: query.identifier)))"
    case let query as any IdentifiersQuery:
      "\(type(of: self)) of \(query.identifiers.count)"
    default:
      nameInMessages
    }
  }
}

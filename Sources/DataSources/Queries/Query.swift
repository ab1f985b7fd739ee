/// What a data source is asked for: a value of your own, or one of those that stand here.
///
///     struct SearchTextQuery: Query {
///       let text: String
///     }
///
/// A query that is `Hashable`, too, is recognized when it is asked again: a ``CacheRepository`` knows how
/// old its answer is, and asks for it once where several want it at the same time.
nonisolated public protocol Query: Sendable {}

/// A query whose answer is kept under a key, as ``InMemoryDataSource`` does.
///
/// Equal queries have one key, in every process.
nonisolated public protocol KeyQuery: Query {
  /// Where the answer is kept.
  var key: String { get }
}

/// Asks for nothing in particular: puts a value whose place the source knows itself.
public struct VoidQuery: Query, Hashable {
  /// Asks for nothing in particular.
  public init() {}
}

/// Asks for all values.
public struct AllObjectsQuery: KeyQuery, Hashable {
  /// Asks for all.
  public init() {}

  /// `"allObjects"`.
  public var key: String { "allObjects" }
}

/// A query that messages may print with what it asks for.
protocol DescribedQuery: Query, CustomStringConvertible {}

extension Query {
  /// What a message calls it; what somebody else's query asks for is not told.
  var nameInMessages: String {
    (self as? any DescribedQuery)?.description ?? "\(type(of: self))"
  }

  /// The same with the type of an id: another type of id is another query.
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

/// A dictionary key that identifies a lookup.
struct LookupKey: Hashable {
  let query: QueryIdentity
  let isOfList: Bool
}

/// A query together with the kind of its result: one value or a list.
struct Lookup: Sendable {
  /// Nil for a query that cannot be identified. Such a lookup has no recorded entry and shares no request.
  let key: LookupKey?
  /// The id as a string, if the lookup is for one value by its id. Only writes that affect this id change the result.
  let id: String?
  /// True for a page of a list. The cache's own values at the same offsets are not the main source's page.
  let isPage: Bool
  /// The number of requested ids of a list. The cache has all requested values only if it returns as many.
  let idCount: Int

  init(_ query: some Query, isOfList: Bool) {
    key = QueryIdentity(query).map { LookupKey(query: $0, isOfList: isOfList) }
    id =
      isOfList
      ? nil : (query as? any IdentifierQuery).map { IdentifierString.string(of: $0.identifier) }
    isPage = isOfList && query is any PaginationQuery
    idCount = isOfList ? (query as? any IdentifiersQuery)?.identifiers.count ?? 0 : 0
  }

  /// True if a number of values that the cache found by the query itself may be the whole result.
  func canBeComplete(withCount count: Int) -> Bool {
    !isPage && count >= idCount
  }
}

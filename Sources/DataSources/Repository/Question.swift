/// A question as a key of a dictionary.
struct QuestionKey: Hashable {
  let query: QueryIdentity
  let isOfList: Bool
}

/// A query as it is asked: for one value, or for a list.
struct Question: Sendable {
  /// Nil for a query that cannot be recognized: nothing is known of its answer, and no request shared.
  let key: QuestionKey?
  /// The text of the id, of one value by its id: only what reaches this id changes the answer.
  let id: String?
  /// Whether a list is a page: what a cache itself calls the same page has other values.
  let isOfPage: Bool
  /// How many ids a list is asked for by: so many values the cache's own answer has where nothing is missing.
  let idCount: Int

  init(_ query: some Query, isOfList: Bool) {
    key = QueryIdentity(query).map { QuestionKey(query: $0, isOfList: isOfList) }
    id =
      isOfList
      ? nil : (query as? any IdentifierQuery).map { IdentifierText.text(of: $0.identifier) }
    isOfPage = isOfList && query is any PaginationQuery
    idCount = isOfList ? (query as? any IdentifiersQuery)?.identifiers.count ?? 0 : 0
  }

  /// Whether so many values, found by the query in a cache that has others as well, may be the answer.
  func isAnswered(byOwnCount count: Int) -> Bool {
    !isOfPage && count >= idCount
  }
}

/// Whose answers a write may change: those to its ids, and all lists and searches; or all there are.
enum Reach {
  case ids([String])
  case everything

  /// What putting one value or deleting by a query reaches.
  init(of query: any Query) {
    switch query {
    case let query as any IdentifierQuery:
      self = .ids([IdentifierText.text(of: query.identifier)])
    case let query as any IdentifiersQuery:
      self = .ids(query.keys)
    default:
      self = .everything
    }
  }

  /// Whether both may have an id.
  func meets(_ other: Reach) -> Bool {
    guard case .ids(let ids) = self, case .ids(let others) = other else { return true }
    return !Set(ids).isDisjoint(with: others)
  }
}

import ObjectStore

/// A type-erased query as a dictionary key.
struct QueryIdentity: Hashable, Sendable {
  private let query: any Query & Hashable
  /// Ids and keys compared by bytes: canonically equivalent strings are equal in Swift, but not for a store or a
  /// server.
  private let strings: [ExactString]

  /// Nil for a query that is not `Hashable`, or not equal to itself, for example with a `Double.nan`: a repetition
  /// of such a query cannot be recognized.
  init?(_ query: some Query) {
    guard let query = query as? any Query & Hashable else { return nil }
    self.query = query
    strings =
      switch query {
      case let query as any IdentifiersQuery: query.keys.map(ExactString.init)
      case let query as any KeyQuery: [ExactString(query.key)]
      default: []
      }
    guard self == self else { return nil }
  }

  static func == (first: Self, second: Self) -> Bool {
    first.strings == second.strings && AnyHashable(first.query) == AnyHashable(second.query)
  }

  func hash(into hasher: inout Hasher) {
    query.hash(into: &hasher)
  }
}

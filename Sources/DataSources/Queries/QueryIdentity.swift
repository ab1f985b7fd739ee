import ObjectStore

/// A query as a key of a dictionary.
struct QueryIdentity: Hashable, Sendable {
  private let query: any Query & Hashable
  /// What ids and keys are, byte by byte: a `String` equals others that a store and a server tell apart.
  private let strings: [ExactString]

  /// Nil for a query that is not `Hashable`, or not equal to itself, as one with a `Double.nan` is: nobody can
  /// tell whether it is asked again.
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

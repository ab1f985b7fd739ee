/// A type-erased ``IdQuery``.
protocol IdentifierQuery: Query {
  var identifier: any Hashable { get }
}

extension IdQuery: IdentifierQuery {
  var identifier: any Hashable { id }
}

/// A type-erased ``IdsQuery``.
protocol IdentifiersQuery: Query {
  var identifiers: [any Hashable] { get }
}

extension IdsQuery: IdentifiersQuery {
  var identifiers: [any Hashable] { ids }
}

extension Query {
  /// The ids of a query for one or several ids; nil for any other query.
  var requestedIds: [any Hashable]? {
    (self as? any IdentifierQuery).map { [$0.identifier] }
      ?? (self as? any IdentifiersQuery)?.identifiers
  }
}

extension IdentifiersQuery {
  /// The keys of the ids, the same as those of an ``IdQuery`` for each.
  var keys: [String] { identifiers.map { IdentifierString.string(of: $0) } }
}

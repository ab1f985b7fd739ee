/// The keys whose entries a write may change. Every write also affects lists and searches.
enum AffectedKeys {
  case ids([String])
  case all

  /// Creates the keys that may change when one value is put, or values are deleted, with a query.
  init(of query: any Query) {
    self = query.requestedIds.map { .ids($0.map(IdentifierString.string)) } ?? .all
  }

  /// True if both may contain the same id.
  func overlaps(_ other: AffectedKeys) -> Bool {
    guard case .ids(let ids) = self, case .ids(let others) = other else { return true }
    return !Set(ids).isDisjoint(with: others)
  }
}

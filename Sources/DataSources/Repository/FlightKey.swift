/// The key of a shared fetch: a lookup and the epoch in which it was requested.
struct FlightKey: Hashable, Sendable {
  let lookup: LookupKey
  let epoch: Int

  init?(_ lookup: Lookup, in epoch: Int) {
    guard let key = lookup.key else { return nil }
    self.lookup = key
    self.epoch = epoch
  }
}

extension SingleFlight where Key == FlightKey {
  /// The number of callers that wait for the result of a query.
  func waiterCount(for query: some Query) -> Int {
    let query = QueryIdentity(query)
    return waiterCount { $0.lookup.query == query }
  }
}

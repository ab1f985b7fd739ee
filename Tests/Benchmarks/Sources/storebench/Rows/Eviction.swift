import ObjectStore

extension StoreRows {
  /// Evicts the half of the books that was inserted first.
  static func evictHalf(_ workload: Workload) throws -> Side? {
    try halving(workload) { store, count in
      let policy = CachePolicy(maximumCount: store.objects(StoredBook.self).count - count)
      return try store.evict(by: [.policy(policy, of: StoredBook.self)]).evictedCount
    }
  }

  /// Deletes the same books explicitly.
  static func deleteHalf(_ workload: Workload) throws -> Side? {
    try halving(workload) { store, count in
      try store.write { store.delete(store.objects(StoredBook.self).limit(count)) }
      return count
    }
  }

  private static func halving(
    _ workload: Workload, _ body: @escaping (Store, Int) throws -> Int
  ) throws -> Side {
    let updates = bookUpdates(workload)
    let count = updates.count / 2
    return Side(operationCount: max(count, 1)) { watch in
      let store = try Store()
      try createAll(updates, of: StoredBook.self, in: store)
      watch.check(try watch.time { try body(store, count) })
    }
  }
}

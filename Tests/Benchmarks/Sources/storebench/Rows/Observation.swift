import ObjectStore

extension StoreRows {
  /// Commits a change to one row, delivered to an observer of all books sorted by title, which reads the first book.
  static func observedCommit(_ workload: Workload) throws -> Side? {
    try renaming(workload) { store, books, commit in
      var sum = 0
      let token = books.observe { change in
        if case .update(let books, _, _, _) = change { sum &+= books[0].id &+ books.count }
      }
      store.refresh()
      return { count in
        sum = 0
        try withExtendedLifetime(token) { for _ in 0..<count { try commit() } }
        return sum
      }
    }
  }

  /// Commits the same change and runs the query again.
  static func commitAndQueryAgain(_ workload: Workload) throws -> Side? {
    try renaming(workload) { _, books, commit in
      { count in
        var sum = 0
        for _ in 0..<count {
          try commit()
          sum &+= books[0].id &+ books.count
        }
        return sum
      }
    }
  }

  /// Commits the removal of an element near the front of a large list, delivered to an observer of the list.
  static func observedRemoval(_ workload: Workload) throws -> Side {
    try removing(workload) { store, shelf, commit in
      var sum = 0
      let token = shelf.numbers.observe { change in
        if case .update(_, let deletions, _, _) = change { sum &+= deletions.reduce(0, &+) }
      }
      store.refresh()
      return { count in
        sum = 0
        try withExtendedLifetime(token) { for _ in 0..<count { try commit() } }
        return sum
      }
    }
  }

  /// Commits the same removal and compares the list with an array of its previous elements.
  static func removalAndCompare(_ workload: Workload) throws -> Side {
    try removing(workload) { _, shelf, commit in
      var before = Array(shelf.numbers)
      return { count in
        var sum = 0
        for _ in 0..<count {
          try commit()
          let after = Array(shelf.numbers)
          sum &+= zip(before, after).prefix { $0 == $1 }.count
          before = after
        }
        return sum
      }
    }
  }

  /// - Parameter prepare: Receives a closure that commits the removal of an element and delivers it. Returns a
  ///   closure that makes the given number of commits and returns the sum of the indexes.
  private static func removing(
    _ workload: Workload,
    _ prepare: (Store, Shelf, @escaping () throws -> Void) -> (Int) throws -> Int
  ) throws -> Side {
    let store = try Store()
    let shelf = try Shelf.filled(with: Array(0..<workload.sizes.collection), in: store)
    var turn = 0
    let run = prepare(store, shelf) {
      turn += 1
      try store.write { _ = shelf.numbers.remove(at: 3 + turn % 5) }
      store.refresh()
    }
    let count = 5
    return Side(operationCount: count) { watch in
      watch.check(try watch.time { try run(count) })
    }
  }

  /// - Parameter prepare: Receives the books sorted by title, and a closure that commits a new title of one of them
  ///   and delivers it. Returns a closure that makes the given number of commits and returns a checksum of the
  ///   results.
  private static func renaming(
    _ workload: Workload,
    _ prepare: (Store, Results<StoredBook>, @escaping () throws -> Void) -> (Int) throws -> Int
  ) throws -> Side {
    let store = try Store()
    try createAll(bookUpdates(workload), of: StoredBook.self, in: store)
    let keys = Array(workload.shuffledBookKeys.prefix(1_000))
    var turn = 0
    let run = prepare(store, store.objects(StoredBook.self).sorted(by: \.title)) {
      turn += 1
      let key = keys[turn * 7 % keys.count]
      try store.update(id: key, \StoredBook.title, "\(turn * 7_919 % 1_000) \(turn)")
      store.refresh()
    }
    let count = 20
    return Side(operationCount: count) { watch in
      watch.check(try watch.time { try run(count) })
    }
  }

  /// Measures the memory that a held version retains for each row that changed after it, in bytes. A thousand commits
  /// change one row each, spread over the table.
  static func heldVersion(_ workload: Workload) throws -> Side? {
    let store = try Store()
    try createAll(bookUpdates(workload), of: StoredBook.self, in: store)
    let keys = workload.shuffledBookKeys.prefix(1_000)
    var turn = 0
    return Side(operationCount: keys.count) { watch in
      turn += 1
      guard let before = heapBytesInUse() else { return }
      let version = store.holdVersion()
      for key in keys { try store.update(id: key, \StoredBook.publisherID, key % 977 + turn) }
      guard let after = heapBytesInUse() else { return }
      watch.charge(Double(after - before))
      watch.check(try store.changes(since: version)[StoredBook.self]?.modified.count ?? 0)
    }
  }
}

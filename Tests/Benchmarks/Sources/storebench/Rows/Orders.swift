import ObjectStore

extension Benchmark {
  /// P11, continued: aggregates, sorting without an index, sorting inside a write, inverse links.
  static func orders(_ sizes: Workload.Sizes) -> [Benchmark] {
    [
      Benchmark(
        id: "P11.sum", what: "books: sum of a whole number", targets: [],
        ours: StoreRows.sum,
        baselineName: "SQLite sum()", baseline: SQLiteBaseline.sum),
      Benchmark(
        id: "P11.first", what: "books: the first 10 by a number without an index", targets: [],
        ours: StoreRows.firstByPrice,
        baselineName: "SQLite, no index", baseline: SQLiteBaseline.firstByPrice),
      Benchmark(
        id: "P11.strings", what: "books: all sorted by title", targets: [],
        ours: StoreRows.sortByTitle,
        baselineName: "SQLite, no index", baseline: SQLiteBaseline.sortByTitle),
      Benchmark(
        id: "P11.queue", what: "books: first of an indexed order, moved to its end, in one write",
        targets: [],
        ours: StoreRows.takeFirst,
        baselineName: "SQLite with an index", baseline: SQLiteBaseline.takeFirst),
      Benchmark(
        id: "P11.inverse",
        what: "series: isEmpty, first, count and last of its \(sizes.books) books",
        targets: [.timesTheCost(2)],
        ours: StoreRows.readInverseLinks,
        baselineName: "itself with \(sizes.small) books",
        baseline: { try StoreRows.readInverseLinks($0.scaled(to: sizes.small)) },
        sidesMayDiffer: true),
    ]
  }
}

extension StoreRows {
  /// Adds up the publisher numbers; one operation is the whole sum.
  static func sum(_ workload: Workload) throws -> Side? {
    let store = try Store()
    try createAll(bookUpdates(workload), of: StoredBook.self, in: store)
    return Side(operationCount: 1) { watch in
      watch.check(watch.time { store.objects(StoredBook.self).sum(of: \.publisherID) })
    }
  }

  /// Finds the keys of the ten cheapest books.
  static func firstByPrice(_ workload: Workload) throws -> Side? {
    let store = try Store()
    try createAll(bookUpdates(workload), of: StoredBook.self, in: store)
    return Side(operationCount: 1) { watch in
      let keys = watch.time {
        store.objects(StoredBook.self).sorted(by: \.price).limit(10).map(\.id)
      }
      watch.check(keys.orderedDigest)
    }
  }

  /// Lists the keys of all books, sorted by title.
  static func sortByTitle(_ workload: Workload) throws -> Side? {
    let store = try Store()
    try createAll(bookUpdates(workload), of: StoredBook.self, in: store)
    return Side(operationCount: 1) { watch in
      let keys = watch.time { store.objects(StoredBook.self).sorted(by: \.title).map(\.id) }
      watch.check(keys.orderedDigest)
    }
  }

  /// Finds the book with the smallest publisher number and sets it to one above all others, a hundred times in one
  /// write.
  static func takeFirst(_ workload: Workload) throws -> Side? {
    let store = try Store()
    try createAll(bookUpdates(workload), of: IndexedBook.self, in: store)
    return Side(operationCount: Workload.takenCount) { watch in
      try store.beginWrite()
      defer { store.cancelWrite() }
      let keys = watch.time {
        (0..<Workload.takenCount).map { turn in
          let book = store.objects(IndexedBook.self).sorted(by: \.publisherID).limit(1)[0]
          book.publisherID = publisherCount + turn + 1
          return book.id
        }
      }
      watch.check(keys.orderedDigest)
    }
  }

  /// Reads the inverse links of one object as an app would.
  static func readInverseLinks(_ workload: Workload) throws -> Side? {
    let store = try Store()
    let count = workload.sizes.books
    let series = try store.write {
      let series = try store.create(BookSeries.self, value: ["id": 1])
      _ = series.volumes.count
      for id in 0..<count {
        try store.create(Volume.self, value: ["id": .init(id)]).series = series
      }
      return series
    }
    let repetitionCount = 100
    return Side(operationCount: repetitionCount) { watch in
      let sum = watch.time {
        var sum = 0
        for _ in 0..<repetitionCount {
          guard !series.volumes.isEmpty, let first = series.volumes.first else { continue }
          let last = series.volumes[series.volumes.count - 1]
          sum &+= first.id &+ last.id
        }
        return sum
      }
      watch.check(sum, expected: repetitionCount * (count - 1))
    }
  }
}

final class BookSeries: Object {
  @Persisted(primaryKey: true) var id = 0
  @Persisted(originProperty: "series") var volumes: LinkingObjects<Volume>
}

final class Volume: Object {
  @Persisted(primaryKey: true) var id = 0
  @Persisted var series: BookSeries?
}

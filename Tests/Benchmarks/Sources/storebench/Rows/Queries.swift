import ObjectStore

extension Benchmark {
  /// P11: conditions and sorting, with and without an index.
  static var queries: [Benchmark] {
    [
      Benchmark(
        id: "P11", what: "books: filter on a number, a tenth found", targets: [.timesFaster(10)],
        ours: StoreRows.filter,
        baselineName: "SQLite, no index", baseline: SQLiteBaseline.filter),
      Benchmark(
        id: "P11.text", what: "books: filter on a text, one found", targets: [.timesFaster(10)],
        ours: StoreRows.filterText,
        baselineName: "SQLite, no index", baseline: SQLiteBaseline.filterText),
      Benchmark(
        id: "P11.index", what: "books: by an indexed text", targets: [],
        ours: StoreRows.findByIndex,
        baselineName: "SQLite with an index", baseline: SQLiteBaseline.findByIndex),
      Benchmark(
        id: "P11.sorted", what: "books: the first 10 in an indexed order", targets: [],
        ours: StoreRows.sortByIndex,
        baselineName: "SQLite with an index", baseline: SQLiteBaseline.sortByIndex),
      Benchmark(
        id: "P11.several", what: "books: the 20 cheapest of a language, indexed together",
        targets: [],
        ours: StoreRows.findBySeveral,
        baselineName: "SQLite with an index of both", baseline: SQLiteBaseline.findBySeveral),
      Benchmark(
        id: "P11.commit", what: "books: commit of one, an indexed number",
        targets: [.timesTheCost(2)],
        ours: { try StoreRows.commitPublisher($0, of: IndexedBook.self, \.publisherID) },
        baselineName: "the same without an index",
        baseline: { try StoreRows.commitPublisher($0, of: StoredBook.self, \.publisherID) }),
    ]
  }
}

extension StoreRows {
  /// Finds the keys of the books with a price of 20 to 30; one operation is the whole scan.
  static func filter(_ workload: Workload) throws -> Side? {
    let store = try Store()
    try createAll(bookUpdates(workload), of: StoredBook.self, in: store)
    return Side(operationCount: 1) { watch in
      let keys = watch.time {
        store.objects(StoredBook.self).where { $0.price >= 20 && $0.price < 30 }.map(\.id)
      }
      watch.check(keys.reduce(0, &+))
    }
  }

  /// Finds the key of the book with a given title.
  static func filterText(_ workload: Workload) throws -> Side? {
    let store = try Store()
    try createAll(bookUpdates(workload), of: StoredBook.self, in: store)
    let title = workload.books[workload.books.count / 2].title
    return Side(operationCount: 1) { watch in
      let keys = watch.time {
        store.objects(StoredBook.self).where { $0.title == title }.map(\.id)
      }
      watch.check(keys.reduce(0, &+))
    }
  }

  /// Finds the keys of books by ISBN, one query each.
  static func findByIndex(_ workload: Workload) throws -> Side? {
    let store = try Store()
    try createAll(bookUpdates(workload), of: IndexedBook.self, in: store)
    let isbns = workload.someISBNs
    return Side(operationCount: isbns.count) { watch in
      let sum = watch.time {
        var sum = 0
        for isbn in isbns {
          for book in store.objects(IndexedBook.self).where({ $0.isbn == isbn }) { sum &+= book.id }
        }
        return sum
      }
      watch.check(sum)
    }
  }

  /// Finds the keys of the ten books with the lowest ISBNs.
  static func sortByIndex(_ workload: Workload) throws -> Side? {
    let store = try Store()
    try createAll(bookUpdates(workload), of: IndexedBook.self, in: store)
    return Side(operationCount: 1) { watch in
      let keys = watch.time {
        store.objects(IndexedBook.self).sorted(by: \.isbn).limit(10).map(\.id)
      }
      watch.check(keys.reduce(0, &+))
    }
  }

  /// Finds the keys of the twenty cheapest books in one language.
  static func findBySeveral(_ workload: Workload) throws -> Side? {
    let store = try Store()
    try createAll(bookUpdates(workload), of: ShelvedBook.self, in: store)
    let language = workload.books[0].language
    return Side(operationCount: 1) { watch in
      let keys = watch.time {
        store.objects(ShelvedBook.self).where { $0.language == language }.sorted(by: \.price)
          .limit(20).map(\.id)
      }
      watch.check(keys.reduce(0, &+))
    }
  }

  /// Changes the publisher of one book per commit.
  static func commitPublisher<Book: Object>(
    _ workload: Workload, of type: Book.Type, _ publisher: ReferenceWritableKeyPath<Book, Int>
  ) throws -> Side? {
    let store = try Store()
    try createAll(bookUpdates(workload), of: type, in: store)
    let keys = workload.shuffledBookKeys.prefix(1_000)
    var turn = 0
    return Side(operationCount: keys.count) { watch in
      turn += 1
      try watch.time {
        for key in keys { try store.update(id: key, publisher, key % 977 + turn) }
      }
      watch.check(store.objects(type).reduce(0) { $0 &+ $1[keyPath: publisher] })
    }
  }

  /// `create(value:)` of every book into an empty store, with an index on ISBN and one on publisher.
  static func createIndexedBooks(_ workload: Workload) throws -> Side? {
    let updates = bookUpdates(workload)
    return Side(operationCount: updates.count) { watch in
      try watch.time {
        let store = try Store()
        try store.write {
          for update in updates { try store.create(IndexedBook.self, value: update) }
        }
        return store
      } checking: {
        $0.objects(IndexedBook.self).count
      }
    }
  }
}

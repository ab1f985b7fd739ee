import Foundation
import ObjectStore

extension Benchmark {
  /// P28: creating update dictionaries, alone and as part of P6.
  static var updateDictionaries: [Benchmark] {
    [
      Benchmark(
        id: "P28.make", what: "books: an update dictionary of 11", targets: [.atMost(500)],
        ours: makeUpdates, baselineName: "[String: Any] of 11", baseline: makeDictionaries),
      Benchmark(
        id: "P28.create", what: "books: P6.create, making included", targets: [.timesFaster(3)],
        ours: { workload in
          let books = workload.books
          return Side(operationCount: books.count) { watch in
            try watch.time {
              let store = try Store()
              try create(books, in: store)
              return store
            } checking: {
              $0.objects(StoredBook.self).count
            }
          }
        },
        baselineName: "SQLite INSERT, text bound as String",
        baseline: { SQLiteBaseline.insertStrings($0) }),
      Benchmark(
        id: "P28.changed", what: "books: P6.changed, making included", targets: [.timesFaster(3)],
        ours: { workload in
          let revisions = [
            workload.books,
            workload.books.map { book in
              var book = book
              book.price += 0.25
              return book
            },
          ]
          let store = try Store()
          try create(revisions[1], in: store)
          var turn = 0
          return Side(operationCount: workload.books.count) { watch in
            let books = revisions[turn % 2]
            turn += 1
            try watch.time { try create(books, in: store) }
            watch.check(store.objects(StoredBook.self).count)
          }
        },
        baselineName: "SQLite upsert, text bound as String",
        baseline: { try SQLiteBaseline.upsertStrings($0) }),
    ]
  }

  private static func create(_ books: [Book], in store: Store) throws {
    try store.write {
      for book in books {
        try store.create(StoredBook.self, value: book.update, update: .modified)
      }
    }
  }

  private static func makeUpdates(_ workload: Workload) -> Side {
    let books = workload.books
    return Side(operationCount: books.count) { watch in
      watch.time {
        var count = 0
        for book in books { count &+= attributeCount(of: book.update) }
        return count
      } checking: {
        $0
      }
    }
  }

  /// Plain dictionaries with the same keys, as a baseline.
  private static func makeDictionaries(_ workload: Workload) -> Side {
    let books = workload.books
    return Side(operationCount: books.count) { watch in
      watch.time {
        var count = 0
        for book in books { count &+= attributeCount(of: book.dictionary) }
        return count
      } checking: {
        $0
      }
    }
  }
}

// Not inlined, so that the optimizer cannot remove the dictionaries.

@inline(never) private func attributeCount(of update: UpdateDictionary) -> Int { update.count }
@inline(never) private func attributeCount(of members: [String: Any]) -> Int { members.count }

extension Book {
  var published: Date { Date(timeIntervalSince1970: Double(publishedSecondsSince1970)) }

  /// The update that creates or changes a `StoredBook`.
  var update: UpdateDictionary {
    [
      "id": .init(id), "title": .init(title), "subtitle": .init(subtitle), "isbn": .init(isbn),
      "language": .init(language), "summary": .init(summary), "price": .init(price),
      "rating": .init(rating), "available": .init(available), "published": .init(published),
      "publisherID": .init(publisherID),
    ]
  }

  fileprivate var dictionary: [String: Any] {
    [
      "id": id, "title": title, "subtitle": subtitle, "isbn": isbn, "language": language,
      "summary": summary, "price": price, "rating": rating, "available": available,
      "published": published, "publisherID": publisherID,
    ]
  }
}

import Foundation
import ObjectStore

extension Benchmark {
  /// P11, continued: sorting and grouping all books, beside an array of structs.
  static var sorting: [Benchmark] {
    [
      Benchmark(
        id: "P11.sort.number", what: "books: all sorted by price", targets: [.timesFaster(1)],
        ours: { try StoreRows.sort($0) { $0.sorted(by: \.price) } },
        baselineName: "Array of structs, sorted",
        baseline: { PlainBaseline.sort($0) { $0.price < $1.price } }),
      Benchmark(
        id: "P11.sort.text", what: "books: all sorted by title", targets: [.timesFaster(1)],
        ours: { try StoreRows.sort($0) { $0.sorted(by: \.title) } },
        baselineName: "Array of structs, sorted",
        baseline: { PlainBaseline.sort($0) { $0.title < $1.title } }),
      Benchmark(
        id: "P11.sort.several", what: "books: all sorted by language and price",
        targets: [.timesFaster(1)],
        ours: { workload in
          try StoreRows.sort(workload) { try $0.sorted(by: [.init("language"), .init("price")]) }
        },
        baselineName: "Array of structs, sorted",
        baseline: {
          PlainBaseline.sort($0) { ($0.language, $0.price) < ($1.language, $1.price) }
        }),
      Benchmark(
        id: "P11.sort.decimal", what: "invoices: all sorted by a Decimal",
        targets: [.timesFaster(1)],
        ours: StoreRows.sortInvoices,
        baselineName: "Array of structs, sorted", baseline: PlainBaseline.sortInvoices),
      Benchmark(
        id: "P11.sections", what: "books: grouped by language, in order",
        targets: [.timesFaster(1)],
        ours: StoreRows.sections,
        baselineName: "Dictionary(grouping:), sorted", baseline: PlainBaseline.sections),
      Benchmark(
        id: "P11.max", what: "books: the largest price", targets: [.timesFaster(1)],
        ours: StoreRows.largestPrice,
        baselineName: "Array of structs, max(by:)", baseline: PlainBaseline.largestPrice),
    ]
  }
}

extension StoreRows {
  /// Lists the keys of all books in a sort order.
  fileprivate static func sort(
    _ workload: Workload, _ sorted: @escaping (Results<StoredBook>) throws -> Results<StoredBook>
  ) throws -> Side? {
    let store = try Store()
    try createAll(bookUpdates(workload), of: StoredBook.self, in: store)
    return Side(operationCount: 1) { watch in
      let keys = try watch.time { try sorted(store.objects(StoredBook.self)).map(\.id) }
      watch.check(keys.orderedDigest)
    }
  }

  /// Lists the keys of all invoices, sorted by their totals.
  fileprivate static func sortInvoices(_ workload: Workload) throws -> Side? {
    let store = try Store()
    try store.write {
      for (id, total) in workload.totals.enumerated() {
        let invoice = Invoice()
        invoice.id = id
        invoice.total = total
        try store.add(invoice)
      }
    }
    return Side(operationCount: 1) { watch in
      let keys = watch.time { store.objects(Invoice.self).sorted(by: \.total).map(\.id) }
      watch.check(keys.orderedDigest)
    }
  }

  /// Counts the books of each language, in the order of the languages.
  fileprivate static func sections(_ workload: Workload) throws -> Side? {
    let store = try Store()
    try createAll(bookUpdates(workload), of: StoredBook.self, in: store)
    return Side(operationCount: 1) { watch in
      let counts = watch.time {
        store.objects(StoredBook.self).sectioned(by: \.language).map(\.count)
      }
      watch.check(counts.orderedDigest)
    }
  }

  fileprivate static func largestPrice(_ workload: Workload) throws -> Side? {
    let store = try Store()
    try createAll(bookUpdates(workload), of: StoredBook.self, in: store)
    return Side(operationCount: 1) { watch in
      watch.check(Int((watch.time { store.objects(StoredBook.self).max(of: \.price) } ?? 0) * 100))
    }
  }
}

private final class Invoice: Object {
  @Persisted(primaryKey: true) var id = 0
  @Persisted var total: Decimal
}

extension Workload {
  /// The price of each book, in cents.
  fileprivate var totals: [Decimal] {
    books.map { Decimal(Int(($0.price * 100).rounded())) / 100 }
  }
}

extension PlainBaseline {
  fileprivate static func sortInvoices(_ workload: Workload) -> Side {
    let invoices = workload.totals.enumerated().map { (id: $0.offset, total: $0.element) }
    return Side(operationCount: 1) { watch in
      let keys = watch.time { invoices.sorted { $0.total < $1.total }.map(\.id) }
      watch.check(keys.orderedDigest)
    }
  }

  fileprivate static func sort(
    _ workload: Workload, _ isOrdered: @escaping (Book, Book) -> Bool
  ) -> Side {
    let books = workload.books
    return Side(operationCount: 1) { watch in
      let keys = watch.time { books.sorted(by: isOrdered).map(\.id) }
      watch.check(keys.orderedDigest)
    }
  }

  fileprivate static func sections(_ workload: Workload) -> Side {
    let books = workload.books
    return Side(operationCount: 1) { watch in
      let counts = watch.time {
        Dictionary(grouping: books, by: \.language).sorted { $0.key < $1.key }.map(\.value.count)
      }
      watch.check(counts.orderedDigest)
    }
  }

  fileprivate static func largestPrice(_ workload: Workload) -> Side {
    let books = workload.books
    return Side(operationCount: 1) { watch in
      watch.check(Int((watch.time { books.map(\.price).max() } ?? 0) * 100))
    }
  }
}

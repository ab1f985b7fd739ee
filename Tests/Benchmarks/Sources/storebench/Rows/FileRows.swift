import Foundation
import ObjectStore
import StoreCoding

/// Our side of the rows for stores in files.
enum FileRows {
  /// Changes the price of one book per commit, a different book each time.
  static func commit(_ workload: Workload, _ durability: StoreConfiguration.Durability) throws
    -> Side
  {
    let folder = try ScratchFolder()
    let store = try Store(
      configuration: .file(folder.url.appending(path: "books.store"), durability: durability))
    try StoreRows.createAll(StoreRows.bookUpdates(workload), in: store)
    let keys = workload.shuffledBookKeys.prefix(200)
    var turn = 0
    return Side(operationCount: keys.count) { watch in
      turn += 1
      let price = -Double(turn)
      try watch.time {
        for key in keys { try store.update(id: key, \StoredBook.price, price) }
      }
      let changed = store.objects(StoredBook.self).where { $0.price == price }
      watch.check(changed.count, expected: keys.count)
      withExtendedLifetime(folder) {}
    }
  }

  /// Changes one element of a large collection per commit, a different element each time.
  static func commitElement(
    _ workload: Workload, _ edit: @escaping (Shelf, _ index: Int, _ value: Int) -> Void
  ) throws -> Side {
    let folder = try ScratchFolder()
    let store = try Store(
      configuration: .file(folder.url.appending(path: "shelf.store"), durability: .normal))
    let count = workload.sizes.collection
    let shelf = try Shelf.filled(with: Array(0..<count), in: store)
    let commitCount = 20
    var turn = 0
    return Side(operationCount: commitCount) { watch in
      try watch.time {
        for _ in 0..<commitCount {
          turn += 1
          try store.write { edit(shelf, turn * 7_919 % count, -turn) }
        }
      }
      withExtendedLifetime(folder) {}
    }
  }

  /// Opens a file of all books and reads one by key, in one operation.
  ///
  /// - Parameter isMapped: True if the columns of the books are mapped from a file; false if all rows are read from the
  ///   database.
  static func open(_ workload: Workload, isMapped: Bool) throws -> Side {
    let folder = try ScratchFolder()
    let url = folder.url.appending(path: "books.store")
    let configuration = StoreConfiguration.file(url)
    let updates = StoreRows.bookUpdates(workload)
    try waiting {
      let store = try Store(configuration: configuration)
      try StoreRows.createAll(updates, in: store)
      if isMapped { try await store.flush() }
    }
    let key = workload.books[workload.books.count / 2].id
    return Side(operationCount: 1) { watch in
      if !isMapped {
        try? FileManager.default.removeItem(at: url.appendingPathExtension("columns"))
      }
      try watch.time { () -> (Store, Double?) in
        let store = try Store(configuration: configuration)
        return (store, store.object(ofType: StoredBook.self, forPrimaryKey: key)?.price)
      } checking: { (_, price) in
        Int(price ?? -1)
      }
      withExtendedLifetime(folder) {}
    }
  }

  /// Opens a file of all books and reads one by its indexed ISBN, in one operation, which builds the index.
  static func openIndexed(_ workload: Workload) throws -> Side {
    let folder = try ScratchFolder()
    let configuration = StoreConfiguration.file(folder.url.appending(path: "books.store"))
    let updates = StoreRows.bookUpdates(workload)
    try waiting {
      let store = try Store(configuration: configuration)
      try StoreRows.createAll(updates, of: IndexedBook.self, in: store)
      try await store.flush()
    }
    let isbn = workload.books[workload.books.count / 2].isbn
    return Side(operationCount: 1) { watch in
      try watch.time { () -> (Store, Int?) in
        let store = try Store(configuration: configuration)
        return (store, store.objects(IndexedBook.self).where { $0.isbn == isbn }.first?.id)
      } checking: { (_, id) in
        id ?? -1
      }
      withExtendedLifetime(folder) {}
    }
  }

  /// Decodes JSON bytes into an empty file and closes it; a new file for each sample.
  static func decode(_ workload: Workload) throws -> Side {
    let data = workload.userList()
    return Side(operationCount: workload.sizes.users) { watch in
      let folder = try ScratchFolder()
      let configuration = StoreConfiguration.file(folder.url.appending(path: "users.store"))
      try watch.time {
        let coder = StoreCoder(store: try Store(configuration: configuration))
        return try coder.decodeArray(StoredUser.self, from: data).count
      } checking: {
        $0
      }
    }
  }

  /// The size in bytes of a closed file.
  static func size(_ workload: Workload) throws -> Side {
    let folder = try ScratchFolder()
    let url = folder.url.appending(path: "books.store")
    try StoreRows.createAll(
      StoreRows.bookUpdates(workload), in: Store(configuration: .file(url)))
    let size = try Data(contentsOf: url).count
    return Side(operationCount: workload.books.count) { $0.charge(Double(size)) }
  }
}

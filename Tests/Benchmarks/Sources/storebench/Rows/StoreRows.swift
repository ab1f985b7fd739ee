import Foundation
import ObjectStore
import StoreCoding

/// Our side of the rows. A row is not measured if its function returns nil.
///
/// Each function prepares its data from the workload, which is not measured, and returns a side that does the same work
/// as the baseline of its row in `Benchmark.all`.
enum StoreRows {
  // MARK: - JSON

  /// Decodes JSON bytes into an empty store; a new store for each sample.
  static func decodeIntoEmptyStore(_ workload: Workload) throws -> Side? {
    let data = workload.userList()
    return Side(operationCount: workload.sizes.users) { watch in
      try watch.time {
        let coder = StoreCoder(store: try Store())
        return (coder, try coder.decodeArray(StoredUser.self, from: data))
      } checking: {
        sumOfIDs($1)
      }
    }
  }

  /// Decodes the details of users, each with a new coder into a new store.
  static func decodeIntoNewStores(_ workload: Workload) throws -> Side? {
    let details = workload.userDetails
    return Side(operationCount: details.count) { watch in
      try watch.time {
        try details.reduce(0) {
          $0 &+ (try StoreCoder(store: Store()).decode(StoredUser.self, from: $1)).id
        }
      } checking: {
        $0
      }
    }
  }

  /// Decodes the objects made by `JSONSerialization` into an empty store; a new store for each sample.
  static func decodeDictionaries(_ workload: Workload) throws -> Side? {
    let users = try JSONSerialization.jsonObject(with: workload.userList())
    guard let users = users as? [[String: Any]] else { return nil }
    return Side(operationCount: workload.sizes.users) { watch in
      try watch.time {
        let coder = StoreCoder(store: try Store())
        return (coder, try coder.decodeArray(StoredUser.self, from: users))
      } checking: {
        sumOfIDs($1)
      }
    }
  }

  /// Decodes `userList(revision: 0)` into a store that already contains it.
  static func decodeUnchanged(_ workload: Workload) throws -> Side? {
    let data = workload.userList()
    let store = try Store()
    let coder = StoreCoder(store: store)
    try coder.decodeArray(StoredUser.self, from: data)
    let version = store.version
    return Side(operationCount: workload.sizes.users) { watch in
      try watch.time {
        try coder.decodeArray(StoredUser.self, from: data)
      } checking: { users in
        // A new version is an error, so the checksum must differ.
        store.version == version ? sumOfIDs(users) : -1
      }
    }
  }

  /// Decodes all books, ten values each, into a store that already contains them.
  static func decodeUnchangedBooks(_ workload: Workload) throws -> Side? {
    let store = try Store()
    try createAll(bookUpdates(workload), in: store)
    let coder = StoreCoder(store: store)
    let data = try coder.encodeArray(Array(store.objects(StoredBook.self)))
    let version = store.version
    return Side(operationCount: workload.sizes.books) { watch in
      try watch.time {
        try coder.decodeArray(StoredBook.self, from: data)
      } checking: { books in
        store.version == version ? books.reduce(0) { $0 &+ $1.id } : -1
      }
    }
  }

  /// Decodes `userList(revision: 1)` and `userList(revision: 0)` alternately.
  static func decodeChanged(
    _ workload: Workload, of attribute: UserAttribute = .followerCount
  ) throws -> Side? {
    let revisions = [1, 0].map { workload.userList(revision: $0, of: attribute) }
    let store = try Store()
    let coder = StoreCoder(store: store)
    try coder.decodeArray(StoredUser.self, from: revisions[1])
    var turn = 0
    return Side(operationCount: workload.sizes.users) { watch in
      let data = revisions[turn % 2]
      turn += 1
      let version = store.version
      try watch.time {
        try coder.decodeArray(StoredUser.self, from: data)
      } checking: { users in
        store.version == version + 1 ? sumOfIDs(users) : -1
      }
    }
  }

  /// Decodes JSON bytes to update dictionaries, without writing to a store.
  static func updateDictionaries(_ workload: Workload) throws -> Side? {
    let data = workload.userList()
    let coder = StoreCoder(store: try Store())
    return Side(operationCount: workload.sizes.users) { watch in
      try watch.time {
        try coder.updateDictionaries(for: StoredUser.self, from: data)
      } checking: { updates in
        var sum = 0
        for update in updates {
          if case .int(let id)? = update["id"] { sum &+= Int(id) }
        }
        return sum
      }
    }
  }

  /// Decodes update dictionaries and reads each of their values once.
  static func readUpdateDictionaries(_ workload: Workload) throws -> Side? {
    let data = workload.userList()
    let coder = StoreCoder(store: try Store())
    return Side(operationCount: workload.sizes.users) { watch in
      try watch.time {
        let updates = try coder.updateDictionaries(for: StoredUser.self, from: data)
        var values: [[(key: String, value: UpdateValue)]] = []
        values.reserveCapacity(updates.count)
        for update in updates { values.append(Array(update)) }
        return values
      } checking: { values in
        var sum = 0
        for case .int(let id)? in values.map(\.first?.value) { sum &+= Int(id) }
        return sum
      }
    }
  }

  /// Encodes the stored users to JSON bytes.
  static func encode(_ workload: Workload) throws -> Side? {
    let store = try Store()
    let coder = StoreCoder(store: store)
    let users = try coder.decodeArray(StoredUser.self, from: workload.userList())
    return Side(operationCount: users.count) { watch in
      try watch.time {
        try coder.encodeArray(users)
      } checking: {
        try FoundationBaseline.sumOfIDs(in: $0)
      }
    }
  }

  // MARK: - Rows

  /// `create(value:)` of every book into an empty store, in one write.
  static func createBooks(_ workload: Workload) throws -> Side? {
    let updates = bookUpdates(workload)
    return Side(operationCount: updates.count) { watch in
      try watch.time {
        let store = try Store()
        try store.write {
          for update in updates { try store.create(StoredBook.self, value: update) }
        }
        return store
      } checking: {
        $0.objects(StoredBook.self).count
      }
    }
  }

  /// `create(value:update: .modified)` of every book, each with a new price.
  static func upsertChangedBooks(_ workload: Workload) throws -> Side? {
    let revisions = [
      bookUpdates(workload), bookUpdates(workload) { $0.price += 0.25 },
    ]
    let store = try Store()
    try createAll(revisions[1], in: store)
    var turn = 0
    return Side(operationCount: workload.sizes.books) { watch in
      let updates = revisions[turn % 2]
      turn += 1
      try watch.time { try createAll(updates, in: store) }
      watch.check(store.objects(StoredBook.self).count)
    }
  }

  /// `create(value:update: .modified)` of every book without changes.
  static func upsertUnchangedBooks(_ workload: Workload) throws -> Side? {
    let updates = bookUpdates(workload)
    let store = try Store()
    try createAll(updates, in: store)
    return Side(operationCount: updates.count) { watch in
      try watch.time { try createAll(updates, in: store) }
      watch.check(store.objects(StoredBook.self).count)
    }
  }

  /// Updates the price and availability of every book by key, in the order of `shuffledBookKeys`.
  static func updateTwoAttributes(_ workload: Workload) throws -> Side? {
    let store = try Store()
    try createAll(bookUpdates(workload), in: store)
    let keys = workload.shuffledBookKeys
    var revision = 0
    return Side(operationCount: keys.count) { watch in
      revision += 1
      try watch.time {
        try store.write {
          for key in keys {
            try store.update(
              StoredBook.self, key: key, \.price <- Book.price(of: key, revision: revision),
              \.available <- Book.isAvailable(key, revision: revision))
          }
        }
      }
      watch.check(sumOfAvailablePrices(in: store))
    }
  }

  /// Writes one attribute of one book while a reader holds the previous version.
  static func commitOneObject(_ workload: Workload) throws -> Side? {
    let store = try Store()
    try createAll(bookUpdates(workload), in: store)
    try store.write {
      for book in store.objects(StoredBook.self) { book.price = 0 }
    }
    let keys = workload.shuffledBookKeys.prefix(1_000)
    var turn = 0
    return Side(operationCount: keys.count) { watch in
      turn += 1
      let price = Double(turn)
      try watch.time {
        for key in keys {
          let reader = store.objects(StoredBook.self).frozen()
          try store.update(id: key, \StoredBook.price, price)
          blackHole(reader)
        }
      }
      let sum = store.objects(StoredBook.self).reduce(0.0) { $0 + $1.price }
      watch.check(Int(sum), expected: keys.count * turn)
    }
  }

  /// Reads the price of every book by key, in the order of `shuffledBookKeys`.
  static func lookup(_ workload: Workload) throws -> Side? {
    let store = try Store()
    try createAll(bookUpdates(workload), in: store)
    let keys = workload.shuffledBookKeys
    return Side(operationCount: keys.count) { watch in
      watch.check(watch.time { sumOfPositions(keys, store) })
    }
  }

  /// Bytes of memory per book, according to `heapBytesInUse`.
  static func memory(_ workload: Workload) throws -> Side? {
    let updates = bookUpdates(workload)
    return Side(operationCount: updates.count) { watch in
      guard let before = heapBytesInUse() else { return }
      let store = try Store()
      try createAll(updates, in: store)
      guard let after = heapBytesInUse() else { return }
      watch.charge(Double(after - before))
      watch.check(store.objects(StoredBook.self).count)
    }
  }

  // MARK: - Objects

  /// The loops of `PlainBaseline` over live objects of a class in this module.
  static func readNumber(_ workload: Workload) throws -> Side? {
    try readOrWrite { readNumbers($0) }
  }

  /// `readNumber` in a store that tracks reads for Observation, outside of `withObservationTracking`.
  static func readTrackedNumber(_ workload: Workload) throws -> Side? {
    try readOrWrite(tracked: true) { readNumbers($0) }
  }

  static func writeNumber(_ workload: Workload) throws -> Side? {
    let store = try Store()
    let objects = try makeLiveUsers(store)
    let count = PlainBaseline.objectCount * PlainBaseline.repetitionCount
    return Side(operationCount: count) { watch in
      try store.write {
        watch.time {
          for turn in 0..<PlainBaseline.repetitionCount { writeNumbers(objects, turn) }
        }
      }
    }
  }

  static func readShortText(_ workload: Workload) throws -> Side? {
    try readOrWrite { readShortTexts($0) }
  }

  static func readLongText(_ workload: Workload) throws -> Side? {
    try readOrWrite { readLongTexts($0) }
  }

  /// Creates the live object of a row with ten attributes.
  static func createObject(_ workload: Workload) throws -> Side? {
    let store = try Store()
    _ = try makeLiveUsers(store)
    let results = store.objects(LiveUser.self)
    return Side(operationCount: PlainBaseline.objectCount * 10) { watch in
      watch.time {
        for _ in 0..<10 {
          for index in 0..<PlainBaseline.objectCount { lastObject = results[index] }
        }
      }
      lastObject = nil
    }
  }
}

// MARK: - Loops and preparations

extension StoreRows {
  static func makeLiveUsers(_ store: Store) throws -> [LiveUser] {
    try store.write {
      try (0..<PlainBaseline.objectCount).map { index in
        try store.create(LiveUser.self, value: ["id": .init(index), "followerCount": 3])
      }
    }
  }

  private static func readOrWrite(
    tracked: Bool = false, _ pass: @escaping ([LiveUser]) -> Int
  ) throws -> Side {
    let store = try Store()
    store.tracksReads = tracked
    let objects = try makeLiveUsers(store)
    let count = PlainBaseline.objectCount * PlainBaseline.repetitionCount
    return Side(operationCount: count) { watch in
      watch.time {
        for _ in 0..<PlainBaseline.repetitionCount { sink &+= pass(objects) }
      }
      blackHole(store)
    }
  }

  static func bookUpdates(
    _ workload: Workload, _ change: (inout Book) -> Void = { _ in }
  ) -> [UpdateDictionary] {
    workload.books.map { book in
      var book = book
      change(&book)
      return book.update
    }
  }

  private static func sumOfAvailablePrices(in store: Store) -> Int {
    var sum = 0.0
    for book in store.objects(StoredBook.self) where book.available { sum += book.price }
    return Int(sum)
  }

  static func createAll<Book: Object>(
    _ updates: [UpdateDictionary], of type: Book.Type = StoredBook.self, in store: Store
  ) throws {
    try store.write {
      for update in updates {
        try store.create(type, value: update, update: .modified)
      }
    }
  }
}

func sumOfIDs(_ users: [StoredUser]) -> Int {
  var sum = 0
  for user in users { sum &+= user.id }
  return sum
}

@inline(never) private func readNumbers(_ objects: [LiveUser]) -> Int {
  var sum = 0
  for object in objects { sum &+= object.followerCount }
  return sum
}

@inline(never) private func writeNumbers(_ objects: [LiveUser], _ value: Int) {
  for object in objects { object.followerCount = value }
}

@inline(never) private func readShortTexts(_ objects: [LiveUser]) -> Int {
  var sum = 0
  for object in objects { sum &+= object.username.utf8.count }
  return sum
}

@inline(never) private func readLongTexts(_ objects: [LiveUser]) -> Int {
  var sum = 0
  for object in objects { sum &+= object.bio.utf8.count }
  return sum
}

@inline(never) private func sumOfPositions(_ keys: [Int], _ store: Store) -> Int {
  var sum = 0
  for key in keys {
    sum &+= (store.object(ofType: StoredBook.self, forPrimaryKey: key)?.id ?? 1) - 1
  }
  return sum
}

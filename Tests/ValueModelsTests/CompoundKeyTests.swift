import ObjectStore
import Synchronization
import TestSupport
import Testing
import ValueModels

/// A mapped value.
private struct Score: MappedPersistable, Equatable {
  var user = 0
  var place = ""
  var stars = 3

  typealias ManagedObject = Rating
  static let mapping: Fields = [
    .field(\.user, \.userID), .field(\.place, \.restaurantID), .field(\.stars, \.stars),
  ]
}

/// A value with its own conversion.
private struct Review: Persistable, Equatable {
  let user: Int
  let place: String
  let stars: Int

  init(user: Int, place: String, stars: Int) {
    (self.user, self.place, self.stars) = (user, place, stars)
  }

  init(managedObject: Rating) {
    self.init(
      user: managedObject.userID, place: managedObject.restaurantID, stars: managedObject.stars)
  }

  func managedObject() -> Rating { Rating(user, place, stars: stars) }
}

/// A mapped value with a field for the compound key.
private struct Named: MappedPersistable, Equatable {
  var id = ""
  var user = 0
  var place = ""
  var stars = 3

  typealias ManagedObject = Rating
  static let mapping: Fields = [
    .field(\.id, \.id), .field(\.user, \.userID), .field(\.place, \.restaurantID),
    .field(\.stars, \.stars),
  ]
}

/// A value with a nested value.
private struct Report: MappedPersistable, Equatable {
  var id = 0
  var rating: Named?

  typealias ManagedObject = RatingReport
  static let mapping: Fields = [.key(\.id, \.id), .field(\.rating, \.rating)]
}

private struct KeyByKey: MappedPersistable {
  var id = ""
  var user = 0
  var place = ""

  typealias ManagedObject = Rating
  static let mapping: Fields = [
    .key(\.id, \.id), .field(\.user, \.userID), .field(\.place, \.restaurantID),
  ]
}

/// An object that can contain another one of its class.
private final class Doll: Object {
  @Persisted(primaryKey: true) var id: String
  @Persisted var row: Int
  @Persisted var number: Int
  @Persisted var text = ""
  @Persisted var inner: Doll?

  override class var compoundKey: [String] { ["row", "number"] }
}

private struct Nested: MappedPersistable {
  var row = 0
  var number = 0
  var text = 0
  var inner: [Nested] = []

  init() {}

  init(depth: Int) {
    number = depth
    if depth > 0 { inner = [Nested(depth: depth - 1)] }
  }

  var first: Nested? {
    get { inner.first }
    set { inner = newValue.map { [$0] } ?? [] }
  }

  /// The number of conversions of a value to an object.
  static let writeCount = Mutex(0)

  typealias ManagedObject = Doll
  static let mapping: Fields = [
    .field(\.row, \.row), .field(\.number, \.number),
    .field(
      \.text, \.text, from: { Int($0) ?? 0 },
      to: { text in
        writeCount.withLock { $0 += 1 }
        return "\(text)"
      }),
    .field(\.first, \.inner),
  ]
}

@Suite struct `Values with compound keys` {
  let container: Container

  init() throws {
    container = try Container(store: Store())
  }

  @Test func `values with equal compound keys update one object and keep its unmapped attributes`()
    throws
  {
    try container.write { transaction in
      try transaction.add(Score(user: 7, place: "cafe", stars: 5))
      try transaction.update(Score.self, key: CompoundKey(7, "cafe"), \.note <- "good")
      try transaction.add(Score(user: 7, place: "cafe", stars: 4))
      try transaction.add(Review(user: 8, place: "cafe", stars: 1))
      try transaction.add(Review(user: 8, place: "cafe", stars: 2))
    }
    #expect(container.value(Score.self, forKey: CompoundKey(7, "cafe"))?.stars == 4)
    #expect(container.value(Review.self, forKey: CompoundKey(8, "cafe"))?.stars == 2)
    let ratings = container.store.objects(Rating.self)
    #expect(ratings.map(\.note) == ["good", nil] && ratings.map(\.id) == ["7|cafe", "8|cafe"])
  }

  /// K2
  @Test func `adding values that were read from partial objects gives only what was changed`()
    throws
  {
    let store = container.store
    try store.write(as: .server) {
      for user in [7, 8] {
        try store.create(Rating.self, value: ["userID": .init(user), "restaurantID": "cafe"])
      }
    }
    let score = try #require(container.value(Score.self, forKey: CompoundKey(7, "cafe")))
    let review = try #require(container.value(Review.self, forKey: CompoundKey(8, "cafe")))
    let version = store.version
    try container.write {
      try $0.add(score)
      try $0.add(review)
    }
    #expect(store.version == version)
    #expect(
      store.objects(Rating.self).map(\.unknownAttributes) == [
        ["stars", "note"], ["stars", "note"],
      ])
    try container.write {
      try $0.add(Score(user: 7, place: "cafe", stars: 4))
      try $0.add(Review(user: 8, place: "cafe", stars: 5))
    }
    #expect(store.objects(Rating.self).map(\.stars) == [4, 5])
    #expect(store.objects(Rating.self).map(\.unknownAttributes) == [["note"], ["note"]])
  }

  @Test func `a partial update needs all parts of the compound key or the key itself`() throws {
    try container.write { transaction in
      try transaction.update(
        Score.self, values: [.set(\.user, 7), .set(\.place, "cafe"), .set(\.stars, 1)])
      #expect(
        throws: StoreError(.primaryKeyNotFound(className: "Rating", attribute: "restaurantID"))
      ) { try transaction.update(Score.self, values: [.set(\.user, 7), .set(\.stars, 1)]) }
      let key = CompoundKey(7, "cafe")
      #expect(
        try transaction.update(Score.self, key: key, values: [.set(\.user, 7), .set(\.stars, 2)]))
      #expect(
        throws: StoreError(
          .invalidKeyPath(
            "Rating.userID is part of the primary key; use store.rekey(_:to:)"))
      ) {
        try transaction.update(Score.self, key: key, values: [.set(\.user, 9), .set(\.stars, 4)])
      }
      #expect(
        try !transaction.update(Score.self, key: CompoundKey(9, "x"), values: [.set(\.stars, 2)]))
    }
    #expect(container.store.objects(Rating.self).map(\.stars) == [2])
    #expect(container.store.objects(Rating.self).map(\.id) == ["7|cafe"])
  }

  @Test func `a value is deleted by its compound key`() throws {
    try container.write { transaction in
      for user in 1...3 { try transaction.add(Score(user: user, place: "cafe")) }
      #expect(try transaction.delete(Score(user: 1, place: "cafe", stars: 9)))
      #expect(try transaction.delete(Review(user: 2, place: "cafe", stars: 9)))
      #expect(try !transaction.delete(Score(user: 2, place: "cafe")))
      #expect(try !transaction.delete(Score.self, key: CompoundKey(2, "cafe")))
    }
    #expect(container.store.objects(Rating.self).map(\.userID) == [3])
  }

  @Test func `a mapped compound key is read and never written`() throws {
    try container.check(Named.self, Report.self)
    try container.write { transaction in
      for id in ["", "stale", "7|cafe"] {
        try transaction.add(Named(id: id, user: 7, place: "cafe", stars: id.utf8.count))
      }
      try transaction.add(
        Report(id: 1, rating: Named(id: "other", user: 8, place: "bar", stars: 1)))
      try transaction.update(
        Report.self, values: [.set(\.id, 1), .set(\.rating, Named(user: 8, place: "bar"))])
    }
    let key = CompoundKey(7, "cafe")
    #expect(
      container.value(Named.self, forKey: key)
        == Named(id: "7|cafe", user: 7, place: "cafe", stars: 6))
    #expect(container.value(Report.self, forKey: 1)?.rating?.id == "8|bar")
    #expect(container.store.objects(Rating.self).map(\.stars) == [6, 3])
    #expect(try container.write { try $0.delete(Named(id: "stale", user: 7, place: "cafe")) })
    #expect(container.value(Named.self, forKey: key) == nil)
  }

  @Test func `the error for a compound key paired by .key suggests .field`() {
    #expect(
      text { try container.check(KeyByKey.self) }
        == "KeyByKey.mapping: Rating has no primary key of one attribute: "
        + "pair Rating.id by .field instead of .key")
  }

  @Test func `getting the key of a value does not convert nested values`() throws {
    let depth = 30
    let value = Nested(depth: depth)
    let writes = try container.write { transaction in
      try transaction.add(value)
      return Nested.writeCount.withLock { $0 }
    }
    #expect(writes == depth + 1)
    #expect(container.store.objects(Doll.self).count == depth + 1)
    #expect(try container.write { try $0.delete(value) })
    #expect(Nested.writeCount.withLock { $0 } == writes)
    #expect(container.store.objects(Doll.self).count == depth)
  }
}

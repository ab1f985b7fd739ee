import ObjectStore
import TestSupport
import Testing
import ValueModels

/// As one list says it.
private struct Score: MappedPersistable, Equatable {
  var user = 0
  var place = ""
  var stars = 3

  typealias ManagedObject = Rating
  static let mapping: Fields = [
    .field(\.user, \.userID), .field(\.place, \.restaurantID), .field(\.stars, \.stars),
  ]
}

/// By hand.
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

@Suite struct `Values with compound keys` {
  let container: Container

  init() throws {
    container = try Container(store: Store())
  }

  @Test func `values of one key are one object, and attributes in no value stay`() throws {
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

  @Test func `a partial update names all parts, or has the key`() throws {
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

  @Test func `a value is deleted by its key`() throws {
    try container.write { transaction in
      for user in 1...3 { try transaction.add(Score(user: user, place: "cafe")) }
      #expect(try transaction.delete(Score(user: 1, place: "cafe", stars: 9)))
      #expect(try transaction.delete(Review(user: 2, place: "cafe", stars: 9)))
      #expect(try !transaction.delete(Score(user: 2, place: "cafe")))
      #expect(try !transaction.delete(Score.self, key: CompoundKey(2, "cafe")))
    }
    #expect(container.store.objects(Rating.self).map(\.userID) == [3])
  }
}

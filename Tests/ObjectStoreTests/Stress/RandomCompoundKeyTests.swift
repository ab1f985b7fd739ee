import Foundation
import TestSupport
import Testing

@testable import ObjectStore

/// Objects with compound keys, compared with a dictionary of pairs.
@Suite struct `Random compound keys` {
  private struct Pair: Hashable {
    var user: Int
    var place: String
    var key: CompoundKey { CompoundKey(user, place) }

    // Compares bytes, because the two spellings of é are different keys.
    static func == (a: Pair, b: Pair) -> Bool { a.key == b.key }
    func hash(into hasher: inout Hasher) { hasher.combine(key) }
  }

  private static let places = ["", "|", "\\", "a", "a|", "|a", "\\|", "é", "e\u{301}"]

  /// The expected contents of a store.
  private struct Model {
    var stars: [Pair: Int] = [:]
    /// The pairs that reports link to.
    var links: [Int: Pair] = [:]
  }

  @Test(arguments: 0..<12 as Range<UInt64>)
  func `objects with compound keys equal a dictionary under random changes`(seed: UInt64) throws {
    let folder = try TemporaryFolder()
    let configuration = StoreConfiguration.file(folder.file("ratings.store"))
    var random = SeededRandom(seed: seed)
    var model = Model()
    var store = try Store(configuration: configuration)
    for round in 0..<30 {
      for _ in 0..<8 { try step(&random, &model, store) }
      check(store, model, "seed \(seed), round \(round)")
      if random.once(in: 5) {
        // The file is closed with its last handle.
        store = try Store(configuration: .inMemory())
        store = try Store(configuration: configuration)
        check(store, model, "seed \(seed), opened in round \(round)")
      }
    }
    store.checkInvariants()
  }

  private func pair(_ random: inout SeededRandom) -> Pair {
    Pair(
      user: random.below(4) - 1, place: Self.places[random.below(Self.places.count)])
  }

  private func step(
    _ random: inout SeededRandom, _ model: inout Model, _ store: Store
  ) throws {
    let (one, other, stars) = (pair(&random), pair(&random), random.below(100))
    let report = random.below(6)
    switch random.below(9) {
    case 0:
      try store.write {
        try store.create(
          Rating.self,
          value: [
            "userID": .init(one.user), "restaurantID": .string(one.place), "stars": .init(stars),
          ], update: .modified)
      }
      model.stars[one] = stars
    case 1:
      try store.write { try store.add(Rating(one.user, one.place, stars: stars), update: .all) }
      model.stars[one] = stars
    case 2:
      let isNew = model.stars[one] == nil
      let result = Result {
        try store.write { try store.add(Rating(one.user, one.place, stars: stars)) }
      }
      #expect(((try? result.get()) != nil) == isNew)
      if isNew { model.stars[one] = stars }
    case 3:
      let result = Result { try store.rekey(Rating.self, from: one.key, to: other.key) }
      guard let known = model.stars[one] else {
        #expect(try !result.get())
        break
      }
      if one != other, model.stars[other] != nil {
        #expect((try? result.get()) == nil)
        break
      }
      #expect(try result.get())
      model.stars[one] = nil
      model.stars[other] = known
      for (id, pair) in model.links where pair == one { model.links[id] = other }
    case 4:
      guard let rating = store.object(ofType: Rating.self, forPrimaryKey: one.key) else {
        #expect(model.stars[one] == nil)
        break
      }
      try store.write { store.delete(rating) }
      model.stars[one] = nil
      for (id, pair) in model.links where pair == one { model.links[id] = nil }
    case 5:
      try store.update(
        RatingReport.self, key: report, \.rating <- .key(one.key), missing: .orInsert)
      model.links[report] = one
      model.stars[one] = model.stars[one] ?? 3
    case 6:
      let outcome = try store.update(Rating.self, key: one.key, \.stars <- stars)
      #expect((outcome == .notFound) == (model.stars[one] == nil))
      if model.stars[one] != nil { model.stars[one] = stars }
    case 7:
      try store.update(Rating.self, key: one.key, \.stars <- stars, missing: .orInsert)
      model.stars[one] = stars
    default:
      store.undone {
        try store.update(Rating.self, key: one.key, \.stars <- stars, missing: .orInsert)
        if model.stars[other] == nil {
          try store.rekey(Rating.self, from: one.key, to: other.key)
        }
      }
    }
  }

  private func check(_ store: Store, _ model: Model, _ comment: Comment) {
    let found = store.objects(Rating.self).map {
      (Pair(user: $0.userID, place: $0.restaurantID), $0)
    }
    let texts = found.map { ExactString("\($0.0.user) \($0.0.place) \($0.1.stars)") }
    #expect(
      Set(texts)
        == Set(model.stars.map { ExactString("\($0.key.user) \($0.key.place) \($0.value)") }),
      comment)
    for (pair, rating) in found {
      #expect(ExactString(rating.id) == ExactString(pair.key.text), comment)
      #expect(store.object(ofType: Rating.self, forPrimaryKey: pair.key) == rating, comment)
    }
    for id in 0..<6 {
      let rating = store.object(ofType: RatingReport.self, forPrimaryKey: id)?.rating
      #expect(rating.map { ExactString($0.id) } == model.links[id].map { ExactString($0.key.text) })
    }
  }
}

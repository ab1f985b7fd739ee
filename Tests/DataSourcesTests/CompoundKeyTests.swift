import DataSources
import Foundation
import ObjectStore
import TestSupport
import Testing
import ValueModels

/// A value whose object has a compound key of two attributes.
private struct Score: MappedPersistable, Hashable {
  var user = 0
  var place = ""
  var stars = 3

  typealias ManagedObject = Rating
  static let mapping: Fields = [
    .field(\.user, \.userID), .field(\.place, \.restaurantID), .field(\.stars, \.stars),
  ]
}

/// An id type that wraps a compound key.
private struct ScoreID: RawRepresentable, Hashable, Sendable {
  var rawValue: CompoundKey
}

@Suite struct `Data sources with compound keys` {
  @Test func `an id that wraps a compound key finds its value`() async throws {
    let source = StoreDataSource<Score, Rating>(configuration: .inMemory())
    let score = Score(user: 7, place: "cafe", stars: 5)
    let id = ScoreID(rawValue: CompoundKey(7, "cafe"))
    #expect(try await source.put(score, in: IdQuery(id)) == score)
    #expect(try await source.get(IdQuery(id)) == score)
    #expect(try await source.getAll(IdsQuery([id])) == [score])
    #expect(
      await text { _ = try await source.get(IdQuery(ScoreID(rawValue: CompoundKey(7, 8)))) }
        == "Rating.id: expected a CompoundKey of (Int, String), "
        + "found a CompoundKey of (Int, Int)")
    try await source.delete(IdQuery(id))
    #expect(try await source.getAll(AllObjectsQuery()).isEmpty)
  }

  @Test func `values with a compound key are put, read and deleted by their key`() async throws {
    let source = StoreDataSource<Score, Rating>(configuration: .inMemory())
    let score = Score(user: 7, place: "cafe", stars: 5)
    let key = CompoundKey(7, "cafe")
    #expect(try await source.put(score) == score)
    #expect(try await source.put(score, in: IdQuery(key)) == score)
    try await source.putAll([score, Score(user: 7, place: "bar")])
    #expect(try await source.get(IdQuery(key)) == score)
    #expect(try await source.get(IdQuery("7|cafe")) == score)
    #expect(
      try await source.getAll(IdsQuery([key, CompoundKey(1, "x"), CompoundKey(7, "bar")]))
        .map(\.place) == ["cafe", "bar"])
    #expect(
      await text { _ = try await source.get(IdQuery(CompoundKey(1, "x"))) }
        == "nothing was found for IdQuery(1|x)")
    #expect(
      await text { _ = try await source.get(IdQuery(CompoundKey("7", "cafe"))) }
        == "Rating.id: expected a CompoundKey of (Int, String), "
        + "found a CompoundKey of (String, String)")
    #expect(
      await text { _ = try await source.put(score, in: IdQuery(CompoundKey(7, "bar"))) }
        == "the Rating has the key 7|cafe, but the query has the key 7|bar")
    try await source.delete(ObjectQuery(Score(user: 7, place: "bar", stars: 0)))
    try await source.delete(IdQuery(key))
    #expect(try await source.getAll(AllObjectsQuery()).isEmpty)
  }

  @Test func `a store mapper finds a compound key by other attributes`() throws {
    final class ScoreMapper: StoreMapper<Score, Rating> {
      override func map(_ from: Score, in store: Store) throws -> Rating {
        let key: CompoundKey? = findId(key: "stars", value: from.stars, in: store)
        return key.flatMap { store.object(ofType: Rating.self, forPrimaryKey: $0) }
          ?? Rating(from.user, from.place, stars: from.stars)
      }
    }
    let store = try Store()
    try store.write { try store.add(Rating(7, "cafe", stars: 5)) }
    #expect(try ScoreMapper().map(Score(stars: 5), in: store).id == "7|cafe")
    #expect(try !ScoreMapper().map(Score(stars: 4), in: store).isManaged)
  }
}

import Foundation
import ObjectStore
import TestSupport
import Testing

/// Keys that changes, edits and conflicts report, passed to the calls that take a key.
@Suite struct `Reported keys` {
  final class Wide: Object {
    @Persisted(primaryKey: true) var id: UInt64
    @Persisted var name = ""
    @Persisted var next: Wide?
    @Persisted var others: List<Wide>
  }

  final class Named: Object {
    @Persisted(primaryKey: true) var id: String
    @Persisted var count = 0
  }

  final class Numbered: Object {
    @Persisted(primaryKey: true) var id: UUID
    @Persisted var count = 0
  }

  /// The keys of the objects that a write inserts, as changes report them.
  private func inserted<T: Object>(
    _ type: T.Type, in store: Store, _ insert: () throws -> Void
  ) throws -> [UpdateValue] {
    let before = store.holdVersion()
    try store.write(insert)
    return try #require(try store.changes(since: before)[T.self]).inserted
  }

  @Test func `a reported key of any type finds its object`() throws {
    let store = try Store()
    let numberIDs: [UInt64] = [0, 7, .max]
    let numbers = try inserted(Wide.self, in: store) {
      for id in numberIDs { try store.create(Wide.self, value: ["id": .init(id)]) }
    }
    #expect(
      numbers.map { store.object(ofType: Wide.self, forPrimaryKey: $0)?.id } == numberIDs)
    #expect(numbers.last == .uint(.max))
    let names = try inserted(Named.self, in: store) {
      for id in ["", "a|b", "é"] { try store.create(Named.self, value: ["id": .string(id)]) }
    }
    #expect(
      names.map { store.object(ofType: Named.self, forPrimaryKey: $0)?.id } == ["", "a|b", "é"])
    let id = UUID()
    let ids = try inserted(Numbered.self, in: store) {
      try store.create(Numbered.self, value: ["id": .init(id)])
    }
    #expect(ids.map { store.object(ofType: Numbered.self, forPrimaryKey: $0)?.id } == [id])
    let dynamic = try store.object(dynamic: "Wide", forPrimaryKey: numbers[1])
    let dynamicID = dynamic?["id"] as? UInt64
    #expect(dynamicID == 7)
    #expect(store.object(ofType: Wide.self, forPrimaryKey: UpdateValue.int(-1)) == nil)
    #expect(store.object(ofType: Wide.self, forPrimaryKey: UpdateValue.int(8)) == nil)
  }

  @Test func `a reported key updates, links and renames its object`() throws {
    let store = try Store()
    let keys = try inserted(Wide.self, in: store) {
      for id in [1, 2] { try store.create(Wide.self, value: ["id": .init(id)]) }
    }
    #expect(try store.update(Wide.self, key: keys[0], \.name <- "a") == .updated(["name"]))
    #expect(
      try store.update(Wide.self, key: keys[0], \.next <- .key(keys[1]), \.others <- .keys(keys))
        == .updated(["next", "others"]))
    let one = try #require(store.object(ofType: Wide.self, forPrimaryKey: 1))
    #expect(one.next?.id == 2 && one.others.map(\.id) == [1, 2])
    try store.update(Wide.self, key: keys[0], \.others -= .keys([keys[1]]))
    #expect(one.others.map(\.id) == [1])
    #expect(
      try store.update(Wide.self, key: UpdateValue.int(3), \.name <- "c", missing: .orInsert)
        == .updated(["name"]))
    #expect(try store.rekey(Wide.self, from: keys[1], to: .int(20)))
    #expect(store.objects(Wide.self).map(\.id) == [1, 20, 3])
    let error = #expect(throws: StoreError.self) {
      try store.update(Wide.self, key: UpdateValue.int(-1), \.name <- "", missing: .orInsert)
    }
    #expect(error?.description == "Wide.id: -1 is outside the range of UInt64")
    store.checkInvariants()
  }

  @Test func `a reported compound key finds, updates, inserts, links and renames its object`()
    throws
  {
    let store = try Store()
    let keys = try inserted(Rating.self, in: store) {
      for name in ["cafe", "a|b\\c", ""] {
        try store.create(
          Rating.self, value: ["userID": 7, "restaurantID": .string(name), "stars": 1])
      }
    }
    #expect(
      keys.map { store.object(ofType: Rating.self, forPrimaryKey: $0)?.restaurantID }
        == ["cafe", "a|b\\c", ""])
    try store.write { store.delete(store.objects(Rating.self)) }
    for key in keys {
      try store.update(Rating.self, key: key, \.stars <- 2, missing: .orInsert)
      try store.update(
        RatingReport.self, key: 1, \.rating <- .key(key), missing: .orInsert)
    }
    #expect(store.objects(Rating.self).map(\.restaurantID) == ["cafe", "a|b\\c", ""])
    #expect(store.objects(Rating.self).map(\.userID) == [7, 7, 7])
    #expect(
      store.object(ofType: RatingReport.self, forPrimaryKey: 1)?.rating?.restaurantID == "")
    #expect(try store.rekey(Rating.self, from: keys[0], to: .string("8|bar")))
    #expect(store.object(ofType: Rating.self, forPrimaryKey: CompoundKey(8, "bar"))?.userID == 8)
    for text in ["7", "x|cafe", "7|a|b", "+7|cafe", "|cafe"] {
      let error = #expect(throws: StoreError.self) {
        try store.rekey(Rating.self, from: UpdateValue.string("8|bar"), to: .string(text))
      }
      #expect(
        error?.description
          == "Rating.id: expected a CompoundKey of (Int, String), found String \"\(text)\"")
    }
    store.checkInvariants()
  }
}

import Foundation
import TestSupport
import Testing

@testable import ObjectStore

// R10
@Suite struct `Compound keys` {
  let store: Store

  init() throws {
    store = try Store()
  }

  private func rating(_ userID: Int, _ restaurantID: String) -> Rating? {
    store.object(ofType: Rating.self, forPrimaryKey: CompoundKey(userID, restaurantID))
  }

  private func text<R>(_ body: () throws -> R) -> String {
    do {
      _ = try body()
      return "no error"
    } catch {
      return "\(error)"
    }
  }

  // MARK: - Values

  @Test func `compound keys of different parts have different strings`() {
    let uuid = UUID(uuid: (1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15, 0xAB))
    #expect(CompoundKey(7, "cafe").text == "7|cafe")
    #expect(CompoundKey(-7, "").text == "-7|")
    #expect("\(CompoundKey("a|b", #"c\d"#))" == #"a\|b|c\\d"#)
    #expect(CompoundKey(UInt64.max, Int8.min, uuid).text.hasPrefix("18446744073709551615|-128|"))
    #expect(CompoundKey("é", uuid).text == "é|01020304-0506-0708-090A-0B0C0D0E0FAB")
    #expect(CompoundKey("a", 1, "b", 2).text == "a|1|b|2")
    var texts: Set<String> = []
    let pieces = ["", "|", "\\", "a", "\\|", "|\\", "\\\\", "a|", "|a", "||"]
    for one in pieces {
      for other in pieces {
        #expect(texts.insert(CompoundKey(one, other).text).inserted)
        for third in pieces { texts.insert(CompoundKey(one, other, third).text) }
      }
    }
    // The strings of two and of three parts are all different, too.
    #expect(texts.count == 100 + 1000)
  }

  @Test func `compound keys compare integers regardless of their width, and strings by bytes`() {
    #expect(CompoundKey(7, "cafe") == CompoundKey(UInt8(7), "cafe"))
    #expect(CompoundKey(7, "a").hashValue == CompoundKey(Int16(7), "a").hashValue)
    #expect(CompoundKey(7, "cafe") != CompoundKey("7", "cafe"))
    #expect(CompoundKey(7, "caf\u{E9}") != CompoundKey(7, "cafe\u{301}"))
    #expect(Set([CompoundKey(1, "a"), CompoundKey(1, "a"), CompoundKey("a", 1)]).count == 2)
  }

  // MARK: - Creation and lookup

  @Test func `an added object gets the key of its parts, regardless of the key it had`() throws {
    let rating = Rating(7, "cafe", stars: 5)
    #expect(rating.id == "")
    let other = Rating(7, "a|b")
    other.id = "by hand"
    try store.write { try store.add([rating, other]) }
    #expect(rating.id == "7|cafe")
    #expect(other.id == #"7|a\|b"#)
    #expect(self.rating(7, "cafe") == rating)
    #expect(self.rating(7, "a|b") == other)
    #expect(self.rating(8, "cafe") == nil)
    // The key string finds the object, too.
    #expect(store.object(ofType: Rating.self, forPrimaryKey: "7|cafe") == rating)
    #expect(store.object(Rating.self, key: "7|cafe") == rating)
    #expect(store.objects(Rating.self).where { $0.userID == 7 }.count == 2)
    #expect(
      store.objects(Rating.self).where { $0.id == CompoundKey(7, "cafe").text }.first == rating)
    store.checkInvariants()
  }

  @Test func `objects with equal key parts are the same object`() throws {
    let first = Rating(7, "cafe", stars: 1)
    try store.write { try store.add(first) }
    let again = Rating(7, "cafe", stars: 2)
    let message = text { try store.write { try store.add(again) } }
    #expect(message == #"Rating: an object with the primary key "7|cafe" already exists"#)
    #expect(!again.isManaged && again.id == "")
    try store.write { try store.add(again, update: .modified) }
    #expect(first.stars == 2 && again == first)
    try store.write {
      let third = try store.create(
        Rating.self, value: ["userID": 7, "restaurantID": "cafe", "note": "good"],
        update: .modified)
      #expect(third == first && first.stars == 2)
    }
    #expect(store.objects(Rating.self).count == 1)
  }

  private static let lacking: [(UpdateDictionary, String)] = [
    (["userID": 7], "restaurantID"), (["restaurantID": "cafe"], "userID"),
    (["id": "7|cafe"], "userID"), ([:], "userID"),
  ]

  @Test(arguments: lacking)
  func `an update needs all parts of a compound key`(_ update: UpdateDictionary, _ name: String) {
    #expect(
      text { try store.write { try store.create(Rating.self, value: update) } }
        == "Rating: the update has no value for the primary key '\(name)'")
    #expect(
      text {
        try store.write {
          try store.create(RatingReport.self, value: ["id": 1, "rating": .object(update)])
        }
      } == "Rating: the update has no value for the primary key '\(name)'")
    #expect(store.version == 0)
  }

  @Test func `a key given in addition to its parts must match them`() throws {
    try store.write {
      try store.create(
        Rating.self, value: ["id": "7|cafe", "userID": 7, "restaurantID": "cafe"])
      #expect(
        text {
          try store.create(
            Rating.self, value: ["id": "8|cafe", "userID": 7, "restaurantID": "cafe"],
            update: .modified)
        }
          == #"Rating.id: expected "7|cafe", made of userID, restaurantID, found String "8|cafe""#)
    }
    #expect(store.objects(Rating.self).map(\.id) == ["7|cafe"])
  }

  @Test func `a compound key combines parts of all types in declaration order`() throws {
    let guest = UUID()
    try store.write {
      try store.create(
        Helping.self,
        value: [
          "guest": .uuid(guest), "seat": 200, "meal": "dinner", "dish": "soup", "size": 2,
        ])
    }
    let key = CompoundKey(guest, 200, Meal.dinner.rawValue, "soup")
    let helping = try #require(store.object(ofType: Helping.self, forPrimaryKey: key))
    #expect(helping.key == "\(guest)|200|dinner|soup")
    #expect(helping.key == key.text && helping.size == 2)
    let reported = UpdateValue.string(key.text)
    #expect(store.object(ofType: Helping.self, forPrimaryKey: reported) == helping)
    #expect(try store.update(Helping.self, key: reported, \.size <- 3) == .updated(["size"]))
    #expect(
      store.object(
        ofType: Helping.self, forPrimaryKey: CompoundKey(guest, 456, "dinner", "soup")) == nil)
    let copy = Helping()
    copy.guest = guest
    copy.seat = 200
    copy.meal = .dinner
    copy.dish = "soup"
    try store.write { try store.add(copy, update: .modified) }
    #expect(copy == helping)
    // A part that its attribute cannot store is rejected.
    #expect(
      text {
        try store.update(
          Helping.self, key: CompoundKey(guest, 456, "dinner", "soup"), missing: .orInsert)
      } == "Helping.seat: 456 is outside the range of UInt8")
    #expect(
      text {
        try store.update(
          Helping.self, key: CompoundKey(guest, 1, "supper", "soup"), missing: .orInsert)
      } == #"Helping.meal: expected Meal, found String "supper""#)
  }

  @Test func `a compound key of 16 MiB is too large`() throws {
    let text = String(repeating: "a", count: 16 << 20 - 1)
    #expect(
      self.text { try store.write { try store.add(Rating(7, String(text.dropLast(2)))) } }
        == "no error")
    #expect(
      self.text { try store.write { try store.add(Rating(77, String(text.dropLast(2)))) } }
        == "Rating.id: a value of 16777216 bytes is larger than the limit of 16 MiB")
  }

  // MARK: - Invalid keys

  @Test func `compound keys of other types are rejected wherever a key is expected`() throws {
    try store.write { try store.add(Rating(7, "cafe")) }
    let expected = "Rating.id: expected a CompoundKey of (Int, String), found a "
    #expect(
      text { try store.update(Rating.self, key: 7, \.stars <- 1) } == expected + "key of type Int")
    #expect(
      text { try store.update(Rating.self, key: CompoundKey("7", "cafe"), \.stars <- 1) }
        == expected + "CompoundKey of (String, String)")
    #expect(
      text { try store.rekey(Rating.self, from: CompoundKey(7, "cafe", 1), to: CompoundKey(1, 2)) }
        == expected + "CompoundKey of (Int, String, Int)")
    #expect(
      text { try store.rekey(Rating.self, from: CompoundKey(7, "cafe"), to: CompoundKey(1, 2)) }
        == expected + "CompoundKey of (Int, Int)")
    #expect(
      text { try store.rekey(Rating.self, from: "7|cafe", to: "8|cafe") }
        == expected + "key of type String")
    #expect(
      text {
        try store.update(RatingReport.self, key: 1, \.rating <- .key(7), missing: .orInsert)
      } == expected + "key of type Int")
    #expect(
      text {
        try store.update(
          RatingReport.self, key: 1, \.others <- .keys([CompoundKey(UUID(), "cafe")]),
          missing: .orInsert)
      } == expected + "CompoundKey of (UUID, String)")
    #expect(
      text { _ = try store.object(dynamic: "Rating", forPrimaryKey: CompoundKey("a", "b")) }
        == expected + "CompoundKey of (String, String)")
    // A key string finds an object, but cannot create one.
    #expect(
      text { try store.update(Rating.self, key: "9|cafe", \.stars <- 1, missing: .orInsert) }
        == "Rating: the update has no value for the primary key 'userID'")
    #expect(
      text { try store.update(RatingReport.self, key: CompoundKey(1, 2), \.rating <- nil) }
        == "RatingReport.id: expected Int, found a CompoundKey of (Int, Int)")
    #expect(
      text { try store.update(Owner.self, key: CompoundKey(1, 2), \.name <- "Jo") }
        == "Owner.id: expected Int, found a CompoundKey of (Int, Int)")
    #expect(store.objects(Rating.self).map(\.stars) == [3])
  }

  #if DEBUG
    @Test func `looking up an object by a key of another type is misuse in a debug build`() async {
      let result = await #expect(processExitsWith: .failure, observing: .misuseText) {
        _ = try Store().object(ofType: Rating.self, forPrimaryKey: CompoundKey(7, 8))
      }
      result.says(
        "Rating.id: expected a CompoundKey of (Int, String), found a CompoundKey of (Int, Int)")
    }
  #endif

  // MARK: - Updates

  @Test func `an update by compound key changes the named attributes, or creates the object`()
    throws
  {
    let key = CompoundKey(7, "cafe")
    #expect(try store.update(Rating.self, key: key, \.stars <- 4) == .notFound)
    #expect(
      try store.update(Rating.self, key: key, \.stars <- 4, \.note <- "x", missing: .orInsert)
        == .updated(["stars", "note"]))
    let rating = try #require(self.rating(7, "cafe"))
    #expect(rating.userID == 7 && rating.restaurantID == "cafe" && rating.id == "7|cafe")
    #expect(try store.update(Rating.self, key: key, \.stars <- 5) == .updated(["stars"]))
    #expect(try store.update(id: key, \Rating.stars, 5) == .unchanged)
    #expect(try store.update(Rating.self, key: "7|cafe", \.stars <- 1) == .updated(["stars"]))
    #expect(store.objects(Rating.self).map(\.stars) == [1])
    store.checkInvariants()
  }

  @Test func `key parts can be assigned only the values they already have`() throws {
    let key = CompoundKey(7, "cafe")
    let advice = "is part of the primary key; use store.rekey(_:to:)"
    for missing in [Store.MissingObject.orInsert, .ignore] {
      #expect(
        text { try store.update(Rating.self, key: key, \.userID <- 8, missing: .orInsert) }
          == "Rating.userID \(advice)")
      #expect(
        text {
          try store.update(
            Rating.self, key: key, \.stars <- 1, \.restaurantID <- "bar", missing: .orInsert)
        } == "Rating.restaurantID \(advice)")
      try store.update(
        Rating.self, key: key, \.userID <- 7, \.restaurantID <- "cafe", missing: missing)
      #expect(store.objects(Rating.self).map(\.stars) == [3])
    }
    let rating = try #require(self.rating(7, "cafe"))
    #expect(
      text { try store.update(rating, \.stars <- 1, \.userID <- 8) } == "Rating.userID \(advice)")
    #expect(
      text { try store.update(rating, \.stars <- 1, \.id <- "7|bar") }
        == "Rating.id is the primary key; use store.rekey(_:to:)")
    #expect(try store.update(rating, \.id <- "7|cafe") == .unchanged)
    #expect(
      text { try store.objects(Rating.self).update(\.restaurantID <- "bar") }
        == "Rating.restaurantID \(advice)")
    #expect(rating.stars == 3 && rating.id == "7|cafe")
  }

  @Test func `an update that creates an object can assign only the requested key`() throws {
    let key = CompoundKey(50, "i")
    #expect(
      text {
        try store.update(
          Rating.self, key: key, \.id <- "rubbish", \.stars <- 2, missing: .orInsert)
      } == "Rating.id is the primary key; use store.rekey(_:to:)")
    #expect(
      text { try store.update(RatingReport.self, key: 4, \.id <- 5, missing: .orInsert) }
        == "RatingReport.id is the primary key; use store.rekey(_:to:)")
    #expect(store.version == 0)
    for isThere in [false, true] {
      let rating = try store.update(
        Rating.self, key: key, \.id <- "50|i", \.stars <- 2, missing: .orInsert)
      let report = try store.update(RatingReport.self, key: UInt8(4), \.id <- 4, missing: .orInsert)
      #expect(rating == (isThere ? .unchanged : .updated(["id", "stars"])))
      #expect(report == (isThere ? .unchanged : .updated(["id"])))
    }
    #expect(store.objects(Rating.self).map(\.id) == ["50|i"])
    #expect(store.objects(RatingReport.self).map(\.id) == [4])
  }

  @Test func `assigning another value to a key part of a managed object is misuse`() async throws {
    try store.write {
      try store.add(Rating(7, "cafe"))
      rating(7, "cafe")?.userID = 7
      rating(7, "cafe")?["restaurantID"] = "cafe"
    }
    #expect(store.objects(Rating.self).map(\.id) == ["7|cafe"])
    let number = await #expect(processExitsWith: .failure, observing: .misuseText) {
      let store = try Store()
      let rating = Rating(7, "cafe")
      try store.write {
        try store.add(rating)
        rating.userID = 8
      }
    }
    number.says(
      "Rating: 'userID', part of the primary key of a managed object, cannot be assigned; "
        + "use store.rekey(_:to:)")
    let text = await #expect(processExitsWith: .failure, observing: .misuseText) {
      let store = try Store()
      let rating = Rating(7, "cafe")
      try store.write {
        try store.add(rating)
        rating["restaurantID"] = "bar"
      }
    }
    text.says(
      "Rating: 'restaurantID', part of the primary key of a managed object, cannot be assigned; "
        + "use store.rekey(_:to:)")
  }

  // MARK: - Links

  @Test func `objects with compound keys are linked by key`() throws {
    try store.update(
      RatingReport.self, key: 1, \.rating <- .key(CompoundKey(7, "cafe")),
      \.others <- .keys([CompoundKey(7, "bar"), CompoundKey(7, "cafe")]), missing: .orInsert)
    let report = try #require(store.object(ofType: RatingReport.self, forPrimaryKey: 1))
    #expect(report.rating?.restaurantID == "cafe" && report.rating?.stars == 3)
    #expect(report.others.map(\.id) == ["7|bar", "7|cafe"])
    try store.update(
      RatingReport.self, key: 1, \.others -= .keys([CompoundKey(7, "bar"), CompoundKey(1, "x")]))
    #expect(report.others.map(\.id) == ["7|cafe"])
    #expect(store.objects(Rating.self).count == 2)
    #expect(rating(7, "cafe")?.reports.map(\.id) == [1])
    try store.write {
      try store.create(
        RatingReport.self,
        value: ["id": 2, "rating": ["userID": 7, "restaurantID": "bar", "stars": 5]],
        update: .modified)
    }
    #expect(rating(7, "bar")?.stars == 5)
  }

  @Test func `an unmanaged object in an update gets its key from its parts`() throws {
    let rating = Rating(7, "cafe")
    rating.id = "stale"
    let value = try #require(UpdateValue(any: rating))
    try store.write {
      try store.create(RatingReport.self, value: ["id": 1, "rating": value])
    }
    #expect(store.objects(Rating.self).map(\.id) == ["7|cafe"])
  }

  // MARK: - Rekeying and eviction

  @Test func `rekeying changes the parts, keeps links and notifies observers`() throws {
    let received = Received()
    let rating = Rating(7, "cafe")
    let other = Rating(9, "bar")
    let report = RatingReport()
    report.id = 1
    report.rating = rating
    report.others.append(rating)
    try store.write { try store.add([report] as [RatingReport]) }
    try store.write { try store.add(other) }
    let old = rating.frozen()
    let token = rating.observe { received.note("\($0)") }
    let list = store.objects(Rating.self).where { $0.userID == 7 }
    #expect(list.count == 1)
    #expect(
      try store.rekey(Rating.self, from: CompoundKey(7, "cafe"), to: CompoundKey(8, "cafe")))
    store.refresh()
    #expect(received.take() == [#"change(["id", "userID"])"#])
    #expect(rating.id == "8|cafe" && rating.userID == 8 && rating.restaurantID == "cafe")
    #expect(self.rating(8, "cafe") == rating && self.rating(7, "cafe") == nil)
    #expect(report.rating == rating && report.others.first == rating)
    #expect(list.isEmpty)
    #expect(old.userID == 7 && old.id == "7|cafe")
    #expect(
      text { try store.rekey(Rating.self, from: CompoundKey(8, "cafe"), to: CompoundKey(9, "bar")) }
        == #"Rating: an object with the primary key "9|bar" already exists"#)
    #expect(
      try !store.rekey(Rating.self, from: CompoundKey(1, "x"), to: CompoundKey(2, "x")))
    try store.rekey(Rating.self, from: CompoundKey(8, "cafe"), to: CompoundKey(8, "cafe"))
    store.undone { try store.rekey(rating, to: CompoundKey(8, "diner")) }
    #expect(rating.id == "8|cafe" && rating.restaurantID == "cafe")
    store.checkInvariants()
    token.cancel()
  }

  @Test func `a deleted object's compound key can be reused, and eviction reports compound keys`()
    throws
  {
    for id in ["a", "b", "c"] { try store.write { try store.add(Rating(1, id)) } }
    try store.write { store.delete(try #require(rating(1, "b"))) }
    try store.write { try store.add(Rating(1, "b")) }
    #expect(store.objects(Rating.self).map(\.id) == ["1|a", "1|c", "1|b"])
    let report = try store.evict(by: [.policy(CachePolicy(maximumCount: 1), of: Rating.self)])
    #expect(report[Rating.self]?.evicted == ["1|a", "1|c"])
    #expect(rating(1, "b") != nil && rating(1, "a") == nil)
  }

  // MARK: - Schemas

  @Test func `a schema can declare a compound key`() throws {
    let schema = ObjectSchema(
      "Seat",
      [
        Property("row", .value(.int16)), Property("number", .int), Property("taken", .bool),
        Property("id", .string, isPrimaryKey: true),
      ], compoundKey: ["row", "number"])
    #expect(schema.mistakes == [])
    #expect(schema.compoundKey == ["row", "number"])
    #expect(
      schema.description == """
        Seat
          row: Int16
          number: Int
          taken: Bool
          id: String primaryKey
          primary key of (row, number)
        """)
    let store = try Store(configuration: .inMemory(), schemas: [schema])
    try store.write {
      let seat = try store.create(dynamic: "Seat", value: ["row": 3, "number": 12])
      #expect(seat["id"] as? String == "3|12")
      #expect(text { try store.create(dynamic: "Seat", value: ["row": 3]) }.hasSuffix("'number'"))
      try store.create(
        dynamic: "Seat", value: ["row": 3, "number": 12, "taken": true], update: .modified)
    }
    let seat = try store.object(dynamic: "Seat", forPrimaryKey: CompoundKey(3, 12))
    #expect(seat?["taken"] as? Bool == true)
    try store.write { try store.rekey(try #require(seat), to: CompoundKey(4, 12)) }
    #expect(seat?["row"] as? Int16 == 4 || seat?["row"] as? Int == 4)
  }
}

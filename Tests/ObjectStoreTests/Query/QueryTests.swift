import Foundation
import ObjectStore
import TestSupport
import Testing

@Suite struct `Queries of objects` {
  private typealias Thing = Asked.Thing
  private typealias Owner = Asked.Owner

  /// Five things: `id` 0 … 4, every third without what may be null.
  private func makeStore() throws -> Store {
    let store = try Store()
    try store.write {
      let jo = try store.create(Owner.self, value: ["id": "jo", "name": "Jo", "age": 40])
      let bo = try store.create(Owner.self, value: ["id": "bo", "name": "Böe"])
      bo.friend = jo
      for id in 0..<5 {
        let thing = try store.create(
          Thing.self,
          value: [
            "id": .init(id), "flag": .init(id % 2 == 0), "whole": .init(id * 10 - 20),
            "small": .init(id - 2), "natural": .init(UInt64.max - UInt64(id)),
            "double": .init(Double(id) / 2), "float": .init(Float(id) / 2),
            "decimal": .decimal(Decimal(id) / 10),
            "text": .string(["ant", "Bee", "cat", "bée", ""][id]),
            "date": .date(Date(timeIntervalSince1970: Double(id))),
            "kind": .string(["cafe", "bar"][id % 2]),
            "tags": .array((0..<id).map { .string("t\($0)") }),
            "numbers": .array((0..<id).map { .init($0) }),
            "place": id == 3 ? nil : ["city": id == 2 ? nil : "Ulm", "x": .init(Double(id))],
          ])
        if id % 3 != 0 {
          thing.maybeWhole = id
          thing.maybeText = thing.text
          thing.maybeDouble = Double(id)
          thing.maybeDate = thing.date
          thing.owner = id == 1 ? jo : bo
        }
        if let last = store.object(ofType: Thing.self, forPrimaryKey: id - 1) {
          thing.parts.append(last)
        }
      }
    }
    return store
  }

  private func ids(_ format: String, _ arguments: Any?...) throws -> [Int] {
    let store = try makeStore()
    return try store.objects(Thing.self).filter(StorePredicate(format, arguments: arguments)).map(
      \.id)
  }

  private func ids(_ condition: (QueryPath<Asked.Thing>) -> some _QueryCondition) throws -> [Int] {
    try makeStore().objects(Thing.self).where(condition).map(\.id)
  }

  @Test func `numbers are compared exactly, whatever their types`() throws {
    #expect(try ids { $0.whole > 0 } == [3, 4])
    #expect(try ids { $0.whole == -10 || $0.whole == 20 } == [1, 4])
    #expect(try ids { $0.whole != 0 } == [0, 1, 3, 4])
    #expect(try ids { $0.whole.between(-10...10) } == [1, 2, 3])
    #expect(try ids("whole > %@", -9.5) == [2, 3, 4])
    #expect(try ids("whole == 0.5") == [])
    #expect(try ids("whole < 1e300") == [0, 1, 2, 3, 4])
    #expect(try ids("natural >= 18446744073709551614") == [0, 1])
    #expect(try ids("natural > %@", -1) == [0, 1, 2, 3, 4])
    #expect(try ids("natural > 1.8446744073709552e19") == [])
    #expect(try ids("double >= 1 AND float < 2") == [2, 3])
    #expect(try ids("decimal == 0.1 OR decimal == %@", Decimal(string: "0.40")) == [1, 4])
    #expect(try ids("decimal <= double") == [0, 1, 2, 3, 4])
    #expect(try ids("whole == small") == [2])
    #expect(try ids { $0.small < 0 } == [0, 1])
    #expect(try ids("small < 1000") == [0, 1, 2, 3, 4])
  }

  @Test func `null is equal to null alone, and below and above nothing`() throws {
    #expect(try ids { $0.maybeWhole == nil } == [0, 3])
    #expect(try ids { $0.maybeWhole != nil } == [1, 2, 4])
    #expect(try ids { $0.maybeWhole != 1 } == [0, 2, 3, 4])
    #expect(try ids { $0.maybeWhole < 100 } == [1, 2, 4])
    #expect(try ids { !($0.maybeWhole > 1) } == [0, 1, 3])
    #expect(try ids("maybeText == nil AND maybeDate == nil") == [0, 3])
    #expect(try ids("maybeDouble == maybeWhole") == [0, 1, 2, 3, 4])
    #expect(try ids("maybeDouble > nil") == [])
    #expect(try ids { $0.owner == nil } == [0, 3])
    #expect(try ids { $0.place.city == nil } == [2, 3])
  }

  @Test func `texts are compared by bytes, or without case and diacritics`() throws {
    #expect(try ids { $0.text == "cat" } == [2])
    #expect(try ids { $0.text > "a" && $0.text < "b" } == [0])
    #expect(try ids { $0.text.contains("e") } == [1, 3])
    #expect(try ids { $0.text.contains("A", options: .caseInsensitive) } == [0, 2])
    #expect(try ids("text BEGINSWITH[c] 'b'") == [1, 3])
    #expect(try ids("text ==[cd] 'BEE'") == [1, 3])
    #expect(try ids("text CONTAINS[d] 'ee'") == [1, 3])
    #expect(try ids { $0.text.ends(with: "t") } == [0, 2])
    #expect(try ids { $0.text.like("?a*") } == [2])
    #expect(try ids("text LIKE[c] 'B?e'") == [1, 3])
    #expect(try ids { $0.text == "" } == [4])
    #expect(try ids { $0.maybeText.starts(with: "") } == [1, 2, 4])
    #expect(try ids { $0.text.in(["ant", "", "dog"]) } == [0, 4])
    #expect(try ids("text IN[c] %@", ["ANT", "CAT"]) == [0, 2])
  }

  @Test func `truth values, dates, enums, identifiers`() throws {
    #expect(try ids { $0.flag } == [0, 2, 4])
    #expect(try ids { !$0.flag && $0.id > 1 } == [3])
    #expect(try ids("flag == NO") == [1, 3])
    #expect(try ids("flag == 1") == [0, 2, 4])
    #expect(try ids { $0.date >= Date(timeIntervalSince1970: 3) } == [3, 4])
    #expect(try ids("date < %@", Date(timeIntervalSince1970: 1)) == [0])
    #expect(try ids { $0.kind == .bar } == [1, 3])
    #expect(try ids { $0.kind.in([.bar, .club]) } == [1, 3])
    #expect(try ids("kind == 'cafe'") == [0, 2, 4])
    let store = try makeStore()
    let third = try #require(store.object(ofType: Thing.self, forPrimaryKey: 2))
    #expect(store.objects(Thing.self).where { $0.uuid == third.uuid }.map(\.id) == [2])
  }

  @Test func `links are followed, and compared`() throws {
    #expect(try ids { $0.owner.name == "Jo" } == [1])
    #expect(try ids { $0.owner.friend.name == "Jo" } == [2, 4])
    #expect(try ids("owner.friend.age > 39") == [2, 4])
    #expect(try ids("owner.name BEGINSWITH[cd] 'bo'") == [2, 4])
    #expect(try ids { $0.place.x > 2 } == [4])
    let store = try makeStore()
    let jo = try #require(store.object(ofType: Owner.self, forPrimaryKey: "jo"))
    #expect(store.objects(Thing.self).where { $0.owner == jo }.map(\.id) == [1])
    #expect(store.objects(Thing.self).where { $0.owner != jo }.map(\.id) == [0, 2, 3, 4])
    #expect(try store.objects(Thing.self).filter("owner == %@", jo).map(\.id) == [1])
    #expect(try store.objects(Owner.self).filter("friend = %@", jo).map(\.id) == ["bo"])
    try store.write { store.delete(jo) }
    #expect(store.objects(Thing.self).where { $0.owner == nil }.map(\.id) == [0, 1, 3])
  }

  @Test func `elements are asked for by any, all and none`() throws {
    #expect(try ids { $0.tags.any { $0 == "t1" } } == [2, 3, 4])
    #expect(try ids { $0.tags.contains("t3") } == [4])
    #expect(try ids("ANY tags ==[c] 'T1'") == [2, 3, 4])
    #expect(try ids("'t3' IN tags") == [4])
    #expect(try ids { $0.numbers.all { $0 < 2 } } == [0, 1, 2])
    #expect(try ids { $0.numbers.none { $0 == 0 } } == [0])
    #expect(try ids("NONE numbers > 2") == [0, 1, 2, 3])
    #expect(try ids { $0.parts.any { $0.whole == -10 } } == [2])
    #expect(try ids("ANY parts.whole > 0") == [4])
    #expect(try ids("ANY parts.parts.id == 0") == [2])
    #expect(try ids("NONE parts.parts.id == 0") == [0, 1, 3, 4])
    #expect(try ids("ANY parts.owner.name == 'Jo'") == [2])
    #expect(try ids { $0.wholes.any { $0.id == 4 } } == [3])
    #expect(try ids("ANY parts.id < id") == [1, 2, 3, 4])
    #expect(try ids { thing in thing.parts.any { $0.small == thing.small } } == [])
    let store = try makeStore()
    #expect(
      store.objects(Owner.self).where { owner in
        owner.things.any { thing in thing.parts.any { $0.id == 0 } }
      }.map(\.id) == ["jo"])
  }

  @Test func `collections are counted and summed`() throws {
    #expect(try ids { $0.tags.count > 2 } == [3, 4])
    #expect(try ids("tags.@count == 0") == [0])
    #expect(try ids { $0.numbers.max > 1 } == [3, 4])
    #expect(try ids { $0.numbers.min == nil } == [0])
    #expect(try ids("numbers.@sum == 3") == [3])
    #expect(try ids("numbers.@avg > 1") == [4])
    #expect(try ids { $0.parts.sum(\.whole) < 0 } == [1, 2])
    #expect(try ids("parts.@max.double >= 1") == [3, 4])
    #expect(try ids("SUBQUERY(parts, $p, $p.whole < 0 AND $p.flag == YES).@count > 0") == [1])
    #expect(try ids("wholes.@count == 0") == [4])
  }

  @Test func `results are live`() throws {
    let store = try makeStore()
    let some = store.objects(Thing.self).where { $0.whole > 0 }
    #expect(some.count == 2 && some.first?.id == 3 && some.last?.id == 4)
    try store.write {
      some[0].whole = -1
      #expect(some.map(\.id) == [4])
      try store.create(Thing.self, value: ["id": 9, "whole": 1])
      #expect(some.map(\.id) == [4, 9])
      if let last = some.last { store.delete(last) }
      #expect(some.map(\.id) == [4])
    }
    #expect(some.map(\.id) == [4])
    let frozen = some.frozen()
    try store.write { some.first?.whole = 0 }
    #expect(some.isEmpty && frozen.map(\.id) == [4])
    for thing in store.objects(Thing.self).where({ $0.whole < 0 }) {
      try store.write { thing.whole = 7 }
    }
    #expect(store.objects(Thing.self).where { $0.whole == 7 }.map(\.id) == [0, 1, 3])
  }

  @Test func `orders, cuts and distinct values are applied in the order of the calls`() throws {
    let store = try makeStore()
    let all = store.objects(Thing.self)
    #expect(all.sorted(by: \.whole, ascending: false).map(\.id) == [4, 3, 2, 1, 0])
    #expect(all.sorted(by: \.text).map(\.id) == [4, 1, 0, 3, 2])
    #expect(all.sorted(by: \.maybeWhole).map(\.id) == [0, 3, 1, 2, 4])
    #expect(all.sorted(by: \.maybeWhole, ascending: false).map(\.id) == [4, 2, 1, 0, 3])
    #expect(all.sorted(by: \.owner?.name).map(\.id) == [0, 3, 2, 4, 1])
    #expect(
      try all.sorted(by: [
        StoreSortDescriptor("flag"), StoreSortDescriptor("decimal", ascending: false),
      ]).map(\.id) == [3, 1, 4, 2, 0])
    #expect(all.limit(2).map(\.id) == [0, 1])
    #expect(all.limit(2, offset: 4).map(\.id) == [4])
    #expect(all.sorted(by: \.id, ascending: false).limit(2, offset: 1).map(\.id) == [3, 2])
    #expect(all.limit(3).sorted(by: \.id, ascending: false).map(\.id) == [2, 1, 0])
    #expect(all.limit(3).where { $0.flag }.map(\.id) == [0, 2])
    #expect(all.distinct(by: \.kind).map(\.id) == [0, 1])
    #expect(all.sorted(by: \.id, ascending: false).distinct(by: \.flag).map(\.id) == [4, 3])
    let third = try #require(store.object(ofType: Thing.self, forPrimaryKey: 2))
    #expect(all.sorted(by: \.whole, ascending: false).index(of: third) == 2)
    #expect(all.where { $0.flag == false }.index(of: third) == nil)
  }

  @Test func `0 and -0 are one value, as for ==`() throws {
    let store = try Store()
    try store.write {
      for (id, double) in [(1, 0.0), (2, -0.0), (3, 1.0)] {
        try store.create(Thing.self, value: ["id": .init(id), "double": .init(double)])
      }
    }
    let all = store.objects(Thing.self)
    #expect(all.distinct(by: \.double).map(\.id) == [1, 3])
    #expect(all.sectioned(by: \.double).map { $0.map(\.id) } == [[1, 2], [3]])
  }

  @Test func `errors say in alerts what they say elsewhere`() throws {
    let error = #expect(throws: StoreError.self) {
      try Store().objects(Thing.self).filter("whole == 'x'")
    }
    #expect(error?.localizedDescription == error?.description)
  }

  @Test func `figures of results`() throws {
    let store = try makeStore()
    let all = store.objects(Thing.self)
    #expect(all.min(of: \.whole) == -20 && all.max(of: \.whole) == 20)
    #expect(
      all.min(of: \.maybeWhole) == 1 && all.max(of: \.maybeDate) == Date(timeIntervalSince1970: 4))
    #expect(all.sum(of: \.whole) == 0 && all.sum(of: \.double) == 5)
    #expect(all.sum(of: \.decimal) == 1)
    #expect(all.average(of: \.whole) == 0 && all.average(of: \.maybeWhole) == 7.0 / 3)
    #expect(all.sum(of: \.natural) == .max)
    let none = all.where { $0.id > 9 }
    #expect(
      none.min(of: \.whole) == nil && none.average(of: \.double) == nil
        && none.sum(of: \.whole) == 0)
  }

  @Test func `dynamic classes are asked in the same way`() throws {
    let store = try Store(
      configuration: .inMemory(),
      schemas: [
        ObjectSchema(
          "User",
          [
            Property("id", .int, isPrimaryKey: true), Property("name", .string),
            Property("friends", .list("User")),
          ])
      ])
    try store.write {
      try store.create(
        dynamic: "User", value: ["id": 1, "name": "Bo", "friends": [["id": 2, "name": "Al"]]],
        update: .modified)
    }
    let users = try store.objects(dynamic: "User")
    #expect(try users.filter("name BEGINSWITH %@", "B").map { $0["id"] as? Int } == [1])
    #expect(try users.filter("ANY friends.name == 'Al'").map { $0["id"] as? Int } == [1])
    #expect(
      try users.sorted(by: [StoreSortDescriptor("name")]).map { $0["name"] as? String } == [
        "Al", "Bo",
      ])
  }

  @Test func `sums of whole numbers are exact, whatever they pass through`() throws {
    let store = try Store()
    try store.write {
      for (id, (whole, natural)) in [(Int.max, UInt64(1) << 63), (1, 10), (-5, 0)].enumerated() {
        let thing = try store.create(Asked.Thing.self, value: ["id": .init(id)])
        (thing.whole, thing.natural) = (whole, natural)
      }
    }
    let things = store.objects(Asked.Thing.self)
    #expect(things.sum(of: \.natural) == UInt64(1) << 63 + 10)
    #expect(things.sum(of: \.whole) == Int.max - 4)
    #expect(things.where { $0.id != 2 }.sum(of: \.whole) == .max)
  }
}

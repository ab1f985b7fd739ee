import Foundation
import ObjectStore
import TestSupport
import Testing

@Suite struct `Queries of objects` {
  /// Five objects with ids 0 … 4. In every third, optional attributes are nil.
  private func makeStore() throws -> Store {
    let store = try Store()
    try store.write {
      let jo = try store.create(Leaf.self, value: ["id": "jo", "name": "Jo", "age": 40])
      let bo = try store.create(Leaf.self, value: ["id": "bo", "name": "Böe"])
      bo.next = jo
      for id in 0..<5 {
        let thing = try store.create(
          AllTypes.self,
          value: [
            "id": .init(id), "bool": .init(id % 2 == 0), "int": .init(id * 10 - 20),
            "int8": .init(id - 2), "uint64": .init(UInt64.max - UInt64(id)),
            "double": .init(Double(id) / 2), "float": .init(Float(id) / 2),
            "decimal": .decimal(Decimal(id) / 10),
            "string": .string(["ant", "Bee", "cat", "bée", ""][id]),
            "date": .date(Date(timeIntervalSince1970: Double(id))),
            "species": .string(["cow", "sheep"][id % 2]),
            "strings": .array((0..<id).map { .string("t\($0)") }),
            "ints": .array((0..<id).map { .init($0) }),
            "spot": id == 3 ? nil : ["label": id == 2 ? nil : "Ulm", "x": .init(Double(id))],
          ])
        if id % 3 != 0 {
          thing.optInt = id
          thing.optString = thing.string
          thing.optDouble = Double(id)
          thing.optDate = thing.date
          thing.leaf = id == 1 ? jo : bo
        }
        if let last = store.object(ofType: AllTypes.self, forPrimaryKey: id - 1) {
          thing.objects.append(last)
        }
      }
    }
    return store
  }

  private func ids(_ format: String, _ arguments: Any?...) throws -> [Int] {
    let store = try makeStore()
    return try store.objects(AllTypes.self).filter(StorePredicate(format, arguments: arguments))
      .map(
        \.id)
  }

  private func ids(_ condition: (QueryPath<AllTypes>) -> some _QueryCondition) throws -> [Int] {
    try makeStore().objects(AllTypes.self).where(condition).map(\.id)
  }

  @Test func `numbers of different types compare exactly`() throws {
    #expect(try ids { $0.int > 0 } == [3, 4])
    #expect(try ids { $0.int == -10 || $0.int == 20 } == [1, 4])
    #expect(try ids { $0.int != 0 } == [0, 1, 3, 4])
    #expect(try ids { $0.int.between(-10...10) } == [1, 2, 3])
    #expect(try ids("int > %@", -9.5) == [2, 3, 4])
    #expect(try ids("int == 0.5") == [])
    #expect(try ids("int < 1e300") == [0, 1, 2, 3, 4])
    #expect(try ids("uint64 >= 18446744073709551614") == [0, 1])
    #expect(try ids("uint64 > %@", -1) == [0, 1, 2, 3, 4])
    #expect(try ids("uint64 > 1.8446744073709552e19") == [])
    #expect(try ids("double >= 1 AND float < 2") == [2, 3])
    #expect(try ids("decimal == 0.1 OR decimal == %@", Decimal(string: "0.40")) == [1, 4])
    #expect(try ids("decimal <= double") == [0, 1, 2, 3, 4])
    #expect(try ids("int == int8") == [2])
    #expect(try ids { $0.int8 < 0 } == [0, 1])
    #expect(try ids("int8 < 1000") == [0, 1, 2, 3, 4])
  }

  @Test func `contains finds a substring at the end after a partial match`() throws {
    let store = try Store()
    try store.write { _ = try store.create(Leaf.self, value: ["id": "nnt"]) }
    let found = try store.objects(Leaf.self).filter(
      StorePredicate("id CONTAINS %@", arguments: ["nt"]))
    #expect(found.count == 1)
  }

  @Test func `null equals only null and is neither less nor greater than any value`() throws {
    #expect(try ids { $0.optInt == nil } == [0, 3])
    #expect(try ids { $0.optInt != nil } == [1, 2, 4])
    #expect(try ids { $0.optInt != 1 } == [0, 2, 3, 4])
    #expect(try ids { $0.optInt < 100 } == [1, 2, 4])
    #expect(try ids { !($0.optInt > 1) } == [0, 1, 3])
    #expect(try ids("optString == nil AND optDate == nil") == [0, 3])
    #expect(try ids("optDouble == optInt") == [0, 1, 2, 3, 4])
    #expect(try ids("optDouble > nil") == [])
    #expect(try ids { $0.leaf == nil } == [0, 3])
    #expect(try ids { $0.spot.label == nil } == [2, 3])
  }

  @Test func `strings compare by bytes, or without case and diacritics`() throws {
    #expect(try ids { $0.string == "cat" } == [2])
    #expect(try ids { $0.string > "a" && $0.string < "b" } == [0])
    #expect(try ids { $0.string.contains("e") } == [1, 3])
    #expect(try ids { $0.string.contains("A", options: .caseInsensitive) } == [0, 2])
    #expect(try ids("string BEGINSWITH[c] 'b'") == [1, 3])
    #expect(try ids("string ==[cd] 'BEE'") == [1, 3])
    #expect(try ids("string CONTAINS[d] 'ee'") == [1, 3])
    #expect(try ids { $0.string.ends(with: "t") } == [0, 2])
    #expect(try ids { $0.string.like("?a*") } == [2])
    #expect(try ids("string LIKE[c] 'B?e'") == [1, 3])
    #expect(try ids { $0.string == "" } == [4])
    #expect(try ids { $0.optString.starts(with: "") } == [1, 2, 4])
    #expect(try ids { $0.string.in(["ant", "", "dog"]) } == [0, 4])
    #expect(try ids("string IN[c] %@", ["ANT", "CAT"]) == [0, 2])
  }

  @Test func `queries compare Booleans, dates, enums and UUIDs`() throws {
    #expect(try ids { $0.bool } == [0, 2, 4])
    #expect(try ids { !$0.bool && $0.id > 1 } == [3])
    #expect(try ids("bool == NO") == [1, 3])
    #expect(try ids("bool == 1") == [0, 2, 4])
    #expect(try ids { $0.date >= Date(timeIntervalSince1970: 3) } == [3, 4])
    #expect(try ids("date < %@", Date(timeIntervalSince1970: 1)) == [0])
    #expect(try ids { $0.species == .sheep } == [1, 3])
    #expect(try ids { $0.species.in([.sheep, .horse]) } == [1, 3])
    #expect(try ids("species == 'cow'") == [0, 2, 4])
    let store = try makeStore()
    let third = try #require(store.object(ofType: AllTypes.self, forPrimaryKey: 2))
    #expect(store.objects(AllTypes.self).where { $0.uuid == third.uuid }.map(\.id) == [2])
  }

  @Test func `queries follow and compare links`() throws {
    #expect(try ids { $0.leaf.name == "Jo" } == [1])
    #expect(try ids { $0.leaf.next.name == "Jo" } == [2, 4])
    #expect(try ids("leaf.next.age > 39") == [2, 4])
    #expect(try ids("leaf.name BEGINSWITH[cd] 'bo'") == [2, 4])
    #expect(try ids { $0.spot.x > 2 } == [4])
    let store = try makeStore()
    let jo = try #require(store.object(ofType: Leaf.self, forPrimaryKey: "jo"))
    #expect(store.objects(AllTypes.self).where { $0.leaf == jo }.map(\.id) == [1])
    #expect(store.objects(AllTypes.self).where { $0.leaf != jo }.map(\.id) == [0, 2, 3, 4])
    #expect(try store.objects(AllTypes.self).filter("leaf == %@", jo).map(\.id) == [1])
    #expect(try store.objects(Leaf.self).filter("next = %@", jo).map(\.id) == ["bo"])
    try store.write { store.delete(jo) }
    #expect(store.objects(AllTypes.self).where { $0.leaf == nil }.map(\.id) == [0, 1, 3])
  }

  @Test func `any, all and none quantify over the elements of a collection`() throws {
    #expect(try ids { $0.strings.any { $0 == "t1" } } == [2, 3, 4])
    #expect(try ids { $0.strings.contains("t3") } == [4])
    #expect(try ids("ANY strings ==[c] 'T1'") == [2, 3, 4])
    #expect(try ids("'t3' IN strings") == [4])
    #expect(try ids { $0.ints.all { $0 < 2 } } == [0, 1, 2])
    #expect(try ids { $0.ints.none { $0 == 0 } } == [0])
    #expect(try ids("NONE ints > 2") == [0, 1, 2, 3])
    #expect(try ids { $0.objects.any { $0.int == -10 } } == [2])
    #expect(try ids("ANY objects.int > 0") == [4])
    #expect(try ids("ANY objects.objects.id == 0") == [2])
    #expect(try ids("NONE objects.objects.id == 0") == [0, 1, 3, 4])
    #expect(try ids("ANY objects.leaf.name == 'Jo'") == [2])
    #expect(try ids { $0.listedBy.any { $0.id == 4 } } == [3])
    #expect(try ids("ANY objects.id < id") == [1, 2, 3, 4])
    #expect(try ids { thing in thing.objects.any { $0.int8 == thing.int8 } } == [])
    let store = try makeStore()
    #expect(
      store.objects(Leaf.self).where { leaf in
        leaf.holders.any { thing in thing.objects.any { $0.id == 0 } }
      }.map(\.id) == ["jo"])
  }

  @Test func `queries count and aggregate the elements of a collection`() throws {
    #expect(try ids { $0.strings.count > 2 } == [3, 4])
    #expect(try ids("strings.@count == 0") == [0])
    #expect(try ids { $0.ints.max > 1 } == [3, 4])
    #expect(try ids { $0.ints.min == nil } == [0])
    #expect(try ids("ints.@sum == 3") == [3])
    #expect(try ids("ints.@avg > 1") == [4])
    #expect(try ids { $0.objects.sum(\.int) < 0 } == [1, 2])
    #expect(try ids("objects.@max.double >= 1") == [3, 4])
    #expect(try ids("SUBQUERY(objects, $p, $p.int < 0 AND $p.bool == YES).@count > 0") == [1])
    #expect(try ids("listedBy.@count == 0") == [4])
  }

  @Test func `a condition inside a counted operand of IN is normalized`() throws {
    let format = "SUBQUERY(objects, $x0, -5 < $x0.int).@count IN ints"
    #expect(
      try StorePredicate(format).description
        == "SUBQUERY(objects, $x0, $x0.int > -5).@count IN ints")
    #expect(try ids(format) == [1, 2, 3, 4])
  }

  @Test func `NaN is the maximum of a collection at any position`() throws {
    let store = try Store()
    try store.write {
      for (id, values) in [[Float.nan, 3, 0.5], [0.5, .nan, 3], [3, 0.5, .nan]].enumerated() {
        let thing = try store.create(AllTypes.self, value: ["id": .init(id)])
        for value in values { thing.floats.append(value) }
      }
    }
    let things = store.objects(AllTypes.self)
    #expect(try things.filter("floats.@min == 0.5").count == 3)
    #expect(try things.filter("floats.@max == 3").isEmpty)
  }

  @Test func `results reflect later changes`() throws {
    let store = try makeStore()
    let some = store.objects(AllTypes.self).where { $0.int > 0 }
    #expect(some.count == 2 && some.first?.id == 3 && some.last?.id == 4)
    try store.write {
      some[0].int = -1
      #expect(some.map(\.id) == [4])
      try store.create(AllTypes.self, value: ["id": 9, "int": 1])
      #expect(some.map(\.id) == [4, 9])
      if let last = some.last { store.delete(last) }
      #expect(some.map(\.id) == [4])
    }
    #expect(some.map(\.id) == [4])
    let frozen = some.frozen()
    try store.write { some.first?.int = 0 }
    #expect(some.isEmpty && frozen.map(\.id) == [4])
    for thing in store.objects(AllTypes.self).where({ $0.int < 0 }) {
      try store.write { thing.int = 7 }
    }
    #expect(store.objects(AllTypes.self).where { $0.int == 7 }.map(\.id) == [0, 1, 3])
  }

  @Test func `sort, limit and distinct apply in the order of the calls`() throws {
    let store = try makeStore()
    let all = store.objects(AllTypes.self)
    #expect(all.sorted(by: \.int, ascending: false).map(\.id) == [4, 3, 2, 1, 0])
    #expect(all.sorted(by: \.string).map(\.id) == [4, 1, 0, 3, 2])
    #expect(all.sorted(by: \.optInt).map(\.id) == [0, 3, 1, 2, 4])
    #expect(all.sorted(by: \.optInt, ascending: false).map(\.id) == [4, 2, 1, 0, 3])
    #expect(all.sorted(by: \.leaf?.name).map(\.id) == [0, 3, 2, 4, 1])
    #expect(
      try all.sorted(by: [
        StoreSortDescriptor("bool"), StoreSortDescriptor("decimal", ascending: false),
      ]).map(\.id) == [3, 1, 4, 2, 0])
    #expect(all.limit(2).map(\.id) == [0, 1])
    #expect(all.limit(2, offset: 4).map(\.id) == [4])
    #expect(all.sorted(by: \.id, ascending: false).limit(2, offset: 1).map(\.id) == [3, 2])
    #expect(all.limit(3).sorted(by: \.id, ascending: false).map(\.id) == [2, 1, 0])
    #expect(all.limit(3).where { $0.bool }.map(\.id) == [0, 2])
    #expect(all.distinct(by: \.species).map(\.id) == [0, 1])
    #expect(all.sorted(by: \.id, ascending: false).distinct(by: \.bool).map(\.id) == [4, 3])
    let third = try #require(store.object(ofType: AllTypes.self, forPrimaryKey: 2))
    #expect(all.sorted(by: \.int, ascending: false).index(of: third) == 2)
    #expect(all.where { $0.bool == false }.index(of: third) == nil)
  }

  @Test func `0 and -0 are one value for distinct and for sections`() throws {
    let store = try Store()
    try store.write {
      for (id, double) in [(1, 0.0), (2, -0.0), (3, 1.0)] {
        try store.create(AllTypes.self, value: ["id": .init(id), "double": .init(double)])
      }
    }
    let all = store.objects(AllTypes.self)
    #expect(all.distinct(by: \.double).map(\.id) == [1, 3])
    #expect(all.sectioned(by: \.double).map { $0.map(\.id) } == [[1, 2], [3]])
  }

  @Test func `localizedDescription of an error equals its description`() throws {
    let error = #expect(throws: StoreError.self) {
      try Store().objects(AllTypes.self).filter("int == 'x'")
    }
    #expect(error?.localizedDescription == error?.description)
  }

  @Test func `results have a minimum, maximum, sum and average`() throws {
    let store = try makeStore()
    let all = store.objects(AllTypes.self)
    #expect(all.min(of: \.int) == -20 && all.max(of: \.int) == 20)
    #expect(
      all.min(of: \.optInt) == 1 && all.max(of: \.optDate) == Date(timeIntervalSince1970: 4))
    #expect(all.sum(of: \.int) == 0 && all.sum(of: \.double) == 5)
    #expect(all.sum(of: \.decimal) == 1)
    #expect(all.average(of: \.int) == 0 && all.average(of: \.optInt) == 7.0 / 3)
    #expect(all.sum(of: \.uint64) == .max)
    let none = all.where { $0.id > 9 }
    #expect(
      none.min(of: \.int) == nil && none.average(of: \.double) == nil
        && none.sum(of: \.int) == 0)
  }

  @Test func `objects of dynamic classes can be filtered and sorted`() throws {
    let store = try Store(configuration: .inMemory(), schemas: [QueryModels.user])
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

  @Test func `integer sums are exact even if a partial sum overflows`() throws {
    let store = try Store()
    try store.write {
      for (id, (int, uint64)) in [(Int.max, UInt64(1) << 63), (1, 10), (-5, 0)].enumerated() {
        let thing = try store.create(AllTypes.self, value: ["id": .init(id)])
        (thing.int, thing.uint64) = (int, uint64)
      }
    }
    let things = store.objects(AllTypes.self)
    #expect(things.sum(of: \.uint64) == UInt64(1) << 63 + 10)
    #expect(things.sum(of: \.int) == Int.max - 4)
    #expect(things.where { $0.id != 2 }.sum(of: \.int) == .max)
  }
}

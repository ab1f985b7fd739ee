import Foundation
import TestSupport
import Testing

@testable import ObjectStore

/// Query plans as ``Results/explainQuery()`` prints them.
@Suite struct `Query plans` {
  private typealias Owner = Planned.Owner
  private typealias Animal = Planned.Animal

  let store: Store
  private var animals: Results<Planned.Animal> { store.objects(Animal.self) }

  /// Creates 1,000 animals: legs 0 … 99, ten of each; names `0 animal 0` …, descending weights, owners jo and bo.
  init() throws {
    store = try Store()
    try store.write {
      let jo = try store.create(Owner.self, value: ["id": "jo", "name": "Jo"])
      let bo = try store.create(Owner.self, value: ["id": "bo", "name": "Bo"])
      for id in 0..<1_000 {
        let animal = try store.create(
          Animal.self,
          value: [
            "id": .init(id), "name": .string("\(id % 50) animal \(id)"), "legs": .init(id % 100),
            "weight": .init(Double(1_000 - id)),
          ])
        if id % 100 == 7 { animal.owner = id % 200 == 7 ? jo : bo }
        if id < 20 { animal.born = Date(timeIntervalSince1970: Double(id)) }
      }
    }
  }

  private func expect(
    _ results: Results<Planned.Animal>, _ lines: String...,
    sourceLocation: SourceLocation = #_sourceLocation
  ) {
    #expect(
      results.explainQuery() == lines.joined(separator: "\n  "), sourceLocation: sourceLocation)
  }

  @Test func `a query without a suitable index scans every row`() throws {
    expect(animals, "Animal: every row: 1000 candidates")
    expect(
      animals.where { $0.note == nil },
      "Animal: every row: 1000 candidates", "where note == nil: 1000 found")
    // A scan is faster for half of all rows.
    expect(
      animals.where { $0.legs < 50 },
      "Animal: every row: 1000 candidates", "where legs < 50: 500 found")
    expect(
      animals.where { $0.legs == 3 || $0.note == "x" },
      "Animal: every row: 1000 candidates", "where legs == 3 OR note == \"x\": 10 found")
    // Rows after the last result are not examined.
    expect(
      animals.where { $0.note == nil }.limit(3),
      "Animal: every row: 256 candidates", "where note == nil: 3 found", "limit 3: 3 left")
  }

  @Test func `a condition on the primary key is a key lookup`() throws {
    expect(
      animals.where { $0.id == 7 && $0.legs == 7 },
      "Animal: key id, id == 7: 1 candidate", "where id == 7 AND legs == 7: 1 found")
    expect(
      animals.where { $0.id.in([9, 3, 9, 5_000]) },
      "Animal: key id, id IN {9, 3, 9, 5000}: 2 candidates",
      "where id IN {9, 3, 9, 5000}: 2 found")
    #expect(animals.where { $0.id.in([9, 3, 9, 5_000]) }.map(\.id) == [3, 9])
    let owners = store.objects(Owner.self).where { $0.id == "jo" }
    #expect(
      owners.explainQuery()
        == "Owner: key id, id == \"jo\": 1 candidate\n  where id == \"jo\": 1 found")
  }

  @Test func `a condition on an indexed attribute uses its index`() throws {
    expect(
      animals.where { $0.legs == 7 && $0.owner.name == "Jo" },
      "Animal: index on legs, legs == 7: 10 candidates",
      "where legs == 7 AND owner.name == \"Jo\": 5 found")
    expect(
      animals.where { $0.legs > 3 && $0.note == nil && $0.legs < 6 },
      "Animal: index on legs, legs > 3 AND legs < 6: 20 candidates",
      "where legs > 3 AND note == nil AND legs < 6: 20 found")
    expect(
      animals.where { $0.legs.between(97...98) },
      "Animal: index on legs, legs BETWEEN {97, 98}: 20 candidates",
      "where legs BETWEEN {97, 98}: 20 found")
    expect(
      animals.where { $0.name.starts(with: "7 a") },
      "Animal: index on name, name BEGINSWITH \"7 a\": 20 candidates",
      "where name BEGINSWITH \"7 a\": 20 found")
    // Names with a common prefix share keys and are distinguished by their cells.
    expect(
      animals.where { $0.name == "7 animal 57" },
      "Animal: index on name, name == \"7 animal 57\": 20 candidates",
      "where name == \"7 animal 57\": 1 found")
    expect(
      animals.where { $0.born != nil },
      "Animal: index on born, born != nil: 20 candidates", "where born != nil: 20 found")
    // The index with the fewest rows is used.
    expect(
      animals.where { $0.legs == 7 && $0.weight > 990 },
      "Animal: index on legs, legs == 7: 10 candidates",
      "where legs == 7 AND weight > 990.0: 1 found")
    expect(
      animals.where { $0.legs == 7 && $0.weight > 995 },
      "Animal: index on weight, weight > 995.0: 5 candidates",
      "where legs == 7 AND weight > 995.0: 0 found")
  }

  @Test func `conditions joined by OR use several indexes together`() throws {
    expect(
      animals.where { $0.legs == 7 || $0.weight < 4 || $0.id == 500 },
      "Animal: index on legs or index on weight or key id, "
        + "legs == 7 OR weight < 4.0 OR id == 500: 14 candidates",
      "where legs == 7 OR weight < 4.0 OR id == 500: 14 found")
    expect(
      animals.where { $0.weight.in([1, 2.5, 3]) },
      "Animal: index on weight, weight IN {1.0, 2.5, 3.0}: 2 candidates",
      "where weight IN {1.0, 2.5, 3.0}: 2 found")
  }

  @Test func `a condition on a link uses backlinks once they are maintained`() throws {
    let jo = try #require(store.object(ofType: Owner.self, forPrimaryKey: "jo"))
    _ = jo.animals.count
    try store.write { jo.name = "Joe" }
    let table = try store.handle.entry(Owner.self).table
    expect(
      animals.where { $0.owner == jo },
      "Animal: links of owner, owner == an object (table \(table), row 0): 5 candidates",
      "where owner == an object (table \(table), row 0): 5 found")
  }

  @Test func `a limited sort reads rows in index order`() throws {
    expect(
      animals.sorted(by: \.weight).limit(3),
      "Animal: index on weight, in order: 3 candidates", "sorted by weight", "limit 3: 3 left")
    #expect(animals.sorted(by: \.weight).limit(3).map(\.id) == [999, 998, 997])
    // Strings with a common prefix are sorted by their cells.
    expect(
      try animals.sorted(by: [StoreSortDescriptor("name", ascending: false)]).limit(2, offset: 1),
      "Animal: index on name, in descending order: 20 candidates", "sorted by name descending",
      "limit 2, offset 1: 2 left")
    expect(
      animals.where { $0.note == nil }.sorted(by: \.weight).limit(3),
      "Animal: index on weight, in order: 3 candidates", "where note == nil: 3 found",
      "sorted by weight", "limit 3: 3 left")
    // No row matches in index order, so the plan is abandoned and the rows are sorted.
    expect(
      animals.where { $0.note == "x" }.sorted(by: \.weight).limit(3),
      "Animal: index on weight, in order: given up after 64 candidates",
      "every row: 1000 candidates", "where note == \"x\": 0 found", "sorted by weight",
      "limit 3: 0 left")
    expect(
      animals.sorted(by: \.weight),
      "Animal: every row: 1000 candidates", "sorted by weight")
    expect(
      animals.distinct(by: \.legs).limit(2),
      "Animal: every row: 1000 candidates", "distinct by legs: 100 left", "limit 2: 2 left")
  }

  @Test func `a query inside a write includes the rows that the write changed`() throws {
    store.undone {
      try #require(animals.first).legs = 7
      try store.create(Animal.self, value: ["id": 2_000, "legs": 7])
      expect(
        animals.where { $0.legs == 7 },
        "Animal: index on legs, legs == 7, and what the write changed: 12 candidates",
        "where legs == 7: 12 found")
      for animal in animals.prefix(500) { animal.legs = 8 }
      #expect(animals.where { $0.legs == 7 }.explainQuery().contains("every row"))
    }
    #expect(animals.where { $0.legs == 7 }.count == 10)
  }

  @Test func `a sort inside a write merges changed rows into the index order`()
    throws
  {
    let byWeight = animals.sorted(by: \.weight)
    let falling = animals.sorted(by: \.weight, ascending: false)
    func weight(_ id: Int) -> Double? {
      store.object(ofType: Animal.self, forPrimaryKey: id)?.weight
    }
    func expectFirst(_ ids: [Int], _ lastIDs: [Int]) {
      expect(
        byWeight.limit(3),
        "Animal: index on weight, in order, and what the write changed: 3 candidates",
        "sorted by weight", "limit 3: 3 left")
      #expect(byWeight.limit(3).map(\.id) == ids)
      #expect(falling.limit(3).map(\.id) == lastIDs)
      #expect(byWeight.first?.id == ids[0] && falling.first?.id == lastIDs[0])
      #expect(animals.min(of: \.weight) == weight(ids[0]))
      #expect(animals.max(of: \.weight) == weight(lastIDs[0]))
    }
    store.undone {
      animals[0].weight = 0.5
      expectFirst([0, 999, 998], [1, 2, 3])
      store.delete(animals[999])
      try store.create(Animal.self, value: ["id": 2_000, "weight": 2_000.0])
      expectFirst([0, 998, 997], [2_000, 1, 2])
      store.undone {
        animals[0].weight = 3
        animals[1].weight = 2
        // Equal values are in order of insertion.
        expectFirst([1, 998, 0], [2_000, 2, 3])
        animals[0].weight = 1_000
        expectFirst([1, 998, 997], [2_000, 0, 2])
      }
      expectFirst([0, 998, 997], [2_000, 1, 2])
      expect(
        animals.where { $0.note == nil }.sorted(by: \.weight).limit(2),
        "Animal: index on weight, in order, and what the write changed: 2 candidates",
        "where note == nil: 2 found", "sorted by weight", "limit 2: 2 left")
      for animal in animals.prefix(500) { animal.weight += 1 }
      #expect(byWeight.limit(3).explainQuery().contains("every row: 1000 candidates"))
      #expect(byWeight.limit(3).map(\.id) == [0, 998, 997])
    }
    #expect(byWeight.limit(3).map(\.id) == [999, 998, 997])
  }

  @Test func `the closure form and the format form of a query have the same plan`() throws {
    let pairs: [(Results<Planned.Animal>, String)] = [
      (animals.where { $0.legs == 7 && $0.note == nil }, "legs == 7 AND note == nil"),
      (animals.where { $0.legs.in([3, 4]) }, "legs IN {3, 4}"),
      (animals.where { $0.legs.between(3...4) }, "legs BETWEEN {3, 4}"),
      (animals.where { $0.legs > 97 || $0.id == 4 }, "97 < legs OR id == 4"),
      (animals.where { !($0.born == nil) }, "NOT born == nil"),
      (animals.where { $0.name.starts(with: "7 ") }, "name BEGINSWITH '7 '"),
    ]
    for (closure, format) in pairs {
      #expect(try closure.explainQuery() == animals.filter(format).explainQuery())
      #expect(!closure.explainQuery().contains("every row"))
    }
  }

  @Test func `min and max of an indexed attribute read the ends of its index`() throws {
    #expect(animals.min(of: \.legs) == 0 && animals.max(of: \.legs) == 99)
    #expect(animals.min(of: \.name) == "0 animal 0" && animals.max(of: \.name) == "9 animal 959")
    #expect(animals.min(of: \.born) == Date(timeIntervalSince1970: 0))
    #expect(animals.max(of: \.born) == Date(timeIntervalSince1970: 19))
    store.undone {
      try #require(animals.last).legs = 500
      #expect(animals.max(of: \.legs) == 500)
      for animal in animals { animal.born = nil }
      #expect(animals.min(of: \.born) == nil && animals.max(of: \.born) == nil)
    }
    #expect(animals.max(of: \.legs) == 99)
  }

  @Test func `min and max compare whole strings if their index keys are equal`() throws {
    // The first eight bytes are the index key.
    let names = ["~same key b", "~same key d", "~same key a", "~same key c"]
    store.undone {
      for (animal, name) in zip(animals, names) { animal.name = name }
      #expect(animals.max(of: \.name) == "~same key d")
      for (animal, name) in zip(animals, names) { animal.name = " " + name }
      #expect(animals.min(of: \.name) == " ~same key a")
    }
    try store.write { for (animal, name) in zip(animals, names) { animal.name = name } }
    #expect(animals.max(of: \.name) == "~same key d")
    try store.write { for (animal, name) in zip(animals, names) { animal.name = " " + name } }
    #expect(animals.min(of: \.name) == " ~same key a")
  }
}

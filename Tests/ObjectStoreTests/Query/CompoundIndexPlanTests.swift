import TestSupport
import Testing

@testable import ObjectStore

/// Query plans that use compound indexes.
@Suite struct `Query plans with compound indexes` {
  private typealias Horse = Planned.Horse

  let store: Store
  private var horses: Results<Planned.Horse> { store.objects(Horse.self) }

  /// Creates 1,000 horses: every combination of 4 breeds, 25 years and 10 names; 100 of them have a height.
  init() throws {
    store = try Store()
    let breeds = ["cob", "pony", "shetland pony", "shetland horse"]
    try store.write {
      for id in 0..<1_000 {
        let horse = try store.create(
          Horse.self,
          value: [
            "id": .init(id), "breed": .string(breeds[id % 4]), "year": .init(2_000 + id / 4 % 25),
            "name": .string("horse \(id / 100)"),
          ])
        if id < 100 { horse.height = 2 - Double(id) / 100 }
      }
    }
  }

  private func expect(
    _ results: Results<Planned.Horse>, _ lines: String...,
    sourceLocation: SourceLocation = #_sourceLocation
  ) {
    #expect(
      results.explainQuery() == lines.joined(separator: "\n  "), sourceLocation: sourceLocation)
  }

  @Test func `a compound index serves equality on leading attributes and a range on the next`() {
    expect(
      horses.where { $0.year == 2_003 && $0.breed == "cob" },
      #"Horse: index on (breed, year, name), breed == "cob" AND year == 2003: 10 candidates"#,
      #"where year == 2003 AND breed == "cob": 10 found"#)
    expect(
      horses.where { $0.breed == "cob" }.where { $0.id != 5 }.where { $0.year >= 2_023 },
      #"Horse: index on (breed, year, name), breed == "cob" AND year >= 2023: 20 candidates"#,
      #"where breed == "cob" AND id != 5 AND year >= 2023: 20 found"#)
    expect(
      horses.where { $0.breed == "cob" && $0.year.between(2_001...2_002) },
      #"Horse: index on (breed, year, name), breed == "cob" AND year BETWEEN {2001, 2002}: "#
        + "20 candidates",
      #"where breed == "cob" AND year BETWEEN {2001, 2002}: 20 found"#)
    expect(
      horses.where { $0.breed == "cob" && $0.year > 2_001 && $0.year < 2_004 },
      #"Horse: index on (breed, year, name), breed == "cob" AND year > 2001 AND year < 2004: "#
        + "20 candidates",
      #"where breed == "cob" AND year > 2001 AND year < 2004: 20 found"#)
    expect(
      horses.where { $0.breed == "cob" && $0.year == 2_001 && $0.name.starts(with: "horse 7") },
      #"Horse: index on (breed, year, name), breed == "cob" AND year == 2001 "#
        + #"AND name BEGINSWITH "horse 7": 1 candidate"#,
      #"where breed == "cob" AND year == 2001 AND name BEGINSWITH "horse 7": 1 found"#)
    // Conditions after a range are checked row by row.
    expect(
      horses.where { $0.breed == "cob" && $0.year > 2_022 && $0.name == "horse 7" },
      #"Horse: index on (breed, year, name), breed == "cob" AND year > 2022: 20 candidates"#,
      #"where breed == "cob" AND year > 2022 AND name == "horse 7": 2 found"#)
    // Breeds with a common prefix share keys and are distinguished by their cells.
    expect(
      horses.where { $0.breed == "shetland pony" && $0.year == 2_003 },
      #"Horse: index on (breed, year, name), breed == "shetland pony" AND year == 2003: "#
        + "20 candidates",
      #"where breed == "shetland pony" AND year == 2003: 10 found"#)
  }

  @Test func `a compound index serves null and IN conditions`() {
    expect(
      horses.where { $0.year == 2_003 && $0.height == nil },
      "Horse: index on (year, height), year == 2003 AND height == nil: 36 candidates",
      "where year == 2003 AND height == nil: 36 found")
    expect(
      horses.where { $0.year.in([2_003, 2_004]) && $0.height != nil },
      "Horse: index on (year, height), year IN {2003, 2004} AND height != nil: 8 candidates",
      "where year IN {2003, 2004} AND height != nil: 8 found")
    expect(
      horses.where { $0.breed.in(["cob", "pony"]) && $0.year.in([2_003, 2_004, 1_990]) },
      #"Horse: index on (breed, year, name), breed IN {"cob", "pony"} "#
        + "AND year IN {2003, 2004, 1990}: 40 candidates",
      #"where breed IN {"cob", "pony"} AND year IN {2003, 2004, 1990}: 40 found"#)
    expect(
      horses.where { $0.year == 2_003 && $0.year == 2_004 },
      "Horse: index on (year, height), year == 2003 AND year == 2004: 0 candidates",
      "where year == 2003 AND year == 2004: 0 found")
  }

  @Test func `a scan replaces a compound index if there are too many combinations of values`() {
    let years = Array(1_970...1_998) + [2_003]
    #expect(
      horses.where { $0.breed.in(["cob", "pony"]) && $0.year.in(years) }.explainQuery()
        .hasPrefix("Horse: every row: 1000 candidates"))
    #expect(
      horses.where { $0.breed == "cob" && $0.year.in(Array(years[24...])) }.explainQuery()
        .hasPrefix("Horse: index on (breed, year, name), "))
  }

  @Test func `a query chooses the compound index with the fewest rows, or a scan if none helps`() {
    expect(
      horses.where { $0.year == 2_003 && $0.name == "horse 1" },
      "Horse: index on (year, height), year == 2003: 40 candidates",
      #"where year == 2003 AND name == "horse 1": 4 found"#)
    expect(
      horses.where { $0.breed == "cob" && $0.year == 2_003 && $0.height > 1 },
      "Horse: index on (year, height), year == 2003 AND height > 1.0: 4 candidates",
      #"where breed == "cob" AND year == 2003 AND height > 1.0: 1 found"#)
    expect(
      horses.where { $0.id == 12 && $0.breed == "cob" && $0.year == 2_003 },
      "Horse: key id, id == 12: 1 candidate",
      #"where id == 12 AND breed == "cob" AND year == 2003: 1 found"#)
    // A scan is faster for a quarter of all rows.
    expect(
      horses.where { $0.breed == "cob" },
      "Horse: every row: 1000 candidates", #"where breed == "cob": 250 found"#)
    expect(
      horses.where { $0.height == 1.5 },
      "Horse: every row: 1000 candidates", "where height == 1.5: 1 found")
    expect(
      horses.where {
        $0.breed == "cob" && $0.year == 2_003 || $0.breed == "pony" && $0.year == 2_004
      },
      #"Horse: index on (breed, year, name), breed == "cob" AND year == 2003 "#
        + #"OR breed == "pony" AND year == 2004: 20 candidates"#,
      #"where breed == "cob" AND year == 2003 OR breed == "pony" AND year == 2004: 20 found"#)
    expect(
      horses.where { $0.year == 2_003 || $0.id == 7 },
      "Horse: index on (year, height) or key id, year == 2003 OR id == 7: 41 candidates",
      "where year == 2003 OR id == 7: 41 found")
  }

  @Test func `a limited sort reads the first rows in the order of a compound index`() throws {
    let cobs = horses.where { $0.breed == "cob" }
    expect(
      cobs.sorted(by: \.year).limit(20),
      #"Horse: index on (breed, year, name), breed == "cob", in order: 20 candidates"#,
      #"where breed == "cob": 20 found"#, "sorted by year", "limit 20: 20 left")
    expect(
      cobs.sorted(by: \.year, ascending: false).limit(20),
      #"Horse: index on (breed, year, name), breed == "cob", in descending order: 20 candidates"#,
      #"where breed == "cob": 20 found"#, "sorted by year descending", "limit 20: 20 left")
    expect(
      horses.where { $0.breed == "cob" && $0.year > 2_020 }.sorted(by: \.year).limit(3),
      #"Horse: index on (breed, year, name), breed == "cob" AND year > 2020, in order: "#
        + "10 candidates",
      #"where breed == "cob" AND year > 2020: 3 found"#, "sorted by year", "limit 3: 3 left")
    // Rows with equal values of the last attribute are in order of insertion, so the first ones suffice.
    expect(
      horses.where { $0.year == 2_003 }.sorted(by: \.height).limit(5),
      "Horse: index on (year, height), year == 2003, in order: 5 candidates",
      "where year == 2003: 5 found", "sorted by height", "limit 5: 5 left")
    #expect(
      horses.where { $0.year == 2_003 }.sorted(by: \.height).limit(2).map(\.id) == [112, 113])
    expect(
      try horses.sorted(by: [StoreSortDescriptor("year"), StoreSortDescriptor("height")]).limit(3),
      "Horse: index on (year, height), in order: 3 candidates", "sorted by year, height",
      "limit 3: 3 left")
    // With mixed directions, the rows of one year are sorted.
    expect(
      try horses.sorted(by: [
        StoreSortDescriptor("year"), StoreSortDescriptor("height", ascending: false),
      ]).limit(3),
      "Horse: index on (year, height), in order: 40 candidates",
      "sorted by year, height descending", "limit 3: 3 left")
    // The rows of two breeds are not in order of year.
    #expect(
      horses.where { $0.breed.in(["cob", "pony"]) }.sorted(by: \.year).limit(3).explainQuery()
        .contains("Horse: index on (year, height), in order: "))
  }

  /// Creates rows with integer attributes, of a class described by a schema.
  private func rows(
    _ names: [String], indexes: [[String]], count: Int, _ value: (Int) -> [Int]
  ) throws -> Results<DynamicObject> {
    let schema = ObjectSchema(
      "Row",
      [Property("id", .int, isPrimaryKey: true)] + names.map { Property($0, .int) },
      indexes: indexes)
    let store = try Store(configuration: .inMemory(), schemas: [schema])
    try store.write {
      for id in 0..<count {
        var row: UpdateDictionary = ["id": .init(id)]
        for (name, number) in zip(names, value(id)) { row[name] = .init(number) }
        try store.create(dynamic: "Row", value: row)
      }
    }
    return try store.objects(dynamic: "Row")
  }

  @Test(arguments: [[["b", "c", "d"], ["b", "c"]], [["b", "c"], ["b", "c", "d"]]])
  func `a limited sort prefers the index that ends with the sort key, in any declaration order`(
    indexes: [[String]]
  ) throws {
    let rows = try rows(["b", "c", "d"], indexes: indexes, count: 400) { [$0 % 4, $0 / 120, $0] }
    #expect(
      try rows.filter("b == 3").sorted(by: [StoreSortDescriptor("c")]).limit(20).explainQuery()
        .hasPrefix("Row: index on (b, c), b == 3, in order: 20 candidates"))
  }

  @Test func `a limited sort abandons an index with too many equal keys`() throws {
    let rows = try rows(["one", "two"], indexes: [["one", "two"]], count: 1_000) { [0, -$0] }
    #expect(
      try rows.sorted(by: [StoreSortDescriptor("one")]).limit(20).explainQuery() == """
        Row: index on (one, two), in order: given up after 270 candidates
          every row: 1000 candidates
          sorted by one
          limit 20: 20 left
        """)
  }

  @Test func `first on a sorted result returns the first row in index order`() {
    let cobs = horses.where { $0.breed == "cob" }.sorted(by: \.year, ascending: false)
    #expect(cobs.first?.id == 96)
    #expect(horses.where { $0.breed == "pig" }.sorted(by: \.year).first == nil)
    #expect(horses.sorted(by: \.height).first?.id == 100)
  }

  @Test
  func `a query inside a write includes rows changed in any attribute of a compound index`()
    throws
  {
    let found = horses.where { $0.breed == "cob" && $0.year == 2_003 }
    store.undone {
      try #require(horses.first).name = "other"
      try #require(horses.first).year = 2_003
      try #require(horses.last).height = 3
      try store.create(Horse.self, value: ["id": 2_000, "breed": "cob", "year": 2_003])
      expect(
        found,
        #"Horse: index on (breed, year, name), breed == "cob" AND year == 2003, "#
          + "and what the write changed: 12 candidates",
        #"where breed == "cob" AND year == 2003: 12 found"#)
      expect(
        horses.where { $0.breed == "cob" }.sorted(by: \.year).limit(1),
        #"Horse: index on (breed, year, name), breed == "cob", in order, "#
          + "and what the write changed: 9 candidates",
        #"where breed == "cob": 1 found"#, "sorted by year", "limit 1: 1 left")
    }
    #expect(found.count == 10)
    store.checkInvariants()
  }

  @Test func `a compound index of a schema created at run time serves queries and observers`()
    throws
  {
    let schema = ObjectSchema(
      "Visit",
      [
        Property("id", .int, isPrimaryKey: true), Property("kind", .string, isOptional: true),
        Property("day", .int),
      ], indexes: [["kind", "day"]])
    #expect(
      schema.description
        == "Visit\n  id: Int primaryKey\n  kind: String?\n  day: Int\n  index on (kind, day)")
    #expect(schema.indexes == [["kind", "day"]])
    let store = try Store(configuration: .inMemory(), schemas: [schema])
    try store.write {
      for id in 0..<400 {
        try store.create(
          dynamic: "Visit",
          value: ["id": .init(id), "kind": id % 2 == 0 ? "vet" : nil, "day": .init(id / 4)])
      }
    }
    let first = try store.objects(dynamic: "Visit").filter("kind == nil").sorted(by: [
      StoreSortDescriptor("day")
    ])
    .limit(4)
    #expect(
      first.explainQuery() == """
        Visit: index on (kind, day), kind == nil, in order: 4 candidates
          where kind == nil: 4 found
          sorted by day
          limit 4: 4 left
        """)
    var updates: [String] = []
    let token = first.observe { change in
      if case .update(let now, _, _, _) = change {
        updates.append(now.map { "\($0["id"] ?? "none")" }.joined(separator: " "))
      }
    }
    store.refresh()
    try store.write {
      try #require(try store.object(dynamic: "Visit", forPrimaryKey: 301))["day"] = 0
      try #require(try store.object(dynamic: "Visit", forPrimaryKey: 1))["kind"] = "vet"
    }
    store.refresh()
    #expect(updates == ["3 301 5 7"])
    #expect(first.explainQuery().contains("in order: 4 candidates"))
    store.checkInvariants()
    withExtendedLifetime(token) {}
  }
}

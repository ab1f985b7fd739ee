import Foundation
import TestSupport
import Testing

@testable import ObjectStore

/// R8: word indexes are updated at the commit and serve searches.
@Suite struct `Word indexes` {
  private typealias Animal = Searched.Animal

  private let store: Store
  private var animals: Results<Searched.Animal> { store.objects(Animal.self) }

  /// Inserts 1,000 animals named `Animal 0 of 0` to `Animal 999 of 9`. Every fourth name also ends in `four`.
  init() throws {
    store = try Store()
    try store.write {
      for id in 0..<1_000 {
        try store.create(
          Animal.self,
          value: [
            "id": .init(id), "legs": .init(id % 100),
            "name": .string("Animal \(id) of \(id % 10)\(id % 4 == 0 ? " four" : "")"),
            "note": id % 2 == 0 ? .null : .string("note\(id)"),
          ])
      }
    }
  }

  private func animal(_ id: Int) throws -> Searched.Animal {
    try #require(store.object(ofType: Animal.self, forPrimaryKey: id))
  }

  private func ids(_ search: String) -> [Int] {
    animals.where { $0.name.matches(search) }.map(\.id)
  }

  private func expect(
    _ results: Results<Searched.Animal>, _ lines: String...,
    sourceLocation: SourceLocation = #_sourceLocation
  ) {
    #expect(
      results.explainQuery() == lines.joined(separator: "\n  "), sourceLocation: sourceLocation)
  }

  @Test func `a search examines only rows that contain its rarest words`() throws {
    expect(
      animals.where { $0.name.matches("of 77 animal") },
      #"Animal: words of name, name TEXT "of 77 animal": 1 candidate"#,
      #"where name TEXT "of 77 animal": 1 found"#)
    // If each word is in many rows, the rows with all words are the candidates.
    expect(
      animals.where { $0.name.matches("3 four") },
      #"Animal: words of name, name TEXT "3 four": 0 candidates"#,
      #"where name TEXT "3 four": 0 found"#)
    expect(
      animals.where { $0.name.matches("four 4") },
      #"Animal: words of name, name TEXT "four 4": 50 candidates"#,
      #"where name TEXT "four 4": 50 found"#)
    // The index is used even for half of all rows.
    expect(
      animals.where { $0.note.matches("note*") },
      #"Animal: words of note, note TEXT "note*": 500 candidates"#,
      #"where note TEXT "note*": 500 found"#)
  }

  @Test func `word indexes serve prefixes, alternatives and combined conditions`() throws {
    expect(
      animals.where { $0.name.matches("99* -991") },
      #"Animal: words of name, name TEXT "99* -991": 11 candidates"#,
      #"where name TEXT "99* -991": 10 found"#)
    expect(
      animals.where { $0.name.matches("77") || $0.note.matches("note99") || $0.id == 3 },
      #"Animal: key id or words of name or words of note, "#
        + #"name TEXT "77" OR note TEXT "note99" OR id == 3: 3 candidates"#,
      #"where name TEXT "77" OR note TEXT "note99" OR id == 3: 3 found"#)
    expect(
      animals.where { $0.name.matches("four") && $0.legs == 4 },
      "Animal: index on legs, legs == 4: 10 candidates",
      #"where name TEXT "four" AND legs == 4: 10 found"#)
    expect(
      animals.where { $0.name.matches("77") && $0.legs == 77 },
      #"Animal: words of name, name TEXT "77": 1 candidate"#,
      #"where name TEXT "77" AND legs == 77: 1 found"#)
    // The attribute has both kinds of index.
    expect(
      animals.where { $0.note == "note99" },
      #"Animal: index on note, note == "note99": 1 candidate"#,
      #"where note == "note99": 1 found"#)
  }

  @Test func `a search that word indexes cannot serve scans all rows`() throws {
    for results in [
      animals.where { !$0.name.matches("77") }, animals.where { $0.name.matches("-77") },
      animals.where { $0.name.matches("four") && $0.breed == "x" },
    ] {
      #expect(results.explainQuery().hasPrefix("Animal: every row: 1000 candidates"))
    }
    #expect(
      try animals.filter("owner.name TEXT 'jo'").explainQuery()
        .hasPrefix("Animal: every row: 1000 candidates"))
  }

  @Test func `a search inside a write finds uncommitted changes until they are rolled back`() throws
  {
    #expect(ids("77") == [77])
    store.undone {
      try animal(77).name = "Nobody"
      try animal(5).name = "Seven, or 77"
      store.delete(try animal(66))
      try store.create(Animal.self, value: ["id": 2_000, "name": "66 and 77"])
      #expect(ids("77") == [5, 2_000] && ids("66") == [2_000] && ids("nob*") == [77])
      expect(
        animals.where { $0.name.matches("77") },
        #"Animal: words of name, name TEXT "77", and what the write changed: 3 candidates"#,
        #"where name TEXT "77": 2 found"#)
      store.undone {
        try animal(77).name = "77 again"
        #expect(ids("77") == [5, 77, 2_000])
      }
      #expect(ids("77") == [5, 2_000])
      let frozen = animals.where { $0.name.matches("77") }.frozen()
      #expect(frozen.map(\.id) == [5, 2_000])
      try store.rekey(try animal(5), to: 3_000)
      #expect(ids("77") == [3_000, 2_000])
    }
    #expect(ids("77") == [77] && ids("66") == [66] && ids("nob*") == [])
    store.checkInvariants()
  }

  @Test func `a commit updates word indexes and leaves those of older versions unchanged`() throws {
    let live = animals.where { $0.name.matches("four 4") }
    let before = live.frozen()
    let ids = live.map(\.id)
    try store.write {
      store.delete(try animal(ids[0]))
      try animal(ids[1]).name = "Other"
      try animal(ids[2]).note = "the name stays"
      try store.create(Animal.self, value: ["id": 2_000, "name": "FOUR, 4"])
      try store.rekey(try animal(ids[3]), to: 2_001)
    }
    #expect(Set(live.map(\.id)) == Set(ids.dropFirst(4) + [ids[2], 2_000, 2_001]))
    #expect(before.map(\.id) == ids)
    let shown = before.handle.tableVersion(try store.handle.entry(Animal.self).table)
    #expect(shown.indexes.words.values.map(\.count).max() == 4_240)
    store.checkInvariants()
    try store.write { store.delete(animals) }
    #expect(live.isEmpty && before.map(\.id) == ids)
    store.checkInvariants()
  }

  @Test func `changing a string updates only the index entries of words that differ`() throws {
    let table = try store.handle.entry(Animal.self).table
    let column = try #require(store.handle.entry(Animal.self).layout.searchableColumns.first)
    func pairs() -> Set<[UInt64]> {
      let tree = store.handle.tableVersion(table).indexes.words[column]
      return Set(tree?.pairs.map { [$0.key, UInt64($0.slot)] } ?? [])
    }
    let before = pairs()
    try store.write { try animal(1).name = "animal 1 OF seven" }
    #expect(before.subtracting(pairs()).count == 0)
    #expect(pairs().subtracting(before).count == 1)
    try store.write { try animal(1).legs = 9 }
    try store.write { try animal(1).name = "Animal of seven, of 1" }
    #expect(pairs().subtracting(before).count == 1)
    store.checkInvariants()
  }

  @Test(arguments: [1, 30, 600])
  func `word indexes are correct after insertions, changes, deletions and rollbacks`(count: Int)
    throws
  {
    try store.write {
      for id in 0..<count {
        try store.create(
          Animal.self, value: ["id": .init(2_000 + id), "name": .string("Añimal \(id) \(id)")])
        try animal(id).name = id % 2 == 0 ? "" : "x \(id) coffeehouse coffeehouses"
        try animal(id).note = id % 3 == 0 ? nil : "note"
        if id % 3 == 0 { store.delete(try animal(999 - id / 3)) }
      }
      try store.write { try animal(0).name = "in a savepoint" }
      store.undone { try animal(0).name = "undone" }
    }
    #expect(ids("savepoint") == [0] && ids("undone") == [])
    #expect(ids("coffeehouses").count == count / 2)
    store.checkInvariants()
  }
}

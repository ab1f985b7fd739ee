import ObjectStore
import TestSupport
import Testing

/// Objects, collections and results that a program retains after the block of a migration has returned.
@Suite struct `Objects retained after a migration` {
  private let file: MigratedFile

  init() throws {
    file = try MigratedFile()
  }

  private struct Refusal: Error {}

  /// Retains the old and the new object of the last person.
  private static func keep(_ migration: Migration, _ old: Kept, _ new: Kept) throws {
    try migration.enumerate("Person") {
      try old.keep($0)
      try new.keep($1)
      $1["years"] = "changed"
    }
    let persons = try migration.objects("Person")
    new.results = [
      persons, try persons.filter("id > 1"), try persons.sorted(by: [StoreSortDescriptor("name")]),
    ]
    #expect(new.results.map(\.count) == [3, 2, 3])
  }

  @Test(arguments: [false, true])
  func `objects retained from a migration are invalidated and collections are empty`(_ fails: Bool)
    throws
  {
    try Persons.write(file)
    let (old, new) = (Kept(), Kept())
    do {
      let store = try file.open(Persons.before, 2) { migration in
        try Self.keep(migration, old, new)
        if fails { throw Refusal() }
      }
      #expect(!fails)
      try store.write { store.deleteAll() }
    } catch is Refusal {
      #expect(fails)
    }
    for kept in [old, new] {
      #expect(kept.objects.count == 4)
      for object in kept.objects { #expect(object.isInvalidated) }
      #expect(kept.objects.first?["name"] as? String == "")
      #expect(kept.objects.first?["years"] == nil)
      #expect(kept.objects.first?["pet"] == nil)
      #expect((kept.objects.first?["pets"] as? List<DynamicObject>)?.count == 0)
      #expect(kept.tags?.count == 0)
      #expect(kept.pets.map { Array($0) } == [])
      #expect(kept.homes?.count == 0)
    }
    #expect(new.results.map(\.count) == [0, 0, 0])
    #expect(new.results.map(\.isEmpty) == [true, true, true])
  }

  @Test func `frozen objects of a migration keep their values`() throws {
    try Persons.write(file)
    let frozen = FrozenSides()
    _ = try file.open(Persons.before, 2) { migration in
      try migration.enumerate("Person") {
        $1["years"] = "changed"
        frozen.sides = [$0.frozen(), $1.frozen()]
      }
    }
    let years = frozen.sides.map { person in person.withObject { $0["years"] as? String } }
    #expect(years == ["30", "changed"])
    for person in frozen.sides {
      person.withObject {
        #expect(!$0.isInvalidated)
        #expect(text(of: $0["pets"]) == #"["p1", "p3"]"#)
        #expect(text(of: $0["home"]) == "s3")
      }
    }
  }
}

/// Retained old or new objects, with their collections and results.
// Sendable: one thread uses it.
private final class Kept: @unchecked Sendable {
  private(set) var objects: [DynamicObject] = []
  private(set) var tags: List<String>?
  private(set) var pets: List<DynamicObject>?
  private(set) var homes: Map<String, DynamicObject>?
  var results: [Results<DynamicObject>] = []

  /// Retains a person, its pet, its home and its note.
  func keep(_ person: DynamicObject) throws {
    objects = [person] + ["pet", "home", "note"].compactMap { person[$0] as? DynamicObject }
    tags = person["tags"] as? List<String>
    pets = person["pets"] as? List<DynamicObject>
    homes = person["homes"] as? Map<String, DynamicObject>
  }
}

// Sendable: one thread uses it.
private final class FrozenSides: @unchecked Sendable {
  var sides: [Frozen<DynamicObject>] = []
}

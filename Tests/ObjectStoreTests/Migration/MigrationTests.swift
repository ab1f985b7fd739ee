import Foundation
import ObjectStore
import TestSupport
import Testing

/// Migrations that run code to adapt classes to a new schema version.
@Suite struct `A migration` {
  private let file: MigratedFile

  init() throws {
    file = try MigratedFile()
  }

  @Test func `a migration renames attributes and fills a new one`() async throws {
    try Persons.write(file)
    let after = ObjectSchema(
      "Person",
      [
        Property("id", .int, isPrimaryKey: true), Property("fullName", .string, isIndexed: true),
        Property("age", .int), Property("friend", .object("Person")),
        Property("labels", .list(.string)), Property("pet", .object("Pet")),
        Property("animals", .list("Pet")), Property("place", .object("Home")),
        Property("places", .map("Home")), Property("note", .object("Note")),
      ])
    let store = try await file.migrate([after, Persons.pet, Persons.home, Persons.note]) {
      migration in
      #expect(migration.oldVersion == 1)
      #expect(migration.newVersion == 2)
      try migration.renameAttribute("Person", from: "name", to: "fullName")
      try migration.renameAttribute("Person", from: "tags", to: "labels")
      try migration.renameAttribute("Person", from: "pets", to: "animals")
      try migration.renameAttribute("Person", from: "home", to: "place")
      try migration.renameAttribute("Person", from: "homes", to: "places")
      try migration.enumerate("Person") { old, new in
        new["age"] = Int(old["years"] as? String ?? "")
      }
    }
    #expect(try store.texts("Person", "fullName") == ["n1", "n2", "n3"])
    #expect(try store.texts("Person", "age") == ["10", "20", "30"])
    #expect(try store.texts("Person", "friend") == ["1", "1", "1"])
    #expect(try store.texts("Person", "pet") == ["p1", "p2", "p3"])
    #expect(
      try store.texts("Person", "labels")
        == [#"["a", "1"]"#, #"["a", "2"]"#, #"["a", "3"]"#])
    #expect(
      try store.texts("Person", "animals")
        == [#"["p1", "p1"]"#, #"["p1", "p2"]"#, #"["p1", "p3"]"#])
    #expect(try store.texts("Person", "place") == ["s1", "s2", "s3"])
    #expect(
      try store.texts("Person", "places") == [#"["x: x1"]"#, #"["x: x2"]"#, #"["x: x3"]"#])
    #expect(try store.texts("Person", "note") == ["t1", "t2", "t3"])
    #expect(try store.texts("Pet", "owner") == ["1", "nil", "2", "3"])
  }

  @Test func `a migration renames classes and keeps links to them`() async throws {
    try Persons.write(file)
    let human = ObjectSchema(
      "Human",
      Persons.person.properties.map {
        switch $0.name {
        case "friend": Property("friend", .object("Human"))
        case "pet": Property("pet", .object("Animal"))
        case "pets": Property("pets", .list("Animal"))
        case "home": Property("home", .object("Place"))
        case "homes": Property("homes", .map("Place"))
        default: $0
        }
      })
    let animal = ObjectSchema(
      "Animal",
      [Property("name", .string, isPrimaryKey: true), Property("owner", .object("Human"))])
    let place = ObjectSchema("Place", Persons.home.properties, isEmbedded: true)
    let store = try await file.migrate([human, animal, place, Persons.note]) { migration in
      try migration.renameClass(from: "Person", to: "Human")
      try migration.renameClass(from: "Pet", to: "Animal")
      try migration.renameClass(from: "Home", to: "Place")
    }
    #expect(try store.texts("Human", "friend") == ["1", "1", "1"])
    #expect(try store.texts("Human", "pet") == ["p1", "p2", "p3"])
    #expect(try store.texts("Human", "home") == ["s1", "s2", "s3"])
    #expect(try store.texts("Animal", "owner") == ["1", "nil", "2", "3"])
    // The tables and indexes of the file have the new names.
    let lines = try file.dump()
    #expect(lines.contains { $0.hasPrefix("Human.homes: ") })
    #expect(lines.contains { $0.contains(#"ON "Human" ("name")"#) })
    #expect(!lines.contains { $0.contains("Person") || $0.contains("Pet") || $0.contains("Home") })
  }

  @Test func `a migration can swap the names of attributes and of changed classes`() async throws {
    try Persons.write(file)
    let person = ObjectSchema(
      "Pet",
      [
        Property("id", .int, isPrimaryKey: true), Property("name", .string, isOptional: true),
        Property("years", .string, isIndexed: true), Property("pet", .object("Person")),
      ])
    let pet = ObjectSchema(
      "Person",
      [Property("name", .string, isPrimaryKey: true), Property("owner", .object("Pet"))])
    let store = try await file.migrate([person, pet, Persons.home, Persons.note]) { migration in
      try migration.renameAttribute("Person", from: "name", to: "x")
      try migration.renameAttribute("Person", from: "years", to: "name")
      try migration.renameAttribute("Person", from: "x", to: "years")
      try migration.renameClass(from: "Person", to: "x")
      try migration.renameClass(from: "Pet", to: "Person")
      try migration.renameClass(from: "x", to: "Pet")
    }
    #expect(try store.texts("Pet", "name") == ["10", "20", "30"])
    #expect(try store.texts("Pet", "years") == ["n1", "n2", "n3"])
    #expect(try store.texts("Pet", "pet") == ["p1", "p2", "p3"])
    #expect(try store.texts("Person", "owner") == ["1", "nil", "2", "3"])
  }

  @Test func `a migration can exchange names of unchanged classes`() async throws {
    try file.write([
      ObjectSchema("A", [Property("a", .string), Property("b", .list(.int))]),
      ObjectSchema("B", [Property("a", .string), Property("b", .list(.int))]),
    ]) { store in
      try store.create(dynamic: "A", value: ["a": "of A", "b": [1]])
      try store.create(dynamic: "B", value: ["a": "of B", "b": [2]])
    }
    let after = ["A", "B"].map {
      ObjectSchema($0, [Property("a", .string), Property("b", .list(.int))])
    }
    let store = try await file.migrate(after) { migration in
      try migration.renameClass(from: "A", to: "a")
      try migration.renameClass(from: "B", to: "A")
      try migration.renameClass(from: "a", to: "B")
    }
    #expect(try store.texts("A", "a") == ["of B"])
    #expect(try store.texts("B", "b") == ["[1]"])
  }

  @Test func `a migration over two schema versions runs both steps once`() async throws {
    try Persons.write(file)
    let after = ObjectSchema(
      "Person",
      [
        Property("id", .int, isPrimaryKey: true), Property("title", .string),
        Property("age", .int),
      ])
    @Sendable func migrate(_ migration: Migration) throws {
      if migration.oldVersion < 1 { Issue.record("that was before") }
      if migration.oldVersion < 2 {
        try migration.renameAttribute("Person", from: "name", to: "fullName")
      }
      if migration.oldVersion < 3 {
        try migration.renameAttribute("Person", from: "fullName", to: "title")
      }
      if migration.oldVersion < 2 {
        try migration.enumerate("Pet") { old, new in new["owner"] = nil }
      }
      if migration.oldVersion < 3 {
        try migration.enumerate("Person") { old, new in
          new["age"] = (old["id"] as? Int ?? 0) + 1
        }
      }
    }
    do {
      let store = try file.open([after, Persons.pet], 3) { try migrate($0) }
      try await file.check(store)
    }
    let store = try file.open([after, Persons.pet], 3) { _ in Issue.record("it ran again") }
    #expect(try store.texts("Person", "title") == ["n1", "n2", "n3"])
    #expect(try store.texts("Person", "age") == ["2", "3", "4"])
    #expect(try store.texts("Pet", "owner") == ["nil", "nil", "nil", "nil"])
  }

  // MARK: - Keys

  @Test func `a migration can make another attribute the primary key`() async throws {
    try Persons.write(file)
    let after = ObjectSchema(
      "Person",
      [
        Property("id", .int), Property("name", .string, isPrimaryKey: true),
        Property("friend", .object("Person")),
      ])
    let store = try await file.migrate([after, Persons.pet, Persons.home, Persons.note]) { _ in
    }
    #expect(
      try store.object(dynamic: "Person", forPrimaryKey: "n2")?["id"] as? Int == 2)
    #expect(try store.texts("Person", "friend") == ["n1", "n1", "n1"].map { _ in "1" })
    // Embedded objects of removed attributes are deleted. Other objects stay.
    #expect(try store.objects(dynamic: "Home").isEmpty)
    #expect(try store.objects(dynamic: "Note").count == 4)
  }

  @Test func `a migration can change the type of a key and use duplicate keys temporarily`()
    async throws
  {
    try Persons.write(file)
    let after = Persons.changed("id", Property("id", .string, isPrimaryKey: true))
    let store = try await file.migrate([after] + Persons.before[1...]) { migration in
      try migration.enumerate("Person") { old, new in
        #expect(new["id"] as? String == "")
        new["id"] = "the same"
      }
      try migration.enumerate("Person") { old, new in
        new["id"] = "k\(old["id"] as? Int ?? 0)"
      }
    }
    #expect(try store.texts("Person", "id") == ["k1", "k2", "k3"])
    #expect(
      try store.object(dynamic: "Person", forPrimaryKey: "k3")?["name"] as? String == "n3")
    #expect(try store.texts("Person", "friend") == ["k1", "k1", "k1"])
  }

  @Test func `a migration can remove and add a primary key`() async throws {
    try Persons.write(file)
    let person = Persons.changed("id", Property("id", .int))
    let note = ObjectSchema(
      "Note", [Property("id", .uuid, isPrimaryKey: true), Property("text", .string)])
    let store = try await file.migrate([person, Persons.pet, Persons.home, note]) { migration in
      try migration.enumerate("Note") { _, new in new["id"] = UUID() }
    }
    #expect(try store.texts("Person", "id") == ["1", "2", "3"])
    #expect(try store.texts("Person", "pets").last == #"["p1", "p3"]"#)
    #expect(Set(try store.texts("Note", "id")).count == 4)
  }

  @Test func `a migration that leaves duplicate keys fails without changing the file`() throws {
    try Persons.write(file)
    let before = try file.dump()
    let after = ObjectSchema(
      "Person", [Property("name", .string, isPrimaryKey: true), Property("id", .int)])
    let error = StoreError(
      .migrationFailed(
        path: file.path,
        mistakes: [
          #"Person.name: 2 objects have the primary key "n1""#,
          #"Pet.name: 4 objects have the primary key "same""#,
        ]))
    #expect(throws: error) {
      try file.open([after, Persons.pet], 2) { migration in
        try migration.enumerate("Person") { old, new in
          if old["id"] as? Int == 3 { new["name"] = "n1" }
        }
        try migration.enumerate("Pet") { _, new in new["name"] = "same" }
      }
    }
    #expect(
      error.description == """
        \(file.path): the migration failed:
        Person.name: 2 objects have the primary key "n1"
        Pet.name: 4 objects have the primary key "same"
        """)
    #expect(try file.dump() == before)
    let store = try file.open(Persons.before, 1)
    #expect(try store.texts("Person", "name") == ["n1", "n2", "n3"])
  }

  @Test(arguments: [20, 25])
  func `the error for duplicate keys lists at most twenty of them`(_ keyCount: Int) throws {
    try file.write([ObjectSchema("N", [Property("n", .int)])]) { store in
      for n in 0..<2 * keyCount { try store.create(dynamic: "N", value: ["n": .init(n / 2)]) }
    }
    #expect(
      throws: StoreError(
        .migrationFailed(
          path: file.path,
          mistakes: (0..<20).map { "N.n: 2 objects have the primary key \($0)" }
            + (keyCount > 20 ? ["N.n: \(keyCount - 20) more primary keys are not unique"] : [])))
    ) {
      try file.open([ObjectSchema("N", [Property("n", .int, isPrimaryKey: true)])], 2) { _ in }
    }
  }
}

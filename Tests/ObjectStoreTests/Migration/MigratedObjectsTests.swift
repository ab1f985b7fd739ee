import Foundation
import ObjectStore
import TestSupport
import Testing

/// The objects that a migration block changes, and the errors that it can cause.
@Suite struct `Migrated objects` {
  private let file: MigratedFile

  init() throws {
    file = try MigratedFile()
  }

  @Test func `a migration creates, finds and deletes objects`() async throws {
    try Persons.write(file)
    let person = Persons.changed("friend", Property("friends", .list("Person")))
    let store = try await file.migrate([person] + Persons.before[1...]) { migration in
      try migration.enumerate("Person") { old, new in
        if let friend = old["friend"] as? DynamicObject,
          let new = new["friends"] as? List<DynamicObject>,
          let friend = try migration.newObject(of: friend)
        {
          new.append(friend)
        }
        if old["id"] as? Int == 2 { try migration.delete(new) }
      }
      try migration.create(
        "Person",
        ["id": 9, "name": "new", "home": ["street": "of 9"], "pet": ["name": "p9"]])
      for pet in try migration.objects("Pet") where pet["name"] as? String == "p4" {
        try migration.delete(pet)
      }
      var count = 0
      try migration.enumerate("Person") { _, _ in count += 1 }
      #expect(count == 2)
      #expect(try migration.objects("Person").count == 3)
    }
    #expect(try store.texts("Person", "id") == ["1", "3", "9"])
    #expect(try store.texts("Person", "friends") == [#"["1"]"#, #"["1"]"#, "[]"])
    #expect(try store.texts("Person", "home") == ["s1", "s3", "of 9"])
    #expect(try store.texts("Pet", "name") == ["p1", "p2", "p3", "p9"])
    #expect(try store.texts("Home", "street") == ["s1", "x1", "s3", "x3", "of 9"])
  }

  enum Mood: String, PersistableEnum { case calm, cross }

  final class Home: EmbeddedObject {
    @Persisted var street = ""
    @Persisted var floor: Int8 = 1
  }

  final class Tenant: Object {
    @Persisted var name = ""
    @Persisted var mood = Mood.calm
    @Persisted var count: Int8 = 0
    @Persisted var size: Double = 0
    @Persisted var home: Home?
    @Persisted var homes: List<Home>
  }

  private func tenants() throws {
    let before = ObjectSchema(
      "Tenant",
      [
        Property("name", .string), Property("street", .string), Property("count", .int),
        Property("size", .value(.float)),
      ])
    try file.write([before]) { store in
      try store.create(
        dynamic: "Tenant", value: ["name": "Jo", "street": "Main St", "count": 7, "size": 1.5])
    }
  }

  @Test func `a migration assigns new embedded objects and numbers of another width`() throws {
    try tenants()
    let store = try Store(
      configuration: .file(file.url, classes: [Tenant.self], schemaVersion: 2) { migration in
        try migration.enumerate("Tenant") { old, new in
          new["count"] = old["count"]
          new["size"] = old["size"]
          new["mood"] = "cross"
          new["home"] = ["street": old["street"]] as [String: Any?]
          new["homes"] = [["street": "a", "floor": 2], ["street": "b"]] as [[String: Any]]
        }
      })
    let tenant = try #require(store.objects(Tenant.self).first)
    #expect(tenant.count == 7 && tenant.size == 1.5 && tenant.mood == .cross)
    #expect(tenant.home?.street == "Main St" && tenant.home?.floor == 1)
    #expect(tenant.homes.map(\.street) == ["a", "b"] && tenant.homes.map(\.floor) == [2, 1])
  }

  @Test(arguments: [
    ("mood", #"Tenant.mood: expected Mood, found String "sad""#, "sad" as any Sendable),
    ("count", "Tenant.count: 300 is outside the range of Int8", 300),
    ("home", "Home: 'stret' is not an attribute; did you mean 'street'?", ["stret": "x"]),
  ])
  func `assigning an invalid value in a migration throws`(
    _ name: String, _ text: String, _ value: any Sendable
  )
    throws
  {
    try tenants()
    let error = #expect(throws: StoreError.self) {
      _ = try Store(
        configuration: .file(file.url, classes: [Tenant.self], schemaVersion: 2) { migration in
          try migration.enumerate("Tenant") { _, new in new[name] = value }
        })
    }
    #expect(error?.description == text)
  }

  @Test func `a migration moves values out of a class and deletes the class`() async throws {
    try Persons.write(file)
    let person = ObjectSchema(
      "Person",
      [
        Property("id", .int, isPrimaryKey: true), Property("street", .string),
        Property("petName", .string, isOptional: true),
      ])
    let store = try await file.migrate([person]) { migration in
      try migration.enumerate("Person") { old, new in
        new["street"] = (old["home"] as? DynamicObject)?["street"]
        new["petName"] = (old["pet"] as? DynamicObject)?["name"]
      }
      for name in ["Pet", "Home", "Note"] { try migration.deleteClass(name) }
    }
    #expect(try store.texts("Person", "street") == ["s1", "s2", "s3"])
    #expect(try store.texts("Person", "petName") == ["p1", "p2", "p3"])
    #expect(
      try file.dump().filter { $0.hasPrefix("store_classes: '") }.map { String($0.prefix(24)) }
        == ["store_classes: 'Person',"])
  }

  @Test func `deleting a declared class deletes its objects and clears links to them`() async throws
  {
    try Persons.write(file)
    let store = try await file.migrate(Persons.before) { migration in
      try migration.deleteClass("Pet")
      try migration.deleteClass("Note")
    }
    #expect(try store.texts("Person", "pet") == ["nil", "nil", "nil"])
    #expect(try store.texts("Person", "pets") == ["[]", "[]", "[]"])
    #expect(try store.texts("Person", "note") == ["nil", "nil", "nil"])
    #expect(try store.texts("Person", "home") == ["s1", "s2", "s3"])
  }

  @Test func `objects created after the deletion of their class are kept`() async throws {
    try Persons.write(file)
    _ = try await file.migrate([]) { migration in
      for name in ["Pet", "Home", "Note"] { try migration.deleteClass(name) }
      let note = try migration.create("Note", ["text": "new"])
      try migration.enumerate("Person") { _, new in new["note"] = note }
      try migration.create("Person", ["id": 9, "home": ["street": "of 9"]])
    }
    #expect(try !file.dump().contains { $0.hasPrefix("store_classes: 'Pet',") })
    let store = try file.open(Persons.before, 2)
    try store.write { try store.create(dynamic: "Note", value: ["text": "later"]) }
    #expect(try store.texts("Person", "note") == ["new", "new", "new", "nil"])
    #expect(try store.texts("Person", "home") == ["nil", "nil", "nil", "of 9"])
    #expect(try store.texts("Person", "pet") == ["nil", "nil", "nil", "nil"])
    #expect(try store.texts("Note", "text") == ["new", "later"])
    #expect(try store.texts("Home", "street") == ["of 9"])
    try await file.check(store)
  }

  @Test func `removing an attribute deletes the embedded objects that it owns`() async throws {
    try Persons.write(file)
    _ = try await file.migrate([]) { migration in
      try migration.removeAttribute("Person", "homes")
      try migration.removeAttribute("Person", "note")
    }
    let store = try file.open(Persons.before, 2)
    #expect(try store.texts("Person", "homes") == ["[]", "[]", "[]"])
    #expect(try store.texts("Person", "note") == ["nil", "nil", "nil"])
    #expect(try store.texts("Person", "home") == ["s1", "s2", "s3"])
    #expect(try store.texts("Home", "street") == ["s1", "s2", "s3"])
    #expect(try store.texts("Note", "text") == ["t1", "t4", "t2", "t3"])
    try await file.check(store)
  }

  // MARK: - Embedded objects

  @Test func `a migration can make embedded objects independent and embed others`() async throws {
    try Persons.write(file)
    let home = ObjectSchema("Home", Persons.home.properties)
    let note = ObjectSchema("Note", Persons.note.properties, isEmbedded: true)
    let store = try await file.migrate([Persons.person, Persons.pet, home, note]) { migration in
      // The note of the deleted person has no owner.
      for note in try migration.objects("Note") where note["text"] as? String == "t4" {
        try migration.delete(note)
      }
    }
    #expect(try store.texts("Person", "home") == ["s1", "s2", "s3"])
    #expect(try store.texts("Person", "homes").first == #"["x: x1"]"#)
    #expect(try store.texts("Person", "note") == ["t1", "t2", "t3"])
  }

  @Test func `a migration embeds objects only if each has exactly one owner`() throws {
    try Persons.write(file)
    let pet = ObjectSchema(
      "Pet", Persons.pet.properties.map { Property($0.name, $0.shape) }, isEmbedded: true)
    let before = try file.dump()
    #expect(
      throws: StoreError(
        .migrationFailed(
          path: file.path,
          mistakes: [
            "Pet: the class is now embedded, but 1 of its objects has no owner",
            "Pet: the class is now embedded, but 3 of its objects have more than one owner",
          ]))
    ) {
      try file.open([Persons.person, pet, Persons.home, Persons.note], 2) { _ in }
    }
    #expect(try file.dump() == before)
  }

  // MARK: - Errors

  @Test func `errors in a migration describe the mistake and change nothing`() throws {
    try Persons.write(file)
    let before = try file.dump()
    func expect(
      _ text: String, sourceLocation: SourceLocation = #_sourceLocation,
      _ block: @escaping MigrationBlock
    ) {
      let error = #expect(throws: StoreError.self, sourceLocation: sourceLocation) {
        try file.open(Persons.before, 2, block)
      }
      #expect(error?.description == text, sourceLocation: sourceLocation)
    }
    expect(
      "Migration.renameAttribute: the file already has an attribute 'Person.years'"
    ) { try $0.renameAttribute("Person", from: "name", to: "years") }
    expect("Migration.renameClass: the file already has a class 'Pet'") {
      try $0.renameClass(from: "Person", to: "Pet")
    }
    expect("'Pets' is not a class of this store; did you mean 'Pet'?") {
      _ = try $0.objects("Pets")
    }
    expect(
      "Migration.renameAttribute: objects were already accessed; change names before that"
    ) {
      try $0.enumerate("Person") { _, _ in }
      try $0.renameAttribute("Person", from: "name", to: "x")
    }
    expect("Migration.renameClass: objects were already accessed; change names before that") {
      _ = try $0.objects("Note")
      try $0.renameClass(from: "Person", to: "x")
    }
    expect("Person.name: expected String, found Int 5") {
      try $0.enumerate("Person") { _, new in new["name"] = 5 }
    }
    expect("Person.name: null for an attribute that is not optional") {
      try $0.enumerate("Person") { _, new in new["name"] = nil }
    }
    expect(
      "Home: an embedded object cannot exist alone; create it as part of the object that owns it"
    ) {
      try $0.create("Home")
    }
    expect("Person: the object is unmanaged or frozen, or belongs to another store") { migration in
      try migration.enumerate("Person") { old, new in try migration.delete(old) }
    }
    expect("Person: the object is unmanaged or frozen, or belongs to another store") { migration in
      try migration.enumerate("Person") { old, new in _ = try migration.newObject(of: new) }
    }
    #expect(try file.dump() == before)
  }

  @Test func `renaming and removing names that the file lacks has no effect`() async throws {
    try Persons.write(file)
    _ = try await file.migrate(Persons.before) { migration in
      #expect(try !migration.renameAttribute("Nobody", from: "name", to: "x"))
      #expect(try !migration.renameAttribute("Person", from: "nobody", to: "x"))
      #expect(try !migration.removeAttribute("Person", "nobody"))
      #expect(try !migration.renameClass(from: "Nobody", to: "Somebody"))
      #expect(try migration.renameClass(from: "Person", to: "Human"))
      #expect(try migration.renameClass(from: "Human", to: "Person"))
      #expect(try migration.renameAttribute("Person", from: "name", to: "name"))
      #expect(try !migration.deleteClass("Nobody"))
      try migration.enumerate("Nobody") { _, _ in Issue.record("the class does not exist") }
    }
  }

  private struct Refusal: Error, Equatable {
    let number: Int
  }

  @Test func `an error of the migration block is rethrown and the file stays unchanged`()
    async throws
  {
    try Persons.write(file)
    let before = try file.dump()
    #expect(throws: Refusal(number: 7)) {
      try file.open(Persons.before, 2) { migration in
        try migration.renameAttribute("Person", from: "name", to: "x")
        try migration.enumerate("Person") { _, new in new["years"] = "changed" }
        try migration.deleteClass("Pet")
        throw Refusal(number: 7)
      }
    }
    #expect(try file.dump() == before)
    let store = try await file.migrate(Persons.before) { migration in
      try migration.enumerate("Person") { _, new in new["years"] = "at last" }
    }
    #expect(try store.texts("Person", "years") == ["at last", "at last", "at last"])
  }
}

import Foundation
import ObjectStore
import TestSupport
import Testing

/// Classes that a file refers to without ever having had objects of them.
@Suite struct `A class without a row in a migrated file` {
  private let file: MigratedFile

  init() throws {
    file = try MigratedFile()
  }

  private func write() throws {
    try file.write(Owners.before) { store in
      for id in 1...2 { try store.create(dynamic: "Person", value: ["id": .init(id)]) }
    }
  }

  private static func expectNothing(of object: DynamicObject) {
    #expect(object["pet"] == nil)
    #expect((object["pets"] as? List<DynamicObject>)?.count == 0)
    #expect((object["petSet"] as? MutableSet<DynamicObject>)?.count == 0)
    #expect((object["petsByName"] as? Map<String, DynamicObject>)?.count == 0)
  }

  @Test(arguments: [true, false])
  func `links to a class without rows are empty in a migration`(_ isListed: Bool) async throws {
    try write()
    let schemas = isListed ? Owners.before : []
    _ = try await file.migrate(schemas) { migration in
      try migration.enumerate("Person") { old, new in
        Self.expectNothing(of: old)
        Self.expectNothing(of: new)
        new["age"] = 7
      }
      #expect(try migration.objects("Pet").isEmpty)
      #expect(try !migration.deleteClass("Pet"))
    }
    let store = try file.open(Owners.before, 2)
    #expect(try store.texts("Person", "age") == ["7", "7"])
    try store.write {
      for person in try store.objects(dynamic: "Person") {
        let pet = try store.create(
          dynamic: "Pet", value: ["name": .init("p\(person["id"] as? Int ?? 0)")])
        person["pet"] = pet
        (person["pets"] as? List<DynamicObject>)?.append(pet)
      }
    }
    #expect(try store.texts("Person", "pet") == ["p1", "p2"])
    try await file.check(store)
  }

  @Test func `creating an object of a class without a schema in a migration throws`() throws {
    try write()
    let before = try file.dump()
    let blocks: [MigrationBlock] = [
      { try $0.create("Pet") },
      { try $0.create("Person", ["id": 3, "pet": [:]]) },
    ]
    for block in blocks {
      #expect(throws: StoreError(.unknownClass(name: "Pet", suggestion: nil))) {
        try file.open([], 2, block)
      }
    }
    #expect(try file.dump() == before)
  }

  @Test func `links to a class without rows refer to its new name after a migration`() async throws
  {
    try write()
    let person = ObjectSchema(
      "Person", [Property("id", .int, isPrimaryKey: true), Property("pet", .object("Animal"))])
    let animal = ObjectSchema("Animal", Owners.pet.properties)
    let store = try await file.migrate([person, animal, Owners.toy]) { migration in
      #expect(try !migration.renameClass(from: "Pet", to: "Animal"))
      try migration.enumerate("Person") { old, new in
        #expect(old["pet"] == nil)
        new["pet"] = try migration.create("Animal", ["name": .init("\(old["id"] as? Int ?? 0)")])
      }
    }
    #expect(try store.texts("Person", "pet") == ["1", "2"])
  }

  @Test func `an attribute that the file lacks is nil in an old object`() async throws {
    try write()
    let store = try await file.migrate(Owners.before) { migration in
      try migration.enumerate("Person") { old, new in
        #expect(old["nickname"] == nil)
        new["age"] = old["years"] as? Int ?? 5
      }
    }
    #expect(try store.texts("Person", "age") == ["5", "5"])
  }

  @Test func `assigning an attribute that a class lacks fails its migration`() throws {
    try write()
    let url = file.folder.url.appending(path: "things.store")
    let configuration = StoreConfiguration.file(url, schemaVersion: 2) { migration in
      try migration.enumerate("Person") { old, new in
        #expect(old["nickname"] == nil && new["nickname"] == nil)
        new["nickname"] = "Jo"
      }
    }
    let error = #expect(throws: StoreError.self) {
      try Store(configuration: configuration, schemas: Owners.before)
    }
    #expect(error?.description.contains("Person: 'nickname' is not an attribute") == true)
  }
}

private enum Owners {
  static let pet = ObjectSchema(
    "Pet", [Property("name", .string, isPrimaryKey: true), Property("toys", .list("Toy"))])
  static let toy = ObjectSchema("Toy", [Property("name", .string)], isEmbedded: true)
  static let person = ObjectSchema(
    "Person",
    [
      Property("id", .int, isPrimaryKey: true), Property("age", .int),
      Property("pet", .object("Pet")), Property("pets", .list("Pet")),
      Property("petSet", .set("Pet")), Property("petsByName", .map("Pet")),
    ])
  static let before = [person, pet, toy]
}

import ObjectStore

/// Persons with pets and homes in a file before its migration.
enum Persons {
  static let person = ObjectSchema(
    "Person",
    [
      Property("id", .int, isPrimaryKey: true), Property("name", .string, isIndexed: true),
      Property("years", .string, isOptional: true), Property("friend", .object("Person")),
      Property("tags", .list(.string)), Property("pet", .object("Pet")),
      Property("pets", .list("Pet")), Property("home", .object("Home")),
      Property("homes", .map("Home")), Property("note", .object("Note")),
    ])
  static let pet = ObjectSchema(
    "Pet", [Property("name", .string, isPrimaryKey: true), Property("owner", .object("Person"))])
  static let home = ObjectSchema(
    "Home", [Property("street", .string), Property("floor", .int)], isEmbedded: true)
  static let note = ObjectSchema("Note", [Property("text", .string)])
  static let before = [person, pet, home, note]

  /// Writes three persons, each with a pet and homes, and a fourth one that is deleted.
  static func write(_ file: MigratedFile) throws {
    try file.write(before) { store in
      for id in [1, 4, 2, 3] {
        try store.create(
          dynamic: "Person",
          value: [
            "id": .init(id), "name": .init("n\(id)"), "years": .init("\(id * 10)"),
            "friend": ["id": 1, "name": "n1"], "tags": ["a", .init("\(id)")],
            "pet": ["name": .init("p\(id)"), "owner": ["id": .init(id)]],
            "pets": [["name": "p1"], ["name": .init("p\(id)")]],
            "home": ["street": .init("s\(id)")],
            "homes": ["x": ["street": .init("x\(id)"), "floor": 2]],
            "note": ["text": .init("t\(id)")],
          ], update: .modified)
      }
      if let four = try store.object(dynamic: "Person", forPrimaryKey: 4) { store.delete(four) }
    }
  }

  static func changed(
    _ name: String, _ property: Property?, in schema: ObjectSchema = person
  ) -> ObjectSchema {
    ObjectSchema(
      schema.className,
      schema.properties.compactMap { $0.name == name ? property : $0 },
      isEmbedded: schema.isEmbedded)
  }
}

import ObjectStore

// Declared classes, and schemas of their earlier versions.

enum Rank: String, PersistableEnum {
  case low, high
}

final class Citizen: Object {
  @Persisted(primaryKey: true) var id: Int
  @Persisted var fullName = ""
  @Persisted var age = 18
  @Persisted var rank = Rank.high
  @Persisted var nickname: String?
  @Persisted var badge: Badge? = Badge()
  @Persisted var town: Town?
  @Persisted var towns: List<Town>
  @Persisted(originProperty: "mayor") var governs: LinkingObjects<Town>

  override class var tableName: String { "Person" }
}

final class Badge: EmbeddedObject {
  @Persisted var number = 7
}

final class Town: Object {
  @Persisted(primaryKey: true) var name: String
  @Persisted var mayor: Citizen?
}

extension Citizen {
  static let before = [
    ObjectSchema(
      "Person",
      [
        Property("id", .string, isPrimaryKey: true), Property("name", .string),
        Property("years", .int, isOptional: true), Property("rank", .int),
        Property("town", .object("City")), Property("towns", .list("City")),
      ]),
    ObjectSchema(
      "City",
      [
        Property("name", .string, isPrimaryKey: true), Property("mayor", .object("Person")),
      ]),
  ]

  static func fill(_ store: Store, count: Int) throws {
    for id in 1...count {
      try store.create(
        dynamic: "Person",
        value: [
          "id": .init("\(id)"), "name": .init("n\(id)"), "years": id % 2 == 0 ? .null : .init(id),
          "rank": .init(id % 2),
          "town": ["name": .init("t\(id % 3)"), "mayor": ["id": .init("\(id)")]],
          "towns": [["name": "t0"], ["name": .init("t\(id % 3)")]],
        ], update: .modified)
    }
  }

  static func migrate(_ migration: Migration) throws {
    try migration.renameAttribute("Person", from: "name", to: "fullName")
    try migration.renameClass(from: "City", to: "Town")
    try migration.enumerate("Person") { old, new in
      new["id"] = Int(old["id"] as? String ?? "")
      new["age"] = old["years"] ?? new["age"]
      new["rank"] = old["rank"] as? Int == 1 ? "high" : "low"
    }
  }
}
